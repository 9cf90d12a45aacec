//! The target `depth` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("depth");
