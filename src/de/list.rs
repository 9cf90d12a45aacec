//! A repeated field as a sequence.

use super::Decoder;
use super::source::Source;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::FieldPlan;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};

/// Hands the elements of the list at hand to the visitor.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    let list = decoder.source.open_list(field)?;
    let mut elements = Elements { decoder, field, list, index: 0, done: false };
    let value = visitor.visit_seq(Access(&mut elements))?;
    elements.finish()?;
    Ok(value)
}

struct Elements<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    field: &'m FieldPlan,
    list: S::List,
    index: usize,
    done: bool,
}

impl<'de, S: Source<'de>> Elements<'_, '_, 'de, '_, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<bool> {
        self.done =
            self.done || !self.decoder.source.next_element(self.decoder.cx(), &mut self.list, self.field)?;
        Ok(!self.done)
    }

    /// Reads the elements that the visitor left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(mut self) -> Result<()> {
        while self.next()? {
            self.decoder.source.skip_element(self.decoder.cx(), self.field)?;
        }
        Ok(())
    }
}

/// The elements by reference: serde's own impl for references is not inlined.
struct Access<'f, 'a, 'm, 'de, 'p, S: Source<'de>>(&'f mut Elements<'a, 'm, 'de, 'p, S>);

impl<'de, S: Source<'de>> SeqAccess<'de> for Access<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if !self.0.next()? {
            return Ok(None);
        }
        let value = ValueDeserializer { decoder: self.0.decoder, field: self.0.field, place: Place::Inside };
        match seed.deserialize(value) {
            Ok(value) => {
                self.0.index += 1;
                Ok(Some(value))
            }
            Err(error) => Err(self.0.decoder.source.locate(error.in_index(self.0.index))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        self.0.decoder.source.list_hint(&self.0.list, self.0.field)
    }
}
