//! The target `text-to-json` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("text-to-json");
