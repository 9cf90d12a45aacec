//! A deserializer that fills a whole message, for tobu's public functions. A type with tobu's derive gives this deserializer
//! its message to fill. A fallback deserializer handles the requests of all other types.

#![allow(unsafe_code)]

use crate::deserializer_methods::deserializer_methods;
use crate::error::{Error, Result};
use crate::layout::type_id;
use crate::object::TypedMut;
use crate::serde::others::read::FillMessage;
use serde::de::{Deserializer, Visitor};

/// Fills a message. Text that lives for the `'de` of the deserializer may be borrowed. The second argument is the fallback
/// deserializer, from whose input a message of another schema is read.
pub(crate) type FillTyped<'a, D> = dyn FnMut(TypedMut<'_, '_>, D) -> Result<(), Error> + 'a;

/// The deserializer. It recognizes a message by the visitor of a newtype struct with any name: the visitor is a
/// [`FillMessage`], which is a private type.
pub(crate) struct TypedDeserializer<'a, D> {
    fill: &'a mut FillTyped<'a, D>,
    fallback: D,
}

impl<'a, D> TypedDeserializer<'a, D> {
    /// Creates a deserializer that passes messages to `fill`, and everything else to `fallback`.
    pub(crate) fn new(fill: &'a mut FillTyped<'a, D>, fallback: D) -> Self {
        TypedDeserializer { fill, fallback }
    }
}

macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                self.fallback.$method($($arg,)* visitor)
            }
        )*
    };
}

impl<'de, D: Deserializer<'de, Error = Error>> Deserializer<'de> for TypedDeserializer<'_, D> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        mut visitor: V,
    ) -> Result<V::Value> {
        // SAFETY: only a `FillMessage` with exactly this `'de` is a `Visitor<'de>`. Its other lifetime is the lifetime
        // of a borrowed message, and this code only takes this message out of the visitor.
        let message = match unsafe { type_id::cast_mut::<V, FillMessage<'_, 'de>>(&mut visitor) } {
            Some(fill) => fill.message.take(),
            None => return self.fallback.deserialize_newtype_struct(name, visitor),
        };
        if let Some(message) = message {
            (self.fill)(message.typed()?, self.fallback)?;
        }
        // The message was already filled.
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
