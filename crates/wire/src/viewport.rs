//! Questions that follow the pointer: a scene, and the named ranges over it.

use crate::event::{parse_address, state};
use crate::{
    AnnotationRange, Annotations, AnnotationsQuestion, Axis, ColorBy, Detail, Highlight,
    SceneQuestion, WireError, encode_scene, error,
};
use session::{
    BlockId, FrameId, Holder, Job, Lit, Mark, OnDevice, Session, StackId, State, Viewport,
};

/// More device pixels than any screen has, three screens wide.
pub(crate) const MOST_PX: u32 = 1 << 15;
/// Beyond this neither events, microseconds nor bytes are exact in a double.
const FARTHEST: f64 = 9_007_199_254_740_992.0;
/// No axis is looked at closer than this: a thousandth of an event, microsecond or byte.
const NARROWEST: f64 = 1e-3;

/// The scene that `question` asks for, as [`encode_scene`] writes it.
pub fn scene_bytes(
    session: &Session,
    question: &SceneQuestion,
    job: &Job,
) -> Result<Vec<u8>, WireError> {
    let device = error::device(session, question.device)?;
    let viewport = viewport(device, question)?;
    Ok(encode_scene(&device.scene(&viewport, job)?))
}

/// The named ranges that `question` asks for.
pub fn annotations(
    session: &Session,
    question: &AnnotationsQuestion,
) -> Result<Annotations, WireError> {
    let device = error::device(session, question.device)?;
    let axis = axis(device, question.axis)?;
    let x = stretch("x", question.x0, question.x1)?;
    let marks = device.marks(axis, x, question.width_px.clamp(1, MOST_PX));
    let range = |mark: &Mark| AnnotationRange {
        name: session.recording().text(mark.name).to_owned(),
        from: mark.from.filter(|edge| edge.is_finite()),
        to: mark.to.filter(|edge| edge.is_finite()),
        depth: mark.depth,
        kind: mark.kind.into(),
        count: mark.count,
    };
    Ok(Annotations { ranges: marks.iter().map(range).collect() })
}

pub(crate) fn viewport(
    device: OnDevice<'_>,
    question: &SceneQuestion,
) -> Result<Viewport, WireError> {
    let blocks = device.table().blocks.len();
    Ok(Viewport {
        axis: axis(device, question.axis)?,
        x: stretch("x", question.x0, question.x1)?,
        y: stretch("y", question.y0, question.y1)?,
        width_px: question.width_px.clamp(1, MOST_PX),
        height_px: question.height_px.clamp(1, MOST_PX),
        color: color(question.color),
        detail: match question.detail {
            Detail::Full => session::Detail::Full,
            Detail::Lines => session::Detail::Lines,
        },
        selected: question.selected.filter(|block| *block < blocks).map(BlockId),
        lit: question.highlight.as_ref().and_then(|highlight| lit(device, highlight)),
    })
}

/// What stands out; nothing where the question names nothing that is there.
pub(crate) fn lit(device: OnDevice<'_>, highlight: &Highlight) -> Option<Lit> {
    match highlight {
        Highlight::Segment { address, after } => {
            let found = device.segment(state(device, *after), parse_address(address).ok()?)?;
            let (born, died) = (found.mapped, found.unmapped);
            Some(Lit::In {
                addr: found.segment.addr,
                size: found.segment.size,
                born: born.map_or(State(0), |moment| State::after(moment.event)),
                died: died.map(|moment| State::after(moment.event)),
            })
        }
        Highlight::StackOf { block } => {
            let blocks = &device.table().blocks;
            let known = (*block < blocks.len()).then(|| blocks.get(BlockId(*block)))?;
            Some(Lit::Of(known.stack?))
        }
        Highlight::Stack { stack } => held(device, &Holder::Stack(StackId(*stack))),
        Highlight::Frame { frame } => held(device, &Holder::Frame(FrameId(*frame))),
        Highlight::Owner { tag } => held(device, &Holder::Owner(tag.clone())),
        Highlight::Inefficient { thresholds } => device.inefficient_lit((*thresholds).into()),
        Highlight::Period { from, to } => {
            Some(Lit::Between(state(device, from.min(*to) - 1.0), state(device, from.max(*to))))
        }
    }
}

fn held(device: OnDevice<'_>, holder: &Holder) -> Option<Lit> {
    Some(device.holder(holder)?.lit())
}

pub(crate) fn color(color: ColorBy) -> session::ColorBy {
    match color {
        ColorBy::Address => session::ColorBy::Address,
        ColorBy::Stack => session::ColorBy::Stack,
        ColorBy::Size => session::ColorBy::Size,
        ColorBy::Stream => session::ColorBy::Stream,
        ColorBy::Pool => session::ColorBy::Pool,
    }
}

pub(crate) fn axis(device: OnDevice<'_>, axis: Axis) -> Result<session::Axis, WireError> {
    let axis = match axis {
        Axis::Event => session::Axis::Event,
        Axis::Time => session::Axis::Time,
    };
    match axis.range(device.table()) {
        Some(_) => Ok(axis),
        None => Err(WireError::nonsense(format!("the events of {} have no times", device.name()))),
    }
}

/// From the lower to the higher of two edges, neither too far out nor too close together.
pub(crate) fn stretch(name: &str, one: f64, other: f64) -> Result<(f64, f64), WireError> {
    if one.is_nan() || other.is_nan() {
        return Err(WireError::nonsense(format!("an edge of {name} is not a number")));
    }
    let from = one.min(other).clamp(-FARTHEST, FARTHEST);
    let to = one.max(other).clamp(-FARTHEST, FARTHEST);
    // Far out, a thousandth is lost in rounding: one unit is not.
    let narrowest = if from.abs() < 1e9 { NARROWEST } else { 2.0 };
    Ok(if to - from < narrowest { (from, from + narrowest) } else { (from, to) })
}
