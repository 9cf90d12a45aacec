//! The target `respond` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("respond");
