//! Computes the places of a message's fields in an arena. An arena is the memory of dynamic and parsed messages. It
//! has cells of four bytes, and a value takes one or two cells.
//!
//! The first cells of a message have bits. The first bit says whether the message has unknown fields. Then each field
//! has a bit that says whether the field is set. The values follow in the order of the field numbers. The tables of
//! `tobu` use these places. The types that `tobu-build` generates for reading parsed messages use the places, too, so
//! that they can read a field without a table.

use crate::descriptor::{FieldDescriptor, FieldShape, Type};

/// The number of bytes that each element of a list takes in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A bool.
    One,
    /// An enum, a float or an integer of 32 bits, or the position of a message.
    Four,
    /// A double or an integer of 64 bits, or the offset and the length of a string.
    Eight,
}

impl Width {
    /// Returns the width of a value.
    #[inline]
    pub const fn of(ty: Type) -> Self {
        match ty {
            Type::Bool => Width::One,
            Type::Int64 | Type::UInt64 | Type::SInt64 | Type::Fixed64 | Type::SFixed64 | Type::Double => {
                Width::Eight
            }
            Type::String | Type::Bytes => Width::Eight,
            _ => Width::Four,
        }
    }

    /// Returns the width as a number of bytes.
    #[inline(always)]
    pub const fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// Returns the number of cells that `elements` elements take.
    #[inline(always)]
    pub const fn cells(self, elements: usize) -> usize {
        match self {
            Width::One => elements.div_ceil(4),
            Width::Four => elements,
            Width::Eight => 2 * elements,
        }
    }
}

/// The kind of content of a field, as far as the number of its cells depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldContents {
    /// A single value. If the value is a message, the cell has the position of the message.
    Single(Type),
    /// A list. The cells have its position and its length.
    List,
    /// A map. The cell has its position.
    Map,
}

impl FieldContents {
    /// Returns the number of cells that the content takes in its message.
    pub const fn cells(self) -> u32 {
        match self {
            FieldContents::Single(ty) => matches!(Width::of(ty), Width::Eight) as u32 + 1,
            FieldContents::List => 2,
            FieldContents::Map => 1,
        }
    }
}

/// The place of a field in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// The index of the bit that says whether the field is set.
    pub bit: u32,
    /// The index of the first cell of the value.
    pub cell: u32,
}

/// Computes the places of the fields of a message, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct FieldPlaces {
    bit: u32,
    cell: u32,
}

impl FieldPlaces {
    /// Begins the computation for a message with `fields` fields.
    pub const fn of(fields: usize) -> Self {
        FieldPlaces { bit: 0, cell: (fields as u32 + 1).div_ceil(32) }
    }

    /// Returns the place of the next field, which has the next higher number.
    pub const fn next(&mut self, contents: FieldContents) -> FieldPlace {
        self.bit += 1;
        let place = FieldPlace { bit: self.bit, cell: self.cell };
        self.cell += contents.cells();
        place
    }

    /// Returns the number of cells that the message takes. Call this after `next` returned the place of each field.
    pub const fn cells(self) -> u32 {
        self.cell
    }
}

impl FieldDescriptor {
    /// Returns the content of the field in an arena.
    #[doc(hidden)]
    pub fn contents(&self) -> FieldContents {
        match self.shape() {
            FieldShape::Singular(kind) => FieldContents::Single(kind.ty()),
            FieldShape::List(_) => FieldContents::List,
            FieldShape::Map { .. } => FieldContents::Map,
        }
    }
}
