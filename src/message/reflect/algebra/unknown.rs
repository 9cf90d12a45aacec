//! Compares and hashes unknown fields in a canonical order: by number and wire type.

use crate::message::reflect::algebra::MAX_DEPTH;
use crate::sort::sort_by_key;
use crate::wire::{Reader, WireType};
use std::hash::{Hash, Hasher};

#[derive(PartialEq)]
struct Field<'a> {
    number: u32,
    /// The rank of the wire type in the canonical order.
    rank: u8,
    value: Value<'a>,
}

#[derive(PartialEq)]
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Group(Vec<Field<'a>>),
}

/// Returns the fields, stably sorted by number and wire type. The fields in groups are sorted, too. `None` if the bytes are
/// malformed or groups nest too deep.
fn sorted(fields: &[u8]) -> Option<Vec<Field<'_>>> {
    group(&mut Reader::new(fields), None, MAX_DEPTH)
}

/// Returns the fields up to the end of the group with the number `number`, or up to the end of the input if `number` is
/// `None`. Reads each byte only once, even in nested groups.
fn group<'a>(reader: &mut Reader<'a>, number: Option<u32>, depth: u32) -> Option<Vec<Field<'a>>> {
    let mut out = Vec::new();
    loop {
        if reader.is_empty() {
            number.is_none().then_some(())?;
            break;
        }
        let tag = reader.tag().ok()?;
        let (rank, value) = match tag.wire_type() {
            WireType::Varint => (0, Value::Number(reader.varint().ok()?)),
            WireType::Fixed32 => (1, Value::Number(reader.fixed32().ok()?.into())),
            WireType::Fixed64 => (2, Value::Number(reader.fixed64().ok()?)),
            WireType::Len => (3, Value::Bytes(reader.len_prefixed().ok()?)),
            WireType::StartGroup => {
                (4, Value::Group(group(reader, Some(tag.number()), depth.checked_sub(1)?)?))
            }
            WireType::EndGroup if number == Some(tag.number()) => break,
            WireType::EndGroup => return None,
        };
        out.push(Field { number: tag.number(), rank, value });
    }
    sort_by_key(&mut out, |field| (field.number, field.rank));
    Some(out)
}

/// True if two sets of unknown fields are equal. The order matters only among fields with the same number and wire type. If the
/// bytes are malformed, they must be identical.
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    a == b || sorted(a).zip(sorted(b)).is_some_and(|(a, b)| a == b)
}

/// Feeds unknown fields to a hasher. Fields that are [`equal`] feed the same bytes; malformed fields feed nothing.
pub(super) fn hash(fields: &[u8], hasher: &mut dyn Hasher) {
    if let Some(fields) = sorted(fields) {
        hash_fields(&fields, hasher);
    }
}

fn hash_fields(fields: &[Field<'_>], hasher: &mut dyn Hasher) {
    let mut hasher = hasher;
    for field in fields {
        (field.number, field.rank).hash(&mut hasher);
        match &field.value {
            Value::Number(value) => hasher.write_u64(*value),
            Value::Bytes(bytes) => bytes.hash(&mut hasher),
            Value::Group(fields) => hash_fields(fields, hasher),
        }
    }
}
