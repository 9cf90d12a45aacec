//! The text format: messages for people to read and write, as in configurations and tests.
//!
//! ```
//! # use tobu_schemas::library;
//! use library::v1::{Book, Genre};
//! use tobu::text;
//! use tobu::types::Timestamp;
//!
//! let book = Book {
//!     title: "Dune".into(),
//!     acquired: Some(Timestamp::new(5, 0)),
//!     genre: Genre::FICTION,
//!     ..Book::default()
//! };
//! let written = text::to_string(&book)?;
//! assert_eq!(written, "title: \"Dune\"\nacquired {\n  seconds: 5\n}\ngenre: GENRE_FICTION\n");
//!
//! let read: Book = text::from_str(
//!     "# Comments are welcome.
//!      title: 'Du' 'ne'
//!      acquired < seconds: 0x5 >; genre: GENRE_FICTION,",
//! )?;
//! assert_eq!(read, book);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | protobuf | text |
//! | --- | --- |
//! | message | `name { ... }`; fields that are not set are left out, as are those without presence at their default |
//! | group | the same, under the name of its message |
//! | repeated field | `name: value` for each element; read as `name: [value, value]`, too |
//! | map | `name { key: ... value: ... }` for each entry, in the order of the keys |
//! | enum value | its name, or its number where the schema has no name for it |
//! | integer | digits; read in octal and hexadecimal digits, too |
//! | float, double | a number in the fewest digits; `inf`, `-inf`, `nan` |
//! | string, bytes | in quotes, with escapes; bytes beyond ASCII as escapes |
//! | extension | `[full.name]: ...`, where the pool knows it |
//! | `Any` | `[type.googleapis.com/full.name] { ... }`, where the pool knows it |
//! | unknown field | left out; `1001: ...`, if the [`Options`] request it |
//!
//! A singular field occurs once, except that several occurrences of a message are merged.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

mod read;
mod write;

pub use crate::options::text::Options;
pub(crate) use read::decode;
pub use read::{from_reader, from_slice, from_str, merge};
pub(crate) use write::encode;
pub use write::{to_string, to_vec, to_writer};
