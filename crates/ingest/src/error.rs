//! Why there is no recording.

use job::Cancelled;
use std::path::PathBuf;

/// Why there is no recording. The file's path comes last: it can be long, and private.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// No importer knows the file; `reason` says what was found instead.
    #[error("not a memory recording in a known format: {reason}\nFile: {path}", path = path.display())]
    NotRecognized {
        /// What was found instead.
        reason: String,
        /// The file.
        path: PathBuf,
    },
    /// The format is known, and nothing of this file can be shown.
    #[error("{format} is damaged at byte {offset}: {problem}")]
    Damaged {
        /// The format in words.
        format: &'static str,
        /// Where.
        offset: u64,
        /// What was wrong.
        problem: String,
    },
    /// The file asks for code to be run; it was not.
    #[error("this pickle wants to run code ({opcode} at byte {offset}{target}): refused")]
    WantsCode {
        /// Name of the opcode, as in `pickletools`.
        opcode: &'static str,
        /// Where.
        offset: u64,
        /// ` os.system` and the like, with a leading space, or empty.
        target: String,
    },
    /// The operating system would not give us the bytes.
    #[error("cannot read the file: {source}\nFile: {path}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The person stopped the import.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
