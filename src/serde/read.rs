//! Reads a value from an input.

use super::deserializer::{Budget, MessageDeserializer, NestingLimits};
use super::schema::{Schema, other_message};
use crate::codec::wire::Mode;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::message::Message;
use crate::message::dynamic::Reading;
use crate::message::projection::Decoding;
use crate::object::arena::building::{Building, encode_arena};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, ROOT};
use crate::object::{Copying, ObjectMut, TypedMut, copy, unmakable};
use crate::options::EncodeOptions;
use crate::serde::others::TypedDeserializer;
use crate::table::{Table, Tabled};
use crate::{json, text};
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, Visitor};
use std::cell::Cell;

#[derive(Clone, Copy)]
pub(crate) enum Input<'de, 'o> {
    Wire(&'de [u8], Decoding<'o>),
    Json(&'de [u8], &'o json::Options),
    Text(&'de [u8], &'o text::Options),
    Arena(&'o Arena),
}

/// Creates an empty message, and fills it with `fill`. The derive of its type promises that the `Deserialize` is tobu's
/// own.
///
/// Because tobu derived `Deserialize<'de>` of the type, `'de` outlives the data that the type borrows. The contract of
/// [`Member`](crate::layout::Member) requires this.
///
/// # Errors
/// The errors of `fill`, and an error if a skipped member has no default.
#[inline]
pub(crate) fn read_direct<T: Message>(fill: impl FnOnce(&mut T) -> Result<()>) -> Result<T> {
    let Some(mut message) = T::empty() else { return Err(unmakable()) };
    match fill(&mut message) {
        Ok(()) => Ok(message),
        Err(error) => Err(error),
    }
}

/// Reads a value. `fill` fills a message of a type with tobu's derive. Any other type is read from a message in an
/// arena.
///
/// # Errors
/// The input is not a message of the schema, or the value does not fit the schema.
pub(crate) fn read<'de, T: Deserialize<'de>>(
    schema: Schema<'_>,
    input: Input<'de, '_>,
    fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
) -> Result<T> {
    let mut fill = |message: TypedMut<'_, '_>, root: &RootDeserializer<'de, '_, '_>| root.fill(message, fill);
    let root = RootDeserializer { schema, input };
    T::deserialize(TypedDeserializer::new(&mut fill, &root))
}

/// The input for types that can only be read from a decoded message.
#[derive(Clone, Copy)]
pub(crate) struct RootDeserializer<'de, 'o, 'p> {
    pub(crate) schema: Schema<'p>,
    pub(crate) input: Input<'de, 'o>,
}

impl<'de> RootDeserializer<'de, '_, '_> {
    /// Calls `take` with a deserializer that fills types with tobu's derive from the wire format.
    pub(crate) fn take_over<R>(
        self,
        take: impl FnOnce(TypedDeserializer<'_, &Self>) -> Result<R>,
    ) -> Result<R> {
        let mut fill = |message: TypedMut<'_, '_>, root: &Self| {
            let Input::Wire(bytes, decoding) = root.input else {
                return Err(Error::ty("the input is not in the wire format"));
            };
            let mut fill =
                |message: TypedMut<'_, '_>| decoding.fill_object(message, bytes, None, Mode::Fresh).map(drop);
            root.fill(message, &mut fill)
        };
        take(TypedDeserializer::new(&mut fill, &self))
    }

    /// Fills a message with `fill`, if the message has the schema of the input. Otherwise fills it through the wire
    /// format.
    fn fill(
        &self,
        message: TypedMut<'_, '_>,
        fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
    ) -> Result<()> {
        match self.schema.is(ObjectMut::table(&message)) {
            true => fill(message),
            false => self.fill_by_numbers(message, fill),
        }
    }

    /// Fills a message whose type is bound to the schema of the input in another pool. Both schemas have the same field
    /// numbers, so the message is converted through the wire format.
    ///
    /// # Errors
    /// The type is another message, or the input is not a message of both schemas.
    #[cold]
    fn fill_by_numbers(
        &self,
        mut message: TypedMut<'_, '_>,
        fill: &mut dyn FnMut(TypedMut<'_, '_>) -> Result<()>,
    ) -> Result<()> {
        let (table, own) = (self.schema.table()?, ObjectMut::table(&message));
        if table.full_name != own.full_name {
            return Err(other_message(own));
        }
        let (mut built, mut bytes) = (Building::default(), Vec::new());
        let limits = match self.input {
            Input::Wire(..) => return fill(message),
            Input::Arena(_) => Limits::default(),
            Input::Json(_, &json::Options { limits, .. }) | Input::Text(_, &text::Options { limits, .. }) => {
                limits
            }
        };
        let options = EncodeOptions::new().partial(true).limits(limits);
        match self.input {
            Input::Arena(arena) => encode_arena(arena, table, options, &mut bytes)?,
            _ => {
                self.build(table, &mut built)?;
                built.encode(table, options, &mut bytes)?;
            }
        }
        let (descriptor, bytes) = (own.handle(), Bytes::from(bytes));
        let (table, depth) = (descriptor.table()?, limits.max_depth());
        let copied = Building::of_bytes(table, bytes.clone())?.into_arena();
        // The message cannot borrow its texts from these bytes, because they are dropped before the message.
        let how = Copying { input: Some(&bytes), defaults: false };
        copy(MessageAt::new(&copied, table, ROOT), &mut message, how, depth)
    }

    fn with<R>(&self, read: impl FnOnce(MessageDeserializer<'_, 'de, '_>) -> Result<R>) -> Result<R> {
        let table = self.schema.table()?;
        let (bytes, limits): (&[u8], _) = match self.input {
            Input::Wire(bytes, Decoding { options, .. }) => (bytes, options.parts().0),
            Input::Json(text, options) => (text, options.limits),
            Input::Text(text, options) => (text, options.limits),
            Input::Arena(_) => (&[], Limits::default().memory(u64::MAX)),
        };
        let depth = limits.max_depth();
        let mut built = Building::default();
        self.build(table, &mut built)
            .map_err(|error| error.of_max_depth(depth).in_message(&table.full_name))?;
        let max_memory = limits.max_memory(bytes.len() as u64);
        let budget = Budget {
            // The decoded message stays in memory while its values are deserialized.
            memory: Cell::new(max_memory.saturating_sub(built.size() as u64)),
            limits: limits.memory(max_memory),
        };
        let reading = match self.input {
            Input::Wire(bytes, _) | Input::Json(bytes, _) | Input::Text(bytes, _) => built.reading(bytes),
            Input::Arena(arena) => Reading { arena, input: None },
        };
        let mut read = read(MessageDeserializer {
            message: reading.root(table),
            shape: self.schema.shape(),
            budget: &budget,
            left: NestingLimits::new(depth),
            counted: false,
        });
        if let Err(error) = &mut read {
            error.amend(|error| error.of_max_depth(depth).in_message(&table.full_name));
        }
        read
    }

    /// Decodes or parses the message.
    #[inline(never)]
    fn build(&self, table: &Table, built: &mut Building) -> Result<()> {
        match self.input {
            Input::Wire(bytes, decoding) => *built = decoding.build(table, bytes)?,
            Input::Json(text, options) => *built = Building::parse(table, text, options)?,
            Input::Text(text, options) => *built = Building::parse_text(table, text, options)?,
            Input::Arena(_) => {}
        }
        Ok(())
    }
}

impl<'de> Deserializer<'de> for &RootDeserializer<'de, '_, '_> {
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
