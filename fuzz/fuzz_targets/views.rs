//! The target `views` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("views");
