//! An allocator with a clock and a recording that is exactly as long as planned.

use std::io;

use crate::allocator::{Allocator, BlockId, KIB, Kind, Recording, Refused, Request};
use crate::annotation::{Annotation, Label, Stage};
use crate::event::{Observer, PoolId, StackId};
use crate::random::Random;

/// Events kept for the end of the recording.
const RESERVE: u64 = 16;
/// Below this many events, each request is checked for what it may record.
const CAREFUL: u64 = 16_384;
/// 2026-03-02, in microseconds.
const EPOCH_US: u64 = 1_772_409_600_000_000;

/// Why the program stops what it is doing.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The recording is as long as planned.
    Finished,
    OutOfMemory,
    Io(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How the recording ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Quiet,
    /// With deferred frees that are not complete.
    Waiting,
}

/// One device while it is recorded.
pub(crate) struct Machine<'a> {
    pub(crate) allocator: Allocator,
    pub(crate) random: Random,
    pub(crate) annotations: Vec<Annotation>,
    target: u64,
    observer: &'a mut dyn Observer,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        mut allocator: Allocator,
        seed: u64,
        target: u64,
        observer: &'a mut dyn Observer,
    ) -> Self {
        allocator.time_us = EPOCH_US + seed % 1000;
        Self { allocator, random: Random::new(seed), annotations: Vec::new(), target, observer }
    }

    /// Switches the recording on.
    pub(crate) fn record(&mut self) {
        self.allocator.recording = Recording::On;
        self.observer.begin(self.allocator.totals, &self.allocator.blocks);
    }

    /// How much of the recording is done, in thousandths.
    pub(crate) fn progress(&self) -> u64 {
        self.allocator.events() * 1000 / self.target.max(1)
    }

    fn left(&self) -> u64 {
        self.target.saturating_sub(self.allocator.events())
    }

    /// Three calls in ten come within the same microsecond.
    fn tick(&mut self) {
        let passed = self.random.below(100);
        self.allocator.time_us += passed.saturating_sub(30);
    }

    /// Stops the program unless `events` more can be recorded.
    fn need(&self, events: u64) -> Result<(), Halt> {
        let recording = self.allocator.recording == Recording::On;
        if recording && events + self.allocator.waiting() + RESERVE > self.left() {
            return Err(Halt::Finished);
        }
        Ok(())
    }

    pub(crate) fn malloc(&mut self, request: Request) -> Result<BlockId, Halt> {
        self.tick();
        if self.left() < CAREFUL {
            let most = self.allocator.most_events(request);
            self.need(most)?;
        }
        self.allocator.malloc(request, self.observer).map_err(|refused| match refused {
            Refused::OutOfMemory => Halt::OutOfMemory,
            Refused::Io(error) => Halt::Io(error),
        })
    }

    pub(crate) fn free(&mut self, block: BlockId, stack: StackId) -> Result<(), Halt> {
        self.tick();
        self.need(2)?;
        Ok(self.allocator.free(block, stack, self.observer)?)
    }

    /// Frees a block that stream `user` needs for `calls` more calls.
    pub(crate) fn free_later(
        &mut self,
        block: BlockId,
        stack: StackId,
        user: u64,
        calls: u64,
    ) -> Result<(), Halt> {
        self.tick();
        self.need(3)?;
        Ok(self.allocator.free_later(block, stack, (user, calls), self.observer)?)
    }

    pub(crate) fn empty_cache(&mut self, stack: StackId) -> Result<(), Halt> {
        self.tick();
        if self.left() < CAREFUL {
            // What completes may become whole.
            self.need(self.allocator.releasable().0 + 2 * self.allocator.waiting())?;
        }
        Ok(self.allocator.empty_cache(stack, self.observer)?)
    }

    pub(crate) fn note_snapshot(&mut self) -> Result<(), Halt> {
        self.tick();
        self.need(1)?;
        Ok(self.allocator.note_snapshot(self.observer)?)
    }

    pub(crate) fn annotate(&mut self, stage: Stage, label: Label) {
        self.tick();
        self.annotations.push(Annotation { stage, label, time_us: self.allocator.time_us });
    }

    /// Fills the recording up to its planned length.
    pub(crate) fn finish(&mut self, ending: Ending, stack: StackId, user: u64) -> Result<(), Halt> {
        self.allocator.synchronize(stack, self.observer)?;
        let small = Request { bytes: 2 * KIB, stream: 0, pool: PoolId::default(), stack };
        if ending == Ending::Waiting && self.left() >= 12 {
            let held: Vec<_> =
                (0..3).map(|_| self.plain_malloc(small)).collect::<Result<_, _>>()?;
            for block in held {
                self.tick();
                self.allocator.free_later(block, stack, (user, u64::MAX), self.observer)?;
            }
        }
        while self.left() > 0 {
            self.tick();
            if self.left() >= 3 && self.has_small_room() {
                let block = self.plain_malloc(small)?;
                self.allocator.free(block, stack, self.observer)?;
            } else {
                self.allocator.note_snapshot(self.observer)?;
            }
        }
        Ok(())
    }

    fn plain_malloc(&mut self, request: Request) -> Result<BlockId, Halt> {
        self.tick();
        self.allocator.malloc(request, self.observer).map_err(|refused| match refused {
            Refused::OutOfMemory => Halt::OutOfMemory,
            Refused::Io(error) => Halt::Io(error),
        })
    }

    /// Whether a few kilobytes can be had without a new segment.
    fn has_small_room(&self) -> bool {
        self.allocator.largest_free(PoolId::default(), Kind::Small, 0) >= 4 * KIB
    }
}
