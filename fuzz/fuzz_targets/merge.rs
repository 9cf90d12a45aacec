//! The target `merge` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("merge");
