//! Whatever is asked, the answer is clamped or a refusal; never a panic, never a NaN.

use crate::{
    AnnotationsQuestion, Axis, ColorBy, Detail, ErrorCode, Highlight, SceneQuestion, annotations,
    block, live_set, scene_bytes, summary,
};
use model::*;
use proptest::prelude::*;
use session::{At, Job, Session};

/// One device with times: a block that lives on, one that is freed; and one device without events.
pub(super) fn session() -> Session {
    let block = |addr, born, died: Option<u32>| Block {
        addr,
        size: 512,
        requested: 500,
        born: State(born),
        released: died.map(State),
        died: died.map(State),
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Computed,
    };
    let actions = [Action::Alloc, Action::Alloc, Action::FreeCompleted];
    let events = Events {
        action: actions.iter().map(|action| action.code()).collect(),
        addr: vec![512, 1024, 1024].into(),
        size: vec![500, 500, 500].into(),
        stream: vec![0, 0, 0].into(),
        stack: vec![Events::NO_STACK; 3].into(),
        time_ns: Some(vec![10_000, 20_000, 30_000].into()),
        pool: None,
        note: None,
    };
    let busy =
        device(0, events, vec![block(512, 1, None), block(1024, 2, Some(3))], &[0, 512, 1024, 512]);
    let idle = device(1, Events::empty(), Vec::new(), &[0]);
    Session::new(recording(vec![busy, idle]), &Job::unwatched()).unwrap()
}

pub(super) fn device(
    ordinal: i32,
    events: Events,
    blocks: Vec<Block>,
    totals: &[u64],
) -> DeviceTable {
    let totals: Column<u64> = totals.iter().copied().collect();
    DeviceTable {
        device: Device::Accelerator(ordinal),
        block_of_event: vec![u32::MAX; events.len() as usize].into(),
        events,
        blocks: Blocks::new(blocks.into_iter()).unwrap(),
        segments: Segments::default(),
        counters: Counters { allocated: totals.clone(), active: totals.clone(), reserved: totals },
        workspaces: Vec::new(),
        track: None,
    }
}

pub(super) fn recording(devices: Vec<DeviceTable>) -> Recording {
    Recording {
        source: Source { name: "made".into(), bytes: 0, carrier: Carrier::Pickle, protocol: None },
        family: Family::Cuda,
        strings: Strings::new(vec![0, 0], Vec::new()).unwrap(),
        stacks: Stacks::new(vec![0, 0], Vec::new(), Vec::new(), Vec::new()).unwrap(),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: Vec::new(),
        other_actions: Vec::new(),
        devices,
        annotations: Vec::new(),
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 0,
        dump: None,
    }
}

/// Any double, with the troublesome ones often.
fn edges() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -2.0..5.0,
        prop::sample::select(vec![
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.0,
            -0.0,
            1e300,
        ]),
    ]
}

fn questions() -> impl Strategy<Value = SceneQuestion> {
    let axis = prop::sample::select(vec![Axis::Event, Axis::Time]);
    let colors =
        vec![ColorBy::Address, ColorBy::Stack, ColorBy::Size, ColorBy::Stream, ColorBy::Pool];
    let pixels = || prop_oneof![0..64_u32, Just(u32::MAX)];
    let rest = (
        prop::sample::select(colors),
        prop::sample::select(vec![Detail::Full, Detail::Lines]),
        prop::option::of(prop_oneof![0..4_u32, any::<u32>()]),
    );
    let x_y = (edges(), edges(), edges(), edges());
    (0..4_u32, axis, x_y, pixels(), pixels(), rest).prop_map(
        |(device, axis, (x0, x1, y0, y1), width_px, height_px, (color, detail, selected))| {
            SceneQuestion {
                session: 0,
                device,
                axis,
                x0,
                x1,
                y0,
                y1,
                width_px,
                height_px,
                color,
                detail,
                selected,
                highlight: selected.map(|block| Highlight::StackOf { block }),
            }
        },
    )
}

proptest! {
    #[test]
    fn any_viewport_is_answered(question in questions()) {
        let session = session();
        match scene_bytes(&session, &question, &Job::unwatched()) {
            Ok(bytes) => prop_assert!(bytes.len() < 16 << 20),
            Err(refusal) => prop_assert_eq!(refusal.code, ErrorCode::Bug),
        }
        let SceneQuestion { session: id, device, axis, x0, x1, width_px, .. } = question;
        let question = AnnotationsQuestion { session: id, device, axis, x0, x1, width_px };
        if let Err(refusal) = annotations(&session, &question) {
            prop_assert_eq!(refusal.code, ErrorCode::Bug);
        }
    }

    #[test]
    fn any_row_is_answered(device in any::<u32>(), row in any::<u32>(), top in any::<usize>()) {
        let session = session();
        for device in [device, 0, 1] {
            let known = device == 0 && row < 2;
            prop_assert_eq!(block(&session, device, row).is_ok(), known);
            prop_assert_eq!(live_set(&session, device, At::Peak, top).is_ok(), device < 2);
        }
    }
}

#[test]
fn a_device_without_events_and_one_without_stacks_have_answers() {
    let session = session();
    let summary = summary(&session);
    assert_eq!(summary.devices.len(), 2);
    assert_eq!(summary.stacks, 0);
    assert_eq!(summary.devices[1].peak.allocated.event, -1);
    assert!(!summary.devices[1].has_time);
    let text = serde_json::to_string(&summary).unwrap();
    assert!(!text.contains("null,\"to\""), "{text}");
    let details = block(&session, 0, 1).unwrap();
    assert_eq!(details.alloc_stack.missing.as_deref(), Some("no_context"));
    assert_eq!((details.address.as_str(), details.life_us), ("0x400", Some(crate::Micros(10_000))));
}

#[test]
fn refusals_keep_their_reason_and_cancelling_is_its_own() {
    let refusal = crate::WireError::from(::session::Cancelled);
    assert_eq!(refusal.code, ErrorCode::Cancelled);
    let damaged =
        ::session::ImportError::Damaged { format: "pickle", offset: 7, problem: "x".into() };
    let refusal = crate::WireError::from(damaged);
    assert_eq!(refusal.code, ErrorCode::Damaged);
    assert_eq!(refusal.message, "pickle is damaged at byte 7: x");
}

/// A page that asks for more pixels gets fewer, and would read other bytes off them.
#[test]
fn the_page_knows_how_large_a_picture_can_be() {
    let page = include_str!("../../../../ui/src/wire/limits.ts");
    let stated = page.split_once("MOST_PX = ").unwrap().1.split_once(';').unwrap().0;
    assert_eq!(stated.replace('_', "").parse(), Ok(crate::viewport::MOST_PX));
}
