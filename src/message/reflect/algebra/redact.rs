//! Removes values that must not be shown.

use crate::descriptor::FieldDescriptor;
use crate::error::Result;
use crate::message::reflect::algebra::Visit;
use crate::message::reflect::algebra::visit::Visited;
use crate::message::reflect::{Reflect, Value};

impl<'a> dyn Reflect + 'a {
    /// Clears every field marked `debug_redact`, in this message and in all messages inside, also in lists and maps.
    ///
    /// Unknown fields stay, because the schema does not describe them.
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels.
    pub fn redact(&mut self) -> Result<()> {
        self.redact_with(|_| None)
    }

    /// Replaces every field marked `debug_redact` by the value that `replace` returns for it, or clears the field if
    /// `replace` returns `None`.
    ///
    /// # Errors
    /// Fails if `redact` would fail, or if a replacement has another kind than the field.
    pub fn redact_with(&mut self, mut replace: impl FnMut(&FieldDescriptor) -> Option<Value>) -> Result<()> {
        self.visit_mut(|visited: &mut Visited<'_>| {
            if !visited.declared().debug_redact() {
                return Ok(Visit::Continue);
            }
            match replace(visited.declared()) {
                Some(value) => visited.set(value)?,
                None => visited.clear()?,
            }
            Ok(Visit::Skip)
        })
    }
}
