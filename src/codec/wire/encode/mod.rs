//! Encodes structs. The encoder writes the bytes from first to last, and the fields in the order of their numbers.
//!
//! A table has a list of steps, which describe how to write each field. One code walks over the steps both to write bytes and
//! to count them. Two functions are compiled for each type ([`Part`](crate::table::Part)). The first one returns a set of bits
//! that says which members are set, and the encoder visits only these members. The second one writes sequences of leaves, which
//! are numbers and strings. The encoder usually reserves one byte for the length prefix of a nested message. If the length
//! prefix takes more bytes, a short payload is moved at once, and all long payloads are moved in one pass at the end
//! (`wire/patch.rs`).
//!
//! # Safety
//! All unsafe functions here take the address of a live value of the type that the step describes, and the last cursor: the
//! cursor that the last call of the output returned. The value stays borrowed until the function returns. The functions return
//! the next cursor, or `None` after an error. They read a value with the storage of its step, as `access` requires. If the
//! value of a step lies in an option, the encoder visits the step only if the option has a value.

#![allow(unsafe_code)]

mod fields;
mod list;
mod map;
mod output;
#[cfg(all(test, feature = "derive"))]
mod tests;

use crate::error::{Error, LimitError, Result};
use crate::object::{Object, Typed};
use crate::options::EncodeOptions;
use crate::table::{Row, Table};
use output::{Count, Output, Tail};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) max_depth: u32,
    /// True if map entries are written in the order of their keys.
    pub(crate) deterministic: bool,
    /// True if required fields may be missing.
    pub(crate) partial: bool,
}

impl EncodeOptions {
    #[inline]
    pub(crate) fn settings(&self) -> Settings {
        let (limits, deterministic, partial) = self.parts();
        Settings { max_depth: limits.max_depth(), deterministic, partial }
    }
}

/// Appends a message to a buffer.
///
/// # Errors
/// A required field is missing, a value cannot be encoded, or a limit is exceeded. The buffer is then unchanged. If the message
/// is too long, the error does not name its size, so that programs that only encode do not contain the code that counts bytes.
pub(crate) fn encode(message: Typed<'_>, settings: Settings, buf: &mut Vec<u8>) -> Result<()> {
    let table = message.table();
    let leaf_room = table.steps().parts.first().map_or(0, |part| part.leaf_room);
    // The size that the table learned from earlier messages is limited, because a tiny message may follow a large one.
    let room = (table.learned_size() + leaf_room).min(1 << 20);
    write(message, Tail::new(buf, room), settings)
}

/// Appends a message to a buffer with the steps of its table, and without the compiled functions for leaves.
///
/// # Errors
/// Fails if [`encode`] would fail.
#[cfg(test)]
fn encode_by_steps(message: Typed<'_>, settings: Settings, buf: &mut Vec<u8>) -> Result<()> {
    let mut tail = Tail::new(buf, 0);
    tail.by_steps = true;
    write(message, tail, settings)
}

#[inline]
fn write(message: Typed<'_>, tail: Tail<'_>, settings: Settings) -> Result<()> {
    let (table, first) = (message.table(), tail.first());
    let mut walk = Walk::new(tail, settings);
    // SAFETY: `Typed` guarantees that a live message of `table` is at its address, and `first` is the first cursor of the
    // output.
    unsafe {
        let Some(end) = walk.content(table, message.address(), first) else {
            return Err(walk.error(table));
        };
        match walk.out.finish(end) {
            Some(len) => table.learn_size(len),
            None => return Err(Error::limit(LimitError::Message)),
        }
    }
    Ok(())
}

/// Counts the bytes of the encoded message.
///
/// # Errors
/// Fails if [`encode`] would fail.
pub(crate) fn encoded_len(message: Typed<'_>, settings: Settings) -> Result<usize> {
    let table = message.table();
    let mut walk = Walk::new(Count, settings);
    // SAFETY: `Typed` guarantees that a live message of `table` is at its address, and zero is the first cursor of the counter.
    match unsafe { walk.content(table, message.address(), 0) } {
        Some(count) => Count::finish(count),
        None => Err(walk.error(table)),
    }
}

struct Walk<O> {
    out: O,
    settings: Settings,
    /// The number of further levels to which messages may be nested.
    depth: u32,
    error: Option<Error>,
}

impl<O: Output> Walk<O> {
    fn new(out: O, settings: Settings) -> Self {
        Walk { out, settings, depth: settings.max_depth, error: None }
    }

    #[cold]
    fn error(&mut self, table: &Table) -> Error {
        let error = self.error.take().expect("the walk ends early for an error only");
        error.in_message(&table.full_name)
    }

    /// Stores the error, and returns `None`, which ends the encoding.
    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.error = Some(error);
        None
    }

    /// Applies `locate`, which extends the path of an error, to the stored error. Returns `None`.
    #[cold]
    #[inline(never)]
    fn locate<T>(&mut self, locate: impl FnOnce(Error) -> Error) -> Option<T> {
        self.error = self.error.take().map(locate);
        None
    }

    #[cold]
    #[inline(never)]
    fn too_deep<T>(&mut self) -> Option<T> {
        self.fail(Error::limit(LimitError::Depth(self.settings.max_depth)))
    }

    /// Returns the table of the messages in the field `row`.
    #[inline]
    fn table_of<'t>(&mut self, row: &'t Row) -> Option<&'t Table> {
        match row.message() {
            Ok(table) => Some(table),
            Err(error) => self.fail(error),
        }
    }
}
