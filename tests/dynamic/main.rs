//! Dynamic messages: read, changed, converted, and passed to serde.

mod change;
mod convert;
mod encoder;
mod formats;
mod hostile;
mod misuse;
mod read;
mod serde_derive;

use tobu::{DynamicMessage, MessageDescriptor};
use tobu_schemas::corpus::corpus::{v2, v3};

/// The descriptor of a message of the corpus.
pub(crate) fn descriptor(name: &str) -> MessageDescriptor {
    use tobu::Message;
    // The files register themselves when the descriptor of one of their types is first used.
    let _ = (v3::Tree::descriptor(), v2::Closed::descriptor());
    tobu::Pool::global().message(&format!("corpus.{name}")).expect("a message of the corpus")
}

pub(crate) fn empty(name: &str) -> DynamicMessage {
    DynamicMessage::new(&descriptor(name)).expect("plans")
}

pub(crate) fn decode(name: &str, wire: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(&descriptor(name), wire).expect("well-formed bytes")
}
