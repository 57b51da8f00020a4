//! What must hold for any bytes.

use job::Job;
use std::path::Path;

/// Reads `bytes` as a file; panics only when a reader is wrong.
pub fn check(bytes: &[u8]) {
    if let Ok(read) = crate::open::read_raw(bytes, Path::new("fuzz"), &Job::unwatched()) {
        for device in &read.snapshot.devices {
            let rows = device.events.action.len();
            assert_eq!(device.events.addr.len(), rows, "columns of one length");
            assert_eq!(device.events.stack.len(), rows, "columns of one length");
            assert!(device.events.time_ns.as_ref().is_none_or(|times| times.len() == rows));
        }
    }
    // Whatever was read can also be made sense of.
    let _ = crate::read_bytes(bytes, "fuzz", &Job::unwatched());
}
