//! Why a pickle could not be read to its end.

/// Why a pickle could not be read to its end; the variant says what the caller can do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes end before the pickle does: what was read so far is sound.
    #[error("the pickle ends in the middle, at byte {offset}")]
    Truncated {
        /// Where the missing bytes should be.
        offset: u64,
    },
    /// The pickle asks for code to be run; it was not.
    #[error("the pickle wants to run code ({opcode} at byte {offset}{target})")]
    WantsCode {
        /// Name of the opcode, as in `pickletools`.
        opcode: &'static str,
        /// Where.
        offset: u64,
        /// ` os.system` and the like, with a leading space, or empty.
        target: String,
    },
    /// An opcode of the format that this reader does not take.
    #[error("the pickle uses {opcode} at byte {offset}, which this program does not read")]
    Unsupported {
        /// Name of the opcode, as in `pickletools`.
        opcode: &'static str,
        /// Where.
        offset: u64,
    },
    /// Not a pickle from here on: what was read so far is sound.
    #[error("not a pickle from byte {offset} on: {problem}")]
    Malformed {
        /// Where.
        offset: u64,
        /// What was wrong.
        problem: &'static str,
    },
    /// Reading on would take more memory than the input's size justifies.
    #[error("the pickle asks for too much memory at byte {offset}: {limit}")]
    Limit {
        /// Where.
        offset: u64,
        /// Which limit.
        limit: &'static str,
    },
    /// A container was changed after the visitor had taken it: read again with a visitor that
    /// takes nothing.
    #[error("a container is changed after its use, at byte {offset}")]
    Taken {
        /// Where.
        offset: u64,
    },
}
