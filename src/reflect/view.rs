//! Borrowed messages, lists and maps, wherever they are stored.
//!
//! A typed message is handed out as the reference that it is; a part of a dynamic message as a handle into its arena.
//! Either way the view derefs to the trait object.

use super::{Reflect, ReflectList, ReflectMap};
use crate::dynamic::{ListAt, ListAtMut, MapAt, MapAtMut, MessageAt, MessageAtMut};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Defines a view and what it derefs to.
macro_rules! views {
    ($(#[$doc:meta] $name:ident, $at:ident => $target:ident;)*) => {
        $(
            #[$doc]
            #[derive(Clone, Copy)]
            pub struct $name<'a>(pub(crate) Repr<&'a (dyn $target + 'a), $at<'a>>);

            impl<'a> Deref for $name<'a> {
                type Target = dyn $target + 'a;

                #[inline]
                fn deref(&self) -> &Self::Target {
                    match &self.0 {
                        Repr::Place(place) => *place,
                        Repr::Arena(at) => at,
                    }
                }
            }
        )*
    };
    (mut $(#[$doc:meta] $name:ident, $at:ident => $target:ident;)*) => {
        $(
            #[$doc]
            pub struct $name<'a>(pub(crate) Repr<&'a mut (dyn $target + 'a), $at<'a>>);

            impl<'a> Deref for $name<'a> {
                type Target = dyn $target + 'a;

                #[inline]
                fn deref(&self) -> &Self::Target {
                    match &self.0 {
                        Repr::Place(place) => &**place,
                        Repr::Arena(at) => at,
                    }
                }
            }

            impl DerefMut for $name<'_> {
                #[inline]
                fn deref_mut(&mut self) -> &mut Self::Target {
                    match &mut self.0 {
                        Repr::Place(place) => &mut **place,
                        Repr::Arena(at) => at,
                    }
                }
            }
        )*
    };
}

/// Where a view points.
#[derive(Clone, Copy)]
pub(crate) enum Repr<P, A> {
    /// A Rust value that is the thing itself.
    Place(P),
    /// A part of a dynamic message.
    Arena(A),
}

views! {
    /// A borrowed message: derefs to [`dyn Reflect`](Reflect).
    MessageRef, MessageAt => Reflect;
    /// A borrowed list: derefs to [`dyn ReflectList`](ReflectList).
    ListRef, ListAt => ReflectList;
    /// A borrowed map: derefs to [`dyn ReflectMap`](ReflectMap).
    MapRef, MapAt => ReflectMap;
}

views! { mut
    /// A message to be changed in place: derefs to [`dyn Reflect`](Reflect).
    MessageMut, MessageAtMut => Reflect;
    /// A list to be changed in place: derefs to [`dyn ReflectList`](ReflectList).
    ListMut, ListAtMut => ReflectList;
    /// A map to be changed in place: derefs to [`dyn ReflectMap`](ReflectMap).
    MapMut, MapAtMut => ReflectMap;
}
