//! A message as the sequence of a struct's members, read from its bytes without an arena.
//!
//! What cannot be read so goes to an arena of its own: maps, and messages that [`Level`] declines. An error only says that
//! all must be read again that way.

use super::absent::AbsentOneof;
use super::message::MessageDeserializer;
use super::value::{Light, ValueDeserializer};
use crate::dynamic::{Building, Held, Level};
use crate::error::{Error, Result};
use crate::table::{Members, Row, Shape, Target};
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use std::marker::PhantomData;

/// Reads a message whose fields were found; that many are yet to be read.
#[inline]
pub(super) fn read<'de, V: Visitor<'de>>(
    message: &MessageDeserializer<'_, 'de, '_>,
    level: &Level<'_, 'de>,
    members: &Members,
    unread: u32,
    visitor: V,
) -> Result<V::Value> {
    message.budget.expect(unread);
    visitor.visit_seq(Sequence { message, level, members, next: 0, failed: false })
}

struct Sequence<'l, 'a, 'de, 'b> {
    message: &'l MessageDeserializer<'a, 'de, 'b>,
    level: &'l Level<'a, 'de>,
    members: &'l Members,
    next: usize,
    failed: bool,
}

impl Drop for Sequence<'_, '_, '_, '_> {
    #[inline]
    fn drop(&mut self) {
        if self.next == self.members.targets.len() {
            self.message.budget.done();
        } else if !self.failed {
            // The type has fewer members than names, or takes no sequence.
            self.members.want_names();
        }
    }
}

impl<'de> SeqAccess<'de> for Sequence<'_, '_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(&target) = self.members.targets.get(self.next) else { return Ok(None) };
        self.next += 1;
        let index = match target {
            Target::Field(index) => usize::from(index),
            Target::Oneof(index) => return self.oneof(usize::from(index), seed),
        };
        let row = &self.message.message.table().rows[index];
        let held = self.level.get(row);
        if row.shape == Shape::Map && !held.is_absent() {
            return self.map(row, held, seed);
        }
        match seed.deserialize(Light { base: self.message, held, of: PhantomData }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.failed = true;
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.targets.len() - self.next)
    }
}

impl<'a, 'de> Sequence<'_, 'a, 'de, '_> {
    #[inline(never)]
    fn oneof<T: DeserializeSeed<'de>>(&mut self, index: usize, seed: T) -> Result<Option<T::Value>> {
        let MessageDeserializer { message, budget, stack, depth, .. } = *self.message;
        let oneof = &message.table().oneofs[index];
        let rows = oneof.rows.iter().map(|&row| &message.table().rows[usize::from(row)]);
        let read = match rows.map(|row| self.level.get(row)).find(|held| !held.is_absent()) {
            Some(held) => seed.deserialize(ValueDeserializer {
                held,
                oneof: Some(None),
                bound: None,
                budget,
                stack,
                depth,
                inside: false,
            }),
            None => seed.deserialize(AbsentOneof(&oneof.name)),
        };
        self.failed = read.is_err();
        read.map(Some)
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
        let MessageDeserializer { message, budget, depth, .. } = *self.message;
        let bytes = held.bytes();
        let part = Building::decode_part(message.table(), bytes, budget.left(), depth + 1, budget.partial)?;
        budget.take(part.size())?;
        let reading = part.reading(bytes);
        let base = MessageDeserializer { message: reading.root(message.table()), ..*self.message };
        let held = base.message.get(row).unwrap_or(base.message.absent(row));
        let read = seed.deserialize(Light { base: &base, held, of: PhantomData })?;
        budget.done();
        self.failed = false;
        Ok(Some(read))
    }
}
