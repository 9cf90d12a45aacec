//! Messages whose type is known only at run time.
//!
//! A [`DynamicMessage`] is one arena, laid out from the table of its descriptor. Codecs see a part of it as an
//! [`Object`](crate::object::Object); the wire format has a reader and a writer of its own here, which
//! know that there are no addresses.

mod arena;
mod building;
mod cell;
mod change;
mod content;
mod convert;
mod copy;
mod decode;
mod encode;
mod equal;
mod held;
mod map;
mod message;
mod object;
mod packed;
mod presence;
mod reflect;
mod required;
mod text;
mod verbs;
mod view;

pub(crate) use arena::{max_words, message_words};
pub(crate) use building::Building;
pub(crate) use cell::{Cell, ListFill, MapFill};
pub(crate) use change::{ListAtMut, MapAtMut, MessageAtMut};
pub(crate) use content::ArenaContent;
pub(crate) use held::{Held, MessageHeld};
pub use message::DynamicMessage;
pub(crate) use object::MessageFill;
pub(crate) use text::HeldText;
pub(crate) use view::{ListAt, MapAt, MessageAt};
