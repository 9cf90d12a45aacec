//! Unknown fields in an order of their own: by number and wire type.

use crate::wire::{Reader, WireType};
use std::hash::{Hash, Hasher};

/// A field of which only the number is known.
struct Field<'a> {
    number: u32,
    /// The place of the wire type in the order.
    rank: u8,
    value: Value<'a>,
}

#[derive(PartialEq)]
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Group(&'a [u8]),
}

/// The fields, stably sorted by number and wire type; none where they are malformed.
fn sorted(fields: &[u8]) -> Option<Vec<Field<'_>>> {
    let mut reader = Reader::new(fields);
    let mut out = Vec::new();
    while !reader.is_empty() {
        let tag = reader.tag().ok()?;
        let (rank, value) = match tag.wire_type() {
            WireType::Varint => (0, Value::Number(reader.varint().ok()?)),
            WireType::Fixed32 => (1, Value::Number(reader.fixed32().ok()?.into())),
            WireType::Fixed64 => (2, Value::Number(reader.fixed64().ok()?)),
            WireType::Len => (3, Value::Bytes(reader.len_prefixed().ok()?)),
            WireType::StartGroup => (4, Value::Group(reader.group(tag.number(), super::MAX_DEPTH).ok()?)),
            WireType::EndGroup => return None,
        };
        out.push(Field { number: tag.number(), rank, value });
    }
    out.sort_by_key(|field| (field.number, field.rank));
    Some(out)
}

/// True when two sets of unknown fields say the same: order matters only among those of one number and wire type.
pub(super) fn equal(a: &[u8], b: &[u8], depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b), Some(depth)) = (sorted(a), sorted(b), depth.checked_sub(1)) else { return false };
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| {
            (a.number, a.rank) == (b.number, b.rank)
                && match (&a.value, &b.value) {
                    (Value::Group(a), Value::Group(b)) => equal(a, b, depth),
                    (a, b) => a == b,
                }
        })
}

/// Feeds unknown fields to a hasher, the same for all that are [`equal`].
pub(super) fn hash(fields: &[u8], hasher: &mut dyn Hasher, depth: u32) {
    let mut hasher = hasher;
    let (Some(sorted), Some(depth)) = (sorted(fields), depth.checked_sub(1)) else { return };
    for field in sorted {
        (field.number, field.rank).hash(&mut hasher);
        match field.value {
            Value::Number(value) => hasher.write_u64(value),
            Value::Bytes(bytes) => bytes.hash(&mut hasher),
            Value::Group(fields) => hash(fields, hasher, depth),
        }
    }
}
