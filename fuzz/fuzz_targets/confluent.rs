//! The target `confluent` for libFuzzer.
#![no_main]

tobu_fuzz::fuzz!("confluent");
