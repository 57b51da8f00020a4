//! Named ranges on the time axis.

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Start,
    End,
}

/// What a range is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    Step(u64),
    Forward,
    Backward,
    Optimizer,
    ZeroGrad,
    Evaluate,
}

impl Label {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Step(number) => format!("ProfilerStep#{number}"),
            Self::Forward => "## forward ##".to_owned(),
            Self::Backward => "## backward ##".to_owned(),
            Self::Optimizer => "Optimizer.step#AdamW.step".to_owned(),
            Self::ZeroGrad => "Optimizer.zero_grad#AdamW.zero_grad".to_owned(),
            Self::Evaluate => "## evaluate ##".to_owned(),
        }
    }
}

/// One end of a range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Annotation {
    pub(crate) stage: Stage,
    pub(crate) label: Label,
    pub(crate) time_us: u64,
}
