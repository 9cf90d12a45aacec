//! The target `json-merge` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tobu_fuzz::run("json-merge", data));
