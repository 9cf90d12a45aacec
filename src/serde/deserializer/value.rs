//! Deserializes the value of a field, of a list element, or of a map entry.

use super::absent::Absent;
use super::identifier::Identifier;
use super::message::MessageDeserializer;
use super::{Budget, NestingLimits, collect, forward, oneof};
use crate::error::{Error, Result};
use crate::layout::{OneofShape, Storage};
use crate::message::dynamic::HeldValue;
use crate::object::arena::text::HeldText;
use crate::table::{Kind, Shape};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, VariantAccess, Visitor};

#[derive(Clone, Copy)]
pub(crate) struct ValueDeserializer<'a, 'de, 'b> {
    pub(super) held: HeldValue<'a, 'de>,
    /// `Some` for the value of a oneof, with the Rust enum that is bound to this oneof.
    pub(super) oneof: Option<Option<&'static OneofShape>>,
    /// The Rust type of a single value of the field, if this type is bound to the message or enum of the field.
    pub(super) bound: Option<Storage>,
    /// True for a list element, or the key or value of a map entry.
    pub(super) inside: bool,
    pub(super) budget: &'b Budget,
    pub(super) left: NestingLimits,
}

impl<'a, 'de, 'b> ValueDeserializer<'a, 'de, 'b> {
    fn is_single(&self) -> bool {
        self.inside || self.held.row().shape == Shape::Singular
    }

    /// Returns the kind of a single value.
    fn kind(&self) -> Option<Kind> {
        self.is_single().then_some(self.held.row().kind)
    }

    /// True for the key of a map entry. A type with only text keys gets the key as text.
    fn is_key(&self) -> bool {
        self.inside && self.held.is_key()
    }

    fn message(self) -> Result<MessageDeserializer<'a, 'de, 'b>> {
        if !self.is_single() || !self.held.row().is_message() {
            return Err(self.error("a struct"));
        }
        let ValueDeserializer { held, bound, budget, left, inside: counted, .. } = self;
        let shape = bound.and_then(Storage::message);
        Ok(MessageDeserializer { message: held.message(), shape, budget, left, counted })
    }

    /// Deserializes the value as a value of the kind of its field.
    fn natural<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (row, bits) = (self.held.row(), self.held.bits());
        match row.shape {
            Shape::List if !self.inside => return collect::list(&self, visitor),
            Shape::Map if !self.inside => return collect::map(self, visitor),
            _ => {}
        }
        match row.kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => visitor.visit_i32(bits as i32),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => visitor.visit_i64(bits as i64),
            Kind::UInt32 | Kind::Fixed32 => visitor.visit_u32(bits as u32),
            Kind::UInt64 | Kind::Fixed64 => visitor.visit_u64(bits),
            Kind::Float => visitor.visit_f32(f32::from_bits(bits as u32)),
            Kind::Double => visitor.visit_f64(f64::from_bits(bits)),
            Kind::Bool => visitor.visit_bool(bits != 0),
            Kind::String => self.string(visitor),
            Kind::Bytes => self.bytes(visitor),
            Kind::Enum => match row.enumeration().name(bits as i32) {
                Some(name) => visitor.visit_str(name),
                None => visitor.visit_i32(bits as i32),
            },
            Kind::Message | Kind::Group => self.message()?.deserialize_map(visitor),
        }
    }

    #[inline(never)]
    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        string(self.held, visitor)
    }

    fn bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.held.text() {
            HeldText::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            HeldText::Owned(bytes) => visitor.visit_bytes(bytes),
        }
    }

    /// Deserializes bytes as a sequence of numbers.
    fn numbers<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        collect::numbers(self.held.text().bytes(), self.budget, visitor)
    }

    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Enum) => visitor.visit_i32(self.held.bits() as i32),
            None | Some(Kind::String | Kind::Bytes | Kind::Bool | Kind::Message | Kind::Group) => {
                Err(self.error("a number"))
            }
            Some(_) => self.natural(visitor),
        }
    }

    #[cold]
    fn error(&self, what: &str) -> Error {
        let kind = self.held.row().kind.as_str();
        let is = match self.held.row().shape {
            Shape::List if !self.is_single() => format!("repeated {kind}"),
            Shape::Map if !self.is_single() => "map".to_owned(),
            _ => kind.to_owned(),
        };
        Error::ty(format!("the field is a {is}, but the type wants {what}"))
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'_, 'de, '_> {
    type Error = Error;

    forward!(number:
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64);
    forward!(deserialize_any: deserialize_identifier);
    forward!(deserialize_str: deserialize_string deserialize_char);
    forward!(deserialize_bytes: deserialize_byte_buf);
    forward!(deserialize_seq: deserialize_tuple(usize) deserialize_tuple_struct(&'static str, usize));

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            // Types that accept any value rarely accept bytes, and a list of numbers loses nothing.
            Some(Kind::Bytes) => self.numbers(visitor),
            _ => self.natural(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Bool) => visitor.visit_bool(self.held.bits() != 0),
            _ => Err(self.error("a bool")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::String) => self.string(visitor),
            Some(Kind::Enum) => self.natural(visitor),
            Some(Kind::Bytes) => self.bytes(visitor),
            Some(_) if self.is_key() => visitor.visit_string(self.held.key_text()),
            _ => Err(self.error("a string")),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Bytes | Kind::String) => self.bytes(visitor),
            _ => Err(self.error("bytes")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(self.error("a unit"))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.message()?.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let row = self.held.row();
        match self.kind() {
            None if row.shape == Shape::List => collect::list(&self, visitor),
            Some(Kind::Bytes) => self.numbers(visitor),
            Some(Kind::String) if !row.utf8 => self.numbers(visitor),
            _ => Err(self.error("a sequence")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let row = self.held.row();
        match self.kind() {
            None if row.shape == Shape::Map => collect::map(self, visitor),
            _ if row.is_message() => self.natural(visitor),
            _ => Err(self.error("a map")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.message()?.deserialize_struct(name, members, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(bound) = self.oneof {
            let (name, bound) = oneof::variant(self.held.row(), bound, name, variants)?;
            let value = ValueDeserializer { inside: true, oneof: None, bound, ..self };
            return visitor.visit_enum(oneof::Variant { value, name });
        }
        match self.kind() {
            Some(Kind::Enum) => {
                let (table, number) = (self.held.row().enumeration(), self.held.bits() as i32);
                match Identifier::of_number(number, table, self.bound, variants) {
                    Some(variant) => variant.deserialize_enum(name, variants, visitor),
                    None => {
                        let message = format!(
                            "no variant of {name} stands for the value {number} of {}",
                            table.full_name
                        );
                        Err(Error::ty(message))
                    }
                }
            }
            Some(Kind::String) => {
                Identifier::Name(check(self.held)?).deserialize_enum(name, variants, visitor)
            }
            _ => Err(self.error("an enum")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

#[inline]
fn string<'de, V: Visitor<'de>>(held: HeldValue<'_, 'de>, visitor: V) -> Result<V::Value> {
    match held.text() {
        HeldText::Borrowed(bytes) => match crate::wire::utf8(bytes) {
            Ok(text) => visitor.visit_borrowed_str(text),
            Err(_) => Err(not_utf8()),
        },
        HeldText::Owned(bytes) => match crate::wire::utf8(bytes) {
            Ok(text) => visitor.visit_str(text),
            Err(_) => Err(not_utf8()),
        },
    }
}

/// Returns the text of a string. Fails if the bytes are not valid UTF-8.
fn check<'a, 'de: 'a>(held: HeldValue<'a, 'de>) -> Result<&'a str> {
    crate::wire::utf8(held.text().bytes()).map_err(|_| not_utf8())
}

#[cold]
fn not_utf8() -> Error {
    Error::ty("the bytes of a string are not valid UTF-8")
}

impl<'de> VariantAccess<'de> for ValueDeserializer<'_, 'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        IgnoredAny::deserialize(self).map(drop)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_struct("", members, visitor)
    }
}

/// The data that all values of a list or of a message share.
pub(super) trait Base<'a, 'de, 'b> {
    /// True if the values are elements of a list.
    const ELEMENTS: bool;

    /// The data that differs from value to value.
    type Given: Copy;

    fn held(&self, given: Self::Given) -> HeldValue<'a, 'de>;

    fn value(&self, held: HeldValue<'a, 'de>) -> ValueDeserializer<'a, 'de, 'b>;

    fn message(&self, held: HeldValue<'a, 'de>) -> MessageDeserializer<'a, 'de, 'b>;

    /// Returns the deserializer of a field that was not received, or `None` if the field was received.
    fn absent(&self, held: HeldValue<'a, 'de>) -> Option<Absent<'a, 'b>>;
}

impl<'a, 'de, 'b> Base<'a, 'de, 'b> for ValueDeserializer<'a, 'de, 'b> {
    const ELEMENTS: bool = true;
    type Given = u64;

    #[inline]
    fn held(&self, word: u64) -> HeldValue<'a, 'de> {
        self.held.element(word)
    }

    #[inline]
    fn value(&self, held: HeldValue<'a, 'de>) -> ValueDeserializer<'a, 'de, 'b> {
        ValueDeserializer { held, inside: true, ..*self }
    }

    #[inline]
    fn message(&self, held: HeldValue<'a, 'de>) -> MessageDeserializer<'a, 'de, 'b> {
        let ValueDeserializer { bound, budget, left, .. } = *self;
        let (message, shape) = (held.message(), bound.and_then(Storage::message));
        MessageDeserializer { message, shape, budget, left, counted: true }
    }

    fn absent(&self, _: HeldValue<'a, 'de>) -> Option<Absent<'a, 'b>> {
        None
    }
}

impl<'a, 'de, 'b> Base<'a, 'de, 'b> for MessageDeserializer<'a, 'de, 'b> {
    const ELEMENTS: bool = false;
    type Given = HeldValue<'a, 'de>;

    #[inline]
    fn held(&self, held: HeldValue<'a, 'de>) -> HeldValue<'a, 'de> {
        held
    }

    #[inline]
    fn value(&self, held: HeldValue<'a, 'de>) -> ValueDeserializer<'a, 'de, 'b> {
        let MessageDeserializer { budget, left, .. } = *self;
        ValueDeserializer { held, oneof: None, bound: None, inside: false, budget, left }
    }

    #[inline]
    fn message(&self, held: HeldValue<'a, 'de>) -> MessageDeserializer<'a, 'de, 'b> {
        MessageDeserializer { message: held.message(), shape: None, counted: false, ..*self }
    }

    #[inline]
    fn absent(&self, held: HeldValue<'a, 'de>) -> Option<Absent<'a, 'b>> {
        let MessageDeserializer { budget, left, .. } = *self;
        let absent = Absent { row: held.row(), budget, left, optional: true, bound: None };
        held.is_absent().then_some(absent)
    }
}

/// Deserializes an element of a list, or a member of a message. If the Rust type requests a number of the kind that the
/// field has, this struct has all necessary data.
pub(super) struct ElementDeserializer<'l, 'a, 'de, 'b, B: Base<'a, 'de, 'b>> {
    pub(super) base: &'l B,
    pub(super) given: B::Given,
}

impl<'a, 'de: 'a, 'b, B: Base<'a, 'de, 'b>> ElementDeserializer<'_, 'a, 'de, 'b, B> {
    #[inline]
    fn held(&self) -> HeldValue<'a, 'de> {
        self.base.held(self.given)
    }

    /// Calls `read`. This function is not inlined, because conversions are rare.
    #[inline(never)]
    fn other<V, R>(self, visitor: V, read: impl FnOnce(Self, V) -> R) -> R {
        read(self, visitor)
    }

    /// True if the stored bits are the value. This includes an absent number without a default in the schema, which is
    /// 0.
    #[inline]
    fn is_plain(&self) -> bool {
        let row = self.held().row();
        let is_given = B::ELEMENTS || !self.held().is_absent();
        (B::ELEMENTS || row.shape == Shape::Singular)
            && (is_given || row.default.is_none() && row.kind != Kind::Enum)
    }
}

/// Calls a method of the deserializer that has all data.
macro_rules! with_all {
    ($self:ident.$method:ident($($arg:expr),*)) => {
        match $self.base.absent($self.held()) {
            Some(absent) => absent.$method($($arg),*),
            None => $self.base.value($self.held()).$method($($arg),*),
        }
    };
}

/// Implements methods for kinds of values that need no conversion.
macro_rules! plain {
    ($($method:ident $($kind:ident)|*: $visitor:ident, $held:ident => $read:expr;)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, $visitor: V) -> Result<V::Value> {
                let $held = self.held();
                match $held.row().kind {
                    $(Kind::$kind)|* if self.is_plain() => $read,
                    _ => self.other($visitor, |light, visitor| with_all!(light.$method(visitor))),
                }
            }
        )*
    };
}

/// Forwards methods to the deserializer that has all data.
macro_rules! others {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                with_all!(self.$method($($arg,)* visitor))
            }
        )*
    };
}

impl<'a, 'de: 'a, 'b, B: Base<'a, 'de, 'b>> Deserializer<'de> for ElementDeserializer<'_, 'a, 'de, 'b, B> {
    type Error = Error;

    plain! {
        deserialize_i32 Int32 | SInt32 | SFixed32 | Enum: visitor, held => visitor.visit_i32(held.bits() as i32);
        deserialize_i64 Int64 | SInt64 | SFixed64: visitor, held => visitor.visit_i64(held.bits() as i64);
        deserialize_u32 UInt32 | Fixed32: visitor, held => visitor.visit_u32(held.bits() as u32);
        deserialize_u64 UInt64 | Fixed64: visitor, held => visitor.visit_u64(held.bits());
        deserialize_f32 Float: visitor, held => visitor.visit_f32(f32::from_bits(held.bits() as u32));
        deserialize_f64 Double: visitor, held => visitor.visit_f64(f64::from_bits(held.bits()));
        deserialize_bool Bool: visitor, held => visitor.visit_bool(held.bits() != 0);
    }

    others! {
        deserialize_any();
        deserialize_i8();
        deserialize_i16();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u128();
        deserialize_char();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.held().row().kind {
            Kind::String if self.is_plain() && !self.held().is_absent() => string(self.held(), visitor),
            _ => self.other(visitor, |light, visitor| with_all!(light.deserialize_str(visitor))),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.held().row().is_message() && self.is_plain() && !self.held().is_absent() {
            return self.base.message(self.held()).deserialize_struct(name, members, visitor);
        }
        with_all!(self.deserialize_struct(name, members, visitor))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match B::ELEMENTS || !self.held().is_absent() {
            true => visitor.visit_some(self),
            false => visitor.visit_none(),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
