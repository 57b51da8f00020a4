use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const STACK: StackId = StackId(0);

/// Keeps every event.
#[derive(Default)]
struct Log(Vec<Event>);

impl Observer for Log {
    fn begin(&mut self, _: Totals, _: &Blocks) {}

    fn event(&mut self, event: &Event, totals: Totals, blocks: &Blocks) -> io::Result<()> {
        let sum = |of: fn(&Block) -> bool| {
            blocks
                .iter()
                .map(|(_, block)| block)
                .filter(|block| of(block))
                .map(|block| block.size)
                .sum::<u64>()
        };
        assert_eq!(totals.allocated, sum(|block| block.state == State::Allocated));
        assert_eq!(totals.active, sum(Block::is_active));
        self.0.push(*event);
        Ok(())
    }
}

fn settings() -> Settings {
    Settings {
        rounding: Rounding::Cuda,
        divisions: 0,
        max_split_size: u64::MAX,
        growth: Growth::Segments,
        capacity: 200 * MIB,
    }
}

fn allocator(settings: Settings) -> (Allocator, Log) {
    let mut allocator = Allocator::new(settings);
    allocator.recording = Recording::On;
    (allocator, Log::default())
}

fn request(bytes: u64) -> Request {
    Request { bytes, stream: 0, pool: DEFAULT_POOL, stack: STACK }
}

/// What must hold between any two calls.
fn check(allocator: &Allocator) {
    let blocks = &allocator.blocks;
    let mut free = BTreeSet::new();
    let mut unmapped = BTreeSet::new();
    let mut ranges = Vec::new();
    for (id, block) in blocks.iter() {
        if let Some(next) = block.next.map(|next| &blocks[next]) {
            assert_eq!(next.prev, Some(id));
            assert_eq!(block.address + block.size, next.address, "blocks tile");
            let both_free = !block.is_active() && !next.is_active();
            assert!(
                !both_free || block.origin.is_mapped() != next.origin.is_mapped(),
                "neighbours are merged"
            );
        }
        assert!(block.size > 0 && block.size.is_multiple_of(MIN_BLOCK));
        assert!(!block.is_active() || (block.origin.is_mapped() && block.requested <= block.size));
        ranges.push((block.address, block.size));
        match (block.is_active(), block.origin.is_mapped()) {
            (true, _) => {}
            (false, true) => drop(free.insert(id)),
            (false, false) => drop(unmapped.insert(id)),
        }
    }
    ranges.sort_unstable();
    assert!(
        ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0),
        "blocks do not overlap"
    );
    let listed = allocator.pools.iter().flat_map(|pool| pool.free.iter().map(|key| key.3));
    assert_eq!(listed.collect::<BTreeSet<_>>(), free);
    let listed = allocator.pools.iter().flat_map(|pool| pool.unmapped.iter().map(|key| key.2));
    assert_eq!(listed.collect::<BTreeSet<_>>(), unmapped);
    let mapped =
        blocks.iter().filter(|(_, block)| block.origin.is_mapped()).map(|(_, block)| block.size);
    assert_eq!(mapped.sum::<u64>(), allocator.totals.reserved);
    let asked =
        blocks.iter().filter(|(_, block)| block.is_active()).map(|(_, block)| block.requested);
    assert_eq!(asked.sum::<u64>(), allocator.totals.requested);
    let segments: u64 =
        blocks.segments().iter().flat_map(|&head| blocks.run(head)).map(|block| block.size).sum();
    assert_eq!(segments, allocator.totals.reserved, "the final segments hold everything");
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Malloc { bytes: u64, stream: u64, pool: u32 },
    Free(usize),
    FreeLater(usize, u64),
    EmptyCache,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![1u64..4096, 4096u64..(2 << 20), (1u64 << 20)..(40 << 20)];
    let step = prop_oneof![
        6 => (bytes, 0u64..2, 0u32..2).prop_map(|(bytes, stream, pool)| Step::Malloc { bytes, stream, pool }),
        4 => any::<usize>().prop_map(Step::Free),
        1 => (any::<usize>(), 0u64..20).prop_map(|(index, calls)| Step::FreeLater(index, calls)),
        1 => Just(Step::EmptyCache),
    ];
    prop::collection::vec(step, 0..120)
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let growth = prop_oneof![Just(Growth::Segments), Just(Growth::Expandable)];
    let limit = prop_oneof![Just(u64::MAX), Just(24 * MIB)];
    let rounding =
        prop_oneof![Just((Rounding::Cuda, 0)), Just((Rounding::Cuda, 4)), Just((Rounding::Npu, 0))];
    (growth, limit, rounding).prop_map(|(growth, max_split_size, (rounding, divisions))| Settings {
        rounding,
        divisions,
        max_split_size,
        growth,
        ..settings()
    })
}

proptest! {
    #[test]
    fn memory_is_never_lost_nor_given_twice(settings in any_settings(), steps in steps()) {
        let (mut allocator, mut log) = allocator(settings);
        let mut held = Vec::new();
        for step in steps {
            match step {
                Step::Malloc { bytes, stream, pool } => {
                    let request = Request { bytes, stream, pool: (0, pool), stack: STACK };
                    let most = allocator.most_events(request);
                    let before = allocator.events();
                    match allocator.malloc(request, &mut log) {
                        Ok(block) => held.push(block),
                        Err(Refused::OutOfMemory) => prop_assert_eq!(log.0[log.0.len() - 1].action, Action::Oom),
                        Err(Refused::Io(error)) => panic!("{error}"),
                    }
                    prop_assert!(allocator.events() - before <= most, "the bound on events holds");
                }
                Step::Free(index) if !held.is_empty() => {
                    let block = held.swap_remove(index % held.len());
                    allocator.free(block, STACK, &mut log).expect("a log takes all");
                }
                Step::FreeLater(index, calls) if !held.is_empty() => {
                    let block = held.swap_remove(index % held.len());
                    allocator.free_later(block, STACK, (7, calls), &mut log).expect("a log takes all");
                }
                Step::Free(_) | Step::FreeLater(..) => {}
                Step::EmptyCache => {
                    allocator.empty_cache(STACK, &mut log).expect("a log takes all");
                    prop_assert_eq!(allocator.waiting(), 0);
                }
            }
            check(&allocator);
        }
    }
}

#[test]
fn a_large_block_keeps_a_remainder_of_one_mib() {
    let (mut allocator, mut log) = allocator(settings());
    let kept = allocator.malloc(request(19 * MIB), &mut log).expect("there is room");
    assert_eq!(allocator.blocks[kept].size, 20 * MIB);
    allocator.free(kept, STACK, &mut log).expect("a log takes all");
    let split = allocator.malloc(request(19 * MIB - 512), &mut log).expect("there is room");
    assert_eq!(allocator.blocks[split].size, 19 * MIB - 512);
}

#[test]
fn the_smallest_block_that_fits_serves_and_then_the_lowest() {
    let (mut allocator, mut log) = allocator(settings());
    let sizes = [8 * KIB, 512, 4 * KIB, 512, 4 * KIB, 512];
    let blocks =
        sizes.map(|bytes| allocator.malloc(request(bytes), &mut log).expect("there is room"));
    let address = allocator.blocks[blocks[2]].address;
    for index in [0, 4, 2] {
        allocator.free(blocks[index], STACK, &mut log).expect("a log takes all");
    }
    let found = allocator.malloc(request(3 * KIB), &mut log).expect("there is room");
    assert_eq!(allocator.blocks[found].address, address);
}

#[test]
fn a_deferred_free_is_pending_until_a_later_call() {
    let (mut allocator, mut log) = allocator(settings());
    let block = allocator.malloc(request(MIB), &mut log).expect("there is room");
    allocator.free_later(block, STACK, (7, 2), &mut log).expect("a log takes all");
    assert_eq!(allocator.blocks[block].state, State::Pending);
    assert_eq!((allocator.totals.allocated, allocator.totals.active), (0, MIB));
    for _ in 0..2 {
        allocator.malloc(request(512), &mut log).expect("there is room");
    }
    let actions: Vec<_> = log.0.iter().map(|event| event.action).collect();
    assert_eq!(
        actions,
        [
            Action::SegmentAlloc,
            Action::Alloc,
            Action::FreeRequested,
            Action::Alloc,
            Action::FreeCompleted,
            Action::Alloc
        ]
    );
    // The call that found it done gives its stack.
    assert_eq!(log.0[4].trace, log.0[5].trace);
}

#[test]
fn a_full_device_gives_its_cache_back_before_it_refuses() {
    let (mut allocator, mut log) = allocator(settings());
    let cached = allocator.malloc(request(120 * MIB), &mut log).expect("there is room");
    allocator.free(cached, STACK, &mut log).expect("a log takes all");
    allocator.malloc(request(150 * MIB), &mut log).expect("the cache makes room");
    let refused = allocator.malloc(request(60 * MIB + 1), &mut log);
    assert!(matches!(refused, Err(Refused::OutOfMemory)));
    let actions: Vec<_> = log.0[4..].iter().map(|event| event.action).collect();
    assert_eq!(actions, [Action::SegmentFree, Action::SegmentAlloc, Action::Alloc, Action::Oom]);
    let oom = log.0[log.0.len() - 1];
    assert_eq!((oom.address, oom.size), (50 * MIB, 60 * MIB + 512));
}

#[test]
fn a_block_above_the_split_limit_serves_only_large_requests() {
    let (mut allocator, mut log) = allocator(Settings { max_split_size: 30 * MIB, ..settings() });
    let large = allocator.malloc(request(40 * MIB), &mut log).expect("there is room");
    allocator.free(large, STACK, &mut log).expect("a log takes all");
    let small = allocator.malloc(request(25 * MIB), &mut log).expect("there is room");
    assert_eq!(allocator.totals.reserved, 66 * MIB);
    assert_eq!(allocator.blocks[small].size, 26 * MIB);
    // Whole, although only 35 MiB were asked for.
    let large = allocator.malloc(request(35 * MIB), &mut log).expect("there is room");
    assert_eq!(allocator.blocks[large].size, 40 * MIB);
}

#[test]
fn an_expandable_segment_grows_in_pages_and_may_get_a_hole() {
    let (mut allocator, mut log) = allocator(Settings { growth: Growth::Expandable, ..settings() });
    let blocks = [30 * MIB, 50 * MIB, 30 * MIB]
        .map(|bytes| allocator.malloc(request(bytes), &mut log).expect("there is room"));
    assert_eq!(allocator.totals.reserved, 120 * MIB);
    assert_eq!(allocator.blocks.segments().len(), 1);
    allocator.free(blocks[1], STACK, &mut log).expect("a log takes all");
    allocator.empty_cache(STACK, &mut log).expect("a log takes all");
    check(&allocator);
    // Pages 40..80 of the free range 30..80, and none of the tail 110..120.
    let unmapped: Vec<_> =
        log.0.iter().filter(|event| event.action == Action::SegmentUnmap).collect();
    assert_eq!(unmapped.iter().map(|event| event.size / MIB).collect::<Vec<_>>(), [40]);
    assert_eq!(allocator.blocks.segments().len(), 2);
}
