//! Maps and their keys.

use super::convert::{By, Carry, MadeBy, Mapped, Own, Stores, Value, Whole, said};
use super::functions::{FillEntry, VisitEntry, VisitEntryMut};
use super::of::Of;
use super::{Conversion, FilledFrom, KeyRef, MapFunctions, MapTask, Member, MemberWith, Refused, Storage};
use crate::layout::member::Convert;
use crate::vec_map::{self, VecMap};
use bytes::Bytes;
use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, HashMap, btree_map, hash_map};
use std::hash::{BuildHasher, Hash};
use std::mem::needs_drop;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

/// A Rust type that can be the key of a map field.
///
/// All map types put the same bounds on the key. Therefore the compiler reports only one error if a type cannot be a key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map field",
    note = "a key is a `bool`, an integer of 32 or 64 bits or a string; or name a conversion for the map as a whole: `#[tobu(1, with = ...)]`"
)]
pub trait KeyMember: Member + Ord + Hash + Borrow<Self::Lookup> {
    /// The borrowed form by which a key is looked up.
    type Lookup: ?Sized + Eq + Ord + Hash;

    /// Converts `key` to the form that maps look up. Returns `None` if the key is of another kind.
    fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k Self::Lookup>;

    /// Returns the key in the form that error messages show.
    fn shown(&self) -> String;
}

macro_rules! keys {
    ($($ty:ty => $variant:ident),*) => {
        $(
            impl KeyMember for $ty {
                type Lookup = $ty;

                fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k $ty> {
                    if let KeyRef::$variant(key) = key { Some(key) } else { None }
                }

                fn shown(&self) -> String {
                    self.to_string()
                }
            }
        )*
    };
}

keys!(bool => Bool, i32 => I32, i64 => I64, u32 => U32, u64 => U64);

/// Implements [`KeyMember`] for strings, and for types that hold the bytes of a string.
macro_rules! text_keys {
    ($($ty:ty as $lookup:ty, $same:expr;)*) => {
        $(
            impl KeyMember for $ty {
                type Lookup = $lookup;

                fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k $lookup> {
                    let same: fn(&str) -> &$lookup = $same;
                    if let KeyRef::Str(key) = key { Some(same(key)) } else { None }
                }

                fn shown(&self) -> String {
                    String::from_utf8_lossy(Borrow::<$lookup>::borrow(self).as_ref()).into_owned()
                }
            }
        )*
    };
}

text_keys! {
    String as str, |key| key;
    Box<str> as str, |key| key;
    Arc<str> as str, |key| key;
    Rc<str> as str, |key| key;
    Cow<'_, str> as str, |key| key;
    &str as str, |key| key;
    Vec<u8> as [u8], str::as_bytes;
    Box<[u8]> as [u8], str::as_bytes;
    Arc<[u8]> as [u8], str::as_bytes;
    Rc<[u8]> as [u8], str::as_bytes;
    Bytes as [u8], str::as_bytes;
    Cow<'_, [u8]> as [u8], str::as_bytes;
    &[u8] as [u8], str::as_bytes;
}

impl MapFunctions {
    /// Returns the number of entries.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that the functions are for, and nothing changes it meanwhile.
    pub(crate) unsafe fn len(&self, at: *const u8) -> usize {
        // SAFETY: the caller promises that `at` is the address of a live map of the type that the functions are for,
        // and this task only reads it.
        unsafe { (self.whole)(MapTask::Len, at.cast_mut(), 0) }
    }

    /// Returns the capacity of the map, in entries.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that the functions are for, and nothing changes it meanwhile.
    pub(crate) unsafe fn capacity(&self, at: *const u8) -> usize {
        // SAFETY: the caller promises that `at` is the address of a live map of the type that the functions are for,
        // and this task only reads it.
        unsafe { (self.whole)(MapTask::Capacity, at.cast_mut(), 0) }
    }

    /// Reserves room for more entries.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that the functions are for, and nothing else refers to it.
    pub(crate) unsafe fn reserve(&self, at: *mut u8, more: usize) {
        // SAFETY: the caller promises that `at` is the address of a live map of the type that the functions are for,
        // and that nothing else refers to it.
        unsafe { (self.whole)(MapTask::Reserve, at, more) };
    }

    /// Drops all entries.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that the functions are for, and nothing else refers to it.
    pub(crate) unsafe fn clear(&self, at: *mut u8) {
        // SAFETY: the caller promises that `at` is the address of a live map of the type that the functions are for,
        // and that nothing else refers to it.
        unsafe { (self.whole)(MapTask::Clear, at, 0) };
    }
}

/// Returns the map at an address.
///
/// # Safety
/// `at` is the address of a live `T`, and nothing else changes it.
unsafe fn map<'a, T>(at: *const u8) -> &'a T {
    // SAFETY: the caller promises that `at` is the address of a live `T`, which is aligned, and that nothing else
    // changes it.
    unsafe { &*at.cast::<T>() }
}

/// Returns a mutable reference to the map at an address.
///
/// # Safety
/// `at` is the address of a live `T`, and nothing else refers to it.
unsafe fn map_mut<'a, T>(at: *mut u8) -> &'a mut T {
    // SAFETY: the caller promises that `at` is the address of a live `T`, which is aligned, and that nothing else
    // refers to it.
    unsafe { &mut *at.cast::<T>() }
}

/// Implements [`Member`], [`MemberWith`] and the functions of the map types. `$hasher` is the hasher parameter, if the type
/// has one.
macro_rules! maps {
    ($(
        $module:ident::$map:ident $(<$hasher:ident>)?,
        |$counted:ident| $capacity:expr,
        |$room_of:ident, $more:ident| $reserve:expr,
        |$cleared:ident| $clear:expr;
    )*) => {
        $(
            impl<K: KeyMember, V $(, $hasher: BuildHasher + Default)?, Values: Value<V>>
                Of<$map<K, V $(, $hasher)?>, Values>
            {
                const FUNCTIONS: MapFunctions = MapFunctions {
                    key: K::STORAGE,
                    value: Values::STORAGE,
                    entry_size: size_of::<(K, V)>(),
                    whole: Self::whole,
                    insert: Self::insert,
                    visit: Self::visit,
                    get: Self::get,
                    get_mut: Self::get_mut,
                    remove: Self::remove,
                    // Only values that can hold messages are changed in place.
                    visit_mut: match Values::STORAGE {
                        Storage::Message(_) | Storage::Box(_) | Storage::Option(_) => Some(Self::visit_mut),
                        _ => None,
                    },
                };

                unsafe fn whole(task: MapTask, at: *mut u8, $more: usize) -> usize {
                    let at = at.cast::<$map<K, V $(, $hasher)?>>();
                    // SAFETY: `at` is the address of a live map of the type, by the contract of the functions. `Len`
                    // and `Capacity` only read it; for `Reserve` and `Clear` nothing else refers to it.
                    unsafe {
                        match task {
                            MapTask::Len => return (*at).len(),
                            MapTask::Capacity => {
                                let $counted = &*at;
                                return $capacity;
                            }
                            MapTask::Reserve => {
                                let $room_of = &mut *at;
                                $reserve
                            }
                            MapTask::Clear => {
                                let $cleared = &mut *at;
                                $clear
                            }
                        }
                    }
                    0
                }

                unsafe fn insert(at: *mut u8, fill: FillEntry<'_>) -> *mut u8 {
                    let (Some(mut key), Some(mut value)) = (K::empty(), Values::empty()) else {
                        return ptr::null_mut();
                    };
                    if !fill(ptr::from_mut(&mut key).cast(), ptr::from_mut(&mut value).cast()) {
                        return ptr::null_mut();
                    }
                    // SAFETY: `at` is the address of a live map of the type, and nothing else refers to it.
                    let map = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    let inserted = match map.entry(key) {
                        $module::Entry::Vacant(entry) => entry.insert(value),
                        $module::Entry::Occupied(entry) => {
                            let inserted = entry.into_mut();
                            *inserted = value;
                            inserted
                        }
                    };
                    ptr::from_mut(inserted).cast()
                }

                unsafe fn get(at: *const u8, key: KeyRef<'_>) -> *const u8 {
                    // SAFETY: `at` is the address of a live map of the type, and nothing changes it meanwhile, by the
                    // contract of the functions.
                    let map = unsafe { map::<$map<K, V $(, $hasher)?>>(at) };
                    let Some(key) = K::lookup(&key) else { return ptr::null() };
                    match map.get(key) {
                        Some(value) => ptr::from_ref(value).cast(),
                        None => ptr::null(),
                    }
                }

                unsafe fn get_mut(at: *mut u8, key: KeyRef<'_>) -> *mut u8 {
                    // SAFETY: `at` is the address of a live map of the type, and nothing else refers to it, by the
                    // contract of the functions.
                    let map = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    let Some(key) = K::lookup(&key) else { return ptr::null_mut() };
                    match map.get_mut(key) {
                        Some(value) => ptr::from_mut(value).cast(),
                        None => ptr::null_mut(),
                    }
                }

                unsafe fn remove(at: *mut u8, key: KeyRef<'_>) -> bool {
                    // SAFETY: `at` is the address of a live map of the type, and nothing else refers to it, by the
                    // contract of the functions.
                    let map = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    match K::lookup(&key) {
                        Some(key) => map.remove(key).is_some(),
                        None => false,
                    }
                }

                unsafe fn visit(at: *const u8, visit: VisitEntry<'_>) {
                    // SAFETY: `at` is the address of a live map of the type, and nothing changes it meanwhile, by the
                    // contract of the functions.
                    for (key, value) in unsafe { map::<$map<K, V $(, $hasher)?>>(at) } {
                        if !visit(ptr::from_ref(key).cast(), ptr::from_ref(value).cast()) {
                            return;
                        }
                    }
                }

                unsafe fn visit_mut(at: *mut u8, visit: VisitEntryMut<'_>) {
                    // SAFETY: `at` is the address of a live map of the type, and nothing else refers to it, by the
                    // contract of the functions.
                    for (key, value) in unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) } {
                        if !visit(ptr::from_ref(key).cast(), ptr::from_mut(value).cast()) {
                            return;
                        }
                    }
                }
            }

            // SAFETY: `STORAGE` has functions that are compiled for this type.
            unsafe impl<K: KeyMember, V: Member $(, $hasher: BuildHasher + Default)?> Member
                for $map<K, V $(, $hasher)?>
            {
                const STORAGE: Storage = Storage::Map(&Of::<Self, Own>::FUNCTIONS);

                fn register() {
                    V::register();
                }

                fn empty() -> Option<Self> {
                    Some(Self::default())
                }

                #[inline]
                fn is_set(&self) -> bool {
                    !self.is_empty()
                }
            }

            impl<K, V, C $(, $hasher)?> Carry<$map<K, V $(, $hasher)?>> for Whole<C, Mapped>
            where
                K: KeyMember + Clone + PartialEq + Send + Sync + 'static,
                V: 'static,
                C: Convert<V>,
                C::Proto: Stores<V, C>,
                $($hasher: BuildHasher + Default + 'static,)?
            {
                type Owned = $map<K, <C::Proto as Stores<V, C>>::Owned>;
                const SAID: Conversion = said::<V, C>();

                fn own(member: &$map<K, V $(, $hasher)?>) -> Self::Owned {
                    let entry = |(key, value): (&K, &V)| (key.clone(), <C::Proto as Stores<V, C>>::own(value));
                    member.iter().map(entry).collect()
                }

                fn make(proto: Self::Owned) -> Result<$map<K, V $(, $hasher)?>, Refused> {
                    let mut made = <$map<K, V $(, $hasher)?>>::default();
                    for (key, proto) in proto {
                        match <C::Proto as Stores<V, C>>::make(proto) {
                            Some(value) => made.insert(key, value),
                            None => return Err(Refused::Entry(key.shown())),
                        };
                    }
                    Ok(made)
                }
            }

            // SAFETY: the functions are compiled for this type. The key implements `FilledFrom` for every lifetime, so it
            // borrows nothing.
            unsafe impl<K, V, C $(, $hasher)?> MemberWith<C, Mapped> for $map<K, V $(, $hasher)?>
            where
                K: KeyMember + Clone + PartialEq + Send + Sync + for<'de> FilledFrom<'de> + 'static,
                V: 'static,
                C: Convert<V>,
                C::Proto: Stores<V, C>,
                $($hasher: BuildHasher + Default + 'static,)?
            {
                type Value = V;

                const STORAGE: Storage = match <C::Proto as Stores<V, C>>::VALUE {
                    Some(_) => Storage::Map(&Of::<Self, By<C>>::FUNCTIONS),
                    None => Storage::Made(&MadeBy::<Self, Whole<C, Mapped>>::FUNCTIONS),
                };

                fn register() {
                    <<C::Proto as Stores<V, C>>::Owned as Member>::register();
                }

                fn empty() -> Option<Self> {
                    Some(Self::default())
                }

                #[inline]
                fn is_set(&self) -> bool {
                    !self.is_empty()
                }
            }
        )*
    };
}

/// The largest capacity with which a `HashMap` whose entries own memory keeps its allocation when it is cleared.
const KEPT: usize = 1024;

maps! {
    hash_map::HashMap<S>, |map| map.capacity(), |map, more| map.reserve(more), |map| {
        // Dropping many entries frees their memory in the order of their hashes. If the hash table is freed with them, the
        // allocator can merge all of this memory.
        if needs_drop::<(K, V)>() && map.capacity() > KEPT {
            *map = HashMap::default();
        } else {
            map.clear();
        }
    };
    btree_map::BTreeMap, |map| map.len(), |_map, _more| {}, |map| map.clear();
    vec_map::VecMap, |map| map.capacity(), |map, more| map.reserve(more), |map| map.clear();
}
