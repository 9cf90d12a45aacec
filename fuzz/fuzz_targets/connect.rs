//! The target `connect` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("connect");
