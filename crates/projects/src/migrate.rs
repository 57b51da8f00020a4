//! The forms the database had, and the way from each to the next.

use rusqlite::{Connection, TransactionBehavior};

use crate::Error;

/// What makes form `n + 1` of form `n`; an empty file has form 0. What is here is on people's disks:
/// a change is a new entry, with the SQL of the form before in `tests/versions`.
pub(crate) const STEPS: &[&str] = &[include_str!("form_1.sql")];

/// Refuses a database that a newer program wrote, before anything is written to it.
pub(crate) fn refuse_newer(connection: &Connection, steps: &[&str]) -> Result<u32, Error> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = steps.len() as u32;
    if found > known { Err(Error::Newer { found, known }) } else { Ok(found) }
}

/// Brings the database to the form that all `steps` make; each step is there wholly or not at all.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), Error> {
    loop {
        // Another program may be doing the same: what form it has is only sure in a transaction.
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = refuse_newer(&step, steps)?;
        let Some(sql) = steps.get(found as usize) else { return Ok(()) };
        step.execute_batch(sql)?;
        step.pragma_update(None, "user_version", found + 1)?;
        step.commit()?;
    }
}
