//! Any bytes, see [`ingest::fuzz::check`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ingest::fuzz::check(bytes);
});
