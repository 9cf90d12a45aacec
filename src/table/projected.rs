//! Data on the omitted fields in a table of some of the fields of a message.

use super::{Link, NumberTable, Row, Table};
use crate::wire::skip_fields;

/// How fields without a row in a table are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// They are kept, or may be.
    Kept,
    /// They are not stored.
    Dropped,
    /// It depends on the field.
    Asked,
}

/// Data of a projection's table besides its rows.
#[derive(Debug)]
pub(crate) struct Projected {
    /// The table of all fields.
    pub(super) whole: Link,
    /// Fields that the whole message does not know are kept.
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
    /// The table of all fields, of a projection.
    pub(crate) fn unprojected(&self) -> Option<&Table> {
        self.projected.as_ref()?.whole.table().ok()
    }

    /// The row of a field that a projection leaves out. Other tables leave none out, and are not searched again.
    #[inline]
    pub(crate) fn left_out(&self, number: u32) -> Option<&Row> {
        self.projected.as_ref()?.left_out(&self.numbers, number)
    }

    /// The fields of a projection that are cleared when an omitted one occurs: those of the same oneof.
    pub(crate) fn voided<'t>(&'t self, left_out: &'t Row) -> impl Iterator<Item = &'t Row> {
        let siblings = left_out.siblings.as_deref().unwrap_or_default();
        self.rows.iter().filter(move |row| {
            (row.oneof.is_some() && row.oneof == left_out.oneof) || siblings.contains(&row.slot)
        })
    }

    /// True if a message keeps the unknown fields in it.
    #[inline]
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.projected.as_ref().is_none_or(|projected| projected.keeps_unknown)
    }

    /// The fields without those at their start that are not stored in the message, as far as the fast path recognizes
    /// them.
    pub(crate) fn pass_over<'i>(&self, fields: &'i [u8]) -> &'i [u8] {
        match self.passing {
            Passing::Kept => fields,
            passing => skip_fields(fields, |tag| match passing {
                Passing::Dropped => self.numbers.lacks(tag >> 3),
                _ => self.asked(tag),
            }),
        }
    }

    /// True for the tag of a field that is not stored in the message.
    #[inline(never)]
    fn asked(&self, tag: u32) -> bool {
        if tag < 8 || self.numbers.get(tag >> 3).is_some() {
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
