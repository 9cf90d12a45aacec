//! A member of a bound struct: the values that there are most of at a glance, all else by its role.

use super::list::Sequence;
use super::message::Members;
use super::oneof::OneofSerializer;
use super::unknown::UnknownSerializer;
use super::value::{MapOrMessage, Place, ValueSerializer};
use super::{Handed, Single, Walk};
use crate::error::{Error, Result};
use crate::plan::{Head, Kind, MemberPlan, MemberRole, MessagePlan};
use serde::ser::{Impossible, Serialize, Serializer};

/// Writes a member as its role says.
pub(super) struct MemberSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) plan: &'p MessagePlan,
    pub(super) index: usize,
    pub(super) head: Head,
}

/// Writes a value at a glance where the member holds one of the kinds, and gives up the glance where it does not.
macro_rules! glance {
    ($this:ident, $is_default:expr, $($kind:ident)|+ => $single:expr) => {
        glance!($this, $is_default, $this.kind(&[$(Kind::$kind),+]).map($single))
    };
    ($this:ident, $is_default:expr, $single:expr) => {
        if let Some(single) = $single {
            if !($is_default && $this.head.holds.is_implicit() && !$this.walk.defaults::<K>()) {
                $this.sink.member_value($this.plan, $this.index, $this.head, single);
            }
            return Ok($this.sink);
        }
    };
}

/// Hands a value to the serializer of the member's role.
macro_rules! by_role {
    ($this:ident, $method:ident ($($arg:expr),*)) => {
        match $this.role()? {
            MemberRole::Field(_) => $this.value()?.$method($($arg),*),
            MemberRole::Oneof(index) => $this.oneof(index).$method($($arg),*),
            MemberRole::Unknown => $this.unknown().$method($($arg),*),
        }
    };
}

/// What writes values that a glance is not enough for, out of line: once per format, not once per member. It is given the
/// parts of a serializer, not its address: so that the serializer itself stays in registers.
macro_rules! slow {
    ($($name:ident($($value:ident: $ty:ty)?) = $method:ident($($as:expr)?);)*) => {
        $(
            #[cold]
            #[inline(never)]
            fn $name<K: Handed>(
                sink: K,
                walk: Walk<'_>,
                plan: &MessagePlan,
                index: usize,
                $($value: $ty,)?
            ) -> Result<K> {
                let head = member(plan, index)?.head;
                let member = MemberSerializer { sink, walk, plan, index, head };
                by_role!(member, $method($($as)?))
            }
        )*
    };
}

slow! {
    slow_bool(value: bool) = serialize_bool(value);
    slow_i32(value: i32) = serialize_i32(value);
    slow_i64(value: i64) = serialize_i64(value);
    slow_u32(value: u32) = serialize_u32(value);
    slow_u64(value: u64) = serialize_u64(value);
    // Bits, so that the value is in no register that a call does not keep.
    slow_f32(value: u32) = serialize_f32(f32::from_bits(value));
    slow_f64(value: u64) = serialize_f64(f64::from_bits(value));
    slow_str(value: &str) = serialize_str(value);
    slow_bytes(value: &[u8]) = serialize_bytes(value);
    slow_none() = serialize_none();
}

/// Methods for values that are never of the ordinary type of a member.
macro_rules! rare {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method(self, $($arg: $ty),*) -> Result<K> {
                by_role!(self, $method($($arg),*))
            }
        )*
    };
}

impl<'p, K: Handed> MemberSerializer<'p, K> {
    /// The one of these kinds that the member holds a single value of.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kind<const N: usize>(&self, kinds: &[Kind; N]) -> Option<Kind> {
        let mut index = 0;
        while index < N {
            if self.head.holds.single(kinds[index]) {
                return Some(kinds[index]);
            }
            index += 1;
        }
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn role(&self) -> Result<MemberRole> {
        Ok(member(self.plan, self.index)?.role)
    }

    /// The serializer of the field that the member stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(self) -> Result<ValueSerializer<'p, K>> {
        match self.role()?.field(&self.plan.fields) {
            Some(field) => {
                Ok(ValueSerializer { sink: self.sink, walk: self.walk, field, place: Place::Member })
            }
            None => Err(refuse(self.plan, self.index)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn oneof(self, index: u16) -> OneofSerializer<'p, K> {
        let oneof = &self.plan.oneofs[usize::from(index)];
        OneofSerializer { sink: self.sink, walk: self.walk, message: self.plan, oneof }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown(self) -> UnknownSerializer<'p, K> {
        UnknownSerializer { sink: self.sink, plan: self.plan }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn not_a_oneof(self) -> Error {
        not_a_oneof(self.sink, self.walk, self.plan, self.index)
    }
}

/// The member at an index; the variants of oneofs stand behind them.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn member(plan: &MessagePlan, index: usize) -> Result<&MemberPlan> {
    plan.member(index).ok_or_else(|| too_many(plan))
}

#[cold]
pub(super) fn too_many(plan: &MessagePlan) -> Error {
    Error::ty(format!("{} has {} members, not more", plan.full_name, plan.members.len()))
}

/// Says of an error which member it is about.
#[cold]
pub(super) fn locate(plan: &MessagePlan, index: usize, error: Error) -> Error {
    match member(plan, index).ok().and_then(|member| member.field(plan)) {
        Some(field) => error.in_field(&field.name),
        // A oneof has told its field, and unknown fields have none.
        None => error,
    }
}

/// A value that no oneof and no unknown fields can be.
#[cold]
fn refuse(plan: &MessagePlan, index: usize) -> Error {
    match plan.members.get(index).map(|member| member.role) {
        Some(MemberRole::Oneof(index)) => {
            let name = &plan.oneofs[usize::from(index)].name;
            Error::ty("a oneof is an enum with a value in each variant, not a struct, a map or a sequence")
                .in_field(name)
        }
        _ => Error::ty("unknown fields are bytes, not a struct, a map or a sequence"),
    }
}

#[cold]
fn not_a_oneof<K: Handed>(sink: K, walk: Walk<'_>, plan: &MessagePlan, index: usize) -> Error {
    let head = Head::OTHER;
    match (MemberSerializer { sink, walk, plan, index, head }).value() {
        Ok(value) => value.refuse("an enum variant"),
        Err(_) => Error::ty("unknown fields are bytes, not an enum variant"),
    }
}

impl<'p, K: Handed> Serializer for MemberSerializer<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeSeq = Sequence<'p, K>;
    type SerializeTuple = Sequence<'p, K>;
    type SerializeTupleStruct = Sequence<'p, K>;
    type SerializeTupleVariant = Impossible<K, Error>;
    type SerializeMap = MapOrMessage<'p, K>;
    type SerializeStruct = Members<'p, K>;
    type SerializeStructVariant = Members<'p, K>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(mut self, value: bool) -> Result<K> {
        glance!(self, !value, Bool => |_| Single::Bool(value));
        slow_bool(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i32(mut self, value: i32) -> Result<K> {
        let single = match self.kind(&[Kind::Int32, Kind::SInt32, Kind::SFixed32]) {
            Some(kind) => Some(Single::I32(kind, value)),
            None if !self.head.holds.single(Kind::Enum) => None,
            // An enum is written as an int32 is.
            None if K::BY_HEAD => Some(Single::I32(Kind::Int32, value)),
            None => (self.role()?.field(&self.plan.fields))
                .map(|field| Single::Enum(&self.walk.context.set.enums[field.sub as usize], value)),
        };
        glance!(self, value == 0, single);
        slow_i32(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(mut self, value: i64) -> Result<K> {
        glance!(self, value == 0, Int64 | SInt64 | SFixed64 => |kind| Single::I64(kind, value));
        slow_i64(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u32(mut self, value: u32) -> Result<K> {
        glance!(self, value == 0, UInt32 | Fixed32 => |kind| Single::U32(kind, value));
        slow_u32(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(mut self, value: u64) -> Result<K> {
        glance!(self, value == 0, UInt64 | Fixed64 => |kind| Single::U64(kind, value));
        slow_u64(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(mut self, value: f32) -> Result<K> {
        glance!(self, value.to_bits() == 0, Float => |_| Single::F32(value));
        slow_f32(self.sink, self.walk, self.plan, self.index, value.to_bits())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(mut self, value: f64) -> Result<K> {
        glance!(self, value.to_bits() == 0, Double => |_| Single::F64(value));
        slow_f64(self.sink, self.walk, self.plan, self.index, value.to_bits())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(mut self, value: &str) -> Result<K> {
        glance!(self, value.is_empty(), String => |_| Single::Str(value));
        slow_str(self.sink, self.walk, self.plan, self.index, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(mut self, value: &[u8]) -> Result<K> {
        glance!(self, value.is_empty(), Bytes => |_| Single::Bytes(value));
        match self.head.holds.is_unknown() {
            true if value.is_empty() => Ok(self.sink),
            _ => slow_bytes(self.sink, self.walk, self.plan, self.index, value),
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
    fn serialize_none(self) -> Result<K> {
        if self.head.holds.is_optional() || matches!(self.role()?, MemberRole::Oneof(_)) {
            return Ok(self.sink);
        }
        slow_none(self.sink, self.walk, self.plan, self.index)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        self.newtype(name, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<K> {
        match self.role()? {
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
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, values: I) -> Result<K> {
        self.value()?.collect_seq(values)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_map<Q, T, I>(self, entries: I) -> Result<K>
    where
        Q: Serialize,
        T: Serialize,
        I: IntoIterator<Item = (Q, T)>,
    {
        self.value()?.collect_map(entries)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(mut self, name: &'static str, len: usize) -> Result<Self::SerializeStruct> {
        if !self.head.holds.single(Kind::Message) {
            return self.value()?.serialize_struct(name, len);
        }
        let member = member(self.plan, self.index)?;
        let plan = &self.walk.context.set.messages[member.sub as usize];
        let field = member.field(self.plan);
        let walk = self.walk.enter()?;
        let open = self.sink.begin_member(field, self.head, plan, false);
        Ok(Members::open(self.sink, walk, plan, field, open, name))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        match self.role()? {
            MemberRole::Oneof(oneof) => self.oneof(oneof).serialize_struct_variant(name, index, variant, len),
            _ => Err(self.not_a_oneof()),
        }
    }
}
