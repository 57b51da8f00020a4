//! Where a thread's time went, by function.

use crate::OnThread;
use job::{Cancelled, Job};
use model::Slices;
use std::collections::HashMap;

/// What all calls of one name add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionTotal<'a> {
    /// The name, as written.
    pub name: &'a str,
    /// How many calls.
    pub calls: u32,
    /// Nanoseconds in them and in what they called; a call within another of the same name counts
    /// once.
    pub total_ns: i64,
    /// Nanoseconds in them alone.
    pub self_ns: i64,
    /// The longest of them.
    pub longest: u32,
}

impl<'a> OnThread<'a> {
    /// Every name with its calls, the one with the most time first.
    pub fn functions(self, job: &Job) -> Result<Vec<FunctionTotal<'a>>, Cancelled> {
        let slices = self.slices();
        let mut rows: HashMap<u32, usize> = HashMap::new();
        let mut totals: Vec<FunctionTotal<'a>> = Vec::new();
        // The calls that enclose the one looked at: their names' rows, and when they end.
        let mut open: Vec<Enclosing> = Vec::new();
        for slice in 0..slices.len() {
            if slice.is_multiple_of(65_536) {
                job.check()?;
            }
            let (start, end, depth) = call(slices, slice);
            open.truncate(depth);
            let row = *rows.entry(slices.name[slice as usize]).or_insert_with(|| {
                totals.push(FunctionTotal {
                    name: self.name(slice),
                    calls: 0,
                    total_ns: 0,
                    self_ns: 0,
                    longest: slice,
                });
                totals.len() - 1
            });
            if let Some(outer) = open.last() {
                totals[outer.row].self_ns -= (end.min(outer.end) - start).max(0);
            }
            let is_outermost = open.iter().all(|outer| outer.row != row);
            let longest = call(slices, totals[row].longest);
            let total = &mut totals[row];
            total.calls += 1;
            total.self_ns += end - start;
            if is_outermost {
                total.total_ns += end - start;
            }
            if end - start > longest.1 - longest.0 {
                total.longest = slice;
            }
            open.push(Enclosing { row, end });
        }
        totals.sort_by_key(|total| std::cmp::Reverse((total.total_ns, total.self_ns)));
        Ok(totals)
    }
}

struct Enclosing {
    row: usize,
    end: i64,
}

/// Start, end and depth of a call.
fn call(slices: &Slices, slice: u32) -> (i64, i64, usize) {
    let at = slice as usize;
    (slices.start_ns[at], slices.end_ns[at], usize::from(slices.depth[at]))
}
