//! A message as the sequence of a struct's members, read from its bytes without an arena.
//!
//! What cannot be read so goes to an arena of its own: maps, and messages that [`Level`] declines. An error only says that
//! all must be read again that way.

use super::absent::AbsentOneof;
use super::message::MessageDeserializer;
use super::value::{Light, ValueDeserializer};
use crate::dynamic::{Building, Cursor, Held, Level, is_unread};
use crate::error::{Error, Result};
use crate::table::{Members, Row, Shape, Target, Way};
use serde::de::{DeserializeSeed, SeqAccess, Visitor};

/// Reads a message, whose fields were found, or are in the order of its members.
#[inline]
pub(super) fn read<'de, V: Visitor<'de>>(
    message: &MessageDeserializer<'_, 'de, '_>,
    found: Option<&Level<'_, 'de>>,
    members: &Members,
    visitor: V,
) -> Result<V::Value> {
    let cursor = Cursor::new(&message.message, message.left.depth());
    visitor.visit_seq(Sequence { message, found, cursor, members, next: 0, failed: false })
}

struct Sequence<'l, 'a, 'de, 'b> {
    message: &'l MessageDeserializer<'a, 'de, 'b>,
    /// The fields, unless they are taken in their order.
    found: Option<&'l Level<'a, 'de>>,
    cursor: Cursor<'de>,
    members: &'l Members,
    next: usize,
    failed: bool,
}

impl Drop for Sequence<'_, '_, '_, '_> {
    #[inline]
    fn drop(&mut self) {
        let is_all = self.next == self.members.targets.len();
        if is_all && (self.found.is_some() || self.cursor.is_whole(self.message.message.table())) {
            self.message.budget.done();
        } else {
            self.learn(is_all);
        }
    }
}

impl<'de> SeqAccess<'de> for Sequence<'_, '_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(&target) = self.members.targets.get(self.next) else { return Ok(None) };
        self.next += 1;
        let Target::Field(index) = target else { return self.oneof(target, seed) };
        let message = &self.message.message;
        let row = &message.table().rows[usize::from(index)];
        let held = match self.found {
            Some(found) => found.get(row),
            None => match self.cursor.take(message, row) {
                Ok(held) => held,
                Err(error) => return self.fail(error),
            },
        };
        if is_unread(row) && !held.is_absent() {
            self.message.budget.expect(1);
            if row.shape == Shape::Map {
                return self.map(row, held, seed);
            }
        }
        match seed.deserialize(Light { base: self.message, given: held }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => self.fail(error),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.targets.len() - self.next)
    }
}

impl<'a, 'de> Sequence<'_, 'a, 'de, '_> {
    #[cold]
    fn fail<T>(&mut self, error: Error) -> Result<T> {
        self.failed = true;
        Err(error)
    }

    /// Notes in which way messages must be given to the type after this one.
    #[cold]
    #[inline(never)]
    fn learn(&self, is_all: bool) {
        let way = match self.cursor.is_unordered {
            true => Way::Found,
            // It has fewer members than names, or takes no sequence.
            false if !is_all && !self.failed => Way::Named,
            false => return,
        };
        self.members.want(way);
        self.message.budget.has_learned.set(true);
    }

    #[inline(never)]
    fn oneof<T: DeserializeSeed<'de>>(&mut self, target: Target, seed: T) -> Result<Option<T::Value>> {
        self.failed = true;
        let MessageDeserializer { message, budget, left, .. } = *self.message;
        let (Target::Field(index) | Target::Oneof(index)) = target;
        let oneof = &message.table().oneofs[usize::from(index)];
        let mut rows = oneof.rows.iter().map(|&row| &message.table().rows[usize::from(row)]);
        let held = match self.found {
            Some(found) => rows.find_map(|row| Some(found.get(row)).filter(|held| !held.is_absent())),
            None => self.cursor.take_one(&message, oneof)?,
        };
        let read = match held {
            Some(held) => {
                budget.expect(u32::from(is_unread(held.row())));
                let (oneof, bound) = (Some(None), None);
                seed.deserialize(ValueDeserializer { held, oneof, bound, budget, left, inside: false })
            }
            None => seed.deserialize(AbsentOneof(&oneof.name)),
        }?;
        self.failed = false;
        Ok(Some(read))
    }

    /// Maps have each key once.
    #[inline(never)]
    fn map<T: DeserializeSeed<'de>>(
        &mut self,
        row: &'a Row,
        held: Held<'a, 'de>,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.failed = true;
        let MessageDeserializer { message, budget, left, .. } = *self.message;
        let bytes = held.bytes();
        let part =
            Building::decode_part(message.table(), bytes, budget.left(), left.depth() + 1, budget.partial)?;
        budget.take(part.size())?;
        let reading = part.reading(bytes);
        let base = MessageDeserializer { message: reading.root(message.table()), ..*self.message };
        let held = base.message.get(row).unwrap_or(base.message.absent(row));
        let read = seed.deserialize(Light { base: &base, given: held })?;
        budget.done();
        self.failed = false;
        Ok(Some(read))
    }
}
