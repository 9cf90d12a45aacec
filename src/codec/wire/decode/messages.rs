//! Lists of messages, which are counted before they are read.

use super::Decoder;
use super::frames::{Frame, State};
use super::value::length;
use crate::object::TypedMut;
use crate::table::Row;
use std::ptr;

impl<'t> Decoder<'t, '_> {
    /// Begins with consecutive messages of a list, with the cursor at the length of the first: makes room for all of
    /// them, and enters the first. Returns the position to continue from, or null if the field must be read on the
    /// slow path.
    ///
    /// # Safety
    /// The table of the state is that of the struct at its address, and nothing else refers to that struct. The row is
    /// one of a list of messages in it, and that list is at `slot`. The cursor and the end of the state are within the
    /// input.
    #[inline(never)]
    pub(super) unsafe fn messages(
        &mut self,
        state: &mut State<'t>,
        row: &'t Row,
        slot: *mut u8,
        at: *const u8,
    ) -> *const u8 {
        // SAFETY: the list at the address is that of the row, so that its functions fit, and nothing else refers to it.
        // From `inner` on it has `count` messages of the table `sub`, and `inner` moves by fewer than that.
        // `self.count` found the lengths of at least as many values before the end, so that `known_length` finds one,
        // and all cursors stay within the input.
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
                // The existing elements are replaced.
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

    /// Enters the message of a field.
    #[inline]
    pub(super) fn enter(&mut self, state: &mut State<'t>, row: &'t Row, inner: State<'t>) {
        state.row = row;
        self.frames.push(Frame::of(*state));
        self.levels += 1;
        *state = inner;
    }
}
