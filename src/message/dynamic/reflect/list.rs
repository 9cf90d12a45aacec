//! Lists of dynamic messages, for changes in place.

use crate::error::{Error, Result};
use crate::message::dynamic::reflect::named;
use crate::message::reflect::{MessageMut, ReflectList, Value, ValueRef, check};
use crate::object::arena::change::ListAtMut;
use crate::object::arena::view::ListAt;

impl ListAtMut<'_> {
    fn read(&self) -> ListAt<'_> {
        ListAt::new(self.arena, self.field, self.arena.words[self.slot])
    }

    fn named(&self, error: Error) -> Error {
        named(error, self.table, self.field)
    }

    /// The word of an element that exists.
    fn word(&self, index: usize) -> Result<usize> {
        let (start, len) = self.arena.list(self.slot);
        if index < len { Ok(start + index) } else { Err(self.named(check::past_end(index, len))) }
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
            Err(self.named(Error::ty("the elements are no messages")))
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
        let word = self.word(index)?;
        Ok(self.arena.message_in(self.field, word))
    }

    fn set(&mut self, index: usize, value: Value) -> Result<()> {
        let word = self.word(index)?;
        self.check(index, &value)?;
        let old = self.arena.words[word];
        let new = self.arena.single(self.field, old, value);
        self.arena.words[word] = new.map_err(|error| self.named(error.in_index(index)))?;
        Ok(())
    }

    fn push(&mut self, value: Value) -> Result<()> {
        let (_, len) = self.arena.list(self.slot);
        self.check(len, &value)?;
        let new = self.arena.single(self.field, 0, value);
        let new = new.map_err(|error| self.named(error.in_index(len)))?;
        let word = self.arena.grow_list(self.slot, 1);
        self.arena.words[word] = new;
        Ok(())
    }

    fn push_message(&mut self) -> Result<MessageMut<'_>> {
        self.check_messages()?;
        self.arena.check_room().map_err(|error| self.named(error))?;
        let word = self.arena.grow_list(self.slot, 1);
        self.arena.words[word] = 0;
        Ok(self.arena.message_in(self.field, word))
    }

    fn remove(&mut self, index: usize) -> Result<()> {
        let word = self.word(index)?;
        let (start, len) = self.arena.list(self.slot);
        self.arena.words.copy_within(word + 1..start + len, word);
        self.arena.set_list_len(self.slot, len - 1);
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        if len < self.arena.list(self.slot).1 {
            self.arena.set_list_len(self.slot, len);
        }
    }
}
