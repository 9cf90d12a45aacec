//! The target that `TOBU_FUZZ_TARGET` names, for libFuzzer: one program where all are wanted.
#![no_main]

tobu_fuzz::fuzz!(tobu_fuzz::libfuzzer::chosen());
