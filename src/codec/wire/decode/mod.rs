//! Decodes wire bytes into structs.
//!
//! One decoder serves all types. [`run`] decodes the fields of a message by its table, which has a row for each field. It keeps
//! the outer messages on an explicit stack of frames. It accepts only the usual form that encoders write. If a field has
//! another form, [`slow`] reads the field again from its tag. It accepts all valid forms, and finds the exact error in a
//! malformed field.
//!
//! # Soundness
//! Each table describes the struct at the address that is passed with the table, as [`TypedMut::new`] requires. So the member
//! of each row is at the offset of the row. The address of a sub-message comes from a function that was compiled for the type
//! of its member. A frame takes no value out of its message, so every member holds a valid value at any time, also when
//! decoding stops. No message moves while a frame refers to it, because the decoder does not change a list or map while it
//! reads one of its values.
//!
//! The decoder reads input between two pointers: the cursor (`at`) and the end of the whole input (`limit`). The cursor may go
//! past the end. This is sound, because the code moves it there only with wrapping arithmetic, and compares it with the end
//! before it reads.

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

#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The bytes. They outlive the decoded message, so types may borrow from them.
    pub(crate) bytes: &'a [u8],
    /// The bytes as shared bytes, if members of type `Bytes` should share them.
    pub(crate) shared: Option<&'a Bytes>,
    pub(crate) limits: &'a Limits,
    /// True if required fields may be missing.
    pub(crate) partial: bool,
    pub(crate) validated: Validated,
}

impl DecodeOptions {
    /// Decodes `bytes` into a struct. Returns how much of the memory budget the message took, with its sub-messages. If the
    /// type borrows from the input, the caller ensures that `bytes` outlive the message.
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

/// What the decoder does with lazy messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validated {
    /// It decodes lazy messages at once.
    Never,
    /// It validates lazy messages, and stores their bytes.
    Now,
    /// It stores the bytes of lazy messages without validation, because the input was validated before. The input has `levels`
    /// levels of messages.
    Already { levels: u32 },
}

/// Says whether the message has values before it is decoded, and whether the input replaces them or is merged into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The message has no values.
    Fresh,
    /// The input replaces the values. Allocations are reused.
    Refill,
    /// The input is merged into the values.
    Merge,
}

/// Decodes a message. Returns the number of bytes that its structs take from the memory budget.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or lack a required field, or a Rust type rejects a value. Then `message` is still a
/// valid message, but its content is unspecified.
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
    // SAFETY: `TypedMut` guarantees that `table` describes the struct at `base`, to which nothing else refers.
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

struct Decoder<'t, 'i> {
    input: &'i [u8],
    limit: *const u8,
    /// At each address of the input before this one, eight bytes can be read. Null if the input is too short for that.
    whole: *const u8,
    /// The position of the current field's tag.
    start: *const u8,
    shared: Option<&'i Bytes>,
    /// The number of bytes that the structs of the message may still take.
    memory: u64,
    max_memory: u64,
    /// The number of messages that are being read, from the outermost to the innermost one. A map entry counts, too.
    levels: u32,
    max_depth: u32,
    /// True if an occurrence of a message ended without one of its required fields.
    missing: bool,
    validated: Validated,
    error: Option<Error>,
    /// The values that are being decoded for members with a conversion, which then turns them into the members. The values for
    /// the innermost message are last.
    making: Vec<Making<'t>>,
    frames: Frames<'t, 'i>,
}

impl<'i> Decoder<'_, 'i> {
    /// Checks the nesting limit for a message, and takes its memory from the budget, unless the memory is already `counted`.
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

    /// Takes memory from the budget.
    ///
    /// # Errors
    /// Not enough memory remains.
    fn take_memory(&mut self, size: u64) -> Result<()> {
        if self.memory < size {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        self.memory -= size;
        Ok(())
    }

    /// Returns the number of further levels to which groups may be nested.
    fn levels_left(&self) -> u32 {
        self.max_depth - self.levels
    }

    fn reader(&self, at: *const u8, end: *const u8) -> Reader<'i> {
        let mut reader = Reader::new(self.input);
        let start = self.input.as_ptr().addr();
        let part = self.input.get(at.addr() - start..end.addr() - start);
        reader.replace(part.unwrap_or_default());
        reader
    }

    fn end_of(reader: &Reader<'i>) -> *const u8 {
        reader.rest().as_ptr_range().end
    }

    #[cold]
    fn take_error(&mut self) -> Error {
        self.error.take().unwrap_or_else(|| Error::ty("decoding failed"))
    }

    /// Completes an error with the name of the outermost message.
    #[cold]
    fn finish(&self, error: Error, table: &Table) -> Error {
        error.of_max_depth(self.max_depth).in_message(&table.full_name)
    }
}
