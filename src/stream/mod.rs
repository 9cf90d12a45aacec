//! Streams of messages, and messages that are too large to read whole.
//!
//! | item | what it reads or writes |
//! | --- | --- |
//! | [`MessageWriter`], [`MessageReader`] | messages of one type, each after its length |
//! | `MessageCodec` | such a stream through `tokio_util::codec`, with the feature `tokio` |
//! | [`described`] | messages of any types, with their descriptors and checksums, with the feature `streams` |
//! | `Elements`, by [`MessageReader::elements`] | the elements of a list in one large message, with the feature `streams` |
//! | `ElementDecoder` | the elements in chunks of bytes, without I/O; it returns each `Element` |
//! | `FromElement` | the types that an element can be read into |
//! | `ElementCodec` | the elements through `tokio_util::codec`, with the feature `tokio` |
//!
//! A reader of messages after their lengths must know the type or its descriptor, and does not detect damage. Elements of JSON
//! are in [`json`](crate::json).
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
