//! The pool state and the address map: what is asked, and the bytes of the answers.

use crate::columns::ColumnWriter;
use crate::event::state;
use crate::viewport::{lit, viewport};
use crate::{ColorBy, Highlight, Number, SceneQuestion, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::{BlockId, Job, Lit, OnDevice, PoolState, Session, SizeSource, State, pool_rows};
use specta::Type;

/// First word of an encoded pool: `TIDP`.
pub const POOL_MAGIC: u32 = u32::from_le_bytes(*b"TIDP");
/// First word of an encoded address map: `TIDA`.
pub const MAP_MAGIC: u32 = u32::from_le_bytes(*b"TIDA");
/// Second word of both.
const VERSION: u32 = 1;

/// How segments follow each other in the pool view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PoolOrder {
    /// The largest first.
    Size,
    /// By address.
    Address,
    /// The most free bytes first.
    Free,
}

/// Whether pools and streams have rows of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PoolGrouping {
    /// A row holds segments of one pool on one stream.
    ByPool,
    /// All together.
    Together,
}

/// A moment of the pool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PoolQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Right after which event; −1: before the first.
    #[specta(type = Number)]
    pub after: f64,
    /// Order of the segments.
    pub order: PoolOrder,
    /// Grouping of the rows.
    pub grouping: PoolGrouping,
    /// Colour key of the blocks.
    pub color: ColorBy,
    /// Which blocks stand out; absent: none.
    #[serde(default)]
    pub highlight: Option<Highlight>,
}

/// How lanes of the address map follow each other, bottom up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum LaneOrder {
    /// By address.
    Address,
    /// The largest first.
    Size,
}

/// A viewport of the address map; `scene.y0` and `scene.y1` count bytes of its axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct AddressMapQuestion {
    /// The viewport.
    pub scene: SceneQuestion,
    /// Order of the lanes.
    pub order: LaneOrder,
}

/// A contiguous range of addresses that was mapped at some time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LaneRow {
    /// Hex.
    pub address: String,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
    /// Where it begins on the axis.
    #[specta(type = Number)]
    pub at: u64,
}

/// The lanes of a device, by address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LaneList {
    /// Extent of the axis, bytes.
    #[specta(type = Number)]
    pub total: u64,
    /// By address.
    pub lanes: Vec<LaneRow>,
}

/// The pool as raw columns.
///
/// ```text
/// offset  0  u32 magic, version, n (segments), m (blocks), rows, state, outside (blocks), 0
/// offset 32  f64 row_bytes, reserved, allocated, pending, requested, free, largest_gap, 0
/// offset 96  u64 addr[n]; f64 x[n] (bytes from the left), size[n], allocated[n], pending[n],
///            requested[n], free[n], largest_gap[n]
///            u64 addr[m]; f64 offset[m] (bytes from its segment's start), size[m], requested[m]
///            u32 row[n], stream[n], pool[n] (u32::MAX: unknown), kind[n] (0 small, 1 large,
///            2 unknown; + 4: expandable), gaps[n], first_block[n], blocks[n]
///            u32 segment[m], block[m], key[m], flags[m] (1: pending, 2: size computed, 4: others
///            stand out)
/// ```
pub fn pool_bytes(session: &Session, question: &PoolQuestion) -> Result<Vec<u8>, WireError> {
    let on = error::device(session, question.device)?;
    let state = state(on, question.after);
    let pool = on.pool(state);
    let order = match question.order {
        PoolOrder::Size => session::PoolOrder::Size,
        PoolOrder::Address => session::PoolOrder::Address,
        PoolOrder::Free => session::PoolOrder::Free,
    };
    let grouping = match question.grouping {
        PoolGrouping::ByPool => session::PoolGrouping::ByPool,
        PoolGrouping::Together => session::PoolGrouping::Together,
    };
    let rows = pool_rows(&pool, order, grouping);
    let mut bytes = ColumnWriter::default();
    let (n, m) = (pool.segments.len() as u32, pool.blocks.len() as u32);
    let outside = pool.outside.len() as u32;
    bytes.words([POOL_MAGIC, VERSION, n, m, rows.rows, state.0, outside, 0]);
    let sum =
        |of: fn(&session::PoolSegment) -> u64| pool.segments.iter().map(of).sum::<u64>() as f64;
    let largest_gap = pool.segments.iter().map(|segment| segment.largest_gap).max().unwrap_or(0);
    bytes.doubles([
        rows.width as f64,
        sum(|segment| segment.size),
        sum(|segment| segment.allocated),
        sum(|segment| segment.pending),
        sum(|segment| segment.requested),
        sum(|segment| segment.free),
        largest_gap as f64,
        0.0,
    ]);
    let mut place = vec![(0_u32, 0_u64); pool.segments.len()];
    for placed in &rows.placed {
        place[placed.segment as usize] = (placed.row, placed.x);
    }
    segments_wide(&mut bytes, &pool, &place);
    let order = blocks_wide(&mut bytes, on, &pool);
    segments_narrow(&mut bytes, &pool, &place);
    let lit = question.highlight.as_ref().and_then(|highlight| lit(on, highlight));
    blocks_narrow(&mut bytes, on, &pool, (&order, state, question.color, lit));
    Ok(bytes.finish())
}

fn segments_wide(bytes: &mut ColumnWriter, pool: &PoolState, place: &[(u32, u64)]) {
    let segments = &pool.segments;
    bytes.longs(segments.iter().map(|segment| segment.addr));
    bytes.doubles(place.iter().map(|(_, x)| *x as f64));
    let columns: [fn(&session::PoolSegment) -> u64; 6] = [
        |segment| segment.size,
        |segment| segment.allocated,
        |segment| segment.pending,
        |segment| segment.requested,
        |segment| segment.free,
        |segment| segment.largest_gap,
    ];
    for column in columns {
        bytes.doubles(segments.iter().map(|segment| column(segment) as f64));
    }
}

/// The blocks' 64-bit columns; returns the segment of every block.
fn blocks_wide(bytes: &mut ColumnWriter, on: OnDevice<'_>, pool: &PoolState) -> Vec<u32> {
    let blocks = &on.table().blocks;
    let mut owner = vec![0; pool.blocks.len()];
    for (row, segment) in pool.segments.iter().enumerate() {
        owner[segment.blocks.clone()].fill(row as u32);
    }
    let addr = |row: &u32| blocks.addr()[*row as usize];
    bytes.longs(pool.blocks.iter().map(addr));
    bytes.doubles(pool.blocks.iter().zip(&owner).map(|(row, segment)| {
        addr(row).saturating_sub(pool.segments[*segment as usize].addr) as f64
    }));
    bytes.doubles(pool.blocks.iter().map(|row| blocks.size()[*row as usize] as f64));
    bytes.doubles(pool.blocks.iter().map(|row| blocks.requested()[*row as usize] as f64));
    owner
}

fn segments_narrow(bytes: &mut ColumnWriter, pool: &PoolState, place: &[(u32, u64)]) {
    let segments = &pool.segments;
    bytes.words(place.iter().map(|(row, _)| *row));
    bytes.words(segments.iter().map(|segment| u32::from(segment.stream.0)));
    bytes.words(
        segments.iter().map(|segment| segment.pool.map_or(u32::MAX, |pool| u32::from(pool.0))),
    );
    bytes.words(
        segments.iter().map(|segment| segment.kind as u32 + 4 * u32::from(segment.is_expandable)),
    );
    bytes.words(segments.iter().map(|segment| segment.gaps));
    bytes.words(segments.iter().map(|segment| segment.blocks.start as u32));
    bytes.words(segments.iter().map(|segment| segment.blocks.len() as u32));
}

fn blocks_narrow(
    bytes: &mut ColumnWriter,
    on: OnDevice<'_>,
    pool: &PoolState,
    (owner, state, color, lit): (&[u32], State, ColorBy, Option<Lit>),
) {
    let blocks = &on.table().blocks;
    bytes.words(owner.iter().copied());
    bytes.words(pool.blocks.iter().copied());
    let color = crate::viewport::color(color);
    bytes.words(pool.blocks.iter().map(|row| color.key(blocks, *row as usize)));
    bytes.words(pool.blocks.iter().map(|row| {
        let pending = blocks.released()[*row as usize] <= state.0;
        let computed = blocks.get(BlockId(*row)).size_source == SizeSource::Computed;
        let is_dim = lit.as_ref().is_some_and(|lit| !lit.holds(blocks, *row as usize));
        u32::from(pending) + 2 * u32::from(computed) + 4 * u32::from(is_dim)
    }));
}

/// The lanes of the address map.
pub fn lanes(session: &Session, device: u32, order: LaneOrder) -> Result<LaneList, WireError> {
    let on = error::device(session, device)?;
    let lanes = on.lanes(lane_order(order));
    let row = |lane: &session::Lane| LaneRow {
        address: names::hex(lane.addr),
        size: lane.size,
        at: lane.at,
    };
    Ok(LaneList { total: lanes.total(), lanes: lanes.rows().iter().map(row).collect() })
}

fn lane_order(order: LaneOrder) -> session::LaneOrder {
    match order {
        LaneOrder::Address => session::LaneOrder::Address,
        LaneOrder::Size => session::LaneOrder::Size,
    }
}

/// The address map as raw columns.
///
/// ```text
/// offset  0  u32 magic, version, n (columns), m (blocks), k (outline), s (segments), h (holes), 0
/// offset 32  f32 edge[n + 1]; u32 state[n], hidden[n]
///            blocks[m], outline[k], segments[s], holes[h], each
///            f32 x0[], x1[], top[], bottom[]; u32 block[], key[]
///            u32 lit[m]: 1 where a block stands out
/// ```
pub fn address_map_bytes(
    session: &Session,
    question: &AddressMapQuestion,
    job: &Job,
) -> Result<Vec<u8>, WireError> {
    let on = error::device(session, question.scene.device)?;
    let viewport = viewport(on, &question.scene)?;
    let map = on.address_map(lane_order(question.order), &viewport, job)?;
    let shapes = [&map.bands, &map.outline, &map.mapped, &map.holes];
    let [m, k, s, h] = shapes.map(|bands| bands.block.len() as u32);
    let mut bytes = ColumnWriter::default();
    bytes.words([MAP_MAGIC, VERSION, map.state.len() as u32, m, k, s, h, 0]);
    bytes.edges(&map.edge).words(map.state).words(map.hidden);
    for bands in shapes {
        bytes.bands(bands);
    }
    bytes.words(map.lit.iter().copied());
    Ok(bytes.finish())
}
