//! The target `text-to-wire` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("text-to-wire");
