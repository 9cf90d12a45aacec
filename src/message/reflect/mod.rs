//! Messages by their descriptors: read, changed and compared without their Rust type.
//!
//! Layer 6: uses `codec`, `object`, `table` and `descriptor`. A view points to a struct or to a dynamic message.

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
