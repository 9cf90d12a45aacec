//! The target `proto-text` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("proto-text");
