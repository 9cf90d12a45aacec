//! The target `text` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tobu_fuzz::run("text", data));
