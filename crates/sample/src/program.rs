//! The program's code: the tables that [`crate::sites`] makes stacks of.

use crate::stacks::Place;

macro_rules! torch {
    ($path:literal) => {
        concat!("/opt/conda/lib/python3.12/site-packages/torch/", $path)
    };
}

/// An operation of a layer's forward pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) place: Place,
    pub(crate) leaf: Place,
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

const LINEAR: Place = (torch!("nn/modules/linear.py"), 134, "forward");
pub(crate) const WRAPPED: Place = (torch!("nn/modules/module.py"), 1775, "_wrapped_call_impl");
pub(crate) const CALL: Place = (torch!("nn/modules/module.py"), 1786, "_call_impl");
pub(crate) const MAIN: &[Place] =
    &[("/workspace/lm/train.py", 218, "<module>"), ("/workspace/lm/train.py", 204, "main")];
pub(crate) const LOOP: &[Place] =
    &[("/workspace/lm/loop.py", 96, "fit"), ("/workspace/lm/loop.py", 131, "run_step")];
pub(crate) const MODEL: &[Place] =
    &[WRAPPED, CALL, ("/workspace/lm/model/decoder.py", 187, "forward")];

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

pub(crate) const THREAD: &[Place] = &[
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

pub(crate) const NODES: [&str; 6] = [
    "torch::autograd::generated::MmBackward0::apply(variable_list&&)",
    "torch::autograd::generated::MulBackward0::apply(variable_list&&)",
    "torch::autograd::generated::SiluBackward0::apply(variable_list&&)",
    "torch::autograd::generated::FusedRmsNormBackward0::apply(variable_list&&)",
    "torch::autograd::generated::ScaledDotProductFlashAttentionBackward0::apply(variable_list&&)",
    "torch::autograd::generated::AddBackward0::apply(variable_list&&)",
];

/// Below the dispatcher, down to the recorder itself.
pub(crate) const NATIVE: &[Place] = &[
    ("/pytorch/aten/src/ATen/core/dispatch/Dispatcher.h", 711, "c10::Dispatcher::call"),
    ("/pytorch/aten/src/ATen/native/Resize.h", 80, "at::native::resize_output"),
    ("/pytorch/aten/src/ATen/EmptyTensor.cpp", 205, "at::detail::_empty_generic"),
    ("/pytorch/aten/src/ATen/cuda/EmptyTensor.cpp", 30, "at::detail::empty_cuda"),
    ("??", 0, "c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::malloc"),
    ("/pytorch/torch/csrc/profiler/combined_traceback.cpp", 15, "torch::CapturedTraceback::gather"),
    ("??", 0, "torch::unwind::unwind()"),
];

/// Stacks that differ in their innermost line.
pub(crate) struct Lines {
    pub(crate) outer: &'static [Place],
    pub(crate) file: &'static str,
    pub(crate) first: u64,
    pub(crate) name: &'static str,
    pub(crate) count: u64,
}

const FIT: Place = LOOP[0];
const STEP: Place = LOOP[1];
const OPTIMIZER_STEP: Place = ("/workspace/lm/loop.py", 148, "optimizer_step");
const OPTIMIZER_WRAPPER: Place = (torch!("optim/optimizer.py"), 485, "wrapper");
const ADAMW: &str = torch!("optim/adamw.py");
const EVALUATE_CALL: Place = ("/workspace/lm/loop.py", 171, "evaluate");

pub(crate) const SETUP: Lines = Lines {
    outer: &[("/workspace/lm/train.py", 61, "setup")],
    file: "/workspace/lm/device.py",
    first: 18,
    name: "warm_up",
    count: 4,
};
pub(crate) const PARAMETERS: Lines = Lines {
    outer: &[
        ("/workspace/lm/train.py", 80, "build"),
        ("/workspace/lm/model/decoder.py", 120, "__init__"),
    ],
    file: "/workspace/lm/model/layer.py",
    first: 20,
    name: "__init__",
    count: 9,
};
pub(crate) const BATCH: Lines = Lines {
    outer: &[FIT, ("/workspace/lm/loop.py", 118, "next_batch")],
    file: "/workspace/lm/data.py",
    first: 52,
    name: "to_device",
    count: 4,
};
pub(crate) const DROP: Lines = Lines {
    outer: &[FIT, STEP, WRAPPED, CALL, MODEL[2]],
    file: "/workspace/lm/model/layer.py",
    first: 70,
    name: "forward",
    count: 6,
};
pub(crate) const LOSS: Lines = Lines {
    outer: &[FIT, STEP, ("/workspace/lm/loss.py", 19, "cross_entropy")],
    file: torch!("nn/functional.py"),
    first: 3480,
    name: "cross_entropy",
    count: 4,
};
pub(crate) const OPTIMIZER_STATE: Lines = Lines {
    outer: &[FIT, OPTIMIZER_STEP, OPTIMIZER_WRAPPER],
    file: ADAMW,
    first: 160,
    name: "_init_group",
    count: 2,
};
pub(crate) const OPTIMIZER: Lines = Lines {
    outer: &[FIT, OPTIMIZER_STEP, OPTIMIZER_WRAPPER, (ADAMW, 220, "step")],
    file: torch!("_foreach_utils.py"),
    first: 30,
    name: "_foreach_op",
    count: 6,
};
pub(crate) const GRAPH: Lines = Lines {
    outer: &[FIT, ("/workspace/lm/graph.py", 40, "capture")],
    file: "/workspace/lm/graph.py",
    first: 52,
    name: "run",
    count: 3,
};
pub(crate) const EVALUATE: Lines = Lines {
    outer: &[FIT, EVALUATE_CALL],
    file: "/workspace/lm/generate.py",
    first: 60,
    name: "decode",
    count: 24,
};
pub(crate) const ZERO_GRAD: &[Place] = &[
    FIT,
    ("/workspace/lm/loop.py", 152, "zero_grad"),
    (torch!("optim/optimizer.py"), 950, "zero_grad"),
];
pub(crate) const KEEP_LOGITS: &[Place] = &[
    FIT,
    STEP,
    ("/workspace/lm/metrics.py", 47, "update"),
    ("/workspace/lm/metrics.py", 58, "keep_logits"),
];
pub(crate) const REMEMBER_NORM: &[Place] = &[
    FIT,
    ("/workspace/lm/loop.py", 160, "after_step"),
    ("/workspace/lm/callbacks.py", 33, "remember_norm"),
];
pub(crate) const COMMUNICATION: &[Place] =
    &[FIT, ("/workspace/lm/parallel.py", 74, "all_reduce_grads")];
pub(crate) const COMPILED: &[Place] =
    &[FIT, EVALUATE_CALL, ("<eval_with_key>.1", u64::MAX, "forward")];
pub(crate) const EMPTY_CACHE: &[Place] = &[
    FIT,
    ("/workspace/lm/loop.py", 175, "evaluate"),
    (torch!("cuda/memory.py"), 224, "empty_cache"),
];
pub(crate) const OVERSIZED: &[Place] = &[FIT, STEP, ("/workspace/lm/loss.py", 31, "full_logits")];
