//! The target `serde` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("serde");
