//! Where in the program memory is asked for: one stack, or a few, for each thing a training run does.

use crate::event::StackId;
use crate::stacks::{Place, Stacks};

/// How deep the stacks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    Shallow,
    Deep,
}

/// An operation of a layer's forward pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    place: Place,
    leaf: Place,
    /// Its result in thousandths of a layer's unit; 0 is a few bytes.
    pub(crate) permille: u64,
    pub(crate) life: Life,
}

/// How long a result lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    /// Until the operation after the next one.
    Temporary,
    /// Until its backward has run.
    Saved,
}

macro_rules! torch {
    ($path:literal) => {
        concat!("/opt/conda/lib/python3.12/site-packages/torch/", $path)
    };
}

const LINEAR: Place = (torch!("nn/modules/linear.py"), 134, "forward");
const WRAPPED: Place = (torch!("nn/modules/module.py"), 1775, "_wrapped_call_impl");
const CALL: Place = (torch!("nn/modules/module.py"), 1786, "_call_impl");
const MAIN: &[Place] =
    &[("/workspace/lm/train.py", 218, "<module>"), ("/workspace/lm/train.py", 204, "main")];
const LOOP: &[Place] =
    &[("/workspace/lm/loop.py", 96, "fit"), ("/workspace/lm/loop.py", 131, "run_step")];
const MODEL: &[Place] = &[WRAPPED, CALL, ("/workspace/lm/model/decoder.py", 187, "forward")];

const fn operation(place: Place, leaf: Place, permille: u64, life: Life) -> Operation {
    Operation { place, leaf, permille, life }
}

/// One layer's forward pass.
pub(crate) const OPERATIONS: [Operation; 20] = {
    use Life::{Saved, Temporary};
    const NORM: &str = "/workspace/lm/model/norm.py";
    const ATTENTION: &str = "/workspace/lm/model/attention.py";
    const MLP: &str = "/workspace/lm/model/mlp.py";
    const LAYER: &str = "/workspace/lm/model/layer.py";
    const FUNCTIONAL: &str = torch!("nn/functional.py");
    [
        operation((NORM, 22, "forward"), (NORM, 27, "_float_norm"), 2000, Temporary),
        operation((NORM, 24, "forward"), (FUNCTIONAL, 2929, "rms_norm"), 1000, Saved),
        operation((NORM, 24, "forward"), (FUNCTIONAL, 2930, "rms_norm"), 2, Saved),
        operation((ATTENTION, 88, "forward"), LINEAR, 1000, Saved),
        operation((ATTENTION, 89, "forward"), LINEAR, 250, Saved),
        operation((ATTENTION, 90, "forward"), LINEAR, 250, Saved),
        operation(
            (ATTENTION, 97, "forward"),
            ("/workspace/lm/model/rotary.py", 34, "rotate_half"),
            500,
            Temporary,
        ),
        operation(
            (ATTENTION, 97, "forward"),
            ("/workspace/lm/model/rotary.py", 41, "apply_rotary"),
            1000,
            Saved,
        ),
        operation(
            (ATTENTION, 98, "forward"),
            ("/workspace/lm/model/rotary.py", 41, "apply_rotary"),
            250,
            Saved,
        ),
        operation(
            (ATTENTION, 112, "forward"),
            (FUNCTIONAL, 6070, "scaled_dot_product_attention"),
            1000,
            Saved,
        ),
        operation(
            (ATTENTION, 112, "forward"),
            (FUNCTIONAL, 6071, "scaled_dot_product_attention"),
            16,
            Saved,
        ),
        operation(
            (ATTENTION, 112, "forward"),
            (FUNCTIONAL, 6072, "scaled_dot_product_attention"),
            0,
            Saved,
        ),
        operation((ATTENTION, 120, "forward"), LINEAR, 1000, Temporary),
        operation((LAYER, 61, "forward"), (LAYER, 44, "residual"), 1000, Saved),
        operation((NORM, 24, "forward"), (FUNCTIONAL, 2931, "rms_norm"), 1000, Saved),
        operation((MLP, 40, "forward"), LINEAR, 2700, Saved),
        operation((MLP, 41, "forward"), LINEAR, 2700, Saved),
        operation((MLP, 43, "forward"), (FUNCTIONAL, 2379, "silu"), 2700, Temporary),
        operation((MLP, 44, "forward"), LINEAR, 1000, Temporary),
        operation((LAYER, 66, "forward"), (LAYER, 44, "residual"), 1000, Saved),
    ]
};

const THREAD: &[Place] = &[
    ("??", 0, "clone3"),
    ("??", 0, "execute_native_thread_routine"),
    ("/pytorch/torch/csrc/autograd/engine.cpp", 368, "torch::autograd::Engine::thread_init(int)"),
    (
        "/pytorch/torch/csrc/autograd/engine.cpp",
        541,
        "torch::autograd::Engine::thread_main(GraphTask const&)",
    ),
    (
        "/pytorch/torch/csrc/autograd/engine.cpp",
        1190,
        "torch::autograd::Engine::evaluate_function(Node*)",
    ),
    (
        "/pytorch/torch/csrc/autograd/function.h",
        227,
        "torch::autograd::Node::operator()(variable_list&&)",
    ),
];

const NODES: [&str; 6] = [
    "torch::autograd::generated::MmBackward0::apply(variable_list&&)",
    "torch::autograd::generated::MulBackward0::apply(variable_list&&)",
    "torch::autograd::generated::SiluBackward0::apply(variable_list&&)",
    "torch::autograd::generated::FusedRmsNormBackward0::apply(variable_list&&)",
    "torch::autograd::generated::ScaledDotProductFlashAttentionBackward0::apply(variable_list&&)",
    "torch::autograd::generated::AddBackward0::apply(variable_list&&)",
];

/// Below the dispatcher, down to the recorder itself.
const NATIVE: &[Place] = &[
    ("/pytorch/aten/src/ATen/core/dispatch/Dispatcher.h", 711, "c10::Dispatcher::call"),
    ("/pytorch/aten/src/ATen/native/Resize.h", 80, "at::native::resize_output"),
    ("/pytorch/aten/src/ATen/EmptyTensor.cpp", 205, "at::detail::_empty_generic"),
    ("/pytorch/aten/src/ATen/cuda/EmptyTensor.cpp", 30, "at::detail::empty_cuda"),
    ("??", 0, "c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::malloc"),
    ("/pytorch/torch/csrc/profiler/combined_traceback.cpp", 15, "torch::CapturedTraceback::gather"),
    ("??", 0, "torch::unwind::unwind()"),
];

/// The stacks of a run, by what it does there.
pub(crate) struct Sites {
    pub(crate) setup: Vec<StackId>,
    pub(crate) parameters: Vec<StackId>,
    pub(crate) batch: Vec<StackId>,
    /// One for each of [`OPERATIONS`].
    pub(crate) forward: Vec<StackId>,
    pub(crate) drop: Vec<StackId>,
    pub(crate) loss: Vec<StackId>,
    /// The autograd thread: C++ frames, or none.
    pub(crate) backward: Vec<StackId>,
    pub(crate) optimizer_state: Vec<StackId>,
    pub(crate) optimizer: Vec<StackId>,
    pub(crate) zero_grad: StackId,
    pub(crate) leaks: [StackId; 2],
    pub(crate) communication: StackId,
    pub(crate) graph: Vec<StackId>,
    pub(crate) evaluate: Vec<StackId>,
    pub(crate) empty_cache: StackId,
    pub(crate) oversized: StackId,
}

/// Adds all stacks of a run to `stacks`.
pub(crate) fn sites(stacks: &mut Stacks, depth: Depth) -> Sites {
    let mut code = Code { stacks, depth };
    let forward =
        OPERATIONS.iter().enumerate().map(|(index, of)| code.forward(index, *of)).collect();
    let backward = (0..18).map(|index| code.backward(index)).collect();
    let optim = torch!("optim/adamw.py");
    let foreach = torch!("_foreach_utils.py");
    let step = ("/workspace/lm/loop.py", 148, "optimizer_step");
    let wrapper = (torch!("optim/optimizer.py"), 485, "wrapper");
    Sites {
        setup: code.lines(
            &[("/workspace/lm/train.py", 61, "setup")],
            "/workspace/lm/device.py",
            18,
            "warm_up",
            4,
        ),
        parameters: code.lines(
            &[
                ("/workspace/lm/train.py", 80, "build"),
                ("/workspace/lm/model/decoder.py", 120, "__init__"),
            ],
            "/workspace/lm/model/layer.py",
            20,
            "__init__",
            9,
        ),
        batch: code.lines(
            &[LOOP[0], ("/workspace/lm/loop.py", 118, "next_batch")],
            "/workspace/lm/data.py",
            52,
            "to_device",
            4,
        ),
        forward,
        drop: code.lines(&[LOOP, MODEL].concat(), "/workspace/lm/model/layer.py", 70, "forward", 6),
        loss: code.lines(
            &[LOOP[0], LOOP[1], ("/workspace/lm/loss.py", 19, "cross_entropy")],
            torch!("nn/functional.py"),
            3480,
            "cross_entropy",
            4,
        ),
        backward,
        optimizer_state: code.lines(&[LOOP[0], step, wrapper], optim, 160, "_init_group", 2),
        optimizer: code.lines(
            &[LOOP[0], step, wrapper, (optim, 220, "step")],
            foreach,
            30,
            "_foreach_op",
            6,
        ),
        zero_grad: code.user(&[
            LOOP[0],
            ("/workspace/lm/loop.py", 152, "zero_grad"),
            (torch!("optim/optimizer.py"), 950, "zero_grad"),
        ]),
        leaks: [
            code.user(&[
                LOOP[0],
                LOOP[1],
                ("/workspace/lm/metrics.py", 47, "update"),
                ("/workspace/lm/metrics.py", 58, "keep_logits"),
            ]),
            code.user(&[
                LOOP[0],
                ("/workspace/lm/loop.py", 160, "after_step"),
                ("/workspace/lm/callbacks.py", 33, "remember_norm"),
            ]),
        ],
        communication: code.user(&[LOOP[0], ("/workspace/lm/parallel.py", 74, "all_reduce_grads")]),
        graph: code.lines(
            &[LOOP[0], ("/workspace/lm/graph.py", 40, "capture")],
            "/workspace/lm/graph.py",
            52,
            "run",
            3,
        ),
        evaluate: code.lines(
            &[LOOP[0], ("/workspace/lm/loop.py", 171, "evaluate")],
            "/workspace/lm/generate.py",
            60,
            "decode",
            24,
        ),
        empty_cache: code.user(&[
            LOOP[0],
            ("/workspace/lm/loop.py", 175, "evaluate"),
            (torch!("cuda/memory.py"), 224, "empty_cache"),
        ]),
        oversized: code.user(&[LOOP[0], LOOP[1], ("/workspace/lm/loss.py", 31, "full_logits")]),
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

    /// `count` stacks that differ in the innermost line.
    fn lines(
        &mut self,
        outer: &[Place],
        file: &'static str,
        line: u64,
        name: &'static str,
        count: u64,
    ) -> Vec<StackId> {
        (0..count)
            .map(|index| self.user(&[outer, &[(file, line + index, name)]].concat()))
            .collect()
    }

    fn forward(&mut self, index: usize, of: Operation) -> StackId {
        let mut stack =
            [MAIN, LOOP, MODEL, &[("/workspace/lm/model/layer.py", 58, "forward")]].concat();
        if self.depth == Depth::Deep {
            // Checkpointing and hooks nest the calls; every seventh operation lies very deep.
            let nested = if index % 7 == 6 { 45 } else { 2 + index % 5 };
            stack.extend([WRAPPED, CALL].repeat(nested));
        }
        stack.extend([WRAPPED, CALL, of.place, of.leaf]);
        if self.depth == Depth::Deep && index % 7 == 6 {
            stack.extend(NATIVE);
        }
        self.stacks.add(&stack)
    }

    fn backward(&mut self, index: usize) -> StackId {
        if index % 6 == 5 {
            return self.stacks.add(&[]);
        }
        let line = 4000 + 37 * index as u64;
        let node = (
            "/pytorch/build/torch/csrc/autograd/generated/Functions.cpp",
            line,
            NODES[index % NODES.len()],
        );
        let mut stack = [THREAD, &[node]].concat();
        if self.depth == Depth::Deep {
            stack.extend(NATIVE);
        }
        self.stacks.add(&stack)
    }
}
