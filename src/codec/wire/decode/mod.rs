//! Decodes wire bytes into structs.
//!
//! One decoder serves all types. [`run`] decodes the fields of a message by its table, and keeps the enclosing messages
//! on an explicit stack. It accepts the usual form that encoders write. A field in any other form is read again from
//! its tag by [`slow`], which also finds the exact error.
//!
//! # Soundness
//! A table describes the struct at the address that is passed with it, as [`TypedMut::new`] requires, so the field of
//! each row is at its offset. Addresses of sub-messages come from functions of the same type. Frames own nothing, so
//! all values are valid at any time. No message moves while a frame refers to it, because lists and maps are not
//! changed while one of their values is read.
//!
//! Input is read between two pointers: the cursor (`at`) and the end of the whole input (`limit`). The cursor exceeds
//! the end only in wrapping arithmetic, which is checked before a read.

#![allow(unsafe_code)]

mod check;
mod error;
mod frames;
mod lazy;
mod list;
mod made;
mod map;
mod messages;
mod required;
mod run;
mod slow;
#[cfg(all(test, feature = "derive"))]
mod tests;
mod value;

pub(crate) use self::check::CHECK;
use self::frames::{Frames, Making};
use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::object::{ObjectMut, TypedMut};
use crate::options::DecodeOptions;
use crate::table::Table;
use crate::wire::Reader;
use bytes::Bytes;
use std::ptr;

/// The input of a decoder, with its settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The bytes; they outlive the decoded message, so that types may borrow from them.
    pub(crate) bytes: &'a [u8],
    /// The bytes as shared bytes, if members of type `Bytes` should share them.
    pub(crate) shared: Option<&'a Bytes>,
    pub(crate) limits: &'a Limits,
    /// True if required fields may be missing.
    pub(crate) partial: bool,
    pub(crate) validated: Validated,
}

impl DecodeOptions {
    /// Decodes `bytes` into a struct, and returns how many bytes its structs take of the memory budget. If a type
    /// borrows from the input, the caller ensures that `bytes` outlive it.
    #[inline]
    pub(crate) fn fill_object(
        &self,
        message: TypedMut<'_, '_>,
        bytes: &[u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<u64> {
        self.check_input(bytes.len())?;
        let validated = if self.is_eager() { Validated::Never } else { Validated::Now };
        let (limits, partial) = self.parts();
        let input = Input { bytes, shared, limits: &limits, partial, validated };
        decode(message, input, mode)
    }
}

/// How the decoder treats lazy messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validated {
    /// Lazy messages are decoded at once.
    Never,
    /// Lazy messages are validated, and their bytes are kept.
    Now,
    /// The bytes of lazy messages are kept without validation, because the input was validated before. It has `levels`
    /// levels of messages.
    Already { levels: u32 },
}

/// Whether the message has values before it is decoded, and whether the input replaces them or is merged into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The message has no values before.
    Fresh,
    /// The input replaces the values; allocations are kept.
    Refill,
    /// The input is merged into the values.
    Merge,
}

/// Decodes a message, and returns how many bytes its structs take of the memory budget.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or lack a required field. The message is then valid, with unspecified
/// content.
pub(crate) fn decode(mut message: TypedMut<'_, '_>, input: Input<'_>, mode: Mode) -> Result<u64> {
    let (table, base) = (message.table(), message.address());
    let memory = input.limits.max_memory(input.bytes.len() as u64);
    let range = input.bytes.as_ptr_range();
    let mut decoder = Decoder {
        input: input.bytes,
        limit: range.end,
        whole: match input.bytes.last_chunk::<7>() {
            Some(last) => last.as_ptr(),
            None => ptr::null(),
        },
        start: ptr::null(),
        shared: input.shared,
        memory,
        max_memory: memory,
        levels: 0,
        max_depth: input.limits.max_depth(),
        missing: false,
        validated: input.validated,
        error: None,
        making: Vec::new(),
        frames: Frames::new(),
    };
    let done = decoder.enter_memory(table, false);
    if let Err(error) = done {
        return Err(decoder.finish(error.at_byte(0), table));
    }
    decoder.levels = 1;
    let pending = if mode == Mode::Refill { message.reset() } else { 0 };
    // SAFETY: `message` promises that `table` describes the struct at `base`, to which nothing else refers.
    let end = unsafe { decoder.run(table, base, range.start, range.end, pending) };
    if end.is_null() {
        let error = decoder.take_error();
        return Err(decoder.finish(error, table));
    }
    if decoder.missing
        && !input.partial
        && let Err(error) = required::check(input.bytes, table, decoder.max_depth)
    {
        return Err(decoder.finish(error, table));
    }
    Ok(decoder.max_memory - decoder.memory)
}

/// Decodes a message.
struct Decoder<'t, 'i> {
    input: &'i [u8],
    /// The end of the input.
    limit: *const u8,
    /// At this address and all before it, a word of eight bytes can be read.
    whole: *const u8,
    /// The position of the current field's tag.
    start: *const u8,
    shared: Option<&'i Bytes>,
    /// How many bytes the structs of the message may still take.
    memory: u64,
    max_memory: u64,
    /// How many messages are open.
    levels: u32,
    max_depth: u32,
    /// True once a message ended without one of its required fields.
    missing: bool,
    validated: Validated,
    /// Why decoding failed.
    error: Option<Error>,
    /// The proto values of open messages, those of the innermost message last.
    making: Vec<Making<'t>>,
    frames: Frames<'t, 'i>,
}

impl<'i> Decoder<'_, 'i> {
    /// Charges a message to the limits. Its memory is charged only if it was not `counted` before.
    ///
    /// # Errors
    /// A limit is exceeded.
    fn enter_memory(&mut self, table: &Table, counted: bool) -> Result<()> {
        let size = if counted { 0 } else { u64::from(table.size) };
        if self.levels >= self.max_depth {
            return Err(Error::limit(LimitError::Depth(self.max_depth)));
        }
        self.take_memory(size)
    }

    /// Charges memory that a message may take.
    ///
    /// # Errors
    /// The limit is exceeded.
    fn take_memory(&mut self, size: u64) -> Result<()> {
        if self.memory < size {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        self.memory -= size;
        Ok(())
    }

    /// Returns how many more levels of groups may be opened.
    fn levels_left(&self) -> u32 {
        self.max_depth - self.levels
    }

    /// Returns a reader of the input from `at` to `end`.
    fn reader(&self, at: *const u8, end: *const u8) -> Reader<'i> {
        let mut reader = Reader::new(self.input);
        let start = self.input.as_ptr().addr();
        let part = self.input.get(at.addr() - start..end.addr() - start);
        reader.replace(part.unwrap_or_default());
        reader
    }

    /// Returns the end of the slice that `reader` reads.
    fn end_of(reader: &Reader<'i>) -> *const u8 {
        reader.rest().as_ptr_range().end
    }

    #[cold]
    fn take_error(&mut self) -> Error {
        self.error.take().unwrap_or_else(|| Error::ty("decoding failed"))
    }

    /// Completes an error for the caller of the decoder.
    #[cold]
    fn finish(&self, error: Error, table: &Table) -> Error {
        error.of_max_depth(self.max_depth).in_message(&table.full_name)
    }
}
