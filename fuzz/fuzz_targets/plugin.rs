//! The target `plugin` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("plugin");
