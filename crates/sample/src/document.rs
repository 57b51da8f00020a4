//! The recording as a pickle: segments, traces, settings, annotations.

mod entries;
mod segments;

use std::collections::HashMap;
use std::io;

pub(crate) use entries::Entries;

use crate::annotation::{Annotation, Label, Stage};
use crate::event::{PoolId, Trace};
use crate::pickle::emitter::{Emitter, FALSE, Kind, Memo, TRUE, Uses, push_get};
use crate::pickle::words::Word;
use crate::plan::{Features, Rounding, Writer};
use crate::stacks::Stacks;

/// Writes the parts of a recording, in the order the file has them.
pub(crate) struct Document<'a> {
    emitter: Emitter<'a>,
    rounding: Rounding,
    stacks: &'a Stacks,
    frames: Vec<Option<Memo>>,
    /// For each frame, whether more than one list has it.
    frame_uses: Vec<Uses>,
    /// For each stack, the opcodes of its frames, once each of them is in the memo.
    bodies: Vec<Option<Box<[u8]>>>,
    /// The stack lists that segments and blocks share with events, by call.
    shared: HashMap<(u32, u64), Memo>,
    no_frames: Option<Memo>,
}

impl<'a> Document<'a> {
    /// `stack_lists` says how many list objects have each stack.
    pub(crate) fn new(
        emitter: Emitter<'a>,
        rounding: Rounding,
        stacks: &'a Stacks,
        stack_lists: &[u32],
    ) -> Self {
        let mut counts = vec![0u32; stacks.frames().len()];
        for (stack, &lists) in stack_lists.iter().enumerate() {
            for &frame in stacks.get(crate::event::StackId(stack as u32)) {
                counts[frame as usize] = counts[frame as usize].saturating_add(lists);
            }
        }
        Self {
            emitter,
            rounding,
            stacks,
            frames: vec![None; counts.len()],
            frame_uses: counts
                .into_iter()
                .map(|count| if count > 1 { Uses::Again } else { Uses::Once })
                .collect(),
            bodies: vec![None; stacks.len()],
            shared: HashMap::new(),
            no_frames: None,
        }
    }

    /// How many keys the file has.
    pub(crate) fn keys(&self) -> usize {
        if self.rounding == Rounding::Cuda { 4 } else { 2 }
    }

    pub(crate) fn emitter(&mut self) -> &mut Emitter<'a> {
        &mut self.emitter
    }

    /// Ends the file; returns its length in bytes.
    pub(crate) fn finish(self) -> io::Result<u64> {
        self.emitter.finish()
    }

    fn int(&mut self, key: Word, number: u64) -> io::Result<()> {
        self.emitter.word(key)?;
        self.emitter.int(number.into())
    }

    fn word(&mut self, key: Word, value: Word) -> io::Result<()> {
        self.emitter.word(key)?;
        self.emitter.word(value)
    }

    fn pool(&mut self, key: Word, (first, second): PoolId) -> io::Result<()> {
        self.emitter.word(key)?;
        self.emitter.open_tuple(2)?;
        self.emitter.int(first.into())?;
        self.emitter.int(second.into())?;
        self.emitter.close_tuple(2, Uses::Once);
        Ok(())
    }

    /// A stack's list, new or by reference.
    fn list_of(&mut self, device: u32, trace: Trace, uses: Uses) -> io::Result<Option<Memo>> {
        if let Some(&memo) = self.shared.get(&(device, trace.call)) {
            self.emitter.get(memo)?;
            return Ok(Some(memo));
        }
        let stacks = self.stacks;
        let frames = stacks.get(trace.stack);
        let mut open = self.emitter.open(Kind::List, frames.len())?;
        let body = trace.stack.0 as usize;
        let is_ready = self.bodies[body].as_ref().is_some_and(|opcodes| {
            // The body begins with its MARK, if it has one.
            self.emitter.ready(opcodes)
        });
        if !is_ready {
            for &frame in frames {
                self.emitter.item(&mut open);
                self.frame(frame)?;
            }
            self.keep_body(body, frames);
        }
        Ok(self.emitter.close(open, uses))
    }

    /// Keeps the opcodes of a stack whose frames are all in the memo.
    fn keep_body(&mut self, body: usize, frames: &[u32]) {
        if self.bodies[body].is_some() {
            return;
        }
        let mut opcodes = Vec::new();
        if frames.len() > 1 && self.emitter.writer() == Writer::CPython {
            opcodes.push(b'(');
        }
        for &frame in frames {
            let Some(memo) = self.frames[frame as usize] else { return };
            push_get(&mut opcodes, memo);
        }
        self.bodies[body] = Some(opcodes.into());
    }

    fn frame(&mut self, frame: u32) -> io::Result<()> {
        if let Some(memo) = self.frames[frame as usize] {
            return self.emitter.get(memo);
        }
        let stacks = self.stacks;
        let place = &stacks.frames()[frame as usize];
        let mut open = self.emitter.open(Kind::Dict, 3)?;
        self.emitter.item(&mut open);
        self.emitter.word(Word::Name)?;
        self.emitter.text(&place.name)?;
        self.emitter.item(&mut open);
        self.emitter.word(Word::Filename)?;
        self.emitter.text(&place.file)?;
        self.emitter.item(&mut open);
        self.int(Word::Line, place.line)?;
        self.frames[frame as usize] = self.emitter.close(open, self.frame_uses[frame as usize]);
        Ok(())
    }

    /// `allocator_settings`, as torch 2.12 writes it; with a threshold for pinned memory, as 2.13.
    pub(crate) fn settings(&mut self, features: &Features) -> io::Result<()> {
        let newer = if features.max_round_threshold.is_some() { 2 } else { 0 };
        let mut open = self.emitter.open(Kind::Dict, 9 + newer)?;
        let mut conf = Vec::new();
        if features.expandable {
            conf.push("expandable_segments:True".to_owned());
        }
        if let Some(size) = features.max_split_size {
            conf.push(format!("max_split_size_mb:{}", size >> 20));
        }
        if features.roundup_power2_divisions > 0 {
            conf.push(format!("roundup_power2_divisions:{}", features.roundup_power2_divisions));
        }
        if let Some(size) = features.max_round_threshold {
            conf.push(format!("pinned_max_round_threshold_mb:{}", size >> 20));
        }
        let limit = features.max_split_size.map_or(-1, i128::from);
        let flag = if features.expandable { TRUE } else { FALSE };
        self.setting(&mut open, "PYTORCH_CUDA_ALLOC_CONF")?;
        match conf.join(",").as_str() {
            "" => self.emitter.word(Word::Nothing)?,
            conf => drop(self.emitter.text(conf)?),
        }
        self.setting(&mut open, "max_split_size")?;
        self.emitter.int(limit)?;
        self.setting(&mut open, "garbage_collection_threshold")?;
        self.emitter.float(0.0)?;
        self.setting(&mut open, "expandable_segments")?;
        self.emitter.constant(flag)?;
        self.setting(&mut open, "pinned_num_register_threads")?;
        self.emitter.int(1)?;
        for name in [
            "release_lock_on_cudamalloc",
            "pinned_use_cuda_host_register",
            "graph_capture_record_stream_reuse",
        ] {
            self.setting(&mut open, name)?;
            self.emitter.constant(FALSE)?;
        }
        self.setting(&mut open, "roundup_power2_divisions")?;
        let mut divisions = self.emitter.open(Kind::Dict, 16)?;
        for power in 0..16 {
            self.setting(&mut divisions, &(1u32 << power).to_string())?;
            self.emitter.int(features.roundup_power2_divisions.into())?;
        }
        self.emitter.close(divisions, Uses::Once);
        if let Some(size) = features.max_round_threshold {
            self.setting(&mut open, "max_round_threshold")?;
            self.emitter.int(size.into())?;
            self.setting(&mut open, "max_cached_size")?;
            self.emitter.int(-1)?;
        }
        self.emitter.close(open, Uses::Once);
        Ok(())
    }

    fn setting(&mut self, open: &mut crate::pickle::emitter::Open, name: &str) -> io::Result<()> {
        self.emitter.item(open);
        self.emitter.text(name).map(drop)
    }

    /// `external_annotations`, device by device. Two of the keys are new objects each time, as torch makes them.
    pub(crate) fn annotations(&mut self, devices: &[&[Annotation]]) -> io::Result<()> {
        let count = devices.iter().map(|annotations| annotations.len()).sum();
        let mut list = self.emitter.open(Kind::List, count)?;
        for (device, annotations) in devices.iter().enumerate() {
            for annotation in *annotations {
                self.emitter.item(&mut list);
                let mut open = self.emitter.open(Kind::Dict, 4)?;
                self.setting(&mut open, "stage")?;
                self.emitter.text(if annotation.stage == Stage::Start {
                    "START"
                } else {
                    "END"
                })?;
                self.setting(&mut open, "name")?;
                // A step without its number is none.
                let is_step = matches!(annotation.label, Label::Step(_));
                let ending = if is_step { "" } else { self.stacks.ending() };
                self.emitter.text(&(annotation.label.text() + ending))?;
                self.emitter.item(&mut open);
                self.int(Word::Device, device as u64)?;
                self.emitter.item(&mut open);
                self.int(Word::TimeUs, annotation.time_us)?;
                self.emitter.close(open, Uses::Once);
            }
        }
        self.emitter.close(list, Uses::Once);
        Ok(())
    }
}
