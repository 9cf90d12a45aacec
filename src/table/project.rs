//! Builds projections: tables that have only some of the fields of a message.
//!
//! A decoder that uses a projection skips the fields that the projection omits. A row describes one field. A selected field has
//! a copy of its row in the whole table, with the same slot and offset, but with a new index.

use super::assemble::{index_rows, made_table, numbers, required};
use super::build::extension_table;
use super::projected::{OmittedFields, Projected};
use super::{Link, Location, NumberTable, OneofRow, Row, Shape, Sub, Table, WellKnown};
use crate::descriptor::{ExtensionDescriptor, Mask};
use crate::error::Result;
use once_cell::sync::OnceCell;
use std::sync::Arc;

impl Table {
    /// Returns a projection with the fields in `fields`, each with a mask for its inner fields. `self` must outlive the
    /// projection, unless a cache keeps `self`.
    ///
    /// # Errors
    /// The table of a nested message cannot be built, because its Rust type and its schema do not fit together.
    pub(crate) fn project(&self, fields: &[(u32, Mask)], keeps_unknown: bool) -> Result<Table> {
        self.project_with(fields, &[], keeps_unknown)
    }

    /// Returns a projection with the fields whose numbers are in `fields`. A number may also be that of an extension in
    /// `extensions`. If there are extensions, `self` must be the table of a message without a Rust type.
    ///
    /// # Errors
    /// Fails if [`project`](Self::project) would fail, or if an extension is in a message set, whose items are not decoded as
    /// fields.
    pub(crate) fn project_with(
        &self,
        fields: &[(u32, Mask)],
        extensions: &[ExtensionDescriptor],
        keeps_unknown: bool,
    ) -> Result<Table> {
        let mut inside = Vec::new();
        let mut rows = Vec::new();
        let mut cells = self.cells;
        let mut slots = self.rows.len() as u16;
        for (number, mask) in fields {
            let mut row = match self.row(*number) {
                Some(row) => row.clone(),
                None => match extensions.iter().find(|extension| self.has_extension(extension, *number)) {
                    Some(extension) => {
                        slots += 1;
                        let row = Row { slot: slots - 1, ..extension_table(extension)?.rows[0].clone() };
                        row.laid_out_behind(&mut cells)
                    }
                    // The Rust type may have no member for the field.
                    None => continue,
                },
            };
            row.lossy = !keeps_unknown;
            if let Mask::Fields(fields) = mask {
                project_sub(&mut row, fields, extensions, keeps_unknown, &mut inside)?;
            }
            if let Some((functions, _)) = row.made() {
                let location = Location::Member { offset: 0, storage: functions.proto };
                let table = made_table(&self.full_name, self.origin.clone(), &row, location)?;
                row.made = Some(Arc::new(table));
            }
            rows.push(row);
        }
        index_rows(&mut rows);
        let mut oneofs = Vec::with_capacity(self.oneofs.len());
        for oneof in &self.oneofs {
            let rows = positions(&rows, &oneof.rows);
            oneofs.push(OneofRow { name: oneof.name.clone(), rows, variants: Box::default() });
        }
        for index in 0..rows.len() {
            if let Some(siblings) = &rows[index].siblings {
                rows[index].siblings = Some(positions(&rows, siblings));
            }
        }
        let numbers = numbers(&rows);
        let (required, required_bits) = required(&rows);
        let unknown = self.unknown.filter(|_| keeps_unknown);
        let is_kept = keeps_unknown && (self.shape.is_none() || unknown.is_some());
        let passing = match is_kept || rows.iter().any(Row::is_in_oneof) {
            true => OmittedFields::Asked,
            false => OmittedFields::Dropped,
        };
        Ok(Table {
            full_name: self.full_name.clone(),
            origin: self.origin.clone(),
            kept: Some(Box::new((inside, extensions.to_vec()))),
            numbers: NumberTable::new(&numbers),
            cells,
            passing,
            projected: Some(Box::new(Projected { whole: Link::to(self), keeps_unknown: is_kept })),
            whole: self.whole.clone(),
            required,
            required_bits,
            fixed_len: 0,
            keys: OnceCell::new(),
            rows: rows.into(),
            oneofs: oneofs.into(),
            shape: self.shape,
            unknown,
            names: OnceCell::new(),
            text_names: OnceCell::new(),
            size: self.size,
            known: self.known,
            extendable: self.extendable && keeps_unknown,
            message_set: self.message_set,
            presence: self.presence,
            steps: OnceCell::new(),
            clear: OnceCell::new(),
            last_size: Default::default(),
            last_json_size: Default::default(),
            last_text_size: Default::default(),
            cells_per_byte: Default::default(),
            checked: OnceCell::new(),
        })
    }
}

impl Table {
    fn has_extension(&self, extension: &ExtensionDescriptor, number: u32) -> bool {
        extension.field().number() == number && self.is_of(&extension.extendee())
    }
}

/// Returns the positions in `rows` of the rows with these slots. A slot is the index of a field among all fields of the
/// message.
fn positions(rows: &[Row], slots: &[u16]) -> Box<[u16]> {
    let mut positions = Vec::with_capacity(slots.len());
    for slot in slots {
        if let Some(row) = rows.iter().find(|row| row.slot == *slot) {
            positions.push(row.index);
        }
    }
    positions.into()
}

/// Replaces the table of the messages in the field `row` by a projection, and adds the projection to `inside`. Does nothing if
/// the field has no messages, or if their type is well-known.
fn project_sub(
    row: &mut Row,
    fields: &[(u32, Mask)],
    extensions: &[ExtensionDescriptor],
    keeps_unknown: bool,
    inside: &mut Vec<Arc<Table>>,
) -> Result<()> {
    let holder = match (&mut row.sub, row.shape) {
        (Sub::Map(rows), _) => &mut rows.value.sub,
        (sub, Shape::Singular | Shape::List) => sub,
        _ => return Ok(()),
    };
    let Sub::Message(link) = holder else { return Ok(()) };
    let whole = link.table()?;
    if whole.known != WellKnown::No {
        return Ok(());
    }
    let table = Arc::new(whole.project_with(fields, extensions, keeps_unknown)?);
    *link = Link::to(&table);
    inside.push(table);
    Ok(())
}
