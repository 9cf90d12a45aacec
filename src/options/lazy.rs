//! A switch for all lazy decoding.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(true);

/// Turns lazy decoding on or off for the whole program. It is on by default.
///
/// Use this function to find out whether an effect comes from lazy fields. Messages that were decoded before stay unchanged.
/// [`DecodeOptions::lazy`](crate::DecodeOptions::lazy) turns lazy decoding off for a single call.
///
/// ```
/// tobu::lazy::set_enabled(false);
/// assert!(!tobu::lazy::is_enabled());
/// ```
pub fn set_enabled(yes: bool) {
    IS_ON.store(yes, Ordering::Relaxed);
}

/// True if fields of type [`Lazy`](crate::lazy::Lazy) are decoded lazily. This is the default, and [`set_enabled`]
/// changes it.
pub fn is_enabled() -> bool {
    IS_ON.load(Ordering::Relaxed)
}
