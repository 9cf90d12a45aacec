//! Reads fields from encoded messages directly into the data that a program keeps, such as rows, columns or sums,
//! without a message in between.
//!
//! A [`Plan`] is made once from a message type, known at compile time or at run time, and the paths of the fields that
//! are wanted. [`Plan::read`] then goes through encoded messages and passes the values of those fields to a [`Sink`].
//! Nothing is allocated, strings are slices of the input, and all other fields are skipped.
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
//! Values come in the order of the input. Encoders usually write fields in the order of their numbers, but this is not
//! required.
//!
//! * *A field that occurs several times* comes several times. For a singular field the last value counts, and for a
//!   message all occurrences together. So a sink that overwrites earlier values gets the content of the decoded
//!   message. The same is true for map entries with equal keys.
//! * *Oneofs*: if one field of a oneof follows another, [`clear`](Sink::clear) says that the earlier value does not
//!   count, even if the later field is not wanted.
//! * *Absent fields* cause no call, unless the plan has them with their [default](Builder::field_or_default). A field
//!   without presence causes a call if the input has its default.
//! * *Lists* come element by element. Packed numbers come as slices of several numbers. *Map entries* are messages with
//!   the fields `key` and `value`, which both always come, in this order.
//! * *Enums*: numbers that a closed enum does not have are [unknown fields](Builder::unknown), as in decoded messages.
//! * *Messages* whose path is listed cause calls of [`begin`](Sink::begin) and [`end`](Sink::end). Other messages on a
//!   path cause no call.
//!
//! # Errors
//!
//! The decoder's checks apply to wanted fields: UTF-8, limits, required fields. Skipped fields are only checked to be
//! well-formed wire data, as in a [`Projection`](crate::Projection). The error is the same as for decoding the wanted
//! fields into a message, with its path and position. The sink has already received the values before the error. A
//! missing required field is found when all other fields were read.

mod node;
mod path;
mod plan;
mod rows;
mod value;
mod walk;

pub use plan::{Builder, Plan};
pub use rows::{KnownRow, Row, RowPlan, Rows, rows, rows_shared};
pub use value::Value;

/// Items that the code of the derive of rows uses.
#[doc(hidden)]
pub mod derived {
    pub use super::rows::{Member, PlanSlot};
    pub use super::value::{Refused, Scalar, Single, put};
    pub use bytes::Bytes;
}

use crate::error::Error;
use std::fmt;

/// Receives the values of fields. The [module](self) says when which method is called.
///
/// `field` is the index of the field in its [`Plan`]. All methods have a default. By default, methods for narrow types
/// call those for wide types: `i32` and `enumeration` call `i64`, `u32` and `bool` call `u64`, `f32` calls `f64`, `str`
/// calls `bytes`. Methods for slices call the method for one number with each number. All other methods ignore the
/// value.
///
/// `'a` is the lifetime of the input and the plan. A sink that keeps text for longer must copy the text or share the
/// input: if it has the input as [`Bytes`](bytes::Bytes), it can call [`slice_ref`](bytes::Bytes::slice_ref).
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
/// Each method can return a [`Stop`], which ends the reading.
#[allow(unused_variables, reason = "the names of arguments are documentation")]
pub trait Sink<'a> {
    /// Receives an `int64`, `sint64` or `sfixed64`.
    fn i64(&mut self, field: u32, value: i64) -> Flow {
        Ok(())
    }

    /// Receives a `uint64` or `fixed64`.
    fn u64(&mut self, field: u32, value: u64) -> Flow {
        Ok(())
    }

    /// Receives a `double`.
    fn f64(&mut self, field: u32, value: f64) -> Flow {
        Ok(())
    }

    /// Receives an `int32`, `sint32` or `sfixed32`.
    fn i32(&mut self, field: u32, value: i32) -> Flow {
        self.i64(field, value.into())
    }

    /// Receives a `uint32` or `fixed32`.
    fn u32(&mut self, field: u32, value: u32) -> Flow {
        self.u64(field, value.into())
    }

    /// Receives a `float`.
    fn f32(&mut self, field: u32, value: f32) -> Flow {
        self.f64(field, value.into())
    }

    /// Receives a `bool`.
    fn bool(&mut self, field: u32, value: bool) -> Flow {
        self.u64(field, value.into())
    }

    /// Receives the number of an enum value. An open enum may have any number.
    fn enumeration(&mut self, field: u32, number: i32) -> Flow {
        self.i64(field, number.into())
    }

    /// Receives a `bytes`, or a `string` that is not UTF-8 if the schema does not require UTF-8.
    fn bytes(&mut self, field: u32, value: &'a [u8]) -> Flow {
        Ok(())
    }

    /// Receives a `string`.
    fn str(&mut self, field: u32, value: &'a str) -> Flow {
        self.bytes(field, value.as_bytes())
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn i64s(&mut self, field: u32, values: &[i64]) -> Flow {
        values.iter().try_for_each(|value| self.i64(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn u64s(&mut self, field: u32, values: &[u64]) -> Flow {
        values.iter().try_for_each(|value| self.u64(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn f64s(&mut self, field: u32, values: &[f64]) -> Flow {
        values.iter().try_for_each(|value| self.f64(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn i32s(&mut self, field: u32, values: &[i32]) -> Flow {
        values.iter().try_for_each(|value| self.i32(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn u32s(&mut self, field: u32, values: &[u32]) -> Flow {
        values.iter().try_for_each(|value| self.u32(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn f32s(&mut self, field: u32, values: &[f32]) -> Flow {
        values.iter().try_for_each(|value| self.f32(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn bools(&mut self, field: u32, values: &[bool]) -> Flow {
        values.iter().try_for_each(|value| self.bool(field, *value))
    }

    /// Receives some numbers of a packed list, at least one, in their order.
    fn enumerations(&mut self, field: u32, numbers: &[i32]) -> Flow {
        numbers.iter().try_for_each(|number| self.enumeration(field, *number))
    }

    /// Receives the start of a message, of an element of a list, or of an entry of a map. Its fields are the bytes
    /// `message`. If paths lead into the message, the values of its fields follow. Otherwise the bytes were not
    /// checked.
    fn begin(&mut self, field: u32, message: &'a [u8]) -> Flow {
        Ok(())
    }

    /// Receives the end of the message that began last.
    fn end(&mut self, field: u32) -> Flow {
        Ok(())
    }

    /// Says that the values of this field that came before in its message do not count, because another field of its
    /// oneof follows.
    fn clear(&mut self, field: u32) -> Flow {
        Ok(())
    }

    /// Receives an unknown field of a message, or a number that a closed enum does not have. `field` is the index of
    /// [`Builder::unknown`].
    fn unknown(&mut self, field: u32, number: u32, value: Unknown<'a>) -> Flow {
        Ok(())
    }
}

/// The value of an unknown field, by its wire type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown<'a> {
    /// The value of an integer, `bool` or enum.
    Varint(u64),
    /// A value of four bytes.
    Fixed32(u32),
    /// A value of eight bytes.
    Fixed64(u64),
    /// The content of a string, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
    /// The fields of a group.
    Group(&'a [u8]),
}

/// What a [`Sink`] returns: `Ok` to go on, or an error to stop.
pub type Flow = Result<(), Stop>;

/// Why a [`Sink`] stops: it needs no more values, or there is an error.
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

    /// Returns an error with this text, of [`Category::Type`](crate::Category::Type). [`Plan::read`] returns it, with
    /// path and position.
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
