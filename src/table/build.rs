//! Builds tables from descriptors and from the shapes of Rust types. A table has one row per field.

use super::assemble::{Contents, Head, assemble, set_map, set_tags, struct_rows, too_large};
use super::message::Kept;
use super::tabled::Tabled;
use super::{
    EnumLink, Kind, Link, Location, MapRows, OneofRow, Origin, Presence, Row, Shape, Sub, Table, check,
};
use crate::descriptor::{
    self, ExtensionDescriptor, FieldDescriptor, FieldShape as Declared, MessageDescriptor, Pool,
};
use crate::error::{Error, Result};
use crate::layout::{FieldShape, MessageShape, PresenceFn, Storage};
use std::sync::Arc;

/// Returns the table of a message that has one extension as its only field.
///
/// # Errors
/// The extension extends a message set, whose items are not decoded as fields, or its message type has too many fields for a
/// table.
pub(crate) fn extension_table(extension: &ExtensionDescriptor) -> Result<Table> {
    if extension.extendee().is_message_set() {
        let message = format!("{} is in a message set, which is not read as fields", extension.full_name());
        return Err(Error::schema(message));
    }
    build(&extension.extendee(), None, vec![(extension.field().clone(), None)])
}

/// Returns the table of a message that has one extension as its only field. The extension may be an item of a message set.
///
/// # Errors
/// The message type of the extension has more fields than a table can have.
pub(crate) fn extension_fields(extension: &ExtensionDescriptor) -> Result<Table> {
    build(&extension.extendee(), None, vec![(extension.field().clone(), None)])
}

/// Returns the table for the Rust type of an extension's value. The value lies at offset 0. `presence` says whether the value
/// is set.
///
/// # Errors
/// The type and the schema do not fit together.
pub(crate) fn typed_extension_table(
    extension: &ExtensionDescriptor,
    storage: Storage,
    presence: PresenceFn,
) -> Result<Table> {
    let mut table = build(&extension.extendee(), None, vec![(extension.field().clone(), Some(storage))])?;
    table.presence = Some(presence);
    Ok(table)
}

/// The largest number of an ordinary field. Items of message sets may have larger numbers, and such items get no row.
const MAX_NUMBER: u32 = (1 << 29) - 1;

/// Returns the table of a message whose fields are the extensions of `full_name`, with names `[like.this]`. Returns `None` if
/// the pool has no such extensions.
///
/// # Errors
/// There are more than 65,534 extensions.
pub(crate) fn pool_extension_table(pool: &Pool, full_name: &str) -> Result<Option<Arc<Table>>> {
    type Slot = Option<Result<Arc<Table>, Box<str>>>;
    let slot = pool.cache::<Slot>(full_name, || {
        let message = pool.message(full_name)?;
        let mut fields: Vec<Only> = Vec::new();
        for extension in pool.extensions_of(&message) {
            if extension.field().number() <= MAX_NUMBER {
                fields.push((extension.field().clone(), None));
            }
        }
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

/// An extension, and the storage of the Rust type of its value, if it has a Rust type.
type Only = (FieldDescriptor, Option<Storage>);

/// Builds the table of a message. If `only` is not empty, the table has only these fields.
pub(super) fn build(
    descriptor: &MessageDescriptor,
    shape: Option<&'static MessageShape>,
    only: Vec<Only>,
) -> Result<Table> {
    let mut fields = Vec::with_capacity(only.len());
    for (field, _) in &only {
        fields.push(field.clone());
    }
    let contents = match shape {
        Some(shape) => bound(descriptor, shape),
        None => unbound(descriptor, only),
    };
    let is_extensions = !fields.is_empty();
    let head = Head {
        full_name: descriptor.full_name(),
        origin: Origin::Described(descriptor.downgrade()),
        kept: is_extensions.then(|| Box::new(fields) as Kept),
        shape,
        whole: shape.map(|_| Link::described(descriptor.downgrade(), None)),
        // Extensions cannot be extended.
        extendable: !is_extensions && descriptor.extension_ranges().len() > 0,
        message_set: descriptor.is_message_set(),
    };
    let named =
        |error: Error| error.in_message(shape.map_or(descriptor.full_name(), |shape| shape.rust_name()));
    contents.and_then(|contents| assemble(head, contents)).map_err(named)
}

fn unbound(descriptor: &MessageDescriptor, only: Vec<Only>) -> Result<Contents> {
    let mut contents = Contents::default();
    if only.is_empty() {
        for field in descriptor.fields() {
            contents.rows.push(unbound_row(&field, None)?);
        }
    }
    for (field, storage) in &only {
        contents.rows.push(unbound_row(field, *storage)?);
    }
    let mut rows_of = vec![Vec::new(); descriptor.oneofs().len()];
    for (index, row) in (0u16..).zip(&contents.rows) {
        if let Some(oneof) = row.oneof {
            rows_of[usize::from(oneof)].push(index);
        }
    }
    for (oneof, rows) in descriptor.oneofs().zip(rows_of) {
        let (name, rows) = (oneof.name().into(), rows.into());
        contents.oneofs.push(OneofRow { name, rows, variants: Box::default() });
    }
    Ok(contents)
}

fn unbound_row(field: &FieldDescriptor, storage: Option<Storage>) -> Result<Row> {
    let mut row = row(field, storage)?;
    row.oneof = field.oneof().map(|oneof| oneof.index() as u16);
    if let Some(storage) = storage {
        row.location = Location::Member { offset: 0, storage };
    }
    Ok(row)
}

fn bound(descriptor: &MessageDescriptor, shape: &'static MessageShape) -> Result<Contents> {
    let mut contents = struct_rows(shape, &mut |member, in_oneof| bound_row(descriptor, member, in_oneof))?;
    for oneof in descriptor.oneofs() {
        let mut numbers = Vec::new();
        for field in oneof.fields() {
            numbers.push(field.number());
        }
        contents.shared.push(numbers);
    }
    Ok(contents)
}

/// Returns the row of a member of a struct or of a variant of a oneof.
fn bound_row(descriptor: &MessageDescriptor, member: &FieldShape, in_oneof: bool) -> Result<Row> {
    let found = match member.number {
        Some(number) => descriptor.field_by_number(number),
        None => descriptor.field_by_name(member.name),
    };
    let Some(field) = found else {
        let what = match member.number {
            Some(number) => format!("with number {number}"),
            None => format!("named {}", member.name),
        };
        return Err(Error::schema(format!("{} has no field {what}", descriptor.full_name())));
    };
    if in_oneof && field.oneof().is_none() {
        return Err(Error::schema("the field is not in a oneof of the schema"));
    }
    let mut row = row(&field, Some(member.storage))?;
    row.set_debug(member.attributes.debug);
    Ok(row)
}

/// Returns the row of a field. `storage` says how the Rust type stores the field, if it has a Rust type.
fn row(field: &FieldDescriptor, storage: Option<Storage>) -> Result<Row> {
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
        has_name_of_message: match field.is_extension() {
            true => is_item(field),
            false => field.is_group_like(),
        },
        number: field.number(),
        location: match storage {
            // The key and the value of a map entry each have their own address, so the offset is 0.
            Some(storage) => Location::Member { offset: 0, storage },
            None => Location::Arena,
        },
        descriptor_index: field.index_in_file(),
        name: name(field.name()),
        json_name: name(field.json_name()),
        default: field.declared_default().cloned(),
        declares_default: field.declared_default().is_some(),
        ..Row::none()
    };
    match field.shape() {
        Declared::Singular(_) => {
            if let Some(storage) = storage {
                check::check(storage, Shape::Singular, row.kind, None)?;
            }
            set_sub(&mut row, field.kind(), storage)?;
        }
        Declared::List(_) => {
            row.shape = Shape::List;
            row.packed = field.is_packed();
            if let Some(storage) = storage {
                check::check(storage, Shape::List, row.kind, None)?;
            }
            set_sub(&mut row, field.kind(), storage)?;
        }
        Declared::Map { key, value } => {
            if let Some(storage) = storage {
                check::check(storage, Shape::Map, Kind::of(&value), Some(Kind::of(&key)))?;
            }
            let storages = match storage.map(Storage::proto) {
                Some(Storage::Map(functions)) => (Some(functions.key), Some(functions.value)),
                // The rows of the key and the value would have no storage, so they would describe fields in an arena.
                Some(_) => return Err(Error::schema(Storage::BOXES_MANY)),
                None => (None, None),
            };
            let (key, value) = (self::row(&key, storages.0)?, self::row(&value, storages.1)?);
            set_map(&mut row, Box::new(MapRows { key, value }));
        }
    }
    set_tags(&mut row);
    Ok(row)
}

/// True for an item of a message set that is declared, as usual, in its own message type. The text format then prints the name
/// of this message type.
fn is_item(field: &FieldDescriptor) -> bool {
    if field.is_list() || !field.message().is_message_set() {
        return false;
    }
    let is_item = |other: &FieldDescriptor, message: &MessageDescriptor| {
        other.message() == field.message() && other.message_type().as_ref() == Some(message)
    };
    // If a message type declares two items of its own type, only the first has this name.
    field.message_type().is_some_and(|message| {
        let first = message.extensions().find(|other| is_item(other.field(), &message));
        first.is_some_and(|first| first.field().number() == field.number())
    })
}

/// Sets the parts of a row that depend on the message type or enum type of its values.
fn set_sub(row: &mut Row, kind: descriptor::Kind, storage: Option<Storage>) -> Result<()> {
    match kind {
        descriptor::Kind::Message(message) => {
            let shape = match storage.map(Storage::leaf) {
                Some(Storage::Message(shape)) => Some(shape),
                _ => None,
            };
            if message.fields().len() >= usize::from(u16::MAX) {
                return Err(too_large(message.full_name()));
            }
            row.sub = Sub::Message(Link::described(message.downgrade(), shape));
        }
        descriptor::Kind::Enum(enumeration) => {
            row.closed = enumeration.is_closed();
            let shape = match storage.map(Storage::leaf) {
                Some(Storage::OpenEnum(shape)) => Some(shape),
                Some(Storage::ClosedEnum(functions)) => Some(functions.shape),
                _ => None,
            };
            row.sub = Sub::Enum(EnumLink::to(match shape {
                Some(shape) => shape().table_of(&enumeration),
                None => enumeration.table(),
            }));
        }
        _ => {}
    }
    Ok(())
}
