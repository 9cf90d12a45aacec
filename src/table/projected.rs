//! What a table of some of the fields of a message knows of the others.

use super::{Link, Row, Table};
use std::sync::Arc;

/// What becomes of fields that a table has no row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// They are kept, or may be.
    Kept,
    /// They leave no trace.
    Dropped,
    /// It depends on the field.
    Asked,
}

/// What the table of a projection knows beside its rows.
#[derive(Debug)]
pub(crate) struct Projected {
    /// The table of all fields.
    pub(super) whole: Link,
    /// Fields that the whole message does not know are kept.
    pub(super) keeps_unknown: bool,
    /// The tables that rows of this one link to.
    #[expect(dead_code, reason = "it only keeps them alive")]
    pub(super) inside: Vec<Arc<Table>>,
}

impl Table {
    /// The table of all fields, of a projection.
    pub(crate) fn unprojected(&self) -> Option<&Table> {
        self.projected.as_ref()?.whole.table().ok()
    }

    /// The row of a field that a projection leaves out.
    #[cold]
    pub(crate) fn left_out(&self, number: u32) -> Option<&Row> {
        match self.numbers.get(number) {
            Some(_) => None,
            None => self.unprojected()?.row(number),
        }
    }

    /// The fields of a projection that are void when one comes that it leaves out: those of the same oneof.
    pub(crate) fn voided<'t>(&'t self, left_out: &'t Row) -> impl Iterator<Item = &'t Row> {
        let siblings = left_out.siblings.as_deref().unwrap_or_default();
        self.rows.iter().filter(move |row| {
            (row.oneof.is_some() && row.oneof == left_out.oneof) || siblings.contains(&row.slot)
        })
    }

    /// True where a message keeps the unknown fields in it.
    #[inline]
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.projected.as_ref().is_none_or(|projected| projected.keeps_unknown)
    }

    /// True for the tag of a field that leaves no trace in the message.
    #[inline]
    pub(crate) fn passes(&self, tag: u32) -> bool {
        match self.passing {
            Passing::Dropped => self.numbers.get(tag >> 3).is_none(),
            Passing::Kept => false,
            Passing::Asked => self.asked(tag),
        }
    }

    fn asked(&self, tag: u32) -> bool {
        if self.numbers.get(tag >> 3).is_some() {
            return false;
        }
        match self.left_out(tag >> 3) {
            Some(row) if row.tag == tag || row.other_tag == tag => {
                // Whether it is the field's, or unknown, depends on the number of a closed enum.
                let may_be_unknown = row.closed && self.keeps_unknown();
                let voids = row.is_in_oneof() && self.voided(row).next().is_some();
                !may_be_unknown && !voids
            }
            _ => !self.keeps_unknown(),
        }
    }
}
