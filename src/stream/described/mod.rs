//! Streams that say what is in them: messages of one or several types, with the descriptors that it takes to read them.
//!
//! [`Writer`] puts messages into blocks, and before them the descriptors of types that are new. [`Reader`] gives each
//! message as an [`Entry`], to be read as a [`DynamicMessage`](crate::DynamicMessage), into a Rust type whose schema is
//! [compatible](crate::descriptor::compare), or into any type of serde. Blocks have checksums: what is damaged is never
//! handed out, is reported, and can be passed over; a stream that is cut off is told from one that is whole.
//!
//! Of the files of a schema only what the types need is written, without comments, services and extensions: fields of
//! extensions are unknown fields to a dynamic message, which keeps them, and are there for Rust types and pools that know
//! them. [`Writer::declare`] adds types that are only in fields of type `Any`.
//!
#![doc = include_str!("FORMAT.md")]

mod compress;
mod entry;
mod frame;
mod messages;
mod options;
mod reader;
mod schema;
mod source;
mod writer;

pub use compress::Compression;
pub use entry::Entry;
pub use messages::{DynamicMessages, Messages};
pub use options::Options;
pub use reader::{LeftOut, Reader};
pub use writer::Writer;
