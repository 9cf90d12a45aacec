//! A struct, or a map with names as keys, as a message.

use super::member::MemberSerializer;
use super::oneof::OneofSerializer;
use super::unknown::{UNKNOWN, UnknownSerializer};
use super::value::{Place, ValueSerializer};
use super::{Encoder, Sink, key, refuse};
use crate::error::{Error, Result};
use crate::member::MESSAGE;
use crate::plan::{FieldPlan, MemberPlan, MessagePlan, Presence, Target};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer};

/// Serializes the outermost message.
pub(crate) struct MessageSerializer<'a, 'p, K> {
    pub(crate) encoder: &'a mut Encoder<'p, K>,
    pub(crate) plan: &'p MessagePlan,
}

impl<K> MessageSerializer<'_, '_, K> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a message is a struct or a map, not {what}"))
    }
}

impl<'a, 'p, K: Sink> Serializer for MessageSerializer<'a, 'p, K> {
    type Ok = ();
    type Error = Error;
    type SerializeStruct = Members<'a, 'p, K>;
    type SerializeMap = Members<'a, 'p, K>;

    refuse!(bool numbers str bytes none unit unit_variant newtype_variant seq tuple tuple_variant struct_variant);
    refuse!(transparent binary);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'a, 'p, K>> {
        Members::begin(self.encoder, self.plan, None, name)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a, 'p, K>> {
        Members::begin(self.encoder, self.plan, None, "")
    }
}

/// The members of an open message, one after the other.
pub(crate) struct Members<'a, 'p, K: Sink> {
    encoder: &'a mut Encoder<'p, K>,
    plan: &'p MessagePlan,
    /// The field that holds the message; none for the outermost one.
    field: Option<&'p FieldPlan>,
    open: K::Message,
    /// The members that are left, where they come exactly in the order of the plan: the struct has tobu's own derive.
    /// None for any other type.
    ordered: std::slice::Iter<'p, MemberPlan>,
    by_name: ByName,
}

/// Where a message stands whose members come by name.
#[derive(Default)]
struct ByName {
    /// The member, or the field where no type is bound, that probably comes next.
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

impl<'a, 'p, K: Sink> Members<'a, 'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(
        encoder: &'a mut Encoder<'p, K>,
        plan: &'p MessagePlan,
        field: Option<&'p FieldPlan>,
        name: &'static str,
    ) -> Result<Self> {
        encoder.enter()?;
        let open = encoder.sink.begin_message(field, plan);
        let (ordered, named) = match (plan.bound, name) {
            (true, MESSAGE) => (plan.members.iter(), None),
            (true, _) => (Default::default(), None),
            (false, _) => (Default::default(), Some(Named::new(plan, encoder.defaults))),
        };
        Ok(Members { encoder, plan, field, open, ordered, by_name: ByName { next: 0, named } })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        match self.ordered.next() {
            Some(member) => write(self.encoder, self.plan, member, value),
            None => self.other_member(name, value),
        }
    }

    /// A member of a type that has another derive, or is not bound. What is out of line gets a copy of the state, not the
    /// address: so that all else stays in registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn other_member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let mut by_name = std::mem::take(&mut self.by_name);
        let done = by_name.member(self.encoder, self.plan, name, value);
        self.by_name = by_name;
        done
    }

    /// A member that the value leaves out.
    fn skip(&mut self, name: &str) -> Result<()> {
        if !self.plan.bound {
            return Ok(());
        }
        let member = match self.ordered.next() {
            Some(member) => member,
            None => self.by_name.bound_member(self.plan, name)?,
        };
        match member.field(self.plan) {
            Some(field) if field.presence == Presence::Required && !self.encoder.partial => {
                Err(Error::required(&field.name))
            }
            _ => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<()> {
        if let Some(named) = self.by_name.named {
            if let Some(&index) = named.missing.first()
                && !self.encoder.partial
            {
                return Err(Error::required(&self.plan.fields[usize::from(index)].name));
            }
            for (field, written) in self.plan.fields.iter().zip(&named.written) {
                if !written {
                    self.encoder.absent(field);
                }
            }
        }
        self.encoder.depth += 1;
        self.encoder.sink.end_message(self.field, self.plan, self.open)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn write<'p, K: Sink, T: Serialize + ?Sized>(
    encoder: &mut Encoder<'p, K>,
    plan: &'p MessagePlan,
    member: &'p MemberPlan,
    value: &T,
) -> Result<()> {
    match value.serialize(MemberSerializer { encoder, plan, member }) {
        Ok(()) => Ok(()),
        Err(error) => Err(MemberSerializer::<K>::locate(plan, member, error)),
    }
}

impl ByName {
    #[inline(never)]
    fn member<'p, K: Sink, T: Serialize + ?Sized>(
        &mut self,
        encoder: &mut Encoder<'p, K>,
        plan: &'p MessagePlan,
        name: &str,
        value: &T,
    ) -> Result<()> {
        match plan.bound {
            true => write(encoder, plan, self.bound_member(plan, name)?, value),
            false => self.member_by_name(encoder, plan, name, value),
        }
    }

    fn bound_member<'p>(&mut self, plan: &'p MessagePlan, name: &str) -> Result<&'p MemberPlan> {
        let index = self.next;
        self.next += 1;
        match plan.members.get(index) {
            Some(member) if member.name == name => Ok(member),
            _ => self.bound_member_by_name(plan, name),
        }
    }

    #[cold]
    fn bound_member_by_name<'p>(&mut self, plan: &'p MessagePlan, name: &str) -> Result<&'p MemberPlan> {
        match plan.members.iter().position(|member| member.name == name) {
            Some(index) => {
                self.next = index + 1;
                Ok(&plan.members[index])
            }
            None => Err(no_such_member(plan, name)),
        }
    }

    /// A member of a type that is not bound: its name tells the field.
    #[inline(never)]
    fn member_by_name<'p, K: Sink, T: Serialize + ?Sized>(
        &mut self,
        encoder: &mut Encoder<'p, K>,
        plan: &'p MessagePlan,
        name: &str,
        value: &T,
    ) -> Result<()> {
        match plan.find(name, self.next) {
            Some(Target::Field(index)) => {
                self.next = usize::from(index) + 1;
                let field = &plan.fields[usize::from(index)];
                let mut place = Place::Member;
                if let Some(named) = &mut self.named {
                    if named.missing.contains(&index) {
                        named.missing.retain(|missing| *missing != index);
                        place = Place::Required;
                    }
                    if let Some(written) = named.written.get_mut(usize::from(index)) {
                        *written = true;
                    }
                }
                let serializer = ValueSerializer { encoder, field, place };
                value.serialize(serializer).map_err(|error| error.in_field(&field.name))
            }
            Some(Target::Oneof(oneof)) => {
                let oneof = &plan.oneofs[usize::from(oneof)];
                value.serialize(OneofSerializer { encoder, message: plan, oneof })
            }
            None if name == UNKNOWN => value.serialize(UnknownSerializer { encoder, plan }),
            None => Err(no_such_member(plan, name)),
        }
    }
}

#[cold]
fn no_such_member(plan: &MessagePlan, name: &str) -> Error {
    Error::ty(format!("{} has no field or oneof named {name:?}", plan.full_name))
}

impl<K: Sink> SerializeStruct for Members<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.skip(name)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl<K: Sink> SerializeStructVariant for Members<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.skip(name)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl<K: Sink> SerializeMap for Members<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let name = key.serialize(key::NameSerializer)?;
        self.by_name.named.get_or_insert_with(|| Named::new(self.plan, false)).key = name;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name =
            self.by_name.named.as_mut().map(|named| std::mem::take(&mut named.key)).unwrap_or_default();
        self.member(&name, value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
