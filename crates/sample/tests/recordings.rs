//! Whole recordings: what `CPython` reads in them must agree with the truth.

mod python;

use proptest::prelude::*;
use sample::{Features, Plan, Rounding, Truth, Writer, bundled, write, write_files};

fn written(plan: &Plan) -> (Vec<u8>, Truth) {
    let mut bytes = Vec::new();
    let truth = write(plan, &mut bytes).expect("a vector takes all bytes");
    (bytes, truth)
}

/// Writes the plan's files and lets Python judge them.
fn check(plan: &Plan) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording.pickle");
    write_files(plan, &file).expect("written");
    let truth = folder.path().join("recording.truth.json");
    let options: &[_] = if plan.writer == Writer::CPython { &["same-bytes"] } else { &[] };
    if let Some(answer) = python::run("check.py", &[&file, &truth], options, "") {
        assert_eq!(answer, "ok", "{plan:?}");
    }
}

fn plan(events: u64, features: Features) -> Plan {
    Plan { features, ..Plan::new(events) }
}

fn everything() -> Features {
    Features { private_pool: true, oom: true, pending_at_end: true, ..Features::default() }
}

#[test]
fn cpython_reads_the_truth_from_every_writer_and_protocol() {
    for protocol in [2, 3, 4, 5] {
        check(&Plan { protocol, ..plan(6_000, everything()) });
    }
    check(&Plan { writer: Writer::Cpp, ..plan(6_000, everything()) });
}

#[test]
fn cpython_reads_the_truth_from_the_bundled_sample() {
    check(&bundled());
}

#[test]
fn cpython_reads_the_truth_from_expandable_segments() {
    check(&plan(12_000, Features { expandable: true, ..everything() }));
    check(&Plan {
        writer: Writer::Cpp,
        ..plan(12_000, Features { expandable: true, ..everything() })
    });
}

#[test]
fn cpython_reads_the_truth_from_npu_recordings() {
    let npu = Plan {
        device: Rounding::Npu,
        ..plan(6_000, Features { workspaces: true, ..everything() })
    };
    check(&npu);
    check(&Plan { writer: Writer::Cpp, ..npu.clone() });
    check(&Plan { features: Features { expandable: true, ..npu.features }, ..npu });
}

#[test]
fn cpython_reads_the_truth_from_rings_devices_and_settings() {
    let features = Features {
        ring: Some(3_000),
        devices: 2,
        roundup_power2_divisions: 4,
        max_split_size: Some(32 << 20),
        deep_stacks: false,
        ..everything()
    };
    check(&plan(12_000, features.clone()));
    check(&Plan { writer: Writer::Cpp, ..plan(12_000, features) });
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    let plan = plan(5_000, Features { expandable: true, devices: 2, ..everything() });
    assert_eq!(written(&plan), written(&plan));
    assert_ne!(written(&plan).0, written(&Plan { seed: 2, ..plan }).0);
}

#[test]
fn the_bundled_sample_is_the_same_on_every_platform() {
    let (bytes, _) = written(&bundled());
    let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    // Changes with the generator; must not change with the machine.
    assert_eq!((bytes.len(), format!("{hash:016x}").as_str()), (2_398_374, "4b7fbb995a891c91"));
}

#[test]
fn the_bundled_sample_shows_what_it_is_for() {
    let (bytes, truth) = written(&bundled());
    assert!(bytes.len() < 3_000_000);
    let device = &truth.devices[0];
    let peak = &device.peaks.allocated;
    assert!((7_000..13_000).contains(&peak.event), "the peak is in the middle: {peak:?}");
    assert!(device.steps >= 8);
    assert!(device.leaks[0].count >= 7 && device.leaks[0].bytes > peak.value / 20);
    assert!(device.ghosts > 0 && device.pending > 0);
    assert!(device.actions["oom"] > 0 && device.actions["snapshot"] > 0);
    // Some blocks are freed that no event allocates.
    assert!(device.start.blocks > device.ghosts);
}

#[test]
fn a_ring_keeps_the_newest_events() {
    let whole = plan(9_000, everything());
    let ring = plan(9_000, Features { ring: Some(1_500), ..everything() });
    let (_, whole) = written(&whole);
    let (_, truth) = written(&ring);
    let (whole, device) = (&whole.devices[0], &truth.devices[0]);
    assert_eq!((device.events, device.dropped), (1_500, 7_500));
    assert_eq!((device.final_reserved, device.segments), (whole.final_reserved, whole.segments));
    assert_eq!(
        device.totals.last().map(|at| at.allocated),
        whole.totals.last().map(|at| at.allocated)
    );
    assert!(device.unpaired_annotations > 0 && device.ghosts > whole.ghosts);
    assert!(device.leaks[0].count < device.leaks[0].count_in_all);
}

#[test]
fn names_can_be_markup_and_change_nothing_else() {
    let spoiled = plan(4_000, Features { markup: true, ..everything() });
    check(&spoiled);
    let (bytes, truth) = written(&spoiled);
    let (_, plain) = written(&plan(4_000, everything()));
    let markup = sample::MARKUP.as_bytes();
    let found = bytes.windows(markup.len()).filter(|window| *window == markup).count();
    assert!(found as u64 > truth.frames, "{found} of {} frames", truth.frames);
    assert_eq!(truth.devices[0].totals, plain.devices[0].totals);
}

#[test]
fn the_truth_comes_back_from_json() {
    let (_, truth) = written(&plan(1_000, everything()));
    let text = serde_json::to_string(&truth).expect("the truth is plain");
    assert_eq!(serde_json::from_str::<Truth>(&text).expect("it was written so"), truth);
}

fn features() -> impl Strategy<Value = Features> {
    let flags = prop::collection::vec(any::<bool>(), 10);
    (flags, 1u32..3, prop::option::of(1u64..2000)).prop_map(|(flags, devices, ring)| Features {
        expandable: flags[0],
        side_stream: flags[1],
        private_pool: flags[2],
        leak: flags[3],
        fragmentation: flags[4],
        oom: flags[5],
        empty_cache: flags[6],
        annotations: flags[7],
        deep_stacks: flags[8],
        pending_at_end: flags[9],
        devices,
        ring,
        ..Features::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_recording_is_exactly_as_long_as_planned(
        events in 0u64..6_000,
        seed in any::<u64>(),
        features in features(),
    ) {
        let ring = features.ring.unwrap_or(u64::MAX);
        let devices = u64::from(features.devices);
        let (_, truth) = written(&Plan { seed, ..plan(events, features) });
        let share = |device: u64| (events / devices + u64::from(device < events % devices)).min(ring);
        let lengths: Vec<_> = truth.devices.iter().map(|device| device.events).collect();
        prop_assert_eq!(lengths, (0..devices).map(share).collect::<Vec<_>>());
        for device in &truth.devices {
            prop_assert_eq!(device.actions.values().sum::<u64>(), device.events);
        }
    }
}
