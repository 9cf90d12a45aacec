//! Described streams: their bytes, what they give, what becomes of damaged and hostile ones; and what descriptors have to
//! have in common for that.

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
