//! The formats, each decoded and encoded by one interpreter of tables.
//!
//! The wire format is layer 4: it uses `object`, `table` and `layout`. JSON and the text format are layer 5, because
//! the content of an `Any` is a dynamic message.

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
