//! Changes lists of dynamic messages in place.

use crate::error::{Error, Result};
use crate::message::dynamic::reflect::named;
use crate::message::reflect::{MessageMut, ReflectList, Value, ValueRef, check};
use crate::object::arena::change::ListAtMut;
use crate::object::arena::view::ListAt;
use crate::object::arena::words::list_range;

impl ListAtMut<'_> {
    fn read(&self) -> ListAt<'_> {
        ListAt::new(self.arena, self.field, self.arena.cells.get_wide(self.slot))
    }

    fn named(&self, error: Error) -> Error {
        named(error, self.table, self.field)
    }

    /// Returns the position of the first element, and the number of elements.
    fn range(&self) -> (u32, usize) {
        list_range(self.arena.cells.get_wide(self.slot))
    }

    /// Returns the position of the first element.
    ///
    /// # Errors
    /// The list has no element with this index.
    fn start(&self, index: usize) -> Result<u32> {
        let (start, len) = self.range();
        if index < len { Ok(start) } else { Err(self.named(check::past_end(index, len))) }
    }

    fn check(&self, index: usize, value: &Value) -> Result<()> {
        check::single(self.field, value)
            .and_then(|()| self.arena.check_room())
            .map_err(|error| self.named(error.in_index(index)))
    }

    fn check_messages(&self) -> Result<()> {
        if self.field.is_message() {
            Ok(())
        } else {
            Err(self.named(Error::ty("the elements are not messages")))
        }
    }
}

impl ReflectList for ListAtMut<'_> {
    fn len(&self) -> usize {
        self.read().len()
    }

    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        self.read().get_at(index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        self.read().visit_at(visit);
    }

    fn get_mut(&mut self, index: usize) -> Result<MessageMut<'_>> {
        self.check_messages()?;
        let start = self.start(index)?;
        Ok(self.arena.message_in(self.field, start + index as u32))
    }

    fn set(&mut self, index: usize, value: Value) -> Result<()> {
        let start = self.start(index)?;
        self.check(index, &value)?;
        let old = self.read().elements().get(index).unwrap_or(0);
        let new = self.arena.single(self.field, old, value);
        let new = new.map_err(|error| self.named(error.in_index(index)))?;
        self.arena.cells.set_element(self.field.width(), start, index, new);
        Ok(())
    }

    fn push(&mut self, value: Value) -> Result<()> {
        let (_, len) = self.range();
        self.check(len, &value)?;
        let new = self.arena.single(self.field, 0, value);
        let new = new.map_err(|error| self.named(error.in_index(len)))?;
        let width = self.field.width();
        let (start, index) = self.arena.grow_list(width, self.slot, 1);
        self.arena.cells.set_element(width, start, index, new);
        Ok(())
    }

    fn push_message(&mut self) -> Result<MessageMut<'_>> {
        self.check_messages()?;
        self.arena.check_room().map_err(|error| self.named(error))?;
        let width = self.field.width();
        let (start, index) = self.arena.grow_list(width, self.slot, 1);
        self.arena.cells.set_element(width, start, index, 0);
        Ok(self.arena.message_in(self.field, start + index as u32))
    }

    fn remove(&mut self, index: usize) -> Result<()> {
        let (start, (_, len), width) = (self.start(index)?, self.range(), self.field.width());
        self.arena.cells.remove_element(width, start, len, index);
        self.arena.set_list_len(width, self.slot, len - 1);
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        if len < self.range().1 {
            self.arena.set_list_len(self.field.width(), self.slot, len);
        }
    }
}
