//! Borrowed messages, lists and maps, wherever they are stored.
//!
//! Of a typed message as well as of a dynamic one they are handles: an address, and what the schema says of it. A message
//! of another crate is handed out as the reference that it is. The views deref to trait objects.

use super::{Reflect, ReflectList, ReflectMap};
use crate::dynamic::{ListAt, ListAtMut, MapAt, MapAtMut, MessageAt, MessageAtMut};
use crate::object::{Typed, TypedList, TypedListMut, TypedMap, TypedMapMut, TypedMut};
use crate::table::Row;
use std::ops::{Deref, DerefMut};

/// Where the view of a list or map points.
#[derive(Clone, Copy)]
pub(crate) enum Repr<T, A> {
    /// A member of a struct.
    Typed(T),
    /// A part of a dynamic message.
    Arena(A),
}

/// Where the view of a message points.
#[derive(Clone, Copy)]
pub(crate) enum MessageRepr<'a> {
    /// A struct.
    Typed(Typed<'a>),
    /// A part of a dynamic message.
    Arena(MessageAt<'a>),
    /// A message that is not set.
    Empty(Empty<'a>),
    /// A message that says of itself what it holds.
    Dyn(&'a (dyn Reflect + 'a)),
}

/// Where the view of a message points that is to be changed.
pub(crate) enum MessageReprMut<'a> {
    /// A struct.
    Typed(TypedMut<'a, 'a>),
    /// A part of a dynamic message.
    Arena(MessageAtMut<'a>),
}

/// The message of a field that is not set.
#[derive(Clone, Copy)]
pub(crate) struct Empty<'a>(pub(crate) &'a Row);

/// A borrowed message: derefs to [`dyn Reflect`](Reflect).
#[derive(Clone, Copy)]
pub struct MessageRef<'a>(pub(crate) MessageRepr<'a>);

/// A message to be changed in place: derefs to [`dyn Reflect`](Reflect).
pub struct MessageMut<'a>(pub(crate) MessageReprMut<'a>);

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
            MessageRepr::Typed(message) => message,
            MessageRepr::Arena(at) => at,
            MessageRepr::Empty(empty) => empty,
            MessageRepr::Dyn(message) => *message,
        }
    }
}

impl<'a> Deref for MessageMut<'a> {
    type Target = dyn Reflect + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match &self.0 {
            MessageReprMut::Typed(message) => message,
            MessageReprMut::Arena(at) => at,
        }
    }
}

impl DerefMut for MessageMut<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        match &mut self.0 {
            MessageReprMut::Typed(message) => message,
            MessageReprMut::Arena(at) => at,
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
                        Repr::Typed(typed) => typed,
                        Repr::Arena(at) => at,
                    }
                }
            }

            $(
                impl $mutable for $name<'_> {
                    #[inline]
                    fn deref_mut(&mut self) -> &mut Self::Target {
                        match &mut self.0 {
                            Repr::Typed(typed) => typed,
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
