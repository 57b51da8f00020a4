//! Generated recordings whose true answers are known: every figure agrees to the byte.

use acceptance::{blocks, info, open, say};
use sample::{DeviceTruth, Features, Plan, Rounding, Truth, Writer};
use session::{At, BlockId, Blocks, EventId, OnDevice, Origin, Session, State};
use std::path::Path;
use std::time::Instant;
use wire::{DeviceSummary, LiveSet};

/// Every switch alone, by name.
fn features(device: Rounding) -> Vec<(&'static str, Features)> {
    let none = || Features {
        side_stream: false,
        leak: false,
        fragmentation: false,
        empty_cache: false,
        annotations: false,
        deep_stacks: false,
        ..Features::default()
    };
    let mut list = vec![
        ("none", none()),
        ("default", Features::default()),
        ("expandable", Features { expandable: true, ..none() }),
        ("side_stream", Features { side_stream: true, ..none() }),
        ("private_pool", Features { private_pool: true, ..none() }),
        ("leak", Features { leak: true, ..none() }),
        ("fragmentation", Features { fragmentation: true, ..none() }),
        ("oom", Features { oom: true, ..none() }),
        ("empty_cache", Features { empty_cache: true, ..none() }),
        ("ring", Features { ring: Some(4_000), ..none() }),
        ("deep_stacks", Features { deep_stacks: true, ..none() }),
        ("devices", Features { devices: 3, ..none() }),
        ("pending_at_end", Features { side_stream: true, pending_at_end: true, ..none() }),
        ("everything", everything(device, Some(7_000))),
    ];
    match device {
        Rounding::Cuda => {
            list.push(("annotations", Features { annotations: true, ..none() }));
            list.push(("max_split_size", Features { max_split_size: Some(32 << 20), ..none() }));
            // A rule for pinned memory; a megabyte is less than many of the device's blocks.
            let threshold = Features {
                max_round_threshold: Some(1 << 20),
                roundup_power2_divisions: 4,
                ..none()
            };
            list.push(("max_round_threshold", threshold));
            list.push(("roundup", Features { roundup_power2_divisions: 8, ..none() }));
        }
        Rounding::Npu => list.push(("workspaces", Features { workspaces: true, ..none() })),
    }
    list
}

/// All that can go together. `torch_npu` writes no settings into its files, so there nobody can know
/// a `max_split_size`, which changes how freed blocks were cut: an NPU plan has none.
fn everything(device: Rounding, ring: Option<u64>) -> Features {
    let is_cuda = device == Rounding::Cuda;
    Features {
        private_pool: true,
        oom: true,
        ring,
        devices: 2,
        max_split_size: is_cuda.then_some(64 << 20),
        roundup_power2_divisions: if is_cuda { 4 } else { 0 },
        pending_at_end: true,
        workspaces: !is_cuda,
        ..Features::default()
    }
}

/// Writes `plan`, and compares everything that is known about it.
fn check(name: &str, plan: &Plan) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("generated.pickle");
    let begun = Instant::now();
    let truth = sample::write_files(plan, &path).unwrap();
    let written = begun.elapsed();
    let mut differences = Vec::new();
    compare(&path, &truth, &mut differences);
    let (all, write) = (begun.elapsed().as_secs_f64(), written.as_secs_f64());
    say(&format!(
        "{name}: {} events, written in {write:.2} s, compared in {:.2} s",
        truth.events,
        all - write
    ));
    assert_eq!(differences, Vec::<String>::new(), "{name}: {plan:?}");
}

fn compare(path: &Path, truth: &Truth, differences: &mut Vec<String>) {
    let (summary, session) = (info(path), open(path));
    if summary.bytes != truth.bytes || summary.devices.len() != truth.devices.len() {
        differences.push(format!("bytes {}, devices {}", summary.bytes, summary.devices.len()));
        return;
    }
    for (row, (ours, theirs)) in summary.devices.iter().zip(&truth.devices).enumerate() {
        let mut check = Check {
            device: row,
            shift: i64::from(ours.events) - theirs.events as i64,
            workspaces: Workspaces::of(session.device(row).unwrap()),
            differences,
        };
        check.counts(ours, theirs);
        check.sums(ours, theirs);
        let on = session.device(row).unwrap();
        check.totals(on, theirs);
        check.live_sets(&session, path, ours, theirs);
        check.leaks(&session, on, theirs);
    }
}

/// `torch_npu` workspaces: the truth counts them in no sum, we count them from the start to the end.
///
/// The file says how they are when it is written and nothing of their past; their memory is taken,
/// so an end without them would be too low, and a start with them is the simplest past there is.
#[derive(Clone, Copy)]
struct Workspaces {
    count: u64,
    bytes: u64,
}

impl Workspaces {
    fn of(on: OnDevice<'_>) -> Self {
        let list = &on.table().workspaces;
        Self { count: list.len() as u64, bytes: list.iter().map(|buffer| buffer.size).sum() }
    }
}

struct Check<'a> {
    device: usize,
    /// Entries in front of the list that the truth's indices do not count: the workspaces'.
    shift: i64,
    workspaces: Workspaces,
    differences: &'a mut Vec<String>,
}

impl Check<'_> {
    fn same<T: Copy + PartialEq + std::fmt::Debug>(&mut self, what: &str, ours: T, truth: T) {
        if ours != truth {
            let device = self.device;
            self.differences
                .push(format!("device {device}: {what}: ours {ours:?}, truth {truth:?}"));
        }
    }

    /// The truth's index in our table.
    fn event(&self, event: i64) -> i64 {
        if event < 0 { event } else { event + self.shift }
    }

    fn counts(&mut self, ours: &DeviceSummary, truth: &DeviceTruth) {
        self.same("entries", u64::from(ours.events), truth.events + truth.workspace_entries);
        let triples = truth.workspace_entries / 3;
        for action in &ours.actions {
            let extra = match action.action.as_str() {
                "workspace_snapshot" | "segment_alloc" | "alloc" => triples,
                _ => 0,
            };
            let count = truth.actions.get(&action.action).copied().unwrap_or(0);
            self.same(&action.action, u64::from(action.count), count + extra);
        }
        self.same("ranges", u64::from(ours.annotations), {
            (truth.annotations - truth.unpaired_annotations) / 2 + truth.unpaired_annotations
        });
        if truth.unpaired_annotations == 0 {
            self.same("steps", u64::from(ours.steps), truth.steps);
        }
        let count = truth.start.blocks + self.workspaces.count;
        self.same("start live", u64::from(ours.start_live.count), count);
        self.same("segments", u64::from(ours.segments), truth.segments + self.workspaces.count);
        self.same(
            "final blocks",
            u64::from(ours.final_blocks),
            truth.blocks + self.workspaces.count,
        );
    }

    fn sums(&mut self, ours: &DeviceSummary, truth: &DeviceTruth) {
        let start = (ours.start.allocated, ours.start.active, ours.start_live.requested);
        let more = self.workspaces.bytes;
        let truths = [truth.start.allocated, truth.start.active, truth.start.requested];
        self.same("start", start.into(), truths.map(|bytes| bytes + more));
        self.same("start reserved", ours.start.reserved, truth.start_reserved + more);
        self.same("final reserved", ours.end.reserved, truth.final_reserved + more);
        let peaks = [
            ("allocated", ours.peak.allocated, truth.peaks.allocated),
            ("active", ours.peak.active, truth.peaks.active),
            ("reserved", ours.peak.reserved, truth.peaks.reserved),
            ("requested", ours.peak_requested, truth.peaks.requested),
        ];
        for (name, ours, truth) in peaks {
            let expected = (truth.value + more, self.event(truth.event));
            self.same(&format!("peak of {name}"), (ours.bytes, ours.event), expected);
        }
    }

    fn totals(&mut self, on: OnDevice<'_>, truth: &DeviceTruth) {
        let counters = &on.table().counters;
        for totals in &truth.totals {
            let row = (self.event(totals.event) + 1) as usize;
            let ours = (counters.allocated[row], counters.active[row], counters.reserved[row]);
            let more = self.workspaces.bytes;
            let expected = [totals.allocated, totals.active, totals.reserved].map(|sum| sum + more);
            self.same(&format!("totals after {}", totals.event), ours.into(), expected);
            let set = on.live_set(at(row as i64 - 1), 0).unwrap();
            self.same("requested", set.total.requested, totals.requested + more);
            self.same("live active", set.total.size, totals.active + more);
            self.same("live allocated", set.allocated.size, totals.allocated + more);
        }
        let table = on.table();
        let lasting = |row: &u32| table.blocks.died()[*row as usize] == Blocks::NEVER;
        let ghosts =
            (0..table.blocks.len()).filter(lasting).map(|row| table.blocks.get(BlockId(row)));
        let ghosts = ghosts.filter(|block| block.born == State(0)).count() as u64;
        self.same("ghosts", ghosts, truth.ghosts + self.workspaces.count);
        let end = on.live_set(At::End, 0).unwrap();
        self.same("pending", u64::from(end.pending.count), truth.pending);
    }

    fn live_sets(
        &mut self,
        session: &Session,
        path: &Path,
        ours: &DeviceSummary,
        truth: &DeviceTruth,
    ) {
        for (row, set) in truth.live.iter().enumerate() {
            let event = self.event(set.event);
            let found = match row {
                // The first through the command line, the others through the wire alone: a big file
                // is not opened again for each.
                0 => blocks(path, &ours.name, &event.to_string(), usize::MAX),
                _ => wire::live_set(session, self.device as u32, at(event), usize::MAX).unwrap(),
            };
            let total = found.total;
            let Workspaces { count, bytes } = self.workspaces;
            let sums = [u64::from(total.count), total.requested, total.size];
            let truths = [set.count + count, set.requested + bytes, set.size + bytes];
            self.same(&format!("live after {}", set.event), sums, truths);
            self.largest(session, &found, set);
        }
    }

    /// The truth lists equal sizes by address, we by requested first.
    fn largest(&mut self, session: &Session, found: &LiveSet, truth: &sample::LiveSet) {
        let blocks = &session.device(self.device).unwrap().table().blocks;
        let origin = |row: &wire::LiveBlock| blocks.get(BlockId(row.block)).origin;
        let mut rows: Vec<_> =
            found.blocks.iter().filter(|row| origin(row) != Origin::Workspace).collect();
        let address = |row: &wire::LiveBlock| u64::from_str_radix(&row.address[2..], 16).unwrap();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.size), address(row)));
        for (ours, truth) in rows.iter().zip(&truth.largest) {
            let freed = if ours.is_pending { ours.free_event.map(i64::from) } else { None };
            self.same(
                &format!("a block live after {}", found.event),
                (address(ours), ours.size, ours.requested, ours.alloc_event.map(i64::from), freed),
                (
                    truth.address,
                    truth.size,
                    truth.requested,
                    truth.alloc.map(|event| self.event(event)),
                    truth.free_requested.map(|event| self.event(event)),
                ),
            );
        }
    }

    /// Every leak is found by asking any of its blocks for its kin.
    fn leaks(&mut self, session: &Session, on: OnDevice<'_>, truth: &DeviceTruth) {
        let end = on.live_set(At::End, usize::MAX).unwrap();
        let recording = session.recording();
        let place = |row: &session::LiveBlock| {
            let frame = recording.stacks.frame(row.top_frame?.frame);
            let (file, name) = (recording.text(frame.filename), recording.text(frame.name));
            Some(format!("{file}:{} {name}", frame.line?))
        };
        for leak in &truth.leaks {
            let leaked = end.largest.iter().find(|row| place(row).as_deref() == Some(&leak.frame));
            let kin = leaked.and_then(|row| on.block(row.id)).map(|block| block.same_stack.unfreed);
            let ours = kin.map(|amount| (u64::from(amount.count), amount.requested));
            self.same(&leak.frame, ours, Some((leak.count_in_all, leak.bytes_in_all)));
        }
    }
}

/// The moment right after `event`.
fn at(event: i64) -> At {
    u32::try_from(event).map_or(At::Start, |event| At::Event(EventId(event)))
}

#[test]
fn every_feature_alone_and_all_together_agree_at_ten_thousand_events() {
    for device in [Rounding::Cuda, Rounding::Npu] {
        for (name, features) in features(device) {
            check(&format!("{device:?} {name}"), &Plan { device, features, ..Plan::new(10_000) });
        }
    }
}

#[test]
fn both_writers_and_every_protocol_agree() {
    for device in [Rounding::Cuda, Rounding::Npu] {
        let features = everything(device, None);
        for protocol in 2..=5 {
            let plan = Plan { device, protocol, features: features.clone(), ..Plan::new(10_000) };
            check(&format!("{device:?} protocol {protocol}"), &plan);
        }
        let plan = Plan { device, writer: Writer::Cpp, features, ..Plan::new(10_000) };
        check(&format!("{device:?} by the C++ writer"), &plan);
    }
}

#[test]
fn other_seeds_agree() {
    for seed in 2..8 {
        let device = if seed % 2 == 0 { Rounding::Cuda } else { Rounding::Npu };
        let ring = (seed % 3 == 0).then_some(3_000);
        let features = everything(device, ring);
        check(&format!("seed {seed}"), &Plan { device, seed, features, ..Plan::new(10_000) });
    }
}

#[test]
fn a_million_events_agree_with_cuda_rounding() {
    let features = Features { devices: 1, ..everything(Rounding::Cuda, None) };
    check("CUDA", &Plan { features, ..Plan::new(1_000_000) });
}

#[test]
fn a_million_events_agree_with_npu_rounding() {
    let device = Rounding::Npu;
    let features = Features { devices: 1, ..everything(device, Some(600_000)) };
    check("NPU", &Plan { device, writer: Writer::Cpp, features, ..Plan::new(1_000_000) });
}

#[test]
fn a_million_events_of_expandable_segments_agree() {
    let features =
        Features { expandable: true, private_pool: true, oom: true, ..Features::default() };
    check("expandable", &Plan { features, ..Plan::new(1_000_000) });
}
