//! Streams of messages.
//!
//! [`MessageWriter`] and [`MessageReader`] put messages of one type one after the other, each after its length: the
//! reader has to know the type, and that nothing is damaged. [Described](described) streams hold messages of any types,
//! say what these are, and have checksums.
//!
//! Layer 8: made of the verbs of the wire format.

mod delimited;
pub mod described;
mod elements;

pub use delimited::{MessageReader, MessageWriter};
pub use elements::{Element, ElementDecoder, Elements, FromElement};
