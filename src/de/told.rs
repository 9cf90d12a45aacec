//! The value of a member of a struct with tobu's own derive, which tells what it knows of it.
//!
//! Where what is told is true, most single values are taken at a glance: what the kind is folds into the code, and the
//! plan is not asked. Whatever a glance does not see, and whatever is wrong, goes by the plan.

use super::Decoder;
use super::merged::{self, At, Fields};
use super::source::Source;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Head, Kind, Lead, mark_in};
use crate::wire::{unzigzag32, unzigzag64, utf8};
use serde::de::value::{BoolDeserializer, BytesDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor};

/// The value of a member, which may tell of itself.
pub(super) struct MemberDeserializer<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
    at: At<'m>,
    /// It is an element of the list that the member is.
    inside: bool,
}

impl<'x, 'a, 'm, 'de, 'p, S: Source<'de>> MemberDeserializer<'x, 'a, 'm, 'de, 'p, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(fields: &'x mut Fields<'a, 'm, 'de, 'p, S>, at: At<'m>) -> Self {
        MemberDeserializer { fields, at, inside: false }
    }
}

impl<'de, S: Source<'de>> MemberDeserializer<'_, '_, '_, 'de, '_, S> {
    /// Reads the value by the plan of its field; out of line where that keeps other fields in registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        if S::GLANCES {
            return self.by_plan_apart(seed);
        }
        let MemberDeserializer { fields, at, inside } = self;
        let Some((field, place)) = fields.arrive(at, inside)? else { return unknown(fields.decoder, seed) };
        seed.deserialize(ValueDeserializer { decoder: fields.decoder, field, place })
    }

    /// Reads the value by the plan of its field, out of line.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan_apart<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let MemberDeserializer { fields, at, inside } = self;
        let Some((field, place)) = fields.arrive(at, inside)? else { return unknown(fields.decoder, seed) };
        let value = apart(fields.decoder, field, place, seed)?;
        fields.decoder.source.follow(&mut fields.front);
        Ok(value)
    }
}

/// A value by its plan, out of line: where it is given the parts and not the address of anything, what is around it stays
/// in registers.
#[inline(never)]
fn apart<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    place: Place<'_>,
    seed: T,
) -> Result<T::Value> {
    seed.deserialize(ValueDeserializer { decoder, field, place })
}

/// The value of unknown fields.
#[cold]
#[inline(never)]
fn unknown<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    seed: T,
) -> Result<T::Value> {
    let fields = decoder.source.unknown();
    seed.deserialize(BytesDeserializer::new(&fields))
}

/// What is inside the newtype by which a member tells of itself.
struct Inside<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Inside<V> {
    type Value = V::Value;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(deserializer)
    }
}

/// Methods that go by the plan.
macro_rules! by_plan {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                struct Ask<V>($($ty,)* V);
                impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Ask<V> {
                    type Value = V::Value;
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
                        let Ask($($arg,)* visitor) = self;
                        deserializer.$method($($arg,)* visitor)
                    }
                }
                self.by_plan(Ask($($arg,)* visitor))
            }
        )*
    };
}

impl<'de, S: Source<'de>> Deserializer<'de> for MemberDeserializer<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        struct Ask<V>(&'static str, V);
        impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Ask<V> {
            type Value = V::Value;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
                deserializer.deserialize_newtype_struct(self.0, self.1)
            }
        }
        let Some(Lead { index, head, next }) = Lead::of_name(name) else {
            return self.by_plan_apart(Ask(name, visitor));
        };
        if !(S::GLANCES && self.at.is_glanced()) {
            return match head {
                Some(head) if !head.holds.is_list() => self.by_plan(Inside(visitor)),
                _ => self.by_plan_apart(Inside(visitor)),
            };
        }
        let MemberDeserializer { fields, at, .. } = self;
        visitor.visit_enum(ToldMember { fields, at, index, head, next })
    }

    by_plan! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, members: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}

/// A member that tells of itself: its value as an enum, whose content is whether the next member comes right after it.
struct ToldMember<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
    at: At<'m>,
    index: u16,
    head: Option<Head>,
    next: Option<Head>,
}

impl<'de, 'x, 'a, 'm, 'p, S: Source<'de>> EnumAccess<'de> for ToldMember<'x, 'a, 'm, 'de, 'p, S> {
    type Error = Error;
    type Variant = Following<'x, 'a, 'm, 'de, 'p, S>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant)> {
        let ToldMember { fields, at, index, head, next } = self;
        let value = match head {
            Some(head) => {
                seed.deserialize(ToldDeserializer { fields: &mut *fields, at, inside: false, index, head })?
            }
            None => MemberDeserializer::new(&mut *fields, at).by_plan_apart(seed)?,
        };
        Ok((value, Following { fields, next }))
    }
}

/// What follows a member.
struct Following<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
    next: Option<Head>,
}

impl<'de, S: Source<'de>> VariantAccess<'de> for Following<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let follows = self.next.is_some_and(|next| self.fields.expect(next));
        seed.deserialize(BoolDeserializer::new(follows))
    }

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The value of a member that told what it holds, at a glance.
struct ToldDeserializer<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
    at: At<'m>,
    inside: bool,
    /// The place among the members.
    index: u16,
    head: Head,
}

impl<'x, 'a, 'm, 'de, 'p, S: Source<'de>> ToldDeserializer<'x, 'a, 'm, 'de, 'p, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan(self) -> MemberDeserializer<'x, 'a, 'm, 'de, 'p, S> {
        MemberDeserializer { fields: self.fields, at: self.at, inside: self.inside }
    }

    /// The value is of this kind.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is(&self, kind: Kind) -> bool {
        let holds = self.head.holds;
        if self.inside { holds.list(kind) } else { holds.single(kind) }
    }

    /// A varint, where the member is of one of two kinds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn varint(&mut self, kind: Kind, other: Kind) -> Option<u64> {
        let is = self.is(kind) || self.is(other);
        if is { S::glance_varint(&mut self.fields.front) } else { None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed32(&mut self, kind: Kind) -> Option<u32> {
        if self.is(kind) { S::glance_fixed32(&mut self.fields.front) } else { None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed64(&mut self, kind: Kind) -> Option<u64> {
        if self.is(kind) { S::glance_fixed64(&mut self.fields.front) } else { None }
    }

    /// What a visitor made of a value, or its error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn done<T>(self, made: Result<T>) -> Result<T> {
        if made.is_err() {
            // The place of the error is after the value.
            self.fields.decoder.source.lead(&self.fields.front);
        }
        made
    }
}

/// Methods that ask for a number: at a glance, or by the plan.
macro_rules! numbers {
    ($($method:ident $visit:ident $value:ident: $read:expr;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
                let $value = &mut self;
                match $read {
                    Some(number) => self.done(visitor.$visit(number)),
                    None => self.by_plan().$method(visitor),
                }
            }
        )*
    };
}

/// Methods that are never the hot ones of a member that told what it holds.
macro_rules! forward_by_plan {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                self.by_plan().$method($($arg,)* visitor)
            }
        )*
    };
}

impl<'de, S: Source<'de>> Deserializer<'de> for ToldDeserializer<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    numbers! {
        deserialize_bool visit_bool it: it.varint(Kind::Bool, Kind::Bool).map(|number| number != 0);
        deserialize_i32 visit_i32 it: match it.varint(Kind::Int32, Kind::Enum) {
            Some(number) => Some(number as i32),
            None => match it.varint(Kind::SInt32, Kind::SInt32) {
                Some(number) => Some(unzigzag32(number as u32)),
                None => it.fixed32(Kind::SFixed32).map(|number| number as i32),
            }
        };
        deserialize_i64 visit_i64 it: match it.varint(Kind::Int64, Kind::Int64) {
            Some(number) => Some(number as i64),
            None => match it.varint(Kind::SInt64, Kind::SInt64) {
                Some(number) => Some(unzigzag64(number)),
                None => it.fixed64(Kind::SFixed64).map(|number| number as i64),
            }
        };
        deserialize_u32 visit_u32 it: match it.varint(Kind::UInt32, Kind::UInt32) {
            Some(number) => Some(number as u32),
            None => it.fixed32(Kind::Fixed32),
        };
        deserialize_u64 visit_u64 it: match it.varint(Kind::UInt64, Kind::UInt64) {
            Some(number) => Some(number),
            None => it.fixed64(Kind::Fixed64),
        };
        deserialize_f32 visit_f32 it: it.fixed32(Kind::Float).map(f32::from_bits);
        deserialize_f64 visit_f64 it: it.fixed64(Kind::Double).map(f64::from_bits);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let before = self.fields.front;
        if self.is(Kind::String)
            && let Some(bytes) = S::glance_part(&mut self.fields.front)
        {
            match utf8(bytes) {
                Ok(text) => return self.done(visitor.visit_borrowed_str(text)),
                Err(_) => self.fields.front = before,
            }
        }
        self.by_plan().deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is(Kind::Bytes)
            && let Some(bytes) = S::glance_part(&mut self.fields.front)
        {
            return self.done(visitor.visit_borrowed_bytes(bytes));
        }
        self.by_plan().deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.is(Kind::Message)
            && let Some(mark) = mark_in(name)
            && let Some((plan, message, front)) = self.fields.enter_at(self.index, self.inside)?
        {
            return merged::read_open(self.fields.decoder, plan, message, front, mark, visitor);
        }
        self.by_plan().deserialize_struct(name, members, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.head.holds.is_list() && !self.inside {
            let ToldDeserializer { fields, at, index: member, head, .. } = self;
            return visitor.visit_seq(ToldElements { fields, at, member, head, index: 0 });
        }
        self.by_plan().deserialize_seq(visitor)
    }

    forward_by_plan! {
        deserialize_any();
        deserialize_i8();
        deserialize_i16();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u128();
        deserialize_char();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}

/// The elements of a list of which its member told, each with its tag; that of the first was read.
struct ToldElements<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
    at: At<'m>,
    member: u16,
    head: Head,
    /// How many were read.
    index: usize,
}

impl<'de, S: Source<'de>> SeqAccess<'de> for ToldElements<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (at, index, head) = (self.at, self.member, self.head);
        // Where something else comes, it is of the message, be it another form of the same tag.
        if self.index > 0 && !S::glance_at(&mut self.fields.front, head.tag_bytes, head.tag_len) {
            return Ok(None);
        }
        let element = ToldDeserializer { fields: &mut *self.fields, at, inside: true, index, head };
        match seed.deserialize(element) {
            Ok(value) => {
                self.index += 1;
                Ok(Some(value))
            }
            Err(error) => Err(fail(self.fields.decoder, self.index, error)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        // Before the first.
        match self.index {
            0 => Some(S::glance_count(self.fields.front, self.head.tag_bytes, self.head.tag_len)),
            _ => None,
        }
    }
}

#[cold]
#[inline(never)]
fn fail<'de, S: Source<'de>>(decoder: &Decoder<'_, S>, index: usize, error: Error) -> Error {
    decoder.source.locate(error.in_index(index))
}
