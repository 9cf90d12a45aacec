//! Reads the fields of borrowed messages, and their lists and maps, as values with the lifetime of the borrow.

use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::message::reflect::typed;
use crate::message::reflect::view::{ListRef, MapRef, MessageRef, MessageRepr, Repr};
use crate::message::reflect::{FieldRef, MapKeyRef, Reflect, ValueRef};
use crate::object::{Object, ObjectAt};
use crate::sort::sort_by_key;
use std::fmt;

impl<'a> MessageRef<'a> {
    /// Creates a view of any message.
    pub fn new(message: &'a (dyn Reflect + 'a)) -> Self {
        message.as_view().unwrap_or(MessageRef(MessageRepr::Dyn(message)))
    }

    /// Does what [`Reflect::get`] does, with a value that lives as long as the message is borrowed.
    ///
    /// # Errors
    /// Fails if [`Reflect::get`] would fail.
    pub fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
        match self.0 {
            MessageRepr::Typed(message) => typed::get(message, field),
            MessageRepr::Arena(at) => at.get_at(field),
            MessageRepr::Empty(empty) => empty.get_at(field),
            MessageRepr::Dyn(message) => message.get(field),
        }
    }

    /// Does what [`Reflect::next_field`] does, with a value that lives as long as the message is borrowed.
    pub fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'a>)> {
        match self.0 {
            MessageRepr::Typed(message) => typed::next_field(message, number),
            MessageRepr::Arena(at) => at.next_field_at(number),
            MessageRepr::Empty(_) => None,
            MessageRepr::Dyn(message) => message.next_field(number),
        }
    }

    /// Does what [`Reflect::visit_fields`] does, with values that live as long as the message is borrowed.
    ///
    /// The visitor is inlined here, and in the visits of lists and maps. In the visitor, match lists and maps first, so
    /// that the code for a single value stays small.
    ///
    /// ```
    /// use tobu::reflect::{MessageRef, ValueRef};
    /// use tobu::{DynamicMessage, Message, types};
    ///
    /// fn texts<'a>(message: MessageRef<'a>, found: &mut Vec<&'a str>) {
    ///     message.visit_fields(|_, value| {
    ///         match value {
    ///             ValueRef::List(list) => list.visit(|value| single(value, found)),
    ///             ValueRef::Map(map) => map.visit(|_, value| single(value, found)),
    ///             value => return single(value, found),
    ///         }
    ///         true
    ///     });
    /// }
    ///
    /// fn single<'a>(value: ValueRef<'a>, found: &mut Vec<&'a str>) -> bool {
    ///     match value {
    ///         ValueRef::Str(text) => found.push(text),
    ///         ValueRef::Message(message) => texts(message, found),
    ///         _ => {}
    ///     }
    ///     true
    /// }
    ///
    /// let descriptor = types::Struct::descriptor();
    /// let message = DynamicMessage::from_json(&descriptor, r#"{"a": ["x", {"b": "y"}]}"#)?;
    /// let mut found = Vec::new();
    /// texts(MessageRef::from(&message), &mut found);
    /// assert_eq!(found, ["x", "y"]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    #[inline]
    pub fn visit_fields(&self, mut visit: impl FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        match self.0 {
            MessageRepr::Typed(message) => typed::visit(message, visit),
            MessageRepr::Arena(at) => at.visit_at(visit),
            MessageRepr::Empty(_) => {}
            MessageRepr::Dyn(message) => message.visit_fields(&mut visit),
        }
    }

    /// Does what [`Reflect::unknown_fields`] does, with a result that lives as long as the message is borrowed.
    pub fn unknown_fields(&self) -> &'a [u8] {
        match self.0 {
            MessageRepr::Typed(message) => message.unknown(),
            MessageRepr::Arena(at) => at.unknown_at(),
            MessageRepr::Empty(_) => &[],
            MessageRepr::Dyn(message) => message.unknown_fields(),
        }
    }

    /// Returns an iterator over the set fields and their values, in the order of the field numbers.
    pub fn fields(&self) -> impl Iterator<Item = (FieldDescriptor, ValueRef<'a>)> + use<'a> {
        Fields { message: *self, next: 0, handle: None }
    }
}

struct Fields<'a> {
    message: MessageRef<'a>,
    /// The number of the previous field. In an arena, the index of the next row.
    next: u32,
    /// The descriptor of the message, if it was needed before.
    handle: Option<MessageDescriptor>,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (FieldDescriptor, ValueRef<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.message.0 {
            MessageRepr::Typed(message) => {
                let (row, value) = typed::next(message, self.next)?;
                self.next = row.number;
                let handle = self.handle.get_or_insert_with(|| message.table().handle());
                Some((row.field_of(handle.clone()), value))
            }
            MessageRepr::Arena(at) => {
                let (field, value) = at.field_from(self.next as usize)?;
                self.next = u32::from(field.index) + 1;
                let handle = self.handle.get_or_insert_with(|| at.handle());
                Some((field.field_of(handle.clone()), value))
            }
            MessageRepr::Empty(_) => None,
            MessageRepr::Dyn(message) => {
                let (field, value) = message.next_field(self.next)?;
                self.next = field.number();
                Some((field, value))
            }
        }
    }
}

impl<'a> ListRef<'a> {
    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Typed(list) => list.len(),
            Repr::Arena(at) => at.len_at(),
        }
    }

    /// True if the list has no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does what [`ReflectList::get`](super::ReflectList::get) does, with a value that lives as long as the list is
    /// borrowed.
    #[inline]
    pub fn get(&self, index: usize) -> Option<ValueRef<'a>> {
        match &self.0 {
            Repr::Typed(list) => typed::element(*list, index),
            Repr::Arena(at) => at.get_at(index),
        }
    }

    /// Does what [`ReflectList::visit`](super::ReflectList::visit) does, with values that live as long as the list is
    /// borrowed.
    // This function is not inlined, so that functions that visit fields stay small. The code for each element is inlined.
    #[inline(never)]
    pub fn visit(&self, visit: impl FnMut(ValueRef<'a>) -> bool) {
        match &self.0 {
            Repr::Typed(list) => typed::visit_list(*list, visit),
            Repr::Arena(at) => at.visit_at(visit),
        }
    }

    /// Returns an iterator over the elements.
    pub fn iter(&self) -> ListIter<'a> {
        ListIter { list: *self, next: 0 }
    }
}

/// An iterator over the elements of a list. [`ListRef::iter`] returns it.
#[derive(Clone, Debug)]
pub struct ListIter<'a> {
    list: ListRef<'a>,
    next: usize,
}

impl<'a> Iterator for ListIter<'a> {
    type Item = ValueRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<ValueRef<'a>> {
        let value = self.list.get(self.next)?;
        self.next += 1;
        Some(value)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len().saturating_sub(self.next);
        (left, Some(left))
    }

    /// Visits all elements in one call, if `next` was not called before. `for_each` uses this.
    #[inline]
    fn fold<B, F: FnMut(B, ValueRef<'a>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = Some(init);
        let mut step = |value| {
            folded = folded.take().map(|so_far| f(so_far, value));
            true
        };
        match self.next {
            0 => self.list.visit(step),
            _ => while self.next().is_some_and(&mut step) {},
        }
        folded.expect("it is put back after each step")
    }
}

impl ExactSizeIterator for ListIter<'_> {}

impl<'a> MapRef<'a> {
    /// Does what [`ReflectMap::get`](super::ReflectMap::get) does, with a value that lives as long as the map is borrowed.
    #[inline]
    pub fn get<'k>(&self, key: impl Into<MapKeyRef<'k>>) -> Option<ValueRef<'a>> {
        match self.0 {
            Repr::Typed(map) => typed::entry(map, key.into()),
            Repr::Arena(at) => at.get_at(key.into()),
        }
    }

    /// Does what [`ReflectMap::visit`](super::ReflectMap::visit) does, with values that live as long as the map is
    /// borrowed.
    #[inline]
    pub fn visit(&self, visit: impl FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        match self.0 {
            Repr::Typed(map) => typed::visit_map(map, visit),
            Repr::Arena(at) => at.visit_at(visit),
        }
    }

    /// Returns the entries in the order of their keys.
    pub fn entries(&self) -> Vec<(MapKeyRef<'a>, ValueRef<'a>)> {
        let mut entries = Vec::with_capacity(self.len());
        self.visit(|key, value| {
            entries.push((key, value));
            true
        });
        sort_by_key(&mut entries, |(key, _)| *key);
        entries
    }
}

impl fmt::Debug for MessageRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
