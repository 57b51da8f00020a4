//! Laws of the scene, against a walk over all blocks.

use crate::{Axis, ColorBy, Detail, Lit, Scene, Viewport, marks, scene};
use index::DeviceIndex;
use job::Job;
use model::{
    Action, Block, BlockId, Blocks, Counter, Counters, Device, DeviceTable, Events, Origin,
    Segments, SizeSource, State, StreamId,
};
use proptest::prelude::*;

/// A life in words a test can write: born, released (or never), bytes.
type Life = (u32, Option<u32>, u64);

/// A device whose events do nothing but pass, at the given times.
fn table(states: u32, lives: &[Life], times: Option<Vec<i64>>) -> DeviceTable {
    let mut lives = lives.to_vec();
    lives.sort_by_key(|life| life.0);
    let events = states - 1;
    let blocks = Blocks::new(lives.iter().enumerate().map(|(row, (born, released, size))| Block {
        addr: row as u64 * 512,
        size: *size,
        requested: *size,
        born: State(*born),
        released: released.map(State),
        died: released.map(State),
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    }))
    .expect("sorted lives");
    let total = |state: u32| {
        let there = |(born, released, _): &&Life| {
            *born <= state && released.is_none_or(|released| state < released)
        };
        lives.iter().filter(there).map(|life| life.2).sum::<u64>()
    };
    let allocated: Vec<u64> = (0..states).map(total).collect();
    let most = allocated.iter().copied().max().unwrap_or(0);
    DeviceTable {
        device: Device::Accelerator(0),
        events: Events {
            action: vec![Action::Snapshot.code(); events as usize].into(),
            addr: vec![0; events as usize].into(),
            size: vec![0; events as usize].into(),
            stream: vec![0; events as usize].into(),
            stack: vec![0; events as usize].into(),
            time_ns: times.map(|times| times.into_iter().map(|micros| micros * 1_000).collect()),
            pool: None,
            note: None,
        },
        blocks,
        segments: Segments::default(),
        counters: Counters {
            allocated: allocated.clone().into(),
            active: allocated.into(),
            reserved: vec![most; states as usize].into(),
        },
        block_of_event: vec![u32::MAX; events as usize].into(),
        workspaces: Vec::new(),
        track: None,
    }
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

fn drawn(table: &DeviceTable, viewport: &Viewport) -> Scene {
    let index = DeviceIndex::new(table, &Job::unwatched()).expect("not cancelled");
    scene(table, &index, viewport, &Job::unwatched()).expect("not cancelled")
}

/// The bands as text: block, then left, right, top, bottom in pixels.
fn text(scene: &Scene) -> Vec<String> {
    let bands = &scene.bands;
    let mut rows: Vec<String> = (0..bands.block.len())
        .map(|row| {
            let edges = [bands.x0[row], bands.x1[row], bands.top[row], bands.bottom[row]];
            format!("{} {edges:?}", bands.block[row])
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_block_slides_down_when_an_older_one_is_released() {
    let table = table(10, &[(0, Some(5), 40), (2, None, 20), (4, Some(6), 10)], None);
    let scene = drawn(&table, &viewport((-1.0, 9.0), (0.0, 100.0), (100, 100)));
    assert_eq!(
        text(&scene),
        [
            "0 [0.0, 50.0, 60.0, 100.0]",
            "1 [20.0, 50.0, 40.0, 60.0]",
            "1 [50.0, 100.0, 80.0, 100.0]",
            "2 [40.0, 50.0, 30.0, 40.0]",
            "2 [50.0, 60.0, 70.0, 80.0]",
        ]
    );
    assert_eq!(scene.columns.remainder, vec![0.0; 10]);
    assert_eq!(scene.most_allocated, 70);
}

#[test]
fn blocks_too_small_to_see_are_counted_and_open_when_zoomed() {
    let mut lives: Vec<Life> = vec![(0, None, 1_000_000)];
    lives.extend((0..50).map(|_| (3, None, 100)));
    let table = table(10, &lives, None);
    let far = drawn(&table, &viewport((-1.0, 9.0), (0.0, 2_000_000.0), (10, 100)));
    assert_eq!(far.columns.remainder_count[..], [0, 0, 0, 50, 50, 50, 50, 50, 50, 50]);
    assert_eq!(far.columns.remainder[9].to_bits(), 5_000_f64.to_bits());
    let near = drawn(&table, &viewport((-1.0, 9.0), (1_000_050.0, 1_001_050.0), (10, 100)));
    assert_eq!(near.columns.remainder_count[9], 0);
    assert_eq!(
        near.bands.block.len(),
        11,
        "ten small ones and the large one that touches the edge"
    );
}

#[test]
fn every_peak_is_in_a_column_however_far_out() {
    let table = table(100_000, &[(50_001, Some(50_002), 7_000), (0, None, 100)], None);
    let scene = drawn(&table, &viewport((-1.0, 100_000.0), (0.0, 8_000.0), (100, 80)));
    let most = scene.columns.allocated.iter().copied().fold(0.0, f64::max);
    assert_eq!(most.to_bits(), 7_100_f64.to_bits());
    assert_eq!(scene.columns.lines[0][1].iter().copied().fold(f32::MAX, f32::min).to_bits(), {
        let top: f32 = 9.0;
        top.to_bits()
    });
}

#[test]
fn on_the_time_axis_a_state_lasts_until_the_next_event() {
    let times = vec![1_000, 1_010, 1_010, 1_090];
    let table = table(5, &[(1, Some(4), 50), (3, None, 25)], Some(times));
    let mut wanted = viewport((0.0, 100.0), (0.0, 100.0), (100, 100));
    wanted.axis = Axis::Time;
    let scene = drawn(&table, &wanted);
    assert_eq!(
        text(&scene),
        ["0 [0.0, 90.0, 50.0, 100.0]", "1 [10.0, 90.0, 25.0, 50.0]", "1 [90.0, 91.0, 75.0, 100.0]",]
    );
}

#[test]
fn a_selected_block_has_an_outline_even_where_no_state_shows_it() {
    let table =
        table(10_000, &[(0, None, 500), (4_900, Some(4_901), 9), (5_000, Some(5_001), 1)], None);
    let mut wanted = viewport((-1.0, 10_000.0), (0.0, 1_000.0), (10, 100));
    wanted.selected = Some(BlockId(2));
    let scene = drawn(&table, &wanted);
    assert_eq!(scene.outline.block, [2]);
    assert!((scene.outline.x0[0] - 5.0).abs() < 0.01);
    assert!((scene.outline.bottom[0] - 50.0).abs() < 0.01, "above 500 bytes");
}

#[test]
fn blocks_allocated_in_a_period_stand_out() {
    let table = table(10, &[(0, None, 40), (3, Some(6), 20), (7, None, 10)], None);
    let mut wanted = viewport((-1.0, 9.0), (0.0, 100.0), (100, 100));
    assert_eq!(drawn(&table, &wanted).lit, [1, 1, 1], "nothing is selected");
    wanted.lit = Some(Lit::Between(State(2), State(6)));
    let scene = drawn(&table, &wanted);
    let lit = scene.bands.block.iter().zip(&scene.lit).collect::<Vec<_>>();
    assert_eq!(lit, [(&0, &0), (&1, &1), (&2, &0)]);
    let segment = Lit::In { addr: 512, size: 513, born: State(4), died: Some(State(7)) };
    let holds = |row| segment.holds(&table.blocks, row);
    assert_eq!([holds(0), holds(1), holds(2)], [false, true, false], "the last came too late");
}

#[test]
fn senseless_viewports_give_empty_scenes() {
    let table = table(10, &[(0, None, 500)], None);
    for (x, y, size) in [
        ((f64::NAN, 1.0), (0.0, 1.0), (10, 10)),
        ((3.0, 1.0), (0.0, 1.0), (10, 10)),
        ((0.0, 1.0), (5.0, 5.0), (10, 10)),
        ((0.0, 1.0), (0.0, 1.0), (0, 10)),
        ((0.0, 1.0), (0.0, 1.0), (10, 0)),
        ((50.0, 60.0), (0.0, 1.0), (10, 10)),
        ((0.0, f64::INFINITY), (0.0, 1.0), (10, 10)),
    ] {
        assert_eq!(drawn(&table, &viewport(x, y, size)), Scene::default());
    }
    let mut timed = viewport((0.0, 1.0), (0.0, 1.0), (10, 10));
    timed.axis = Axis::Time;
    assert_eq!(drawn(&table, &timed), Scene::default(), "no times recorded");
}

const STATES: u32 = 400;

fn lives() -> impl Strategy<Value = Vec<Life>> {
    let life = (0..STATES, 0..STATES * 2, 1..5_000_u64).prop_map(|(born, released, size)| {
        let released = released.max(born + 1);
        (born, (released < STATES).then_some(released), size)
    });
    prop::collection::vec(life, 0..200)
}

fn views() -> impl Strategy<Value = Viewport> {
    let x = (-5.0..400.0_f64, 0.01..420.0_f64);
    let y = (0.0..20_000.0_f64, 1.0..400_000.0_f64);
    (x, y, 1..300_u32, 1..300_u32, prop::bool::ANY).prop_map(|(x, y, width, height, timed)| {
        let mut view = viewport((x.0, x.0 + x.1), (y.0, y.0 + y.1), (width, height));
        view.axis = if timed { Axis::Time } else { Axis::Event };
        view
    })
}

/// Everything the laws say of one scene.
fn check(table: &DeviceTable, view: &Viewport, scene: &Scene) -> Result<(), TestCaseError> {
    let columns = &scene.columns;
    let n = columns.state.len();
    prop_assert!(n <= view.width_px as usize + 2);
    prop_assert!(columns.edge.is_sorted());
    prop_assert!(columns.state.is_sorted());
    prop_assert_eq!(columns.edge.len(), if n == 0 { 0 } else { n + 1 });
    let per_px = (view.y.1 - view.y.0) / f64::from(view.height_px);
    for column in 0..n {
        let state = State(columns.state[column]);
        let total = table.counters.at(Counter::Allocated, state);
        prop_assert_eq!(columns.allocated[column].to_bits(), (total as f64).to_bits());
        let middle = f32::midpoint(columns.edge[column], columns.edge[column + 1]);
        let mut base = 0_u64;
        let (mut hidden, mut shown) = (0.0, 0.0);
        for row in 0..table.blocks.len() {
            let block = table.blocks.get(BlockId(row));
            let there = block.born <= state && block.released.is_none_or(|end| state < end);
            if !there {
                continue;
            }
            let across = |at: &usize| {
                scene.bands.block[*at] == row
                    && scene.bands.x0[*at] <= middle
                    && middle <= scene.bands.x1[*at]
            };
            let (from, to) = (base as f64, (base + block.size) as f64);
            let visible = (to.min(view.y.1) - from.max(view.y.0)).max(0.0);
            match (0..scene.bands.block.len()).find(across) {
                Some(at) => {
                    shown += visible;
                    let height = f64::from(view.height_px);
                    let bottom = ((view.y.1 - from) / per_px).clamp(-height, 2.0 * height);
                    let off = (f64::from(scene.bands.bottom[at]) - bottom).abs();
                    prop_assert!(off <= 0.76, "block {} is {} px off", row, off);
                }
                None => hidden += visible,
            }
            base += block.size;
        }
        prop_assert_eq!(base, total);
        let off = (hidden - columns.remainder[column]).abs();
        prop_assert!(off <= 1e-6 * (hidden + shown + 1.0), "column {}: {} bytes off", column, off);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn bands_lie_where_a_walk_over_all_blocks_puts_them(lives in lives(), view in views()) {
        let mut time = 0;
        let times = (0..i64::from(STATES) - 1).map(|event| {
            time += (event * 7919) % 3;
            time
        });
        let table = table(STATES, &lives, Some(times.collect()));
        let scene = drawn(&table, &view);
        check(&table, &view, &scene)?;
    }

    #[test]
    fn bands_and_remainder_sum_to_the_allocated_bytes(lives in lives(), width in 1..300_u32, height in 1..300_u32) {
        let table = table(STATES, &lives, None);
        let view = viewport((-1.0, f64::from(STATES) - 1.0), (0.0, 1_000_000.0), (width, height));
        let scene = drawn(&table, &view);
        for column in 0..scene.columns.state.len() {
            let middle = f32::midpoint(scene.columns.edge[column], scene.columns.edge[column + 1]);
            let (mut bytes, mut count) = (0, 0);
            for at in 0..scene.bands.block.len() {
                if scene.bands.x0[at] <= middle && middle <= scene.bands.x1[at] {
                    bytes += table.blocks.size()[scene.bands.block[at] as usize];
                    count += 1;
                }
            }
            let whole = bytes as f64 + scene.columns.remainder[column];
            prop_assert_eq!(whole.to_bits(), scene.columns.allocated[column].to_bits());
            let state = State(scene.columns.state[column]);
            let index = DeviceIndex::new(&table, &Job::unwatched()).expect("not cancelled");
            let alive = index.allocated_at(&table, state).len() as u32;
            prop_assert_eq!(count + scene.columns.remainder_count[column], alive);
        }
    }
}

#[test]
fn narrow_annotations_join_and_wide_ones_stay_apart() {
    use model::{Annotation, Carrier, Family, Note, Recording, Settings, Source, Stacks, Strings};
    let times: Vec<i64> = (0..1_000).map(|event| 5_000 + event * 10).collect();
    let range = |start: i64, end: Option<i64>, depth| Annotation {
        name: model::StringId(1),
        device: 0,
        kind: model::AnnotationKind::Range,
        start_ns: Some(start * 1_000),
        end_ns: end.map(|end| end * 1_000),
        depth,
    };
    let mut annotations = vec![range(5_000, Some(9_000), 0), range(9_000, None, 0)];
    annotations.extend((0..100).map(|step| range(5_000 + step * 10, Some(5_005 + step * 10), 1)));
    let recording = Recording {
        source: Source { name: String::new(), bytes: 0, carrier: Carrier::Pickle, protocol: None },
        family: Family::Cuda,
        strings: Strings::new(vec![0, 0, 4], b"step".to_vec()).expect("fits"),
        stacks: Stacks::new(vec![0, 0], Vec::new(), Vec::new(), Vec::new()).expect("fits"),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: Vec::new(),
        other_actions: Vec::new(),
        devices: vec![table(1_001, &[], Some(times))],
        annotations,
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 0,
        dump: None,
    };
    let far = marks(&recording, 0, Axis::Event, (0.0, 1_000.0), 100);
    let shape: Vec<_> =
        far.iter().map(|mark| (mark.depth, mark.count, mark.from, mark.to)).collect();
    assert_eq!(
        shape,
        [
            (0, 1, Some(0.0), Some(400.0)),
            (0, 1, Some(400.0), None),
            (1, 100, Some(0.0), Some(100.0))
        ]
    );
    let near = marks(&recording, 0, Axis::Time, (0.0, 100.0), 1_000);
    assert_eq!(near.iter().filter(|mark| mark.depth == 1).count(), 11);
}
