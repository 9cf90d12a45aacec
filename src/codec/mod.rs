//! The formats, each decoded and encoded by one interpreter that goes by tables.
//!
//! The wire format is layer 5: it names `object`, `table` and `layout`. JSON is layer 6: the content of an `Any` is a
//! dynamic message.

pub(crate) mod json;
pub(crate) mod wire;
