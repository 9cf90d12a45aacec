//! The target `wire-to-text` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("wire-to-text");
