//! Canonical ProtoJSON.
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
//! # What becomes what
//!
//! | protobuf | JSON |
//! | --- | --- |
//! | message, group | object; fields that are not set are left out, as are those without presence at their default |
//! | map | object, whose keys are strings for every key type |
//! | repeated field | array |
//! | enum value | its name, or its number where the schema has no name for it |
//! | integers of 32 bits | number |
//! | integers of 64 bits | string, since many readers know only doubles |
//! | float, double | number in the fewest digits; `"NaN"`, `"Infinity"`, `"-Infinity"` |
//! | bytes | string in base64; in Rust types also the form of a [conversion](crate::member), for instance hexadecimal digits |
//! | extension | a member `"[full.name]"`, if it is in the pool; other unknown fields are left out |
//! | `Any` | object with the type as `"@type"` beside the fields; `"value"` holds a content with a special form |
//! | `Timestamp`, `Duration`, `FieldMask` | string: `"1972-01-01T10:00:20.021Z"`, `"1.500s"`, `"user.displayName,photo"` |
//! | `Struct`, `ListValue`, `Value` | the JSON value that they represent |
//! | `BoolValue` and the other wrappers | the value |
//! | `NullValue` | `null` |
//!
//! Each type that an `Any` may hold, and each extension, must be in the pool of the [`Options`], or in the global one
//! if they have none. Generated types are in the global pool once any type of their build was used with a descriptor.
//!
//! A descriptor writes serde types without a schema: see
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
