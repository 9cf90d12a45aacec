//! The target `stream` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("stream");
