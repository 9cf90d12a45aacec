//! Fields that occur several times, though they are singular: source has each of them once.

use super::super::list::Numbers;
use super::super::raw::options::{self, RawField};
use super::super::{ExtensionDescriptor, FieldDescriptor, OneofDescriptor};
use crate::wire::{Reader, Tag, WireType, Writer};
use std::borrow::Cow;

/// Messages in an option nested deeper than this are left out.
pub(super) const DEPTH: u32 = 100;

/// What several occurrences of a field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurs {
    /// Each of them is a value; or they are of no use, and stay as they are.
    Each,
    /// The last one counts; for the members of a oneof, the last of any of them.
    Last,
    /// They are one message in pieces.
    Merged,
}

impl Occurs {
    /// The meaning of an occurrence, and the number that it shares with what it replaces.
    pub(super) fn of(field: &FieldDescriptor, raw: RawField<'_>) -> (u32, Self) {
        let first = |oneof: OneofDescriptor| oneof.fields().next().map(|field| field.number());
        let number = field.containing_oneof().and_then(first).unwrap_or(field.number());
        let wire_type = raw.tag.wire_type();
        let occurs = match field.message_type() {
            _ if field.is_list() || field.is_map() => Occurs::Each,
            Some(_) if matches!(wire_type, WireType::Len | WireType::StartGroup) => Occurs::Merged,
            None if wire_type == field.ty().wire_type() => Occurs::Last,
            _ => Occurs::Each,
        };
        (number, occurs)
    }

    pub(super) fn of_extension(extension: Option<&ExtensionDescriptor>, raw: RawField<'_>) -> (u32, Self) {
        extension.map_or((0, Occurs::Each), |extension| Self::of(extension.field(), raw))
    }
}

/// The fields of a message, each singular one once; `of` says what an occurrence means, as [`Occurs::of`] does.
pub(super) fn once<'b>(body: &'b [u8], of: &dyn Fn(RawField<'_>) -> (u32, Occurs)) -> Cow<'b, [u8]> {
    let mut last = Numbers::new();
    let mut again = false;
    for (at, field) in options::fields(body).enumerate() {
        let (key, occurs) = of(field);
        again |= occurs != Occurs::Each && last.insert(key as usize, at).is_some();
    }
    if !again {
        return body.into();
    }
    let mut out = Writer::new();
    let (mut pieces, mut piece_of): (Vec<Vec<u8>>, _) = (Vec::new(), Numbers::new());
    for (at, field) in options::fields(body).enumerate() {
        let (key, occurs) = of(field);
        let is_last = last.get(&(key as usize)) == Some(&at);
        match occurs {
            Occurs::Each => out.raw(field.bytes),
            Occurs::Last if is_last => out.raw(field.bytes),
            Occurs::Last => {}
            Occurs::Merged => {
                let piece = *piece_of.entry(field.tag.number() as usize).or_insert(pieces.len());
                if piece == pieces.len() {
                    pieces.push(Vec::new());
                }
                let message = &mut pieces[piece];
                message.extend_from_slice(content(field));
                if is_last {
                    out.tag(Tag::new(field.tag.number(), WireType::Len));
                    out.len_prefixed(message);
                }
            }
        }
    }
    // What it is made of is no longer than a message may be.
    out.finish().map_or(body.into(), Cow::Owned)
}

/// The fields of a message or of a group.
fn content(field: RawField<'_>) -> &[u8] {
    let mut reader: Reader<'_> = field.value();
    let content = match field.tag.wire_type() {
        WireType::Len => reader.len_prefixed(),
        _ => reader.group(field.tag.number(), DEPTH),
    };
    content.unwrap_or_default()
}
