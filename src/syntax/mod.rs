//! Tokens of JSON and of the text format, and how well-known types are written: syntax alone, because codecs know the schema.

#[cfg(feature = "streams")]
pub(crate) mod chunks;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod well_known;
