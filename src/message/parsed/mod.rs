//! Messages that are decoded as a whole and read by generated accessors. A [`Parsed`](crate::Parsed) value owns such a
//! message, and a generated reference such as `BookRef<'a>` reads it.
//!
//! A [`Parsed`](crate::Parsed) message lies in one arena, as a [`DynamicMessage`](crate::DynamicMessage) does. So decoding
//! allocates a few times in all, not once for each string, list and message. Strings share the input. The arena consists of
//! cells of four bytes. An accessor reads the cells of its field, whose position the generator knows.
//! `tobu_build::Config::parsed` generates references:
//!
//! ```
//! # use tobu_schemas::library;
//! use library::v1::Book;
//! use tobu::Parsed;
//!
//! let book = Parsed::<Book>::decode(b"\x0a\x04Dune\x18\x9c\x03")?;
//! assert_eq!(book.get().title(), "Dune");
//! assert_eq!(book.get().pages(), 412);
//! assert!(book.get().loan().is_none());
//! # Ok::<(), tobu::Error>(())
//! ```

mod fields;
mod list;
mod map;
mod memory;
mod owner;
mod typed;
mod untyped;
mod value;

#[doc(hidden)]
pub use fields::Fields;
pub use list::{Iter, List};
pub use map::{Iter as MapIter, Key, Map};
pub use owner::Parsed;
pub use typed::{Parse, TypedRef};
pub use untyped::Untyped;
pub use value::{Item, Value};
