//! The driver's memory: where its blocks lie.

/// Blocks on an NPU are multiples of this.
pub(crate) const PAGE: u64 = 2 << 20;

/// Hands out addresses that are never used again.
#[derive(Debug)]
pub(crate) struct Driver {
    next: u64,
    next_host: u64,
}

impl Driver {
    pub(crate) fn new() -> Self {
        Self { next: 0x12c0_4120_0000, next_host: 0x12c0_8000_0000_0000 >> 8 }
    }

    /// The address of `size` bytes on the device, on a page of its own.
    pub(crate) fn reserve(&mut self, size: u64) -> u64 {
        let address = self.next;
        self.next += size.next_multiple_of(PAGE);
        address
    }

    /// The address of `size` bytes on the host.
    pub(crate) fn reserve_host(&mut self, size: u64) -> u64 {
        let address = self.next_host;
        self.next_host += size.next_multiple_of(0x1_0000);
        address
    }
}
