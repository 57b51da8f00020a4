//! The few distinct pools, streams and actions, in the order in which a column sorts them.

use crate::Shape;
use model::{Action, Recording, StringId};

/// Distinct values of a recording sorted, and the place of each.
#[derive(Debug, Clone)]
pub(crate) struct Sorted {
    rows: Vec<u16>,
    places: Vec<u16>,
}

impl Sorted {
    fn by_key<K: Ord>(count: usize, key: impl Fn(u16) -> K) -> Self {
        let mut rows: Vec<u16> = (0..count as u32).map(|row| row as u16).collect();
        rows.sort_by_key(|row| key(*row));
        let mut places = vec![0; count];
        for (place, row) in rows.iter().enumerate() {
            places[usize::from(*row)] = place as u16;
        }
        Self { rows, places }
    }

    /// The pools of `recording`.
    pub(crate) fn pools(recording: &Recording) -> Self {
        Self::by_key(recording.pools.len(), |row| recording.pools[usize::from(row)])
    }

    /// The streams of `recording` by their handles.
    pub(crate) fn streams(recording: &Recording) -> Self {
        Self::by_key(recording.streams.len(), |row| recording.streams[usize::from(row)])
    }

    /// All actions by their names; here the rows are their codes.
    pub(crate) fn actions(recording: &Recording) -> Self {
        let count = usize::from(Action::Other(0).code()) + recording.other_actions.len();
        Self::by_key(count.min(256), |code| action_name(recording, code as u8).to_owned())
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row at `place`.
    pub(crate) fn row(&self, place: usize) -> usize {
        usize::from(self.rows[place])
    }

    /// The place of `row`, if there is such a row.
    pub(crate) fn place(&self, row: usize) -> Option<u64> {
        self.places.get(row).map(|place| u64::from(*place))
    }
}

/// What the action with `code` is called; nothing for a code that stands for none.
pub(crate) fn action_name(recording: &Recording, code: u8) -> &str {
    let action = Action::from_code(code);
    match action {
        Action::Other(_) if action.code() != code => "",
        Action::Other(row) => {
            let name = recording.other_actions.get(usize::from(row));
            name.map_or("", |name| recording.text(*name))
        }
        known => known.name().unwrap_or(""),
    }
}

/// The pool at `row` as the files write it.
pub(crate) fn pool_name(recording: &Recording, row: usize) -> String {
    let pool = recording.pools[row];
    format!("({}, {})", pool.0, pool.1)
}

/// Distinct texts sorted, and the place of each among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SortedTexts {
    rows: Vec<u32>,
    /// By row: its place, or [`SortedTexts::NONE`].
    places: Vec<u32>,
}

impl SortedTexts {
    const NONE: u32 = u32::MAX;

    /// Those of `list`, by row; `is_used` says which rows stand for something.
    pub(crate) fn of_list(
        recording: &Recording,
        list: &[StringId],
        is_used: impl Fn(usize) -> bool,
    ) -> Self {
        let used = (0..list.len()).filter(|row| is_used(*row)).map(|row| row as u32).collect();
        Self::sorted(used, list.len(), |row| recording.text(list[row as usize]))
    }

    /// Those that `column` names, by row of the recording's strings; the empty one is none.
    pub(crate) fn of_column(recording: &Recording, column: &[u32]) -> Self {
        let count = recording.strings.len();
        let mut is_met = vec![false; count];
        for row in column {
            is_met[*row as usize] = true;
        }
        let met = (1..count as u32).filter(|row| is_met[*row as usize]).collect();
        Self::sorted(met, count, |row| recording.text(StringId(row)))
    }

    fn sorted<'a>(mut rows: Vec<u32>, count: usize, text: impl Fn(u32) -> &'a str) -> Self {
        rows.sort_by_key(|row| text(*row));
        let mut places = vec![Self::NONE; count];
        for (place, row) in rows.iter().enumerate() {
            places[*row as usize] = place as u32;
        }
        Self { rows, places }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row at `place`.
    pub(crate) fn row(&self, place: usize) -> usize {
        self.rows[place] as usize
    }

    /// The key of `row`: its place, or that of an empty cell.
    pub(crate) fn key(&self, row: impl Into<u64>) -> u64 {
        match self.places.get(row.into() as usize) {
            None | Some(&Self::NONE) => Shape::EMPTY,
            Some(place) => u64::from(*place),
        }
    }
}
