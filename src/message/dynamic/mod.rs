//! Messages whose type is known only at run time: [`DynamicMessage`] holds one, [`Encoder`] writes one without holding it.
//!
//! A [`DynamicMessage`] is one arena, laid out from the table of its descriptor. Codecs access its messages as
//! `Object`; the wire format has a decoder and an encoder of its own in `object::arena`, because an arena has words instead of
//! addresses.

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
