//! The code that runs: frames and stacks, innermost frame first.

use std::collections::BTreeMap;

use crate::event::StackId;

/// One place in the code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) line: u64,
}

/// A frame in the tables of this crate: file, line, function.
pub(crate) type Place = (&'static str, u64, &'static str);

/// All stacks, and the frames they are made of.
#[derive(Default)]
pub(crate) struct Stacks {
    frames: Vec<Frame>,
    contents: Vec<Vec<u32>>,
    known_frames: BTreeMap<Frame, u32>,
    known: BTreeMap<Vec<u32>, u32>,
    /// What all names end in.
    ending: &'static str,
}

impl Stacks {
    /// None yet; names in them will end in `ending`.
    pub(crate) fn ending_in(ending: &'static str) -> Self {
        Self { ending, ..Self::default() }
    }

    /// What all names end in.
    pub(crate) fn ending(&self) -> &'static str {
        self.ending
    }

    /// The stack with these frames, outermost first as one writes them down.
    pub(crate) fn add(&mut self, outermost_first: &[Place]) -> StackId {
        let stack: Vec<_> =
            outermost_first.iter().rev().map(|&place| self.frame_id(place)).collect();
        let next = self.contents.len() as u32;
        let id = *self.known.entry(stack.clone()).or_insert(next);
        if id == next {
            self.contents.push(stack);
        }
        StackId(id)
    }

    fn frame_id(&mut self, (file, line, name): Place) -> u32 {
        let [name, file] = [name, file].map(|text| format!("{text}{}", self.ending));
        let frame = Frame { name, file, line };
        let next = self.frames.len() as u32;
        let id = *self.known_frames.entry(frame.clone()).or_insert(next);
        if id == next {
            self.frames.push(frame);
        }
        id
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub(crate) fn len(&self) -> usize {
        self.contents.len()
    }

    /// The frames of a stack, innermost first.
    pub(crate) fn get(&self, stack: StackId) -> &[u32] {
        &self.contents[stack.0 as usize]
    }

    /// The innermost frame that is the user's own code, as `file:line function`.
    pub(crate) fn user_frame(&self, stack: StackId) -> Option<String> {
        let mut frames = self.get(stack).iter().map(|&frame| &self.frames[frame as usize]);
        let own = frames.find(|frame| frame.file.starts_with("/workspace/"))?;
        Some(format!("{}:{} {}", own.file, own.line, own.name))
    }
}
