//! Encodes messages into tonic's buffer.

use std::cell::Cell;

use bytes::BufMut;
use tonic::Status;
use tonic::codec::EncodeBuf;

/// The largest capacity that a thread keeps after a message. A larger vector is dropped, so that one large message does not
/// take memory forever.
const KEPT: usize = 256 * 1024;

thread_local! {
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Appends the bytes that `append` writes to the buffer.
///
/// The encoder inserts the lengths of nested messages after it has written the messages, so it must be able to move bytes.
/// In tonic's buffer, bytes cannot be moved. Therefore the message is written into a vector that the thread keeps, and then
/// copied once.
pub(super) fn encode(
    dst: &mut EncodeBuf<'_>,
    append: impl FnOnce(&mut Vec<u8>) -> tobu::Result<()>,
) -> Result<(), Status> {
    let mut bytes = SCRATCH.take();
    bytes.clear();
    let done = append(&mut bytes).map_err(super::status);
    if done.is_ok() {
        dst.reserve(bytes.len());
        dst.put_slice(&bytes);
    }
    if bytes.capacity() <= KEPT {
        SCRATCH.set(bytes);
    }
    done
}
