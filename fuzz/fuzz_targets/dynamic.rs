//! The target `dynamic` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("dynamic");
