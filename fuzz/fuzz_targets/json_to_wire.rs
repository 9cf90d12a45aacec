//! The target `json-to-wire` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("json-to-wire");
