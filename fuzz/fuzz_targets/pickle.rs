//! Any bytes, see [`pickle::fuzz::check`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pickle::fuzz::check(bytes);
});
