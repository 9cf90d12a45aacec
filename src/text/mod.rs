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
//! | message | `name { ... }` with the fields that are set; without presence, a field is set if it is not its default value |
//! | group | `Name { ... }`, with the name of its message |
//! | repeated field | `name: value` for each element; the parser also reads `name: [value, value]` |
//! | map | `name { key: ... value: ... }` for each entry, in the order of the keys |
//! | enum value | its name, or its number if the schema has no name for it |
//! | integer | decimal digits; the parser also reads octal and hexadecimal digits |
//! | float, double | a number in the fewest digits; `inf`, `-inf`, `nan` |
//! | string, bytes | in quotes, with escapes; in a byte string, every byte beyond ASCII is an escape |
//! | extension | `[full.name]: ...`, if the pool knows the extension |
//! | `Any` | `[type.googleapis.com/full.name] { ... }`, if the pool knows the message type |
//! | unknown field | left out; `1001: ...`, if the [`Options`] request it |
//!
//! A singular field may occur only once, unless it is a message: several occurrences of a message are merged.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

mod read;
mod write;

pub use crate::options::text::Options;
pub(crate) use read::decode;
pub use read::{from_reader, from_slice, from_str, merge};
pub(crate) use write::encode;
pub use write::{to_string, to_vec, to_writer};
