//! Events of all devices as columns, in the order in which the file has them.

use model::Events;
use std::ops::Range;

/// In the time column: the entry has no time.
const NO_TIME: i64 = i64::MIN;

/// One event as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Code of the action.
    pub(crate) action: u8,
    pub(crate) addr: u64,
    pub(crate) size: u64,
    pub(crate) stream: u16,
    pub(crate) stack: u32,
    pub(crate) time_us: Option<i64>,
    pub(crate) pool: u16,
    pub(crate) note: u32,
}

impl Row {
    /// Nothing said yet.
    pub(crate) const BLANK: Self = Self {
        action: 0,
        addr: 0,
        size: 0,
        stream: 0,
        stack: Events::NO_STACK,
        time_us: None,
        pool: Events::NO_POOL,
        note: 0,
    };
}

/// Events of all devices; columns that nothing fills stay empty.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    action: Vec<u8>,
    addr: Vec<u64>,
    size: Vec<u64>,
    stream: Vec<u16>,
    stack: Vec<u32>,
    time_us: Vec<i64>,
    pool: Vec<u16>,
    note: Vec<u32>,
}

/// Most rows: the last two numbers mean something else in some columns.
const MOST: usize = u32::MAX as usize - 2;

impl Columns {
    /// Rows so far.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.action.len() as u32
    }

    /// Makes room for `rows` rows, so that columns need not move while they grow.
    pub(crate) fn expect(&mut self, rows: usize) {
        let rows = rows.min(MOST);
        let more = rows.saturating_sub(self.action.len());
        self.action.reserve(more);
        self.addr.reserve(more);
        self.size.reserve(more);
        self.stream.reserve(more);
        self.stack.reserve(more);
        if !self.time_us.is_empty() {
            self.time_us.reserve(more);
        }
        if !self.pool.is_empty() {
            self.pool.reserve(more);
        }
    }

    /// Whether there is room for another row.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.action.len() < MOST
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, row: &Row) {
        let at = self.action.len();
        self.action.push(row.action);
        self.addr.push(row.addr);
        self.size.push(row.size);
        self.stream.push(row.stream);
        self.stack.push(row.stack);
        push_rare(&mut self.time_us, at, row.time_us.unwrap_or(NO_TIME), NO_TIME);
        push_rare(&mut self.pool, at, row.pool, Events::NO_POOL);
        push_rare(&mut self.note, at, row.note, 0);
    }

    /// The rows of `ranges`, one range after the other, with the number of times filled in.
    ///
    /// Takes the columns out when they are all of them: no copy.
    pub(crate) fn events(&mut self, ranges: &[Range<u32>]) -> (Events, u64) {
        let is_whole = matches!(ranges, [all] if *all == (0..self.len()));
        let taken = if is_whole { std::mem::take(self) } else { self.copied(ranges) };
        taken.finish()
    }

    fn copied(&self, ranges: &[Range<u32>]) -> Self {
        Self {
            action: gather(&self.action, ranges),
            addr: gather(&self.addr, ranges),
            size: gather(&self.size, ranges),
            stream: gather(&self.stream, ranges),
            stack: gather(&self.stack, ranges),
            time_us: gather(&self.time_us, ranges),
            pool: gather(&self.pool, ranges),
            note: gather(&self.note, ranges),
        }
    }

    fn finish(mut self) -> (Events, u64) {
        self.action.shrink_to_fit();
        self.addr.shrink_to_fit();
        self.size.shrink_to_fit();
        self.stream.shrink_to_fit();
        self.stack.shrink_to_fit();
        self.time_us.shrink_to_fit();
        self.pool.shrink_to_fit();
        self.note.shrink_to_fit();
        let has_time = self.time_us.iter().any(|time| *time != NO_TIME);
        let filled = if has_time { self.fill_times() } else { 0 };
        let has_pool = self.pool.iter().any(|pool| *pool != Events::NO_POOL);
        let has_note = self.note.iter().any(|note| *note != 0);
        let events = Events {
            action: self.action.into(),
            addr: self.addr.into(),
            size: self.size.into(),
            stream: self.stream.into(),
            stack: self.stack.into(),
            time_ns: has_time.then(|| nanoseconds(self.time_us).into()),
            pool: has_pool.then(|| self.pool.into()),
            note: has_note.then(|| self.note.into()),
        };
        (events, filled)
    }

    /// Gives entries without a time that of the entry before, or of the first that has one.
    fn fill_times(&mut self) -> u64 {
        let first = self.time_us.iter().copied().find(|time| *time != NO_TIME);
        let mut last = first.unwrap_or_default();
        let mut filled = 0;
        for time in &mut self.time_us {
            if *time == NO_TIME {
                *time = last;
                filled += 1;
            }
            last = *time;
        }
        filled
    }
}

/// Nanoseconds of microseconds; where there would be too many, as many as there can be.
fn nanoseconds(mut times: Vec<i64>) -> Vec<i64> {
    for time in &mut times {
        *time = time.saturating_mul(1_000);
    }
    times
}

/// Adds to a column that begins only with the first value that says something.
#[inline]
fn push_rare<T: Copy + PartialEq>(column: &mut Vec<T>, at: usize, value: T, nothing: T) {
    if column.len() == at && at > 0 {
        column.push(value);
    } else if value != nothing {
        column.resize(at, nothing);
        column.push(value);
    }
}

/// A column has all rows or none.
fn gather<T: Copy>(column: &[T], ranges: &[Range<u32>]) -> Vec<T> {
    let mut all = Vec::new();
    if column.is_empty() {
        return all;
    }
    for range in ranges {
        all.extend_from_slice(&column[range.start as usize..range.end as usize]);
    }
    all
}
