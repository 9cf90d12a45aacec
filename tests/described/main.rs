//! Described streams: their bytes, their messages, damaged and hostile ones; and the compatibility of descriptors that
//! they require.

#[path = "../memory/counting.rs"]
mod counting;

mod bytes;
mod compare;
mod damage;
mod hostile;
mod python;
mod schema;
mod support;
mod typed;
