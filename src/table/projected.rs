//! Facts about the omitted fields of a table with some of the fields of a message.

use super::{Link, NumberTable, Row, Table};
use crate::wire::skip_fields;

/// How the decoder treats fields that have no row in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OmittedFields {
    /// The message keeps them, or may keep them.
    Kept,
    /// The message does not store them.
    Dropped,
    /// Some fields are kept and others dropped, so the number decides.
    Asked,
}

/// The facts that a projection has besides its rows.
#[derive(Debug)]
pub(crate) struct Projected {
    /// The table of all fields.
    pub(super) whole: Link,
    /// True if fields that the whole message does not know are kept.
    pub(super) keeps_unknown: bool,
}

impl Projected {
    #[cold]
    fn left_out(&self, selected: &NumberTable, number: u32) -> Option<&Row> {
        match selected.get(number) {
            Some(_) => None,
            None => self.whole.table().ok()?.row(number),
        }
    }
}

impl Table {
    /// Returns the table of all fields, if this is a projection.
    pub(crate) fn unprojected(&self) -> Option<&Table> {
        self.projected.as_ref()?.whole.table().ok()
    }

    /// Returns the row of a field that this projection omits. Other tables omit no fields, so they are not searched.
    #[inline]
    pub(crate) fn left_out(&self, number: u32) -> Option<&Row> {
        self.projected.as_ref()?.left_out(&self.numbers, number)
    }

    /// Returns the fields of a projection that are cleared when an omitted field occurs, because they are in the same
    /// oneof.
    pub(crate) fn voided<'t>(&'t self, left_out: &'t Row) -> impl Iterator<Item = &'t Row> {
        let siblings = left_out.siblings.as_deref().unwrap_or_default();
        self.rows.iter().filter(move |row| {
            (row.oneof.is_some() && row.oneof == left_out.oneof) || siblings.contains(&row.slot)
        })
    }

    /// True if a message keeps unknown fields.
    #[inline]
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.projected.as_ref().is_none_or(|projected| projected.keeps_unknown)
    }

    /// Skips fields at the start of the input that the message does not store, as far as the fast path recognizes
    /// them, and returns the rest.
    pub(crate) fn pass_over<'i>(&self, fields: &'i [u8]) -> &'i [u8] {
        match self.passing {
            OmittedFields::Kept => fields,
            passing => skip_fields(fields, |tag| match passing {
                OmittedFields::Dropped => self.numbers.lacks(tag >> 3),
                _ => self.asked(tag),
            }),
        }
    }

    /// True if `tag` is the tag of a field that the message does not store.
    #[inline(never)]
    fn asked(&self, tag: u32) -> bool {
        if tag < 8 || self.numbers.get(tag >> 3).is_some() {
            return false;
        }
        match self.left_out(tag >> 3) {
            Some(row) if row.tag == tag || row.other_tag == tag => {
                // A number of a closed enum decides whether it belongs to the field or to the unknown fields.
                let may_be_unknown = row.closed && self.keeps_unknown();
                let voids = row.is_in_oneof() && self.voided(row).next().is_some();
                !may_be_unknown && !voids
            }
            _ => !self.keeps_unknown(),
        }
    }
}
