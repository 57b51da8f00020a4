//! Each pool at one moment, and over a stretch of the axis.

use crate::columns::ColumnWriter;
use crate::event::state;
use crate::summary::peak;
use crate::viewport::{axis, stretch};
use crate::{Axis, Number, Peak, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::Session;
use specta::Type;

/// First word of encoded curves: `TIDC`.
pub const CURVES_MAGIC: u32 = u32::from_le_bytes(*b"TIDC");
/// Second word.
const VERSION: u32 = 1;
/// More pools than a screen has rows.
const MOST_POOLS: usize = 64;
/// Columns × pools in one answer: below 300 KB.
const MOST_VALUES: u32 = 18_000;

/// One pool on one stream at one moment, and what it had at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PoolRow {
    /// `(0, 0)` is the default pool; `unknown` when the file does not say.
    pub pool: String,
    /// Stream handle in hex.
    pub stream: String,
    /// Bytes in segments.
    #[specta(type = Number)]
    pub reserved: u64,
    /// Bytes in blocks that are allocated or pending.
    #[specta(type = Number)]
    pub active: u64,
    /// Bytes of its segments in no block.
    #[specta(type = Number)]
    pub free: u64,
    /// Bytes of the largest run of them.
    #[specta(type = Number)]
    pub largest_gap: u64,
    /// Segments.
    pub segments: u32,
    /// Most bytes in segments.
    pub peak_reserved: Peak,
    /// Most bytes in blocks that are allocated or pending.
    pub peak_active: Peak,
}

/// Every pool that ever had memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PoolList {
    /// As the file first names them, unknown ones last; curves are asked for by the row here.
    pub pools: Vec<PoolRow>,
}

/// A stretch of the axis over which pools are wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PoolCurvesQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Unit of `x0` and `x1`.
    pub axis: Axis,
    /// Left edge, axis units.
    #[specta(type = Number)]
    pub x0: f64,
    /// Right edge, axis units.
    #[specta(type = Number)]
    pub x1: f64,
    /// Device pixels across; with many pools the columns get wider.
    pub width_px: u32,
    /// Rows of [`PoolList::pools`], at most 64.
    pub pools: Vec<u32>,
}

/// Every pool that ever had memory, right after event `after` (−1: before the first).
pub fn pools(session: &Session, device: u32, after: f64) -> Result<PoolList, WireError> {
    let on = error::device(session, device)?;
    let row = |pool: session::PoolMoment| PoolRow {
        pool: pool.pool.map_or_else(|| "unknown".to_owned(), names::pool),
        stream: names::hex(pool.stream),
        reserved: pool.reserved,
        active: pool.active,
        free: pool.free,
        largest_gap: pool.largest_gap,
        segments: pool.segments,
        peak_reserved: peak(pool.peak_reserved),
        peak_active: peak(pool.peak_active),
    };
    Ok(PoolList { pools: on.pool_moments(state(on, after)).into_iter().map(row).collect() })
}

/// Pools over a stretch of the axis as raw columns; bytes are as exact as a drawing needs.
///
/// ```text
/// offset  0  u32 magic, version, n (columns), p (pools), 0, 0, 0, 0
/// offset 32  f32 edge[n + 1] (0 to 1 across the stretch)
///            for each pool: f32 reserved least[n], most[n], active least[n], most[n]
/// ```
pub fn pool_curves_bytes(
    session: &Session,
    question: &PoolCurvesQuestion,
) -> Result<Vec<u8>, WireError> {
    let on = error::device(session, question.device)?;
    let x = stretch("x", question.x0, question.x1)?;
    let rows: Vec<usize> =
        question.pools.iter().take(MOST_POOLS).map(|row| *row as usize).collect();
    let most = MOST_VALUES / rows.len().max(1) as u32;
    let width = question.width_px.clamp(1, most);
    let found = on.pool_columns(axis(on, question.axis)?, x, width, &rows);
    let count = found.edge.len().saturating_sub(1);
    let mut bytes = ColumnWriter::default();
    bytes.words([CURVES_MAGIC, VERSION, count as u32, rows.len() as u32, 0, 0, 0, 0]);
    let edges: Vec<f32> = found.edge.iter().map(|edge| edge / width as f32).collect();
    bytes.edges(&edges);
    for line in &found.lines {
        for values in line.reserved.iter().chain(&line.active) {
            // A pool that is not there has no values: it is drawn as nothing.
            let padded = values.iter().map(|value| *value as f32).chain(std::iter::repeat(0.0));
            bytes.floats(padded.take(count));
        }
    }
    Ok(bytes.finish())
}
