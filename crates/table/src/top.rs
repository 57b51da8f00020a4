//! The first rows of an order, without ordering the rest.

use crate::Rows;
use crate::scan::Scan;
use crate::set::{keep_keys, ones};
use job::Cancelled;

/// The smallest keys met, with their rows; memory and time a row do not depend on how they come.
struct Smallest {
    wanted: usize,
    found: Vec<(u64, u32)>,
    /// Only what is smaller can still be among the wanted.
    limit: (u64, u32),
}

impl Smallest {
    fn new(wanted: usize) -> Self {
        Self { wanted, found: Vec::new(), limit: (u64::MAX, u32::MAX) }
    }

    fn offer(&mut self, key: u64, row: u32) {
        if (key, row) < self.limit {
            self.found.push((key, row));
            if self.found.len() >= 2 * self.wanted + 1024 {
                self.prune();
            }
        }
    }

    fn prune(&mut self) {
        if self.found.len() > self.wanted {
            let (_, limit, _) = self.found.select_nth_unstable(self.wanted - 1);
            self.limit = *limit;
            self.found.truncate(self.wanted);
        }
    }

    fn join(mut self, other: Self) -> Self {
        self.found.extend(other.found);
        self.limit = self.limit.min(other.limit);
        self.prune();
        self
    }
}

/// The first `wanted` rows of the scan's order.
///
/// One pass a column: the first column decides on all rows but those that tie with the last one
/// wanted; the next column decides among these.
pub(crate) fn first<R: Rows>(scan: &Scan<'_, R>, wanted: usize) -> Result<Vec<u32>, Cancelled> {
    let mut rows: Vec<u32> = Vec::new();
    let mut tied: Vec<u64> = Vec::new();
    for level in 0..scan.order.len() {
        let missing = wanted - rows.len();
        let found = smallest(scan, &tied, missing)?;
        let is_last = level + 1 == scan.order.len() || found.len() < missing;
        let Some((limit, _)) = found.last().copied() else { break };
        let decided = found.iter().take_while(|(key, _)| is_last || *key < limit);
        rows.extend(decided.map(|(_, row)| *row));
        if is_last {
            break;
        }
        tied.push(limit);
    }
    let mut keyed: Vec<(Vec<u64>, u32)> =
        rows.into_iter().map(|row| (scan.tuple(row), row)).collect();
    keyed.sort_unstable();
    Ok(keyed.into_iter().map(|(_, row)| row).collect())
}

/// The `wanted` smallest keys of the level after `tied`, among the rows whose keys are `tied`.
fn smallest<R: Rows>(
    scan: &Scan<'_, R>,
    tied: &[u64],
    wanted: usize,
) -> Result<Vec<(u64, u32)>, Cancelled> {
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let (column, direction) = scan.order[tied.len()];
    let shape = scan.rows.shape(column);
    let offer = |smallest: &mut Smallest, chunk: usize, keys: &[u64]| {
        let start = scan.set.rows(chunk).start;
        let mut words = members_tied(scan, chunk, tied);
        let limit = smallest.limit.0;
        keep_keys(&mut words, keys, |key| shape.ordered(key, direction) <= limit);
        for at in ones(&words) {
            smallest.offer(shape.ordered(keys[at], direction), (start + at) as u32);
        }
    };
    let mut found = scan.fold(column, || Smallest::new(wanted), offer, Smallest::join)?;
    found.prune();
    found.found.sort_unstable();
    Ok(found.found)
}

/// Bits of the members of `chunk` whose first keys are `tied`.
fn members_tied<R: Rows>(scan: &Scan<'_, R>, chunk: usize, tied: &[u64]) -> Vec<u64> {
    let mut words = scan.set.words(chunk).to_vec();
    let mut keys = Vec::new();
    for ((column, direction), wanted) in scan.order.iter().zip(tied) {
        let shape = scan.rows.shape(*column);
        scan.rows.keys(*column, scan.cursor, scan.set.rows(chunk), &mut keys);
        keep_keys(&mut words, &keys, |key| shape.ordered(key, *direction) == *wanted);
    }
    words
}
