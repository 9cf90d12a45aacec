//! Messages whose type is known only at run time: a [`DynamicMessage`] holds a message, and an [`Encoder`] writes a message
//! without holding it.
//!
//! ```
//! # let pool = { use tobu::Message; tobu_schemas::library::v1::Book::descriptor(); tobu::Pool::global() };
//! use tobu::DynamicMessage;
//!
//! let book = pool.message("library.v1.Book").unwrap();
//! let message = DynamicMessage::decode(&book, b"\x0a\x04Dune")?;
//! assert_eq!(message.get_by_name("title")?.as_str(), Some("Dune"));
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! A [`DynamicMessage`] is one arena, laid out by the table of its descriptor. Codecs access its messages as `Object`. The
//! wire format has a separate decoder and encoder for arenas in `object::arena`, because an arena has positions instead of
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
pub(crate) use held::{HeldMessage, HeldValue, Reading};
pub use message::DynamicMessage;
pub(crate) use target::{EntryWriter, ListWriter, ValueWriter, Written};
