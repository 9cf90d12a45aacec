//! Lists of messages, which are counted before they are read.

use super::flat::{FlatList, flat_list};
use super::frames::{Frame, State, next};
use super::value::{known_length, length};
use super::{Decoder, reset};
use crate::table::Row;
use std::ptr;

impl<'t> Decoder<'t, '_> {
    /// Begins with the messages that follow each other, the first from its length on: makes room for all of them, and
    /// enters the first; flat ones are read at once. Returns the position of what is read next, null if the field must
    /// be read by its row.
    ///
    /// # Safety
    /// As for [`run`](Self::run); the row is one of a list of messages, which is at the address.
    #[inline(never)]
    pub(super) unsafe fn messages(
        &mut self,
        state: &mut State<'t>,
        row: &'t Row,
        slot: *mut u8,
        at: *const u8,
    ) -> *const u8 {
        // SAFETY: see the module.
        unsafe {
            let Some(sub) = reset::message(row) else { return ptr::null() };
            if self.levels >= self.max_depth {
                return ptr::null();
            }
            let Some((mut len, mut start)) = length(at, state.end, self.limit) else { return ptr::null() };
            let Some(mut count) = self.take_elements(sub, self.count(row, at, state.end)) else {
                return ptr::null();
            };
            let functions = reset::list(row);
            if state.pending & row.bit != 0 && sub.flat.is_none() && sub.owns_nothing {
                // New elements take less time than emptying the existing ones.
                state.pending &= !row.bit;
                functions.truncate(slot, 0);
            }
            let old = functions.elements(slot).1;
            let (mut index, mut reused) = (old, 0);
            let mut inner;
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
            if sub.flat.is_some() {
                let list = FlatList { row, table: sub, base: inner, count, reused };
                let (read, after) = flat_list(&list, at, self.limit);
                if read == count {
                    state.row = next(row);
                    return after;
                }
                // The next one is read as any other message.
                inner = inner.add(read * functions.stride);
                (index, count, reused) = (index + read, count - read, reused.saturating_sub(read));
                (len, start) = known_length(after, self.limit);
            }
            let pending = if reused > 0 { reset::reset(sub, inner) } else { 0 };
            state.row = row;
            self.frames.push(Frame {
                left: count as u32 - 1,
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
