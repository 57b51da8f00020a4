//! Least and most of the running totals over any stretch of states.

use job::{Cancelled, Job};
use model::{Column, Counter, Counters, State};
use std::ops::Range;

/// States a leaf of the pyramid covers.
const LEAF: usize = 64;
/// Children of a node.
const FAN: usize = 16;

/// Least and most value of a stretch, and where the most is first reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peak {
    /// Smallest value.
    pub least: u64,
    /// Largest value.
    pub most: u64,
    /// First state that has it.
    pub at: State,
}

impl Peak {
    fn of(values: &[u64], offset: usize) -> Self {
        let mut peak = Self { least: values[0], most: values[0], at: State(offset as u32) };
        for (row, value) in values.iter().enumerate().skip(1) {
            peak.least = peak.least.min(*value);
            if *value > peak.most {
                peak.most = *value;
                peak.at = State((offset + row) as u32);
            }
        }
        peak
    }

    fn join(self, later: Self) -> Self {
        let (most, at) =
            if later.most > self.most { (later.most, later.at) } else { (self.most, self.at) };
        Self { least: self.least.min(later.least), most, at }
    }
}

/// A pyramid over one counter: level 0 summarises [`LEAF`] states a node, each further level
/// [`FAN`] nodes of the one below.
#[derive(Debug, Clone)]
pub struct Pyramid {
    levels: Vec<PyramidLevel>,
}

/// One level of a [`Pyramid`]: a [`Peak`] a node, as columns of equal length.
#[derive(Debug, Clone, Default)]
pub struct PyramidLevel {
    /// See [`Peak::least`].
    pub least: Column<u64>,
    /// See [`Peak::most`].
    pub most: Column<u64>,
    /// See [`Peak::at`].
    pub at: Column<u32>,
}

impl PyramidLevel {
    fn of(peaks: &[Peak]) -> Self {
        Self {
            least: peaks.iter().map(|peak| peak.least).collect(),
            most: peaks.iter().map(|peak| peak.most).collect(),
            at: peaks.iter().map(|peak| peak.at.0).collect(),
        }
    }

    /// Over `nodes`, not empty.
    fn peak(&self, nodes: Range<usize>) -> Peak {
        let peaks = nodes.map(|node| Peak {
            least: self.least[node],
            most: self.most[node],
            at: State(self.at[node]),
        });
        peaks.reduce(Peak::join).expect("not empty")
    }
}

impl Pyramid {
    /// Summarises `values`.
    pub(crate) fn new(values: &[u64]) -> Self {
        let mut level: Vec<Peak> = values
            .chunks(LEAF)
            .enumerate()
            .map(|(chunk, values)| Peak::of(values, chunk * LEAF))
            .collect();
        let mut levels = vec![PyramidLevel::of(&level)];
        while level.len() > 1 {
            level = level
                .chunks(FAN)
                .filter_map(|nodes| nodes.iter().copied().reduce(Peak::join))
                .collect();
            levels.push(PyramidLevel::of(&level));
        }
        Self { levels }
    }

    /// The pyramid that has `levels`; `None` when there is none of so many over `count` values, or
    /// a node's most is not where it looks.
    pub fn from_levels(levels: Vec<PyramidLevel>, count: usize) -> Option<Self> {
        let (mut nodes, mut span) = (count.div_ceil(LEAF), LEAF);
        for (at, level) in levels.iter().enumerate() {
            if [level.least.len(), level.most.len(), level.at.len()] != [nodes; 3] {
                return None;
            }
            let is_own = |(node, at): (usize, &u32)| {
                let (from, at) = (node * span, *at as usize);
                from <= at && at < (from + span).min(count)
            };
            if !level.at.iter().enumerate().all(is_own) {
                return None;
            }
            span = span.saturating_mul(FAN);
            if nodes <= 1 {
                return (at + 1 == levels.len()).then_some(Self { levels });
            }
            nodes = nodes.div_ceil(FAN);
        }
        None
    }

    /// From the broadest to the narrowest.
    pub fn levels(&self) -> &[PyramidLevel] {
        &self.levels
    }

    /// Over `range`, which must not be empty.
    pub(crate) fn peak(&self, values: &Column<u64>, range: Range<usize>) -> Peak {
        let (first, last) = (range.start.div_ceil(LEAF), range.end / LEAF);
        if first >= last {
            return flat(values, range);
        }
        let mut found =
            (range.start < first * LEAF).then(|| flat(values, range.start..first * LEAF));
        let middle = self.nodes(0, first..last);
        found = Some(found.map_or(middle, |left| left.join(middle)));
        if last * LEAF < range.end {
            let right = flat(values, last * LEAF..range.end);
            found = found.map(|left| left.join(right));
        }
        found.expect("a range that is not empty has a peak")
    }

    /// Over nodes `range` of `level`, not empty.
    fn nodes(&self, level: usize, range: Range<usize>) -> Peak {
        let row = &self.levels[level];
        let (first, last) = (range.start.div_ceil(FAN), range.end / FAN);
        if first >= last || level + 1 >= self.levels.len() {
            return row.peak(range);
        }
        let mut found = self.nodes(level + 1, first..last);
        if range.start < first * FAN {
            found = row.peak(range.start..first * FAN).join(found);
        }
        if last * FAN < range.end {
            found = found.join(row.peak(last * FAN..range.end));
        }
        found
    }
}

/// Over `range`, not empty and less than two leaves long, of values that may be packed.
fn flat(values: &Column<u64>, range: Range<usize>) -> Peak {
    if let Some(plain) = values.plain() {
        return Peak::of(&plain[range.clone()], range.start);
    }
    let mut unpacked = [0; 2 * LEAF];
    let unpacked = &mut unpacked[..range.len()];
    values.copy(range.start, unpacked);
    Peak::of(unpacked, range.start)
}

/// Least and most of the three totals over any stretch of states.
#[derive(Debug, Clone)]
pub struct Totals {
    allocated: Pyramid,
    active: Pyramid,
    reserved: Pyramid,
}

impl Totals {
    /// Summarises `counters`.
    pub fn new(counters: &Counters, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let build = |counter| Pyramid::new(counters.column(counter));
        let (allocated, (active, reserved)) = rayon::join(
            || build(Counter::Allocated),
            || rayon::join(|| build(Counter::Active), || build(Counter::Reserved)),
        );
        Ok(Self { allocated, active, reserved })
    }

    /// What [`Totals::of_pyramids`] takes.
    pub fn pyramids(&self) -> [&Pyramid; 3] {
        [&self.allocated, &self.active, &self.reserved]
    }

    /// The totals of pyramids over allocated, active and reserved bytes.
    pub fn of_pyramids([allocated, active, reserved]: [Pyramid; 3]) -> Self {
        Self { allocated, active, reserved }
    }

    /// Least and most of `counter` over `states`, which is clamped to the recording; of an empty
    /// stretch, the value at its start.
    pub fn peak(&self, counters: &Counters, counter: Counter, states: Range<State>) -> Peak {
        let values = counters.column(counter);
        let start = (states.start.0 as usize).min(values.len() - 1);
        let end = (states.end.0 as usize).clamp(start + 1, values.len());
        let pyramid = match counter {
            Counter::Allocated => &self.allocated,
            Counter::Active => &self.active,
            Counter::Reserved => &self.reserved,
        };
        pyramid.peak(values, start..end)
    }
}
