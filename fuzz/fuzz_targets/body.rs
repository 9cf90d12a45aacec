//! The target `body` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("body");
