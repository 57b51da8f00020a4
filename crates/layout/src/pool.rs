//! Packs the segments of a pool state into rows.

use index::{PoolSegment, PoolState};
use model::{PoolId, StreamId};

/// How segments follow each other within a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolOrder {
    /// The largest first.
    Size,
    /// By address.
    Address,
    /// The most free bytes first.
    Free,
}

/// Whether segments of different pools and streams share rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolGrouping {
    /// Rows hold segments of one pool on one stream.
    ByPool,
    /// All together.
    Together,
}

/// Segments as rectangles in rows of equal width.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolRows {
    /// Bytes across a row.
    pub width: u64,
    /// How many rows.
    pub rows: u32,
    /// In drawing order.
    pub placed: Vec<Placed>,
}

/// One segment's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its row in [`PoolState::segments`].
    pub segment: u32,
    /// From the top.
    pub row: u32,
    /// Bytes from the left edge.
    pub x: u64,
}

/// Packs `pool`: rows are as wide as the largest segment, and filled left to right.
///
/// Between two segments of a row lies a hundredth of the width, so that they are told apart.
pub fn pool_rows(pool: &PoolState, order: PoolOrder, grouping: PoolGrouping) -> PoolRows {
    let segments = &pool.segments;
    let Some(width) = segments.iter().map(|segment| segment.size).max() else {
        return PoolRows::default();
    };
    let group = |segment: &PoolSegment| match grouping {
        PoolGrouping::ByPool => (pool_key(segment.pool), segment.stream),
        PoolGrouping::Together => (pool_key(None), StreamId(0)),
    };
    let rank = |segment: &PoolSegment| match order {
        PoolOrder::Size => u64::MAX - segment.size,
        PoolOrder::Address => 0,
        PoolOrder::Free => u64::MAX - segment.free,
    };
    let mut by_place: Vec<u32> = (0..segments.len() as u32).collect();
    by_place.sort_by_key(|row| {
        let segment = &segments[*row as usize];
        (group(segment), rank(segment), segment.addr)
    });
    let gap = width / 100;
    let mut rows = PoolRows { width, rows: 0, placed: Vec::with_capacity(segments.len()) };
    let mut open = None;
    for row in by_place {
        let segment = &segments[row as usize];
        let fits = open.filter(|(of, x): &(_, u64)| {
            *of == group(segment) && x.saturating_add(segment.size) <= width
        });
        let x = fits.map_or(0, |(_, x)| x);
        rows.rows += u32::from(fits.is_none());
        rows.placed.push(Placed { segment: row, row: rows.rows - 1, x });
        open = Some((group(segment), x.saturating_add(segment.size).saturating_add(gap)));
    }
    rows
}

/// Unknown pools last.
fn pool_key(pool: Option<PoolId>) -> u32 {
    pool.map_or(u32::MAX, |pool| u32::from(pool.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{SegmentId, SegmentKind};

    fn segment(addr: u64, size: u64, free: u64, stream: u16) -> PoolSegment {
        PoolSegment {
            addr,
            size,
            segment: SegmentId(0),
            stream: StreamId(stream),
            pool: Some(PoolId(0)),
            kind: SegmentKind::Large,
            is_expandable: false,
            blocks: 0..0,
            allocated: 0,
            pending: 0,
            requested: 0,
            free,
            gaps: 0,
            largest_gap: 0,
        }
    }

    fn packed(order: PoolOrder, grouping: PoolGrouping) -> Vec<(u32, u32, u64)> {
        let segments = vec![
            segment(0x1000, 100, 10, 0),
            segment(0x2000, 400, 0, 0),
            segment(0x3000, 100, 90, 1),
            segment(0x4000, 100, 50, 0),
        ];
        let pool = PoolState { segments, ..PoolState::default() };
        let rows = pool_rows(&pool, order, grouping);
        assert_eq!(rows.width, 400);
        rows.placed.iter().map(|at| (at.segment, at.row, at.x)).collect()
    }

    #[test]
    fn segments_fill_rows_as_wide_as_the_largest() {
        let together = packed(PoolOrder::Size, PoolGrouping::Together);
        assert_eq!(together, [(1, 0, 0), (0, 1, 0), (2, 1, 104), (3, 1, 208)]);
        let by_address = packed(PoolOrder::Address, PoolGrouping::Together);
        assert_eq!(by_address, [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 104)]);
        let by_free = packed(PoolOrder::Free, PoolGrouping::Together);
        assert_eq!(by_free, [(2, 0, 0), (3, 0, 104), (0, 0, 208), (1, 1, 0)]);
    }

    #[test]
    fn a_pool_on_another_stream_begins_a_row() {
        let grouped = packed(PoolOrder::Size, PoolGrouping::ByPool);
        assert_eq!(grouped, [(1, 0, 0), (0, 1, 0), (3, 1, 104), (2, 2, 0)]);
    }

    #[test]
    fn no_segments_make_no_rows() {
        let rows = pool_rows(&PoolState::default(), PoolOrder::Size, PoolGrouping::Together);
        assert_eq!(rows, PoolRows::default());
    }
}
