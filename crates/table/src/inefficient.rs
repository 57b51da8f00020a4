//! Blocks that hold memory long before, long after or long between their uses.

use model::{Blocks, DeviceTable, DumpRows, Track};

/// When a stretch without use is too long; the parts that are set are each enough.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Threshold {
    /// More than this many nanoseconds; `None` and 0: never.
    pub ns: Option<i64>,
    /// More than this share of the block's own life, in percent; `None`, 0 and 100: never.
    pub percent: Option<f64>,
}

impl Threshold {
    /// Whether it can be exceeded at all.
    pub fn is_on(&self) -> bool {
        self.limit_ns().is_some() || self.limit_share().is_some()
    }

    /// Whether `part_ns` of a life of `life_ns` is more than it allows.
    pub fn is_exceeded(&self, part_ns: i64, life_ns: i64) -> bool {
        let is_long = self.limit_ns().is_some_and(|limit| part_ns > limit);
        let is_large_share = |share: i128| {
            i128::from(part_ns) * (100 * SHARES) > share.saturating_mul(i128::from(life_ns))
        };
        is_long || self.limit_share().is_some_and(is_large_share)
    }

    fn limit_ns(&self) -> Option<i64> {
        self.ns.filter(|ns| *ns > 0)
    }

    /// In parts of a percent, so that a share of exactly the limit is never more than it.
    fn limit_share(&self) -> Option<i128> {
        let percent = self.percent.filter(|percent| *percent > 0.0 && *percent < 100.0)?;
        Some((percent * SHARES as f64).round() as i128).filter(|share| *share > 0)
    }
}

/// Parts of a percent that a threshold can tell apart.
const SHARES: i128 = 1_000_000;

/// What counts as inefficient; nothing does until a threshold is set.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thresholds {
    /// From its allocation to its first access.
    pub lazy: Threshold,
    /// From its last access to its free.
    pub delayed: Threshold,
    /// Between two consecutive accesses.
    pub idle: Threshold,
}

impl Thresholds {
    /// Whether any block can be inefficient.
    pub fn are_on(&self) -> bool {
        [self.lazy, self.delayed, self.idle].iter().any(Threshold::is_on)
    }
}

/// A way to hold memory without using it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Inefficiency {
    /// Allocated early.
    LazyUsed = 0,
    /// Freed late.
    DelayedFree = 1,
    /// Idle for long.
    LongIdle = 2,
}

impl Inefficiency {
    /// All, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::LazyUsed, Self::DelayedFree, Self::LongIdle];

    /// What the attributes of a block call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LazyUsed => "lazy_used",
            Self::DelayedFree => "delayed_free",
            Self::LongIdle => "long_idle",
        }
    }

    /// What the tag in its row says.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::LazyUsed => "early-alloc",
            Self::DelayedFree => "late-free",
            Self::LongIdle => "idle",
        }
    }
}

/// Which inefficiencies a block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Flags(u8);

impl Flags {
    /// How many different ones there are.
    pub(crate) const COUNT: usize = 8;

    /// By a number below [`Flags::COUNT`].
    pub(crate) const fn of(bits: usize) -> Self {
        Self(bits as u8)
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Whether `one` is among them.
    pub const fn has(self, one: Inefficiency) -> bool {
        self.0 >> one as u8 & 1 == 1
    }

    /// Whether there is none.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Those there are.
    pub fn iter(self) -> impl Iterator<Item = Inefficiency> {
        Inefficiency::ALL.into_iter().filter(move |one| self.has(*one))
    }

    /// `lazy_used, long_idle`.
    pub fn names(self) -> String {
        self.iter().map(Inefficiency::name).collect::<Vec<_>>().join(", ")
    }
}

/// When a block was there and used, nanoseconds since the recording's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// When it was allocated; 0 when that is not in the recording.
    pub start_ns: i64,
    /// When it was freed; the recording's end when it was not.
    pub end_ns: i64,
    /// Its first and last access; `None` when none is recorded.
    pub accessed_ns: Option<(i64, i64)>,
    /// The longest time between two consecutive accesses; 0 with fewer than two.
    pub gap_ns: i64,
}

impl Use {
    /// Of `block` in `table`, which has a `track` of the dump whose rows are `rows`.
    pub fn of(table: &DeviceTable, track: &Track, rows: &DumpRows, block: usize) -> Self {
        let row_ns = |row: u32| (row != Track::NO_ROW).then(|| rows.time_ns[row as usize]);
        let state_ns = |state: u32| {
            let event = state.checked_sub(1)? as usize;
            table.events.time_ns.as_ref()?.get(event).copied()
        };
        let start_ns = row_ns(track.malloc_row[block])
            .or_else(|| state_ns(table.blocks.born()[block]))
            .unwrap_or(0);
        let died = table.blocks.died()[block];
        let end_ns = row_ns(track.free_row[block])
            .or_else(|| if died == Blocks::NEVER { None } else { state_ns(died) })
            .unwrap_or(track.end_ns);
        Self {
            start_ns,
            end_ns,
            accessed_ns: track.access_span_ns(rows, block),
            gap_ns: track.longest_gap_ns[block],
        }
    }

    /// How long it was there.
    pub fn life_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// For how long it was there in vain, should `one` be true of it.
    pub fn unused_ns(&self, one: Inefficiency) -> i64 {
        match (one, self.accessed_ns) {
            (Inefficiency::LongIdle, _) => self.gap_ns,
            (_, None) => 0,
            (Inefficiency::LazyUsed, Some((first, _))) => first.saturating_sub(self.start_ns),
            (Inefficiency::DelayedFree, Some((_, last))) => self.end_ns.saturating_sub(last),
        }
    }

    /// What `thresholds` make of it.
    pub fn flags(&self, thresholds: &Thresholds) -> Flags {
        let Some((first, last)) = self.accessed_ns else { return Flags::default() };
        let life = self.life_ns();
        let exceeds = |threshold: &Threshold, one| threshold.is_exceeded(self.unused_ns(one), life);
        let lazy = first > self.start_ns && exceeds(&thresholds.lazy, Inefficiency::LazyUsed);
        let delayed =
            last > self.start_ns && exceeds(&thresholds.delayed, Inefficiency::DelayedFree);
        let idle = self.gap_ns > 0 && exceeds(&thresholds.idle, Inefficiency::LongIdle);
        Flags(u8::from(lazy) | u8::from(delayed) << 1 | u8::from(idle) << 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(ns: i64) -> Threshold {
        Threshold { ns: Some(ns), percent: None }
    }

    fn percent(percent: f64) -> Threshold {
        Threshold { ns: None, percent: Some(percent) }
    }

    /// There from 100 to 1100, used at 150, 350 and 1000.
    const USED: Use =
        Use { start_ns: 100, end_ns: 1100, accessed_ns: Some((150, 1000)), gap_ns: 650 };

    fn names(used: Use, lazy: Threshold, delayed: Threshold, idle: Threshold) -> String {
        used.flags(&Thresholds { lazy, delayed, idle }).names()
    }

    #[test]
    fn only_more_than_a_threshold_counts() {
        let off = Threshold::default();
        assert_eq!(names(USED, ns(49), ns(99), ns(649)), "lazy_used, delayed_free, long_idle");
        assert_eq!(names(USED, ns(50), ns(100), ns(650)), "");
        // 50, 100 and 650 of 1000.
        assert_eq!(names(USED, percent(5.0), percent(10.0), percent(65.0)), "");
        assert_eq!(names(USED, percent(4.999_999), off, percent(64.9)), "lazy_used, long_idle");
        // Either part is enough.
        let either = Threshold { ns: Some(1_000_000), percent: Some(9.0) };
        assert_eq!(names(USED, off, either, off), "delayed_free");
    }

    #[test]
    fn nothing_counts_until_something_is_set() {
        let off = [
            Threshold::default(),
            ns(0),
            ns(-5),
            percent(0.0),
            percent(100.0),
            percent(f64::NAN),
            percent(1e-9),
        ];
        for off in off {
            assert!(!off.is_on());
            assert_eq!(names(USED, off, off, off), "");
        }
        assert!(ns(1).is_on() && percent(0.5).is_on());
    }

    #[test]
    fn a_block_that_was_never_used_or_at_once_says_nothing() {
        let small = ns(1);
        let never = Use { accessed_ns: None, gap_ns: 0, ..USED };
        assert_eq!(names(never, small, small, small), "");
        // Its only access was at its allocation: the late free is not told apart from no use.
        let at_once = Use { accessed_ns: Some((100, 100)), gap_ns: 0, ..USED };
        assert_eq!(names(at_once, small, small, small), "");
        let once = Use { accessed_ns: Some((101, 101)), gap_ns: 0, ..USED };
        assert_eq!(names(once, small, small, small), "delayed_free");
    }

    #[test]
    fn what_is_held_in_vain_is_told_apart() {
        let unused = Inefficiency::ALL.map(|one| USED.unused_ns(one));
        assert_eq!(unused, [50, 100, 650]);
    }
}
