//! Streams of messages.
//!
//! [`MessageWriter`] and [`MessageReader`] write and read messages of one type, each after its length. The reader
//! must know the type or its descriptor, and damage is not detected. For asynchronous streams use `MessageCodec`,
//! with the feature `tokio`. [Described](described) streams hold messages of any types, with their descriptors and
//! checksums.
//!
//! Layer 8: uses the verbs of the wire format.

#[cfg(feature = "tokio")]
mod codec;
mod delimited;
#[cfg(feature = "streams")]
pub mod described;
#[cfg(feature = "streams")]
mod elements;
mod frames;

#[cfg(feature = "streams")]
pub(crate) use crate::syntax::chunks::Chunks;
#[cfg(feature = "tokio")]
pub use codec::MessageCodec;
pub use delimited::{MessageReader, MessageWriter};
#[cfg(feature = "tokio")]
pub use elements::ElementCodec;
#[cfg(feature = "streams")]
pub use elements::{Element, ElementDecoder, Elements, FromElement};
