//! The target `elements` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("elements");
