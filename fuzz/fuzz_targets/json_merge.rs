//! The target `json-merge` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("json-merge");
