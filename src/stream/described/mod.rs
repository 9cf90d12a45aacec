//! Self-describing streams: messages of one or several types, with the descriptors needed to read them.
//!
//! [`Writer`] puts messages into blocks, preceded by the descriptors of new types. [`Reader`] returns each message as
//! an [`Entry`], which can be read as a [`DynamicMessage`](crate::DynamicMessage), into a Rust type whose schema is
//! [compatible](crate::descriptor::compare), or into any type of serde. Blocks have checksums. Damaged blocks are
//! reported and never returned, and can be skipped. A truncated stream is distinguished from a complete one.
//!
//! The stream only contains declarations that its types need, without comments, services and extensions. In a dynamic
//! message, extensions are kept as unknown fields; Rust types and pools that know them can read them.
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
