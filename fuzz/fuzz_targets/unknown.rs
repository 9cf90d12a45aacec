//! The target `unknown` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("unknown");
