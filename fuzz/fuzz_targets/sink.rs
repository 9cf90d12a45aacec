//! The target `sink` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("sink");
