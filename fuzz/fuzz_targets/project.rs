//! The target `project` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("project");
