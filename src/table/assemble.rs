//! Builds the table of a message from its rows. A row describes one field. This file does the part that depends on all rows
//! together.

use super::cells::lay_out;
use super::message::Kept;
use super::{
    Form, Kind, Link, Location, MapRows, NumberTable, OmittedFields, OneofRow, Op, Origin, Presence, Row,
    Shape, Sub, Table, ValueKind, WellKnown, check,
};
use crate::error::{Error, Result};
use crate::layout::{FieldShape, MessageShape, Role, Storage, TypeShape};
use crate::sort::sort_by_key;
use crate::wire::{Tag, WireType, put_varint};
use once_cell::sync::OnceCell;
use std::sync::Arc;

/// The facts about a message that do not depend on its fields.
pub(super) struct Head<'d> {
    pub(super) full_name: &'d str,
    pub(super) origin: Origin,
    pub(super) kept: Option<Kept>,
    pub(super) shape: Option<&'static MessageShape>,
    pub(super) whole: Option<Link>,
    pub(super) extendable: bool,
    pub(super) message_set: bool,
}

/// The fields of a message, in any order.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) rows: Vec<Row>,
    /// The oneofs. Their row indices are indices into `rows`.
    pub(super) oneofs: Vec<OneofRow>,
    pub(super) unknown: Option<u32>,
    /// The field numbers of each oneof of the schema. Fields of one oneof may be separate members of the Rust type.
    pub(super) shared: Vec<Vec<u32>>,
}

/// Makes the row of a member of a struct or of a variant of a oneof. The caller sets the index of the row.
type RowOf<'a> = &'a mut dyn FnMut(&FieldShape, bool) -> Result<Row>;

/// Returns the rows of the fields for which a struct has members. The second argument of `row_of` is true if the field is a
/// variant of a oneof.
///
/// # Errors
/// `row_of` fails, two members have the same number, or a conversion does not fit its member.
pub(super) fn struct_rows(shape: &'static MessageShape, row_of: RowOf<'_>) -> Result<Contents> {
    let mut contents = Contents::default();
    for (index, member) in shape.members.iter().enumerate() {
        let offset = member.offset;
        match member.role {
            Role::Field(storage) => {
                let location = Location::Member { offset, storage };
                if let Some(field) = shape.field(index) {
                    contents.add(&field, location, index, None, row_of)?;
                }
            }
            Role::Oneof(oneof) => {
                let (oneof, position) = (oneof(), contents.oneofs.len() as u16);
                let mut rows = Vec::new();
                for (variant, field) in (0u16..).zip(oneof.fields()) {
                    let location = Location::Variant { offset, variant, oneof, storage: field.storage };
                    rows.push(contents.add(&field, location, index, Some(position), row_of)?);
                }
                let (name, variants) = (shape.proto_name(member).into(), oneof.names().into());
                contents.oneofs.push(OneofRow { name, rows: rows.into(), variants });
            }
            Role::Unknown => contents.unknown = Some(offset),
        }
    }
    Ok(contents)
}

impl Contents {
    /// Adds the row of a field and returns the index of the row. `index` is the index of the member, or of the member with the
    /// oneof.
    fn add(
        &mut self,
        member: &FieldShape,
        location: Location,
        index: usize,
        oneof: Option<u16>,
        row_of: RowOf<'_>,
    ) -> Result<u16> {
        let named = |error: Error| error.in_field(member.name);
        let is_required = check::check_conversion(member.storage, oneof.is_some()).map_err(named)?;
        let mut row = row_of(member, oneof.is_some()).map_err(named)?;
        if self.rows.iter().any(|other| other.number == row.number) {
            let message = format!("field number {} is taken by another member", row.number);
            return Err(named(Error::schema(message)));
        }
        row.oneof = oneof;
        row.member = index as u16;
        row.location = location;
        let explicit = row.shape == Shape::Singular && matches!(member.storage.ty(), TypeShape::Option(_));
        if (explicit || oneof.is_some()) && row.presence == Presence::Implicit {
            // The option or oneof says whether the field is present. A present value is written even if it is the default.
            row.presence = Presence::Explicit;
        }
        if is_required {
            row.presence = Presence::Required;
        }
        self.rows.push(row);
        Ok((self.rows.len() - 1) as u16)
    }
}

/// Builds the table of a message.
///
/// # Errors
/// The message has more than 65,534 fields, or a conversion does not fit its field.
pub(super) fn assemble(head: Head<'_>, contents: Contents) -> Result<Table> {
    let Contents { mut rows, mut oneofs, unknown, shared } = contents;
    if rows.len() >= usize::from(u16::MAX) {
        return Err(too_large(head.full_name));
    }
    let known = WellKnown::of(head.full_name);
    let order = sort(&mut rows);
    for oneof in &mut oneofs {
        oneof.rows.iter_mut().for_each(|row| *row = order[usize::from(*row)]);
    }
    set_siblings(&shared, &mut rows);
    index_rows(&mut rows);
    rows.iter_mut().for_each(|row| row.slot = row.index);
    let cells = lay_out(&mut rows, &oneofs);
    for row in &mut rows {
        if let Location::Member { offset, .. } | Location::Variant { offset, .. } = row.location {
            row.offset = offset;
        }
        row.json_bytes =
            row.json_bytes.or(row.storage().and_then(Storage::conversion).and_then(|it| it.json));
        row.has_key = known == WellKnown::No;
        (row.op, row.inner, row.form) = (Op::of(row), Op::inner(row), Form::of(row));
        row.value = ValueKind::of(row);
        if let Location::Member { storage: Storage::Option(option), .. } = row.location
            && let Some(bit) = option.bit()
        {
            (row.presence_word, row.presence_mask) = (bit.word() as u32, bit.mask());
        }
    }
    set_made(&head, &mut rows)?;
    let numbers = numbers(&rows);
    let (required, required_bits) = required(&rows);
    let shape = head.shape;
    Ok(Table {
        required_bits,
        fixed_len: fixed_len(&rows),
        full_name: head.full_name.into(),
        origin: head.origin,
        kept: head.kept,
        numbers: NumberTable::new(&numbers),
        required,
        keys: OnceCell::new(),
        names: OnceCell::new(),
        text_names: OnceCell::new(),
        size: shape.map_or(32 + 24 * rows.len() as u32, |shape| shape.size),
        shape,
        unknown,
        passing: if shape.is_some() && unknown.is_none() {
            OmittedFields::Dropped
        } else {
            OmittedFields::Kept
        },
        cells,
        projected: None,
        whole: head.whole,
        known,
        extendable: head.extendable,
        message_set: head.message_set,
        rows: rows.into(),
        oneofs: oneofs.into(),
        presence: head.shape.and_then(|shape| shape.presence),
        steps: OnceCell::new(),
        clear: OnceCell::new(),
        last_size: Default::default(),
        last_json_size: Default::default(),
        last_text_size: Default::default(),
        cells_per_byte: Default::default(),
        checked: OnceCell::new(),
    })
}

/// Builds the tables of proto values, for members whose conversions make such values.
///
/// # Errors
/// The struct has no member that stores proto values, or the proto value cannot hold all values of the field.
fn set_made(head: &Head<'_>, rows: &mut [Row]) -> Result<()> {
    for row in rows {
        let Some(Storage::Made(functions)) = row.storage() else { continue };
        let named = |error: Error| error.in_field(&row.name);
        if head.shape.is_some_and(|shape| shape.protos.is_none()) {
            return Err(named(Error::schema(
                "the conversion makes its proto values: the struct needs a member `#[tobu(protos)] protos: tobu::member::Protos`",
            )));
        }
        if row.closed && row.shape != Shape::Singular {
            return Err(named(Error::schema(
                "the enum is closed, and a list or a map that a conversion makes has no room for its unknown numbers",
            )));
        }
        let location = Location::Member { offset: 0, storage: functions.proto };
        row.made = Some(Arc::new(made_table(head.full_name, head.origin.clone(), row, location)?));
    }
    Ok(())
}

/// Builds the table of a proto value that a conversion makes. The table is that of a struct whose only member is the proto
/// value.
pub(super) fn made_table(full_name: &str, origin: Origin, row: &Row, location: Location) -> Result<Table> {
    let head = Head {
        full_name,
        origin,
        kept: None,
        shape: None,
        whole: None,
        extendable: false,
        message_set: false,
    };
    let row = Row { location, offset: 0, oneof: None, siblings: None, made: None, ..row.clone() };
    let mut table = assemble(head, Contents { rows: vec![row], ..Contents::default() })?;
    // The row of the member in its own message handles presence and the oneof.
    table.required_bits = 0;
    table.passing = OmittedFields::Dropped;
    Ok(table)
}

/// Sets the parts of rows that depend on their index in the table.
pub(super) fn index_rows(rows: &mut [Row]) {
    let count = rows.len() as u16;
    for (index, row) in (0u16..).zip(&mut *rows) {
        row.index = index;
        row.bit = if index < 63 { 1 << index } else { 0 };
        row.plain = (row.shape == Shape::Singular && row.oneof.is_none()).then_some(row.kind);
        row.next = if index + 1 < count { index + 1 } else { 0 };
    }
    let mut last: Option<(u16, u16)> = None;
    for row in rows.iter_mut().rev() {
        row.after = match (row.oneof, last) {
            (Some(oneof), Some((same, after))) if oneof == same => after,
            _ => row.index + 1,
        };
        last = row.oneof.map(|oneof| (oneof, row.after));
    }
}

/// Returns the indices of required fields, and the value of [`Table::required_bits`].
pub(super) fn required(rows: &[Row]) -> (Box<[u16]>, u64) {
    let (mut required, mut bits) = (Vec::new(), 0);
    for row in rows {
        if row.presence == Presence::Required {
            required.push(row.index);
            bits |= if row.bit == 0 { 1 << 63 } else { row.bit };
        }
        bits |= if row.made.is_some() { 1 << 63 } else { 0 };
    }
    (required.into(), bits)
}

/// Returns the encoded size of a message if the size is the same for each message whose fields are all set. This requires that
/// each field is a fixed-width number that is stored unchanged, and has a one-byte tag. Otherwise returns zero.
fn fixed_len(rows: &[Row]) -> u32 {
    let mut len = 0;
    for row in rows {
        len += match row.op {
            Op::Fixed32 if row.tag_len == 1 => 1 + size_of::<u32>() as u32,
            Op::Fixed64 if row.tag_len == 1 => 1 + size_of::<u64>() as u32,
            _ => return 0,
        };
    }
    len
}

pub(super) fn numbers(rows: &[Row]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(rows.len());
    for row in rows {
        numbers.push(row.number);
    }
    numbers
}

/// Sets [`Row::siblings`] of struct members that are fields of the same oneof.
fn set_siblings(shared: &[Vec<u32>], rows: &mut [Row]) {
    for numbers in shared {
        let mut indices = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if row.oneof.is_none() && numbers.contains(&row.number) {
                indices.push(index as u16);
            }
        }
        if indices.len() > 1 {
            for &index in &indices {
                let mut others = indices.clone();
                others.retain(|other| *other != index);
                rows[usize::from(index)].siblings = Some(others.into());
            }
        }
    }
}

/// Sorts rows by field number and returns the new index of each row.
fn sort(rows: &mut [Row]) -> Vec<u16> {
    for (index, row) in (0u16..).zip(rows.iter_mut()) {
        row.index = index;
    }
    sort_by_key(rows, |row| row.number);
    let mut order = vec![0; rows.len()];
    for (index, row) in (0u16..).zip(rows.iter()) {
        order[usize::from(row.index)] = index;
    }
    order
}

/// Sets the tag of a row and, for a list of numbers, the other tag that the list may have.
pub(super) fn set_tags(row: &mut Row) {
    let single = row.kind.wire_type();
    let is_number = single != WireType::Len && single != WireType::StartGroup;
    let tag = |wire_type| Tag::new(row.number, wire_type).value();
    let (first, other) = match row.shape {
        Shape::List if is_number && row.packed => (tag(WireType::Len), tag(single)),
        Shape::List if is_number => (tag(single), tag(WireType::Len)),
        _ => (tag(single), 0),
    };
    let mut bytes = [0; 10];
    (row.tag, row.other_tag) = (first, other);
    row.tag_len = put_varint(&mut bytes, u64::from(first)) as u8;
    row.tag_bytes.copy_from_slice(&bytes[..8]);
    row.short_tag = if row.tag_len == 1 { u16::from(bytes[0]) } else { u16::MAX };
    (row.tag_word, row.tag_mask) = match row.tag_len {
        len @ 1..=4 => {
            let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            (word, u32::MAX >> (32 - 8 * u32::from(len)))
        }
        // With the mask 0, no word equals 1, so the input never matches this tag.
        _ => (1, 0),
    };
}

/// Turns a row into the row of a map whose entries have the given rows.
pub(super) fn set_map(row: &mut Row, mut entry: Box<MapRows>) {
    (entry.value.index, entry.value.slot) = (1, 1);
    for row in [&mut entry.key, &mut entry.value] {
        // The key and the value of an entry are always written, even if they have their default values.
        row.presence = Presence::Explicit;
        (row.op, row.form, row.value) = (Op::of(row), Form::of(row), ValueKind::of(row));
        row.json_bytes = row.storage().and_then(Storage::conversion).and_then(|it| it.json);
    }
    row.shape = Shape::Map;
    row.kind = Kind::Message;
    row.sub = Sub::Map(entry);
}

#[cold]
pub(super) fn too_large(full_name: &str) -> Error {
    Error::schema(format!("{full_name} has more than 65534 fields"))
}
