//! All members of a message, one after the other: what `derive(Message)` calls.

use super::{At, OneofSlot, Slot, is_set};
use crate::plan::{MessagePlan, PlanSet};
use crate::reflect::{FieldRef, ValueRef};

/// Who is told of the members of a message, and the fields that are still to come.
///
/// Members come in the order in which the derive hands them out, so that only a message where that is the order of their
/// numbers is visited this way.
pub struct MemberVisitor<'v, 'a> {
    set: &'static PlanSet,
    message: &'static MessagePlan,
    /// The indices of the fields to come.
    next: &'static [u16],
    visit: &'v mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool,
}

impl<'v, 'a> MemberVisitor<'v, 'a> {
    #[inline]
    pub(crate) fn new(
        set: &'static PlanSet,
        visit: &'v mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool,
    ) -> Self {
        let message = set.root();
        MemberVisitor { set, message, next: &message.by_number, visit }
    }

    /// The next member, which holds a field; false when the visit is over.
    #[inline]
    pub fn field<T: Slot>(&mut self, slot: &'a T) -> bool {
        let Some((&index, rest)) = self.next.split_first() else { return false };
        self.next = rest;
        let at = self.at(index);
        match slot.get(at) {
            Some(value) if is_set(at, value) => (self.visit)(FieldRef::new(at.message, at.field), value),
            _ => true,
        }
    }

    /// The next member, which holds a oneof; false when the visit is over.
    pub fn oneof(&mut self, oneof: &'a dyn OneofSlot) -> bool {
        let first = self.next.first().map(|&first| self.at(first));
        let Some(plan) = first.and_then(|at| at.message.oneofs.get(usize::from(at.field.oneof?))) else {
            return false;
        };
        self.next = self.next.get(plan.fields.len()..).unwrap_or_default();
        let Some((variant, slot)) = oneof.variant() else { return true };
        let Some(&index) = plan.fields.get(variant) else { return true };
        let at = self.at(index);
        match slot.get(at) {
            Some(value) => (self.visit)(FieldRef::new(at.message, at.field), value),
            None => true,
        }
    }

    #[inline]
    fn at(&self, index: u16) -> At {
        At { set: self.set, message: self.message, field: &self.message.fields[usize::from(index)] }
    }
}
