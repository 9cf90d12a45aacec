//! Tokens of JSON and of the text format, and the texts of well-known types. This module knows only syntax; the codecs know the
//! schema.

#[cfg(feature = "streams")]
pub(crate) mod chunks;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod well_known;
