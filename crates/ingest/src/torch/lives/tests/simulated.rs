//! The derivation against an allocator that knows the truth at every state.

use super::allocator::{Allocator, Live, Setup, Truth};
use super::notation::derived_from;
use crate::torch::lives::{Rules, size_check};
use crate::torch::raw::RawDevice;
use model::{
    Action, Block, BlockId, DeviceTable, EventId, Events, Family, Origin, Settings, SizeSource,
    State,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

fn setups() -> impl Strategy<Value = Setup> {
    let bases = prop_oneof![Just(0x7f00_0000_0000u64), Just(0xFFFF_F000_0000_0000)];
    let splits = prop_oneof![Just(None), Just(Some(4 << 20)), Just(Some(20 << 20))];
    let gaps = prop_oneof![Just(0u64), Just(2 << 20)];
    (any::<bool>(), any::<bool>(), splits, bases, gaps).prop_map(
        |(is_npu, is_expandable, max_split, base, gap)| {
            let gap = if is_expandable { gap + (2 << 20) } else { gap };
            Setup { is_npu, is_expandable, max_split, base, gap }
        },
    )
}

fn written(setup: Setup, steps: &[(u8, u64)]) -> (RawDevice, Vec<Truth>) {
    let mut allocator = Allocator::new(setup);
    for (what, arg) in steps {
        allocator.step(*what, *arg);
    }
    allocator.written()
}

fn table(raw: RawDevice, setup: Setup) -> (DeviceTable, usize) {
    let settings = settings(setup);
    let (table, warnings) = derived_from(raw, family(setup), &settings);
    (table, warnings.len())
}

fn family(setup: Setup) -> Family {
    if setup.is_npu { Family::Npu } else { Family::Cuda }
}

fn settings(setup: Setup) -> Settings {
    let expandable_segments = setup.is_expandable && !setup.is_npu;
    Settings { max_split_size: setup.max_split, expandable_segments, ..Settings::default() }
}

/// The events from `first` on, as if a ring buffer had lost the rest.
fn cut(events: &Events, first: usize) -> Events {
    Events {
        action: events.action[first..].to_vec().into(),
        addr: events.addr[first..].to_vec().into(),
        size: events.size[first..].to_vec().into(),
        stream: events.stream[first..].to_vec().into(),
        stack: events.stack[first..].to_vec().into(),
        ..Events::empty()
    }
}

/// Blocks of the table that are there at `state`, by address.
fn alive(table: &DeviceTable, state: State) -> Vec<Block> {
    let rows = (0..table.blocks.len()).map(|row| table.blocks.get(BlockId(row)));
    let there = |block: &Block| block.born <= state && block.died.is_none_or(|died| state < died);
    let mut alive: Vec<Block> = rows.filter(there).collect();
    alive.sort_by_key(|block| block.addr);
    alive
}

/// How well a size must be known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sizes {
    Exact,
    /// Blocks from before the recording may be bigger than the rule says.
    Bounded,
}

fn check_state(table: &DeviceTable, state: State, truth: &Truth, sizes: Sizes) -> TestCaseResult {
    let alive = alive(table, state);
    let at = |block: &Block, size| Live {
        addr: block.addr,
        size,
        requested: block.requested,
        is_pending: block.released.is_some_and(|released| released <= state),
    };
    let mut known = Vec::new();
    for (block, true_block) in alive.iter().zip(&truth.live) {
        let is_guess = block.origin == Origin::BeforeRecording
            && block.size_source == SizeSource::Computed
            && sizes == Sizes::Bounded;
        if is_guess {
            prop_assert!(block.size <= true_block.size && block.size >= block.requested);
        }
        known.push(at(block, if is_guess { true_block.size } else { block.size }));
    }
    prop_assert_eq!(alive.len(), truth.live.len());
    prop_assert_eq!(&known, &truth.live);

    let total = |blocks: &mut dyn Iterator<Item = &Block>| blocks.map(|block| block.size).sum();
    let active: u64 = total(&mut alive.iter());
    let is_allocated = |block: &&Block| block.released.is_none_or(|released| state < released);
    let allocated: u64 = total(&mut alive.iter().filter(is_allocated));
    let row = state.0 as usize;
    prop_assert_eq!(table.counters.active[row], active);
    prop_assert_eq!(table.counters.allocated[row], allocated);
    prop_assert_eq!(table.counters.reserved[row], truth.reserved);
    Ok(())
}

fn check_events(table: &DeviceTable) -> TestCaseResult {
    for event in (0..table.events.len()).map(EventId) {
        let row = table.block_of_event[event.row()];
        let block = (row != u32::MAX).then(|| table.blocks.get(BlockId(row)));
        let now = Some(State::after(event));
        if let Some(block) = block {
            prop_assert_eq!(block.addr, table.events.addr[event.row()]);
        }
        match table.events.action(event) {
            Action::Alloc => prop_assert_eq!(block.map(|it| it.born), now),
            Action::FreeRequested => prop_assert_eq!(block.and_then(|it| it.released), now),
            Action::FreeCompleted => prop_assert_eq!(block.and_then(|it| it.died), now),
            Action::Annotate => {
                let is_alive =
                    |it: Block| Some(it.born) < now && it.died.is_none_or(|at| Some(at) > now);
                prop_assert!(block.is_some_and(is_alive));
            }
            _ => prop_assert_eq!(block, None),
        }
    }
    Ok(())
}

fn check(raw: RawDevice, setup: Setup, truth: &[Truth], sizes: Sizes) -> TestCaseResult {
    let (table, warnings) = table(raw, setup);
    prop_assert_eq!(warnings, 0);
    prop_assert_eq!(table.counters.reserved.len(), truth.len());
    for (state, truth) in truth.iter().enumerate() {
        check_state(&table, State(state as u32), truth, sizes)?;
    }
    check_events(&table)?;
    let rules = Rules { family: family(setup), settings: &settings(setup) };
    let (agree, total) = size_check(&table, &rules);
    prop_assert_eq!(agree, total);
    Ok(())
}

fn steps() -> impl Strategy<Value = Vec<(u8, u64)>> {
    prop::collection::vec((0u8..17, any::<u64>()), 0..160)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_state_is_the_allocators_to_the_byte(setup in setups(), steps in steps()) {
        let (raw, truth) = written(setup, &steps);
        check(raw, setup, &truth, Sizes::Exact)?;
    }

    #[test]
    fn a_ring_buffer_that_lost_the_beginning_changes_nothing_after_it(
        setup in setups(),
        steps in steps(),
        first in any::<prop::sample::Index>(),
    ) {
        let (mut raw, truth) = written(setup, &steps);
        let first = first.index(truth.len());
        raw.events = cut(&raw.events, first);
        check(raw, setup, &truth[first..], Sizes::Bounded)?;
    }
}
