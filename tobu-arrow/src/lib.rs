//! Converts protobuf messages to [Apache Arrow](https://arrow.apache.org) record batches, and back.
//!
//! You make [`Columns`] once from a descriptor, which may be known only at run time. They contain an Arrow schema and a plan of
//! [`tobu::sink`], which puts the fields of encoded messages into columns without building messages. A [`Batcher`] makes
//! batches with a maximum number of rows and bytes from messages that you push. [`source::Batches`] makes batches from the
//! messages of a stream. [`Messages`] encodes the rows of batches as messages again.
//!
//! ```
//! # use tobu_schemas::library;
//! use arrow_array::Array;
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::UInt32Type;
//! use library::v1::Book;
//! use tobu::Message;
//! use tobu_arrow::{Batcher, Messages, Options};
//!
//! let columns = Options::new().fields(&["title", "pages", "loan.reader"]).columns(&Book::descriptor())?;
//! let mut batcher = Batcher::new(&columns);
//! batcher.push(b"\x0a\x04Dune\x18\x9c\x03")?;
//! batcher.push(b"\x0a\x04Emma\x3a\x05\x0a\x03Ann")?;
//! let batch = batcher.finish()?.unwrap();
//!
//! assert_eq!(batch["title"].as_string::<i32>().value(1), "Emma");
//! assert_eq!(batch["pages"].as_primitive::<UInt32Type>().value(0), 412);
//! let loan = batch["loan"].as_struct();
//! assert_eq!((loan.nulls().unwrap().is_null(0), loan.column(0).as_string::<i32>().value(1)), (true, "Ann"));
//!
//! let messages = Messages::new(&Book::descriptor()).encode(&batch)?;
//! assert_eq!(messages[1], &b"\x0a\x04Emma\x3a\x05\x0a\x03Ann"[..]);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! | for | see |
//! | --- | --- |
//! | choosing the columns and their types | [`Options`] |
//! | making batches of messages, and skipping bad messages | [`Batcher`] |
//! | reading files and streams of messages, and the elements of one huge message | [`source`] |
//! | reading Kafka values with schemas of a registry | [`confluent`] |
//! | encoding batches as messages | [`Messages`] |
//! | making a descriptor from an Arrow schema | [`descriptor()`] |
//!
//! # What is checked
//!
//! A column has the values that decoding the message would give. For malformed input, you get the error that decoding would
//! give. [`tobu::sink`] says what is checked in fields that have no column. If a field occurs twice, a message sets two fields
//! of a oneof, or a map has a key twice, the columns have the values of the decoded message. The size of a batch is checked
//! while its messages are read, so a few hostile bytes cannot take much memory.
#![forbid(unsafe_code)]

mod bad;
mod batcher;
mod columns;
pub mod confluent;
mod describe;
mod finish;
mod messages;
mod options;
mod sink;
mod slot;
pub mod source;
mod wanted;

pub use bad::Bad;
pub use batcher::Batcher;
pub use columns::Columns;
pub use describe::descriptor;
pub use messages::Messages;
pub use options::{Enums, Oneofs, Options, Texts};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
