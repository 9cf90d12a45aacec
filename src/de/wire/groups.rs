//! The fields of a message gathered by member.

use crate::de::source::Context;
use crate::error::{Error, Result, WireError};
use crate::plan::{MessagePlan, Route, Shape};
use crate::wire::{Reader, WireType};
use std::borrow::Cow;

/// One field on the wire.
#[derive(Clone, Debug)]
pub(super) struct Occurrence<'de> {
    pub(super) tag: u32,
    field: u16,
    member: u16,
    /// From the value to the end of the field.
    pub(super) value: &'de [u8],
    /// From the tag to the end of the field.
    pub(super) raw: &'de [u8],
}

impl<'de> Occurrence<'de> {
    /// A piece of a message value that stands outside a message of its own.
    pub(super) fn piece(tag: u32, value: &'de [u8]) -> Self {
        Occurrence { tag, field: 0, member: 0, value, raw: value }
    }
}

/// The occurrences of one field, in their order.
pub(super) type Run<'de> = std::vec::IntoIter<Occurrence<'de>>;

/// All fields of a message; the message may have come in several pieces.
#[derive(Debug, Default)]
pub(super) struct Groups<'de> {
    occurrences: Vec<Occurrence<'de>>,
    next: usize,
    pub(super) unknown: Cow<'de, [u8]>,
}

impl<'de> Groups<'de> {
    /// Adds the fields of one piece of the message.
    pub(super) fn add(
        &mut self,
        cx: Context<'_>,
        piece: &Reader<'de>,
        plan: &MessagePlan,
        routes: &[Route],
        keep_unknown: bool,
    ) -> Result<()> {
        let mut reader = *piece;
        while !reader.is_empty() {
            let (start, offset) = (reader.rest(), reader.position());
            let tag = reader.tag()?;
            if tag.wire_type() == WireType::EndGroup {
                return Err(Error::wire(WireError::StrayEndGroup(tag.number()), offset));
            }
            let value = reader.rest();
            reader.skip(tag, cx.depth)?;
            let raw = &start[..start.len() - reader.rest().len()];
            let value = &value[..value.len() - reader.rest().len()];
            let known = plan.numbers.get(tag.number()).filter(|&index| {
                let field = &plan.fields[index];
                let fits = tag.value() == field.tag || tag.value() == field.other_tag;
                let single_enum =
                    field.closed && field.shape != Shape::Map && tag.wire_type() == WireType::Varint;
                fits && !(single_enum && is_foreign(cx, field.sub, value))
            });
            match known {
                Some(index) if routes[index] == Route::SKIP => {}
                Some(index) => self.occurrences.push(Occurrence {
                    tag: tag.value(),
                    field: index as u16,
                    member: routes[index].member,
                    value,
                    raw,
                }),
                None if keep_unknown => self.unknown.to_mut().extend_from_slice(raw),
                None => {}
            }
        }
        Ok(())
    }

    /// Brings the occurrences of each member together, in their order.
    pub(super) fn arrange(&mut self) {
        self.occurrences.sort_by_key(|occurrence| occurrence.member);
    }

    /// The field of the next member, and those of its occurrences that count.
    pub(super) fn next(&mut self, plan: &MessagePlan) -> Option<(usize, Run<'de>)> {
        let member = self.occurrences.get(self.next)?.member;
        let len = self.occurrences[self.next..].iter().take_while(|o| o.member == member).count();
        let all = &self.occurrences[self.next..self.next + len];
        self.next += len;
        let last = all.last()?.field;
        let field = &plan.fields[usize::from(last)];
        let counting = if field.shape != Shape::Singular || field.is_message() {
            // Of a oneof, what came before another of its fields is void.
            let same = all.iter().rev().take_while(|o| o.field == last).count();
            all[all.len() - same..].to_vec()
        } else {
            all[all.len() - 1..].to_vec()
        };
        Some((usize::from(last), counting.into_iter()))
    }
}

fn is_foreign(cx: Context<'_>, sub: u32, value: &[u8]) -> bool {
    Reader::new(value).varint().is_ok_and(|number| !cx.set.enums[sub as usize].contains(number as i32))
}
