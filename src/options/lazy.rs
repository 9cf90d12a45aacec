//! Whether fields are decoded lazily at all.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(true);

/// Turns lazy decoding on or off for the whole program: on by default.
///
/// It is to find out whether an effect comes from lazy fields. What was decoded before stays as it is. A single call
/// decides by [`DecodeOptions::lazy`](crate::DecodeOptions::lazy).
///
/// ```
/// tobu::lazy::set_enabled(false);
/// assert!(!tobu::lazy::is_enabled());
/// ```
pub fn set_enabled(yes: bool) {
    IS_ON.store(yes, Ordering::Relaxed);
}

/// True where fields of type [`Lazy`](crate::lazy::Lazy) are decoded lazily, as they are unless [`set_enabled`] says otherwise.
pub fn is_enabled() -> bool {
    IS_ON.load(Ordering::Relaxed)
}
