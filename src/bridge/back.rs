//! A deserializer that fills a message whole, for the verbs: types with tobu's derive hand theirs over to be filled, and
//! what other types ask for goes to another deserializer.

#![allow(unsafe_code)]

use super::read::FillMessage;
use crate::error::{Error, Result};
use crate::layout::type_id;
use crate::methods::deserializer_methods;
use crate::object::TypedMut;
use serde::de::{Deserializer, Visitor};

/// What fills a message that is handed over: texts that live for the `'de` of the deserializer may be borrowed. It is
/// given the other deserializer, too, from which it can be [read](super::deserialize) in case it is none of the type that
/// was expected.
pub(crate) type FillTyped<'a, D> = dyn FnMut(TypedMut<'_, '_>, D) -> Result<(), Error> + 'a;

/// The deserializer. It takes a message as a newtype struct whose visitor is a private type of the bridge, whatever the
/// name.
pub(crate) struct Back<'a, D> {
    fill: &'a mut FillTyped<'a, D>,
    fallback: D,
}

impl<'a, D> Back<'a, D> {
    /// A deserializer that has messages filled by `fill`, and all else by `fallback`.
    pub(crate) fn new(fill: &'a mut FillTyped<'a, D>, fallback: D) -> Self {
        Back { fill, fallback }
    }
}

/// Lists the methods that go to the other deserializer.
macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                self.fallback.$method($($arg,)* visitor)
            }
        )*
    };
}

impl<'de, D: Deserializer<'de, Error = Error>> Deserializer<'de> for Back<'_, D> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        mut visitor: V,
    ) -> Result<V::Value> {
        // SAFETY: only a `FillMessage` of this very `'de` is a `Visitor<'de>`; its other lifetime is that of a value that
        // is lent, which it is taken out of here and not replaced.
        let message = match unsafe { type_id::cast_mut::<V, FillMessage<'_, 'de>>(&mut visitor) } {
            Some(fill) => fill.message.take(),
            None => return self.fallback.deserialize_newtype_struct(name, visitor),
        };
        if let Some(message) = message {
            (self.fill)(message.typed()?, self.fallback)?;
        }
        // There is nothing left to be filled.
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.fallback.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.fallback.deserialize_option(visitor)
    }

    deserializer_methods!(forward! all);
}
