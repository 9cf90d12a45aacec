//! The serializer writes any `T: Serialize` to a message of an arena, which a codec then encodes to any format. The
//! deserializer does the reverse for any `T: Deserialize`.
//!
//! Types with tobu's derives are filled and encoded directly, without an arena. This module is in layer 7 (see
//! DESIGN.md).

pub(crate) mod encode;

pub(crate) mod others;

pub(crate) mod deserializer;
mod read;
mod schema;
pub(crate) mod serializer;
mod write;

pub(crate) use read::{Input, RootDeserializer, read, read_direct};
pub(crate) use schema::Schema;
pub(crate) use write::write;
