//! Refusals.

use crate::{ErrorCode, WireError};
use session::{Cancelled, ImportError, OnDevice, Session};

impl WireError {
    /// A question that no honest page asks.
    pub(crate) fn nonsense(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Bug, message: message.into() }
    }

    /// A question by owner about a snapshot.
    pub(crate) fn no_owners() -> Self {
        Self::nonsense("a snapshot says nothing of who owns its blocks")
    }
}

impl From<&ImportError> for WireError {
    fn from(error: &ImportError) -> Self {
        let code = match error {
            ImportError::NotRecognized { .. } => ErrorCode::NotRecognized,
            ImportError::Damaged { .. } => ErrorCode::Damaged,
            ImportError::WantsCode { .. } => ErrorCode::WantsCode,
            ImportError::Unreadable { .. } => ErrorCode::Unreadable,
            ImportError::Cancelled(_) => ErrorCode::Cancelled,
        };
        Self { code, message: error.to_string() }
    }
}

impl From<ImportError> for WireError {
    fn from(error: ImportError) -> Self {
        Self::from(&error)
    }
}

impl From<Cancelled> for WireError {
    fn from(cancelled: Cancelled) -> Self {
        Self { code: ErrorCode::Cancelled, message: cancelled.to_string() }
    }
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

/// The device in `row`, or a refusal.
pub(crate) fn device(session: &Session, row: u32) -> Result<OnDevice<'_>, WireError> {
    session.device(row as usize).ok_or_else(|| {
        let count = session.devices().len();
        WireError::nonsense(format!("no device in row {row}: the recording has {count}"))
    })
}
