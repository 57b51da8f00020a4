//! What the person set, by name.

use rusqlite::OptionalExtension;

use crate::list::json;
use crate::{Error, Projects};

impl Projects {
    /// The setting `name`, as JSON; nothing when it was never set.
    pub fn setting(&self, name: &str) -> Result<Option<String>, Error> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Sets `name` to `value`, which is JSON.
    pub fn set_setting(&self, name: &str, value: &str) -> Result<(), Error> {
        let connection = self.connection();
        json(&connection, value)?;
        connection.execute(
            "INSERT INTO setting (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [name, value],
        )?;
        Ok(())
    }
}
