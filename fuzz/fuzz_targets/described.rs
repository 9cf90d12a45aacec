//! The target `described` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("described");
