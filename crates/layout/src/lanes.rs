//! Where addresses lie on the vertical axis of the address map.

use model::{Segment, Segments};

/// How lanes follow each other, bottom up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneOrder {
    /// By address.
    Address,
    /// The largest first, then by address.
    Size,
}

/// A contiguous range of addresses that was mapped at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// First byte.
    pub addr: u64,
    /// Bytes.
    pub size: u64,
    /// Where it begins on the axis, bytes: lanes lie on each other without the spans between them.
    pub at: u64,
}

/// All lanes of a device.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// By address.
    lanes: Vec<Lane>,
    total: u64,
}

impl Lanes {
    /// The lanes of `segments`, over all of the recording.
    ///
    /// Ranges that overlap at whatever time share a lane, and so do the neighbouring parts of an
    /// expandable segment.
    pub fn new(segments: &Segments, order: LaneOrder) -> Self {
        let mut rows: Vec<&Segment> = segments.rows().iter().collect();
        rows.sort_unstable_by_key(|row| (row.addr, row.size));
        let mut lanes: Vec<Lane> = Vec::new();
        let mut grows = false;
        for row in rows {
            let end = row.addr.saturating_add(row.size);
            match lanes.last_mut() {
                Some(last)
                    if row.addr < last.addr + last.size
                        || (grows && row.is_expandable && row.addr == last.addr + last.size) =>
                {
                    last.size = last.size.max(end - last.addr);
                }
                _ => lanes.push(Lane { addr: row.addr, size: end - row.addr, at: 0 }),
            }
            grows = row.is_expandable;
        }
        let mut by_place: Vec<usize> = (0..lanes.len()).collect();
        if order == LaneOrder::Size {
            by_place.sort_by_key(|lane| std::cmp::Reverse(lanes[*lane].size));
        }
        let mut total = 0_u64;
        for lane in by_place {
            lanes[lane].at = total;
            total = total.saturating_add(lanes[lane].size);
        }
        Self { lanes, total }
    }

    /// By address.
    pub fn rows(&self) -> &[Lane] {
        &self.lanes
    }

    /// Bytes of all lanes: the extent of the axis.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Where `addr` lies on the axis; `None` when it was never mapped.
    pub fn locate(&self, addr: u64) -> Option<u64> {
        let lane = self.lane(addr)?;
        Some(lane.at + (addr - lane.addr))
    }

    /// The lane that holds `addr`.
    pub fn lane(&self, addr: u64) -> Option<&Lane> {
        let after = self.lanes.partition_point(|lane| lane.addr <= addr);
        self.lanes[..after].last().filter(|lane| addr - lane.addr < lane.size)
    }

    /// The address at `at` on the axis.
    pub fn address(&self, at: u64) -> Option<u64> {
        let lane = self.lanes.iter().find(|lane| lane.at <= at && at - lane.at < lane.size)?;
        Some(lane.addr + (at - lane.at))
    }
}
