//! The target `wire-to-json` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("wire-to-json");
