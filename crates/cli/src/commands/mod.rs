//! One file a command.

pub(crate) mod blocks;
pub(crate) mod completions;
pub(crate) mod decompose;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod holders;
pub(crate) mod inefficient;
pub(crate) mod info;
pub(crate) mod manual;
pub(crate) mod stacks;
pub(crate) mod trace;

use session::ImportError;
use std::path::Path;

/// Why `path` could not be opened, with the path said exactly once.
fn refusal(path: &Path, error: &ImportError) -> String {
    match error {
        ImportError::NotRecognized { .. } | ImportError::Unreadable { .. } => error.to_string(),
        ImportError::Damaged { .. } | ImportError::WantsCode { .. } | ImportError::Cancelled(_) => {
            format!("{error}\nFile: {}", path.display())
        }
    }
}
