//! How the fields of a message lie in an arena: in cells of four bytes, of which a value takes one or two.
//!
//! First come cells with a bit for each field that says whether it is set, after one for the message itself: it has unknown
//! fields. Then come the values, in the order of the fields' numbers.

use super::{Kind, Location, OneofRow, Row, Shape};

/// How many bytes the elements of a list take in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// A bool.
    One,
    /// An enum, a float or an integer of 32 bits, or the position of a message.
    Four,
    /// A double or an integer of 64 bits, or the offset and the length of a string.
    Eight,
}

/// How many cells an entry of a map takes in an arena, whatever its key and its value are.
pub(crate) const ENTRY_CELLS: u32 = 6;

impl Width {
    /// As a number.
    #[inline(always)]
    pub(crate) fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// How many cells that many elements take.
    #[inline(always)]
    pub(crate) fn cells(self, elements: usize) -> usize {
        match self {
            Width::One => elements.div_ceil(4),
            Width::Four => elements,
            Width::Eight => 2 * elements,
        }
    }
}

impl Row {
    /// The width of its elements where it is a list, or of a single value.
    #[inline(always)]
    pub(crate) fn width(&self) -> Width {
        match self.kind {
            Kind::Bool => Width::One,
            Kind::Int64
            | Kind::UInt64
            | Kind::SInt64
            | Kind::Fixed64
            | Kind::SFixed64
            | Kind::Double
            | Kind::String
            | Kind::Bytes => Width::Eight,
            _ => Width::Four,
        }
    }

    /// True if its value takes two cells of a message: that of a list does, its position and its length.
    fn is_wide(&self) -> bool {
        match self.shape {
            Shape::Singular => self.width() == Width::Eight,
            Shape::List => true,
            Shape::Map => false,
        }
    }
}

impl Row {
    /// The row of a field that a message has behind so many cells, in which no other row is: a bit and the value.
    pub(super) fn laid_out_behind(self, cells: &mut u32) -> Row {
        let (presence_word, offset) = (4 * *cells, 4 * (*cells + 1));
        *cells += 2 + u32::from(self.is_wide());
        Row { presence_word, presence_mask: 1, offset, ..self }
    }
}

/// Gives each field of a message that lies in arenas its cells, and returns how many the message takes.
pub(super) fn lay_out(rows: &mut [Row], oneofs: &[OneofRow]) -> u32 {
    let mut cells = (rows.len() as u32 + 1).div_ceil(32);
    for row in &mut *rows {
        if let Location::Arena = row.location {
            let bit = u32::from(row.slot) + 1;
            (row.offset, row.presence_word, row.presence_mask) = (4 * cells, bit / 32 * 4, 1 << (bit % 32));
        }
        row.word_mask = if row.is_wide() { u64::MAX } else { u64::from(u32::MAX) };
        cells += 1 + u32::from(row.is_wide());
    }
    for oneof in oneofs {
        let members = || oneof.rows.iter().map(|row| usize::from(*row));
        let mask = members().fold(0, |mask, row| mask | rows[row].presence_mask);
        for row in members() {
            let is_near = members().all(|other| rows[other].presence_word == rows[row].presence_word);
            rows[row].oneof_mask = if is_near { mask } else { 0 };
        }
    }
    cells
}
