//! How messages become the bytes of a call, and bytes messages.
//!
//! Layer 0 of the crate: knows tobu and tonic's codec traits, and nothing of calls.

mod call;
mod dynamic;
mod encoded;
mod failure;
mod parsed;
mod pooled;
mod scratch;
mod typed;

pub(crate) use call::{CallCodec, Messages, Outgoing};
pub use dynamic::{DynamicCodec, DynamicDecoder, DynamicEncoder};
pub use encoded::{Encoded, EncodedCodec};
use failure::Failure;
pub use parsed::{ParsedCodec, ParsedDecoder};
pub use pooled::{PooledCodec, PooledDecoder};
pub use typed::{TobuCodec, TobuDecoder, TobuEncoder};

use std::sync::Arc;

use bytes::{Buf, Bytes};
use tobu::Category;
use tonic::codec::DecodeBuf;
use tonic::{Code, Status};

/// Reads a message of a call: from where it lies, or from bytes that are its own.
///
/// A small message is read where it lies: to take it out of tonic's buffer costs more than to copy what it holds, and a
/// few bytes of it would keep the whole buffer. A large one is taken out, and shared.
pub(super) fn read<T>(
    src: &mut DecodeBuf<'_>,
    from_slice: impl FnOnce(&[u8]) -> tobu::Result<T>,
    from_bytes: impl FnOnce(Bytes) -> tobu::Result<T>,
) -> Result<Option<T>, Status> {
    let size = src.remaining();
    let message = if !is_shared(size) && src.chunk().len() == size {
        let message = from_slice(src.chunk());
        src.advance(size);
        message
    } else {
        from_bytes(src.copy_to_bytes(size))
    };
    message.map(Some).map_err(status)
}

/// True for a message that is large enough to share its bytes.
pub(crate) fn is_shared(size: usize) -> bool {
    size >= 1024
}

/// The status of a message that cannot be encoded or decoded: its text, and the error itself as the source.
///
/// `Internal`, as gRPC has it for messages that do not parse; `ResourceExhausted` for what goes past a limit.
pub(crate) fn status(error: tobu::Error) -> Status {
    let code = match error.category() {
        Category::Limit => Code::ResourceExhausted,
        _ => Code::Internal,
    };
    let mut status = Status::new(code, error.to_string());
    status.set_source(Arc::new(error));
    status
}
