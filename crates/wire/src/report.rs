//! What the command line says of each file it was given.

use crate::{Summary, WireError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What became of one file: exactly one of `recording` and `error` is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileReport {
    /// Its path as given.
    pub file: String,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<Summary>,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<WireError>,
}

impl FileReport {
    /// The report on `path`; bytes of it that are not UTF-8 are replaced.
    pub fn new(path: &Path, found: Result<Summary, WireError>) -> Self {
        let file = path.to_string_lossy().into_owned();
        match found {
            Ok(summary) => Self { file, recording: Some(summary), error: None },
            Err(error) => Self { file, recording: None, error: Some(error) },
        }
    }
}
