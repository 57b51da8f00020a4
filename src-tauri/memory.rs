//! Memory that was freed goes back to the system.

/// Gives the system back what the allocator keeps of memory that was freed.
///
/// Large columns are mappings of their own and go back by themselves; what lies between them on the
/// heap stays with glibc for the next request, which in a program that waits for a person may never
/// come.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a call into the C library")]
    // SAFETY: `malloc_trim` takes locks of its own, may be called from any thread at any time, and
    // touches only pages that hold nothing.
    unsafe {
        libc::malloc_trim(0);
    }
}
