//! Implements the public deserializer, for code that calls serde's traits itself.

use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::message::{Message, described};
use crate::options::DecodeOptions;
use crate::serde::{Input, RootDeserializer, Schema};
use crate::table::Tabled;
use ::serde::de::Visitor;

/// A serde `Deserializer` that decodes one message.
///
/// The deserializer decodes the whole message before it delivers a field, because a field may occur several times. Functions
/// such as [`from_slice`](crate::from_slice) fill types with tobu's derive directly, so prefer these functions.
///
/// ```
/// use tobu::{Deserialize, Deserializer, Message};
///
/// #[derive(Message, Deserialize)]
/// struct Point {
///     #[tobu(1)]
///     x: i32,
/// }
///
/// let mut deserializer = Deserializer::of::<Point>(&[0x08, 0x05])?;
/// assert_eq!(Point::deserialize(&mut deserializer)?.x, 5);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Deserializer<'de, 'p> {
    root: RootDeserializer<'de, 'p, 'p>,
}

impl<'de> Deserializer<'de, 'static> {
    /// Creates a deserializer for a message of a Rust type.
    ///
    /// # Errors
    /// The type and its schema do not fit together, or the input exceeds the limit.
    pub fn of<T: Message>(bytes: &'de [u8]) -> Result<Self> {
        let shape = described::<T>();
        shape.table()?;
        Self::over(Schema::Shape(shape), bytes, DecodeOptions::new())
    }
}

impl<'de, 'p> Deserializer<'de, 'p> {
    /// Creates a deserializer for a message of a run-time schema. It can fill any type that implements serde's `Deserialize`.
    ///
    /// # Errors
    /// Fails if [`Serializer::new`](crate::Serializer::new) would fail, or if the input exceeds the limit.
    pub fn new(descriptor: &'p MessageDescriptor, bytes: &'de [u8], options: DecodeOptions) -> Result<Self> {
        Self::over(Schema::Table(descriptor.table()?), bytes, options)
    }

    fn over(schema: Schema<'p>, bytes: &'de [u8], options: DecodeOptions) -> Result<Self> {
        match options.check_input(bytes.len()) {
            Ok(()) => Ok(Deserializer {
                root: RootDeserializer { schema, input: Input::Wire(bytes, options.whole()) },
            }),
            Err(error) => Err(schema.name(error)),
        }
    }
}

impl std::fmt::Debug for Deserializer<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deserializer").field("message", &self.root.schema.name_of()).finish_non_exhaustive()
    }
}

impl<'de> ::serde::Deserializer<'de> for &mut Deserializer<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.root.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.root.deserialize_struct(name, members, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    /// Fills a message in place. Types with tobu's derive call this method.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        let root = self.root;
        root.take_over(|typed| typed.deserialize_newtype_struct(name, visitor))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}
