//! The target `arrow` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("arrow");
