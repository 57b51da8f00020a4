//! One row of the dump, before a version writes it its way.

use crate::memscope::attr::Attr;

/// Whose memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// An NPU.
    Device(u32),
    /// The host.
    Host,
    /// No device: `N/A`.
    Nowhere,
}

/// One row.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    pub(crate) id: u64,
    pub(crate) event: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
    pub(crate) time_ns: u64,
    pub(crate) process: u32,
    pub(crate) thread: u32,
    pub(crate) place: Place,
    pub(crate) pointer: Option<u64>,
    pub(crate) attr: Attr,
    pub(crate) python: &'a str,
    pub(crate) c: &'a str,
}

/// One row of a trace. No time where the collector saw no call or no return.
#[derive(Debug, Clone)]
pub(crate) struct Slice<'a> {
    pub(crate) name: &'a str,
    pub(crate) start_ns: Option<u64>,
    pub(crate) end_ns: Option<u64>,
    pub(crate) thread: u32,
    pub(crate) process: u32,
}
