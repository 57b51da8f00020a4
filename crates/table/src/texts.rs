//! What the stacks of a recording say, sorted once.

use crate::Needle;
use job::{Cancelled, Job};
use model::{FrameId, Recording, StackId};
use rayon::prelude::*;

/// The order of a recording's stacks by their frames, and of their top frames by text.
///
/// Made once a recording and shared by the tables of all its devices.
#[derive(Debug, Clone)]
pub struct StackTexts {
    /// By stack: its place among all that say something else.
    places: Vec<u32>,
    /// By place: the first stack that says it.
    distinct: Vec<u32>,
    /// By stack: the place of its top frame in `tops`, or [`StackTexts::NONE`].
    top: Vec<u32>,
    /// Distinct texts of top frames, sorted.
    tops: Vec<String>,
}

impl StackTexts {
    const NONE: u32 = u32::MAX;

    /// Sorts the stacks of `recording`; `top_frame` says in one line which frame of a stack tells
    /// most.
    pub fn new(
        recording: &Recording,
        top_frame: impl Fn(StackId) -> Option<String>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let stacks = 0..recording.stacks.len() as u32;
        let mut texts = Vec::with_capacity(recording.stacks.len());
        for stack in stacks.clone() {
            if stack % 1024 == 0 {
                job.check()?;
            }
            texts.push(top_frame(StackId(stack)));
        }
        let mut tops: Vec<String> = texts.iter().flatten().cloned().collect();
        tops.par_sort_unstable();
        tops.dedup();
        let place = |text: &String| tops.binary_search(text).map_or(Self::NONE, |at| at as u32);
        let top = texts.par_iter().map(|text| text.as_ref().map_or(Self::NONE, place)).collect();
        job.check()?;

        let frames = frame_places(recording);
        let lines = |stack: u32| {
            let ids = recording.stacks.frame_ids(StackId(stack)).iter();
            ids.map(|frame| frames[*frame as usize])
        };
        let mut sorted: Vec<u32> = stacks.collect();
        sorted.par_sort_by(|a, b| lines(*a).cmp(lines(*b)));
        let mut places = vec![0; sorted.len()];
        let mut distinct: Vec<u32> = Vec::new();
        for stack in sorted {
            if distinct.last().is_none_or(|last| lines(*last).ne(lines(stack))) {
                distinct.push(stack);
            }
            places[stack as usize] = distinct.len() as u32 - 1;
        }
        Ok(Self { places, distinct, top, tops })
    }

    /// Texts of top frames, sorted.
    pub(crate) fn tops(&self) -> &[String] {
        &self.tops
    }

    /// Place in [`StackTexts::tops`]; `stack` is a row, or none.
    pub(crate) fn top(&self, stack: u32) -> Option<u32> {
        self.top.get(stack as usize).copied().filter(|place| *place != Self::NONE)
    }

    /// Place of `stack`, a row or none; nothing for one without frames.
    pub(crate) fn place(&self, stack: u32) -> Option<u32> {
        self.places.get(stack as usize).copied().filter(|_| stack != 0)
    }

    /// How many stacks say something else than all others.
    pub(crate) fn len(&self) -> usize {
        self.distinct.len()
    }

    /// The stack at `place`.
    pub(crate) fn stack(&self, place: usize) -> StackId {
        StackId(self.distinct[place])
    }

    /// By place: whether any frame of the stack has `needle` in its line.
    pub(crate) fn containing(&self, recording: &Recording, needle: &Needle) -> Vec<bool> {
        let frames: Vec<bool> = (0..recording.stacks.frame_count())
            .into_par_iter()
            .map(|frame| needle.is_in(&frame_line(recording, FrameId(frame as u32))))
            .collect();
        let has = |stack: &u32| {
            let ids = recording.stacks.frame_ids(StackId(*stack));
            ids.iter().any(|frame| frames[*frame as usize])
        };
        self.distinct.par_iter().map(has).collect()
    }
}

/// By frame: its place among the distinct lines.
fn frame_places(recording: &Recording) -> Vec<u32> {
    let count = recording.stacks.frame_count();
    let mut lines: Vec<(String, u32)> = (0..count as u32)
        .into_par_iter()
        .map(|frame| (frame_line(recording, FrameId(frame)), frame))
        .collect();
    lines.par_sort_unstable();
    let mut places = vec![0; count];
    let mut place = 0;
    for (at, (line, frame)) in lines.iter().enumerate() {
        if at > 0 && *line != lines[at - 1].0 {
            place += 1;
        }
        places[*frame as usize] = place;
    }
    places
}

/// `/home/me/mlp.py:62 forward`, with the whole path; a frame without a file by its name alone.
pub(crate) fn frame_line(recording: &Recording, frame: FrameId) -> String {
    let frame = recording.stacks.frame(frame);
    let (name, file) = (recording.text(frame.name), recording.text(frame.filename));
    match frame.line {
        _ if file.is_empty() || file == "??" => name.to_owned(),
        Some(line) => format!("{file}:{line} {name}"),
        None => format!("{file} {name}"),
    }
}

/// The lines of `stack`, innermost first.
pub(crate) fn stack_text(recording: &Recording, stack: StackId) -> String {
    let ids = recording.stacks.frame_ids(stack).iter();
    let lines: Vec<String> = ids.map(|frame| frame_line(recording, FrameId(*frame))).collect();
    lines.join("\n")
}
