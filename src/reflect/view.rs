//! Borrowed messages, lists and maps, wherever they are stored.
//!
//! A typed message is handed out as the reference that it is, a list or map of one together with its field; a part of
//! a dynamic message as a handle into its arena. Either way the view derefs to the trait object.

use super::slot::{TypedList, TypedListMut, TypedMap, TypedMapMut};
use super::{FieldRef, MapKeyRef, Reflect, ReflectList, ReflectMap, ValueRef};
use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::dynamic::{ListAt, ListAtMut, MapAt, MapAtMut, MessageAt, MessageAtMut};
use crate::error::Result;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Where a view points.
#[derive(Clone, Copy)]
pub(crate) enum Repr<P, A> {
    /// A Rust value that is the thing itself.
    Place(P),
    /// A part of a dynamic message.
    Arena(A),
}

/// A borrowed message: derefs to [`dyn Reflect`](Reflect).
#[derive(Clone, Copy)]
pub struct MessageRef<'a>(pub(crate) Repr<&'a (dyn Reflect + 'a), MessageAt<'a>>);

/// A message to be changed in place: derefs to [`dyn Reflect`](Reflect).
pub struct MessageMut<'a>(pub(crate) Repr<&'a mut (dyn Reflect + 'a), MessageAtMut<'a>>);

/// A borrowed list: derefs to [`dyn ReflectList`](ReflectList).
#[derive(Clone, Copy)]
pub struct ListRef<'a>(pub(crate) Repr<TypedList<'a>, ListAt<'a>>);

/// A list to be changed in place: derefs to [`dyn ReflectList`](ReflectList).
pub struct ListMut<'a>(pub(crate) Repr<TypedListMut<'a>, ListAtMut<'a>>);

/// A borrowed map: derefs to [`dyn ReflectMap`](ReflectMap).
#[derive(Clone, Copy)]
pub struct MapRef<'a>(pub(crate) Repr<TypedMap<'a>, MapAt<'a>>);

/// A map to be changed in place: derefs to [`dyn ReflectMap`](ReflectMap).
pub struct MapMut<'a>(pub(crate) Repr<TypedMapMut<'a>, MapAtMut<'a>>);

impl<'a> Deref for MessageRef<'a> {
    type Target = dyn Reflect + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match &self.0 {
            Repr::Place(place) => *place,
            Repr::Arena(at) => at,
        }
    }
}

impl<'a> Deref for MessageMut<'a> {
    type Target = dyn Reflect + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match &self.0 {
            Repr::Place(place) => &**place,
            Repr::Arena(at) => at,
        }
    }
}

impl DerefMut for MessageMut<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        match &mut self.0 {
            Repr::Place(place) => &mut **place,
            Repr::Arena(at) => at,
        }
    }
}

/// Defines what the views of lists and maps deref to.
macro_rules! derefs {
    ($($name:ident $(, $mutable:ident)? => $target:ident;)*) => {
        $(
            impl<'a> Deref for $name<'a> {
                type Target = dyn $target + 'a;

                #[inline]
                fn deref(&self) -> &Self::Target {
                    match &self.0 {
                        Repr::Place(place) => place,
                        Repr::Arena(at) => at,
                    }
                }
            }

            $(
                impl $mutable for $name<'_> {
                    #[inline]
                    fn deref_mut(&mut self) -> &mut Self::Target {
                        match &mut self.0 {
                            Repr::Place(place) => place,
                            Repr::Arena(at) => at,
                        }
                    }
                }
            )?
        )*
    };
}

derefs! {
    ListRef => ReflectList;
    ListMut, DerefMut => ReflectList;
    MapRef => ReflectMap;
    MapMut, DerefMut => ReflectMap;
}

impl<'a> MessageRef<'a> {
    /// A view of any message.
    pub fn new(message: &'a (dyn Reflect + 'a)) -> Self {
        MessageRef(Repr::Place(message))
    }

    /// As [`Reflect::get`], for as long as the message is borrowed.
    ///
    /// # Errors
    /// As [`Reflect::get`].
    pub fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
        match self.0 {
            Repr::Place(place) => place.get(field),
            Repr::Arena(at) => at.get_at(field),
        }
    }

    /// As [`Reflect::next_field`], for as long as the message is borrowed.
    pub fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'a>)> {
        match self.0 {
            Repr::Place(place) => place.next_field(number),
            Repr::Arena(at) => at.next_field_at(number),
        }
    }

    /// As [`Reflect::visit_fields`], for as long as the message is borrowed.
    ///
    /// Of a dynamic message the visitor is compiled in place, as it is for lists and maps. It is worth while to look at
    /// lists and maps first, so that what is done with a single value is small.
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
            Repr::Place(place) => place.visit_fields(&mut visit),
            Repr::Arena(at) => at.visit_at(visit),
        }
    }

    /// As [`Reflect::unknown_fields`], for as long as the message is borrowed.
    pub fn unknown_fields(&self) -> &'a [u8] {
        match self.0 {
            Repr::Place(place) => place.unknown_fields(),
            Repr::Arena(at) => at.unknown_at(),
        }
    }

    /// The set fields in the order of their numbers, and their values.
    pub fn fields(&self) -> impl Iterator<Item = (FieldDescriptor, ValueRef<'a>)> + use<'a> {
        Fields { message: *self, next: 0, handle: None }
    }
}

/// The set fields of a message.
struct Fields<'a> {
    message: MessageRef<'a>,
    /// The number of the field before; in an arena, the index after it.
    next: u32,
    /// The descriptor, once it was needed.
    handle: Option<MessageDescriptor>,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (FieldDescriptor, ValueRef<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.message.0 {
            Repr::Place(place) => {
                let (field, value) = place.next_field(self.next)?;
                self.next = field.number();
                Some((field, value))
            }
            Repr::Arena(at) => {
                let (field, value) = at.field_from(self.next as usize)?;
                self.next = u32::from(field.index) + 1;
                let handle = self.handle.get_or_insert_with(|| at.handle());
                Some((handle.clone().into_field(field.place), value))
            }
        }
    }
}

impl<'a> ListRef<'a> {
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Place(place) => ReflectList::len(place),
            Repr::Arena(at) => at.len_at(),
        }
    }

    /// True when there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`ReflectList::get`], for as long as the list is borrowed.
    #[inline]
    pub fn get(&self, index: usize) -> Option<ValueRef<'a>> {
        match &self.0 {
            Repr::Place(place) => place.get_at(index),
            Repr::Arena(at) => at.get_at(index),
        }
    }

    /// As [`ReflectList::visit`], for as long as the list is borrowed.
    #[inline]
    pub fn visit(&self, visit: impl FnMut(ValueRef<'a>) -> bool) {
        match &self.0 {
            Repr::Place(place) => place.visit_at(visit),
            Repr::Arena(at) => at.visit_at(visit),
        }
    }

    /// The elements.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ValueRef<'a>> + use<'a> {
        ListIter { list: *self, next: 0 }
    }
}

/// The elements of a list.
struct ListIter<'a> {
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

    /// All of them at once, where none was taken: `for_each` is made of this.
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
    /// As [`ReflectMap::get`], for as long as the map is borrowed.
    #[inline]
    pub fn get<'k>(&self, key: impl Into<MapKeyRef<'k>>) -> Option<ValueRef<'a>> {
        match self.0 {
            Repr::Place(place) => place.get_at(key.into()),
            Repr::Arena(at) => at.get_at(key.into()),
        }
    }

    /// As [`ReflectMap::visit`], for as long as the map is borrowed.
    #[inline]
    pub fn visit(&self, mut visit: impl FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        match self.0 {
            Repr::Place(place) => place.visit_at(&mut visit),
            Repr::Arena(at) => at.visit_at(visit),
        }
    }

    /// The entries in the order of their keys.
    pub fn entries(&self) -> Vec<(MapKeyRef<'a>, ValueRef<'a>)> {
        let mut entries = Vec::with_capacity(self.len());
        self.visit(|key, value| {
            entries.push((key, value));
            true
        });
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }
}

impl fmt::Debug for MessageRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
