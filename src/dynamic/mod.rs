//! Messages whose type is known only at run time: [`DynamicMessage`] holds one, [`Encoder`] writes one without holding it.
//!
//! A [`DynamicMessage`] is one arena, laid out from the table of its descriptor. Codecs access its messages as
//! `Object`; the wire format has a separate decoder and encoder here, which use words instead of addresses.

mod arena;
mod building;
mod change;
mod content;
mod convert;
mod copy;
mod decode;
mod encode;
mod encoder;
mod equal;
mod held;
mod map;
mod message;
mod object;
mod packed;
mod presence;
mod reflect;
mod required;
mod target;
mod text;
mod verbs;
mod view;

pub(crate) use arena::max_words;
pub(crate) use building::Building;
pub(crate) use change::{ListAtMut, MapAtMut, MessageAtMut};
pub(crate) use content::ArenaContent;
pub use encoder::{
    Encoder, Field, FieldKey, FieldType, KeyType, List, Map, MessageType, Nested, Record, ValueType,
};
pub(crate) use held::{Held, MessageHeld};
pub use message::DynamicMessage;
pub(crate) use object::{ArenaList, EntryFill, MessageFill};
pub(crate) use target::{Target, TargetEntry, TargetList, Written};
pub(crate) use text::HeldText;
pub(crate) use view::{ListAt, MapAt, MessageAt};
