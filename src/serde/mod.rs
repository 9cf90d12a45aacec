//! The serde pair: any `T: Serialize` into a message of an arena and on to any format, and a message of an arena, from any
//! format, into any `T: Deserialize`.
//!
//! Types with tobu's derives hand over the object that they are, and no arena is between. Layer 7.

pub(crate) mod deserializer;
mod read;
mod schema;
pub(crate) mod serializer;
mod write;

pub(crate) use read::{Input, RootDeserializer, read, read_message};
pub(crate) use schema::Schema;
pub(crate) use write::{Written, write, write_message};
