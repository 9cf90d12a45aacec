//! Decodes members with a conversion of the user. A conversion makes the value of a member from the value of the protobuf
//! field, the proto value. The decoder fills each proto value in a separate box, and converts it only at the end of the
//! message, because the field may occur several times.

use super::Decoder;
use super::frames::{Making, State};
use super::slow::{Enter, Step};
use crate::error::Result;
use crate::object::{ObjectMut, proto_fill};
use crate::table::{Location, Row};
use crate::wire::{Reader, Tag};

impl<'t, 'i> Decoder<'t, 'i> {
    /// Reads one occurrence of the field `state.row` into the proto value of its member.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that
    /// table.
    pub(super) unsafe fn made(
        &mut self,
        state: State<'t>,
        tag: Tag,
        start: Reader<'i>,
        reader: &mut Reader<'i>,
    ) -> Result<Step<'t, 'i>> {
        let row = state.row;
        let is_old = state.pending & row.bit != 0;
        let state = State { pending: state.pending & !row.bit, ..state };
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
        let mut message = unsafe { state.message() };
        let is_there = match row.location {
            Location::Variant { .. } => message.read().is_chosen(row),
            _ => true,
        };
        let before =
            self.making.iter().rposition(|made| made.belongs_to(&state) && made.row.number == row.number);
        let making = match before.map(|index| self.making.remove(index)) {
            Some(making) if is_there => making,
            _ => {
                if is_old {
                    message.clear(row);
                } else if message.read().has_member(row) {
                    // The field is in an earlier occurrence of this message, at whose end its value was converted. So `open`
                    // turns the value of the member into a proto value again. The size of the proto value is at most the size
                    // of the input that was read before.
                    self.take_memory(reader.position() as u64)?;
                }
                let opened = message.open(row)?;
                Making { base: state.base, table: state.table, row, opened, end: 0 }
            }
        };
        self.making.push(making);
        let Some(making) = self.making.last_mut() else { return Ok(Step::Fail) };
        let (mut inner, row_in) = proto_fill(row, &mut making.opened)?;
        let inner = State { base: inner.address(), table: inner.table(), row: row_in, seen: 0, ..state };
        // SAFETY: `inner.base` is the address of the proto value, and `inner.table` describes it, because `proto_fill`
        // returned both. `inner.row` is a row of that table. Nothing else refers to the proto value until it is
        // converted.
        let step = unsafe { self.value(inner, tag, start, reader)? };
        let end = match &step {
            Step::Enter(enter) => enter.end.addr() - self.input.as_ptr().addr(),
            _ => reader.position(),
        };
        if let Some(making) = self.making.last_mut() {
            making.end = end;
        }
        Ok(match step {
            Step::Next(_, at) => Step::Next(state, at),
            Step::Enter(enter) => Step::Enter(Enter { state, ..enter }),
            step => step,
        })
    }

    /// Completes a message that lacks required fields, or that has members with conversions: notes that a required field is
    /// missing, and converts the proto values. Returns false after an error.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers.
    #[inline(never)]
    pub(super) unsafe fn end_message(&mut self, state: &State<'t>) -> bool {
        let lacks = |row: &Row| row.bit == 0 || state.seen & row.bit == 0;
        self.missing |=
            state.table.required.iter().any(|index| lacks(&state.table.rows[usize::from(*index)]));
        while self.making.last().is_some_and(|making| making.belongs_to(state)) {
            let Some(Making { row, opened, end, .. }) = self.making.pop() else { break };
            // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
            // `row` is a row of that table, because `belongs_to` has compared the tables.
            let mut message = unsafe { state.message() };
            if let Location::Variant { .. } = row.location
                && !message.read().is_chosen(row)
            {
                continue;
            }
            if let Err(error) = message.close(row, opened) {
                self.error = Some(error.at_byte(end).in_field(&row.name));
                return false;
            }
        }
        true
    }
}
