//! The texts of a dump, sorted once.

use crate::lists::SortedTexts;
use job::{Cancelled, Job};
use model::{Dump, Recording};

/// The order of a dump's distinct texts.
///
/// Made once a recording and shared by the tables of all its tracks.
#[derive(Debug, Clone, Default)]
pub struct DumpTexts {
    /// By row of [`Dump::owners`].
    pub(crate) owners: SortedTexts,
    /// By row of [`Dump::devices`].
    pub(crate) devices: SortedTexts,
    /// By row of [`model::DumpRows::words`].
    pub(crate) words: SortedTexts,
    /// By row of the recording's strings: what rows are called.
    pub(crate) names: SortedTexts,
    /// By row of the recording's strings: stacks of C.
    pub(crate) c_stacks: SortedTexts,
}

impl DumpTexts {
    /// Sorts those of `dump`, which is that of `recording`.
    pub fn new(recording: &Recording, dump: &Dump, job: &Job) -> Result<Self, Cancelled> {
        let list = |list, first| SortedTexts::of_list(recording, list, |row| row >= first);
        let (owners, devices) = (list(&dump.owners, 1), list(&dump.devices, 0));
        let words = list(&dump.rows.words, 0);
        job.check()?;
        let names = SortedTexts::of_column(recording, &dump.rows.name);
        job.check()?;
        let c_stacks = SortedTexts::of_column(recording, &dump.rows.c_stack);
        job.check()?;
        Ok(Self { owners, devices, words, names, c_stacks })
    }
}
