//! Memory that was freed goes back to the system.

/// What is larger is a mapping of its own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED: libc::c_int = 1 << 20;

/// Keeps large columns in mappings of their own, which go back when they are dropped.
///
/// glibc begins so, and each mapping that is freed moves its limit up, to 32 MiB: from then on
/// columns lie on the heaps of the threads that read, and a third of what a recording took stayed.
pub(crate) fn keep_apart() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a call into the C library")]
    // SAFETY: `mallopt` takes locks of its own and may be called at any time; a number that it does
    // not like changes nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
    }
}

/// Gives the system back what the allocator keeps of memory that was freed.
///
/// Large columns go back by themselves (see [`keep_apart`]); what lies between them on the heap
/// stays with glibc for the next request, which in a program that waits for a person may never come.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a call into the C library")]
    // SAFETY: `malloc_trim` takes locks of its own, may be called from any thread at any time, and
    // touches only pages that hold nothing.
    unsafe {
        libc::malloc_trim(0);
    }
}
