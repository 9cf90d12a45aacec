//! The target `wire` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("wire");
