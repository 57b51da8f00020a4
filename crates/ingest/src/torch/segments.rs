//! Segments and their blocks.

use super::finish::{self, field};
use super::raw::{BlockState, RawBlock, RawSegment};
use super::reader::Reader;
use super::words as word;
use job::{Cancelled, Job};
use model::{SegmentKind, StackId, WarningKind};
use pickle::{Heap, Value, expand};
use std::collections::BTreeMap;

/// A segment with its blocks.
#[derive(Debug)]
pub(super) struct Draft {
    segment: RawSegment,
    blocks: Vec<RawBlock>,
}

/// Segments sorted by address with their blocks in the same order.
pub(super) fn columns(mut drafts: Vec<Draft>) -> (Vec<RawSegment>, Vec<RawBlock>) {
    drafts.sort_by_key(|draft| draft.segment.addr);
    let (mut segments, mut blocks) = (Vec::with_capacity(drafts.len()), Vec::new());
    for mut draft in drafts {
        draft.blocks.sort_by_key(|block| block.addr);
        let first = blocks.len() as u32;
        blocks.append(&mut draft.blocks);
        segments.push(RawSegment { blocks: (first, blocks.len() as u32), ..draft.segment });
    }
    (segments, blocks)
}

impl Reader<'_, '_> {
    /// Adds the segments of the list `segments` to `drafts` by their device, or all to `device`.
    pub(super) fn segments(
        &mut self,
        segments: Value,
        device: Option<i32>,
        heap: &mut Heap<'_>,
        drafts: &mut BTreeMap<i32, finish::Draft>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let items = heap.items(segments).map(<[Value]>::to_vec).unwrap_or_default();
        // Segments that share one list of blocks would multiply the file.
        let mut room = heap.bytes() / size_of::<Value>();
        for item in expand(&items) {
            job.check()?;
            let Some((own_device, draft)) = self.segment(item, heap, room) else {
                self.warnings.add(WarningKind::MissingField, "segment", 1, || {
                    "Segments without an address were left out.".into()
                });
                continue;
            };
            room = room.saturating_sub(draft.blocks.len());
            drafts.entry(device.unwrap_or(own_device)).or_default().segments.push(draft);
        }
        Ok(())
    }

    fn segment(&mut self, dict: Value, heap: &mut Heap<'_>, room: usize) -> Option<(i32, Draft)> {
        let pairs = heap.pairs(dict)?.to_vec();
        let (mut device, mut addr, mut size, mut stream) = (None, None, None, None);
        let (mut kind, mut pool, mut stack) = (SegmentKind::Unknown, None, None);
        let (mut is_expandable, mut blocks) = (false, Value::None);
        for (key, value) in pairs {
            let Value::Text(key) = heap.resolve(key) else { continue };
            let value = heap.resolve(value);
            match key {
                word::DEVICE => device = self.bits(value, "a device"),
                word::ADDRESS => addr = self.bits(value, "an address"),
                word::TOTAL_SIZE => size = self.size(value, "the size of a segment"),
                word::STREAM => stream = self.bits(value, "a stream"),
                word::SEGMENT_TYPE => kind = self.kind(value),
                word::SEGMENT_POOL_ID => pool = self.pool(value, heap).map(model::PoolId),
                word::IS_EXPANDABLE => is_expandable = value == Value::Bool(true),
                word::FRAMES => stack = self.stack(value, heap),
                word::BLOCKS => blocks = value,
                word::ALLOCATED_SIZE
                | word::ACTIVE_SIZE
                | word::REQUESTED_SIZE
                | word::REGISTRATION_COUNTER
                | word::FORWARD_FRAMES => {}
                unknown => self.unknown_key("a segment", unknown),
            }
        }
        let addr = addr?;
        let blocks = self.blocks(blocks, addr, heap, room);
        let size = size.unwrap_or_else(|| blocks.iter().map(|block| block.size).sum());
        let segment = RawSegment {
            addr,
            size,
            stream: model::StreamId(self.streams.number(stream.unwrap_or_default())),
            pool,
            kind,
            is_expandable,
            stack,
            blocks: (0, 0),
        };
        Some((device.unwrap_or_default() as i32, Draft { segment, blocks }))
    }

    fn kind(&self, value: Value) -> SegmentKind {
        match value {
            Value::Text(word::SMALL) => SegmentKind::Small,
            Value::Text(word::LARGE) => SegmentKind::Large,
            _ => {
                self.bad_value("segment_type", "it is neither small nor large");
                SegmentKind::Unknown
            }
        }
    }

    fn blocks(
        &mut self,
        list: Value,
        start: u64,
        heap: &mut Heap<'_>,
        room: usize,
    ) -> Vec<RawBlock> {
        let items = heap.items(list).map(<[Value]>::to_vec).unwrap_or_default();
        if items.len() > room {
            self.bad_value("blocks", "several segments share one list");
            return Vec::new();
        }
        let mut blocks = Vec::with_capacity(items.len());
        let mut next = start;
        for item in items {
            match self.block(item, next, heap) {
                Some(block) => {
                    next = block.addr.wrapping_add(block.size);
                    blocks.push(block);
                }
                None => self.warnings.add(WarningKind::MissingField, "block", 1, || {
                    "Blocks without a size or a state were left out.".into()
                }),
            }
        }
        blocks
    }

    /// A block that lies at `next` unless it says otherwise.
    fn block(&mut self, dict: Value, next: u64, heap: &mut Heap<'_>) -> Option<RawBlock> {
        let pairs = heap.pairs(dict)?.to_vec();
        let (mut addr, mut size, mut requested) = (None, None, None);
        let (mut state, mut stack, mut history) = (None, None, None);
        for (key, value) in pairs {
            let Value::Text(key) = heap.resolve(key) else { continue };
            let value = heap.resolve(value);
            match key {
                word::ADDRESS => addr = self.bits(value, "an address"),
                word::SIZE => size = self.size(value, "the size of a block"),
                // Stale on inactive blocks, where it may be anything.
                word::REQUESTED_SIZE => requested = value.bits(),
                word::STATE => state = self.state(value),
                word::FRAMES => stack = self.stack(value, heap),
                word::HISTORY => {
                    history = heap.items(value).and_then(|items| items.first().copied());
                }
                word::FORWARD_FRAMES => {}
                unknown => self.unknown_key("a block", unknown),
            }
        }
        let state = state?;
        if state == BlockState::Inactive {
            requested = None;
        } else if let Some(latest) = history {
            let said = field(heap, latest, word::REAL_SIZE).and_then(Value::bits);
            requested = requested.or(said);
            stack = stack.or_else(|| self.history_stack(latest, heap));
        }
        Some(RawBlock { addr: addr.unwrap_or(next), size: size?, requested, state, stack })
    }

    fn history_stack(&mut self, record: Value, heap: &mut Heap<'_>) -> Option<StackId> {
        let frames = field(heap, record, word::FRAMES)?;
        self.stack(frames, heap)
    }

    fn state(&self, value: Value) -> Option<BlockState> {
        match value {
            Value::Text(word::ACTIVE_ALLOCATED) => Some(BlockState::Allocated),
            Value::Text(word::ACTIVE_PENDING_FREE | word::ACTIVE_AWAITING_FREE) => {
                Some(BlockState::PendingFree)
            }
            Value::Text(word::INACTIVE) => Some(BlockState::Inactive),
            _ => {
                self.bad_value("state", "a block's state is none of the known ones");
                None
            }
        }
    }
}
