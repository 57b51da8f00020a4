//! What one device did, in numbers.

use crate::{Amount, OnDevice, annotations::profiler_step};
use index::{Lives, PoolKey, pool_peaks};
use model::{
    Action, Annotation, AnnotationKind, Block, BlockId, Blocks, Counter, DeviceTable, Events,
    Origin, Pool, Segment, StackId, State,
};
use std::collections::BTreeMap;

/// A largest value and when it is first reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peak {
    /// Bytes.
    pub bytes: u64,
    /// First state that has it.
    pub at: State,
    /// When that state's event happened, nanoseconds since the recording's zero.
    pub time_ns: Option<i64>,
}

/// One pool on one stream: what it has at the end of the recording, and had at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// `None` when nothing says.
    pub pool: Option<Pool>,
    /// Raw stream handle.
    pub stream: u64,
    /// Segments; one of an expandable pool counts once however often it grew.
    pub segments: u32,
    /// Bytes in them.
    pub reserved: u64,
    /// Bytes in blocks that are not free.
    pub active: u64,
    /// Most bytes in segments.
    pub peak_reserved: Peak,
    /// Most bytes in blocks that are not free.
    pub peak_active: Peak,
}

/// What one device did, in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceSummary {
    /// Events by kind, only kinds that occur, in the order of [`Action::code`].
    pub actions: Vec<(Action, u32)>,
    /// Blocks there before the first event of which the trace knows only the free.
    pub blocks_before: u32,
    /// Blocks there from the start to the end without any event.
    pub blocks_ghost: u32,
    /// Largest totals, by [`Counter`]: allocated, active, reserved.
    pub peak: [Peak; 3],
    /// Largest sum of requested bytes of active blocks.
    pub peak_requested: Peak,
    /// Totals before the first event, by [`Counter`].
    pub start: [u64; 3],
    /// Totals after the last event, by [`Counter`].
    pub end: [u64; 3],
    /// Blocks active before the first event: allocated, or pending.
    pub start_live: Amount,
    /// Blocks active after the last event: allocated, or pending.
    pub end_active: Amount,
    /// Pools that ever had memory, sorted by pool, then stream; unknown ones last.
    pub pools: Vec<PoolUse>,
    /// Named ranges.
    pub annotations: u32,
    /// Of them, steps of the profiler or of the recorder.
    pub steps: u32,
    /// Block and segment events without a stack: none recorded, or an empty one.
    pub events_without_stack: u32,
}

/// The three running totals in the order answers list them.
pub(crate) const COUNTERS: [Counter; 3] = [Counter::Allocated, Counter::Active, Counter::Reserved];

impl DeviceSummary {
    pub(crate) fn new(device: OnDevice<'_>) -> Self {
        let table = device.table();
        let (first, last) = (State(0), device.last_state());
        let at_start = Lives::born_by(table.blocks.born(), first);
        let of_origin = |origin| {
            let rows = (0..at_start).map(|row| table.blocks.get(BlockId(row as u32)));
            rows.filter(|block: &Block| block.origin == origin).count() as u32
        };
        let is_step = |range: &&Annotation| {
            let name = device.session.recording().text(range.name);
            range.kind == AnnotationKind::Step || profiler_step(name).is_some()
        };
        Self {
            actions: actions(&table.events),
            blocks_before: of_origin(Origin::BeforeRecording),
            blocks_ghost: of_origin(Origin::Ghost),
            peak: COUNTERS.map(|counter| {
                let at = device.peak_state(counter);
                Peak { bytes: table.counters.at(counter, at), at, time_ns: device.time_ns(at) }
            }),
            peak_requested: peak_requested(device),
            start: COUNTERS.map(|counter| table.counters.at(counter, first)),
            end: COUNTERS.map(|counter| table.counters.at(counter, last)),
            start_live: amount(&table.blocks, |row| {
                row < at_start && table.blocks.died()[row] > first.0
            }),
            end_active: amount(&table.blocks, |row| table.blocks.died()[row] == Blocks::NEVER),
            pools: pools(device),
            annotations: device.annotations().count() as u32,
            steps: device.annotations().filter(is_step).count() as u32,
            events_without_stack: without_stack(table),
        }
    }
}

fn actions(events: &Events) -> Vec<(Action, u32)> {
    let mut counts = [0_u32; 256];
    for code in &events.action {
        counts[usize::from(*code)] += 1;
    }
    let counted = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    counted.map(|(code, count)| (Action::from_code(code as u8), count)).collect()
}

fn amount(blocks: &Blocks, is_meant: impl Fn(usize) -> bool) -> Amount {
    let mut amount = Amount::default();
    for row in (0..blocks.len() as usize).filter(|row| is_meant(*row)) {
        amount.add(blocks, row);
    }
    amount
}

/// Blocks are sorted by birth, so only what ends has to be sorted out: one sum a state.
fn peak_requested(device: OnDevice<'_>) -> Peak {
    let blocks = &device.table().blocks;
    let mut ended = vec![0_u64; device.last_state().0 as usize + 1];
    for (row, died) in blocks.died().iter().enumerate() {
        if let Some(sum) = ended.get_mut(*died as usize) {
            *sum = sum.wrapping_add(blocks.requested()[row]);
        }
    }
    let mut born = blocks.born().iter().zip(blocks.requested()).peekable();
    let (mut now, mut best) = (0_u64, Peak { bytes: 0, at: State(0), time_ns: None });
    for (state, ended) in ended.iter().enumerate() {
        while let Some((_, requested)) = born.next_if(|(born, _)| **born as usize <= state) {
            now = now.wrapping_add(*requested);
        }
        now = now.wrapping_sub(*ended);
        if now > best.bytes {
            best = Peak { bytes: now, at: State(state as u32), time_ns: None };
        }
    }
    Peak { time_ns: device.time_ns(best.at), ..best }
}

fn without_stack(table: &DeviceTable) -> u32 {
    let events = &table.events;
    let empty = StackId(0).0;
    let is_missing = |(code, stack): &(&u8, &u32)| {
        (**stack == Events::NO_STACK || **stack == empty) && has_stack(Action::from_code(**code))
    };
    events.action.iter().zip(events.stack.iter()).filter(is_missing).count() as u32
}

/// Whether entries of this kind are recorded with the stack of who caused them.
fn has_stack(action: Action) -> bool {
    match action {
        Action::Alloc
        | Action::FreeRequested
        | Action::FreeCompleted
        | Action::SegmentAlloc
        | Action::SegmentFree
        | Action::SegmentMap
        | Action::SegmentUnmap
        | Action::Oom => true,
        Action::Snapshot
        | Action::Annotate
        | Action::UserDefined
        | Action::WorkspaceSnapshot
        | Action::Other(_) => false,
    }
}

fn pools(device: OnDevice<'_>) -> Vec<PoolUse> {
    let (table, recording) = (device.table(), device.session.recording());
    let mut segments: Vec<&Segment> =
        table.segments.rows().iter().filter(|segment| segment.died.is_none()).collect();
    segments.sort_by_key(|segment| segment.addr);
    let mut found: BTreeMap<PoolKey, (u32, u64, u64)> = BTreeMap::new();
    let mut before: Option<&Segment> = None;
    for segment in segments {
        let use_of = found.entry((segment.pool, segment.stream)).or_default();
        use_of.0 += u32::from(before.is_none_or(|before| !continues(before, segment)));
        use_of.1 = use_of.1.saturating_add(segment.size);
        before = Some(segment);
    }
    for row in
        (0..table.blocks.len()).filter(|row| table.blocks.died()[*row as usize] == Blocks::NEVER)
    {
        let block = table.blocks.get(BlockId(row));
        let use_of = found.entry((block.pool, block.stream)).or_default();
        use_of.2 = use_of.2.saturating_add(block.size);
    }
    let peak = |peak: index::Peak| Peak {
        bytes: peak.most,
        at: peak.at,
        time_ns: device.time_ns(peak.at),
    };
    let shown = |(key, [reserved, active]): (PoolKey, [index::Peak; 2])| {
        let at_end = found.get(&key).copied().unwrap_or_default();
        PoolUse {
            pool: key.0.map(|pool| recording.pool(pool)),
            stream: recording.stream(key.1),
            segments: at_end.0,
            reserved: at_end.1,
            active: at_end.2,
            peak_reserved: peak(reserved),
            peak_active: peak(active),
        }
    };
    let mut uses: Vec<PoolUse> =
        pool_peaks(table, &device.index().totals).into_iter().map(shown).collect();
    uses.sort_by_key(|pool| (pool.pool.is_none(), pool.pool, pool.stream));
    uses
}

/// Whether `segment` is a further growth of the expandable segment that `before` belongs to.
fn continues(before: &Segment, segment: &Segment) -> bool {
    before.is_expandable
        && segment.is_expandable
        && before.addr.checked_add(before.size) == Some(segment.addr)
        && (before.pool, before.stream, before.kind) == (segment.pool, segment.stream, segment.kind)
}
