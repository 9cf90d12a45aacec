//! Builds the tables of Rust types whose attributes declare their schemas, without descriptors. Such a type is called *stated*.
//! A table has a row for each field.
//!
//! The attributes and the descriptor of a type must agree: `tests/stated/` compares the tables of all generated types with
//! tables that are built from their descriptors.

use super::assemble::{Head, assemble, set_map, set_tags, struct_rows};
use super::{
    EnumLink, EnumTable, Kind, Link, Location, MapRows, Origin, Presence, Row, Shape, Sub, Table, check,
};
use crate::descriptor::json_name;
use crate::error::{Error, Result};
use crate::layout::{Attributes, EnumShape, FieldShape, MessageShape, Storage, TypeShape, WireKind};

/// Returns the table of a stated type.
///
/// # Errors
/// The attributes are not valid: for example, a field has no number, two fields share a number, or a Rust type does not fit its
/// field.
pub(super) fn stated(shape: &'static MessageShape, full_name: &'static str) -> Result<Table> {
    let head = Head {
        full_name,
        origin: Origin::Stated(shape),
        kept: None,
        shape: Some(shape),
        whole: None,
        extendable: shape.extendable,
        message_set: false,
    };
    let contents = struct_rows(shape, &mut row);
    contents
        .and_then(|contents| assemble(head, contents))
        .map_err(|error| error.in_message(shape.rust_name()))
}

/// Returns the row of a member of a struct, or of a variant of a oneof.
fn row(field: &FieldShape, _: bool) -> Result<Row> {
    let attributes = field.attributes;
    let Some(number) = field.number else {
        return Err(Error::schema("a field that is stated needs a number"));
    };
    let mut row = Row::none();
    set_value(&mut row, field.storage, attributes.kind, attributes)?;
    row.number = number;
    row.name = field.name.into();
    row.json_name = match attributes.json_name {
        Some(name) => name.into(),
        None => json_name(field.name).into(),
    };
    row.redact = attributes.redact;
    row.set_debug(attributes.debug);
    row.has_name_of_message = attributes.group;
    row.declares_default = attributes.default.is_some();
    if attributes.required {
        row.presence = Presence::Required;
    }
    set_tags(&mut row);
    Ok(row)
}

/// Sets the parts of `row` that depend on the type of the value. Changes the row in place, because a row is large.
fn set_value(row: &mut Row, storage: Storage, wire: Option<WireKind>, attributes: &Attributes) -> Result<()> {
    row.location = Location::Member { offset: 0, storage };
    match storage.ty() {
        TypeShape::Map(key, value) => {
            let mut rows = Box::new(MapRows::none());
            set_entry(&mut rows.key, 1, key, attributes.key, attributes)?;
            set_entry(&mut rows.value, 2, value, wire, attributes)?;
            check::check(storage, Shape::Map, rows.value.kind, Some(rows.key.kind))?;
            set_map(row, rows);
        }
        TypeShape::List(element) => {
            row.shape = Shape::List;
            set_kind(row, element.ty(), wire, attributes);
            row.packed = attributes.packed.unwrap_or(true) && row.is_scalar();
            check::check(storage, Shape::List, row.kind, None)?;
        }
        single => {
            let option = if let TypeShape::Option(value) = single { Some(value.ty()) } else { None };
            set_kind(row, option.unwrap_or(single), wire, attributes);
            if row.is_message() || option.is_some() {
                row.presence = Presence::Explicit;
            }
            check::check(storage, Shape::Singular, row.kind, None)?;
        }
    }
    set_sub(row, storage)
}

/// Sets the row of the key or the value of a map entry.
fn set_entry(
    row: &mut Row,
    number: u32,
    storage: Storage,
    wire: Option<WireKind>,
    attributes: &Attributes,
) -> Result<()> {
    set_value(row, storage, wire, attributes)?;
    let name = if number == 1 { "key" } else { "value" };
    (row.number, row.name, row.json_name) = (number, name.into(), name.into());
    set_tags(row);
    Ok(())
}

fn set_kind(row: &mut Row, ty: TypeShape, wire: Option<WireKind>, attributes: &Attributes) {
    row.kind = match (wire, ty) {
        (Some(WireKind::SInt32), _) => Kind::SInt32,
        (Some(WireKind::SInt64), _) => Kind::SInt64,
        (Some(WireKind::Fixed32), _) => Kind::Fixed32,
        (Some(WireKind::Fixed64), _) => Kind::Fixed64,
        (Some(WireKind::SFixed32), _) => Kind::SFixed32,
        (Some(WireKind::SFixed64), _) => Kind::SFixed64,
        (None, TypeShape::Bool) => Kind::Bool,
        (None, TypeShape::I32) => Kind::Int32,
        (None, TypeShape::I64) => Kind::Int64,
        (None, TypeShape::U32) => Kind::UInt32,
        (None, TypeShape::U64) => Kind::UInt64,
        (None, TypeShape::F32) => Kind::Float,
        (None, TypeShape::F64) => Kind::Double,
        (None, TypeShape::Str) => Kind::String,
        (None, TypeShape::Bytes) => Kind::Bytes,
        (None, TypeShape::Enum(_)) => Kind::Enum,
        (None, TypeShape::Message(_)) if attributes.delimited => Kind::Group,
        (None, _) => Kind::Message,
    };
    row.utf8 = row.kind == Kind::String && !attributes.loose;
}

/// Sets the message type or enum type of the values of the row.
fn set_sub(row: &mut Row, storage: Storage) -> Result<()> {
    let shape = match storage.leaf() {
        Storage::Message(shape) => {
            row.sub = Sub::Message(Link::stated(shape));
            return Ok(());
        }
        Storage::OpenEnum(shape) => shape(),
        Storage::ClosedEnum(functions) => (functions.shape)(),
        _ => return Ok(()),
    };
    row.closed = shape.numbers.is_some();
    row.sub = Sub::Enum(EnumLink::to(enum_table(shape)?));
    Ok(())
}

fn enum_table(shape: &'static EnumShape) -> Result<&'static EnumTable> {
    match shape.stated_name() {
        Some(full_name) => Ok(shape.cached_table(|| EnumTable::stated(shape, full_name, shape.numbers))),
        None => Err(Error::schema(format!("the type `{}` does not state its schema", shape.rust_name()))),
    }
}
