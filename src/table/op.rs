//! Finds the operation of a field (see [`Op`]), on which the fast paths of the wire codec branch. A row describes one field.

use super::{Kind, Location, Op, Row, Shape};
use crate::layout::{BoxStorage, OptionStorage, Storage};
use crate::wire::{unzigzag32, unzigzag64};

impl Op {
    /// Returns the operation of the field that a row describes.
    pub(super) fn of(row: &Row) -> Op {
        let storage = match row.location {
            Location::Member { storage, .. } => storage,
            Location::Variant { storage, .. } => {
                return match Op::single(row, storage) {
                    // Only the slow path can reject a value and leave the oneof unchanged.
                    Op::Other | Op::Enum => Op::Other,
                    _ => Op::Variant,
                };
            }
            Location::Arena => {
                return match row.shape {
                    Shape::Map => Op::Map,
                    Shape::List => Op::List,
                    Shape::Singular if row.oneof_mask != 0 => Op::Variant,
                    Shape::Singular if row.oneof.is_some() => Op::Other,
                    Shape::Singular => Op::in_arena(row),
                };
            }
        };
        if row.siblings.is_some() || matches!(storage, Storage::Made(_)) {
            // Only the slow path clears the other members of the oneof, and makes proto values.
            return Op::Other;
        }
        match row.shape {
            Shape::Map if row.map().value.op == Op::Message => Op::MessageMap,
            Shape::Map => Op::Map,
            Shape::List => match storage {
                Storage::List(list) if list.lazy.is_some() => Op::Other,
                Storage::List(list) => Op::list(row, list.element),
                _ => Op::Other,
            },
            Shape::Singular => match storage {
                Storage::Option(option) => Op::option(row, option),
                _ => Op::single(row, storage),
            },
        }
    }

    /// True for a single string or byte string that the fast paths handle.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Op::String | Op::Str | Op::Vec | Op::Slice | Op::Text)
    }

    /// True for a number or bool if every value is valid.
    pub(crate) fn is_number(self) -> bool {
        use Op::{Bool, Fixed32, Fixed64, Int32, Int64, SInt32, SInt64, UInt32};
        matches!(self, Int32 | UInt32 | Int64 | SInt32 | SInt64 | Bool | Fixed32 | Fixed64)
    }

    /// Converts the value of a varint to the bits of a number with this operation.
    #[inline]
    pub(crate) fn of_varint(self, value: u64) -> u64 {
        match self {
            Op::Int32 | Op::UInt32 | Op::Enum => u64::from(value as u32),
            Op::SInt32 => u64::from(unzigzag32(value as u32) as u32),
            Op::SInt64 => unzigzag64(value) as u64,
            Op::Bool => u64::from(value != 0),
            _ => value,
        }
    }

    /// Returns the operation of the value that is in a oneof or in an option, or has a presence bit.
    pub(super) fn inner(row: &Row) -> Op {
        match row.location {
            Location::Variant { storage, .. } => Op::single(row, storage),
            Location::Arena => Op::in_arena(row),
            Location::Member { storage: Storage::Option(option), .. } => Op::single(row, option.value()),
            _ => Op::Other,
        }
    }

    /// Returns the operation of a single value in an arena.
    fn in_arena(row: &Row) -> Op {
        if row.closed { Op::Enum } else { Op::element(row) }
    }

    /// Returns the operation of an element of a list in an arena, where every number is valid.
    pub(crate) fn element(row: &Row) -> Op {
        match row.kind {
            Kind::Int32 | Kind::Enum => Op::Int32,
            Kind::UInt32 => Op::UInt32,
            Kind::Int64 | Kind::UInt64 => Op::Int64,
            Kind::SInt32 => Op::SInt32,
            Kind::SInt64 => Op::SInt64,
            Kind::Bool => Op::Bool,
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => Op::Fixed32,
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => Op::Fixed64,
            Kind::String if row.utf8 => Op::String,
            Kind::String | Kind::Bytes => Op::Vec,
            Kind::Message => Op::Message,
            Kind::Group => Op::Group,
        }
    }

    /// Returns the operation of a single value of a Rust type.
    pub(super) fn single(row: &Row, storage: Storage) -> Op {
        use Storage as S;
        match (row.kind, storage) {
            (Kind::Int32, S::I32) => Op::Int32,
            (Kind::Enum, S::I32 | S::OpenEnum(_)) if !row.closed => Op::Int32,
            (Kind::UInt32, S::U32) => Op::UInt32,
            (Kind::Int64, S::I64) | (Kind::UInt64, S::U64) => Op::Int64,
            (Kind::SInt32, S::I32) => Op::SInt32,
            (Kind::SInt64, S::I64) => Op::SInt64,
            (Kind::Bool, S::Bool) => Op::Bool,
            (Kind::Float, S::F32) | (Kind::Fixed32, S::U32) | (Kind::SFixed32, S::I32) => Op::Fixed32,
            (Kind::Double, S::F64) | (Kind::Fixed64, S::U64) | (Kind::SFixed64, S::I64) => Op::Fixed64,
            (Kind::String | Kind::Bytes, S::String) => Op::String,
            (Kind::String | Kind::Bytes, S::Str) => Op::Str,
            (Kind::Bytes, S::Vec) => Op::Vec,
            (Kind::Bytes, S::Slice) => Op::Slice,
            (Kind::String | Kind::Bytes, S::Text(_)) => Op::Text,
            // If the schema requires UTF-8, a string that is stored as bytes must be checked, which the slow path does.
            (Kind::String, S::Vec) if !row.utf8 => Op::Vec,
            (Kind::String, S::Slice) if !row.utf8 => Op::Slice,
            (Kind::Message, S::Message(_)) => Op::Message,
            (Kind::Message, S::Box(BoxStorage { content: S::Message(_), .. })) => Op::BoxMessage,
            (Kind::Enum, S::I32 | S::OpenEnum(_) | S::ClosedEnum(_)) => Op::Enum,
            _ => Op::Other,
        }
    }

    fn option(row: &Row, option: OptionStorage) -> Op {
        let is_bit = option.bit().is_some();
        match Op::single(row, option.value()) {
            _ if option.lazy().is_some() => Op::Other,
            // An option of an enum is not an `Option`, because it changes only if the enum accepts the number.
            Op::Enum => Op::Enum,
            op if is_bit && (op.is_number() || op.is_text()) => Op::Bit,
            Op::Other => Op::Other,
            _ if is_bit => Op::Other,
            _ => Op::Option,
        }
    }

    fn list(row: &Row, element: Storage) -> Op {
        match Op::single(row, element) {
            op if op.is_number() => Op::Numbers,
            Op::String => Op::Strings,
            Op::Vec => Op::Vecs,
            Op::Str => Op::Strs,
            Op::Slice => Op::Slices,
            Op::Text => Op::Texts,
            Op::Message => Op::Messages,
            _ => Op::Other,
        }
    }
}
