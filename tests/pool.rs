//! The pool at every event, against a forward replay that knows nothing of lives.

use proptest::prelude::*;
use sample::{Features, Plan, Rounding};
use session::{Action, BlockId, EventId, Job, OnDevice, PoolState, Session, State};
use std::collections::BTreeMap;

/// What is mapped and what is not free, by address.
#[derive(Debug, Default, PartialEq)]
struct Replay {
    /// Ranges that do not touch: first byte and the byte after the last.
    mapped: BTreeMap<u64, u64>,
    /// Bytes asked for, and whether the free is pending.
    blocks: BTreeMap<u64, (u64, bool)>,
}

impl Replay {
    fn of(on: OnDevice<'_>, pool: &PoolState, state: State) -> Self {
        let mut replay = Self::default();
        for segment in &pool.segments {
            replay.map(segment.addr, segment.size);
        }
        for row in pool.blocks.iter().chain(&pool.outside) {
            let block = on.table().blocks.get(BlockId(*row));
            let is_pending = block.released.is_some_and(|released| released <= state);
            replay.blocks.insert(block.addr, (block.requested, is_pending));
        }
        replay
    }

    fn map(&mut self, addr: u64, size: u64) {
        let (mut from, mut to) = (addr, addr + size);
        if let Some((before, end)) = self.mapped.range(..=from).next_back().map(|(a, b)| (*a, *b))
            && end >= from
        {
            self.mapped.remove(&before);
            (from, to) = (before, to.max(end));
        }
        if let Some(end) = self.mapped.remove(&to) {
            to = end;
        }
        self.mapped.insert(from, to);
    }

    fn unmap(&mut self, addr: u64, size: u64) {
        let to = addr + size;
        let (from, end) = self.mapped.range(..=addr).next_back().map(|(a, b)| (*a, *b)).unwrap();
        assert!(to <= end, "only what is mapped is unmapped");
        self.mapped.remove(&from);
        if from < addr {
            self.mapped.insert(from, addr);
        }
        if to < end {
            self.mapped.insert(to, end);
        }
    }

    fn step(&mut self, on: OnDevice<'_>, event: EventId) {
        let events = &on.table().events;
        let (addr, size) = (events.addr[event.row()], events.size[event.row()]);
        match events.action(event) {
            Action::Alloc => drop(self.blocks.insert(addr, (size, false))),
            Action::FreeRequested => self.blocks.get_mut(&addr).unwrap().1 = true,
            Action::FreeCompleted => drop(self.blocks.remove(&addr).unwrap()),
            Action::SegmentAlloc | Action::SegmentMap => self.map(addr, size),
            Action::SegmentFree | Action::SegmentUnmap => self.unmap(addr, size),
            _ => {}
        }
    }
}

/// Free bytes, gaps and blocks of every segment add up to it.
fn adds_up(pool: &PoolState) {
    for segment in &pool.segments {
        assert_eq!(segment.allocated + segment.pending + segment.free, segment.size);
        assert!(segment.largest_gap <= segment.free);
        assert_eq!(segment.gaps == 0, segment.free == 0);
        assert!(segment.requested <= segment.allocated + segment.pending);
    }
    assert!(pool.outside.is_empty());
}

fn check(plan: &Plan) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pickle");
    sample::write_files(plan, &path).unwrap();
    let session = Session::open(&path, &Job::unwatched()).unwrap();
    for on in session.devices() {
        let start = on.pool(State(0));
        adds_up(&start);
        let mut replay = Replay::of(on, &start, State(0));
        for event in (0..on.table().events.len()).map(EventId) {
            replay.step(on, event);
            let state = State::after(event);
            let pool = on.pool(state);
            adds_up(&pool);
            assert_eq!(Replay::of(on, &pool, state), replay, "right after event {}", event.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_pool_at_every_event_is_what_a_replay_makes_it(
        seed in any::<u64>(),
        expandable in any::<bool>(),
        private_pool in any::<bool>(),
        oom in any::<bool>(),
        pending_at_end in any::<bool>(),
        is_npu in any::<bool>(),
        ring in prop::option::of(500..1_400_u64),
    ) {
        let features = Features { expandable, private_pool, oom, pending_at_end, ring, ..Features::default() };
        let device = if is_npu { Rounding::Npu } else { Rounding::Cuda };
        check(&Plan { seed, device, features, ..Plan::new(1_500) });
    }
}

#[test]
fn parts_of_an_expandable_segment_that_go_before_the_end_join_their_neighbours() {
    let features = Features {
        expandable: true,
        private_pool: true,
        oom: true,
        pending_at_end: true,
        ring: Some(1_073),
        ..Features::default()
    };
    check(&Plan { seed: 45_600, features, ..Plan::new(1_500) });
}
