//! Any bytes as an index on disk, see [`store::fuzz::check`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    store::fuzz::check(bytes);
});
