//! Checksums over pieces, so that several threads can share the work.

use rayon::prelude::*;
use twox_hash::XxHash3_128;

/// Bytes of a piece.
pub(crate) const PIECE: usize = 4 << 20;

/// Takes pieces in, each [`PIECE`] long but for the last of a file.
pub(crate) struct Pieces(XxHash3_128);

impl Pieces {
    pub(crate) fn new() -> Self {
        Self(XxHash3_128::with_seed(0))
    }

    /// The sum of one piece.
    pub(crate) fn sum(piece: &[u8]) -> u128 {
        XxHash3_128::oneshot(piece)
    }

    /// Takes in what [`Pieces::sum`] gave.
    pub(crate) fn add(&mut self, sum: u128) {
        self.0.write(&sum.to_le_bytes());
    }

    /// The sum of all, of so many bytes together.
    pub(crate) fn finish(mut self, bytes: u64) -> u128 {
        self.0.write(&bytes.to_le_bytes());
        self.0.finish_128()
    }
}

/// The checksum of `bytes`; `touch` is called with each piece's range before it is read.
pub(crate) fn checksum(bytes: &[u8], touch: impl Fn(usize, usize) + Sync) -> u128 {
    let sums: Vec<u128> = bytes
        .par_chunks(PIECE)
        .enumerate()
        .map(|(at, piece)| {
            touch(at * PIECE, piece.len());
            Pieces::sum(piece)
        })
        .collect();
    let mut pieces = Pieces::new();
    for sum in sums {
        pieces.add(sum);
    }
    pieces.finish(bytes.len() as u64)
}

/// A short sum of few bytes, for keys.
pub(crate) fn key(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}
