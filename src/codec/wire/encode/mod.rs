//! Encoding writes from the first byte to the last, in the order of field numbers.
//!
//! One walk over the steps of a table writes bytes or counts them. Two functions are compiled for each type
//! ([`Part`](crate::table::Part)): one finds the members that are set, as bits, by which the walk goes; the other
//! writes runs of leaves. A nested message reserves one byte for its length. If that does not suffice, a short body
//! is moved at once, and long ones are moved once at the end (`wire/patch.rs`).
//!
//! # Safety
//! All unsafe functions here take the address of a live value of the type that the step describes, and an output
//! cursor; a cursor of `None` means an error. A value with a storage from the same step is read as `access` requires.
//! A step whose value lies in an option is walked only where there is a value.

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

/// The settings of an encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) max_depth: u32,
    /// Map entries are written in the order of their keys.
    pub(crate) deterministic: bool,
    /// Required fields may be missing.
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
/// A required field is missing, or a limit is exceeded. The buffer is then unchanged. The encoder does not count the
/// size of a message that is too long, so that programs that only encode contain no second walk.
pub(crate) fn encode(message: Typed<'_>, settings: Settings, buf: &mut Vec<u8>) -> Result<()> {
    let table = message.table();
    let leaf_room = table.steps().parts.first().map_or(0, |part| part.leaf_room);
    // A tiny message may follow a huge one.
    let room = (table.learned_size() + leaf_room).min(1 << 20);
    write(message, Tail::new(buf, room), settings)
}

/// Appends a message to a buffer by the steps of its table alone, without the derived code for leaves.
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
    // SAFETY: the message is at its address, and the cursor is the output's.
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

/// How many bytes a message takes.
///
/// # Errors
/// Fails if [`encode`] would fail.
pub(crate) fn encoded_len(message: Typed<'_>, settings: Settings) -> Result<usize> {
    let table = message.table();
    let mut walk = Walk::new(Count, settings);
    // SAFETY: the message is at its address, and counting begins at zero.
    match unsafe { walk.content(table, message.address(), 0) } {
        Some(count) => Count::finish(count),
        None => Err(walk.error(table)),
    }
}

/// The walk over a message and all in it.
struct Walk<O> {
    out: O,
    settings: Settings,
    /// How many more levels of messages may be opened.
    depth: u32,
    error: Option<Error>,
}

impl<O: Output> Walk<O> {
    fn new(out: O, settings: Settings) -> Self {
        Walk { out, settings, depth: settings.max_depth, error: None }
    }

    /// The error that ended the walk.
    #[cold]
    fn error(&mut self, table: &Table) -> Error {
        let error = self.error.take().expect("the walk ends early for an error only");
        error.in_message(&table.full_name)
    }

    /// Ends the walk.
    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.error = Some(error);
        None
    }

    /// Adds the position to the error.
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

    /// The table of the messages in a field.
    #[inline]
    fn table_of<'t>(&mut self, row: &'t Row) -> Option<&'t Table> {
        match row.message() {
            Ok(table) => Some(table),
            Err(error) => self.fail(error),
        }
    }
}
