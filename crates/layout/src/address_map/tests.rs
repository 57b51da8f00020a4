//! The address map against a walk over every cell.

use crate::{AddressMap, Axis, Bands, ColorBy, Detail, LaneOrder, Lanes, Viewport, address_map};
use index::DeviceIndex;
use job::Job;
use model::{
    Block, BlockId, Blocks, Counters, Device, DeviceTable, Events, Origin, Segment, SegmentKind,
    Segments, SizeSource, State, StreamId,
};
use proptest::prelude::*;

/// Address, bytes, born, died.
type Life = (u64, u64, u32, Option<u32>);

fn table(states: u32, segments: &[Life], blocks: &[Life]) -> DeviceTable {
    let (mut segments, mut blocks) = (segments.to_vec(), blocks.to_vec());
    segments.sort_by_key(|row| (row.2, row.0));
    blocks.sort_by_key(|row| (row.2, row.0));
    let segment = |(addr, size, born, died): &Life| Segment {
        addr: *addr,
        size: *size,
        born: State(*born),
        died: died.map(State),
        stack: None,
        stream: StreamId(0),
        pool: None,
        kind: SegmentKind::Large,
        is_expandable: false,
    };
    let block = |(addr, size, born, died): Life| Block {
        addr,
        size,
        requested: size,
        born: State(born),
        released: died.map(State),
        died: died.map(State),
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    };
    let nothing = vec![0; states as usize];
    let mut events = Events::empty();
    events.action = vec![0; states as usize - 1].into();
    DeviceTable {
        device: Device::Accelerator(0),
        events,
        blocks: Blocks::new(blocks.into_iter().map(block)).expect("sorted"),
        segments: Segments::new(segments.iter().map(segment).collect(), 0, 0).expect("sorted"),
        counters: Counters {
            allocated: nothing.clone().into(),
            active: nothing.clone().into(),
            reserved: nothing.into(),
        },
        block_of_event: Vec::new().into(),
        workspaces: Vec::new(),
        track: None,
    }
}

fn drawn(table: &DeviceTable, lanes: &Lanes, view: &Viewport) -> AddressMap {
    let index = DeviceIndex::new(table, &Job::unwatched()).expect("not cancelled");
    address_map(table, &index, lanes, view, &Job::unwatched()).expect("not cancelled")
}

fn viewport(x: (f64, f64), y: (f64, f64), (width_px, height_px): (u32, u32)) -> Viewport {
    Viewport {
        axis: Axis::Event,
        x,
        y,
        width_px,
        height_px,
        color: ColorBy::Address,
        detail: Detail::Full,
        selected: None,
        lit: None,
    }
}

fn text(bands: &Bands) -> Vec<String> {
    let row = |at: usize| {
        let edges = [bands.x0[at], bands.x1[at], bands.top[at], bands.bottom[at]];
        format!("{} {edges:?} {}", bands.block[at].cast_signed(), bands.key[at])
    };
    (0..bands.block.len()).map(row).collect()
}

#[test]
fn blocks_lie_at_their_addresses_and_holes_between_them() {
    let segments = [(0x1000, 1000, 0, None), (0x9000, 500, 4, Some(8))];
    let blocks =
        [(0x1000, 250, 2, Some(6)), (0x1000 + 500, 250, 3, None), (0x9000, 500, 5, Some(7))];
    let table = table(10, &segments, &blocks);
    let lanes = Lanes::new(&table.segments, LaneOrder::Address);
    assert_eq!(lanes.total(), 1500, "the empty span between the segments is cut");
    assert_eq!(lanes.locate(0x9000 + 7), Some(1007));
    assert_eq!(lanes.address(1007), Some(0x9000 + 7));
    let map = drawn(&table, &lanes, &viewport((-1.0, 9.0), (0.0, 1500.0), (10, 6)));
    assert_eq!(text(&map.mapped), ["0 [0.0, 10.0, 2.0, 6.0] 0", "1 [4.0, 8.0, 0.0, 2.0] 0"]);
    assert_eq!(
        map.bands.block.iter().zip(&map.bands.top).zip(&map.bands.x0).collect::<Vec<_>>(),
        [((&0, &5.0), &2.0), ((&1, &3.0), &3.0), ((&2, &0.0), &5.0)]
    );
    // 1000 free bytes, then 750 above the first block, then 250 above and 250 below the second …
    assert_eq!(
        text(&map.holes),
        [
            "-1 [0.0, 2.0, 2.0, 6.0] 9",
            "-1 [2.0, 3.0, 2.0, 5.0] 9",
            "-1 [3.0, 10.0, 2.0, 3.0] 7",
            "-1 [3.0, 6.0, 4.0, 5.0] 7",
            "-1 [4.0, 5.0, 0.0, 2.0] 8",
            "-1 [6.0, 10.0, 4.0, 6.0] 8",
            "-1 [7.0, 8.0, 0.0, 2.0] 8",
        ]
    );
}

#[test]
fn lanes_by_size_have_the_largest_at_the_bottom() {
    let segments = [(0x1000, 100, 0, None), (0x9000, 500, 0, None), (0x9000 + 400, 200, 5, None)];
    let table = table(10, &segments, &[]);
    let lanes = Lanes::new(&table.segments, LaneOrder::Size);
    let shape: Vec<_> = lanes.rows().iter().map(|lane| (lane.addr, lane.size, lane.at)).collect();
    assert_eq!(shape, [(0x1000, 100, 600), (0x9000, 600, 0)]);
    assert_eq!(lanes.locate(0x1000 + 100), None, "past its end");
}

const STATES: u32 = 120;

fn lives(slots: u64) -> impl Strategy<Value = Vec<Life>> {
    // Slot by slot lives that do not overlap: what an allocator makes.
    let one = (0..slots, 1..1000_u64, 0..STATES, 1..STATES);
    prop::collection::vec(one, 0..60).prop_map(|all| {
        let mut ends = std::collections::HashMap::new();
        let mut lives = Vec::new();
        let mut all = all;
        all.sort_by_key(|life| life.2);
        for (slot, size, born, length) in all {
            let free_from = ends.entry(slot).or_insert(0);
            if *free_from <= born {
                let died = born + length;
                *free_from = died;
                lives.push((slot * 1000, size, born, (died < STATES).then_some(died)));
            }
        }
        lives
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_cell_shows_what_is_at_its_address(
        blocks in lives(8),
        x in (-3.0..100.0_f64, 1.0..140.0_f64),
        y in (0.0..6_000.0_f64, 10.0..9_000.0_f64),
        size in (1..200_u32, 1..120_u32),
    ) {
        let table = table(STATES, &[(0, 8_000, 0, None)], &blocks);
        let lanes = Lanes::new(&table.segments, LaneOrder::Address);
        let view = viewport((x.0, x.0 + x.1), (y.0, y.0 + y.1), size);
        let map = drawn(&table, &lanes, &view);
        let per_px = y.1 / f64::from(size.1);
        for (column, state) in map.state.iter().enumerate() {
            let middle = f32::midpoint(map.edge[column], map.edge[column + 1]);
            for row in 0..size.1 {
                let addr = view.y.1 - (f64::from(row) + 0.5) * per_px;
                let there = (0..table.blocks.len()).find(|id| {
                    let block = table.blocks.get(BlockId(*id));
                    let (from, to) = (block.addr as f64, (block.addr + block.size) as f64);
                    // Half-open as rows are: the upper edge belongs to the block.
                    from < addr && addr <= to
                        && block.born.0 <= *state && block.died.is_none_or(|died| *state < died.0)
                });
                let covers = |bands: &Bands, at: usize| {
                    bands.x0[at] <= middle && middle <= bands.x1[at]
                        && bands.top[at] <= row as f32 && row as f32 + 1.0 <= bands.bottom[at]
                };
                let shown = (0..map.bands.block.len()).find(|at| covers(&map.bands, *at));
                prop_assert_eq!(shown.map(|at| map.bands.block[at]), there, "row {} state {}", row, state);
                let hole = (0..map.holes.block.len()).any(|at| covers(&map.holes, at));
                let mapped = addr > 0.0 && addr <= 8_000.0;
                prop_assert_eq!(hole, mapped && there.is_none());
            }
        }
    }
}
