//! Lists of typed messages.

use crate::error::{Error, Result};
use crate::message::reflect::read_only::read_only_list;
use crate::message::reflect::typed::{message, named, store, value_of};
use crate::message::reflect::view::{MessageMut, MessageReprMut};
use crate::message::reflect::{ReflectList, Value, ValueRef, check};
use crate::object::{Elements, TypedList, TypedListMut};
use crate::table::Kind;

/// Returns an element. The value lives as long as the message is borrowed.
#[inline]
pub(in crate::message::reflect) fn element(list: TypedList<'_>, index: usize) -> Option<ValueRef<'_>> {
    list.element(index).map(|value| value_of(list.row(), value))
}

/// Visits the elements. The values live as long as the message is borrowed.
#[inline]
pub(in crate::message::reflect) fn visit_list<'a>(
    list: TypedList<'a>,
    mut visit: impl FnMut(ValueRef<'a>) -> bool,
) {
    let kind = list.row().kind;
    match list.elements() {
        Elements::Bools(all) => each(all, |value| ValueRef::Bool(*value), visit),
        Elements::I32s(all) if kind == Kind::Enum => {
            each(all, |value| ValueRef::Enum(*value), visit);
        }
        Elements::I32s(all) => each(all, |value| ValueRef::I32(*value), visit),
        Elements::I64s(all) => each(all, |value| ValueRef::I64(*value), visit),
        Elements::U32s(all) => each(all, |value| ValueRef::U32(*value), visit),
        Elements::U64s(all) => each(all, |value| ValueRef::U64(*value), visit),
        Elements::F32s(all) => each(all, |value| ValueRef::F32(*value), visit),
        Elements::F64s(all) => each(all, |value| ValueRef::F64(*value), visit),
        Elements::Strings(all) if kind == Kind::String => each(all, |text| ValueRef::Str(text), visit),
        Elements::Vecs(all) if kind == Kind::Bytes => each(all, |bytes| ValueRef::Bytes(bytes), visit),
        Elements::Messages(all) => each(all, message, visit),
        _ => list.each(|value| visit(value_of(list.row(), value))),
    }
}

#[inline]
fn each<'a, T>(
    elements: impl IntoIterator<Item = T>,
    value: impl Fn(T) -> ValueRef<'a>,
    mut visit: impl FnMut(ValueRef<'a>) -> bool,
) {
    for element in elements {
        if !visit(value(element)) {
            return;
        }
    }
}

impl ReflectList for TypedList<'_> {
    fn len(&self) -> usize {
        TypedList::len(*self)
    }

    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        element(*self, index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        visit_list(*self, visit);
    }

    read_only_list!();
}

impl TypedListMut<'_> {
    fn named(&self, error: Error) -> Error {
        named(self.message(), self.row(), error)
    }

    /// Checks that a value can be an element.
    fn check(&self, index: usize, value: &Value) -> Result<()> {
        check::single(self.row(), value)
            .and_then(|()| store::fits_single(self.row(), self.storage(), value))
            .map_err(|error| self.named(error.in_index(index)))
    }

    fn within(&self, index: usize) -> Result<()> {
        let len = self.read().len();
        if index < len { Ok(()) } else { Err(self.named(check::past_end(index, len))) }
    }

    fn messages(&self) -> Result<()> {
        match self.row().is_message() {
            true => Ok(()),
            false => Err(self.named(Error::ty("the elements are not messages"))),
        }
    }
}

impl ReflectList for TypedListMut<'_> {
    fn len(&self) -> usize {
        self.read().len()
    }

    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        element(self.read(), index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        visit_list(self.read(), visit);
    }

    fn get_mut(&mut self, index: usize) -> Result<MessageMut<'_>> {
        self.messages()?;
        self.within(index)?;
        let (message, row) = (self.message(), self.row());
        match self.slot(index).into_message() {
            Ok(element) => Ok(MessageMut(MessageReprMut::Typed(element))),
            Err(error) => Err(named(message, row, error.in_index(index))),
        }
    }

    fn set(&mut self, index: usize, value: Value) -> Result<()> {
        self.within(index)?;
        self.check(index, &value)?;
        store::store(self.slot(index), value).map_err(|error| self.named(error.in_index(index)))
    }

    fn push(&mut self, value: Value) -> Result<()> {
        let index = ReflectList::len(self);
        self.check(index, &value)?;
        let pushed = TypedListMut::push(self).and_then(|slot| store::store(slot, value));
        pushed.map_err(|error| {
            TypedListMut::truncate(self, index);
            self.named(error.in_index(index))
        })
    }

    fn push_message(&mut self) -> Result<MessageMut<'_>> {
        self.messages()?;
        let (message, row, index) = (self.message(), self.row(), ReflectList::len(self));
        match TypedListMut::push(self).and_then(|slot| slot.into_message()) {
            Ok(element) => Ok(MessageMut(MessageReprMut::Typed(element))),
            Err(error) => Err(named(message, row, error.in_index(index))),
        }
    }

    fn remove(&mut self, index: usize) -> Result<()> {
        self.within(index)?;
        TypedListMut::remove(self, index);
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        TypedListMut::truncate(self, len);
    }
}
