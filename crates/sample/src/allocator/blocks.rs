//! The blocks of one device, linked in address order inside each segment.

use crate::event::{PoolId, Trace};

/// Index of a block. Reused once the block is merged away or given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockId(u32);

impl BlockId {
    /// Not above any other.
    pub(super) const FIRST: Self = Self(0);
}

/// What a block's bytes are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The slot is not a block.
    Vacant,
    Inactive,
    Allocated,
    /// Free was asked for, and another stream still uses it.
    Pending,
}

/// Which half of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Small,
    Large,
}

/// How a segment came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// One `cudaMalloc`.
    Whole,
    /// A mapped part of a reserved range of `reserved` bytes.
    Mapped { reserved: u64 },
    /// A part of a reserved range without memory.
    Unmapped { reserved: u64 },
}

impl Origin {
    pub(crate) fn is_mapped(self) -> bool {
        !matches!(self, Self::Unmapped { .. })
    }
}

/// A range of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Stale on an inactive block, as in the real allocator.
    pub(crate) requested: u64,
    pub(crate) stream: u64,
    pub(crate) kind: Kind,
    pub(crate) pool: PoolId,
    pub(crate) state: State,
    pub(crate) origin: Origin,
    pub(crate) prev: Option<BlockId>,
    pub(crate) next: Option<BlockId>,
    pub(crate) trace: Option<Trace>,
    pub(crate) segment_trace: Option<Trace>,
    /// Index among all recorded events; `None` before recording.
    pub(crate) alloc: Option<u64>,
    pub(crate) free_requested: Option<u64>,
}

impl Block {
    /// Whether somebody still holds it.
    pub(crate) fn is_active(&self) -> bool {
        matches!(self.state, State::Allocated | State::Pending)
    }
}

/// All blocks of a device.
#[derive(Default)]
pub(crate) struct Blocks {
    slots: Vec<Block>,
    vacant: Vec<BlockId>,
}

impl std::ops::Index<BlockId> for Blocks {
    type Output = Block;
    fn index(&self, id: BlockId) -> &Block {
        &self.slots[id.0 as usize]
    }
}

impl std::ops::IndexMut<BlockId> for Blocks {
    fn index_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.slots[id.0 as usize]
    }
}

impl Blocks {
    /// Every block, in no useful order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        let ids = (0u32..).map(BlockId);
        ids.zip(&self.slots).filter(|(_, block)| block.state != State::Vacant)
    }

    /// The first block of every run of mapped memory, by address.
    pub(crate) fn segments(&self) -> Vec<BlockId> {
        let is_head = |block: &Block| {
            block.origin.is_mapped()
                && !block.prev.is_some_and(|prev| self[prev].origin.is_mapped())
        };
        let mut heads: Vec<_> =
            self.iter().filter(|(_, block)| is_head(block)).map(|(id, _)| id).collect();
        heads.sort_by_key(|&id| self[id].address);
        heads
    }

    /// The mapped blocks from `head` on.
    pub(crate) fn run(&self, head: BlockId) -> impl Iterator<Item = &Block> {
        std::iter::successors(Some(&self[head]), |block| block.next.map(|next| &self[next]))
            .take_while(|block| block.origin.is_mapped())
    }

    pub(super) fn add(&mut self, block: Block) -> BlockId {
        if let Some(id) = self.vacant.pop() {
            self[id] = block;
            return id;
        }
        self.slots.push(block);
        BlockId(self.slots.len() as u32 - 1)
    }

    pub(super) fn remove(&mut self, id: BlockId) {
        self[id].state = State::Vacant;
        self.vacant.push(id);
    }

    /// Puts a new block of `size` bytes at the front of `id`, which keeps the rest.
    pub(super) fn split_front(&mut self, id: BlockId, size: u64) -> BlockId {
        let rest = self[id];
        let front = self.add(Block { size, next: Some(id), ..rest });
        if let Some(prev) = rest.prev {
            self[prev].next = Some(front);
        }
        let rest = &mut self[id];
        rest.address += size;
        rest.size -= size;
        rest.prev = Some(front);
        rest.segment_trace = None;
        front
    }

    /// Takes a free neighbour of the same sort into `into`. The neighbour must already be in no list.
    pub(super) fn absorb(&mut self, into: BlockId, neighbour: BlockId) {
        let taken = self[neighbour];
        let block = &mut self[into];
        block.size += taken.size;
        if block.prev == Some(neighbour) {
            block.address = taken.address;
            block.prev = taken.prev;
            block.segment_trace = taken.segment_trace;
            if let Some(prev) = taken.prev {
                self[prev].next = Some(into);
            }
        } else {
            block.next = taken.next;
            if let Some(next) = taken.next {
                self[next].prev = Some(into);
            }
        }
        self.remove(neighbour);
    }
}
