//! Values of formats that do not know newtypes.
//!
//! A member asks for a newtype, to tell what it knows. Formats hand on themselves; one that gives what it has instead has
//! nothing left to be asked, so that the value is asked in its place.

use crate::methods::deserializer_methods;
use serde::de::{Deserializer, Visitor};

/// A value that came in the place of a newtype, of a format that people do not read.
pub(super) struct Through<D> {
    value: D,
    /// It is what is in an option: the option itself came.
    some: bool,
}

impl<D> Through<D> {
    pub(super) fn value(value: D) -> Self {
        Through { value, some: false }
    }

    pub(super) fn some(value: D) -> Self {
        Through { value, some: true }
    }
}

macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
                self.value.$method($($arg,)* visitor)
            }
        )*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Through<D> {
    type Error = D::Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.some { visitor.visit_some(self.value) } else { self.value.deserialize_any(visitor) }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(Through::value(self.value))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    deserializer_methods!(forward! all);
}
