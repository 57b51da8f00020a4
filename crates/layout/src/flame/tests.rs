//! The flame graph against a walk over all calls.

use super::*;
use proptest::prelude::*;

/// Calls from `(start, end, depth)` in nanoseconds.
fn calls(rows: &[(i64, i64, u16)]) -> Slices {
    Slices {
        start_ns: rows.iter().map(|row| row.0).collect::<Vec<_>>().into(),
        end_ns: rows.iter().map(|row| row.1).collect::<Vec<_>>().into(),
        name: (0..rows.len() as u32).map(|row| row % 5).collect::<Vec<_>>().into(),
        depth: rows.iter().map(|row| row.2).collect::<Vec<_>>().into(),
        flags: vec![0; rows.len()].into(),
    }
}

fn viewport(x: (f64, f64), width_px: u32, narrow: Narrow) -> FlameViewport {
    FlameViewport { x, depths: 0..9, width_px, narrow, selected: None }
}

fn drawn(slices: &Slices, viewport: &FlameViewport, name: Option<usize>) -> Flame {
    let job = Job::unwatched();
    let index = SliceIndex::new(slices, &job).expect("not cancelled");
    let hits = name.map(|name| SliceHits::of_names(slices, &index, &[name]));
    flame(slices, &index, hits.as_ref(), viewport, &job).expect("not cancelled")
}

/// `depth: left–right ×count`, one a rectangle.
fn text(scene: &Flame) -> Vec<String> {
    let row = |at: usize| {
        let (x0, x1) = (scene.x0[at], scene.x1[at]);
        format!("{}: {x0}–{x1} ×{}", scene.depth[at], scene.count[at])
    };
    (0..scene.slice.len()).map(row).collect()
}

#[test]
fn wide_calls_are_themselves_and_narrow_neighbours_are_one() {
    // A pixel is 10 ns: 0–100 is wide, then four of 4 ns each with 2 ns between, a gap of 30, and
    // one more.
    let slices = calls(&[
        (0, 100, 0),
        (20, 60, 1),
        (100, 104, 0),
        (106, 110, 0),
        (112, 116, 0),
        (118, 122, 0),
        (152, 153, 0),
    ]);
    let scene = drawn(&slices, &viewport((0.0, 0.2), 20, Narrow::Joined), None);
    assert_eq!(text(&scene), ["0: 0–10 ×1", "0: 10–12.2 ×4", "0: 15.2–15.3 ×1", "1: 2–6 ×1"]);
    let scene = drawn(&slices, &viewport((0.0, 0.2), 20, Narrow::Apart), None);
    assert_eq!(scene.count, vec![1; 7]);
    assert_eq!(scene.crowded, 0);
}

#[test]
fn more_calls_than_a_pixel_can_hold_are_counted_as_crowded() {
    // Ten pixels of 100 ns; a hundred calls of 1 ns begin in the first.
    let rows: Vec<_> = (0..100).map(|at| (at, at + 1, 0)).collect();
    let scene = drawn(&calls(&rows), &viewport((0.0, 1.0), 10, Narrow::Apart), Some(0));
    assert_eq!(scene.count, [1, 1, 97, 1]);
    assert_eq!(scene.crowded, 97);
    // Every fifth call is found: 0 alone, 5 to 95 together.
    assert_eq!(scene.hits, [1, 0, 19, 0]);
}

#[test]
fn the_selected_call_has_its_place_however_small_it_is() {
    let rows: Vec<_> = (0..100).map(|at| (at, at + 1, 0)).collect();
    let selected = |slice, depths| {
        let narrow = viewport((0.0, 1.0), 10, Narrow::Joined);
        let viewport = FlameViewport { selected: Some(slice), depths, ..narrow };
        drawn(&calls(&rows), &viewport, None).selected
    };
    assert_eq!(selected(50, 0..9), Some((0.5, 0.51, 0)));
    assert_eq!(selected(50, 1..9), None);
    assert_eq!(selected(100, 0..9), None);
}

#[test]
fn an_edge_is_where_its_time_is_though_its_fraction_is_not() {
    // 2.007 µs times a thousand is more than 2007, 1.001 µs less than 1001.
    let slices = calls(&[(2007, 2007, 0)]);
    assert_eq!(text(&drawn(&slices, &viewport((0.0, 2.007), 10, Narrow::Joined), None)), [""; 0]);
    let slices = calls(&[(900, 1001, 0)]);
    let after = viewport((1.001, 2.0), 10, Narrow::Joined);
    assert_eq!(text(&drawn(&slices, &after, None)), [""; 0]);
}

#[test]
fn only_the_depths_wanted_are_drawn_and_nonsense_draws_nothing() {
    let slices = calls(&[(0, 100, 0), (10, 90, 1), (20, 80, 2)]);
    let middle = FlameViewport { depths: 1..2, ..viewport((0.0, 0.1), 10, Narrow::Joined) };
    assert_eq!(text(&drawn(&slices, &middle, None)), ["1: 1–9 ×1"]);
    for x in [(1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0)] {
        assert_eq!(drawn(&slices, &viewport(x, 10, Narrow::Apart), None), Flame::default());
    }
    assert_eq!(drawn(&slices, &viewport((0.0, 1.0), 0, Narrow::Apart), None), Flame::default());
}

/// Calls made by a stack, as a reader gives them: a call may outlast the one it was made in.
fn traced() -> impl Strategy<Value = Vec<(i64, i64, u16)>> {
    let step = (0..40_i64, prop_oneof![0..3_i64, 0..60_i64, 0..600_i64]);
    prop::collection::vec(step, 0..500).prop_map(|steps| {
        let (mut at, mut open, mut rows) = (0, Vec::<i64>::new(), Vec::new());
        for (later, duration) in steps {
            at += later;
            while open.last().is_some_and(|end| *end <= at) {
                open.pop();
            }
            rows.push((at, at + duration, open.len() as u16));
            open.push(at + duration);
        }
        rows
    })
}

/// One depth of the scene against its calls in view.
fn check_depth(
    rows: &[(usize, (i64, i64, u16))],
    scene: &Flame,
    rectangles: &[usize],
    viewport: &FlameViewport,
) -> Result<(), TestCaseError> {
    let width = f64::from(viewport.width_px);
    let scale = width / ((viewport.x.1 - viewport.x.0) * 1e3);
    let px = |time: i64| ((time as f64 - viewport.x.0 * 1e3) * scale).clamp(-width, 2.0 * width);
    let mut next = 0;
    for at in rectangles {
        let count = scene.count[*at] as usize;
        prop_assert!(count > 0 && next + count <= rows.len());
        let own = &rows[next..next + count];
        next += count;
        prop_assert!((f64::from(scene.x0[*at]) - px(own[0].1.0)).abs() < 1e-2);
        prop_assert!((f64::from(scene.x1[*at]) - px(own[count - 1].1.1)).abs() < 1e-2);
        let longest = own.iter().map(|(_, row)| row.1 - row.0).max();
        let shown = own.iter().find(|(row, _)| *row == scene.slice[*at] as usize);
        prop_assert_eq!(shown.map(|(_, row)| row.1 - row.0), longest);
        let found = own.iter().filter(|(row, _)| row % 5 == 2).count();
        prop_assert_eq!(scene.hits[*at] as usize, found);
        if count > 1 {
            let narrow = |row: &(i64, i64, u16)| ((row.1 - row.0) as f64) * scale < 1.0 + 1e-9;
            prop_assert!(own.iter().all(|(_, row)| narrow(row)));
            let gap = |pair: &[(usize, (i64, i64, u16))]| (pair[1].1.0 - pair[0].1.1) as f64;
            prop_assert!(own.windows(2).all(|pair| gap(pair) * scale < 1.0 + 1e-9));
        }
    }
    prop_assert_eq!(next, rows.len(), "every call in view is in a rectangle");
    let most = if viewport.narrow == Narrow::Joined { 2 } else { 4 };
    prop_assert!(rectangles.len() <= most * viewport.width_px as usize + 4);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_call_in_view_is_in_one_rectangle_and_no_hit_is_lost(
        rows in traced(),
        from in -500..8_000_i64,
        length in 1..9_000_i64,
        width_px in 1..60_u32,
        narrow in prop_oneof![Just(Narrow::Joined), Just(Narrow::Apart)],
    ) {
        let slices = calls(&rows);
        let x = (from as f64 / 1e3, (from + length) as f64 / 1e3);
        let viewport = FlameViewport { depths: 0..1_000, ..viewport(x, width_px, narrow) };
        let job = Job::unwatched();
        let index = SliceIndex::new(&slices, &job).expect("not cancelled");
        let name = index.names().iter().position(|name| *name == 2);
        let hits = SliceHits::of_names(&slices, &index, name.as_slice());
        let scene = flame(&slices, &index, Some(&hits), &viewport, &job).expect("not cancelled");
        let deepest = rows.iter().map(|row| row.2).max().unwrap_or(0);
        let mut seen = 0;
        for depth in 0..=deepest {
            let touches = |row: &(i64, i64, u16)| {
                row.0 < from + length && (row.1 > from || row.0 >= from) && row.2 == depth
            };
            let own: Vec<_> =
                rows.iter().copied().enumerate().filter(|(_, row)| touches(row)).collect();
            let at_depth = |at: &usize| scene.depth[*at] == u32::from(depth);
            let rectangles: Vec<usize> = (0..scene.slice.len()).filter(at_depth).collect();
            seen += rectangles.len();
            check_depth(&own, &scene, &rectangles, &viewport)?;
        }
        prop_assert_eq!(seen, scene.slice.len());
    }

    #[test]
    fn what_is_joined_could_not_be_joined_further(
        rows in traced(),
        length in 1..9_000_i64,
        width_px in 1..60_u32,
    ) {
        let slices = calls(&rows);
        let x = (0.0, length as f64 / 1e3);
        let scene = drawn(&slices, &viewport(x, width_px, Narrow::Joined), None);
        let scale = f64::from(width_px) / length as f64;
        for at in 1..scene.slice.len() {
            if scene.depth[at] != scene.depth[at - 1] {
                continue;
            }
            let wide = |at: usize| {
                let row = rows[scene.slice[at] as usize];
                (row.1 - row.0) as f64 * scale >= 1.0 - 1e-9
            };
            let gap = f64::from(scene.x0[at]) - f64::from(scene.x1[at - 1]);
            prop_assert!(wide(at) || wide(at - 1) || gap >= 1.0 - 1e-2);
        }
    }
}
