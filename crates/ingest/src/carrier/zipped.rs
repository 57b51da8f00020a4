//! Zip archives, those of `torch.save` among them.

use super::{Kind, Refusal, compressed};
use crate::Warnings;
use job::Job;
use model::{Carrier, WarningKind};
use std::io::{Cursor, Read};
use zip::ZipArchive;

const FORMAT: &str = "zip archive";
/// Files looked at for a recording.
const MOST_FILES: usize = 1000;

/// The first file of the archive that may hold a recording.
pub(super) fn unzip(
    bytes: &[u8],
    warnings: &Warnings,
    job: &Job,
) -> Result<(Vec<u8>, Carrier), Refusal> {
    let damaged = |error: zip::result::ZipError| Refusal::Damaged(FORMAT, error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut candidates = Vec::new();
    for index in 0..archive.len().min(MOST_FILES) {
        job.check()?;
        let Ok(mut file) = archive.by_index(index) else { continue };
        let mut head = Vec::new();
        // A file that cannot be read is none of those looked for.
        let read = file.by_ref().take(64).read_to_end(&mut head);
        if read.is_ok() && Kind::of(&head) != Kind::Other {
            let is_torch_save = file.name().is_ok_and(|name| name.ends_with("/data.pkl"));
            candidates.push((!is_torch_save, index));
        }
    }
    candidates.sort_unstable();
    let Some((is_plain, index)) = candidates.first().copied() else {
        return Err(Refusal::SomethingElse("no file in the zip archive is a snapshot".into()));
    };
    if is_plain {
        warnings.add(WarningKind::TrailingBytes, "zip", candidates.len() as u64 - 1, || {
            format!(
                "The archive has {} files that may be recordings; the first is shown.",
                candidates.len()
            )
        });
    }
    let mut file = archive.by_index(index).map_err(damaged)?;
    let inner = compressed::read(&mut file, bytes.len(), FORMAT, warnings, job)?;
    Ok((inner, if is_plain { Carrier::Zip } else { Carrier::TorchSave }))
}
