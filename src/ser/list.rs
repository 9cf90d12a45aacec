//! A sequence as a repeated field.

use super::value::{Place, ValueSerializer};
use super::{Encoder, Sink};
use crate::error::Result;
use crate::plan::FieldPlan;
use serde::ser::Serialize;

/// The elements of a list; nothing is written for an empty one.
pub(super) struct Elements<'a, 'p, K: Sink> {
    encoder: &'a mut Encoder<'p, K>,
    field: &'p FieldPlan,
    open: Option<K::List>,
    len: usize,
    index: usize,
}

impl<'a, 'p, K: Sink> Elements<'a, 'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(encoder: &'a mut Encoder<'p, K>, field: &'p FieldPlan, len: Option<usize>) -> Self {
        // The length is a hint that may be a lie: it is believed up to a megabyte.
        let len = len.unwrap_or(0).min(1 << 20);
        Elements { encoder, field, open: None, len, index: 0 }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if self.index == 0 {
            self.open = Some(self.encoder.sink.begin_list(self.field, self.len));
        }
        self.encoder.sink.element(self.field, self.index == 0);
        let serializer = ValueSerializer { encoder: self.encoder, field: self.field, place: Place::Inside };
        match value.serialize(serializer) {
            Ok(()) => {
                self.index += 1;
                Ok(())
            }
            Err(error) => Err(error.in_index(self.index)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end(self) -> Result<()> {
        match self.open {
            Some(open) => self.encoder.sink.end_list(self.field, open),
            None if self.encoder.defaults => self.encoder.absent(self.field),
            None => {}
        }
        Ok(())
    }
}
