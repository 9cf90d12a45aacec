//! How messages become the bytes of a call, and bytes messages.
//!
//! Layer 0 of the crate: knows tobu and tonic's codec traits, and nothing of calls.

mod dynamic;
mod failure;
mod scratch;
mod typed;

pub use dynamic::{DynamicCodec, DynamicDecoder, DynamicEncoder};
pub(crate) use failure::Failure;
pub use typed::{TobuCodec, TobuDecoder, TobuEncoder};

use std::sync::Arc;

use tobu::Category;
use tonic::{Code, Status};

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
