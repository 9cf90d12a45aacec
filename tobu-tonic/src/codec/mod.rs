//! The codecs, which convert messages to the bytes of a call, and bytes to messages.
//!
//! This module is in layer 0 of the crate: it uses tobu and tonic's codec traits, and knows nothing about calls.

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

/// Decodes a message of a call.
///
/// A small message is decoded directly from tonic's buffer, by `from_slice`. Splitting it off the buffer would cost more
/// than copying its strings, and the few bytes that the message shares would keep the whole buffer alive. A large message is
/// split off, and `from_bytes` decodes it, so that the decoded message can share the bytes.
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

/// True if a message is so large that the decoded message shares its bytes.
pub(crate) fn is_shared(size: usize) -> bool {
    size >= 1024
}

/// Converts an error of encoding or decoding to a status. The status has the text of the error, and the error itself as its
/// source.
///
/// The code is `ResourceExhausted` if a limit is exceeded. Otherwise it is `Internal`, as gRPC requires for messages that do
/// not parse.
pub(crate) fn status(error: tobu::Error) -> Status {
    let code = match error.category() {
        Category::Limit => Code::ResourceExhausted,
        _ => Code::Internal,
    };
    let mut status = Status::new(code, error.to_string());
    status.set_source(Arc::new(error));
    status
}
