//! Where in the program memory is asked for: one stack, or a few, for each thing a training run does.

use crate::event::StackId;
use crate::program::{
    self, CALL, LOOP, Lines, MAIN, MODEL, NATIVE, NODES, OPERATIONS, Operation, THREAD, WRAPPED,
};
use crate::stacks::{Place, Stacks};

/// How deep the stacks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    Shallow,
    Deep,
}

/// The stacks of a run, by what it does there.
pub(crate) struct Sites {
    pub(crate) setup: Vec<StackId>,
    pub(crate) parameters: Vec<StackId>,
    pub(crate) batch: Vec<StackId>,
    /// For each layer, one for each of [`OPERATIONS`].
    pub(crate) forward: Vec<Vec<StackId>>,
    pub(crate) drop: Vec<StackId>,
    pub(crate) loss: Vec<StackId>,
    /// The autograd thread, for each layer: C++ frames, or none.
    pub(crate) backward: Vec<Vec<StackId>>,
    pub(crate) optimizer_state: Vec<StackId>,
    pub(crate) optimizer: Vec<StackId>,
    pub(crate) zero_grad: StackId,
    pub(crate) leaks: [StackId; 2],
    pub(crate) communication: StackId,
    pub(crate) graph: Vec<StackId>,
    pub(crate) evaluate: Vec<StackId>,
    /// Has a line number of -1 as 64 bits, as generated code has.
    pub(crate) compiled: StackId,
    pub(crate) empty_cache: StackId,
    pub(crate) oversized: StackId,
}

/// Adds all stacks of a run with `layers` layers to `stacks`.
pub(crate) fn sites(stacks: &mut Stacks, depth: Depth, layers: u64) -> Sites {
    let mut code = Code { stacks, depth };
    let forward = (0..layers).map(|layer| code.layer_forward(layer)).collect();
    let backward =
        (0..layers).map(|layer| (0..18).map(|node| code.backward(layer, node)).collect()).collect();
    Sites {
        setup: code.lines(&program::SETUP),
        parameters: code.lines(&program::PARAMETERS),
        batch: code.lines(&program::BATCH),
        forward,
        drop: code.lines(&program::DROP),
        loss: code.lines(&program::LOSS),
        backward,
        optimizer_state: code.lines(&program::OPTIMIZER_STATE),
        optimizer: code.lines(&program::OPTIMIZER),
        zero_grad: code.user(program::ZERO_GRAD),
        leaks: [code.user(program::KEEP_LOGITS), code.user(program::REMEMBER_NORM)],
        communication: code.user(program::COMMUNICATION),
        graph: code.lines(&program::GRAPH),
        evaluate: code.lines(&program::EVALUATE),
        compiled: code.user(program::COMPILED),
        empty_cache: code.user(program::EMPTY_CACHE),
        oversized: code.user(program::OVERSIZED),
    }
}

/// Writes stacks down.
struct Code<'a> {
    stacks: &'a mut Stacks,
    depth: Depth,
}

impl Code<'_> {
    /// The user's frames, below the program's own start.
    fn user(&mut self, inner: &[Place]) -> StackId {
        let wrap = if self.depth == Depth::Deep { 4 } else { 1 };
        let launcher = [("/opt/conda/lib/python3.12/runpy.py", 88, "_run_code")];
        let launcher = launcher.repeat(usize::from(wrap > 1));
        self.stacks.add(
            &[&launcher, MAIN, &inner[..1], &[WRAPPED, CALL].repeat(wrap - 1), &inner[1..]]
                .concat(),
        )
    }

    fn lines(&mut self, lines: &Lines) -> Vec<StackId> {
        let Lines { outer, file, first, name, count } = *lines;
        (0..count)
            .map(|index| self.user(&[outer, &[(file, first + index, name)]].concat()))
            .collect()
    }

    fn layer_forward(&mut self, layer: u64) -> Vec<StackId> {
        OPERATIONS.iter().enumerate().map(|(index, of)| self.forward(layer, index, *of)).collect()
    }

    fn forward(&mut self, layer: u64, index: usize, of: Operation) -> StackId {
        // The traced graph has a line of its own for every operation of every layer.
        let graph = ("<eval_with_key>.0", 12 + layer * 21 + index as u64, "forward");
        let mut stack = [MAIN, LOOP, MODEL, &[graph]].concat();
        if self.depth == Depth::Deep {
            // Checkpointing and hooks nest the calls; every seventh operation lies very deep.
            let nested = if index % 7 == 6 { 55 } else { 2 + index % 5 };
            stack.extend([WRAPPED, CALL].repeat(nested));
        }
        stack.extend([WRAPPED, CALL, of.place, of.leaf]);
        if self.depth == Depth::Deep && index % 7 == 6 {
            stack.extend(NATIVE);
        }
        self.stacks.add(&stack)
    }

    fn backward(&mut self, layer: u64, node: usize) -> StackId {
        if node % 6 == 5 {
            return self.stacks.add(&[]);
        }
        let line = 4000 + 37 * node as u64;
        let name = NODES[node % NODES.len()];
        let functions = "/pytorch/build/torch/csrc/autograd/generated/Functions.cpp";
        let compiled =
            ("/tmp/torchinductor_lm/kq/ckqz3b.py", 300 + 19 * layer + node as u64, "call");
        let mut stack = [THREAD, &[(functions, line, name), compiled]].concat();
        if self.depth == Depth::Deep {
            stack.extend(NATIVE);
        }
        self.stacks.add(&stack)
    }
}
