//! The index against a walk over everything.

use crate::{Lives, Totals};
use job::Job;
use model::{Block, BlockId, Blocks, Counter, Counters, Origin, SizeSource, State, StreamId};
use proptest::prelude::*;

fn blocks(mut lives: Vec<(u32, u32)>) -> Blocks {
    lives.sort_unstable();
    let row = |(born, length): (u32, u32)| Block {
        addr: 0,
        size: 1,
        requested: 1,
        born: State(born),
        released: (length < 900).then_some(State(born + length)),
        died: None,
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    };
    Blocks::new(lives.into_iter().map(row)).expect("sorted")
}

proptest! {
    #[test]
    fn exactly_the_blocks_alive_at_a_state_are_found(
        lives in prop::collection::vec((0..2_000_u32, 1..1_000_u32), 0..3_000),
        state in 0..3_000_u32,
    ) {
        let blocks = blocks(lives);
        let index = Lives::new(blocks.released(), &Job::unwatched()).expect("not cancelled");
        let found = index.at(blocks.born(), blocks.released(), State(state));
        let alive = (0..blocks.len()).filter(|id| {
            let block = blocks.get(BlockId(*id));
            block.born.0 <= state && block.released.is_none_or(|end| state < end.0)
        });
        prop_assert_eq!(found, alive.collect::<Vec<_>>());
    }

    #[test]
    fn the_peak_of_any_stretch_is_the_first_largest_value(
        values in prop::collection::vec(0..50_u64, 1..5_000),
        from in 0..5_000_u32,
        len in 0..5_000_u32,
    ) {
        let last = values.len() as u32 - 1;
        let (start, end) = (from.min(last), (from.saturating_add(len)).min(last + 1));
        let counters = Counters {
            allocated: values.clone().into(),
            active: values.clone().into(),
            reserved: values.clone().into(),
        };
        let totals = Totals::new(&counters, &Job::unwatched()).expect("not cancelled");
        let peak = totals.peak(&counters, Counter::Active, State(start)..State(end));
        let stretch = &values[start as usize..end.max(start + 1) as usize];
        let most = stretch.iter().max().expect("not empty");
        let at = stretch.iter().position(|value| value == most).expect("it is there");
        prop_assert_eq!(peak.most, *most);
        prop_assert_eq!(peak.at, State(start + at as u32));
        prop_assert_eq!(Some(&peak.least), stretch.iter().min());
    }
}
