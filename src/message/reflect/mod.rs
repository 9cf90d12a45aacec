//! Reads, changes and compares messages by their descriptors, without their Rust type.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`Reflect`] | the trait of every message: access to fields by descriptor, name or number, and operations on whole messages |
//! | [`Reflection`] | an owned typed message that derefs to `Reflect` |
//! | [`ValueRef`], [`ValueMut`], [`Value`] | the value of a field: borrowed, borrowed for changes, owned |
//! | [`ReflectList`], [`ReflectMap`] | the lists and maps in a message |
//! | [`Extension`], [`Extensions`] | the handle of an extension, and the trait with the methods that read and set extensions |
//! | [`Visit`], [`Path`], [`Diff`], [`Equality`] | the parameters and results of visits and comparisons |
//!
//! ```
//! # use tobu_schemas::library::v1::Book;
//! use tobu::{Message, Reflect};
//!
//! fn names(message: &dyn Reflect) -> Vec<String> {
//!     message.fields().map(|(field, _)| field.name().to_owned()).collect()
//! }
//!
//! let book = Book { title: "Dune".into(), ..Book::default() };
//! assert_eq!(names(book.as_reflect()), ["title"]);
//! ```
//!
//! This folder is in layer 6 (see DESIGN.md): it uses `codec`, `object`, `table` and `descriptor`.

pub(crate) mod algebra;
pub(crate) mod any;
mod by_name;
pub(crate) mod check;
mod empty;
mod extension;
mod field;
mod number;
mod read;
pub(crate) mod read_only;
mod traits;
mod typed;
mod value;
mod view;

pub use crate::layout::KeyRef as MapKeyRef;
pub use crate::message::Reflection;
pub use algebra::{Change, Diff, Equality, Path, Visit, Visited};
pub(crate) use any::options_message;
pub use any::unpack_any;
pub(crate) use extension::extension_of_options;
pub use extension::{Extension, ExtensionKey, ExtensionValue, Extensions};
pub use field::FieldRef;
pub(crate) use number::Number;
pub use read::ListIter;
pub use traits::{Reflect, ReflectList, ReflectMap};
pub use value::{MapKey, Value, ValueMut, ValueRef};
pub use view::{ListMut, ListRef, MapMut, MapRef, MessageMut, MessageRef};
pub(crate) use view::{MessageRepr, MessageReprMut, Repr};
