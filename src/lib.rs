//! Protocol Buffers as a real serde data format, with first-class reflection.

pub mod descriptor;
mod error;
pub mod wire;

pub use descriptor::{
    EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, FieldShape, FileDescriptor,
    Kind, MessageDescriptor, MethodDescriptor, OneofDescriptor, Pool, ServiceDescriptor,
};
pub use error::{Category, Error, Position, Result, Segment};
