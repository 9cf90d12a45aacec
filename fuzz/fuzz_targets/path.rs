//! The target `path` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("path");
