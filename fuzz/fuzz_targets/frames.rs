//! The target `frames` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("frames");
