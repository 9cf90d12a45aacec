//! Self-describing streams: messages of one or several types, with the descriptors needed to read them.
//!
//! [`Writer`] gathers messages in blocks, and writes the descriptors of new types before the messages. [`Reader`]
//! returns each message as an [`Entry`], which can be read as a [`DynamicMessage`](crate::DynamicMessage), into a Rust
//! type whose schema is [compatible](crate::descriptor::compare), or into any type of serde. Blocks have checksums. The
//! reader reports damaged blocks, never returns their messages, and can skip them. It distinguishes a truncated stream
//! from a complete stream.
//!
//! The stream contains only the declarations that its types need, without comments, services and extensions. A dynamic
//! message keeps extensions as unknown fields. Rust types and pools that know the extensions can read them.
//! [`Writer::declare`] adds types that occur only in fields of type `Any`.
//!
#![doc = include_str!("FORMAT.md")]

mod entry;
mod frame;
mod options;
mod reader;
mod schema;
mod source;
mod writer;

pub use entry::Entry;
pub use frame::Compression;
pub use options::Options;
pub use reader::{DynamicMessages, Messages};
pub use reader::{LeftOut, Reader};
pub use writer::Writer;
