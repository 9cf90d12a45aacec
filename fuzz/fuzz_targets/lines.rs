//! The target `lines` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("lines");
