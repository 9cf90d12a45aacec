//! Lists.

use super::{At, Element, Numbers, Slot, misfit, unmakable};
use crate::error::{Error, Result};
use crate::plan::Kind;
use crate::reflect::check;
use crate::reflect::view::{ListMut, ListRef, MessageMut, Repr};
use crate::reflect::{ReflectList, Value, ValueMut, ValueRef};

/// A list of any type, told which field it is of.
pub(crate) trait ListSlot {
    /// As [`ReflectList::len`].
    fn len(&self) -> usize;
    /// As [`ReflectList::get`].
    fn get(&self, at: At, index: usize) -> Option<ValueRef<'_>>;
    /// The elements, where they are numbers.
    fn numbers(&self) -> Option<Numbers<'_>>;
    /// As [`ReflectList::visit`].
    fn visit<'a>(&'a self, at: At, visit: &mut dyn FnMut(ValueRef<'a>) -> bool);
    /// An element that is a message.
    fn get_mut(&mut self, at: At, index: usize) -> Option<Result<ValueMut<'_>>>;
    /// Replaces an element that is there.
    fn set(&mut self, at: At, index: usize, value: Value) -> Result<()>;
    /// Adds an element: the value, or an empty one.
    fn push(&mut self, at: At, value: Option<Value>) -> Result<()>;
    /// Removes an element that is there.
    fn remove(&mut self, index: usize);
    /// As [`ReflectList::truncate`].
    fn truncate(&mut self, len: usize);
}

impl<T: Element> ListSlot for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn get(&self, at: At, index: usize) -> Option<ValueRef<'_>> {
        <[T]>::get(self, index)?.get(at)
    }

    fn numbers(&self) -> Option<Numbers<'_>> {
        T::numbers(self)
    }

    fn visit<'a>(&'a self, at: At, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        for element in self {
            if let Some(value) = element.get(at)
                && !visit(value)
            {
                return;
            }
        }
    }

    fn get_mut(&mut self, at: At, index: usize) -> Option<Result<ValueMut<'_>>> {
        <[T]>::get_mut(self, index).map(|element| element.get_mut(at))
    }

    fn set(&mut self, at: At, index: usize, value: Value) -> Result<()> {
        self[index].set(at, value)
    }

    fn push(&mut self, at: At, value: Option<Value>) -> Result<()> {
        let mut element = T::empty().ok_or_else(unmakable)?;
        if let Some(value) = value {
            element.set(at, value)?;
        }
        Vec::push(self, element);
        Ok(())
    }

    fn remove(&mut self, index: usize) {
        Vec::remove(self, index);
    }

    fn truncate(&mut self, len: usize) {
        Vec::truncate(self, len);
    }
}

impl<T: Element> Slot for Vec<T> {
    #[inline]
    fn get(&self, at: At) -> Option<ValueRef<'_>> {
        Some(ValueRef::List(ListRef(Repr::Place(TypedList { list: self, at }))))
    }

    fn get_mut(&mut self, at: At) -> Result<ValueMut<'_>> {
        Ok(ValueMut::List(ListMut(Repr::Place(TypedListMut { list: self, at }))))
    }

    fn set(&mut self, at: At, value: Value) -> Result<()> {
        let Value::List(values) = value else { return Err(misfit(&value)) };
        let mut new = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            ListSlot::push(&mut new, at, Some(value)).map_err(|error| error.in_index(index))?;
        }
        *self = new;
        Ok(())
    }

    fn clear(&mut self, _: At) {
        Vec::clear(self);
    }
}

impl<T: Element> Element for Vec<T> {
    #[inline]
    fn empty() -> Option<Self> {
        Some(Vec::new())
    }
}

/// A list of a typed message, as it is handed out.
#[derive(Clone, Copy)]
pub(crate) struct TypedList<'a> {
    pub(crate) list: &'a (dyn ListSlot + 'a),
    pub(crate) at: At,
}

/// As [`TypedList`], to be changed.
pub(crate) struct TypedListMut<'a> {
    list: &'a mut (dyn ListSlot + 'a),
    at: At,
}

impl<'a> TypedList<'a> {
    /// An element, for as long as the message is borrowed.
    #[inline]
    pub(crate) fn get_at(self, index: usize) -> Option<ValueRef<'a>> {
        self.list.get(self.at, index)
    }

    /// The elements, for as long as the message is borrowed.
    // Out of line, with what is done per element in line: what visits fields stays small.
    #[inline(never)]
    pub(crate) fn visit_at(self, mut visit: impl FnMut(ValueRef<'a>) -> bool) {
        let numbers = match self.at.field.kind {
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => None,
            _ => self.list.numbers(),
        };
        match numbers {
            Some(Numbers::Bool(all)) => each(all, ValueRef::Bool, visit),
            Some(Numbers::I32(all)) if self.at.field.kind == Kind::Enum => each(all, ValueRef::Enum, visit),
            Some(Numbers::I32(all)) => each(all, ValueRef::I32, visit),
            Some(Numbers::I64(all)) => each(all, ValueRef::I64, visit),
            Some(Numbers::U32(all)) => each(all, ValueRef::U32, visit),
            Some(Numbers::U64(all)) => each(all, ValueRef::U64, visit),
            Some(Numbers::F32(all)) => each(all, ValueRef::F32, visit),
            Some(Numbers::F64(all)) => each(all, ValueRef::F64, visit),
            None => self.list.visit(self.at, &mut visit),
        }
    }
}

#[inline]
fn each<'a, T: Copy>(
    numbers: &[T],
    value: impl Fn(T) -> ValueRef<'a>,
    mut visit: impl FnMut(ValueRef<'a>) -> bool,
) {
    for &number in numbers {
        if !visit(value(number)) {
            return;
        }
    }
}

impl TypedListMut<'_> {
    fn check(&self, index: usize, value: &Value) -> Result<()> {
        check::single(self.at.set, self.at.field, value).map_err(|error| self.at.name(error.in_index(index)))
    }

    fn within(&self, index: usize) -> Result<()> {
        if index < self.list.len() {
            return Ok(());
        }
        Err(self.at.name(check::past_end(index, self.list.len())))
    }

    fn message<'a>(at: At, index: usize, value: Option<Result<ValueMut<'a>>>) -> Result<MessageMut<'a>> {
        match value {
            Some(Ok(ValueMut::Message(message))) => Ok(message),
            Some(Err(error)) => Err(at.name(error.in_index(index))),
            Some(Ok(_)) | None => Err(at.name(Error::ty("the elements are no messages"))),
        }
    }
}

impl ReflectList for TypedList<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        self.list.get(self.at, index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        self.list.visit(self.at, visit);
    }

    fn get_mut(&mut self, _: usize) -> Result<MessageMut<'_>> {
        Err(self.at.name(check::read_only()))
    }

    fn set(&mut self, _: usize, _: Value) -> Result<()> {
        Err(self.at.name(check::read_only()))
    }

    fn push(&mut self, _: Value) -> Result<()> {
        Err(self.at.name(check::read_only()))
    }

    fn push_message(&mut self) -> Result<MessageMut<'_>> {
        Err(self.at.name(check::read_only()))
    }

    fn remove(&mut self, _: usize) -> Result<()> {
        Err(self.at.name(check::read_only()))
    }

    fn truncate(&mut self, _: usize) {}
}

impl ReflectList for TypedListMut<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    fn get(&self, index: usize) -> Option<ValueRef<'_>> {
        self.list.get(self.at, index)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        self.list.visit(self.at, visit);
    }

    fn get_mut(&mut self, index: usize) -> Result<MessageMut<'_>> {
        let at = self.at;
        if !at.field.is_message() {
            return Self::message(at, index, None);
        }
        self.within(index)?;
        Self::message(at, index, self.list.get_mut(at, index))
    }

    fn set(&mut self, index: usize, value: Value) -> Result<()> {
        self.within(index)?;
        self.check(index, &value)?;
        let at = self.at;
        self.list.set(at, index, value).map_err(|error| at.name(error.in_index(index)))
    }

    fn push(&mut self, value: Value) -> Result<()> {
        let index = self.list.len();
        self.check(index, &value)?;
        let at = self.at;
        self.list.push(at, Some(value)).map_err(|error| at.name(error.in_index(index)))
    }

    fn push_message(&mut self) -> Result<MessageMut<'_>> {
        let (at, index) = (self.at, self.list.len());
        if !at.field.is_message() {
            return Self::message(at, index, None);
        }
        self.list.push(at, None).map_err(|error| at.name(error.in_index(index)))?;
        Self::message(at, index, self.list.get_mut(at, index))
    }

    fn remove(&mut self, index: usize) -> Result<()> {
        self.within(index)?;
        self.list.remove(index);
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }
}
