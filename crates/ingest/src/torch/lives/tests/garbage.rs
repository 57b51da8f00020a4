//! Files that make no sense: nothing panics, and the end is what the final segments say.

use super::allocator::{Allocator, Setup};
use super::notation::{Trace, derived_from};
use crate::Warnings;
use crate::torch::lives::{Rules, derive, size_check};
use crate::torch::raw::{BlockState, RawBlock, RawDevice, RawSegment};
use job::{Cancelled, Job};
use model::{
    Action, BlockId, Device, DeviceTable, Events, Family, PoolId, SegmentKind, Settings, StreamId,
    Warning,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Addresses that meet, and some at the end of the address space.
fn addr() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => (0u64..24).prop_map(|at| 0x20_0000 + at * 0x200),
        1 => any::<u64>(),
        1 => (0u64..4).prop_map(|at| u64::MAX - at * 0x100),
    ]
}

fn size() -> impl Strategy<Value = u64> {
    prop_oneof![8 => (0u64..8).prop_map(|at| at * 0x200), 1 => any::<u64>(), 1 => 0u64..3000]
}

fn trace() -> impl Strategy<Value = Vec<(u8, u64, u64)>> {
    prop::collection::vec((0u8..13, addr(), size()), 0..40)
}

fn events(rows: &[(u8, u64, u64)]) -> Events {
    let mut trace = Trace::default();
    for (code, addr, size) in rows {
        if Action::from_code(*code) == Action::WorkspaceSnapshot {
            trace.push(Action::WorkspaceSnapshot, *addr, *size);
            trace.push(Action::SegmentAlloc, *addr, *size);
            trace.push(Action::Alloc, *addr, *size);
        } else {
            trace.push(Action::from_code(*code), *addr, *size);
        }
    }
    trace.events()
}

/// Segments as a reader gives them: sorted, with blocks that need not fit.
fn finals() -> impl Strategy<Value = (Vec<RawSegment>, Vec<RawBlock>)> {
    let block = (addr(), size(), 0u8..3, prop::option::of(size()));
    let segment = (addr(), size(), any::<bool>(), prop::collection::vec(block, 0..4));
    prop::collection::vec(segment, 0..5).prop_map(|mut drafts| {
        drafts.sort();
        let (mut segments, mut blocks) = (Vec::new(), Vec::new());
        for (addr, size, is_expandable, own) in drafts {
            let first = blocks.len() as u32;
            blocks.extend(own.into_iter().map(|(addr, size, state, requested)| RawBlock {
                addr,
                size,
                requested,
                state: [BlockState::Allocated, BlockState::PendingFree, BlockState::Inactive]
                    [usize::from(state)],
                stack: None,
            }));
            segments.push(RawSegment {
                addr,
                size,
                stream: StreamId(0),
                pool: Some(PoolId(0)),
                kind: if size > 0x800 { SegmentKind::Large } else { SegmentKind::Small },
                is_expandable,
                stack: None,
                blocks: (first, blocks.len() as u32),
            });
        }
        (segments, blocks)
    })
}

/// Bytes that the segments cover together.
fn union(segments: &[RawSegment]) -> u64 {
    let mut to = 0;
    let mut sum = 0;
    for segment in segments {
        let end = segment.addr.saturating_add(segment.size);
        sum += end.saturating_sub(segment.addr.max(to));
        to = to.max(end);
    }
    sum
}

fn check(raw: RawDevice, family: Family) -> Result<(DeviceTable, Vec<Warning>), TestCaseError> {
    let reserved = union(&raw.segments);
    let mut to = 0;
    let mut active = 0u64;
    for block in &raw.blocks {
        if block.state != BlockState::Inactive && block.size > 0 && block.addr >= to {
            to = block.addr.saturating_add(block.size);
            active = active.wrapping_add(block.size);
        }
    }
    let events = raw.events.len() as usize;
    let settings = Settings::default();
    let (table, warnings) = derived_from(raw, family, &settings);
    prop_assert_eq!(table.block_of_event.len(), events);
    prop_assert_eq!(table.counters.active.len(), events + 1);
    prop_assert_eq!(table.counters.reserved[events], reserved);
    let workspaces: u64 = (0..table.blocks.len())
        .map(|row| table.blocks.get(BlockId(row)))
        .filter(|block| block.origin == model::Origin::Workspace)
        .map(|block| block.size)
        .sum();
    prop_assert_eq!(table.counters.active[events], active.wrapping_add(workspaces));
    size_check(&table, &Rules { family, settings: &settings });
    Ok((table, warnings))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn nonsense_ends_as_the_final_segments_say(trace in trace(), finals in finals()) {
        let (segments, blocks) = finals;
        let device = Device::Accelerator(0);
        check(RawDevice { device, events: events(&trace), segments, blocks }, Family::Npu)?;
    }

    #[test]
    fn traces_with_holes_end_as_the_final_segments_say(
        is_expandable in any::<bool>(),
        steps in prop::collection::vec((0u8..17, any::<u64>()), 0..120),
        skipped in 0u8..128,
        lost in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let setup =
            Setup { is_npu: false, is_expandable, max_split: None, base: 1 << 40, gap: 2 << 20 };
        let mut allocator = Allocator::new(setup);
        for (what, arg) in steps {
            allocator.step(what, arg);
        }
        let (mut raw, _) = allocator.written();
        let rows = 0..raw.events.len() as usize;
        let lost: Vec<usize> =
            lost.into_iter().filter(|_| !rows.is_empty()).map(|at| at.index(rows.len())).collect();
        let kept = rows.filter(|row| {
            let code = raw.events.action[*row];
            (code > 6 || skipped >> code & 1 == 0) && !lost.contains(row)
        });
        let column = |row: usize| (raw.events.action[row], raw.events.addr[row], raw.events.size[row]);
        let kept: Vec<_> = kept.map(column).collect();
        raw.events = events(&kept);
        let (table, warnings) = check(raw, Family::Cuda)?;
        let is_told = |words| warnings.iter().any(|it| it.message.contains(words));
        // A block without an allocation may span pieces of an expandable segment that are mapped
        // one after the other; it is as old as the first.
        let is_sound = !is_told("where another one still is") && !is_told("in no known segment");
        if is_sound && !is_expandable {
            for state in 0..table.counters.active.len() {
                let active = table.counters.active[state];
                prop_assert!(table.counters.allocated[state] <= active);
                prop_assert!(active <= table.counters.reserved[state], "at state {}", state);
            }
        }
    }
}

#[test]
fn a_cancelled_job_gives_nothing() {
    let raw = || RawDevice {
        device: Device::Host,
        events: events(&[(0, 512, 512)]),
        segments: vec![],
        blocks: vec![],
    };
    let settings = Settings::default();
    let rules = Rules { family: Family::Xpu, settings: &settings };
    let job = Job::unwatched();
    assert!(derive(raw(), &rules, &Warnings::default(), &job).is_ok());
    job.cancel();
    let cancelled = derive(raw(), &rules, &Warnings::default(), &job);
    assert_eq!(cancelled.err(), Some(Cancelled));
}
