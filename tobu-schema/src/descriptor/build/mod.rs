//! Files that are put together at run time.
//!
//! The builders only write a `FileDescriptorProto`; the linker of the pool validates it.

mod enumeration;
mod field;
mod file;
mod message;
mod scope;
mod service;

pub use enumeration::EnumBuilder;
pub use field::FieldBuilder;
pub use file::FileBuilder;
pub use message::MessageBuilder;
pub use service::{MethodBuilder, ServiceBuilder};
