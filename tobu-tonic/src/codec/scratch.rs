//! Encoding into tonic's buffer.

use std::cell::Cell;

use bytes::BufMut;
use tonic::Status;
use tonic::codec::EncodeBuf;

/// Room beyond this is given back after a message, so that one large message does not hold its room forever.
const KEPT: usize = 256 * 1024;

thread_local! {
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Appends what `append` writes to the buffer.
///
/// Lengths are put in front of messages after these are written, which wants bytes that can be moved: the buffer of a
/// call has none to offer. So a message is written into a vector of the thread, which is there already and large
/// enough as a rule, and copied once.
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
