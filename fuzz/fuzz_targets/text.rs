//! The target `text` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("text");
