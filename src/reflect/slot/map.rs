//! Maps.

use super::{At, Element, Slot, misfit, unmakable};
use crate::error::{Error, Result};
use crate::reflect::check;
use crate::reflect::view::{MapMut, MapRef, MessageMut, Repr};
use crate::reflect::{MapKey, MapKeyRef, ReflectMap, Value, ValueMut, ValueRef};
use crate::vec_map::VecMap;
use bytes::Bytes;
use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

/// A Rust type that can be the key of a map field.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be the key of a map field")]
pub trait MapSlotKey: Sized + Borrow<Self::Lookup> {
    /// What a key is looked up by.
    type Lookup: ?Sized + Eq + Ord + Hash;

    /// The key as the schema sees it; none for bytes that are not UTF-8.
    fn key(&self) -> Option<MapKeyRef<'_>>;

    /// What to look up; none for a key of another kind.
    fn lookup<'k>(key: &'k MapKeyRef<'k>) -> Option<&'k Self::Lookup>;

    /// A key to be kept; none for a key of another kind, or where the type only borrows.
    fn make(key: MapKey) -> Option<Self>;
}

/// Lists the keys that are numbers or bools.
macro_rules! keys {
    ($($ty:ty => $variant:ident),*) => {
        $(
            impl MapSlotKey for $ty {
                type Lookup = $ty;

                #[inline]
                fn key(&self) -> Option<MapKeyRef<'_>> {
                    Some(MapKeyRef::$variant(*self))
                }

                #[inline]
                fn lookup<'k>(key: &'k MapKeyRef<'k>) -> Option<&'k $ty> {
                    if let MapKeyRef::$variant(key) = key { Some(key) } else { None }
                }

                fn make(key: MapKey) -> Option<Self> {
                    if let MapKey::$variant(key) = key { Some(key) } else { None }
                }
            }
        )*
    };
}

keys!(bool => Bool, i32 => I32, i64 => I64, u32 => U32, u64 => U64);

/// Lists the keys that are strings, or the bytes of strings, and how to make one.
macro_rules! string_keys {
    ($($ty:ty as $lookup:ty, $text:expr, $same:expr, $make:expr;)*) => {
        $(
            impl MapSlotKey for $ty {
                type Lookup = $lookup;

                #[inline]
                fn key(&self) -> Option<MapKeyRef<'_>> {
                    let text: fn(&$lookup) -> Option<&str> = $text;
                    text(self).map(MapKeyRef::Str)
                }

                #[inline]
                fn lookup<'k>(key: &'k MapKeyRef<'k>) -> Option<&'k $lookup> {
                    let same: fn(&str) -> &$lookup = $same;
                    if let MapKeyRef::Str(key) = key { Some(same(key)) } else { None }
                }

                fn make(key: MapKey) -> Option<Self> {
                    let make: fn(String) -> Option<Self> = $make;
                    if let MapKey::String(key) = key { make(key) } else { None }
                }
            }
        )*
    };
}

string_keys! {
    String as str, |key| Some(key), |key| key, Some;
    Box<str> as str, |key| Some(key), |key| key, |key| Some(key.into());
    Cow<'_, str> as str, |key| Some(key), |key| key, |key| Some(Cow::Owned(key));
    &str as str, |key| Some(key), |key| key, |_| None;
    Vec<u8> as [u8], |key| std::str::from_utf8(key).ok(), str::as_bytes, |key| Some(key.into());
    Box<[u8]> as [u8], |key| std::str::from_utf8(key).ok(), str::as_bytes, |key| Some(key.into_bytes().into());
    Bytes as [u8], |key| std::str::from_utf8(key).ok(), str::as_bytes, |key| Some(key.into());
    Cow<'_, [u8]> as [u8], |key| std::str::from_utf8(key).ok(), str::as_bytes, |key| Some(Cow::Owned(key.into()));
    &[u8] as [u8], |key| std::str::from_utf8(key).ok(), str::as_bytes, |_| None;
}

/// A map of any type, told which field it is of.
pub(super) trait MapSlot {
    /// As [`ReflectMap::len`].
    fn len(&self) -> usize;
    /// As [`ReflectMap::get`].
    fn get(&self, at: At, key: MapKeyRef<'_>) -> Option<ValueRef<'_>>;
    /// The message under a key; one that is not there is made.
    fn get_mut(&mut self, at: At, key: MapKey) -> Result<ValueMut<'_>>;
    /// As [`ReflectMap::insert`]; key and value were checked.
    fn insert(&mut self, at: At, key: MapKey, value: Value) -> Result<()>;
    /// As [`ReflectMap::remove`].
    fn remove(&mut self, key: MapKeyRef<'_>) -> bool;
    /// As [`ReflectMap::visit`].
    fn visit<'a>(&'a self, at: At, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool);
    /// As [`ReflectMap::visit_mut`].
    fn visit_mut(&mut self, at: At, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool);
    /// As [`ReflectMap::clear`].
    fn clear(&mut self);
}

/// Lists the map types; they differ in their bounds.
macro_rules! maps {
    ($($map:ident<K: $($bound:ident)|+ $(, $hasher:ident)?>;)*) => {
        $(
            impl<K: MapSlotKey $(+ $bound)+, V: Element $(, $hasher: BuildHasher)?> MapSlot
                for $map<K, V $(, $hasher)?>
            {
                fn len(&self) -> usize {
                    $map::len(self)
                }

                fn get(&self, at: At, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
                    $map::get(self, K::lookup(&key)?)?.get(at.value())
                }

                fn get_mut(&mut self, at: At, key: MapKey) -> Result<ValueMut<'_>> {
                    let key = K::make(key).ok_or_else(borrowed_key)?;
                    let empty = V::empty().ok_or_else(unmakable)?;
                    self.entry(key).or_insert(empty).get_mut(at.value())
                }

                fn insert(&mut self, at: At, key: MapKey, value: Value) -> Result<()> {
                    let key = K::make(key).ok_or_else(borrowed_key)?;
                    let mut new = V::empty().ok_or_else(unmakable)?;
                    new.set(at.value(), value)?;
                    $map::insert(self, key, new);
                    Ok(())
                }

                fn remove(&mut self, key: MapKeyRef<'_>) -> bool {
                    K::lookup(&key).is_some_and(|key| $map::remove(self, key).is_some())
                }

                fn visit<'a>(&'a self, at: At, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
                    let at = at.value();
                    for (key, value) in self {
                        if let (Some(key), Some(value)) = (key.key(), value.get(at))
                            && !visit(key, value)
                        {
                            return;
                        }
                    }
                }

                fn visit_mut(&mut self, at: At, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) {
                    for (key, value) in self {
                        if let (Some(key), Ok(ValueMut::Message(value))) = (key.key(), value.get_mut(at.value()))
                            && !visit(key, value)
                        {
                            return;
                        }
                    }
                }

                fn clear(&mut self) {
                    $map::clear(self);
                }
            }

            impl<K: MapSlotKey $(+ $bound)+, V: Element $(, $hasher: BuildHasher)?> Slot
                for $map<K, V $(, $hasher)?>
            {
                #[inline]
                fn get(&self, at: At) -> Option<ValueRef<'_>> {
                    Some(ValueRef::Map(MapRef(Repr::Place(TypedMap { map: self, at }))))
                }

                fn get_mut(&mut self, at: At) -> Result<ValueMut<'_>> {
                    Ok(ValueMut::Map(MapMut(Repr::Place(TypedMapMut { map: self, at }))))
                }

                fn set(&mut self, at: At, value: Value) -> Result<()> {
                    let Value::Map(values) = value else { return Err(misfit(&value)) };
                    let mut new = Vec::with_capacity(values.len());
                    for (key, value) in values {
                        let mut element = V::empty().ok_or_else(unmakable)?;
                        element.set(at.value(), value).map_err(|error| error.in_key(&key))?;
                        new.push((K::make(key).ok_or_else(borrowed_key)?, element));
                    }
                    $map::clear(self);
                    self.extend(new);
                    Ok(())
                }

                fn clear(&mut self, _: At) {
                    $map::clear(self);
                }
            }

            impl<K: MapSlotKey $(+ $bound)+, V: Element $(, $hasher: BuildHasher + Default)?> Element
                for $map<K, V $(, $hasher)?>
            {
                #[inline]
                fn empty() -> Option<Self> {
                    Some(Self::default())
                }
            }
        )*
    };
}

maps! {
    HashMap<K: Eq | Hash, S>;
    BTreeMap<K: Ord>;
    VecMap<K: Ord | Hash>;
}

/// The Rust type has no keys of its own.
#[cold]
fn borrowed_key() -> Error {
    Error::ty("the Rust type borrows its keys from the input, so that none can be added")
}

/// A map of a typed message, as it is handed out.
#[derive(Clone, Copy)]
pub(crate) struct TypedMap<'a> {
    map: &'a (dyn MapSlot + 'a),
    at: At,
}

/// As [`TypedMap`], to be changed.
pub(crate) struct TypedMapMut<'a> {
    map: &'a mut (dyn MapSlot + 'a),
    at: At,
}

impl<'a> TypedMap<'a> {
    /// The value under a key, for as long as the message is borrowed.
    #[inline]
    pub(crate) fn get_at(self, key: MapKeyRef<'_>) -> Option<ValueRef<'a>> {
        self.map.get(self.at, key)
    }

    /// The entries, for as long as the message is borrowed.
    pub(crate) fn visit_at(self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        self.map.visit(self.at, visit);
    }
}

impl TypedMapMut<'_> {
    fn messages(&self, key: &MapKey) -> Result<()> {
        check::key(self.at.key().field, &key.as_ref()).map_err(|error| self.at.name(error))?;
        if self.at.value().field.is_message() {
            return Ok(());
        }
        Err(self.at.name(Error::ty("the values are no messages")))
    }
}

impl ReflectMap for TypedMap<'_> {
    fn len(&self) -> usize {
        self.map.len()
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        self.map.get(self.at, key)
    }

    fn get_mut(&mut self, _: MapKey) -> Result<MessageMut<'_>> {
        Err(self.at.name(check::read_only()))
    }

    fn insert(&mut self, _: MapKey, _: Value) -> Result<()> {
        Err(self.at.name(check::read_only()))
    }

    fn remove(&mut self, _: MapKeyRef<'_>) -> bool {
        false
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        self.map.visit(self.at, visit);
    }

    fn visit_mut(&mut self, _: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) {}

    fn clear(&mut self) {}
}

impl ReflectMap for TypedMapMut<'_> {
    fn len(&self) -> usize {
        self.map.len()
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        self.map.get(self.at, key)
    }

    fn get_mut(&mut self, key: MapKey) -> Result<MessageMut<'_>> {
        self.messages(&key)?;
        let at = self.at;
        match self.map.get_mut(at, key) {
            Ok(ValueMut::Message(message)) => Ok(message),
            Ok(_) => Err(at.name(Error::ty("the values are no messages"))),
            Err(error) => Err(at.name(error)),
        }
    }

    fn insert(&mut self, key: MapKey, value: Value) -> Result<()> {
        let at = self.at;
        check::key(at.key().field, &key.as_ref()).map_err(|error| at.name(error))?;
        if let Err(error) = check::single(at.set, at.value().field, &value) {
            return Err(at.name(error.in_key(&key)));
        }
        self.map.insert(at, key, value).map_err(|error| at.name(error))
    }

    fn remove(&mut self, key: MapKeyRef<'_>) -> bool {
        self.map.remove(key)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        self.map.visit(self.at, visit);
    }

    fn visit_mut(&mut self, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) {
        if self.at.value().field.is_message() {
            self.map.visit_mut(self.at, visit);
        }
    }

    fn clear(&mut self) {
        self.map.clear();
    }
}
