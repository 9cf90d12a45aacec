//! The target `query` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("query");
