//! A buffer per thread for encoded messages whose place is elsewhere.

use std::cell::Cell;

/// A larger buffer is not kept.
const KEPT: usize = 64 << 10;

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Runs `with` with an empty buffer, the same as the last time if possible.
///
/// Within it, and where the thread is ending, the buffer is a new one.
pub(super) fn with_buffer<R>(with: impl FnOnce(&mut Vec<u8>) -> R) -> R {
    let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
    buffer.clear();
    let out = with(&mut buffer);
    if buffer.capacity() <= KEPT {
        let _ = BUFFER.try_with(|kept| kept.set(buffer));
    }
    out
}
