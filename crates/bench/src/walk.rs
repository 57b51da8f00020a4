//! A fixed walk of viewports: what a person who explores a recording asks for.

use session::{Axis, Viewport};

/// How many viewports a walk has.
const LENGTH: usize = 500;

/// The walk over `whole`, the same for every file but for its bounds.
///
/// Ten excursions: from the whole, zoom in by half an octave at a time around a point, pan there,
/// zoom the bytes as well, and back. What is asked for is what the page asks for: three screens.
pub(crate) fn viewports(whole: &Viewport) -> Vec<Viewport> {
    let mut walk = Vec::with_capacity(LENGTH);
    // Golden-ratio steps visit the axis evenly without repeating.
    for excursion in 0.. {
        let at = (f64::from(excursion) * 0.618_034 + 0.137).fract();
        let height_at = (f64::from(excursion) * 0.414_214 + 0.31).fract();
        for step in 0..50_i32 {
            if walk.len() == LENGTH {
                return walk;
            }
            let (zoom, pan) = match step {
                0..30 => (f64::from(step) / 2.0, 0.0),
                30..40 => (15.0, f64::from(step - 30) * 0.4),
                _ => (15.0 - f64::from(step - 40) * 1.5, 0.0),
            };
            let deep = if step % 5 == 4 { f64::from(step % 9) } else { 0.0 };
            walk.push(screen(whole, excursion, (at, height_at), (zoom, pan, deep)));
        }
    }
    walk
}

/// One viewport: `zoom` and `deep` are octaves across and up, `pan` screens to the right.
fn screen(
    whole: &Viewport,
    excursion: u32,
    (at, height_at): (f64, f64),
    (zoom, pan, deep): (f64, f64, f64),
) -> Viewport {
    let all = whole.x.1 - whole.x.0;
    let span = (all / zoom.exp2()).max(4.0);
    let middle = whole.x.0 + all * at + pan * span;
    let height = (whole.y.1 - whole.y.0) / deep.exp2();
    let bottom = (whole.y.1 - whole.y.0 - height) * height_at;
    // A screen more on either side, as far as there is something.
    let (left, right) =
        ((middle - span * 1.5).max(whole.x.0), (middle + span * 1.5).min(whole.x.1));
    let screens = ((right - left) / span).clamp(0.1, 3.0);
    Viewport {
        axis: if excursion % 4 == 3 { Axis::Time } else { Axis::Event },
        x: (left, right),
        y: (bottom, bottom + height),
        width_px: (f64::from(whole.width_px) * screens).min(4096.0) as u32,
        ..whole.clone()
    }
}
