//! The target `json` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("json");
