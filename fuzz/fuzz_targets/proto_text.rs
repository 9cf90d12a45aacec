//! The target `proto-text` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tobu_fuzz::run("proto-text", data));
