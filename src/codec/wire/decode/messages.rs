//! Decodes lists of messages. The decoder counts the messages before it reads them, so the list allocates only once.

use super::Decoder;
use super::frames::{Frame, State};
use super::value::length;
use crate::object::TypedMut;
use crate::table::Row;
use std::ptr;

impl<'t> Decoder<'t, '_> {
    /// Begins to read consecutive messages of a list. `at` is at the length prefix of the first message. Counts the messages,
    /// reserves memory for all of them in the list, and enters the first one. Returns the start of the first message, or null
    /// if the slow path must read the field.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, and no other reference to that struct exists. `row` is the row of a
    /// list of messages in this table, and `slot` is the address of the list. `at` and `state.end` are within the input.
    #[inline(never)]
    pub(super) unsafe fn messages(
        &mut self,
        state: &mut State<'t>,
        row: &'t Row,
        slot: *mut u8,
        at: *const u8,
    ) -> *const u8 {
        // SAFETY: the caller says that `slot` is the address of the list of `row`, so `functions` are the functions of its
        // type, and that nothing else refers to the list. From `inner` on, the list has `count` messages of the table `sub`.
        // Because of `left` in the frame, run.rs moves to the next message only `count - 1` times. `self.count` has checked at
        // least `count` length prefixes before `state.end`, so run.rs may read each next one with `known_length`, and no cursor
        // leaves the input.
        unsafe {
            let (Ok(sub), Some(functions)) = (row.message(), row.list()) else { return ptr::null() };
            if self.levels >= self.max_depth {
                return ptr::null();
            }
            let Some((len, start)) = length(at, state.end, self.limit) else { return ptr::null() };
            let Some(count) = self.take_elements(sub, self.count(row, at, state.end)) else {
                return ptr::null();
            };
            let old = functions.elements(slot).1;
            let (mut index, mut reused) = (old, 0);
            let inner;
            if state.pending & row.bit != 0 {
                // The new messages replace the existing elements, whose memory is reused.
                state.pending &= !row.bit;
                (index, reused) = (0, old.min(count));
                if count <= old {
                    functions.truncate(slot, count);
                } else if functions.extend(slot, count - old).is_null() {
                    functions.truncate(slot, 0);
                    return ptr::null();
                }
                (inner, _) = functions.elements_mut(slot);
            } else {
                inner = functions.extend(slot, count);
                if inner.is_null() {
                    return ptr::null();
                }
            }
            state.seen |= row.bit;
            let pending = if reused > 0 { TypedMut::new(inner, sub).reset() } else { 0 };
            state.row = row;
            self.frames.push(Frame {
                left: count as u32 - 1,
                stride: functions.stride,
                reused: reused.saturating_sub(1) as u32,
                index: index as u32,
                ..Frame::of(*state)
            });
            self.levels += 1;
            *state = State::of(sub, inner, start.add(len), pending);
            start
        }
    }

    /// Enters the message of the field `row`: pushes a frame for the outer message, and makes `inner` the current state.
    #[inline]
    pub(super) fn enter(&mut self, state: &mut State<'t>, row: &'t Row, inner: State<'t>) {
        state.row = row;
        self.frames.push(Frame::of(*state));
        self.levels += 1;
        *state = inner;
    }
}
