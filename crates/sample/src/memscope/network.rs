//! The network that is trained: convolutions in four stages with shortcuts around every second one.

use crate::memscope::collector::Shape;
use crate::memscope::memory::{Owner, Run, Tensor};

/// One convolution with its norm.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) parameters: [Parameter; 3],
    /// The shape of what comes out.
    pub(crate) shape: Shape,
}

/// A weight and what the optimizer keeps for it.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) weight: Tensor,
    /// Between the backward pass and the next step.
    pub(crate) gradient: Option<Tensor>,
    /// From the first step on.
    pub(crate) moments: Option<[Tensor; 2]>,
}

/// The network.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) layers: Vec<Layer>,
    pub(crate) head: Parameter,
}

/// What goes in: one picture.
pub(crate) const INPUT: Shape = [1, 3, 224, 224];
/// What comes out: one of ten.
pub(crate) const CLASSES: u32 = 10;

impl Network {
    /// Puts the weights on the device.
    pub(crate) fn load(run: &mut Run<'_>, start_ns: u64) -> Self {
        let count = run.process.plan.layers.max(1);
        let mut channels_in = 3;
        let mut layers = Vec::new();
        for index in 0..count {
            let stage = index * 4 / count;
            let channels = 64 << stage;
            let side = 56 >> stage;
            let shapes = [[channels, channels_in, 3, 3], [channels, 0, 0, 0], [channels, 0, 0, 0]];
            let parameters = shapes.map(|shape| Parameter::load(run, shape, start_ns));
            layers.push(Layer { parameters, shape: [1, channels, side, side] });
            channels_in = channels;
        }
        let head = Parameter::load(run, [CLASSES, channels_in, 0, 0], start_ns);
        Self { layers, head }
    }

    pub(crate) fn parameters(&mut self) -> impl Iterator<Item = &mut Parameter> {
        let layers = self.layers.iter_mut().flat_map(|layer| layer.parameters.iter_mut());
        layers.chain(std::iter::once(&mut self.head))
    }
}

impl Parameter {
    fn load(run: &mut Run<'_>, shape: Shape, start_ns: u64) -> Self {
        let weight = run.old_tensor(shape, Owner::Weight, start_ns);
        Self { weight, gradient: None, moments: None }
    }
}
