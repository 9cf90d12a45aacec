//! Streams of messages, and messages that are too large to be read as a whole.
//!
//! | item | what it reads or writes |
//! | --- | --- |
//! | [`MessageWriter`], [`MessageReader`] | messages of one type, each after its length |
//! | `MessageCodec` | messages after their lengths, through `tokio_util::codec`, with the feature `tokio` |
//! | [`described`] | messages of any types, with their descriptors and checksums, with the feature `streams` |
//! | `Elements`, by [`MessageReader::elements`] | the elements of a list in one large message, with the feature `streams` |
//! | `ElementDecoder` | the elements of such a list from chunks of bytes, without I/O |
//! | `FromElement` | the types that an element can be read into, with `Element` for elements of any kind |
//! | `ElementCodec` | the elements of such a list through `tokio_util::codec`, with the feature `tokio` |
//!
//! To read messages after their lengths, a reader must know the type or its descriptor. It does not detect damage.
//! [`json`](crate::json) reads elements of JSON.
//!
//! This module is in layer 8 (see DESIGN.md). It uses the public functions of the wire format.

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
