//! Encodes and decodes the formats. Each format has one decoder and one encoder, which follow the table of the message type.
//!
//! The wire format is in layer 4 (see DESIGN.md): it uses `object`, `table` and `layout`. JSON and the text format are
//! in layer 5.

mod any_object;
mod budget;
mod content;
mod element;
mod float;
pub(crate) mod json;
mod scalar;
mod seen;
mod source;
pub(crate) mod text;
pub(crate) mod wire;

pub(crate) use any_object::AnyObjectMut;
pub(crate) use element::element_size;
pub(crate) use source::Source;
