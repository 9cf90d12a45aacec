//! The target `refill` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("refill");
