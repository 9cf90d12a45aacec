//! A struct, or a map with names as keys, as a message.

use super::member::{MemberSerializer, locate, member, too_many};
use super::oneof::OneofSerializer;
use super::told::{ToldMessage, mark_of};
use super::unknown::{UNKNOWN, UnknownSerializer};
use super::value::{Place, ValueSerializer};
use super::{Handed, Walk, failed, key, refuse};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan, Presence, Target, mark_in};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer};

/// Serializes the outermost message.
pub(crate) struct MessageSerializer<'p, K> {
    pub(crate) sink: K,
    pub(crate) walk: Walk<'p>,
    pub(crate) plan: &'p MessagePlan,
}

impl<K> MessageSerializer<'_, K> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a message is a struct or a map, not {what}"))
    }
}

impl<'p, K: Handed> Serializer for MessageSerializer<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeStruct = Members<'p, K>;
    type SerializeMap = Members<'p, K>;

    refuse!(bool numbers str bytes none unit unit_variant newtype_variant seq tuple tuple_variant struct_variant);
    refuse!(binary);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        let MessageSerializer { sink, walk, plan } = self;
        match mark_of::<K>(name) {
            Some(mark) if mark == plan.told => ToldMessage { sink, walk, plan }.write(None, value),
            Some(_) => message_apart(sink, walk, plan, value),
            None => value.serialize(MessageSerializer { sink, walk, plan }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'p, K>> {
        Members::begin(self.sink, self.walk, self.plan, None, name)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'p, K>> {
        Members::begin(self.sink, self.walk, self.plan, None, "")
    }
}

/// A message by the plan, out of line.
#[cold]
#[inline(never)]
fn message_apart<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    value: &T,
) -> Result<K> {
    value.serialize(MessageSerializer { sink, walk, plan })
}

/// The members of an open message, one after the other.
pub(crate) struct Members<'p, K: Handed> {
    /// None after an error.
    sink: Option<K>,
    /// Where the walk stands within the message.
    walk: Walk<'p>,
    plan: &'p MessagePlan,
    /// The field that holds the message; none for the outermost one.
    field: Option<&'p FieldPlan>,
    open: K::Message,
    /// The members come exactly in the order of the plan: the struct has tobu's own derive. Else by name.
    in_order: bool,
    /// The member, or the field where no type is bound, that comes next, or probably does.
    next: usize,
    /// What only a type that is not bound needs.
    named: Option<Box<Named>>,
}

/// What is remembered of a message whose members come by name.
#[derive(Default)]
struct Named {
    /// Required fields that were not written yet.
    missing: Vec<u16>,
    /// The fields that were written, where those without presence are written in any case.
    written: Vec<bool>,
    /// The key of the map entry whose value comes next.
    key: String,
}

impl Named {
    #[cold]
    fn new(plan: &MessagePlan, defaults: bool) -> Box<Self> {
        let written = if defaults { vec![false; plan.fields.len()] } else { Vec::new() };
        Box::new(Named { missing: plan.required.to_vec(), written, key: String::new() })
    }
}

impl<'p, K: Handed> Members<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(
        mut sink: K,
        walk: Walk<'p>,
        plan: &'p MessagePlan,
        field: Option<&'p FieldPlan>,
        name: &'static str,
    ) -> Result<Self> {
        let walk = walk.enter()?;
        let open = sink.begin_message(field, plan);
        Ok(Self::open(sink, walk, plan, field, open, name))
    }

    /// The members of a message that was begun.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open(
        sink: K,
        walk: Walk<'p>,
        plan: &'p MessagePlan,
        field: Option<&'p FieldPlan>,
        open: K::Message,
        name: &'static str,
    ) -> Self {
        let in_order = plan.bound && mark_in(name).is_some();
        let named = if plan.bound { None } else { Some(Named::new(plan, walk.context.defaults)) };
        Members { sink: Some(sink), walk, plan, field, open, in_order, next: 0, named }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let Some(sink) = self.sink.take() else { return Err(failed()) };
        let index = self.next;
        if self.in_order {
            self.next += 1;
            self.sink = Some(write_member(sink, self.walk, self.plan, index, value)?);
            return Ok(());
        }
        // What is out of line gets the parts, not the address: so that all else stays in registers.
        let (sink, named, next) =
            other_member(sink, self.walk, self.plan, self.named.take(), index, name, value)?;
        (self.sink, self.named, self.next) = (Some(sink), named, next);
        Ok(())
    }

    /// A member that the value leaves out.
    fn skip(&mut self, name: &str) -> Result<()> {
        if !self.plan.bound {
            return Ok(());
        }
        let index = match self.in_order {
            true => self.next,
            false => bound_member(self.plan, self.next, name)?,
        };
        self.next = index + 1;
        skipped(self.plan, index, self.walk)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<K> {
        let Some(mut sink) = self.sink else { return Err(failed()) };
        if self.in_order && self.next > self.plan.members.len() {
            return Err(too_many(self.plan));
        }
        if let Some(named) = self.named {
            finish_named(&mut sink, self.walk, self.plan, &named)?;
        }
        sink.end_message(self.field, self.plan, self.open)?;
        Ok(sink)
    }
}

/// A member that is left out: one that is required may not be.
pub(super) fn skipped(plan: &MessagePlan, index: usize, walk: Walk<'_>) -> Result<()> {
    match plan.members.get(index).and_then(|member| member.field(plan)) {
        Some(field) if field.presence == Presence::Required && !walk.context.partial => {
            Err(Error::required(&field.name))
        }
        _ => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn finish_named<K: Handed>(sink: &mut K, walk: Walk<'_>, plan: &MessagePlan, named: &Named) -> Result<()> {
    if let Some(&index) = named.missing.first()
        && !walk.context.partial
    {
        return Err(Error::required(&plan.fields[usize::from(index)].name));
    }
    for (field, written) in plan.fields.iter().zip(&named.written) {
        if !written {
            walk.context.absent(sink, field);
        }
    }
    Ok(())
}

/// A member of a bound type; out of line where a member that is told of is written without.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write_member<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    index: usize,
    value: &T,
) -> Result<K> {
    let write = if K::TOLD { write_apart } else { write };
    write(sink, walk, plan, index, value)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn write<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    index: usize,
    value: &T,
) -> Result<K> {
    let head = member(plan, index)?.head;
    match value.serialize(MemberSerializer { sink, walk, plan, index, head }) {
        Ok(sink) => Ok(sink),
        Err(error) => Err(locate(plan, index, error)),
    }
}

#[inline(never)]
fn write_apart<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    index: usize,
    value: &T,
) -> Result<K> {
    write(sink, walk, plan, index, value)
}

/// A member of a type that has another derive, or is not bound.
#[inline(never)]
fn other_member<K: Handed, T: Serialize + ?Sized>(
    sink: K,
    walk: Walk<'_>,
    plan: &MessagePlan,
    mut named: Option<Box<Named>>,
    next: usize,
    name: &str,
    value: &T,
) -> Result<(K, Option<Box<Named>>, usize)> {
    if plan.bound {
        let index = bound_member(plan, next, name)?;
        return Ok((write_member(sink, walk, plan, index, value)?, named, index + 1));
    }
    match plan.find(name, next) {
        Some(Target::Field(index)) => {
            let field = &plan.fields[usize::from(index)];
            let mut place = Place::Member;
            if let Some(named) = &mut named {
                if named.missing.contains(&index) {
                    named.missing.retain(|missing| *missing != index);
                    place = Place::Required;
                }
                if let Some(written) = named.written.get_mut(usize::from(index)) {
                    *written = true;
                }
            }
            let serializer = ValueSerializer { sink, walk, field, place };
            let sink = value.serialize(serializer).map_err(|error| error.in_field(&field.name))?;
            Ok((sink, named, usize::from(index) + 1))
        }
        Some(Target::Oneof(oneof)) => {
            let oneof = &plan.oneofs[usize::from(oneof)];
            let sink = value.serialize(OneofSerializer { sink, walk, message: plan, oneof })?;
            Ok((sink, named, next))
        }
        None if name == UNKNOWN => Ok((value.serialize(UnknownSerializer { sink, plan })?, named, next)),
        None => Err(no_such_member(plan, name)),
    }
}

/// The member of a bound type that has a name; `next` if it is that one.
fn bound_member(plan: &MessagePlan, next: usize, name: &str) -> Result<usize> {
    match plan.members.get(next) {
        Some(member) if member.name == name => Ok(next),
        _ => plan
            .members
            .iter()
            .position(|member| member.name == name)
            .ok_or_else(|| no_such_member(plan, name)),
    }
}

#[cold]
fn no_such_member(plan: &MessagePlan, name: &str) -> Error {
    Error::ty(format!("{} has no field or oneof named {name:?}", plan.full_name))
}

impl<K: Handed> SerializeStruct for Members<'_, K> {
    type Ok = K;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.skip(name)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<K> {
        self.finish()
    }
}

impl<K: Handed> SerializeStructVariant for Members<'_, K> {
    type Ok = K;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.skip(name)
    }

    fn end(self) -> Result<K> {
        self.finish()
    }
}

impl<K: Handed> SerializeMap for Members<'_, K> {
    type Ok = K;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let name = key.serialize(key::NameSerializer)?;
        // The members of a bound type are asked for what is required one by one.
        self.named.get_or_insert_default().key = name;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = self.named.as_mut().map(|named| std::mem::take(&mut named.key)).unwrap_or_default();
        self.member(&name, value)
    }

    fn end(self) -> Result<K> {
        self.finish()
    }
}
