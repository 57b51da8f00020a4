//! Two passes over the same run, and the truth about it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;

use crate::allocator::{Allocator, State};
use crate::annotation::{Annotation, Label, Stage};
use crate::document::{Document, Entries};
use crate::event::{Action, StackId};
use crate::markup::MARKUP;
use crate::pickle::emitter::{Emitter, Kind, Uses};
use crate::pickle::words::Word;
use crate::plan::{Plan, Rounding};
use crate::samples::Samples;
use crate::sites::{Depth, Sites, sites};
use crate::stacks::Stacks;
use crate::survey::Survey;
use crate::training::{self, Outcome};
use crate::truth::{DeviceTruth, Leak, Truth};
use crate::workspace;

/// One device after the first pass.
struct Surveyed {
    device: u32,
    dropped: u64,
    survey: Survey,
    outcome: Outcome,
}

impl Surveyed {
    fn events(&self) -> u64 {
        self.survey.seen() - self.dropped
    }
}

/// Simulates the run and writes its recording to `out`. Returns what is true about it.
pub fn write(plan: &Plan, out: &mut dyn Write) -> io::Result<Truth> {
    let mut stacks = Stacks::ending_in(if plan.features.markup { MARKUP } else { "" });
    let depth = if plan.features.deep_stacks { Depth::Deep } else { Depth::Shallow };
    let sites = sites(&mut stacks, depth, training::layers(plan.share(0)));
    let devices = (0..plan.features.devices.max(1))
        .map(|device| survey(plan, device, &sites, stacks.len()))
        .collect::<io::Result<Vec<_>>>()?;
    let (samples, bytes) = write_document(plan, &devices, &sites, &stacks, out)?;
    let devices: Vec<_> = devices
        .iter()
        .zip(samples)
        .map(|(device, samples)| device_truth(plan, device, samples, &sites, &stacks))
        .collect();
    Ok(Truth {
        bytes,
        events: devices.iter().map(|device| device.events + device.workspace_entries).sum(),
        stacks: stacks.len() as u64,
        frames: stacks.frames().len() as u64,
        devices,
    })
}

/// Writes the recording to `path` and the truth beside it, with the extension `truth.json`.
pub fn write_files(plan: &Plan, path: &Path) -> anyhow::Result<Truth> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::new(file);
    let truth =
        write(plan, &mut out).with_context(|| format!("cannot write {}", path.display()))?;
    let beside = path.with_extension("truth.json");
    let text = serde_json::to_string_pretty(&truth)?;
    std::fs::write(&beside, text + "\n")
        .with_context(|| format!("cannot write {}", beside.display()))?;
    Ok(truth)
}

/// The first pass over one device.
fn survey(plan: &Plan, device: u32, sites: &Sites, stacks: usize) -> io::Result<Surveyed> {
    let dropped = plan.dropped(device);
    let mut survey = Survey::new(dropped, stacks);
    let mut outcome = training::run(plan, device, sites, &mut survey)?;
    assert_eq!(survey.seen(), plan.share(device), "a recording is as long as planned");
    // Only blocks that are written count as users of a stack.
    for (_, block) in outcome.allocator.blocks.iter() {
        for trace in [block.trace, block.segment_trace].into_iter().flatten() {
            survey.count_list(trace.stack);
        }
    }
    if plan.device == Rounding::Npu {
        outcome.annotations.clear();
    }
    if dropped > 0 {
        let first = survey.first_time_us;
        outcome.annotations.retain(|annotation| annotation.time_us >= first);
    }
    Ok(Surveyed { device, dropped, survey, outcome })
}

/// The second pass: the file, and each device's samples.
fn write_document(
    plan: &Plan,
    devices: &[Surveyed],
    sites: &Sites,
    stacks: &Stacks,
    out: &mut dyn Write,
) -> io::Result<(Vec<Samples>, u64)> {
    let mut lists = vec![0u32; stacks.len()];
    for (stack, sum) in lists.iter_mut().enumerate() {
        *sum = devices
            .iter()
            .fold(0, |sum: u32, device| sum.saturating_add(device.survey.stack_lists[stack]));
    }
    let emitter = Emitter::new(out, plan.writer, plan.written_protocol())?;
    let mut document = Document::new(emitter, plan.device, stacks, &lists);
    let keys = document.keys();
    let mut open = document.emitter().open(Kind::Dict, keys)?;
    document.emitter().item(&mut open);
    document.emitter().word(Word::Segments)?;
    let allocators: Vec<&Allocator> =
        devices.iter().map(|device| &device.outcome.allocator).collect();
    document.segments(&allocators, &workspace::segments(plan))?;
    document.emitter().item(&mut open);
    document.emitter().word(Word::DeviceTraces)?;
    let mut traces = document.emitter().open(Kind::List, devices.len())?;
    let mut samples = Vec::new();
    for surveyed in devices {
        document.emitter().item(&mut traces);
        samples.push(write_trace(plan, surveyed, sites, &mut document)?);
    }
    document.emitter().close(traces, Uses::Once);
    if plan.device == Rounding::Cuda {
        document.emitter().item(&mut open);
        document.emitter().word(Word::AllocatorSettings)?;
        document.settings(&plan.features)?;
        document.emitter().item(&mut open);
        document.emitter().word(Word::ExternalAnnotations)?;
        let annotations: Vec<&[Annotation]> =
            devices.iter().map(|device| device.outcome.annotations.as_slice()).collect();
        document.annotations(&annotations)?;
    }
    document.emitter().close(open, Uses::Once);
    Ok((samples, document.finish()?))
}

fn write_trace(
    plan: &Plan,
    surveyed: &Surveyed,
    sites: &Sites,
    document: &mut Document<'_>,
) -> io::Result<Samples> {
    let Surveyed { device, dropped, survey, .. } = surveyed;
    let samples = Samples::new(&survey.peaks, surveyed.events(), *dropped, plan.seed);
    let extra = if *device == 0 { workspace::entries(plan) } else { Vec::new() };
    let count = surveyed.events() + extra.len() as u64;
    let mut entries = Entries::new(document, samples, *device, (count, *dropped))?;
    for event in extra {
        entries.extra(event)?;
    }
    training::run(plan, *device, sites, &mut entries)?;
    entries.finish()
}

fn device_truth(
    plan: &Plan,
    surveyed: &Surveyed,
    samples: Samples,
    sites: &Sites,
    stacks: &Stacks,
) -> DeviceTruth {
    let Surveyed { device, dropped, survey, outcome } = surveyed;
    let blocks = &outcome.allocator.blocks;
    let heads = blocks.segments();
    let counts = Action::ALL
        .iter()
        .map(|&action| (action.word().text().to_owned(), survey.actions[action as usize]));
    let active = || blocks.iter().map(|(_, block)| block).filter(|block| block.is_active());
    let is_written = |event: Option<u64>| event.is_some_and(|event| event >= *dropped);
    DeviceTruth {
        device: *device,
        events: surveyed.events(),
        dropped: *dropped,
        actions: counts.filter(|(_, count)| *count > 0).collect(),
        segments: heads.len() as u64,
        blocks: heads.iter().map(|&head| blocks.run(head).count() as u64).sum(),
        start_reserved: survey.start_reserved,
        final_reserved: outcome.allocator.totals.reserved,
        peak_reserved: survey.peaks.reserved,
        start: survey.start,
        peaks: survey.peaks,
        totals: samples.totals,
        live: samples.live,
        leaks: sites.leaks.iter().filter_map(|&stack| leak(surveyed, stack, stacks)).collect(),
        steps: whole_steps(&outcome.annotations),
        annotations: outcome.annotations.len() as u64,
        unpaired_annotations: unpaired(&outcome.annotations),
        ghosts: active().filter(|block| !is_written(block.alloc)).count() as u64,
        pending: active().filter(|block| block.state == State::Pending).count() as u64,
        workspace_entries: if *device == 0 { workspace::entries(plan).len() as u64 } else { 0 },
    }
}

/// What a leaking place holds at the end; nothing if it holds nothing.
fn leak(surveyed: &Surveyed, stack: StackId, stacks: &Stacks) -> Option<Leak> {
    let mut leak = Leak {
        frame: stacks.user_frame(stack)?,
        count: 0,
        bytes: 0,
        count_in_all: 0,
        bytes_in_all: 0,
    };
    for (_, block) in surveyed.outcome.allocator.blocks.iter() {
        if !block.is_active() || block.trace.is_none_or(|trace| trace.stack != stack) {
            continue;
        }
        leak.count_in_all += 1;
        leak.bytes_in_all += block.requested;
        if block.alloc.is_some_and(|event| event >= surveyed.dropped) {
            leak.count += 1;
            leak.bytes += block.requested;
        }
    }
    (leak.count_in_all > 0).then_some(leak)
}

/// Profiler steps with both ends.
fn whole_steps(annotations: &[Annotation]) -> u64 {
    let mut open = None;
    let mut steps = 0;
    for annotation in annotations {
        match (annotation.stage, annotation.label) {
            (Stage::Start, Label::Step(number)) => open = Some(number),
            (Stage::End, Label::Step(number)) if open == Some(number) => steps += 1,
            _ => {}
        }
    }
    steps
}

/// Ends without a start and starts without an end. Ranges nest.
fn unpaired(annotations: &[Annotation]) -> u64 {
    let mut open = Vec::new();
    let mut ends = 0;
    for annotation in annotations {
        match annotation.stage {
            Stage::Start => open.push(annotation.label),
            Stage::End if open.last() == Some(&annotation.label) => drop(open.pop()),
            Stage::End => ends += 1,
        }
    }
    ends + open.len() as u64
}
