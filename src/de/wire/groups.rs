//! The fields of a message gathered by member.

use super::entry;
use super::list::foreign_element;
use crate::de::source::Context;
use crate::error::{Error, Result, WireError};
use crate::plan::{FieldPlan, Kind, MessagePlan, Route, Shape};
use crate::wire::{Reader, Tag, WireType};
use std::borrow::Cow;

/// One field on the wire.
#[derive(Clone, Debug)]
pub(super) struct Occurrence<'de> {
    pub(super) tag: u32,
    field: u16,
    member: u16,
    /// From the value to the end of the field.
    pub(super) value: &'de [u8],
}

impl<'de> Occurrence<'de> {
    /// A piece of a message value that stands outside a message of its own.
    pub(super) fn piece(tag: u32, value: &'de [u8]) -> Self {
        Occurrence { tag, field: 0, member: 0, value }
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
    /// What comes after the message.
    pub(super) rest: &'de [u8],
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
            if let Err(error) = reader.skip(tag, cx.depth) {
                let field = plan.numbers.get(tag.number()).map(|index| &plan.fields[index]);
                return Err(match field.filter(|field| field.takes(tag)) {
                    Some(field) => error.in_field(&field.name),
                    None => error,
                });
            }
            let raw = &start[..start.len() - reader.rest().len()];
            let value = &value[..value.len() - reader.rest().len()];
            let known = plan.numbers.get(tag.number()).filter(|&index| {
                let field = &plan.fields[index];
                let single_enum =
                    field.closed && field.shape != Shape::Map && tag.wire_type() == WireType::Varint;
                field.takes(tag) && !(single_enum && is_foreign(cx, field.sub, value))
            });
            let Some(index) = known else {
                if keep_unknown {
                    self.unknown.to_mut().extend_from_slice(raw);
                }
                continue;
            };
            let (field, route) = (&plan.fields[index], routes[index]);
            let Some(member) = gathering(plan, field, route, routes) else { continue };
            let text = field.kind == Kind::String && field.utf8 && field.shape == Shape::Singular;
            if text && route != Route::SKIP {
                // Only the last text will be read, but all of them must be text.
                reader.within(value).string().map_err(|error| error.in_field(&field.name))?;
            }
            if keep_unknown && route != Route::SKIP {
                self.keep_foreign(cx, field, tag, reader.within(value))?;
            }
            let (tag, field) = (tag.value(), index as u16);
            self.occurrences.push(Occurrence { tag, field, member, value });
        }
        Ok(())
    }

    /// Keeps the values of a field that its closed enum does not have, in their place among the unknown fields; what
    /// is malformed is told when it is read.
    fn keep_foreign(
        &mut self,
        cx: Context<'_>,
        field: &FieldPlan,
        tag: Tag,
        mut value: Reader<'de>,
    ) -> Result<()> {
        if field.shape == Shape::Map {
            let map = &cx.set.maps[field.sub as usize];
            if map.value.closed
                && let Some(kept) = entry::foreign(value, cx, field, map)?
            {
                self.unknown.to_mut().extend_from_slice(&kept);
            }
        } else if field.closed && tag.wire_type() == WireType::Len {
            let Ok(run) = value.len_prefixed() else { return Ok(()) };
            let mut run = value.within(run);
            while let Ok(number) = run.varint() {
                let number = number as i32;
                if !cx.set.enums[field.sub as usize].contains(number) {
                    self.unknown.to_mut().extend_from_slice(&foreign_element(field, number)?);
                }
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

/// The member under which the occurrences of a field are gathered: its own, or where the fields of a oneof are members
/// of their own, the first of those. None where no member takes any of them.
fn gathering(plan: &MessagePlan, field: &FieldPlan, route: Route, routes: &[Route]) -> Option<u16> {
    let oneof = field.oneof.filter(|_| route.variant == Route::NO_VARIANT);
    let first = match oneof.and_then(|oneof| plan.oneofs.get(usize::from(oneof))) {
        Some(oneof) => oneof.fields.iter().map(|&other| routes[usize::from(other)].member).min(),
        None => Some(route.member),
    };
    first.filter(|member| *member != Route::SKIP.member)
}

fn is_foreign(cx: Context<'_>, sub: u32, value: &[u8]) -> bool {
    Reader::new(value).varint().is_ok_and(|number| !cx.set.enums[sub as usize].contains(number as i32))
}
