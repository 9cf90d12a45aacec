//! From bytes to what a program keeps, without a message in between: rows, columns, sums.
//!
//! A [`Plan`] is made once from a message type, known at compile time or at run time, and the paths of the fields that are
//! wanted. [`Plan::read`] then goes through encoded messages and tells a [`Sink`] the values of those fields. Nothing is
//! allocated, strings are slices of the input, and all other fields are skipped.
//!
//! ```
//! # use tobu_schemas::library;
//! use library::v1::Shelf;
//! use tobu::Message;
//! use tobu::sink::{Flow, Plan, Sink};
//!
//! const TITLE: u32 = 0;
//! const PAGES: u32 = 1;
//!
//! #[derive(Default)]
//! struct Columns<'a> {
//!     titles: Vec<&'a str>,
//!     pages: u64,
//! }
//!
//! impl<'a> Sink<'a> for Columns<'a> {
//!     fn str(&mut self, field: u32, value: &'a str) -> Flow {
//!         match field {
//!             TITLE => self.titles.push(value),
//!             _ => {}
//!         }
//!         Ok(())
//!     }
//!
//!     fn u64(&mut self, field: u32, value: u64) -> Flow {
//!         match field {
//!             PAGES => self.pages += value,
//!             _ => {}
//!         }
//!         Ok(())
//!     }
//! }
//!
//! // The index of a field is its place in this list.
//! let plan = Plan::new(&Shelf::descriptor(), &["books[].title", "books[].pages"])?;
//!
//! let bytes = b"\x1a\x09\x0a\x04Dune\x18\x9c\x03\x1a\x08\x0a\x04Emma\x18\x05";
//! let mut columns = Columns::default();
//! plan.read(bytes, &mut columns)?;
//! assert_eq!(columns.titles, ["Dune", "Emma"]);
//! assert_eq!(columns.pages, 417);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! # What a sink sees
//!
//! Values come in the order of the input. Writers commonly write fields in the order of their numbers, but need not.
//!
//! * *A field that occurs again* comes again. Of a singular field the last value counts, and of a message all occurrences
//!   together: a sink that overwrites what it has gets the content of the decoded message. The same holds for entries of a map
//!   with equal keys.
//! * *Oneofs*: when a member follows another, be it wanted or not, [`clear`](Sink::clear) says that what came before does
//!   not count.
//! * *Absent fields* have no event, unless the plan has them with their [default](Builder::field_or_default). A field without presence
//!   that was written with its default has one.
//! * *Lists* come element by element; numbers that are packed come as slices of some of them. *Map entries* are messages
//!   with the fields `key` and `value`, which come in this order, both of them always.
//! * *Enums*: numbers that a closed enum does not have are [unknown fields](Builder::unknown), as everywhere.
//! * *Messages* whose path is listed have [`begin`](Sink::begin) and [`end`](Sink::end); other messages on a path have no event.
//!
//! # Errors
//!
//! What is wanted is checked as when it is decoded: UTF-8, limits, required fields. What is skipped is only checked to be
//! well-formed wire data, as by a [`Projection`](crate::Projection). An error is the one that decoding the wanted fields into a message
//! returns, with its path and position. The sink has seen the values before it. A required field that is missing is found
//! when all others were read.

mod node;
mod path;
mod plan;
mod rows;
mod value;
mod walk;

pub use plan::{Builder, Plan};
pub use rows::{KnownRow, Row, RowPlan, Rows, rows, rows_shared};
pub use value::Value;

/// What the derive of rows names.
#[doc(hidden)]
pub mod derived {
    pub use super::rows::{Member, PlanSlot};
    pub use super::value::{Refused, Scalar, Single, put};
    pub use bytes::Bytes;
}

use crate::error::Error;
use std::fmt;

/// What takes the values of fields: see the [module](self) for when it gets which.
///
/// `field` is the index of the field in its [`Plan`]. All methods have a default. Those of narrow types call those of wide
/// ones: `i32` and `enumeration` call `i64`, `u32` and `bool` call `u64`, `f32` calls `f64`, `str` calls `bytes`; slices of
/// numbers are given one by one. The others ignore the value.
///
/// `'a` is the lifetime of the input and the plan. To keep text without it, copy it, or share the input: a sink that has it as
/// [`Bytes`](bytes::Bytes) can call [`slice_ref`](bytes::Bytes::slice_ref).
///
/// ```
/// # use tobu_schemas::library;
/// # use library::v1::Book;
/// use bytes::Bytes;
/// use tobu::Message;
/// use tobu::sink::{Flow, Plan, Sink};
///
/// struct Authors {
///     input: Bytes,
///     found: Vec<Bytes>,
/// }
///
/// impl<'a> Sink<'a> for Authors {
///     fn bytes(&mut self, _: u32, value: &'a [u8]) -> Flow {
///         self.found.push(self.input.slice_ref(value));
///         Ok(())
///     }
/// }
///
/// let input = Bytes::from_static(b"\x0a\x04Dune\x12\x05Frank");
/// let mut authors = Authors { input: input.clone(), found: Vec::new() };
/// Plan::new(&Book::descriptor(), &["authors[]"])?.read(&input, &mut authors)?;
/// assert_eq!(authors.found, ["Frank"]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Of each method: a [`Stop`], which ends the reading.
#[allow(unused_variables, reason = "the names of arguments are documentation")]
pub trait Sink<'a> {
    /// An `int64`, `sint64` or `sfixed64`.
    fn i64(&mut self, field: u32, value: i64) -> Flow {
        Ok(())
    }

    /// A `uint64` or `fixed64`.
    fn u64(&mut self, field: u32, value: u64) -> Flow {
        Ok(())
    }

    /// A `double`.
    fn f64(&mut self, field: u32, value: f64) -> Flow {
        Ok(())
    }

    /// An `int32`, `sint32` or `sfixed32`.
    fn i32(&mut self, field: u32, value: i32) -> Flow {
        self.i64(field, value.into())
    }

    /// A `uint32` or `fixed32`.
    fn u32(&mut self, field: u32, value: u32) -> Flow {
        self.u64(field, value.into())
    }

    /// A `float`.
    fn f32(&mut self, field: u32, value: f32) -> Flow {
        self.f64(field, value.into())
    }

    /// A `bool`.
    fn bool(&mut self, field: u32, value: bool) -> Flow {
        self.u64(field, value.into())
    }

    /// The number of an enum value. Of an open enum it may be any.
    fn enumeration(&mut self, field: u32, number: i32) -> Flow {
        self.i64(field, number.into())
    }

    /// A `bytes`; or a `string` that is not UTF-8, in a schema that does not require it.
    fn bytes(&mut self, field: u32, value: &'a [u8]) -> Flow {
        Ok(())
    }

    /// A `string`.
    fn str(&mut self, field: u32, value: &'a str) -> Flow {
        self.bytes(field, value.as_bytes())
    }

    /// Some numbers of a packed list, in their order; never none.
    fn i64s(&mut self, field: u32, values: &[i64]) -> Flow {
        values.iter().try_for_each(|value| self.i64(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn u64s(&mut self, field: u32, values: &[u64]) -> Flow {
        values.iter().try_for_each(|value| self.u64(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn f64s(&mut self, field: u32, values: &[f64]) -> Flow {
        values.iter().try_for_each(|value| self.f64(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn i32s(&mut self, field: u32, values: &[i32]) -> Flow {
        values.iter().try_for_each(|value| self.i32(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn u32s(&mut self, field: u32, values: &[u32]) -> Flow {
        values.iter().try_for_each(|value| self.u32(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn f32s(&mut self, field: u32, values: &[f32]) -> Flow {
        values.iter().try_for_each(|value| self.f32(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn bools(&mut self, field: u32, values: &[bool]) -> Flow {
        values.iter().try_for_each(|value| self.bool(field, *value))
    }

    /// As [`i64s`](Self::i64s).
    fn enumerations(&mut self, field: u32, numbers: &[i32]) -> Flow {
        numbers.iter().try_for_each(|number| self.enumeration(field, *number))
    }

    /// A message, the element of a list or the entry of a map begins, whose fields are these bytes. If paths lead into it, its
    /// values follow; if not, the bytes were not looked at.
    fn begin(&mut self, field: u32, message: &'a [u8]) -> Flow {
        Ok(())
    }

    /// The message that began last ends.
    fn end(&mut self, field: u32) -> Flow {
        Ok(())
    }

    /// The values of this field that came before in its message do not count: another member of its oneof follows.
    fn clear(&mut self, field: u32) -> Flow {
        Ok(())
    }

    /// An unknown field of a message, or the number that a closed enum does not have; `field` is the index of
    /// [`Builder::unknown`].
    fn unknown(&mut self, field: u32, number: u32, value: Unknown<'a>) -> Flow {
        Ok(())
    }
}

/// The value of an unknown field, by its wire type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown<'a> {
    /// Of any integer, `bool` or enum.
    Varint(u64),
    /// Of four bytes.
    Fixed32(u32),
    /// Of eight bytes.
    Fixed64(u64),
    /// Of a string, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
    /// The fields of a group.
    Group(&'a [u8]),
}

/// What a [`Sink`] returns: go on, or stop.
pub type Flow = Result<(), Stop>;

/// Why a [`Sink`] stops: it has what it wants, or there is an error.
///
/// ```
/// use tobu::sink::{Flow, Sink, Stop};
///
/// /// Finds the first number above 100.
/// struct Find(Option<u64>);
///
/// impl<'a> Sink<'a> for Find {
///     fn u64(&mut self, _: u32, value: u64) -> Flow {
///         match value {
///             0..=100 => Ok(()),
///             1_000.. => Err(Stop::error(format!("{value} is too large"))),
///             _ => {
///                 self.0 = Some(value);
///                 Err(Stop::ENOUGH)
///             }
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Stop(Option<Error>);

impl Stop {
    /// The sink wants no more values: reading ends without an error.
    pub const ENOUGH: Stop = Stop(None);

    /// An error with this text, of [`Category::Type`](crate::Category::Type). [`Plan::read`] returns it, with path and position.
    #[cold]
    pub fn error(message: impl fmt::Display) -> Stop {
        Stop(Some(Error::ty(message.to_string())))
    }
}

impl From<Error> for Stop {
    #[cold]
    fn from(error: Error) -> Stop {
        Stop(Some(error))
    }
}
