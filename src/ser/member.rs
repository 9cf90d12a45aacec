//! A member of a bound struct: the values that there are most of at a glance, all else by its role.

use super::message::Members;
use super::oneof::OneofSerializer;
use super::unknown::UnknownSerializer;
use super::value::{MapOrMessage, Place, Sequence, ValueSerializer};
use super::{Encoder, Single, Sink};
use crate::error::{Error, Result};
use crate::plan::{Kind, MemberPlan, MemberRole, MessagePlan};
use serde::ser::{Impossible, Serialize, Serializer};

/// Writes a member as its role says.
pub(super) struct MemberSerializer<'a, 'p, K> {
    pub(super) encoder: &'a mut Encoder<'p, K>,
    pub(super) plan: &'p MessagePlan,
    pub(super) member: &'p MemberPlan,
}

/// Writes a value at a glance where the member holds one of the kind, and gives up the glance where it does not.
macro_rules! glance {
    ($this:ident, $is_default:expr, $($kind:ident => $single:expr),+) => {
        $(
            if $this.member.holds.single(Kind::$kind) {
                if $is_default && $this.member.holds.is_implicit() && !$this.encoder.defaults {
                    return Ok(());
                }
                $this.encoder.sink.member_value($this.plan, $this.member, $single);
                return Ok(());
            }
        )+
    };
}

/// Hands a value to the serializer of the member's role.
macro_rules! by_role {
    ($this:ident, $method:ident ($($arg:expr),*)) => {
        match $this.member.role {
            MemberRole::Field(_) => $this.value()?.$method($($arg),*),
            MemberRole::Oneof(index) => $this.oneof(index).$method($($arg),*),
            MemberRole::Unknown => $this.unknown().$method($($arg),*),
        }
    };
}

/// What writes values that a glance is not enough for, out of line: once per format, not once per member. It is given the
/// parts of a serializer, not its address: so that the serializer itself stays in registers.
macro_rules! slow {
    ($($name:ident = $method:ident($($value:ident: $ty:ty)?);)*) => {
        $(
            #[cold]
            #[inline(never)]
            fn $name<'p, K: Sink>(
                encoder: &mut Encoder<'p, K>,
                plan: &'p MessagePlan,
                member: &'p MemberPlan,
                $($value: $ty,)?
            ) -> Result<()> {
                let member = MemberSerializer { encoder, plan, member };
                by_role!(member, $method($($value)?))
            }
        )*
    };
}

slow! {
    slow_bool = serialize_bool(value: bool);
    slow_i32 = serialize_i32(value: i32);
    slow_i64 = serialize_i64(value: i64);
    slow_u32 = serialize_u32(value: u32);
    slow_u64 = serialize_u64(value: u64);
    slow_f32 = serialize_f32(value: f32);
    slow_f64 = serialize_f64(value: f64);
    slow_str = serialize_str(value: &str);
    slow_bytes = serialize_bytes(value: &[u8]);
    slow_none = serialize_none();
}

/// Methods for values that are never of the ordinary type of a member.
macro_rules! rare {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method(self, $($arg: $ty),*) -> Result<()> {
                by_role!(self, $method($($arg),*))
            }
        )*
    };
}

impl<'a, 'p, K: Sink> MemberSerializer<'a, 'p, K> {
    /// The serializer of the field that the member stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(self) -> Result<ValueSerializer<'a, 'p, K>> {
        match self.member.field(self.plan) {
            Some(field) => Ok(ValueSerializer { encoder: self.encoder, field, place: Place::Member }),
            None => Err(refuse(self.plan, self.member)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn oneof(self, index: u16) -> OneofSerializer<'a, 'p, K> {
        let oneof = &self.plan.oneofs[usize::from(index)];
        OneofSerializer { encoder: self.encoder, message: self.plan, oneof }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown(self) -> UnknownSerializer<'a, 'p, K> {
        UnknownSerializer { encoder: self.encoder, plan: self.plan }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn not_a_oneof(self) -> Error {
        not_a_oneof(self.encoder, self.plan, self.member)
    }

    /// Says of an error which member it is about.
    #[cold]
    pub(super) fn locate(plan: &MessagePlan, member: &MemberPlan, error: Error) -> Error {
        match member.field(plan) {
            Some(field) => error.in_field(&field.name),
            // A oneof has told its field, and unknown fields have none.
            None => error,
        }
    }
}

/// A value that no oneof and no unknown fields can be.
#[cold]
fn refuse(plan: &MessagePlan, member: &MemberPlan) -> Error {
    match member.role {
        MemberRole::Oneof(index) => {
            let name = &plan.oneofs[usize::from(index)].name;
            Error::ty("a oneof is an enum with a value in each variant, not a struct, a map or a sequence")
                .in_field(name)
        }
        _ => Error::ty("unknown fields are bytes, not a struct, a map or a sequence"),
    }
}

#[cold]
fn not_a_oneof<'p, K: Sink>(
    encoder: &mut Encoder<'p, K>,
    plan: &'p MessagePlan,
    member: &'p MemberPlan,
) -> Error {
    match (MemberSerializer { encoder, plan, member }).value() {
        Ok(value) => value.refuse("an enum variant"),
        Err(_) => Error::ty("unknown fields are bytes, not an enum variant"),
    }
}

impl<'a, 'p, K: Sink> Serializer for MemberSerializer<'a, 'p, K> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Sequence<'a, 'p, K>;
    type SerializeTuple = Sequence<'a, 'p, K>;
    type SerializeTupleStruct = Sequence<'a, 'p, K>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = MapOrMessage<'a, 'p, K>;
    type SerializeStruct = Members<'a, 'p, K>;
    type SerializeStructVariant = Members<'a, 'p, K>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<()> {
        glance!(self, !value, Bool => Single::Bool(value));
        slow_bool(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i32(self, value: i32) -> Result<()> {
        glance!(self, value == 0,
            Int32 => Single::I32(Kind::Int32, value),
            SInt32 => Single::I32(Kind::SInt32, value),
            SFixed32 => Single::I32(Kind::SFixed32, value));
        if self.member.holds.single(Kind::Enum)
            && let Some(field) = self.member.field(self.plan)
        {
            let plan = &self.encoder.set.enums[field.sub as usize];
            glance!(self, value == 0, Enum => Single::Enum(plan, value));
        }
        slow_i32(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(self, value: i64) -> Result<()> {
        glance!(self, value == 0, Int64 => Single::I64(Kind::Int64, value), SInt64 => Single::I64(Kind::SInt64, value), SFixed64 => Single::I64(Kind::SFixed64, value));
        slow_i64(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u32(self, value: u32) -> Result<()> {
        glance!(self, value == 0, UInt32 => Single::U32(Kind::UInt32, value), Fixed32 => Single::U32(Kind::Fixed32, value));
        slow_u32(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(self, value: u64) -> Result<()> {
        glance!(self, value == 0, UInt64 => Single::U64(Kind::UInt64, value), Fixed64 => Single::U64(Kind::Fixed64, value));
        slow_u64(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<()> {
        glance!(self, value.to_bits() == 0, Float => Single::F32(value));
        slow_f32(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<()> {
        glance!(self, value.to_bits() == 0, Double => Single::F64(value));
        slow_f64(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<()> {
        glance!(self, value.is_empty(), String => Single::Str(value));
        slow_str(self.encoder, self.plan, self.member, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        glance!(self, value.is_empty(), Bytes => Single::Bytes(value));
        match self.member.role {
            MemberRole::Unknown if value.is_empty() => Ok(()),
            _ => slow_bytes(self.encoder, self.plan, self.member, value),
        }
    }

    rare! {
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u128(value: u128);
        serialize_char(value: char);
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<()> {
        if self.member.holds.is_optional() || matches!(self.member.role, MemberRole::Oneof(_)) {
            return Ok(());
        }
        slow_none(self.encoder, self.plan, self.member)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        match self.member.role {
            MemberRole::Oneof(oneof) => {
                self.oneof(oneof).serialize_newtype_variant(name, index, variant, value)
            }
            _ => Err(self.not_a_oneof()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq> {
        self.value()?.serialize_seq(len)
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        self.value()?.serialize_tuple(len)
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        self.value()?.serialize_tuple_struct(name, len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        self.value()?.serialize_tuple_variant(name, index, variant, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap> {
        self.value()?.serialize_map(len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct> {
        self.value()?.serialize_struct(name, len)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        match self.member.role {
            MemberRole::Oneof(oneof) => self.oneof(oneof).serialize_struct_variant(name, index, variant, len),
            _ => Err(self.not_a_oneof()),
        }
    }
}
