//! What a projection (a table with only some fields of a message) knows about the fields that it omits.

use super::{Link, NumberTable, Row, Table};
use crate::wire::skip_fields;

/// What the decoder does with fields that have no row in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OmittedFields {
    /// The decoder must not skip these fields, because the message may store them as unknown fields.
    Kept,
    /// The decoder skips these fields, because the message does not store them.
    Dropped,
    /// The decoder may skip only some of these fields. It calls `asked` for each tag.
    Asked,
}

/// The facts about a projection that are not in its rows.
#[derive(Debug)]
pub(crate) struct Projected {
    /// The table from which the projection was made.
    pub(super) whole: Link,
    /// True if the message keeps fields that its schema does not know.
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
    /// Returns the table from which this projection was made, or `None` if this table is not a projection.
    pub(crate) fn unprojected(&self) -> Option<&Table> {
        self.projected.as_ref()?.whole.table().ok()
    }

    /// Returns the row of a field that this projection omits. Returns `None` if the projection has the field or the message
    /// does not have it, or if this table is not a projection.
    #[inline]
    pub(crate) fn left_out(&self, number: u32) -> Option<&Row> {
        self.projected.as_ref()?.left_out(&self.numbers, number)
    }

    /// Returns the fields of a projection that must be cleared when the omitted field `left_out` occurs, because they are in
    /// the same oneof.
    pub(crate) fn voided<'t>(&'t self, left_out: &'t Row) -> impl Iterator<Item = &'t Row> {
        let siblings = left_out.siblings.as_deref().unwrap_or_default();
        self.rows.iter().filter(move |row| {
            (row.oneof.is_some() && row.oneof == left_out.oneof) || siblings.contains(&row.slot)
        })
    }

    /// False if this is a projection that drops unknown fields.
    #[inline]
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.projected.as_ref().is_none_or(|projected| projected.keeps_unknown)
    }

    /// Skips the first fields of the input while the message does not store them, and returns the rest. May stop early, see
    /// [`skip_fields`].
    pub(crate) fn pass_over<'i>(&self, fields: &'i [u8]) -> &'i [u8] {
        match self.passing {
            OmittedFields::Kept => fields,
            _ => skip_fields(fields, |tag| self.drops(tag)),
        }
    }

    /// True if `tag` is the tag of a field that the message does not store, as far as the fast path recognizes it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn drops(&self, tag: u32) -> bool {
        match self.passing {
            OmittedFields::Kept => false,
            OmittedFields::Dropped => self.numbers.lacks(tag >> 3),
            OmittedFields::Asked => self.asked(tag),
        }
    }

    /// True if a field with this tag can be skipped without any effect on the message.
    #[inline(never)]
    fn asked(&self, tag: u32) -> bool {
        if tag < 8 || self.numbers.get(tag >> 3).is_some() {
            return false;
        }
        match self.left_out(tag >> 3) {
            Some(row) if row.tag == tag || row.other_tag == tag => {
                // If the field is a closed enum, the tag does not tell whether the field can be skipped, because a number that
                // the enum does not have goes to the unknown fields.
                let may_be_unknown = row.closed && self.keeps_unknown();
                let voids = row.is_in_oneof() && self.voided(row).next().is_some();
                !may_be_unknown && !voids
            }
            _ => !self.keeps_unknown(),
        }
    }
}
