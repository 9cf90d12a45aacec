//! The target `json-to-text` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("json-to-text");
