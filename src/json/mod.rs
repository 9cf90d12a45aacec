//! Reads and writes canonical ProtoJSON.
//!
//! ```
//! # use tobu_schemas::library;
//! use library::v1::{Book, Genre};
//! use tobu::json;
//! use tobu::types::Timestamp;
//!
//! let book = Book {
//!     title: "Dune".into(),
//!     acquired: Some(Timestamp::new(0, 0)),
//!     genre: Genre::FICTION,
//!     ..Book::default()
//! };
//! assert_eq!(
//!     json::to_string(&book)?,
//!     r#"{"title":"Dune","acquired":"1970-01-01T00:00:00Z","genre":"GENRE_FICTION"}"#
//! );
//!
//! let options = json::Options::new().proto_field_names(true).enums_as_integers(true);
//! assert_eq!(options.to_string(&Book { genre: Genre::SCIENCE, ..Book::default() })?, r#"{"genre":2}"#);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! # How values are mapped
//!
//! | protobuf | JSON |
//! | --- | --- |
//! | message, group | object without the unset fields, and without the fields that have no presence and are zero or empty |
//! | map | object; the keys are strings, whatever the key type is |
//! | repeated field | array |
//! | enum value | its name, or its number if the schema has no name for it |
//! | 32-bit integer | number |
//! | 64-bit integer | string, because many readers read numbers as doubles |
//! | float, double | number with as few digits as possible, or `"NaN"`, `"Infinity"` or `"-Infinity"` |
//! | bytes | string in base64; a [conversion](crate::member) of a Rust type can use another form, such as hexadecimal digits |
//! | extension | member `"[full.name]"`, if the pool has the extension; other unknown fields are left out |
//! | `Any` | object with `"@type"` and the fields of the content; special JSON forms are the member `"value"` |
//! | `Timestamp`, `Duration`, `FieldMask` | string: `"1972-01-01T10:00:20.021Z"`, `"1.500s"`, `"user.displayName,photo"` |
//! | `Struct`, `ListValue`, `Value` | the JSON value that they represent |
//! | `BoolValue` and the other wrappers | the value |
//! | `NullValue` | `null` |
//!
//! Each type inside of an `Any`, and each extension, must be in the pool of the [`Options`]. If the options have no pool,
//! the global pool is used. The types of one build are in the global pool after the program has used a descriptor of one
//! of them.
//!
//! With a descriptor, you can write serde types that have no schema: see
//! [`MessageDescriptorExt::encode_json`](crate::MessageDescriptorExt::encode_json).
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

#[cfg(feature = "streams")]
mod elements;
mod read;
mod write;

pub use crate::options::json::Options;
#[cfg(feature = "tokio")]
pub use elements::ElementCodec;
#[cfg(feature = "streams")]
pub use elements::{ElementDecoder, Elements, FromElement};
pub(crate) use read::decode;
pub use read::{from_reader, from_slice, from_slice_in_place, from_str, from_str_in_place, merge};
pub(crate) use write::encode;
pub use write::{to_string, to_string_pretty, to_vec, to_writer};
