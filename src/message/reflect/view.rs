//! Borrowed messages, lists and maps in any storage.
//!
//! For typed and dynamic messages, a view is a handle: an address and the schema of the value there. For a message of
//! another crate, a view holds a reference. The views deref to trait objects.

use crate::message::reflect::{Reflect, ReflectList, ReflectMap};
use crate::object::arena::change::{ListAtMut, MapAtMut, MessageAtMut};
use crate::object::arena::view::{ListAt, MapAt, MessageAt};
use crate::object::{Typed, TypedList, TypedListMut, TypedMap, TypedMapMut, TypedMut};
use crate::table::Row;
use std::ops::{Deref, DerefMut};

/// The list or map to which a view refers.
#[derive(Clone, Copy)]
pub(crate) enum Repr<T, A> {
    /// A member of a struct.
    Typed(T),
    /// A value in the arena of a dynamic message.
    Arena(A),
}

/// The message to which a view refers.
#[derive(Clone, Copy)]
pub(crate) enum MessageRepr<'a> {
    Typed(Typed<'a>),
    /// A message in the arena of a dynamic message.
    Arena(MessageAt<'a>),
    /// A message that is not set.
    Empty(Empty<'a>),
    /// A message that implements `Reflect` itself.
    Dyn(&'a (dyn Reflect + 'a)),
}

/// The message to which a mutable view refers.
pub(crate) enum MessageReprMut<'a> {
    Typed(TypedMut<'a, 'a>),
    /// A message in the arena of a dynamic message.
    Arena(MessageAtMut<'a>),
}

/// The message of a field that is not set.
#[derive(Clone, Copy)]
pub(crate) struct Empty<'a>(pub(crate) &'a Row);

/// A view of a message. It derefs to [`dyn Reflect`](Reflect).
#[derive(Clone, Copy)]
pub struct MessageRef<'a>(pub(crate) MessageRepr<'a>);

/// A mutable view of a message. It derefs to [`dyn Reflect`](Reflect).
pub struct MessageMut<'a>(pub(crate) MessageReprMut<'a>);

/// A view of a list. It derefs to [`dyn ReflectList`](ReflectList).
#[derive(Clone, Copy)]
pub struct ListRef<'a>(pub(crate) Repr<TypedList<'a>, ListAt<'a>>);

/// A mutable view of a list. It derefs to [`dyn ReflectList`](ReflectList).
pub struct ListMut<'a>(pub(crate) Repr<TypedListMut<'a>, ListAtMut<'a>>);

/// A view of a map. It derefs to [`dyn ReflectMap`](ReflectMap).
#[derive(Clone, Copy)]
pub struct MapRef<'a>(pub(crate) Repr<TypedMap<'a>, MapAt<'a>>);

/// A mutable view of a map. It derefs to [`dyn ReflectMap`](ReflectMap).
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

/// Implements the derefs of list and map views.
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
