//! Builds files at run time.
//!
//! The builders only create a `FileDescriptorProto`. The linker of the pool checks whether it is valid.

mod file;
mod message;

pub use file::FileBuilder;
pub use file::{MethodBuilder, ServiceBuilder};
pub use message::EnumBuilder;
pub use message::FieldBuilder;
pub use message::MessageBuilder;
