//! The target `source` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("source");
