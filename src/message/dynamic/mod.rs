//! Messages whose type is known only at run time: a [`DynamicMessage`] holds one, and an [`Encoder`] writes one
//! without holding it.
//!
//! A [`DynamicMessage`] is one arena, laid out by the table of its descriptor. Codecs access its messages as
//! `Object`. The wire format has a separate decoder and encoder in `object::arena`, because an arena has words
//! instead of addresses.

mod building;
mod encoder;
mod equal;
mod held;
mod message;
mod reflect;
mod target;

pub use encoder::{
    Encoder, Field, FieldKey, FieldType, KeyType, List, Map, MessageType, Nested, Record, ValueType,
};
pub(crate) use equal::equal;
pub(crate) use held::{Held, MessageHeld, Reading};
pub use message::DynamicMessage;
pub(crate) use target::{Target, TargetEntry, TargetList, Written};
