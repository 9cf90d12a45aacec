//! Building tables from descriptors and the shapes of Rust types.

use super::{
    EnumLink, EnumTable, Form, Keys, Kind, Link, Location, MapRows, NumberTable, OneofRow, Op, Passing,
    Presence, Record, Row, Shape, Sub, Table, WellKnown, check,
};
use crate::descriptor::{
    self, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FieldShape as Declared, MessageDescriptor,
    OneofDescriptor, Pool,
};
use crate::error::{Error, Result};
use crate::json::print::Key;
use crate::layout::{EnumShape, FieldShape, MessageShape, Role, Storage, TypeShape};
use crate::sort::sort_by_key;
use crate::wire::{Tag, WireType};
use once_cell::sync::OnceCell;
use std::sync::{Arc, Mutex, PoisonError};

/// The cache of a message descriptor.
type DescriptorCache = Result<Box<Table>, Box<str>>;

/// The cache of the shape of a message struct: its tables for its own descriptor, and for others that the type is used
/// with.
#[derive(Default)]
struct ShapeCache {
    own: OnceCell<Result<&'static Table, Box<str>>>,
    others: Mutex<Vec<(MessageDescriptor, &'static Table)>>,
}

impl MessageDescriptor {
    /// The table of the message, built on first use.
    ///
    /// # Errors
    /// The message has more than 65,534 fields.
    #[inline]
    pub(crate) fn table(&self) -> Result<&Table> {
        match self.cached::<DescriptorCache>() {
            Some(Ok(table)) => Ok(table),
            _ => self.first_table(),
        }
    }

    #[cold]
    #[inline(never)]
    fn first_table(&self) -> Result<&Table> {
        let build = || match build(self, None, Vec::new()) {
            Ok(table) => Ok(Box::new(table)),
            Err(error) => Err(error.to_string().into()),
        };
        match self.cache::<DescriptorCache>(build) {
            Ok(table) => Ok(table),
            Err(error) => Err(Error::schema(error.to_string())),
        }
    }
}

impl EnumDescriptor {
    /// The table of the enum, built on first use.
    pub(crate) fn table(&self) -> &EnumTable {
        self.cache(|| EnumTable::new(self, None))
    }
}

impl EnumShape {
    /// The table of the Rust type, built on first use.
    pub(crate) fn table_of(&'static self, descriptor: &EnumDescriptor) -> &'static EnumTable {
        let cached = self.cache.get_or_init(|| Box::new(EnumTable::new(descriptor, Some(self))));
        cached.downcast_ref().expect("only one type is ever cached")
    }
}

impl MessageShape {
    /// The table of the Rust type, built on first use.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the one that it is bound to.
    #[inline]
    pub(crate) fn table(&'static self) -> Result<&'static Table> {
        match self.cells().linked() {
            Some(table) => Ok(table),
            None => self.first_table(),
        }
    }

    #[cold]
    #[inline(never)]
    fn first_table(&'static self) -> Result<&'static Table> {
        let build = || -> Result<&'static Table, Box<str>> {
            let built = self.descriptor().and_then(|descriptor| build(descriptor, Some(self), Vec::new()));
            match built {
                Ok(table) => Ok(Box::leak(Box::new(table))),
                Err(error) => Err(error.to_string().into()),
            }
        };
        match self.tables().own.get_or_init(build) {
            Ok(table) => {
                self.cells().link(table);
                Ok(table)
            }
            Err(error) => Err(Error::schema(error.to_string())),
        }
    }

    /// The table of the Rust type for a message, which may differ from the one that it is bound to.
    ///
    /// # Errors
    /// The type and the message do not fit together.
    pub(crate) fn table_of(&'static self, descriptor: &MessageDescriptor) -> Result<&'static Table> {
        if self.descriptor()? == descriptor {
            return self.table();
        }
        let mut others = self.tables().others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = others.iter().find(|(known, _)| known == descriptor) {
            return Ok(table);
        }
        let table: &'static Table = Box::leak(Box::new(build(descriptor, Some(self), Vec::new())?));
        others.push((descriptor.clone(), table));
        Ok(table)
    }

    fn tables(&'static self) -> &'static ShapeCache {
        let cached = self.cells().cache.get_or_init(|| Box::new(ShapeCache::default()));
        cached.downcast_ref().expect("only one type is ever cached")
    }
}

/// The table of a message that has an extension and nothing else.
///
/// # Errors
/// It extends a message set, whose items are not fields.
pub(crate) fn extension_table(extension: &ExtensionDescriptor) -> Result<Table> {
    if extension.extendee().is_message_set() {
        let message = format!("{} is in a message set, which is not read as fields", extension.full_name());
        return Err(Error::schema(message));
    }
    build(&extension.extendee(), None, vec![(extension.field().clone(), None)])
}

/// The table of a message with only an extension; the extension may be an item of a message set.
///
/// # Errors
/// A message that it holds is larger than a codec can take.
pub(crate) fn extension_fields(extension: &ExtensionDescriptor) -> Result<Table> {
    build(&extension.extendee(), None, vec![(extension.field().clone(), None)])
}

/// The same, for the Rust type of the extension's value, which is at offset 0.
///
/// # Errors
/// The type and the schema do not fit together.
pub(crate) fn typed_extension_table(
    extension: &ExtensionDescriptor,
    ty: TypeShape,
    storage: Storage,
) -> Result<Table> {
    build(&extension.extendee(), None, vec![(extension.field().clone(), Some((ty, storage)))])
}

/// The largest number that a field can have; items of message sets may go beyond, and are left alone then.
const MAX_NUMBER: u32 = (1 << 29) - 1;

/// The table of a message whose fields are the extensions of `full_name`, named `[like.this]`; `None` if the pool has
/// none.
///
/// # Errors
/// There are more than 65,534 of them.
pub(crate) fn pool_extension_table(pool: &Pool, full_name: &str) -> Result<Option<Arc<Table>>> {
    type Slot = Option<Result<Arc<Table>, Box<str>>>;
    let slot = pool.cache::<Slot>(full_name, || {
        let message = pool.message(full_name)?;
        let extensions = pool.extensions_of(&message).map(|extension| extension.field().clone());
        let fields: Vec<_> =
            extensions.filter(|field| field.number() <= MAX_NUMBER).map(|field| (field, None)).collect();
        if fields.is_empty() {
            return None;
        }
        let table = build(&message, None, fields);
        Some(table.map(Arc::new).map_err(|error| error.to_string().into()))
    });
    match &*slot {
        None => Ok(None),
        Some(Ok(table)) => Ok(Some(Arc::clone(table))),
        Some(Err(error)) => Err(Error::schema(error.to_string())),
    }
}

/// An extension, and the Rust type of its value if there is one.
type Only = (FieldDescriptor, Option<(TypeShape, Storage)>);

/// Builds the table of a message; of the given fields only, if there are any.
fn build(
    descriptor: &MessageDescriptor,
    shape: Option<&'static MessageShape>,
    only: Vec<Only>,
) -> Result<Table> {
    let keep = only.iter().map(|(field, _)| field.clone()).collect();
    let built = match shape {
        Some(shape) => bound(descriptor, shape),
        None => unbound(descriptor, only),
    };
    let named =
        |error: Error| error.in_message(shape.map_or(descriptor.full_name(), |shape| shape.rust_name));
    let Contents { mut rows, mut oneofs, unknown } = built.map_err(named)?;
    if rows.len() >= usize::from(u16::MAX) {
        return Err(named(too_large(descriptor)));
    }
    let known = WellKnown::of(descriptor.full_name());
    let order = sort(&mut rows);
    for oneof in &mut oneofs {
        oneof.rows.iter_mut().for_each(|row| *row = order[usize::from(*row)]);
    }
    if shape.is_some() {
        set_siblings(descriptor, &mut rows);
    }
    index_rows(&mut rows);
    for row in &mut rows {
        row.slot = row.index;
        if let Location::Member { offset, .. } | Location::Variant { offset, .. } = row.location {
            row.offset = offset;
        }
        if known == WellKnown::No {
            (row.json_key, row.proto_key) = (Key::member(&row.json_name), Key::member(&row.name));
        }
        (row.op, row.inner, row.form) = (Op::of(row), Op::inner(row), Form::of(row));
        if let Location::Member { storage: Storage::Option(option), .. } = row.location
            && let Some(bit) = option.bit()
        {
            (row.presence_word, row.presence_mask) = (bit.word() as u32, bit.mask());
        }
    }
    let numbers: Vec<u32> = rows.iter().map(|row| row.number).collect();
    let (required, required_bits) = required(&rows);
    Ok(Table {
        record: shape.and_then(|_| Record::of(&rows)),
        required_bits,
        full_name: descriptor.full_name().into(),
        descriptor: descriptor.downgrade(),
        keep,
        numbers: NumberTable::new(&numbers),
        required,
        keys: Keys::new(rows.iter().map(|row| row.json_key.text())),
        names: OnceCell::new(),
        wasted: Default::default(),
        members: OnceCell::new(),
        text_names: OnceCell::new(),
        size: shape.map_or(32 + 24 * rows.len() as u32, |shape| shape.size),
        shape,
        unknown,
        passing: if shape.is_some() && unknown.is_none() { Passing::Dropped } else { Passing::Kept },
        slots: rows.len() as u16,
        projected: None,
        whole: shape.map(|_| Link::new(descriptor.downgrade(), None)),
        known,
        extendable: descriptor.extension_ranges().len() > 0,
        message_set: descriptor.is_message_set(),
        rows: rows.into(),
        oneofs: oneofs.into(),
        steps: OnceCell::new(),
        clear: OnceCell::new(),
        last_size: Default::default(),
        last_json_size: Default::default(),
        last_text_size: Default::default(),
        words_per_byte: Default::default(),
    })
}

/// Sets the members of rows that depend on their index in the table.
pub(super) fn index_rows(rows: &mut [Row]) {
    let count = rows.len() as i32;
    for (index, row) in (0u16..).zip(rows) {
        row.index = index;
        row.bit = if index < 63 { 1 << index } else { 0 };
        row.plain = (row.shape == Shape::Singular && row.oneof.is_none()).then_some(row.kind);
        row.next = size_of::<Row>() as i32 * if i32::from(index) + 1 < count { 1 } else { 1 - count };
    }
}

/// The indices of required fields, and their bits.
pub(super) fn required(rows: &[Row]) -> (Box<[u16]>, u64) {
    let required = rows.iter().filter(|row| row.presence == Presence::Required);
    let bit = |row: &Row| if row.bit == 0 { 1 << 63 } else { row.bit };
    (required.clone().map(|row| row.index).collect(), required.fold(0, |all, row| all | bit(row)))
}

/// Notes which members of a struct are fields of the same oneof.
fn set_siblings(descriptor: &MessageDescriptor, rows: &mut [Row]) {
    for oneof in descriptor.oneofs() {
        let numbers: Vec<u32> = oneof.fields().map(|field| field.number()).collect();
        let indices: Vec<u16> = (0u16..)
            .zip(&*rows)
            .filter(|(_, row)| row.oneof.is_none() && numbers.contains(&row.number))
            .map(|(index, _)| index)
            .collect();
        for &index in indices.iter().filter(|_| indices.len() > 1) {
            let others = indices.iter().copied().filter(|other| *other != index);
            rows[usize::from(index)].siblings = Some(others.collect());
        }
    }
}

/// Sorts rows by number and returns the new index of each.
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

#[derive(Default)]
struct Contents {
    rows: Vec<Row>,
    oneofs: Vec<OneofRow>,
    unknown: Option<u32>,
}

fn unbound(descriptor: &MessageDescriptor, only: Vec<Only>) -> Result<Contents> {
    let mut contents = Contents::default();
    let fields = match only.is_empty() {
        true => descriptor.fields().map(|field| (field, None)).collect(),
        false => only,
    };
    for (field, ty) in &fields {
        let mut row = row(field, ty.map(|(ty, _)| ty), ty.map(|(_, storage)| storage))?;
        row.oneof = field.oneof().map(|oneof| oneof.index() as u16);
        if let Some((_, storage)) = *ty {
            row.location = Location::Member { offset: 0, storage };
        }
        contents.rows.push(row);
    }
    let mut rows_of = vec![Vec::new(); descriptor.oneofs().len()];
    for (index, row) in (0u16..).zip(&contents.rows) {
        if let Some(oneof) = row.oneof {
            rows_of[usize::from(oneof)].push(index);
        }
    }
    let oneof = |(oneof, rows): (OneofDescriptor, Vec<u16>)| OneofRow {
        name: oneof.name().into(),
        rows: rows.into(),
        variants: Box::default(),
    };
    contents.oneofs = descriptor.oneofs().zip(rows_of).map(oneof).collect();
    Ok(contents)
}

fn bound(descriptor: &MessageDescriptor, shape: &'static MessageShape) -> Result<Contents> {
    let mut contents = Contents::default();
    for member in shape.members {
        let offset = u32::try_from(member.offset).expect("structs are smaller than 4 GiB");
        match &member.role {
            Role::Field(field) => {
                let location = Location::Member { offset, storage: field.value.storage };
                member_row(descriptor, field, location, None, &mut contents)?;
            }
            Role::Oneof(name, oneof) => {
                let (oneof, index) = (oneof(), contents.oneofs.len() as u16);
                let mut rows = Vec::new();
                for (variant, (_, field)) in (0u16..).zip(oneof.variants) {
                    let (functions, storage) = (oneof.functions, field.value.storage);
                    let location = Location::Variant { offset, variant, functions, storage };
                    rows.push(member_row(descriptor, field, location, Some(index), &mut contents)?);
                }
                let variants = oneof.variants.iter().map(|(variant, _)| *variant).collect();
                contents.oneofs.push(OneofRow { name: (*name).into(), rows: rows.into(), variants });
            }
            Role::Unknown => contents.unknown = Some(offset),
        }
    }
    Ok(contents)
}

/// Adds the row of a member or variant and returns its index.
fn member_row(
    descriptor: &MessageDescriptor,
    member: &FieldShape,
    location: Location,
    oneof: Option<u16>,
    contents: &mut Contents,
) -> Result<u16> {
    let found = match member.number {
        Some(number) => descriptor.field_by_number(number),
        None => descriptor.field_by_name(member.name),
    };
    let Some(field) = found else {
        let what = match member.number {
            Some(number) => format!("with number {number}"),
            None => format!("named {}", member.name),
        };
        let message = format!("{} has no field {what}", descriptor.full_name());
        return Err(Error::schema(message).in_field(member.name));
    };
    if contents.rows.iter().any(|other| other.number == field.number()) {
        let message = format!("field number {} is taken by another member", field.number());
        return Err(Error::schema(message).in_field(member.name));
    }
    if oneof.is_some() && field.oneof().is_none() {
        return Err(Error::schema("the field is not in a oneof of the schema").in_field(member.name));
    }
    let mut row = row(&field, Some(member.value.ty), Some(member.value.storage))
        .map_err(|error| error.in_field(member.name))?;
    row.oneof = oneof;
    row.location = location;
    let explicit = row.shape == Shape::Singular && matches!(member.value.ty, TypeShape::Option(_));
    if (explicit || oneof.is_some()) && row.presence == Presence::Implicit {
        // The option is the member's presence; a value that is set is written.
        row.presence = Presence::Explicit;
    }
    contents.rows.push(row);
    Ok((contents.rows.len() - 1) as u16)
}

/// The row of a field; with the shape of its Rust type, if one is bound.
fn row(field: &FieldDescriptor, ty: Option<TypeShape>, storage: Option<Storage>) -> Result<Row> {
    let name = |own: &str| match field.is_extension() {
        true => format!("[{}]", field.full_name()).into(),
        false => own.into(),
    };
    let mut row = Row {
        kind: Kind::of(field),
        presence: if field.is_required() {
            Presence::Required
        } else if field.has_presence() {
            Presence::Explicit
        } else {
            Presence::Implicit
        },
        utf8: field.validates_utf8(),
        redact: field.debug_redact(),
        is_group: field.is_group_like(),
        number: field.number(),
        location: match storage {
            // The key or the value of a map entry is given by its own address.
            Some(storage) => Location::Member { offset: 0, storage },
            None => Location::Arena,
        },
        descriptor_index: field.index_in_file(),
        name: name(field.name()),
        json_name: name(field.json_name()),
        default: field.declared_default().cloned(),
        ..Row::none()
    };
    if let Some(storage) = storage {
        check::check_conversion(storage)?;
    }
    let mut wire_type = row.kind.wire_type();
    match field.shape() {
        Declared::Singular(_) => {
            if let Some(ty) = ty {
                check::check(ty, Shape::Singular, row.kind, None)?;
            }
            set_sub(&mut row, field.kind(), storage)?;
        }
        Declared::List(_) => {
            row.shape = Shape::List;
            if let Some(ty) = ty {
                check::check(ty, Shape::List, row.kind, None)?;
            }
            set_sub(&mut row, field.kind(), storage)?;
            if wire_type != WireType::Len && wire_type != WireType::StartGroup {
                row.packed = field.is_packed();
                let packed = Tag::new(field.number(), WireType::Len).value();
                let single = Tag::new(field.number(), wire_type).value();
                row.other_tag = if row.packed { single } else { packed };
                if row.packed {
                    wire_type = WireType::Len;
                }
            }
        }
        Declared::Map { key, value } => {
            row.shape = Shape::Map;
            if let Some(ty) = ty {
                check::check(ty, Shape::Map, Kind::of(&value), Some(Kind::of(&key)))?;
            }
            let types = match ty {
                Some(TypeShape::Map(key, value)) => (Some(*key), Some(*value)),
                _ => (None, None),
            };
            let storages = match storage {
                Some(Storage::Map(functions)) => (Some(functions.key), Some(functions.value)),
                _ => (None, None),
            };
            let mut entry = MapRows {
                key: self::row(&key, types.0, storages.0)?,
                value: self::row(&value, types.1, storages.1)?,
            };
            // Key and value of an entry are always written, for any presence of their fields.
            entry.key.presence = Presence::Explicit;
            entry.value.presence = Presence::Explicit;
            (entry.value.index, entry.value.slot) = (1, 1);
            for row in [&mut entry.key, &mut entry.value] {
                (row.op, row.form) = (Op::of(row), Form::of(row));
            }
            row.kind = Kind::Message;
            row.sub = Sub::Map(Box::new(entry));
            wire_type = WireType::Len;
        }
    }
    set_tag(&mut row, Tag::new(field.number(), wire_type).value());
    Ok(row)
}

fn set_tag(row: &mut Row, tag: u32) {
    let mut bytes = [0; 10];
    row.tag = tag;
    row.tag_len = crate::wire::put_varint(&mut bytes, u64::from(tag)) as u8;
    row.tag_bytes.copy_from_slice(&bytes[..8]);
    (row.tag_word, row.tag_mask) = match row.tag_len {
        len @ 1..=4 => {
            let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            (word, u32::MAX >> (32 - 8 * u32::from(len)))
        }
        // No word is this one.
        _ => (1, 0),
    };
}

/// Sets the members that depend on the message or enum type of a single value.
fn set_sub(row: &mut Row, kind: descriptor::Kind, storage: Option<Storage>) -> Result<()> {
    match kind {
        descriptor::Kind::Message(message) => {
            let shape = match storage.map(Storage::leaf) {
                Some(Storage::Message(shape)) => Some(shape),
                _ => None,
            };
            if message.fields().len() >= usize::from(u16::MAX) {
                return Err(too_large(&message));
            }
            row.sub = Sub::Message(Link::new(message.downgrade(), shape));
        }
        descriptor::Kind::Enum(enumeration) => {
            row.closed = enumeration.is_closed();
            let shape = match storage.map(Storage::leaf) {
                Some(Storage::OpenEnum(shape)) => Some(shape),
                Some(Storage::ClosedEnum(functions)) => Some(functions.shape),
                _ => None,
            };
            row.sub = Sub::Enum(EnumLink::new(&enumeration, shape));
        }
        _ => {}
    }
    Ok(())
}

#[cold]
fn too_large(message: &MessageDescriptor) -> Error {
    Error::schema(format!("{} has more than 65534 fields", message.full_name()))
}
