//! The target `text-merge` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("text-merge");
