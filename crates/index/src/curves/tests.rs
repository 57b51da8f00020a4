//! Every pool's curves against a walk over all states.

use super::*;
use job::Job;
use model::{
    Block, Column, Counters, Device, Events, Origin, Segment, SegmentKind, Segments, SizeSource,
};
use proptest::prelude::*;

const EVENTS: u32 = 300;

/// One life: birth, length (none from 250 on), bytes, pool (none: 3), stream.
type Life = (u32, u32, u64, u16, u16);

fn lives(most: usize) -> impl Strategy<Value = Vec<Life>> {
    let life = (0..=EVENTS, 0..400_u32, 1..100_u64, 0..4_u16, 0..2_u16);
    prop::collection::vec(life, 0..most).prop_map(|mut lives| {
        lives.sort_unstable();
        lives
    })
}

fn end((born, length, ..): Life) -> Option<State> {
    (length < 250).then_some(State(born + length)).filter(|end| end.0 <= EVENTS)
}

fn pool(life: Life) -> Option<PoolId> {
    (life.3 < 3).then_some(PoolId(life.3))
}

/// What the lives that `key` owns add up to at `state`.
fn sum(lives: &[Life], key: PoolKey, state: u32) -> u64 {
    let is_there = |life: &&Life| {
        let ends = end(**life).is_none_or(|end| state < end.0);
        (pool(**life), StreamId(life.4)) == key && life.0 <= state && ends
    };
    lives.iter().filter(is_there).map(|life| life.2).sum()
}

fn table(blocks: &[Life], segments: &[Life]) -> DeviceTable {
    let block = |life: &Life| Block {
        addr: 0,
        size: life.2,
        requested: life.2,
        born: State(life.0),
        released: end(*life),
        died: end(*life),
        stack: None,
        stream: StreamId(life.4),
        pool: pool(*life),
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    };
    let segment = |life: &Life| Segment {
        addr: 0,
        size: life.2,
        born: State(life.0),
        died: end(*life),
        stack: None,
        stream: StreamId(life.4),
        pool: pool(*life),
        kind: SegmentKind::Large,
        is_expandable: false,
    };
    let total = |lives: &[Life]| -> Column<u64> {
        let all = |state| {
            let there = lives
                .iter()
                .filter(|life| life.0 <= state && end(**life).is_none_or(|end| state < end.0));
            there.map(|life| life.2).sum()
        };
        (0..=EVENTS).map(all).collect::<Vec<u64>>().into()
    };
    let n = EVENTS as usize;
    DeviceTable {
        device: Device::Accelerator(0),
        events: Events { action: vec![0; n].into(), ..Events::empty() },
        blocks: Blocks::new(blocks.iter().map(block)).expect("sorted"),
        segments: Segments::new(segments.iter().map(segment).collect(), 0, 0).expect("sorted"),
        counters: Counters {
            allocated: total(blocks),
            active: total(blocks),
            reserved: total(segments),
        },
        block_of_event: vec![u32::MAX; n].into(),
        workspaces: Vec::new(),
        track: None,
    }
}

fn check(blocks: &[Life], segments: &[Life], stretches: &[(u32, u32)]) {
    let table = table(blocks, segments);
    let totals = Totals::new(&table.counters, &Job::unwatched()).expect("not cancelled");
    let curves = PoolCurves::new(&table);
    let peaks = pool_peaks(&table, &totals);
    assert_eq!(peaks.iter().map(|(key, _)| *key).collect::<Vec<_>>(), curves.keys());
    for (row, key) in curves.keys().iter().enumerate() {
        for (counter, lives) in [(PoolCounter::Reserved, segments), (PoolCounter::Active, blocks)] {
            let walk: Vec<u64> = (0..=EVENTS).map(|state| sum(lives, *key, state)).collect();
            let of = (&table, &totals);
            for (state, value) in walk.iter().enumerate() {
                assert_eq!(curves.at(of, row, counter, State(state as u32)), *value, "{state}");
            }
            let first = |from: usize, values: &[u64]| {
                let most = values.iter().max().expect("not empty");
                let at = values.iter().position(|value| value == most).expect("it is there");
                let least = *values.iter().min().expect("not empty");
                Peak { least, most: *most, at: State((from + at) as u32) }
            };
            for (from, len) in stretches {
                let (from, to) = (*from as usize, (*from + *len).min(EVENTS + 1) as usize);
                let found = curves.peak(of, row, counter, State(from as u32)..State(to as u32));
                assert_eq!(found, first(from, &walk[from..to.max(from + 1)]), "{from}..{to}");
            }
            let (whole, found) = (first(0, &walk), peaks[row].1[counter as usize]);
            assert_eq!((found.most, found.at), (whole.most, whole.at));
        }
    }
    let known = blocks.iter().chain(segments).map(|life| (pool(*life), StreamId(life.4)));
    assert_eq!(curves.keys().len(), known.collect::<std::collections::BTreeSet<_>>().len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_pool_at_every_state_is_what_its_rows_add_up_to(
        blocks in lives(120),
        segments in lives(30),
        stretches in prop::collection::vec((0..=EVENTS, 0..EVENTS), 20),
    ) {
        check(&blocks, &segments, &stretches);
    }

    #[test]
    fn the_only_pool_is_the_device(blocks in lives(60), stretches in prop::collection::vec((0..=EVENTS, 0..EVENTS), 20)) {
        let one = |life: &Life| (life.0, life.1, life.2, 0, 0);
        let blocks: Vec<Life> = blocks.iter().map(one).collect();
        check(&blocks, &blocks, &stretches);
    }
}
