//! The target `pool` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("pool");
