//! Encoding: from the first byte to the last, in the order of field numbers.
//!
//! One walk over the steps of a table, for bytes and for their number. A nested message has a byte reserved for its
//! length; where that is not enough the body moves, or, if it is long, moves once at the end (`wire/patch.rs`).
//!
//! # Safety
//! All unsafe functions here take the address of a live value of the type that the step describes, and an output
//! cursor; a cursor of `None` means an error. A value with a storage from the same step is read as `access` requires.
//! An option that a step names by its inner type is an option of exactly that type.

#![allow(unsafe_code)]

mod list;
mod map;
mod output;
mod plain;
mod straight;
#[cfg(all(test, feature = "derive"))]
mod tests;
mod value;
mod varints;
mod walk;

use crate::error::{Error, LimitError, Result};
use crate::layout::{Record, UnknownFields};
use crate::object::{Object, Typed};
use crate::table::{Row, Step, Table};
pub(crate) use walk::Settings;

use output::{Count, Output, TagBytes, Tail};
use std::mem::forget;
use walk::{Type, Walk};

/// Appends a message to a buffer.
///
/// # Errors
/// A required field is missing, or a limit is exceeded. The buffer is unchanged then. How long a message that is too
/// long would be is not counted: programs that only encode contain no second walk.
pub(crate) fn encode(message: Typed<'_>, settings: Settings, buf: &mut Vec<u8>) -> Result<()> {
    encode_inline(message, settings, buf)
}

/// The same, as a part of its caller: of a tiny message a call more would be noticed.
///
/// # Errors
/// As [`encode`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn encode_inline(message: Typed<'_>, settings: Settings, buf: &mut Vec<u8>) -> Result<()> {
    let ty = Type::of(message.table());
    let Some(depth) = settings.max_depth.checked_sub(1) else {
        return Err(Error::limit(LimitError::Depth(0)).in_message(&ty.table.full_name));
    };
    let tail = Tail::new(buf, ty.table.learned_size());
    let tip = tail.tip(tail.first());
    let mut walk = Walk::new(tail, settings, depth);
    // SAFETY: the message is at its address, and the cursor is the output's.
    unsafe {
        let base = message.address();
        let end = match &ty.steps.straight {
            Some(straight) => walk.straight(straight, ty.table, base, tip),
            None => walk.by_steps(ty, base, tip.at),
        };
        let Some(end) = end.map(|at| walk.unknown(ty.table, base, at)) else {
            return Err(walk.error(ty.table));
        };
        let Walk { out, error, .. } = walk;
        // There is none, which is not looked at once more.
        debug_assert!(error.is_none(), "a walk with an error has no end");
        forget(error);
        match out.finish(end) {
            Some(len) => ty.table.learn_size(len),
            None => return Err(Error::limit(LimitError::Message)),
        }
    }
    Ok(())
}

/// How many bytes a message takes.
///
/// # Errors
/// As [`encode`].
pub(crate) fn encoded_len(message: Typed<'_>, settings: Settings) -> Result<usize> {
    let table = message.table();
    let mut walk = Walk::new(Count, settings, settings.max_depth);
    // SAFETY: the message is at its address, and counting begins at zero.
    match unsafe { walk.enter_fields(Type::of(table), message.address(), 0) } {
        Some(count) => Count::finish(count),
        None => Err(walk.error(table)),
    }
}

/// The unknown fields of a message.
///
/// # Safety
/// A message of the table is at the address for `'a`.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn unknown<'a>(table: &Table, base: *const u8) -> &'a [u8] {
    match table.unknown {
        // SAFETY: as above.
        Some(offset) => unsafe { (*base.add(offset as usize).cast::<UnknownFields>()).as_bytes() },
        None => &[],
    }
}

impl Step {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_bytes(&self) -> TagBytes {
        TagBytes { word: self.tag, len: self.tag_len }
    }

    /// True for a message between tags, without a length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_group(&self) -> bool {
        self.tag & 7 == 3
    }
}

impl<O: Output> Walk<O> {
    fn new(out: O, settings: Settings, depth: u32) -> Self {
        Walk { out, settings, depth, error: None }
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

    /// A required field has no value.
    #[cold]
    #[inline(never)]
    fn missing(&mut self, row: &Row, at: O::Cursor) -> Option<O::Cursor> {
        if self.settings.partial { Some(at) } else { self.fail(Error::required(&row.name)) }
    }

    /// The type of the messages that a field holds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message_type<'t>(&mut self, row: &'t Row) -> Option<Type<'t>> {
        match row.message() {
            Ok(table) => Some(Type::of(table)),
            Err(error) => self.fail(error),
        }
    }

    /// The fields of a message, one level further down.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn enter_fields(&mut self, ty: Type<'_>, base: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        let Some(depth) = self.depth.checked_sub(1) else { return self.too_deep() };
        self.depth = depth;
        // SAFETY: see the module.
        let at = unsafe { self.fields(ty, base, at) };
        self.depth = depth + 1;
        at
    }

    /// A message with its tag.
    #[inline(never)]
    unsafe fn message(
        &mut self,
        step: &Step,
        row: &Row,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let ty = self.message_type(row)?;
        // SAFETY: see the module.
        unsafe {
            match self.record(step, ty).and_then(|record| record.numbers(base)) {
                Some(numbers) => Some(self.out.record(at, step.tag_bytes(), numbers)),
                None => self.delimited(step, ty, base, at, 1).map(|(at, _)| at),
            }
        }
    }

    /// The record that the messages of a field are, if they are records.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record<'t>(&self, step: &Step, ty: Type<'t>) -> Option<&'t Record> {
        // One that would be a level too deep is found as any other message.
        ty.steps.record.filter(|_| self.depth > 0 && !step.is_group())
    }

    /// A message by its fields, in a region that reserves that many bytes for its length; also returns the size of the
    /// length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn delimited(
        &mut self,
        step: &Step,
        ty: Type<'_>,
        base: *const u8,
        at: O::Cursor,
        width: usize,
    ) -> Option<(O::Cursor, usize)> {
        // SAFETY: see the module.
        unsafe {
            if step.is_group() {
                let at = self.out.tag(at, step.tag_bytes());
                let at = self.enter_fields(ty, base, at)?;
                // The tag that ends a group is the next number.
                let end = TagBytes { word: step.tag + 1, len: step.tag_len };
                return Some((self.out.tag(at, end), width));
            }
            let (at, region) = self.out.open(at, step.tag_bytes(), width);
            let at = self.enter_fields(ty, base, at)?;
            Some(self.out.close(at, region))
        }
    }
}
