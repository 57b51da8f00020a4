//! What the raw columns suggest about how the file was recorded.

use super::raw::RawDevice;
use crate::Warnings;
use job::{Cancelled, Job};
use model::{Action, EventId, Events, WarningKind};
use rustc_hash::FxHashSet;

/// Events looked at for frees of what was never allocated.
const FIRST: u32 = 10_000;
/// Events between two looks at the job.
const STRIDE: u32 = 1 << 16;

/// Tells `warnings` what the devices' raw columns suggest.
pub(super) fn tell(devices: &[RawDevice], warnings: &Warnings, job: &Job) -> Result<(), Cancelled> {
    if devices.iter().all(|device| device.events.is_empty() && device.segments.is_empty()) {
        warnings.add(WarningKind::NoHistory, "", 1, || {
            "The snapshot is empty: no memory was held when it was written, and recording was not \
             on. Call torch.cuda.memory._record_memory_history() (torch_npu: \
             torch.npu.memory._record_memory_history()) before the work, and write the file during \
             it or after it."
                .into()
        });
    } else if devices.iter().all(|device| device.events.is_empty()) {
        warnings.add(WarningKind::NoHistory, "", 1, || {
            "The file has memory and no events: recording was not on. Call \
             torch.cuda.memory._record_memory_history() (torch_npu: \
             torch.npu.memory._record_memory_history()) before the work to see its history."
                .into()
        });
    } else if devices.iter().all(|device| device.events.len() <= 1) {
        let count = devices.iter().filter(|device| device.events.len() == 1).count();
        warnings.add(WarningKind::LegacyHistory, "", count as u64, || {
            "The trace holds a single event: the file was recorded in a mode that keeps only the \
             last (enabled=\"state\" or the legacy switch). Segments and blocks are complete."
                .into()
        });
    }
    for device in devices {
        job.check()?;
        if is_round(device.events.len()) && frees_the_unknown(&device.events) {
            warnings.add(WarningKind::RingOverflow, "", 1, || {
                format!(
                    "The trace has exactly {} events and begins with frees of older memory: it \
                     was probably full and older events were overwritten (inferred).",
                    device.events.len()
                )
            });
        }
        backwards(&device.events, warnings, job)?;
    }
    Ok(())
}

/// Whether somebody may have chosen `len` as a limit.
fn is_round(len: u32) -> bool {
    let power_of_ten = (3..10).any(|exponent| 10_u32.pow(exponent) == len);
    power_of_ten
        || (len >= 1024 && len.is_power_of_two())
        || (len > 0 && len.is_multiple_of(10_000))
}

/// Whether the first events free memory whose allocation is not among them.
fn frees_the_unknown(events: &Events) -> bool {
    let mut known = FxHashSet::default();
    (0..events.len().min(FIRST)).any(|row| {
        let addr = events.addr[row as usize];
        match events.action(EventId(row)) {
            Action::Alloc | Action::SegmentAlloc => {
                known.insert(addr);
                false
            }
            Action::FreeRequested | Action::FreeCompleted | Action::SegmentFree => {
                !known.contains(&addr)
            }
            _ => false,
        }
    })
}

fn backwards(events: &Events, warnings: &Warnings, job: &Job) -> Result<(), Cancelled> {
    let Some(times) = &events.time_ns else { return Ok(()) };
    let mut count = 0;
    for part in times.chunks(STRIDE as usize) {
        job.check()?;
        count += part.windows(2).filter(|pair| pair[1] < pair[0]).count();
    }
    warnings.add(WarningKind::TimeBackwards, "", count as u64, || {
        "Times go backwards: events keep the order of the list, and the time axis follows the \
         latest time so far."
            .into()
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_people_choose_are_round() {
        for len in [1000, 1024, 100_000, 1_000_000, 250_000, 65_536, 30_000] {
            assert!(is_round(len), "{len}");
        }
        for len in [0, 1, 512, 1234, 99_999, 100_001, 2_500] {
            assert!(!is_round(len), "{len}");
        }
    }
}
