//! The target `wire-to-json` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tobu_fuzz::run("wire-to-json", data));
