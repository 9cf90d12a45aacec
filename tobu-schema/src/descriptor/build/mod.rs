//! Files that are built at run time.
//!
//! The builders only produce a `FileDescriptorProto`; the linker of the pool validates it.

mod file;
mod message;

pub use file::FileBuilder;
pub use file::{MethodBuilder, ServiceBuilder};
pub use message::EnumBuilder;
pub use message::FieldBuilder;
pub use message::MessageBuilder;
