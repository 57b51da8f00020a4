//! Zip archives, those of `torch.save` among them.

use super::{Kind, Refusal, compressed, listed};
use crate::Warnings;
use job::Job;
use model::{Carrier, WarningKind};
use std::borrow::Cow;
use std::io::{Cursor, Read};
use zip::ZipArchive;

const FORMAT: &str = "zip archive";
/// Files looked at for a recording.
const MOST_FILES: usize = 1000;
/// Where `torch.save` puts what was saved, below a folder of any name.
const SAVED: &str = "/data.pkl";

/// A file of an archive that may hold a recording; what `torch.save` wrote comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    is_plain: bool,
    index: usize,
    name: String,
}

impl Candidate {
    /// Whether it lies beside `saved`, in the same folder that `torch.save` wrote.
    fn is_part_of(&self, saved: &Self) -> bool {
        let folder = saved.name.strip_suffix(SAVED);
        let rest = folder.and_then(|folder| self.name.strip_prefix(folder));
        rest.is_some_and(|rest| rest.starts_with('/'))
    }
}

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
            let name = file.name().map(Cow::into_owned).unwrap_or_default();
            candidates.push(Candidate { is_plain: !name.ends_with(SAVED), index, name });
        }
    }
    candidates.sort_unstable();
    let Some((first, others)) = candidates.split_first() else {
        return Err(Refusal::SomethingElse("no file in the zip archive is a snapshot".into()));
    };
    let others: Vec<&Candidate> = others.iter().filter(|other| !other.is_part_of(first)).collect();
    warnings.add(WarningKind::TrailingBytes, "zip", others.len() as u64, || {
        format!(
            "The archive has {} files that may be recordings. The first, {:?}, is shown; not \
             shown: {}.",
            others.len() + 1,
            first.name,
            listed(others.iter().map(|other| &other.name))
        )
    });
    let (is_plain, index) = (first.is_plain, first.index);
    let mut file = archive.by_index(index).map_err(damaged)?;
    let inner = compressed::read(&mut file, bytes.len(), FORMAT, warnings, job)?;
    Ok((inner, if is_plain { Carrier::Zip } else { Carrier::TorchSave }))
}
