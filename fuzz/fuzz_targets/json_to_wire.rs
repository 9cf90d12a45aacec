//! The target `json-to-wire` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tobu_fuzz::run("json-to-wire", data));
