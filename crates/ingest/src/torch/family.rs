//! Which allocator wrote a snapshot; the file does not say.

use super::raw::{BlockState, RawDevice};
use super::words::{PYTORCH_ALLOC_CONF, PYTORCH_CUDA_ALLOC_CONF, WORDS};
use model::{Action, EventId, Family, Settings};
use rustc_hash::FxHashSet;

/// Events of one device that are looked at for their spacing.
const ENOUGH: usize = 100_000;

/// The family that the settings' names, or else the sizes, give away.
pub(super) fn family(devices: &[RawDevice], settings: &Settings) -> Family {
    let named = |word: u32| settings.text.iter().any(|(name, _)| *name == WORDS[word as usize]);
    if named(PYTORCH_ALLOC_CONF) && !named(PYTORCH_CUDA_ALLOC_CONF) {
        return Family::Xpu;
    }
    let has = |action: Action| {
        let code = action.code();
        devices.iter().any(|device| device.events.action.contains(&code))
    };
    if has(Action::WorkspaceSnapshot) {
        return Family::Npu;
    }
    // torch_npu writes neither settings nor times; torch 2.1 does not either.
    if !settings.text.is_empty() || devices.iter().any(|device| device.events.time_ns.is_some()) {
        return Family::Cuda;
    }
    let votes = devices.iter().map(block_votes).sum::<i64>();
    let votes = if votes == 0 { devices.iter().map(spacing_votes).sum() } else { votes };
    if votes > 0 { Family::Npu } else { Family::Cuda }
}

fn rounded_cuda(requested: u64) -> u64 {
    requested.max(1).div_ceil(512).saturating_mul(512)
}

fn rounded_npu(requested: u64) -> u64 {
    requested.saturating_add(32).div_ceil(512).saturating_mul(512)
}

/// Live blocks whose size only `torch_npu`'s rounding explains, less those that only CUDA's does.
fn block_votes(device: &RawDevice) -> i64 {
    let vote = |size: u64, requested: u64| {
        let (cuda, npu) = (rounded_cuda(requested), rounded_npu(requested));
        if cuda == npu { 0 } else { i64::from(size == npu) - i64::from(size == cuda) }
    };
    let live = device.blocks.iter().filter(|block| block.state != BlockState::Inactive);
    live.filter_map(|block| Some(vote(block.size, block.requested?))).sum()
}

/// Allocations that were followed in memory by another where only `torch_npu`'s rounding would
/// put it, less those where only CUDA's would.
fn spacing_votes(device: &RawDevice) -> i64 {
    let events = &device.events;
    let rows = events.action.len().min(ENOUGH);
    let allocs = (0..rows).filter(|row| events.action(EventId(*row as u32)) == Action::Alloc);
    let starts: FxHashSet<u64> = allocs.clone().map(|row| events.addr[row]).collect();
    let follows =
        |row: usize, size: u64| i64::from(starts.contains(&events.addr[row].wrapping_add(size)));
    allocs
        .map(|row| {
            let (cuda, npu) = (rounded_cuda(events.size[row]), rounded_npu(events.size[row]));
            if cuda == npu { 0 } else { follows(row, npu) - follows(row, cuda) }
        })
        .sum()
}
