//! The target `template` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("template");
