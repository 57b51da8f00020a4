//! The program that is recorded: a language model in training, step after step.
//!
//! Activations rise in forward and fall in backward; the batches are largest in the middle of the recording.

use std::collections::VecDeque;

use crate::allocator::{
    Allocator, BlockId, DEFAULT_POOL, Growth, KIB, Kind, MIB, Request, Settings,
};
use crate::annotation::{Annotation, Label, Stage};
use crate::event::{Observer, PoolId, StackId};
use crate::machine::{Ending, Halt, Machine};
use crate::plan::{Features, Plan};
use crate::program::{Life, OPERATIONS};
use crate::sites::Sites;

/// The handle of the stream that copies and communicates.
pub(crate) const SIDE_STREAM: u64 = 0x5581_a3f0_7c40;
/// The pool of a captured graph.
pub(crate) const PRIVATE_POOL: PoolId = (0, 1);
/// What a layer's unit is at most: 16384 tokens of 1024 two-byte numbers.
const UNIT: u64 = 32 * MIB;
const HIDDEN: u64 = 1024;
/// About how many events one layer makes in one step.
const LAYER_EVENTS: u64 = 105;

/// How many layers the model has: enough for a dozen steps, as long as it is not too large.
pub(crate) fn layers(events: u64) -> u64 {
    (events / 1500).clamp(2, 32)
}

/// What is left after a run.
pub(crate) struct Outcome {
    pub(crate) allocator: Allocator,
    pub(crate) annotations: Vec<Annotation>,
}

/// Runs the program on one device.
pub(crate) fn run(
    plan: &Plan,
    device: u32,
    sites: &Sites,
    observer: &mut dyn Observer,
) -> std::io::Result<Outcome> {
    let features = &plan.features;
    let settings = Settings {
        rounding: plan.device,
        divisions: features.roundup_power2_divisions,
        max_split_size: features.max_split_size.unwrap_or(u64::MAX),
        growth: if features.expandable { Growth::Expandable } else { Growth::Segments },
        capacity: 80 * 1024 * MIB,
    };
    let target = plan.share(device);
    let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(device));
    let machine = Machine::new(Allocator::new(settings), seed, target, observer);
    let mut training = Training::new(machine, features, sites, target);
    let halt = training.live();
    let ending = if features.pending_at_end { Ending::Waiting } else { Ending::Quiet };
    let finished = match halt {
        Halt::Io(error) => Err(Halt::Io(error)),
        Halt::Finished | Halt::OutOfMemory => {
            training.machine.finish(ending, sites.communication, SIDE_STREAM)
        }
    };
    let Machine { allocator, annotations, .. } = training.machine;
    match finished {
        Err(Halt::Io(error)) => Err(error),
        Ok(()) | Err(Halt::Finished | Halt::OutOfMemory) => Ok(Outcome { allocator, annotations }),
    }
}

/// The program's variables.
struct Training<'a> {
    machine: Machine<'a>,
    features: &'a Features,
    sites: &'a Sites,
    layers: u64,
    /// What the larger leak keeps each step, in bytes.
    leak: u64,
    /// This step's unit in bytes.
    unit: u64,
    step: u64,
    /// From before the recording; freed in the first step.
    warm_up: Vec<BlockId>,
    parameters: Vec<(BlockId, u64)>,
    /// Results kept for backward, with their operation.
    saved: Vec<(BlockId, usize)>,
    gradients: Vec<BlockId>,
    batch: Vec<BlockId>,
    loss: Vec<BlockId>,
    has_optimizer_state: bool,
}

impl<'a> Training<'a> {
    fn new(machine: Machine<'a>, features: &'a Features, sites: &'a Sites, target: u64) -> Self {
        let layers = layers(target);
        let steps = target / (layers * LAYER_EVENTS) + 1;
        // A fifth of the largest activations by the end of the recording.
        let leak = (layers * 15 * UNIT / 5 / steps).clamp(3 * KIB, 256 * MIB) + 1000;
        Self {
            machine,
            features,
            sites,
            layers,
            leak,
            unit: UNIT,
            step: 0,
            warm_up: Vec::new(),
            parameters: Vec::new(),
            saved: Vec::new(),
            gradients: Vec::new(),
            batch: Vec::new(),
            loss: Vec::new(),
            has_optimizer_state: false,
        }
    }

    /// Everything until the recording is full.
    fn live(&mut self) -> Halt {
        match self.set_up() {
            Ok(()) => {}
            Err(halt) => return halt,
        }
        loop {
            match self.train_step() {
                Ok(()) => {}
                // The program catches it and goes on with the next batch.
                Err(Halt::OutOfMemory) => {
                    if let Err(halt) = self.drop_step() {
                        return halt;
                    }
                }
                Err(halt) => return halt,
            }
        }
    }

    fn set_up(&mut self) -> Result<(), Halt> {
        self.warm_up()?;
        self.machine.record();
        for _ in 0..self.layers {
            let square = 2 * HIDDEN * HIDDEN;
            let wide = square * 27 / 10;
            let sizes =
                [square, square / 4, square / 4, square, wide, wide, wide, 2 * HIDDEN, 2 * HIDDEN];
            for (bytes, &stack) in sizes.into_iter().zip(&self.sites.parameters) {
                let block = self.malloc(bytes, stack)?;
                self.parameters.push((block, bytes));
            }
        }
        Ok(())
    }

    /// What happens before the recording: some of it stays to the end, some is freed in the first step.
    fn warm_up(&mut self) -> Result<(), Halt> {
        let stack = self.sites.setup[0];
        for bytes in [8 * MIB + 128 * KIB, 50_304 * 2 * HIDDEN, 4 * KIB, 700] {
            self.malloc(bytes, stack)?;
        }
        for bytes in [30 * MIB, 3 * MIB + 5, 900 * KIB, 64 * KIB, 513] {
            let block = self.malloc(bytes, stack)?;
            self.warm_up.push(block);
        }
        // Leaves free room behind, small and large.
        for bytes in [300 * KIB, 5 * MIB] {
            let block = self.malloc(bytes, stack)?;
            self.machine.free(block, stack)?;
        }
        if self.features.side_stream {
            self.malloc_on(SIDE_STREAM, MIB, stack)?;
        }
        Ok(())
    }

    fn train_step(&mut self) -> Result<(), Halt> {
        self.step += 1;
        self.unit = self.this_unit();
        self.annotate(Stage::Start, Label::Step(self.step));
        self.next_batch()?;
        if self.features.oom && self.step % 40 == 3 {
            self.run_short()?;
        }
        self.forward()?;
        if self.features.oom && self.step % 40 == 6 {
            self.ask_too_much()?;
        }
        self.backward()?;
        self.optimize()?;
        self.keep_too_much()?;
        self.zero_grad()?;
        if self.features.private_pool && self.step % 3 == 1 {
            self.run_graph()?;
        }
        if self.step % 5 == 2 {
            self.machine.note_snapshot()?;
        }
        if self.step.is_multiple_of(4) {
            self.evaluate()?;
        }
        self.annotate(Stage::End, Label::Step(self.step));
        Ok(())
    }

    /// Largest in the middle of the recording, and never twice the same.
    fn this_unit(&mut self) -> u64 {
        let progress = self.machine.progress().min(1000);
        let rise = 1000 - progress.abs_diff(500) * 2;
        let permille = 500 + rise * 45 / 100 + self.machine.random.below(50);
        (UNIT / 1000 * permille).next_multiple_of(2 * HIDDEN)
    }

    fn next_batch(&mut self) -> Result<(), Halt> {
        let tokens = self.unit / (2 * HIDDEN);
        for index in 0..4 {
            let block = self.malloc(tokens * 8 + index as u64, self.sites.batch[index])?;
            self.batch.push(block);
        }
        for block in std::mem::take(&mut self.warm_up) {
            self.machine.free(block, self.sites.setup[1])?;
        }
        Ok(())
    }

    fn forward(&mut self) -> Result<(), Halt> {
        self.annotate(Stage::Start, Label::Forward);
        for layer in 0..self.layers {
            self.layer_forward(layer as usize)?;
            if self.features.side_stream && layer % 3 == 1 {
                self.gather()?;
            }
        }
        let tokens = self.unit / (2 * HIDDEN);
        let logits = tokens * 8_192;
        for (index, bytes) in [logits, logits * 2, tokens * 4, 4].into_iter().enumerate() {
            let block = self.malloc(bytes, self.sites.loss[index])?;
            self.loss.push(block);
        }
        self.annotate(Stage::End, Label::Forward);
        Ok(())
    }

    fn layer_forward(&mut self, layer: usize) -> Result<(), Halt> {
        let mut temporary = VecDeque::new();
        for (index, operation) in OPERATIONS.iter().enumerate() {
            let block = self.malloc(self.bytes(index), self.sites.forward[layer][index])?;
            match operation.life {
                Life::Saved => self.saved.push((block, index)),
                Life::Temporary => temporary.push_back(block),
            }
            if temporary.len() > 1 {
                self.drop_first(&mut temporary)?;
            }
        }
        while !temporary.is_empty() {
            self.drop_first(&mut temporary)?;
        }
        Ok(())
    }

    fn drop_first(&mut self, blocks: &mut VecDeque<BlockId>) -> Result<(), Halt> {
        let stack = self.machine.random.pick(&self.sites.drop);
        blocks.pop_front().map_or(Ok(()), |block| self.machine.free(block, stack))
    }

    /// A layer's weights from the other ranks: the side stream fills a block of the first one, and one of its own.
    fn gather(&mut self) -> Result<(), Halt> {
        let stack = self.sites.communication;
        let shared = self.malloc(self.unit / 2 + 24, stack)?;
        let own = self.malloc_on(SIDE_STREAM, 5 * MIB + 100, stack)?;
        let wait = 4 + self.machine.random.below(40);
        self.machine.free_later(shared, stack, SIDE_STREAM, wait)?;
        self.machine.free(own, stack)
    }

    fn backward(&mut self) -> Result<(), Halt> {
        self.annotate(Stage::Start, Label::Backward);
        while let Some(block) = self.loss.pop() {
            self.machine.free(block, self.sites.backward[0][self.loss.len()])?;
        }
        let per_layer = OPERATIONS.iter().filter(|operation| operation.life == Life::Saved).count();
        for layer in (0..self.layers as usize).rev() {
            let flowing = self.malloc(self.unit, self.sites.backward[layer][4])?;
            for index in 0..9 {
                let bytes = self.parameters[layer * 9 + index].1;
                let gradient = self.malloc(bytes, self.sites.backward[layer][6 + index])?;
                self.gradients.push(gradient);
            }
            for _ in 0..per_layer {
                self.node_backward(layer)?;
            }
            self.machine.free(flowing, self.sites.backward[layer][5])?;
        }
        self.annotate(Stage::End, Label::Backward);
        Ok(())
    }

    fn node_backward(&mut self, layer: usize) -> Result<(), Halt> {
        let Some((block, index)) = self.saved.pop() else { return Ok(()) };
        let stacks = &self.sites.backward[layer];
        let stack = stacks[index % stacks.len()];
        let temporary = self.malloc(self.bytes(index), stack)?;
        self.machine.free(block, stack)?;
        self.machine.free(temporary, stacks[(index + 1) % stacks.len()])
    }

    fn optimize(&mut self) -> Result<(), Halt> {
        self.annotate(Stage::Start, Label::Optimizer);
        if !self.has_optimizer_state {
            self.has_optimizer_state = true;
            for index in 0..self.parameters.len() {
                for state in 0..2 {
                    self.malloc(2 * self.parameters[index].1, self.sites.optimizer_state[state])?;
                }
            }
        }
        for start in (0..self.parameters.len()).step_by(18) {
            let end = (start + 18).min(self.parameters.len());
            let bytes: u64 = self.parameters[start..end].iter().map(|parameter| parameter.1).sum();
            let mut temporary = VecDeque::new();
            for index in 0..6 {
                temporary.push_back(self.malloc(bytes / 4, self.sites.optimizer[index])?);
            }
            while let Some(block) = temporary.pop_front() {
                self.machine.free(block, self.sites.optimizer[temporary.len()])?;
            }
        }
        self.annotate(Stage::End, Label::Optimizer);
        Ok(())
    }

    /// The leaks: two tensors nobody lets go.
    fn keep_too_much(&mut self) -> Result<(), Halt> {
        if self.features.leak {
            let jitter = self.machine.random.below(4096);
            self.malloc(self.leak + jitter, self.sites.leaks[0])?;
            self.malloc(1536, self.sites.leaks[1])?;
        }
        Ok(())
    }

    fn zero_grad(&mut self) -> Result<(), Halt> {
        self.annotate(Stage::Start, Label::ZeroGrad);
        let blocks =
            std::mem::take(&mut self.gradients).into_iter().chain(std::mem::take(&mut self.batch));
        for block in blocks.collect::<Vec<_>>() {
            self.machine.free(block, self.sites.zero_grad)?;
        }
        self.annotate(Stage::End, Label::ZeroGrad);
        Ok(())
    }

    /// A replayed graph: its blocks live in a pool of their own, the first of them for good.
    fn run_graph(&mut self) -> Result<(), Halt> {
        let sizes = [12 * MIB + 40, 600 * KIB, 3 * MIB, 20 * KIB, 700 * KIB];
        let mut blocks = Vec::new();
        for (index, bytes) in sizes.into_iter().enumerate() {
            let stack = self.sites.graph[index % self.sites.graph.len()];
            blocks.push(self.machine.malloc(Request {
                bytes,
                stream: 0,
                pool: PRIVATE_POOL,
                stack,
            })?);
        }
        let kept = if self.step == 1 { 2 } else { 0 };
        for block in blocks.split_off(kept) {
            self.machine.free(block, self.sites.graph[0])?;
        }
        Ok(())
    }

    /// Decoding with a cache that grows and shrinks out of order, and a few results that stay for some steps.
    fn evaluate(&mut self) -> Result<(), Halt> {
        self.annotate(Stage::Start, Label::Evaluate);
        if self.features.fragmentation {
            let mut cache = VecDeque::new();
            for round in 0..self.layers * 8 {
                let stack = self.sites.evaluate[round as usize % self.sites.evaluate.len()];
                let sizes =
                    [24 * KIB, 130 * KIB, 700 * KIB, 3 * MIB, 7 * MIB + 77, 12 * MIB, 31 * MIB];
                let bytes = self.machine.random.pick(&sizes) + 8 * round;
                cache.push_back(self.malloc(bytes, stack)?);
                if cache.len() > 24 {
                    let index = self.machine.random.below(24) as usize;
                    cache.swap(0, index);
                    self.drop_first(&mut cache)?;
                }
            }
            while !cache.is_empty() {
                self.drop_first(&mut cache)?;
            }
            let block = self.malloc(40 * KIB, self.sites.compiled)?;
            self.machine.free(block, self.sites.compiled)?;
        }
        if self.features.empty_cache && self.step.is_multiple_of(8) {
            self.machine.empty_cache(self.sites.empty_cache)?;
        }
        self.annotate(Stage::End, Label::Evaluate);
        Ok(())
    }

    /// Another process takes nearly all that is left: the next new segment needs the cache to be given back.
    fn run_short(&mut self) -> Result<(), Halt> {
        let free = self.machine.allocator.device_free();
        self.machine.allocator.pressure = free.saturating_sub(18 * MIB);
        let room = self.machine.allocator.largest_free(DEFAULT_POOL, Kind::Large, 0);
        let releasable = self.machine.allocator.releasable().1;
        let bytes = (room + 6 * MIB).max(24 * MIB);
        let found =
            if bytes < releasable { Some(self.malloc(bytes, self.sites.oversized)) } else { None };
        self.machine.allocator.pressure = 0;
        found.map_or(Ok(()), |block| self.machine.free(block?, self.sites.oversized))
    }

    /// A request nothing can serve: the caller wants far more than is free and cached.
    fn ask_too_much(&mut self) -> Result<(), Halt> {
        let allocator = &mut self.machine.allocator;
        allocator.pressure = allocator.device_free().saturating_sub(1200 * MIB);
        let bytes = allocator.releasable().1 + 4500 * MIB + 700;
        let answer = self.malloc(bytes, self.sites.oversized);
        self.machine.allocator.pressure = 0;
        answer.map(|_| ())
    }

    /// Lets go what an interrupted step holds.
    fn drop_step(&mut self) -> Result<(), Halt> {
        let saved = std::mem::take(&mut self.saved).into_iter().map(|saved| saved.0);
        let held: Vec<_> = saved
            .chain(std::mem::take(&mut self.loss))
            .chain(std::mem::take(&mut self.gradients))
            .chain(std::mem::take(&mut self.batch))
            .collect();
        for block in held {
            self.machine.free(block, self.sites.drop[0])?;
        }
        self.machine.empty_cache(self.sites.empty_cache)?;
        self.annotate(Stage::End, Label::Step(self.step));
        Ok(())
    }

    /// The bytes of an operation's result in this step.
    fn bytes(&self, operation: usize) -> u64 {
        match OPERATIONS[operation].permille {
            0 => 16,
            permille => self.unit / 1000 * permille + 64,
        }
    }

    fn malloc(&mut self, bytes: u64, stack: StackId) -> Result<BlockId, Halt> {
        self.malloc_on(0, bytes, stack)
    }

    fn malloc_on(&mut self, stream: u64, bytes: u64, stack: StackId) -> Result<BlockId, Halt> {
        self.machine.malloc(Request { bytes, stream, pool: DEFAULT_POOL, stack })
    }

    fn annotate(&mut self, stage: Stage, label: Label) {
        if self.features.annotations {
            self.machine.annotate(stage, label);
        }
    }
}
