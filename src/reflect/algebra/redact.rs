//! Taking out what must not be shown.

use super::{Visit, visit::Place};
use crate::descriptor::FieldDescriptor;
use crate::error::Result;
use crate::reflect::{Reflect, Value};

impl<'a> dyn Reflect + 'a {
    /// Clears every field marked `debug_redact`, here and in all messages inside, lists and maps included.
    ///
    /// Unknown fields stay: of those the schema says nothing.
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels.
    pub fn redact(&mut self) -> Result<()> {
        self.redact_with(|_| None)
    }

    /// As `redact`, with what stands in the place of a value: `None` takes it away.
    ///
    /// # Errors
    /// As `redact`, or what stands in the place is of another kind.
    pub fn redact_with(&mut self, mut replace: impl FnMut(&FieldDescriptor) -> Option<Value>) -> Result<()> {
        self.visit_mut(|place: &mut Place<'_>| {
            if !place.declared().debug_redact() {
                return Ok(Visit::Continue);
            }
            match replace(place.declared()) {
                Some(value) => place.set(value)?,
                None => place.clear()?,
            }
            Ok(Visit::Skip)
        })
    }
}
