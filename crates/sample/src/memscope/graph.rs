//! The passes through the network: what each operator allocates, reads, writes and lets go.

use anyhow::Result;

use crate::memscope::collector::{Access, Shape};
use crate::memscope::memory::{Owner, Run, Tensor};
use crate::memscope::network::{CLASSES, INPUT, Network, Parameter};

const CONVOLUTION: &str = "torch._ops.aten.convolution.default";
const NORM: &str = "torch._ops.aten.native_batch_norm.default";
const RELU: &str = "torch._ops.aten.relu_.default";
const ADD: &str = "torch._ops.aten.add_.Tensor";
const VIEW: &str = "torch._ops.aten.view.default";
const MEAN: &str = "torch._ops.aten.mean.dim";
const LINEAR: &str = "torch._ops.aten.addmm.default";
const SOFTMAX: &str = "torch._ops.aten._log_softmax.default";
const LOSS: &str = "torch._ops.aten.nll_loss_forward.default";
const LOSS_BACKWARD: &str = "torch._ops.aten.nll_loss_backward.default";
const LINEAR_BACKWARD: &str = "torch._ops.aten.mm.default";
const RELU_BACKWARD: &str = "torch._ops.aten.threshold_backward.default";
const NORM_BACKWARD: &str = "torch._ops.aten.native_batch_norm_backward.default";
const CONVOLUTION_BACKWARD: &str = "torch._ops.aten.convolution_backward.default";
const ZEROS: &str = "torch._ops.aten.zeros_like.default";
const SQRT: &str = "torch._ops.aten.sqrt.default";
const UPDATE: &str = "torch._ops.aten.addcdiv_.default";

const MODULES: &str = "/usr/lib/python3.11/site-packages/torch/nn/modules";
const MODEL: &str = "/data/train/resnet.py";

/// What the forward pass keeps for the backward pass.
pub(crate) struct Kept {
    /// For each layer: what the convolution made, what the norm made, its mean and its deviation.
    layers: Vec<[Tensor; 4]>,
    pooled: Tensor,
    predicted: Tensor,
    loss: Tensor,
}

/// From the picture to the loss.
pub(crate) fn forward(run: &mut Run<'_>, network: &Network, input: &Tensor) -> Result<Kept> {
    let main = run.threads.main;
    run.call(main, "nn.Module: ResNet");
    run.call(main, &format!("{MODEL}(112): forward"));
    let mut layers: Vec<[Tensor; 4]> = Vec::new();
    for (index, layer) in network.layers.iter().enumerate() {
        let before = layers.last().map_or(*input, |kept| kept[1]);
        let shortcut = (index % 2 == 1 && index > 1).then(|| layers[index - 2][1]);
        run.call(main, "nn.Module: BasicBlock");
        run.call(main, &format!("{MODEL}(57): forward"));
        let [weight, gain, bias] = &layer.parameters;
        let made = convolve(run, &before, &weight.weight, layer.shape)?;
        let normed = norm(run, &made, [&gain.weight, &bias.weight])?;
        module(run, "ReLU", "activation.py(133): forward", "relu_", |run| {
            run.begin(RELU, main)?;
            run.end(RELU, main, &[&normed[0]], &[&normed[0]])
        })?;
        if let Some(shortcut) = shortcut {
            run.begin(ADD, main)?;
            run.end(ADD, main, &[&shortcut, &normed[0]], &[&normed[0]])?;
        }
        run.leave(main, 2)?;
        let [out, mean, deviation] = normed;
        layers.push([made, out, mean, deviation]);
    }
    let last = layers.last().map_or(*input, |kept| kept[1]);
    let pooled = mean(run, &last)?;
    let predicted = module(run, "Linear", "linear.py(125): forward", "linear", |run| {
        run.begin(LINEAR, main)?;
        let out = run.tensor([1, CLASSES, 0, 0], Owner::Operator, main);
        run.end(LINEAR, main, &[&pooled, &network.head.weight], &[&out])?;
        Ok(out)
    })?;
    run.transformer_operator(&predicted)?;
    run.leave(main, 2)?;
    let loss = loss(run, &predicted)?;
    Ok(Kept { layers, pooled, predicted, loss })
}

fn convolve(run: &mut Run<'_>, input: &Tensor, weight: &Tensor, shape: [u32; 4]) -> Result<Tensor> {
    let main = run.threads.main;
    module(run, "Conv2d", "conv.py(554): forward", "conv2d", |run| {
        run.begin(CONVOLUTION, main)?;
        let out = run.tensor(shape, Owner::Operator, main);
        run.scratch(out.bytes / 4 + (64 << 10), main)?;
        run.executed("Conv2D", main)?;
        run.end(CONVOLUTION, main, &[input, weight], &[&out])?;
        Ok(out)
    })
}

fn norm(run: &mut Run<'_>, input: &Tensor, parameters: [&Tensor; 2]) -> Result<[Tensor; 3]> {
    let main = run.threads.main;
    module(run, "BatchNorm2d", "batchnorm.py(193): forward", "batch_norm", |run| {
        run.begin(NORM, main)?;
        let of_channels = [input.shape[1], 0, 0, 0];
        let shapes = [input.shape, of_channels, of_channels];
        let made = shapes.map(|shape| run.tensor(shape, Owner::Operator, main));
        let [gain, bias] = parameters;
        run.end(NORM, main, &[input, gain, bias], &[&made[0], &made[1], &made[2]])?;
        Ok(made)
    })
}

fn mean(run: &mut Run<'_>, last: &Tensor) -> Result<Tensor> {
    let main = run.threads.main;
    run.begin(VIEW, main)?;
    // A view of the second half of the channels begins inside the block.
    let half = [1, last.shape[1] / 2, last.shape[2], last.shape[3]];
    let bytes = last.bytes / 2;
    let access = Access { op: VIEW, mode: "READ", thread: main, offset: bytes, bytes, shape: half };
    run.process.access(last.allocation, access);
    run.end(VIEW, main, &[], &[])?;
    run.begin(MEAN, main)?;
    let pooled = run.tensor([1, last.shape[1], 0, 0], Owner::Operator, main);
    run.end(MEAN, main, &[last], &[&pooled])?;
    Ok(pooled)
}

fn loss(run: &mut Run<'_>, predicted: &Tensor) -> Result<Tensor> {
    let main = run.threads.main;
    module(run, "CrossEntropyLoss", "loss.py(1295): forward", "cross_entropy_loss", |run| {
        run.begin(SOFTMAX, main)?;
        let softened = run.tensor(predicted.shape, Owner::Operator, main);
        run.end(SOFTMAX, main, &[predicted], &[&softened])?;
        run.begin(LOSS, main)?;
        let loss = run.tensor([1, 0, 0, 0], Owner::Operator, main);
        run.end(LOSS, main, &[&softened], &[&loss])?;
        run.let_go(softened, main)?;
        Ok(loss)
    })
}

/// From the loss back to the gradients; what the forward pass kept is let go on the way.
pub(crate) fn backward(run: &mut Run<'_>, network: &mut Network, kept: Kept) -> Result<()> {
    let main = run.threads.main;
    run.call(main, "/usr/lib/python3.11/site-packages/torch/_tensor.py(626): backward");
    run.call(
        main,
        "<built-in method run_backward of torch._C._EngineBase object at 0xfffd3c0a1f30>",
    );
    let thread = run.threads.backward;
    run.begin(LOSS_BACKWARD, thread)?;
    let mut coming = run.tensor(kept.predicted.shape, Owner::Operator, thread);
    run.end(LOSS_BACKWARD, thread, &[&kept.loss, &kept.predicted], &[&coming])?;
    run.let_go(kept.loss, thread)?;
    run.let_go(kept.predicted, thread)?;
    coming = head_backward(run, &mut network.head, coming, kept.pooled)?;
    let mut inputs = vec![INPUT];
    inputs.extend(network.layers.iter().map(|layer| layer.shape));
    for ((layer, of), input) in network.layers.iter_mut().zip(kept.layers).zip(inputs).rev() {
        coming = layer_backward(run, &mut layer.parameters, input, coming, of)?;
    }
    run.let_go(coming, thread)?;
    run.leave(main, 2)
}

fn head_backward(
    run: &mut Run<'_>,
    head: &mut Parameter,
    coming: Tensor,
    pooled: Tensor,
) -> Result<Tensor> {
    let thread = run.threads.backward;
    run.begin(LINEAR_BACKWARD, thread)?;
    let gradient = run.tensor(head.weight.shape, Owner::Gradient, thread);
    let going = run.tensor(pooled.shape, Owner::Operator, thread);
    run.end(LINEAR_BACKWARD, thread, &[&coming, &head.weight, &pooled], &[&gradient, &going])?;
    head.gradient = Some(gradient);
    run.let_go(coming, thread)?;
    run.let_go(pooled, thread)?;
    Ok(going)
}

fn layer_backward(
    run: &mut Run<'_>,
    parameters: &mut [Parameter; 3],
    input: Shape,
    coming: Tensor,
    [made, out, mean, deviation]: [Tensor; 4],
) -> Result<Tensor> {
    let thread = run.threads.backward;
    run.begin(RELU_BACKWARD, thread)?;
    let through = run.tensor(out.shape, Owner::Operator, thread);
    run.end(RELU_BACKWARD, thread, &[&coming, &out], &[&through])?;
    run.let_go(coming, thread)?;
    run.let_go(out, thread)?;

    run.begin(NORM_BACKWARD, thread)?;
    let [weight, gain, bias] = parameters;
    let of_gain = run.tensor(gain.weight.shape, Owner::Gradient, thread);
    let of_bias = run.tensor(bias.weight.shape, Owner::Gradient, thread);
    let going = run.tensor(made.shape, Owner::Operator, thread);
    let reads = [&through, &made, &mean, &deviation, &gain.weight];
    run.end(NORM_BACKWARD, thread, &reads, &[&of_gain, &of_bias, &going])?;
    (gain.gradient, bias.gradient) = (Some(of_gain), Some(of_bias));
    for tensor in [through, mean, deviation] {
        run.let_go(tensor, thread)?;
    }

    run.begin(CONVOLUTION_BACKWARD, thread)?;
    let of_weight = run.tensor(weight.weight.shape, Owner::Gradient, thread);
    let next = run.tensor(input, Owner::Operator, thread);
    run.scratch(of_weight.bytes / 2 + (128 << 10), thread)?;
    let reads = [&going, &made, &weight.weight];
    run.end(CONVOLUTION_BACKWARD, thread, &reads, &[&of_weight, &next])?;
    weight.gradient = Some(of_weight);
    run.let_go(going, thread)?;
    run.let_go(made, thread)?;
    Ok(next)
}

/// The optimizer's step; its state is made in the first one.
pub(crate) fn update(run: &mut Run<'_>, network: &mut Network) -> Result<()> {
    let main = run.threads.main;
    run.call(main, "/usr/lib/python3.11/site-packages/torch/optim/optimizer.py(493): wrapper");
    run.call(main, "/usr/lib/python3.11/site-packages/torch/optim/adam.py(223): step");
    for parameter in network.parameters() {
        let Some(gradient) = parameter.gradient else { continue };
        let shape = parameter.weight.shape;
        let moments = match parameter.moments {
            Some(moments) => moments,
            None => [zeros(run, &parameter.weight)?, zeros(run, &parameter.weight)?],
        };
        parameter.moments = Some(moments);
        run.call(
            main,
            "/usr/lib/python3.11/site-packages/torch/optim/adam.py(345): _single_tensor_adam",
        );
        run.begin(SQRT, main)?;
        let root = run.tensor(shape, Owner::Operator, main);
        run.end(SQRT, main, &[&moments[1]], &[&root])?;
        run.begin(UPDATE, main)?;
        let reads = [&gradient, &moments[0], &root];
        run.end(UPDATE, main, &reads, &[&moments[0], &moments[1], &parameter.weight])?;
        run.let_go(root, main)?;
        run.leave(main, 1)?;
    }
    run.leave(main, 2)
}

fn zeros(run: &mut Run<'_>, like: &Tensor) -> Result<Tensor> {
    let main = run.threads.main;
    run.begin(ZEROS, main)?;
    let made = run.tensor(like.shape, Owner::OptimizerState, main);
    run.end(ZEROS, main, &[], &[&made])?;
    Ok(made)
}

/// Gradients are let go.
pub(crate) fn zero_gradients(run: &mut Run<'_>, network: &mut Network) -> Result<()> {
    let main = run.threads.main;
    run.call(main, "/usr/lib/python3.11/site-packages/torch/optim/optimizer.py(973): zero_grad");
    for parameter in network.parameters() {
        if let Some(gradient) = parameter.gradient.take() {
            run.let_go(gradient, main)?;
        }
    }
    run.leave(main, 1)
}

/// A module's call: the module, its Python function, and the C function as its own two slices.
fn module<'a, T>(
    run: &mut Run<'a>,
    class: &str,
    function: &str,
    built_in: &str,
    body: impl FnOnce(&mut Run<'a>) -> Result<T>,
) -> Result<T> {
    let main = run.threads.main;
    run.call(main, &format!("nn.Module: {class}"));
    run.call(main, &format!("{MODULES}/{function}"));
    run.call(
        main,
        &format!("/usr/lib/python3.11/site-packages/torch/nn/functional.py(2822): {built_in}"),
    );
    run.call(main, &format!("<built-in method {built_in} of type object at 0xffff8471f048>"));
    let value = body(run)?;
    run.leave(main, 4)?;
    Ok(value)
}
