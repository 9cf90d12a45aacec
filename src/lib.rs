//! Protocol Buffers as a real serde data format, with first-class reflection.

// The output of the derives names the crate by this path, here as elsewhere.
#[cfg(feature = "derive")]
extern crate self as tobu;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod de;
pub mod descriptor;
mod error;
mod limits;
mod member;
mod message;
mod options;
mod plan;
mod runtime;
mod schema;
mod ser;
mod shape;
mod stream;
#[cfg(feature = "derive")]
pub mod types;
mod verbs;
pub mod wire;

pub use descriptor::{
    EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, FieldShape, FileDescriptor,
    Kind, MessageDescriptor, MethodDescriptor, OneofDescriptor, Pool, ServiceDescriptor,
};
pub use error::{Category, Error, Position, Result, Segment};
pub use limits::Limits;
pub use member::{Merge, UnknownFields};
pub use message::{DescriptorSource, Enumeration, Message, Oneof};
pub use options::{DecodeOptions, EncodeOptions};
pub use stream::{MessageReader, MessageWriter};
pub use verbs::{
    encoded_len, from_bytes, from_reader, from_slice, from_slice_in_place, merge, to_buf, to_vec, to_writer,
};

#[doc(no_inline)]
pub use serde::{de::Deserialize, ser::Serialize};
#[cfg(feature = "derive")]
pub use tobu_derive::{Deserialize, Enumeration, Message, Oneof, Serialize};
