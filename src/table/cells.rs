//! Gives each field its cells in an arena, which stores dynamic and parsed messages. A cell has four bytes. The generated
//! references to messages in an arena lay out fields by the same rule.

use super::{Location, OneofRow, Row, Shape};
pub(crate) use crate::descriptor::cells::Width;
use crate::descriptor::cells::{FieldContents, FieldPlaces};

/// The number of cells that a map takes in an arena, without its entries.
pub(crate) const MAP_CELLS: u32 = 4;

/// The number of cells that an entry of a map takes in an arena, for every type of key and value.
pub(crate) const ENTRY_CELLS: u32 = 6;

impl Row {
    /// Returns the width of one value: the value of a singular field, or an element of a list.
    #[inline(always)]
    pub(crate) fn width(&self) -> Width {
        Width::of(self.kind.ty())
    }

    /// Returns what the field stores in the cells of its message.
    fn contents(&self) -> FieldContents {
        match self.shape {
            Shape::Singular => FieldContents::Single(self.kind.ty()),
            Shape::List => FieldContents::List,
            Shape::Map => FieldContents::Map,
        }
    }
}

impl Row {
    /// Lays a field out after the first `cells` cells, which other fields use. The field gets a cell for its presence bit and
    /// cells for its value. Adds the number of these cells to `cells`.
    pub(super) fn laid_out_behind(self, cells: &mut u32) -> Row {
        let (presence_word, offset) = (4 * *cells, 4 * (*cells + 1));
        *cells += 1 + self.contents().cells();
        Row { presence_word, presence_mask: 1, offset, ..self }
    }
}

/// Gives each field of a message its cells in an arena, and returns how many cells the message takes.
pub(super) fn lay_out(rows: &mut [Row], oneofs: &[OneofRow]) -> u32 {
    let mut places = FieldPlaces::of(rows.len());
    for row in &mut *rows {
        let contents = row.contents();
        let place = places.next(contents);
        if let Location::Arena = row.location {
            (row.offset, row.presence_word) = (4 * place.cell, place.bit / 32 * 4);
            row.presence_mask = 1 << (place.bit % 32);
        }
        row.word_mask = if contents.cells() == 2 { u64::MAX } else { u64::from(u32::MAX) };
    }
    for oneof in oneofs {
        let members = || oneof.rows.iter().map(|row| usize::from(*row));
        let mask = members().fold(0, |mask, row| mask | rows[row].presence_mask);
        for row in members() {
            let is_near = members().all(|other| rows[other].presence_word == rows[row].presence_word);
            rows[row].oneof_mask = if is_near { mask } else { 0 };
        }
    }
    places.cells()
}
