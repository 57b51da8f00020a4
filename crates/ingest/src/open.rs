//! From bytes to a recording.

use crate::carrier::{self, Content, Refusal};
use crate::torch::raw::RawSnapshot;
use crate::torch::{Failure, Pickled, Unfit, lives, read_json, read_pickle};
use crate::{ImportError, Warnings};
use job::Job;
use model::{Carrier, Recording, Source};
use std::path::{Path, PathBuf};

/// The format in words, for messages.
const FORMAT: &str = "PyTorch snapshot";

/// Reads the recording in `bytes`, those of the file called `name`.
pub(crate) fn read(bytes: &[u8], path: &Path, job: &Job) -> Result<Recording, ImportError> {
    let read = read_raw(bytes, path, job)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let source =
        Source { name, bytes: bytes.len() as u64, carrier: read.carrier, protocol: read.protocol };
    recording(read.snapshot, source, read.warnings, job)
}

/// A file's content before anything is derived from it.
pub(crate) struct Read {
    pub(crate) snapshot: RawSnapshot,
    pub(crate) carrier: Carrier,
    pub(crate) protocol: Option<u8>,
    pub(crate) warnings: Warnings,
}

/// Unwraps and reads `bytes`.
pub(crate) fn read_raw(bytes: &[u8], path: &Path, job: &Job) -> Result<Read, ImportError> {
    if bytes.is_empty() {
        let problem = "the file is empty: the program that wrote it probably crashed before it \
                       wrote anything"
            .into();
        return Err(ImportError::Damaged { format: FORMAT, offset: 0, problem });
    }
    let wrapping = Warnings::default();
    let unwrapped = carrier::unwrap(bytes, &wrapping, job).map_err(|it| refused(it, path))?;
    let read = match &unwrapped.content {
        Content::Pickle(bytes) => read_pickle(bytes, job),
        Content::Json(bytes) => read_json(bytes, job),
    };
    let (pickled, warnings) = read.map_err(|failure| refusal(failure, path))?;
    warnings.extend(wrapping);
    let Pickled { snapshot, protocol, is_torch_save } = pickled;
    let carrier = if is_torch_save { Carrier::TorchSave } else { unwrapped.carrier };
    Ok(Read { snapshot, carrier, protocol, warnings })
}

/// The words for a wrapper with nothing inside.
fn refused(refusal: Refusal, path: &Path) -> ImportError {
    match refusal {
        Refusal::Cancelled => ImportError::Cancelled(job::Cancelled),
        Refusal::SomethingElse(reason) => ImportError::NotRecognized { reason, path: path.into() },
        Refusal::Damaged(format, problem) => ImportError::Damaged { format, offset: 0, problem },
    }
}

/// The words for a file of which nothing can be shown.
fn refusal(failure: Failure, path: &Path) -> ImportError {
    let path = PathBuf::from(path);
    match failure {
        Failure::Unfit(Unfit::Cancelled) => ImportError::Cancelled(job::Cancelled),
        Failure::Unfit(Unfit::SomethingElse(reason)) => ImportError::NotRecognized { reason, path },
        // What cut the file explains it better, and is told instead.
        Failure::Unfit(Unfit::Empty) => {
            let problem = "it ends before the first segment and the first event".into();
            ImportError::Damaged { format: FORMAT, offset: 0, problem }
        }
        Failure::Pickle(pickle::Error::WantsCode { opcode, offset, target }) => {
            ImportError::WantsCode { opcode, offset, target }
        }
        Failure::Json(problem) => {
            ImportError::Damaged { format: "JSON snapshot", offset: 0, problem }
        }
        Failure::Pickle(error) => {
            let offset = match error {
                pickle::Error::Truncated { offset }
                | pickle::Error::Unsupported { offset, .. }
                | pickle::Error::Malformed { offset, .. }
                | pickle::Error::Limit { offset, .. }
                | pickle::Error::Taken { offset }
                | pickle::Error::WantsCode { offset, .. } => offset,
            };
            ImportError::Damaged { format: FORMAT, offset, problem: error.to_string() }
        }
    }
}

/// Derives everything and puts the recording together.
fn recording(
    raw: RawSnapshot,
    source: Source,
    warnings: Warnings,
    job: &Job,
) -> Result<Recording, ImportError> {
    let rules = lives::Rules { family: raw.family, settings: &raw.settings };
    let mut devices = Vec::with_capacity(raw.devices.len());
    for device in raw.devices {
        devices.push(lives::derive(device, &rules, &warnings, job)?);
    }
    Ok(Recording {
        source,
        family: raw.family,
        strings: raw.strings,
        stacks: raw.stacks,
        notes: raw.notes,
        streams: raw.streams,
        pools: raw.pools,
        other_actions: raw.other_actions,
        devices,
        annotations: raw.annotations,
        settings: raw.settings,
        warnings: warnings.into_list(),
        zero_ns: 0,
        dump: None,
    })
}
