//! From an input to a value.

use super::deserializer::{Budget, MessageDeserializer, STACK};
use super::schema::Schema;
use crate::bridge::TypedDeserializer;
use crate::codec::wire::Mode;
use crate::dynamic::{Building, DynamicMessage};
use crate::error::{Error, Result};
use crate::layout::empty;
use crate::limits::Limits;
use crate::message::Message;
use crate::object::{ObjectMut, TypedMut, unmakable};
use crate::projection::Decoding;
use crate::{json, text};
use serde::de::{Deserialize, Deserializer, Visitor};
use std::cell::Cell;

/// The input of a message.
#[derive(Clone, Copy)]
pub(crate) enum Input<'de, 'o> {
    Wire(&'de [u8], Decoding<'o>),
    Json(&'de [u8], &'o json::Options),
    Text(&'de [u8], &'o text::Options),
    Dynamic(&'o DynamicMessage),
}

/// Reads a message: without a question, where the derive says that it reads itself.
///
/// # Errors
/// As [`read`].
#[inline]
pub(crate) fn read_message<'de, T: Message + Deserialize<'de>>(
    input: Input<'de, '_>,
    fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
) -> Result<T> {
    if !T::DIRECT {
        return read(Schema::Shape(T::shape()), input, fill);
    }
    // The returned value is filled in place: a large struct is not moved.
    let mut read = empty::<T>().ok_or_else(unmakable);
    if let Ok(message) = &mut read
        // `Deserialize<'de>` of a type that is direct is derived by tobu: `'de` outlives the data that it borrows, by
        // the contract of `Member`.
        && let Err(error) = TypedMut::of(message).and_then(fill)
    {
        read = Err(error);
    }
    read
}

/// Reads a value: a Rust type with tobu's derive is filled by `fill`, anything else from a message of an arena.
///
/// # Errors
/// The input is no such message, or the value does not fit the schema.
pub(crate) fn read<'de, T: Deserialize<'de>>(
    schema: Schema<'_>,
    input: Input<'de, '_>,
    fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
) -> Result<T> {
    let mut fill = |message: TypedMut<'_, '_>, fallback: RootDeserializer<'de, '_, '_>| {
        fill_or_decline(message, fallback, schema, fill)
    };
    T::deserialize(TypedDeserializer::new(&mut fill, RootDeserializer { schema, input }))
}

#[inline(never)]
fn fill_or_decline<'de>(
    message: TypedMut<'_, '_>,
    fallback: RootDeserializer<'de, '_, '_>,
    schema: Schema<'_>,
    fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
) -> Result<()> {
    match schema.is(ObjectMut::table(&message)) {
        true => fill(message),
        // SAFETY: a caller that passes the message to a deserializer of `'de` borrows nothing that must outlive
        // it.
        #[allow(unsafe_code)]
        false => unsafe { crate::bridge::deserialize(message, fallback) },
    }
}

/// An input for types that need the message first.
#[derive(Clone, Copy)]
pub(crate) struct RootDeserializer<'de, 'o, 'p> {
    pub(crate) schema: Schema<'p>,
    pub(crate) input: Input<'de, 'o>,
}

impl<'de> RootDeserializer<'de, '_, '_> {
    /// Gives `take` a deserializer that fills types with tobu's derive from the wire format.
    pub(crate) fn take_over<R>(
        self,
        take: impl FnOnce(TypedDeserializer<'_, Self>) -> Result<R>,
    ) -> Result<R> {
        let mut fill = |message: TypedMut<'_, '_>, fallback: Self| {
            fill_or_decline(message, fallback, self.schema, &mut |message| match self.input {
                Input::Wire(bytes, decoding) => {
                    decoding.fill_object(message, bytes, None, Mode::Fresh).map(drop)
                }
                Input::Json(..) | Input::Text(..) | Input::Dynamic(_) => {
                    Err(Error::ty("the input is not in the wire format"))
                }
            })
        };
        take(TypedDeserializer::new(&mut fill, self))
    }

    fn with<R>(self, read: impl FnOnce(MessageDeserializer<'_, 'de, '_>) -> Result<R>) -> Result<R> {
        let table = self.schema.table()?;
        let (built, bytes, limits): (_, &[u8], _) = match self.input {
            Input::Wire(bytes, decoding) => (decoding.build(table, bytes), bytes, decoding.options.parts().0),
            Input::Json(text, options) => (Building::parse(table, text, options), text, options.limits),
            Input::Text(text, options) => (Building::parse_text(table, text, options), text, options.limits),
            Input::Dynamic(_) => (Ok(Building::default()), &[], Limits::default().memory(u64::MAX)),
        };
        let depth = limits.max_depth();
        let named = |error: Error| error.of_max_depth(depth).in_message(&table.full_name);
        let built = built.map_err(named)?;
        let max_memory = limits.max_memory(bytes.len() as u64);
        // The decoded message stays in memory while its values are deserialized.
        let left = max_memory.saturating_sub(built.size() as u64);
        let budget = Budget { memory: Cell::new(left), max_memory };
        let held = match self.input {
            Input::Wire(bytes, _) | Input::Json(bytes, _) | Input::Text(bytes, _) => {
                built.reading(bytes).root(table)
            }
            Input::Dynamic(message) => message.reading().root(table),
        };
        let shape = self.schema.shape();
        let message = MessageDeserializer {
            message: held,
            shape,
            budget: &budget,
            stack: STACK,
            depth,
            max_depth: depth,
            counted: false,
        };
        read(message).map_err(named)
    }
}

impl<'de> Deserializer<'de> for RootDeserializer<'de, '_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.with(|message| message.deserialize_map(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.with(|message| message.deserialize_struct(name, members, visitor))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.with(|message| message.deserialize_unit_struct(name, visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit seq tuple tuple_struct map
        enum identifier ignored_any
    }
}
