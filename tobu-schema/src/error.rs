//! The error type of the crate. An error has a category, a message for people, a path in the schema and a position in the
//! input.
//!
//! This file is in layer 0: it uses neither descriptors nor a serde format.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error, with the path of the field and the position in the input.
///
/// An error is as small as a pointer, so that results stay small in code that must be fast. It prints as
/// `library.v1.Shelf.books[3].isbn: invalid UTF-8 in a string (at byte 17)`.
///
/// ```
/// use tobu::wire::Reader;
///
/// let error = Reader::new(&[0x80]).varint().unwrap_err();
/// assert_eq!(error.category(), tobu::Category::Malformed);
/// assert_eq!(error.to_string(), "input ends inside a varint (at byte 0)");
/// ```
pub struct Error(Content);

/// The content of an error. It is in an `Arc` although it is never shared, because dropping an `Arc` is a function call.
/// The code that drops a `Box` would be inlined at each place where an error may occur.
struct Content(Arc<Inner>);

impl Deref for Content {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl DerefMut for Content {
    #[cold]
    fn deref_mut(&mut self) -> &mut Inner {
        Arc::get_mut(&mut self.0).expect("nobody shares it")
    }
}

struct Inner {
    kind: Kind,
    /// The steps of the path, the innermost first, because functions add a step while they return the error outwards.
    path: Vec<Segment>,
    root: Option<Box<str>>,
    position: Option<Position>,
}

/// The kind of an error. The message of the error has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The input is not well-formed. For example, it is truncated, or has a bad tag or invalid UTF-8.
    Malformed,
    /// The input or the output exceeds one of the [`Limits`](crate::Limits).
    Limit,
    /// A required field has no value.
    Required,
    /// A Rust value and the schema do not fit together: a wrong kind, an unknown name, or an error that a serde
    /// implementation reports.
    Type,
    /// A descriptor is not valid, or a name is not known to the pool.
    Schema,
    /// Reading from or writing to a stream failed.
    Io,
}

/// The position in the input at which an error was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// An offset in bytes from the start of a binary input.
    Byte(u64),
    /// A line and a column in a text. Both are counted from one, and columns count bytes.
    Line {
        /// The line, counted from one.
        line: u32,
        /// The column in bytes, counted from one.
        column: u32,
    },
}

/// One step of a field path, from a message to something inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// A field, by its proto name.
    Field(Box<str>),
    /// An element of a repeated field.
    Index(usize),
    /// The value of a map entry, by its printed key. If the key is longer than 64 characters, only the first 64 are kept,
    /// followed by `...`.
    Key(Box<str>),
}

/// The causes of errors in the wire format.
#[doc(hidden)]
#[allow(missing_docs, reason = "the texts say what each one is")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("input ends inside a varint")]
    TruncatedVarint,
    #[error("varint is longer than 10 bytes or does not fit 64 bits")]
    VarintOverflow,
    #[error("tag is longer than 5 bytes or does not fit 32 bits")]
    TagOverflow,
    #[error("field number 0 is not valid")]
    FieldZero,
    #[error("wire type {0} does not exist")]
    WireType(u8),
    #[error("end-group tag of field {0} without its start")]
    StrayEndGroup(u32),
    #[error("group of field {wanted} is closed by an end-group tag of field {found}")]
    WrongEndGroup { wanted: u32, found: u32 },
    #[error("group of field {0} is never closed")]
    OpenGroup(u32),
    #[error("length of {wanted} bytes, but only {left} bytes are left")]
    Truncated { wanted: u64, left: u64 },
    #[error("invalid UTF-8 in a string")]
    Utf8,
}

/// The causes of exceeded limits.
#[doc(hidden)]
#[allow(missing_docs, reason = "the texts say what each one is")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    #[error("messages are nested deeper than {0} levels")]
    Depth(u32),
    #[error("the decoded message would take more than {0} bytes of memory")]
    Memory(u64),
    #[error("structs of more than {0} bytes are nested, too many for the stack")]
    Stack(u32),
    #[error("input of {size} bytes is larger than the limit of {limit} bytes")]
    Input { size: u64, limit: u64 },
    #[error("length of {0} bytes is above the maximum of 2147483647")]
    Length(u64),
    #[error("the message takes more than the maximum of 2147483647 bytes")]
    Message,
    #[error("{what} of {size} bytes is larger than the limit of {limit} bytes")]
    Part { what: &'static str, size: u64, limit: u64 },
    #[error("the stream has more than {0} types")]
    Types(u64),
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Wire(WireError),
    #[error("{0}")]
    Syntax(Cow<'static, str>),
    #[error(transparent)]
    Limit(LimitError),
    #[error("required field {0} has no value")]
    Required(Box<str>),
    #[error("{0}")]
    Type(Cow<'static, str>),
    #[error("{0}")]
    Schema(Cow<'static, str>),
    #[error("{0}")]
    Io(#[source] std::io::Error),
}

impl Error {
    /// Returns the kind of the error.
    pub fn category(&self) -> Category {
        match self.0.kind {
            Kind::Wire(_) | Kind::Syntax(_) => Category::Malformed,
            Kind::Limit(_) => Category::Limit,
            Kind::Required(_) => Category::Required,
            Kind::Type(_) => Category::Type,
            Kind::Schema(_) => Category::Schema,
            Kind::Io(_) => Category::Io,
        }
    }

    /// Returns the text of the error without path and position.
    pub fn message(&self) -> String {
        self.0.kind.to_string()
    }

    /// Returns the full name of the message in which the path starts; `None` if it is unknown.
    pub fn root(&self) -> Option<&str> {
        self.0.root.as_deref()
    }

    /// Returns the steps from the root message to the field with the error, outermost first.
    pub fn path(&self) -> impl Iterator<Item = &Segment> {
        self.0.path.iter().rev()
    }

    /// Returns the [`path`](Self::path) as text. If a required field is missing, its name is at the end. The text is empty
    /// if no path is known.
    ///
    /// ```
    /// use tobu::types::ListValue;
    ///
    /// let error = tobu::from_slice::<ListValue>(b"\x0a\x03\x1a\x01\xff").unwrap_err();
    /// assert_eq!(error.field_path(), "values[0].string_value");
    /// ```
    pub fn field_path(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write_path(self.path(), &mut text, true);
        if let Kind::Required(name) = &self.0.kind {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(name);
        }
        text
    }

    /// Returns the position in the input; `None` if it is unknown.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    #[cold]
    fn new(kind: Kind) -> Self {
        Error(Content(Arc::new(Inner { kind, path: Vec::new(), root: None, position: None })))
    }

    #[cold]
    #[doc(hidden)]
    pub fn wire(cause: WireError, offset: usize) -> Self {
        Self::new(Kind::Wire(cause)).at_byte(offset)
    }

    /// Creates an error about a text that is not well-formed, or that has a value which its field cannot hold.
    #[cold]
    #[doc(hidden)]
    pub fn syntax(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Syntax(message.into()))
    }

    #[cold]
    #[doc(hidden)]
    pub fn limit(cause: LimitError) -> Self {
        Self::new(Kind::Limit(cause))
    }

    #[cold]
    #[doc(hidden)]
    pub fn required(field: &str) -> Self {
        Self::new(Kind::Required(field.into()))
    }

    #[cold]
    #[doc(hidden)]
    pub fn ty(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Type(message.into()))
    }

    /// Replaces this error by the result of `change`.
    #[cold]
    #[doc(hidden)]
    pub fn amend(&mut self, change: impl FnOnce(Error) -> Error) {
        let error = std::mem::replace(self, Error::ty(""));
        *self = change(error);
    }

    /// Creates an error about an invalid descriptor or an unknown name.
    #[cold]
    #[doc(hidden)]
    pub fn schema(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Schema(message.into()))
    }

    #[cold]
    #[doc(hidden)]
    pub fn io(cause: std::io::Error) -> Self {
        Self::new(Kind::Io(cause))
    }

    /// Sets the offset in bytes, unless the error already has a position.
    #[cold]
    #[doc(hidden)]
    pub fn at_byte(mut self, offset: usize) -> Self {
        self.0.position.get_or_insert(Position::Byte(offset as u64));
        self
    }

    /// Converts an offset in a slice of the input to an offset in the whole input. The slice starts at `by`.
    #[cold]
    #[doc(hidden)]
    pub fn shift_bytes(mut self, by: u64) -> Self {
        if let Some(Position::Byte(offset)) = &mut self.0.position {
            *offset = offset.wrapping_add(by);
        }
        self
    }

    /// Converts a line and column in a slice of a text to a line and column in the whole text.
    #[cold]
    #[doc(hidden)]
    pub fn shift_lines(mut self, first_line: u32, first_column: u32) -> Self {
        if let Some(Position::Line { line, column }) = &mut self.0.position {
            if *line == 1 {
                *column = column.saturating_add(first_column - 1);
            }
            *line = line.saturating_add(first_line - 1);
        }
        self
    }

    /// Removes the step that was added last.
    #[cold]
    #[doc(hidden)]
    pub fn outside_field(mut self) -> Self {
        self.0.path.pop();
        self
    }

    /// Sets the line and column, unless the error already has a position.
    #[cold]
    #[doc(hidden)]
    pub fn at_line(mut self, line: u32, column: u32) -> Self {
        self.0.position.get_or_insert(Position::Line { line, column });
        self
    }

    /// Sets the line and column to those of the byte `at` in `text`, unless the error already has a position.
    #[cold]
    #[doc(hidden)]
    pub fn at_position(self, text: &[u8], at: usize) -> Self {
        if self.0.position.is_some() {
            return self;
        }
        let before = text.get(..at).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        self.at_line(u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// Removes the position, because it refers to a text that the caller has never seen.
    #[cold]
    #[doc(hidden)]
    pub fn nowhere(mut self) -> Self {
        self.0.position = None;
        self
    }

    /// Sets the number of levels in an error about nesting to the limit that the caller set. Before, the error has the
    /// number of levels that were left when decoding of a part started, which would mean nothing to the caller.
    #[cold]
    #[doc(hidden)]
    pub fn of_max_depth(mut self, max: u32) -> Self {
        if let Kind::Limit(LimitError::Depth(depth)) = &mut self.0.kind {
            *depth = max;
        }
        self
    }

    /// Adds the field with the error to the path. The innermost field is added first.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn in_field(mut self, name: &str) -> Self {
        self.0.path.push(Segment::Field(name.into()));
        self
    }

    /// Adds the index of the list element with the error to the path.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn in_index(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Index(index));
        self
    }

    /// Adds `by` to the index that was added last.
    #[cold]
    #[doc(hidden)]
    pub fn shift_index(mut self, by: usize) -> Self {
        if let Some(Segment::Index(index)) = self.0.path.last_mut() {
            *index += by;
        }
        self
    }

    /// Adds the key of the map value with the error to the path.
    #[doc(hidden)]
    pub fn in_key(self, key: impl fmt::Display) -> Self {
        self.in_printed_key(&key)
    }

    /// Adds a key of any type. This function is not generic, so it is compiled once.
    #[cold]
    fn in_printed_key(mut self, key: &dyn fmt::Display) -> Self {
        let mut start = Start { text: String::new(), is_whole: true };
        // `write` fails if the buffer is full. Then the rest of the key is not formatted.
        let _ = fmt::write(&mut start, format_args!("{key}"));
        if !start.is_whole {
            start.text.push_str("...");
        }
        self.0.path.push(Segment::Key(start.text.into()));
        self
    }

    /// Sets the name of the message in which the path starts. If the error already has the name of a nested message, replaces
    /// that name.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn within_message(mut self, full_name: &str) -> Self {
        self.0.root = Some(full_name.into());
        self
    }

    /// Sets the name of the message in which the path starts, unless the error already has such a name.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn in_message(mut self, full_name: &str) -> Self {
        self.0.root.get_or_insert_with(|| full_name.into());
        self
    }
}

/// The start of a text: the part that an error shows.
struct Start {
    text: String,
    is_whole: bool,
}

impl fmt::Write for Start {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        const LONGEST: usize = 64;
        let room = LONGEST - self.text.chars().count();
        match more.char_indices().nth(room) {
            None => self.text.push_str(more),
            Some((end, _)) => {
                self.text.push_str(&more[..end]);
                self.is_whole = false;
            }
        }
        if self.is_whole { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Writes a path, with a dot before each field. If the path is the start of a text, its first field has no dot.
#[doc(hidden)]
pub fn write_path<'a>(
    path: impl Iterator<Item = &'a Segment>,
    out: &mut impl fmt::Write,
    is_start: bool,
) -> fmt::Result {
    for (i, segment) in path.enumerate() {
        match segment {
            Segment::Field(name) if i == 0 && is_start => out.write_str(name)?,
            Segment::Field(name) => write!(out, ".{name}")?,
            Segment::Index(index) => write!(out, "[{index}]")?,
            Segment::Key(key) => write!(out, "[{key:?}]")?,
        }
    }
    Ok(())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(root) = self.root() {
            f.write_str(root)?;
        }
        write_path(self.path(), f, self.0.root.is_none())?;
        if self.0.root.is_some() || !self.0.path.is_empty() {
            f.write_str(": ")?;
        }
        self.0.kind.fmt(f)?;
        match self.0.position {
            Some(Position::Byte(offset)) => write!(f, " (at byte {offset})"),
            Some(Position::Line { line, column }) => write!(f, " (at line {line} column {column})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}, {:?})", self.category(), self.to_string())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            Kind::Io(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(cause: std::io::Error) -> Self {
        Self::io(cause)
    }
}

/// Converts an error of this crate. If reading or writing a stream failed, returns the original I/O error. Any other error is
/// the source of a new I/O error, whose kind is `UnexpectedEof` if the wire input ended too soon, and otherwise `InvalidData`.
///
/// ```
/// use std::io::{Error, ErrorKind};
/// use tobu::types::StringValue;
///
/// let error = Error::from(tobu::from_slice::<StringValue>(b"\x0a\x01\xff").unwrap_err());
/// assert_eq!(error.kind(), ErrorKind::InvalidData);
/// assert_eq!(
///     error.to_string(),
///     "google.protobuf.StringValue.value: invalid UTF-8 in a string (at byte 2)"
/// );
///
/// let error = Error::from(tobu::from_slice::<StringValue>(b"\x0a\x02h").unwrap_err());
/// assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
/// ```
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use WireError::{OpenGroup, Truncated, TruncatedVarint};
        let inner = Arc::into_inner(error.0.0).expect("nobody shares it");
        let kind = match inner.kind {
            Kind::Io(cause) => return cause,
            Kind::Wire(Truncated { .. } | TruncatedVarint | OpenGroup(_)) => {
                std::io::ErrorKind::UnexpectedEof
            }
            _ => std::io::ErrorKind::InvalidData,
        };
        Self::new(kind, Error(Content(Arc::new(inner))))
    }
}

#[cfg(feature = "serde")]
impl serde_core::ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::ty(message.to_string())
    }
}

#[cfg(feature = "serde")]
impl serde_core::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::ty(message.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_long_key_is_enough() {
        let whole = "\u{e4}".repeat(64);
        let error = Error::ty("wrong").in_key(&whole).in_field("map");
        assert_eq!(error.to_string(), format!("map[\"{whole}\"]: wrong"));
        let error = Error::ty("wrong").in_key("\u{e4}".repeat(5_000_000)).in_field("map");
        assert_eq!(error.to_string(), format!("map[\"{whole}...\"]: wrong"));
        let Some(Segment::Key(key)) = error.path().nth(1) else { panic!("{error:?}") };
        assert_eq!(key.len(), 2 * 64 + 3);
        assert_eq!(Error::ty("wrong").in_key(-17).to_string(), "[\"-17\"]: wrong");
    }
}
