//! Messages whose derive tells of their members what the plan says, and what in them comes with what is told.

use super::list::Sequence;
use super::member::{MemberSerializer, locate, member};
use super::message::{Members, skipped};
use super::value::{MapOrMessage, Place, ValueSerializer};
use super::{Handed, Single, Walk, failed, refuse};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Head, Kind, MessagePlan, mark_in};
use serde::ser::{Impossible, Serialize, SerializeSeq, SerializeStruct, Serializer};

/// The mark by which a message asks for itself, where the sink uses what is told.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn mark_of<K: Handed>(name: &str) -> Option<u64> {
    if K::TOLD { mark_in(name).filter(|mark| *mark != 0) } else { None }
}

/// A message of a type with tobu's derive, whose name bears the mark that its plan has.
pub(super) struct ToldMessage<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) plan: &'p MessagePlan,
}

impl<'p, K: Handed> ToldMessage<'p, K> {
    /// Writes the message as a value of `field`, which is the outermost one's where there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write<T: Serialize + ?Sized>(self, field: Option<&FieldPlan>, value: &T) -> Result<K> {
        let ToldMessage { mut sink, walk, plan } = self;
        let walk = walk.enter()?;
        let open = sink.begin_message(field, plan);
        let mut sink = value.serialize(ToldMessage { sink, walk, plan })?;
        sink.end_message(field, plan, open)?;
        Ok(sink)
    }

    /// The same as all that a member holds, which stands for `field`; of a list maybe `again`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_member<T: Serialize + ?Sized>(
        self,
        field: Option<&FieldPlan>,
        head: Head,
        again: bool,
        value: &T,
    ) -> Result<K> {
        let ToldMessage { mut sink, walk, plan } = self;
        let walk = walk.enter()?;
        let open = sink.begin_member(field, head, plan, again);
        let mut sink = value.serialize(ToldMessage { sink, walk, plan })?;
        sink.end_message(field, plan, open)?;
        Ok(sink)
    }

    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a message is a struct, not {what}"))
    }
}

impl<'p, K: Handed> Serializer for ToldMessage<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeStruct = ToldMembers<'p, K>;

    refuse!(bool numbers str bytes none unit unit_variant newtype_variant seq tuple tuple_variant map struct_variant);
    refuse!(transparent binary);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ToldMembers<'p, K>> {
        let ToldMessage { sink, walk, plan } = self;
        Ok(ToldMembers { sink: Some(sink), walk, plan, next: 0 })
    }
}

/// The members of such a message, which come in the order of the plan.
pub(super) struct ToldMembers<'p, K> {
    /// None after an error.
    sink: Option<K>,
    walk: Walk<'p>,
    plan: &'p MessagePlan,
    next: usize,
}

impl<K: Handed> SerializeStruct for ToldMembers<'_, K> {
    type Ok = K;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        let Some(sink) = self.sink.take() else { return Err(failed()) };
        let ToldMembers { walk, plan, next: index, .. } = *self;
        self.next += 1;
        let written = value.serialize(ToldSerializer { sink, walk, plan, index });
        self.sink = Some(written.map_err(|error| locate(plan, index, error))?);
        Ok(())
    }

    fn skip_field(&mut self, _: &'static str) -> Result<()> {
        self.next += 1;
        skipped(self.plan, self.next - 1, self.walk)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<K> {
        self.sink.ok_or_else(failed)
    }
}

/// Writes a member by what its name tells of it; one that tells nothing by the plan.
pub(super) struct ToldSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) plan: &'p MessagePlan,
    pub(super) index: usize,
}

impl<'p, K: Handed> ToldSerializer<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan(self) -> Result<MemberSerializer<'p, K>> {
        let ToldSerializer { sink, walk, plan, index } = self;
        let head = member(plan, index)?.head;
        Ok(MemberSerializer { sink, walk, plan, index, head })
    }
}

/// Forwards methods to the serializer that goes by the plan.
macro_rules! by_plan {
    ($($method:ident($($arg:ident: $ty:ty),*) -> $ok:ty;)*) => {
        $(
            // Never of a derive's own types, where a name told the truth; but it is compiled before that is found out.
            #[cold]
            #[inline(never)]
            fn $method(self, $($arg: $ty),*) -> Result<$ok> {
                self.by_plan()?.$method($($arg),*)
            }
        )*
    };
    (all; seq: $seq:ty, struct variant: $variant:ty) => {
        type Ok = K;
        type Error = Error;
        type SerializeSeq = $seq;
        type SerializeTuple = Sequence<'p, K>;
        type SerializeTupleStruct = Sequence<'p, K>;
        type SerializeTupleVariant = Impossible<K, Error>;
        type SerializeMap = MapOrMessage<'p, K>;
        type SerializeStruct = Members<'p, K>;
        type SerializeStructVariant = $variant;

        refuse!(binary);

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K> {
            value.serialize(self)
        }

        // A oneof tells nothing, and often has no value.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_none(self) -> Result<K> {
            self.by_plan()?.serialize_none()
        }

        by_plan!(single values);
        by_plan!(compounds);
        by_plan!(variants);
    };
    (single values) => {
        by_plan! {
            serialize_bool(value: bool) -> K;
            serialize_i8(value: i8) -> K;
            serialize_i16(value: i16) -> K;
            serialize_i32(value: i32) -> K;
            serialize_i64(value: i64) -> K;
            serialize_i128(value: i128) -> K;
            serialize_u8(value: u8) -> K;
            serialize_u16(value: u16) -> K;
            serialize_u32(value: u32) -> K;
            serialize_u64(value: u64) -> K;
            serialize_u128(value: u128) -> K;
            serialize_f32(value: f32) -> K;
            serialize_f64(value: f64) -> K;
            serialize_char(value: char) -> K;
            serialize_unit() -> K;
            serialize_unit_struct(name: &'static str) -> K;
            serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> K;
        }
    };
    (compounds) => {
        by_plan! {
            serialize_tuple(len: usize) -> Self::SerializeTuple;
            serialize_tuple_struct(name: &'static str, len: usize) -> Self::SerializeTupleStruct;
            serialize_map(len: Option<usize>) -> Self::SerializeMap;
            serialize_struct(name: &'static str, len: usize) -> Self::SerializeStruct;
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn collect_map<Q, T, I>(self, entries: I) -> Result<K>
        where
            Q: Serialize,
            T: Serialize,
            I: IntoIterator<Item = (Q, T)>,
        {
            self.by_plan()?.collect_map(entries)
        }
    };
    (variants) => {
        by_plan! {
            serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
                -> Self::SerializeTupleVariant;
            serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
                -> Self::SerializeStructVariant;
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            name: &'static str,
            index: u32,
            variant: &'static str,
            value: &T,
        ) -> Result<K> {
            self.by_plan()?.serialize_newtype_variant(name, index, variant, value)
        }
    };
}

impl<'p, K: Handed> Serializer for ToldSerializer<'p, K> {
    by_plan!(all; seq: Sequence<'p, K>, struct variant: Members<'p, K>);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        let ToldSerializer { sink, walk, plan, index } = self;
        let (head, is_list) = match Head::of_name(name) {
            Some(head) => (head, K::BY_HEAD && head.holds.is_list()),
            None => (member(plan, index)?.head, false),
        };
        match is_list {
            true => value.serialize(ToldList { sink, walk, plan, index, head }),
            false => value.serialize(MemberSerializer { sink, walk, plan, index, head }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, values: I) -> Result<K> {
        self.by_plan()?.collect_seq(values)
    }

    by_plan! {
        serialize_str(value: &str) -> K;
        serialize_bytes(value: &[u8]) -> K;
        serialize_seq(len: Option<usize>) -> Self::SerializeSeq;
    }
}

/// Writes a list of values each of which comes with the tag.
pub(super) struct ToldList<'p, K> {
    sink: K,
    walk: Walk<'p>,
    plan: &'p MessagePlan,
    index: usize,
    head: Head,
}

impl<'p, K: Handed> ToldList<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan(self) -> Result<MemberSerializer<'p, K>> {
        let ToldList { sink, walk, plan, index, .. } = self;
        ToldSerializer { sink, walk, plan, index }.by_plan()
    }
}

impl<'p, K: Handed> Serializer for ToldList<'p, K> {
    by_plan!(all; seq: ToldElements<'p, K>, struct variant: Members<'p, K>);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        let ToldList { sink, walk, plan, index, head } = self;
        let message = match head.holds.list(Kind::Message) {
            true => walk.sub(member(plan, index)?.sub),
            false => None,
        };
        Ok(ToldElements { sink: Some(sink), walk, plan, index, head, message, element: 0 })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<K> {
        value.serialize(self)
    }

    by_plan! {
        serialize_str(value: &str) -> K;
        serialize_bytes(value: &[u8]) -> K;
    }
}

/// The elements of such a list.
pub(super) struct ToldElements<'p, K> {
    /// None after an error.
    sink: Option<K>,
    walk: Walk<'p>,
    plan: &'p MessagePlan,
    index: usize,
    head: Head,
    /// Of the elements, where they are messages.
    message: Option<&'p MessagePlan>,
    element: usize,
}

impl<K: Handed> SerializeSeq for ToldElements<'_, K> {
    type Ok = K;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let Some(sink) = self.sink.take() else { return Err(failed()) };
        let ToldElements { walk, plan, index, head, message, element, .. } = *self;
        let again = element > 0;
        match value.serialize(ToldElement { sink, walk, plan, index, head, message, again }) {
            Ok(sink) => {
                self.sink = Some(sink);
                self.element += 1;
                Ok(())
            }
            Err(error) => Err(error.in_index(self.element)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<K> {
        self.sink.ok_or_else(failed)
    }
}

/// One of them.
struct ToldElement<'p, K> {
    sink: K,
    walk: Walk<'p>,
    plan: &'p MessagePlan,
    index: usize,
    head: Head,
    message: Option<&'p MessagePlan>,
    /// Another one came before.
    again: bool,
}

impl<'p, K: Handed> ToldElement<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan(self) -> Result<ValueSerializer<'p, K>> {
        let ToldElement { mut sink, walk, plan, index, message, .. } = self;
        match member(plan, index)?.field(plan) {
            Some(field) => {
                sink.element(field, false);
                Ok(ValueSerializer { sink, walk, field, place: Place::Inside(message) })
            }
            None => Err(Error::ty("the member is no field, whatever its name tells")),
        }
    }
}

/// An element by the plan, out of line: it is given the parts of a serializer, so that this stays in registers.
#[cold]
#[inline(never)]
fn element_apart<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    index: usize,
    message: Option<&MessagePlan>,
    value: &T,
) -> Result<K> {
    let element = ToldElement { sink, walk, plan, index, head: Head::OTHER, message, again: false };
    value.serialize(element.by_plan()?)
}

impl<'p, K: Handed> Serializer for ToldElement<'p, K> {
    by_plan!(all; seq: Sequence<'p, K>, struct variant: Impossible<K, Error>);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(mut self, value: &str) -> Result<K> {
        if self.head.holds.list(Kind::String) {
            self.sink.member_value(self.plan, self.index, self.head, Single::Str(value));
            return Ok(self.sink);
        }
        let ToldElement { sink, walk, plan, index, message, .. } = self;
        element_apart(sink, walk, plan, index, message, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(mut self, value: &[u8]) -> Result<K> {
        if self.head.holds.list(Kind::Bytes) {
            self.sink.member_value(self.plan, self.index, self.head, Single::Bytes(value));
            return Ok(self.sink);
        }
        self.by_plan()?.serialize_bytes(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        let Some(mark) = mark_of::<K>(name) else { return value.serialize(self) };
        let ToldElement { sink, walk, plan, index, head, message, again } = self;
        match message {
            Some(plan) if plan.told == mark => {
                ToldMessage { sink, walk, plan }.write_member(None, head, again, value)
            }
            _ => element_apart(sink, walk, plan, index, message, value),
        }
    }

    by_plan! {
        serialize_seq(len: Option<usize>) -> Self::SerializeSeq;
    }
}

impl<'p, K: Handed> MemberSerializer<'p, K> {
    /// Writes what asks for itself by a name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn newtype<T: Serialize + ?Sized>(self, name: &str, value: &T) -> Result<K> {
        let Some(mark) = mark_of::<K>(name) else { return value.serialize(self) };
        let MemberSerializer { sink, walk, plan, index, head } = self;
        if head.holds.single(Kind::Message) {
            // Another kind has no message, or one of another mark: by the plan, that is found out.
            let member = member(plan, index)?;
            let field = if K::BY_HEAD { None } else { member.field(plan) };
            match walk.sub(member.sub) {
                Some(plan) if plan.told == mark => {
                    return ToldMessage { sink, walk, plan }.write_member(field, head, false, value);
                }
                _ => {}
            }
        }
        member_apart(sink, walk, plan, index, value)
    }
}

/// A member by the plan, out of line.
#[cold]
#[inline(never)]
fn member_apart<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    index: usize,
    value: &T,
) -> Result<K> {
    value.serialize(ToldSerializer { sink, walk, plan, index }.by_plan()?)
}

impl<'p, K: Handed> ValueSerializer<'p, K> {
    /// Writes what asks for itself by a name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn newtype<T: Serialize + ?Sized>(mut self, name: &str, value: &T) -> Result<K> {
        let Some(mark) = mark_of::<K>(name) else { return value.serialize(self) };
        let plan = match self.place {
            Place::Inside(plan) | Place::Value(plan) => plan,
            _ => self.walk.message(self.field),
        };
        match plan {
            Some(plan) if plan.told == mark => {
                self.begin_value()?;
                let ValueSerializer { sink, walk, field, .. } = self;
                ToldMessage { sink, walk, plan }.write(Some(field), value)
            }
            _ => value_apart(self.sink, self.walk, self.field, self.place, value),
        }
    }
}

/// A value by the plan, out of line.
#[cold]
#[inline(never)]
fn value_apart<'p, K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'p>,
    field: &'p FieldPlan,
    place: Place<'p>,
    value: &T,
) -> Result<K> {
    value.serialize(ValueSerializer { sink, walk, field, place })
}
