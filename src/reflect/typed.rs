//! Typed messages seen through their descriptors, in place.
//!
//! The functions here are not generic, so that a message type costs one thin method each.

use super::check;
use super::slot::{At, MemberVisitor, Members, is_set};
use super::{FieldRef, Reflect, Value, ValueMut, ValueRef};
use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::{Error, Result};
use crate::member::UnknownFields;
use crate::message::{Message, plans};
use crate::plan::{MemberRole, PlanSet, Presence, Route, Shape};

/// The schema of a Rust type.
#[derive(Clone, Copy)]
struct Schema {
    set: &'static PlanSet,
    descriptor: &'static MessageDescriptor,
}

/// Where a field of the descriptor is.
enum Found {
    /// In a member.
    Member(At, Route),
    /// Nowhere: the struct does not name it.
    Nowhere(At),
}

#[inline]
fn schema<T: Message>() -> Result<Schema> {
    Ok(Schema { set: plans::<T>()?, descriptor: T::shape().descriptor()? })
}

impl Schema {
    fn find(self, field: &FieldDescriptor) -> Result<Found> {
        let message = self.set.root();
        if !field.is_field_of(self.descriptor) {
            return Err(check::foreign_field(&message.full_name, field));
        }
        if let Some(index) = message.numbers.get(field.number()) {
            let at = At { set: self.set, message, field: &message.fields[index] };
            return Ok(Found::Member(at, message.routes[index]));
        }
        let set = self.descriptor.plans()?;
        let message = set.root();
        match message.numbers.get(field.number()) {
            Some(index) => Ok(Found::Nowhere(At { set, message, field: &message.fields[index] })),
            None => Err(check::foreign_field(&message.full_name, field)),
        }
    }

    /// The field in a member; an error where the struct does not name it.
    fn place(self, field: &FieldDescriptor) -> Result<(At, Route)> {
        match self.find(field)? {
            Found::Member(at, route) => Ok((at, route)),
            Found::Nowhere(at) => Err(at.name(Error::ty("the Rust type has no member for the field"))),
        }
    }

    fn has(self, message: &dyn Members, field: &FieldDescriptor) -> Result<bool> {
        let Found::Member(at, route) = self.find(field)? else { return Ok(false) };
        Ok(value(message, at, route).is_some_and(|value| is_set(at, value)))
    }

    fn get<'a>(self, message: &'a dyn Members, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
        match self.find(field)? {
            Found::Member(at, route) => {
                Ok(value(message, at, route).unwrap_or_else(|| check::default_of(at.set, at.field)))
            }
            Found::Nowhere(at) => Ok(check::default_of(at.set, at.field)),
        }
    }

    fn get_mut<'a>(self, message: &'a mut dyn Members, field: &FieldDescriptor) -> Result<ValueMut<'a>> {
        let (at, route) = self.place(field)?;
        if at.field.shape == Shape::Singular && !at.field.is_message() {
            return Err(at.name(check::not_in_place(at.set, at.field)));
        }
        self.clear_siblings(message, field, at, route)?;
        let (member, variant) = (usize::from(route.member), usize::from(route.variant));
        if route.variant == Route::NO_VARIANT {
            let slot = message.member_mut(member).ok_or_else(mismatch)?;
            return slot.get_mut(at).map_err(|error| at.name(error));
        }
        let oneof = message.oneof_member_mut(member).ok_or_else(mismatch)?;
        if oneof.variant().is_none_or(|(set, _)| set != variant) {
            oneof.replace(variant, &mut |_| Ok(())).map_err(|error| at.name(error))?;
        }
        let (_, slot) = oneof.variant_mut().ok_or_else(mismatch)?;
        slot.get_mut(at).map_err(|error| at.name(error))
    }

    fn set(self, message: &mut dyn Members, field: &FieldDescriptor, value: Value) -> Result<()> {
        let (at, route) = self.place(field)?;
        check::value(at.set, at.field, &value).map_err(|error| at.name(error))?;
        let member = usize::from(route.member);
        let done = if route.variant == Route::NO_VARIANT {
            let slot = message.member_mut(member).ok_or_else(mismatch)?;
            slot.set(at, value)
        } else {
            let oneof = message.oneof_member_mut(member).ok_or_else(mismatch)?;
            let mut value = Some(value);
            oneof.replace(usize::from(route.variant), &mut |slot| match value.take() {
                Some(value) => slot.set(at, value),
                None => Ok(()),
            })
        };
        done.map_err(|error| at.name(error))?;
        self.clear_siblings(message, field, at, route)
    }

    /// Clears the other fields of a oneof whose fields are members of their own.
    fn clear_siblings(
        self,
        message: &mut dyn Members,
        field: &FieldDescriptor,
        at: At,
        route: Route,
    ) -> Result<()> {
        if route.variant != Route::NO_VARIANT || at.field.presence == Presence::Implicit {
            return Ok(());
        }
        let Some(oneof) = field.oneof() else { return Ok(()) };
        for sibling in oneof.fields().filter(|sibling| sibling != field) {
            self.clear(message, &sibling)?;
        }
        Ok(())
    }

    fn clear(self, message: &mut dyn Members, field: &FieldDescriptor) -> Result<()> {
        let Found::Member(at, route) = self.find(field)? else { return Ok(()) };
        let member = usize::from(route.member);
        if route.variant == Route::NO_VARIANT {
            if let Some(slot) = message.member_mut(member) {
                slot.clear(at);
            }
        } else if let Some(oneof) = message.oneof_member_mut(member)
            && oneof.variant().is_some_and(|(set, _)| set == usize::from(route.variant))
        {
            oneof.clear();
        }
        Ok(())
    }

    fn which_oneof(self, message: &dyn Members, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        if oneof.message() != *self.descriptor {
            return Err(check::foreign_oneof(self.descriptor.full_name(), oneof));
        }
        for field in oneof.fields() {
            if self.has(message, &field)? {
                return Ok(Some(field));
            }
        }
        Ok(None)
    }

    fn next_field<'a>(
        self,
        message: &'a dyn Members,
        number: u32,
    ) -> Option<(FieldDescriptor, ValueRef<'a>)> {
        let plan = self.set.root();
        let start = match plan.numbers.get(number) {
            // Mostly the number of the field before, and the members in order.
            Some(index) if usize::from(plan.by_number[index]) == index => index + 1,
            _ => plan.by_number.partition_point(|&index| plan.fields[usize::from(index)].number <= number),
        };
        for &index in &plan.by_number[start..] {
            let at = At { set: self.set, message: plan, field: &plan.fields[usize::from(index)] };
            if let Some(value) = value(message, at, plan.routes[usize::from(index)])
                && is_set(at, value)
            {
                return Some((self.descriptor.clone().into_field(at.field.place), value));
            }
        }
        None
    }

    /// Visits the fields of a message whose members do not ascend by number.
    fn visit_by_number<'a>(
        self,
        message: &'a dyn Members,
        visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool,
    ) {
        let plan = self.set.root();
        for &index in &plan.by_number {
            let at = At { set: self.set, message: plan, field: &plan.fields[usize::from(index)] };
            if let Some(value) = value(message, at, plan.routes[usize::from(index)])
                && is_set(at, value)
                && !visit(FieldRef::new(plan, at.field), value)
            {
                return;
            }
        }
    }

    fn clear_all(self, message: &mut dyn Members) {
        let plan = self.set.root();
        for (index, member) in plan.members.iter().enumerate() {
            match member.role {
                MemberRole::Field(field) => {
                    let at = At { set: self.set, message: plan, field: &plan.fields[usize::from(field)] };
                    if let Some(slot) = message.member_mut(index) {
                        slot.clear(at);
                    }
                }
                MemberRole::Oneof(_) => {
                    if let Some(oneof) = message.oneof_member_mut(index) {
                        oneof.clear();
                    }
                }
                MemberRole::Unknown => {
                    if let Some(unknown) = message.unknown_member_mut() {
                        unknown.clear();
                    }
                }
            }
        }
    }

    fn set_unknown(self, message: &mut dyn Members, fields: &[u8]) -> Result<()> {
        let checked = UnknownFields::from_bytes(fields)?;
        match message.unknown_member_mut() {
            Some(unknown) => *unknown = checked,
            None if fields.is_empty() => {}
            None => {
                let error = Error::ty("the Rust type has no member that keeps unknown fields");
                return Err(error.in_message(self.descriptor.full_name()));
            }
        }
        Ok(())
    }
}

/// The value in a member, set or not; none for options and oneofs without it.
#[inline]
fn value(message: &dyn Members, at: At, route: Route) -> Option<ValueRef<'_>> {
    let member = usize::from(route.member);
    if route.variant == Route::NO_VARIANT {
        return message.member(member)?.get(at);
    }
    let (variant, slot) = message.oneof_member(member)?.variant()?;
    if variant == usize::from(route.variant) { slot.get(at) } else { None }
}

/// The plan and the members are not of the same type: cannot be, they come from one derive.
#[cold]
fn mismatch() -> Error {
    Error::schema("the plan and the members of the Rust type differ")
}

impl<T: Message> Reflect for T {
    fn message_descriptor(&self) -> MessageDescriptor {
        <T as Message>::descriptor()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        schema::<T>()?.has(self, field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        schema::<T>()?.get(self, field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        schema::<T>()?.get_mut(self, field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        schema::<T>()?.set(self, field, value)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        schema::<T>()?.clear(self, field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        schema::<T>()?.which_oneof(self, oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        schema::<T>().ok()?.next_field(self, number)
    }

    fn visit_fields<'a>(&'a self, visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        let Ok(set) = plans::<T>() else { return };
        if set.root().ascends {
            self.visit_members(&mut MemberVisitor::new(set, visit));
        } else if let Ok(schema) = schema::<T>() {
            schema.visit_by_number(self, visit);
        }
    }

    fn unknown_fields(&self) -> &[u8] {
        self.unknown_member().map_or(&[], UnknownFields::as_bytes)
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        schema::<T>()?.set_unknown(self, fields)
    }

    fn clear_all(&mut self) {
        if let Ok(schema) = schema::<T>() {
            schema.clear_all(self);
        }
    }
}
