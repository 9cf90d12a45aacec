//! An enum as a oneof.

use super::member::locate;
use super::message::Members;
use super::told::{ToldSerializer, mark_of};
use super::value::{Place, ValueSerializer};
use super::{Handed, Walk, refuse};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan, OneofPlan};
use serde::ser::{Serialize, Serializer};

/// Writes the field of the variant that is set.
pub(super) struct OneofSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) message: &'p MessagePlan,
    pub(super) oneof: &'p OneofPlan,
}

impl<'p, K> OneofSerializer<'p, K> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a oneof is an enum with a value in each variant, not {what}"))
            .in_field(&self.oneof.name)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&self, index: u32, variant: &str) -> Result<&'p FieldPlan> {
        let index = match self.oneof.variants.get(index as usize) {
            Some(name) if *name == variant => index as usize,
            _ => match self.oneof.variant(self.message, variant) {
                Some(index) => index,
                None => return Err(self.no_such_variant(variant)),
            },
        };
        Ok(&self.message.fields[usize::from(self.oneof.fields[index])])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant<T: Serialize + ?Sized>(self, index: u32, variant: &str, value: &T) -> Result<K>
    where
        K: Handed,
    {
        let field = self.field(index, variant)?;
        let serializer = ValueSerializer { sink: self.sink, walk: self.walk, field, place: Place::Member };
        value.serialize(serializer).map_err(|error| error.in_field(&field.name))
    }

    #[cold]
    fn no_such_variant(&self, variant: &str) -> Error {
        Error::ty(format!("the oneof has no field for the variant {variant:?}")).in_field(&self.oneof.name)
    }
}

/// A variant of an enum of which nothing is told, out of line.
#[cold]
#[inline(never)]
fn variant_apart<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    message: &MessagePlan,
    oneof: &OneofPlan,
    index: u32,
    variant: &str,
    value: &T,
) -> Result<K> {
    OneofSerializer { sink, walk, message, oneof }.variant(index, variant, value)
}

impl<'p, K: Handed> Serializer for OneofSerializer<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeStructVariant = Members<'p, K>;

    refuse!(bool numbers str bytes unit_variant seq tuple tuple_variant map struct_ transparent binary);

    fn serialize_none(self) -> Result<K> {
        Ok(self.sink)
    }

    fn serialize_unit(self) -> Result<K> {
        Ok(self.sink)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<K> {
        Err(self.refuse("a unit struct"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<K> {
        let Some(mark) = mark_of::<K>(name) else { return self.variant(index, variant, value) };
        let OneofSerializer { sink, walk, message: plan, oneof } = self;
        if mark != oneof.told || index as usize >= oneof.fields.len() {
            return variant_apart(sink, walk, plan, oneof, index, variant, value);
        }
        let index = usize::from(oneof.first) + index as usize;
        let written = value.serialize(ToldSerializer { sink, walk, plan, index });
        written.map_err(|error| locate(plan, index, error))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Members<'p, K>> {
        let field = self.field(index, variant)?;
        ValueSerializer { sink: self.sink, walk: self.walk, field, place: Place::Member }
            .serialize_struct(name, len)
    }
}
