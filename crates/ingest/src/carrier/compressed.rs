//! gzip and Zstandard.

use super::Refusal;
use crate::Warnings;
use job::{Job, Progress};
use model::WarningKind;
use std::io::Read;

/// Largest ratio of what comes out to what goes in; real snapshots stay below 60.
const MOST: usize = 200;
/// What any input may unpack to.
const FREE: usize = 1 << 20;
/// Bytes between two looks at the job.
const STRIDE: usize = 1 << 20;

/// What the gzip members in `bytes` hold.
pub(super) fn gzip(bytes: &[u8], warnings: &Warnings, job: &Job) -> Result<Vec<u8>, Refusal> {
    read(&mut flate2::read::MultiGzDecoder::new(bytes), bytes.len(), "gzip", warnings, job)
}

/// What the Zstandard frames in `bytes` hold.
pub(super) fn zstd(bytes: &[u8], warnings: &Warnings, job: &Job) -> Result<Vec<u8>, Refusal> {
    let mut rest = bytes;
    let mut all = Vec::new();
    while !rest.is_empty() {
        let mut frame = match ruzstd::decoding::StreamingDecoder::new(&mut rest) {
            Ok(frame) => frame,
            // Something else follows the last frame, or it was cut.
            Err(_) if !all.is_empty() => break,
            Err(error) => return Err(Refusal::Damaged("Zstandard file", error.to_string())),
        };
        all.append(&mut read(&mut frame, bytes.len(), "Zstandard", warnings, job)?);
        if all.len() > most(bytes.len()) {
            return Err(too_much("Zstandard"));
        }
    }
    Ok(all)
}

fn most(packed: usize) -> usize {
    packed.saturating_mul(MOST).saturating_add(FREE)
}

fn too_much(format: &'static str) -> Refusal {
    let most = format!("it unpacks to more than {MOST} times its size");
    Refusal::Damaged(format, most)
}

/// All that `unpacked` gives, or as much as comes before damage.
pub(super) fn read(
    unpacked: &mut dyn Read,
    packed_len: usize,
    format: &'static str,
    warnings: &Warnings,
    job: &Job,
) -> Result<Vec<u8>, Refusal> {
    let mut all = Vec::new();
    loop {
        let before = all.len();
        job.step(Progress { stage: "unpacking", done: before as u64, total: 0 })?;
        match unpacked.take(STRIDE as u64).read_to_end(&mut all) {
            Ok(0) => return Ok(all),
            Ok(_) if all.len() > most(packed_len) => return Err(too_much(format)),
            Ok(_) => {}
            Err(error) if all.is_empty() => {
                return Err(Refusal::Damaged(format, error.to_string()));
            }
            Err(error) => {
                warnings.add(WarningKind::Truncated, "unpacking", 1, || {
                    format!("Only the beginning could be unpacked ({format}: {error}).")
                });
                return Ok(all);
            }
        }
    }
}
