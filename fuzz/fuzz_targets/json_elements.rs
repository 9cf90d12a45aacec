//! The target `json-elements` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("json-elements");
