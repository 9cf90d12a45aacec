//! The targets as libFuzzer takes them.

use crate::mutate::mutate;
use crate::rng::Rng;
use crate::target;
use std::sync::LazyLock;

#[doc(hidden)]
pub use libfuzzer_sys;

/// Makes a program of the target of this name. Half of its changes are those of [`mutate`], which know the syntax of an
/// input.
#[macro_export]
macro_rules! fuzz {
    ($name:expr) => {
        $crate::libfuzzer::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::libfuzzer::run($name, data));
        $crate::libfuzzer::libfuzzer_sys::fuzz_mutator!(
            |data: &mut [u8], size: usize, max_size: usize, seed: u32| {
                $crate::libfuzzer::change($name, data, size, max_size, seed)
            }
        );
    };
}

/// The target that the environment names, in `TOBU_FUZZ_TARGET`.
///
/// # Panics
/// When it names none.
pub fn chosen() -> &'static str {
    static NAME: LazyLock<String> =
        LazyLock::new(|| std::env::var("TOBU_FUZZ_TARGET").expect("TOBU_FUZZ_TARGET names a target"));
    &NAME
}

/// Runs a target.
///
/// # Panics
/// When something does not hold.
pub fn run(name: &str, data: &[u8]) {
    (target(name).expect("a target").run)(data);
}

/// Changes the first `size` bytes; returns the new size.
///
/// # Panics
/// When there is no such target.
pub fn change(name: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut rng = Rng::new(seed.into());
    if rng.chance(2) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let target = target(name).expect("a target");
    let mut input = data[..size].to_vec();
    mutate(target.syntax, target.header, &mut input, &[], &mut rng);
    input.truncate(max_size);
    data[..input.len()].copy_from_slice(&input);
    input.len()
}
