//! Collects trouble that leaves the rest of a file usable.

use model::{Warning, WarningKind};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Counted trouble, told from any thread; each kind keeps the words of its first case.
#[derive(Debug, Default)]
pub struct Warnings(Mutex<BTreeMap<Case, (u64, String)>>);

/// A kind of trouble and what tells cases of one kind apart.
pub(crate) type Case = (WarningKind, &'static str);

impl Warnings {
    /// Notes `count` more cases of `kind`. `what` tells cases of one kind apart (for example the
    /// unknown key's place); `message` is asked only for the first.
    pub fn add(
        &self,
        kind: WarningKind,
        what: &'static str,
        count: u64,
        message: impl FnOnce() -> String,
    ) {
        if count == 0 {
            return;
        }
        let mut kinds = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kinds.entry((kind, what)).or_insert_with(|| (0, message())).0 += count;
    }

    /// Adds all of `others`.
    pub(crate) fn extend(&self, others: Self) {
        let others = others.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for ((kind, what), (count, message)) in others {
            self.add(kind, what, count, || message);
        }
    }

    /// All of them with what tells them apart, for tests.
    #[cfg(test)]
    pub(crate) fn cases(&self) -> Vec<(Case, (u64, String))> {
        let kinds = self.0.lock().unwrap();
        kinds.iter().map(|(case, told)| (*case, told.clone())).collect()
    }

    /// All of them, by kind.
    pub fn into_list(self) -> Vec<Warning> {
        let kinds = self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        kinds
            .into_iter()
            .map(|((kind, _), (count, message))| Warning { kind, count, message })
            .collect()
    }
}
