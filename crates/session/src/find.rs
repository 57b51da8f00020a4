//! Whatever a person may look for, found by what they type.
//!
//! Start at [`OnDevice::find`]. Every list is cut after [`Sought::most`] rows and says how many
//! there are in all.

use crate::{Amount, OnDevice};
use ::table::{Needle, parse_address};
use job::{Cancelled, Job};
use model::{BlockId, EventId, FrameId, SegmentId, StackId, StringId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Rows that are looked at between two looks at the job.
const STRIDE: usize = 65_536;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// As typed: an address, the number of an event or a block (with or without `#`), or a part of
    /// what stacks, owners and ranges say, whatever the case.
    pub text: String,
    /// The most rows of each kind that are wanted.
    pub most: usize,
}

/// The first rows of one kind, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits<T> {
    /// In the order of their kind.
    pub first: Vec<T>,
    /// All of them.
    pub all: usize,
}

impl<T> Default for Hits<T> {
    fn default() -> Self {
        Self { first: Vec::new(), all: 0 }
    }
}

impl<T> Hits<T> {
    fn cut(mut all: Vec<T>, most: usize) -> Self {
        let count = all.len();
        all.truncate(most);
        Self { first: all, all: count }
    }
}

/// A stack that says what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackHit {
    /// The stack.
    pub stack: StackId,
    /// Its innermost frame that says so.
    pub frame: FrameId,
    /// The device's blocks with it: at least one.
    pub blocks: Amount,
    /// The newest of them.
    pub newest: BlockId,
}

/// An owner whose own part of the path says what is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerHit {
    /// The whole path, `PTA@ops@aten`.
    pub tag: String,
    /// The device's blocks of it and of those below it: at least one.
    pub blocks: Amount,
}

/// A range whose name says what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeHit {
    /// Its name.
    pub name: StringId,
    /// Nanoseconds since the recording's zero; `None`: its start was lost.
    pub start_ns: Option<i64>,
    /// Likewise its end.
    pub end_ns: Option<i64>,
    /// The device's first and last event in it, if there are any.
    pub events: Option<(EventId, EventId)>,
}

/// What was found on a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finding {
    /// The address that was meant, if it may be one.
    pub address: Option<u64>,
    /// The block with the number, then those that ever held the address, the newest first.
    pub blocks: Hits<BlockId>,
    /// Segments that ever held the address, the newest first.
    pub segments: Hits<SegmentId>,
    /// The event with the number.
    pub event: Option<EventId>,
    /// By bytes, the most first.
    pub stacks: Hits<StackHit>,
    /// Likewise.
    pub owners: Hits<OwnerHit>,
    /// By start.
    pub ranges: Hits<RangeHit>,
}

impl OnDevice<'_> {
    /// What `sought` leads to on this device; nothing for an empty text.
    pub fn find(self, sought: &Sought, job: &Job) -> Result<Finding, Cancelled> {
        let text = sought.text.trim();
        if text.is_empty() {
            return Ok(Finding::default());
        }
        let number = number(text);
        let address = if text.starts_with('#') { None } else { parse_address(text) };
        let needle = Needle::new(text);
        let events = self.table().events.len();
        let event = number.and_then(|number| u32::try_from(number).ok());
        Ok(Finding {
            address,
            blocks: self.blocks_meant(number, address, sought.most, job)?,
            segments: address.map_or_else(Hits::default, |at| self.segments_at(at, sought.most)),
            event: event.filter(|event| *event < events).map(EventId),
            stacks: self.stacks_saying(&needle, sought.most, job)?,
            owners: self.owners_saying(&needle, sought.most, job)?,
            ranges: self.ranges_saying(&needle, sought.most),
        })
    }

    /// The block called `number`, then those that ever held `address`, the newest first.
    fn blocks_meant(
        self,
        number: Option<i64>,
        address: Option<u64>,
        most: usize,
        job: &Job,
    ) -> Result<Hits<BlockId>, Cancelled> {
        let blocks = &self.table().blocks;
        let numbered = number.and_then(|number| self.block_numbers().find(blocks, number));
        let mut first: Vec<BlockId> = numbered.into_iter().take(most).collect();
        let mut all = usize::from(numbered.is_some());
        let Some(address) = address else { return Ok(Hits { first, all }) };
        let columns = blocks.addr().iter().zip(blocks.size()).enumerate();
        for (row, (addr, size)) in columns.rev() {
            if row.is_multiple_of(STRIDE) {
                job.check()?;
            }
            let block = BlockId(row as u32);
            if address >= *addr && address - addr < (*size).max(1) && numbered != Some(block) {
                all += 1;
                if first.len() < most {
                    first.push(block);
                }
            }
        }
        Ok(Hits { first, all })
    }

    fn segments_at(self, address: u64, most: usize) -> Hits<SegmentId> {
        let rows = self.table().segments.rows().iter().enumerate().rev();
        let holders = rows.filter(|(_, segment)| segment.holds(address));
        Hits::cut(holders.map(|(row, _)| SegmentId(row as u32)).collect(), most)
    }

    /// Frames are few: they are looked through first, stacks and blocks follow from them.
    fn stacks_saying(
        self,
        needle: &Needle,
        most: usize,
        job: &Job,
    ) -> Result<Hits<StackHit>, Cancelled> {
        let stacks = &self.session.recording().stacks;
        let mut says = Vec::with_capacity(stacks.frame_count());
        for row in 0..stacks.frame_count() {
            if row.is_multiple_of(4096) {
                job.check()?;
            }
            says.push(self.frame_says(FrameId(row as u32), needle));
        }
        let mut hits: Vec<Option<StackHit>> = Vec::with_capacity(stacks.len());
        for row in 0..stacks.len() {
            if row.is_multiple_of(STRIDE) {
                job.check()?;
            }
            let stack = StackId(row as u32);
            let frame = stacks.frame_ids(stack).iter().find(|frame| says[**frame as usize]);
            hits.push(frame.map(|frame| StackHit {
                stack,
                frame: FrameId(*frame),
                blocks: Amount::default(),
                newest: BlockId(0),
            }));
        }
        let blocks = &self.table().blocks;
        for (row, stack) in blocks.stack().iter().enumerate() {
            if row.is_multiple_of(STRIDE) {
                job.check()?;
            }
            if let Some(Some(hit)) = hits.get_mut(*stack as usize) {
                hit.blocks.add(blocks, row);
                hit.newest = BlockId(row as u32);
            }
        }
        let held = hits.into_iter().flatten().filter(|hit| hit.blocks.count > 0);
        let mut held: Vec<StackHit> = held.collect();
        held.sort_by_key(|hit| (Reverse(hit.blocks.size), hit.stack));
        Ok(Hits::cut(held, most))
    }

    fn frame_says(self, frame: FrameId, needle: &Needle) -> bool {
        let recording = self.session.recording();
        let at = recording.stacks.frame(frame);
        needle.is_in(recording.text(at.name))
            || needle.is_in(recording.text(at.filename))
            || needle.is_in(&self.session.frame_line(frame))
    }

    /// An owner is found by its own level of the path: those below it say the same.
    fn owners_saying(
        self,
        needle: &Needle,
        most: usize,
        job: &Job,
    ) -> Result<Hits<OwnerHit>, Cancelled> {
        let Some(track) = self.table().track.as_deref() else { return Ok(Hits::default()) };
        let blocks = &self.table().blocks;
        let paths = self.owner_paths();
        let mut amounts = vec![Amount::default(); paths.len()];
        for (row, owner) in track.owner.iter().enumerate() {
            if row.is_multiple_of(STRIDE) {
                job.check()?;
            }
            amounts[*owner as usize].add(blocks, row);
        }
        let mut found: BTreeMap<String, Amount> = BTreeMap::new();
        for (path, amount) in paths.iter().zip(amounts).filter(|(_, amount)| amount.count > 0) {
            for depth in 1..=path.len() {
                let tag = path[..depth].join("@");
                if needle.is_in(&tag) && !needle.is_in(&path[..depth - 1].join("@")) {
                    found.entry(tag).or_default().join(amount);
                }
            }
        }
        let hits = found.into_iter().map(|(tag, blocks)| OwnerHit { tag, blocks });
        let mut hits: Vec<OwnerHit> = hits.collect();
        hits.sort_by_key(|hit| Reverse(hit.blocks.size));
        Ok(Hits::cut(hits, most))
    }

    fn ranges_saying(self, needle: &Needle, most: usize) -> Hits<RangeHit> {
        let recording = self.session.recording();
        let (mut first, mut all) = (Vec::new(), 0);
        for range in self.annotations().filter(|range| needle.is_in(recording.text(range.name))) {
            all += 1;
            if first.len() < most {
                first.push(RangeHit {
                    name: range.name,
                    start_ns: range.start_ns,
                    end_ns: range.end_ns,
                    events: self.events_within(range.start_ns, range.end_ns),
                });
            }
        }
        Hits { first, all }
    }

    /// The first and the last event from `start_ns` to right before `end_ns`; what was a moment
    /// has the events of that moment.
    fn events_within(
        self,
        start_ns: Option<i64>,
        end_ns: Option<i64>,
    ) -> Option<(EventId, EventId)> {
        let times = self.table().events.time_ns.as_ref()?;
        let start = start_ns.unwrap_or(i64::MIN);
        let from = times.partition_point(|time| *time < start);
        let to = match end_ns {
            None => times.len(),
            Some(end) if end <= start => times.partition_point(|time| *time <= start),
            Some(end) => times.partition_point(|time| *time < end),
        };
        (from < to).then(|| (EventId(from as u32), EventId(to as u32 - 1)))
    }
}

/// `#123`, `123` and `-3`: what events and blocks are known by.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits: String = digits.chars().filter(|each| !matches!(each, ',' | '_' | ' ')).collect();
    digits.parse().ok()
}
