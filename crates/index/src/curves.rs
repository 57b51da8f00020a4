//! Reserved and active bytes of each pool over time.

use crate::curve::{Curve, Steps};
use crate::{Peak, Totals};
use model::{Blocks, Counter, DeviceTable, PoolId, Segment, State, StreamId};
use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A pool on a stream; no pool where nothing says.
pub type PoolKey = (Option<PoolId>, StreamId);

/// Reserved and active bytes of every pool on every stream that ever had any.
///
/// Only the states at which a value changes are kept, so that all pools together take no more
/// than the blocks and segments do, however many pools there are.
#[derive(Debug, Clone)]
pub struct PoolCurves {
    keys: Vec<PoolKey>,
    /// One a key, or none: the only pool's values are the device's totals.
    own: Vec<[Curve; 2]>,
}

/// What of a pool is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolCounter {
    /// Bytes in segments.
    Reserved,
    /// Bytes in blocks that are allocated or pending.
    Active,
}

impl Change for Steps {
    fn new() -> Self {
        Self::default()
    }

    fn change(&mut self, state: u32, by: u64) {
        self.add(state, by);
    }
}

/// The largest value so far.
struct Highest {
    state: u32,
    value: u64,
    peak: Peak,
}

impl Highest {
    /// Takes the value in, which is all that its state makes of it.
    fn settle(&mut self) {
        if self.value > self.peak.most {
            self.peak.most = self.value;
            self.peak.at = State(self.state);
        }
    }

    fn finish(mut self) -> Peak {
        self.settle();
        self.peak
    }
}

impl Change for Highest {
    fn new() -> Self {
        Self { state: 0, value: 0, peak: Peak { least: 0, most: 0, at: State(0) } }
    }

    fn change(&mut self, state: u32, by: u64) {
        if state != self.state {
            self.settle();
            self.state = state;
        }
        self.value = self.value.wrapping_add(by);
    }
}

/// Something that follows a value.
trait Change {
    /// At state 0 the value is 0.
    fn new() -> Self;

    /// `by` more (modulo 2^64) from `state` on, which is not before any earlier one.
    fn change(&mut self, state: u32, by: u64);
}

/// Where each pool has the most bytes for the first time: reserved, then active.
///
/// One pass that keeps nothing, for who only wants to know this.
pub fn pool_peaks(table: &DeviceTable, totals: &Totals) -> Vec<(PoolKey, [Peak; 2])> {
    let owners = Owners::new(table);
    let all = State(0)..State(table.events.len() + 1);
    if let [only] = owners.keys[..] {
        let peak = |counter| totals.peak(&table.counters, counter, all.clone());
        return vec![(only, [peak(Counter::Reserved), peak(Counter::Active)])];
    }
    let [reserved, active] = owners.follow::<Highest>(table);
    let peaks = reserved.into_iter().zip(active);
    let peaks = peaks.map(|(one, other)| [one.finish(), other.finish()]);
    owners.keys.into_iter().zip(peaks).collect()
}

impl PoolCurves {
    /// The curves of `table`.
    pub fn new(table: &DeviceTable) -> Self {
        let owners = Owners::new(table);
        if owners.keys.len() <= 1 {
            return Self { keys: owners.keys, own: Vec::new() };
        }
        let [reserved, active] = owners.follow::<Steps>(table);
        let own = reserved.into_iter().zip(active);
        let own = own.map(|(one, other)| [Curve::new(one), Curve::new(other)]).collect();
        Self { keys: owners.keys, own }
    }

    /// The pools by number, known ones first, then by stream.
    pub fn keys(&self) -> &[PoolKey] {
        &self.keys
    }

    /// Least and most of `counter` of the pool in `row` over `states`, which is clamped to the
    /// recording; of an empty stretch, the value at its start.
    pub fn peak(
        &self,
        (table, totals): (&DeviceTable, &Totals),
        row: usize,
        counter: PoolCounter,
        states: Range<State>,
    ) -> Peak {
        let Some(curves) = self.own.get(row) else {
            let counter = match counter {
                PoolCounter::Reserved => Counter::Reserved,
                PoolCounter::Active => Counter::Active,
            };
            return totals.peak(&table.counters, counter, states);
        };
        let start = states.start.0.min(table.events.len());
        let end = states.end.0.clamp(start + 1, table.events.len() + 1);
        curves[counter as usize].peak(&(State(start)..State(end)))
    }

    /// `counter` of the pool in `row` at `state`.
    pub fn at(
        &self,
        of: (&DeviceTable, &Totals),
        row: usize,
        counter: PoolCounter,
        state: State,
    ) -> u64 {
        self.peak(of, row, counter, state..State(state.0.saturating_add(1))).most
    }
}

/// Which pool each row is of.
struct Owners {
    /// Known pools first.
    keys: Vec<PoolKey>,
    rows: BTreeMap<PoolKey, u32>,
}

impl Owners {
    fn new(table: &DeviceTable) -> Self {
        let segments = table.segments.rows().iter();
        let mut rows: BTreeMap<PoolKey, u32> =
            segments.map(|segment| ((segment.pool, segment.stream), 0)).collect();
        let mut last = None;
        for row in 0..table.blocks.len() as usize {
            let key = block_key(&table.blocks, row);
            // Neighbours mostly are of one pool.
            if last != Some(key) {
                rows.insert(key, 0);
                last = Some(key);
            }
        }
        let mut keys: Vec<PoolKey> = rows.keys().copied().collect();
        keys.sort_by_key(|(pool, stream)| (pool.is_none(), *pool, *stream));
        for (row, key) in keys.iter().enumerate() {
            rows.insert(*key, row as u32);
        }
        Self { keys, rows }
    }

    /// What follows each pool's reserved and active bytes over all states.
    fn follow<F: Change>(&self, table: &DeviceTable) -> [Vec<F>; 2] {
        let (blocks, segments) = (&table.blocks, table.segments.rows());
        let last = table.events.len();
        let owner: Vec<u32> =
            (0..blocks.len() as usize).map(|row| self.rows[&block_key(blocks, row)]).collect();
        let (born, died, size) = (blocks.born(), blocks.died(), blocks.size());
        let active = self.walk(last, &Lives { born, died, size, owner: &owner });
        let born: Vec<u32> = segments.iter().map(|segment| segment.born.0).collect();
        let end = |segment: &Segment| segment.died.map_or(Blocks::NEVER, |state| state.0);
        let died: Vec<u32> = segments.iter().map(end).collect();
        let size: Vec<u64> = segments.iter().map(|segment| segment.size).collect();
        let owner: Vec<u32> =
            segments.iter().map(|segment| self.rows[&(segment.pool, segment.stream)]).collect();
        let lives = Lives { born: &born, died: &died, size: &size, owner: &owner };
        [self.walk(last, &lives), active]
    }

    /// Births are in order; deaths are put in order by counting: one pass over both.
    fn walk<F: Change>(&self, last: u32, lives: &Lives<'_>) -> Vec<F> {
        let ends: Vec<u32> = by_end(lives.died, last);
        let mut followed: Vec<F> = self.keys.iter().map(|_| F::new()).collect();
        let mut ends = ends.into_iter().map(|row| row as usize).peekable();
        let mut end = |followed: &mut Vec<F>, until: u32| {
            while let Some(row) = ends.next_if(|row| lives.died[*row] <= until) {
                let by = lives.size[row].wrapping_neg();
                followed[lives.owner[row] as usize].change(lives.died[row], by);
            }
        };
        for (row, born) in lives.born.iter().enumerate() {
            end(&mut followed, born.saturating_sub(1));
            followed[lives.owner[row] as usize].change(*born, lives.size[row]);
        }
        end(&mut followed, last);
        followed
    }
}

fn block_key(blocks: &Blocks, row: usize) -> PoolKey {
    let pool = blocks.pool()[row];
    ((pool != u16::MAX).then_some(PoolId(pool)), StreamId(blocks.stream()[row]))
}

/// Rows that live for a while, by birth, each of an owner.
struct Lives<'a> {
    born: &'a [u32],
    died: &'a [u32],
    size: &'a [u64],
    owner: &'a [u32],
}

/// The rows that end by `last`, by their end.
fn by_end(died: &[u32], last: u32) -> Vec<u32> {
    let mut starts = vec![0_u32; last as usize + 2];
    for end in died.iter().filter(|end| **end <= last) {
        starts[*end as usize + 1] += 1;
    }
    for state in 1..starts.len() {
        starts[state] += starts[state - 1];
    }
    let mut rows = vec![0; starts.last().copied().unwrap_or(0) as usize];
    for (row, end) in died.iter().enumerate().filter(|(_, end)| **end <= last) {
        let place = &mut starts[*end as usize];
        rows[*place as usize] = row as u32;
        *place += 1;
    }
    rows
}
