//! Finds the wire form of the values of a field, and their kind in reflection. A row describes one field.

use super::{Form, Kind, Location, Row, Shape, ValueKind};
use crate::layout::Storage;

impl Form {
    /// Returns the wire form of a field's values if they have the main tag of the row (`tag`, not `other_tag`).
    pub(super) fn of(row: &Row) -> Form {
        if !takes_all(row) {
            return Form::Any;
        }
        match (row.kind, row.packed) {
            _ if row.shape == Shape::Map => Form::Entry,
            (Kind::Message, _) => Form::Message,
            (Kind::Group, _) => Form::Any,
            (Kind::String, _) => Form::Text,
            (Kind::Bytes, _) => Form::Bytes,
            (Kind::Fixed32 | Kind::SFixed32 | Kind::Float, false) => Form::Four,
            (Kind::Fixed32 | Kind::SFixed32 | Kind::Float, true) => Form::Fours,
            (Kind::Fixed64 | Kind::SFixed64 | Kind::Double, false) => Form::Eight,
            (Kind::Fixed64 | Kind::SFixed64 | Kind::Double, true) => Form::Eights,
            (_, false) => Form::Varint,
            (_, true) => Form::Varints,
        }
    }
}

/// True if the value is in a struct, in a member that can hold every value of the field's kind. True for a map in a struct,
/// because the rows of its key and value have their own forms.
fn takes_all(row: &Row) -> bool {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => storage,
        Location::Arena => return false,
    };
    if let Storage::Made(_) = storage {
        return false;
    }
    let storage = storage.leaf();
    match storage {
        Storage::ClosedEnum(_) | Storage::Number(_) => false,
        Storage::Text(functions) if functions.conversion.is_some() => false,
        _ => row.kind != Kind::Bytes || !storage.is_string(),
    }
}

impl ValueKind {
    /// Returns the kind that the value of a row has in reflection.
    pub(super) fn of(row: &Row) -> ValueKind {
        match (row.shape, row.kind) {
            (Shape::List, _) => ValueKind::List,
            (Shape::Map, _) => ValueKind::Map,
            (Shape::Singular, Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => ValueKind::I32,
            (Shape::Singular, Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => ValueKind::I64,
            (Shape::Singular, Kind::UInt32 | Kind::Fixed32) => ValueKind::U32,
            (Shape::Singular, Kind::UInt64 | Kind::Fixed64) => ValueKind::U64,
            (Shape::Singular, Kind::Float) => ValueKind::F32,
            (Shape::Singular, Kind::Double) => ValueKind::F64,
            (Shape::Singular, Kind::Enum) => ValueKind::Enum,
            (Shape::Singular, Kind::Bool) => ValueKind::Bool,
            (Shape::Singular, Kind::String) => ValueKind::Str,
            (Shape::Singular, Kind::Bytes) => ValueKind::Bytes,
            (Shape::Singular, Kind::Message | Kind::Group) => ValueKind::Message,
        }
    }
}
