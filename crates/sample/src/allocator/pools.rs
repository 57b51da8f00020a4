//! The lists of free blocks.

use std::collections::BTreeSet;

use super::rounding::SMALL;
use super::{Allocator, Block, BlockId, Kind};
use crate::event::PoolId;

/// The free blocks of one kind in one pool.
pub(super) struct Pool {
    pub(super) id: PoolId,
    pub(super) kind: Kind,
    /// By stream, size and address, as `BlockComparatorSize` has it.
    pub(super) free: BTreeSet<(u64, u64, u64, BlockId)>,
    /// By stream and address.
    pub(super) unmapped: BTreeSet<(u64, u64, BlockId)>,
}

impl Pool {
    /// The free blocks of `stream` that hold `size`, smallest first.
    pub(super) fn fits(&self, stream: u64, size: u64) -> impl Iterator<Item = BlockId> {
        let from = (stream, size, 0, BlockId::FIRST);
        self.free.range(from..).take_while(move |key| key.0 == stream).map(|key| key.3)
    }
}

impl Allocator {
    pub(super) fn pool(&mut self, id: PoolId, size: u64) -> usize {
        let kind = if size <= SMALL { Kind::Small } else { Kind::Large };
        if let Some(index) = self.pool_index(id, kind) {
            return index;
        }
        self.pools.push(Pool { id, kind, free: BTreeSet::new(), unmapped: BTreeSet::new() });
        self.pools.len() - 1
    }

    pub(super) fn pool_index(&self, id: PoolId, kind: Kind) -> Option<usize> {
        self.pools.iter().position(|pool| pool.id == id && pool.kind == kind)
    }

    pub(super) fn pool_of(&self, id: BlockId) -> usize {
        let block = &self.blocks[id];
        self.pool_index(block.pool, block.kind).expect("a block's pool exists")
    }

    /// Puts a free block into the list it belongs to.
    pub(super) fn put_free(&mut self, pool: usize, id: BlockId) {
        let Block { stream, size, address, origin, .. } = self.blocks[id];
        if origin.is_mapped() {
            self.pools[pool].free.insert((stream, size, address, id));
        } else {
            self.pools[pool].unmapped.insert((stream, address, id));
        }
    }

    /// Takes a free block out of its list.
    pub(super) fn take(&mut self, pool: usize, id: BlockId) {
        let Block { stream, size, address, origin, .. } = self.blocks[id];
        let taken = if origin.is_mapped() {
            self.pools[pool].free.remove(&(stream, size, address, id))
        } else {
            self.pools[pool].unmapped.remove(&(stream, address, id))
        };
        assert!(taken, "a free block is in its pool's list");
    }
}
