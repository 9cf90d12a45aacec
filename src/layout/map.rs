//! Maps and their keys.

use super::convert::{By, Mapped, Own, Value};
use super::functions::{FillEntry, VisitEntry, VisitEntryMut};
use super::of::Of;
use super::{
    EntryFunctions, Field, FilledFrom, FoundMap, KeyRef, MapFinder, MapFunctions, Member, MemberWith,
    Storage, Straight,
};
use crate::member::Convert;
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
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be the key of a map field")]
pub trait KeyMember: Member + Borrow<Self::Lookup> {
    /// What a key is looked up by.
    type Lookup: ?Sized + Eq + Ord + Hash;

    /// What to look up; none for a key of another kind.
    fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k Self::Lookup>;
}

/// Lists the keys that are numbers or bools.
macro_rules! keys {
    ($($ty:ty => $variant:ident),*) => {
        $(
            impl KeyMember for $ty {
                type Lookup = $ty;

                fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k $ty> {
                    if let KeyRef::$variant(key) = key { Some(key) } else { None }
                }
            }
        )*
    };
}

keys!(bool => Bool, i32 => I32, i64 => I64, u32 => U32, u64 => U64);

/// Lists the keys that are strings, or the bytes of strings.
macro_rules! text_keys {
    ($($ty:ty as $lookup:ty, $same:expr;)*) => {
        $(
            impl KeyMember for $ty {
                type Lookup = $lookup;

                fn lookup<'k>(key: &'k KeyRef<'k>) -> Option<&'k $lookup> {
                    let same: fn(&str) -> &$lookup = $same;
                    if let KeyRef::Str(key) = key { Some(same(key)) } else { None }
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

/// The map at an address.
///
/// # Safety
/// A live `T` lies there, and nothing else changes it.
unsafe fn map<'a, T>(at: *const u8) -> &'a T {
    // SAFETY: as above.
    unsafe { &*at.cast::<T>() }
}

/// The map at an address, to be changed.
///
/// # Safety
/// A live `T` lies there, and nothing else refers to it.
unsafe fn map_mut<'a, T>(at: *mut u8) -> &'a mut T {
    // SAFETY: as above.
    unsafe { &mut *at.cast::<T>() }
}

/// Lists the map types; they differ in their bounds.
// In all of these: SAFETY: the address is that of a map of the type, by the contract of the functions.
macro_rules! maps {
    ($(
        $module:ident::$map:ident<K: $($bound:ident)|+ $(, $hasher:ident)?>,
        |$counted:ident| $capacity:expr,
        |$room_of:ident, $more:ident| $reserve:expr,
        |$cleared:ident| $clear:expr;
    )*) => {
        $(
            impl<K: KeyMember $(+ $bound)+, V $(, $hasher: BuildHasher + Default)?, Values: Value<V>>
                Of<$map<K, V $(, $hasher)?>, Values>
            {
                const FUNCTIONS: MapFunctions = MapFunctions {
                    key: K::STORAGE,
                    value: Values::STORAGE,
                    entry_size: size_of::<(K, V)>(),
                    len: Self::len,
                    capacity: Self::capacity,
                    reserve: Self::reserve,
                    insert: Self::insert,
                    visit: Self::visit,
                    clear: Self::clear,
                };

                const ENTRIES: EntryFunctions = EntryFunctions {
                    get: Self::get,
                    get_mut: Self::get_mut,
                    remove: Self::remove,
                    // Only messages are changed where they are.
                    visit_mut: match Values::STORAGE {
                        Storage::Message(_) | Storage::Box(_) | Storage::Option(_) => Some(Self::visit_mut),
                        _ => None,
                    },
                };

                #[inline(never)]
                unsafe fn len(at: *const u8) -> usize {
                    // SAFETY: see above.
                    unsafe { map::<$map<K, V $(, $hasher)?>>(at) }.len()
                }

                #[inline(never)]
                unsafe fn capacity(at: *const u8) -> usize {
                    // SAFETY: see above.
                    let $counted = unsafe { map::<$map<K, V $(, $hasher)?>>(at) };
                    $capacity
                }

                #[inline(never)]
                unsafe fn reserve(at: *mut u8, $more: usize) {
                    // SAFETY: see above.
                    let $room_of = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    $reserve
                }

                unsafe fn insert(at: *mut u8, fill: FillEntry<'_>) -> *mut u8 {
                    let Some(mut key) = K::empty() else { return ptr::null_mut() };
                    let Some(mut value) = Values::empty() else { return ptr::null_mut() };
                    if !fill(ptr::from_mut(&mut key).cast(), ptr::from_mut(&mut value).cast()) {
                        return ptr::null_mut();
                    }
                    // SAFETY: see above.
                    let inserted = match unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) }.entry(key) {
                        $module::Entry::Vacant(entry) => entry.insert(value),
                        $module::Entry::Occupied(entry) => {
                            let old = entry.into_mut();
                            *old = value;
                            old
                        }
                    };
                    ptr::from_mut(inserted).cast()
                }

                unsafe fn get(at: *const u8, key: KeyRef<'_>) -> *const u8 {
                    // SAFETY: see above.
                    let map = unsafe { map::<$map<K, V $(, $hasher)?>>(at) };
                    let Some(key) = K::lookup(&key) else { return ptr::null() };
                    match map.get(key) {
                        Some(value) => ptr::from_ref(value).cast(),
                        None => ptr::null(),
                    }
                }

                unsafe fn get_mut(at: *mut u8, key: KeyRef<'_>) -> *mut u8 {
                    // SAFETY: see above.
                    let map = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    let Some(key) = K::lookup(&key) else { return ptr::null_mut() };
                    match map.get_mut(key) {
                        Some(value) => ptr::from_mut(value).cast(),
                        None => ptr::null_mut(),
                    }
                }

                unsafe fn remove(at: *mut u8, key: KeyRef<'_>) -> bool {
                    // SAFETY: see above.
                    let map = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    match K::lookup(&key) {
                        Some(key) => map.remove(key).is_some(),
                        None => false,
                    }
                }

                unsafe fn visit(at: *const u8, visit: VisitEntry<'_>) {
                    // SAFETY: see above.
                    for (key, value) in unsafe { map::<$map<K, V $(, $hasher)?>>(at) } {
                        if !visit(ptr::from_ref(key).cast(), ptr::from_ref(value).cast()) {
                            return;
                        }
                    }
                }

                unsafe fn visit_mut(at: *mut u8, visit: VisitEntryMut<'_>) {
                    // SAFETY: see above.
                    for (key, value) in unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) } {
                        if !visit(ptr::from_ref(key).cast(), ptr::from_mut(value).cast()) {
                            return;
                        }
                    }
                }

                unsafe fn clear(at: *mut u8) {
                    // SAFETY: see above.
                    let $cleared = unsafe { map_mut::<$map<K, V $(, $hasher)?>>(at) };
                    $clear
                }
            }

            // SAFETY: the functions are those of the type.
            unsafe impl<K: KeyMember $(+ $bound)+, V: Member $(, $hasher: BuildHasher + Default)?> Member
                for $map<K, V $(, $hasher)?>
            {
                const STORAGE: Storage = Storage::Map(&Of::<Self, Own>::FUNCTIONS);

                fn register() {
                    V::register();
                }

                fn find_maps(finder: &mut MapFinder) -> FoundMap<Self> {
                    V::find_maps(finder);
                    FoundMap::some(&Of::<Self, Own>::ENTRIES)
                }

                fn empty() -> Option<Self> {
                    Some(Self::default())
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
                    // SAFETY: as for the caller.
                    if self.is_empty() { at } else { unsafe { out.field(field, at) } }
                }
            }

            // SAFETY: the functions are those of the type, and a key that any input may fill borrows nothing.
            unsafe impl<K, V, C $(, $hasher)?> MemberWith<C, Mapped> for $map<K, V $(, $hasher)?>
            where
                K: KeyMember + for<'de> FilledFrom<'de> $(+ $bound)+ + 'static,
                V: Default + 'static,
                C: Convert<V>,
                $($hasher: BuildHasher + Default + 'static,)?
            {
                const STORAGE: Storage = Storage::Map(&Of::<Self, By<C>>::FUNCTIONS);

                fn empty() -> Self {
                    Self::default()
                }

                fn find_maps(_finder: &mut MapFinder) -> FoundMap<Self> {
                    FoundMap::some(&Of::<Self, By<C>>::ENTRIES)
                }
            }
        )*
    };
}

/// Up to how many entries a map that is cleared keeps its table, where entries own memory.
const KEPT: usize = 1024;

maps! {
    hash_map::HashMap<K: Eq | Hash, S>, |map| map.capacity(), |map, more| map.reserve(more), |map| {
        // What many entries own is freed in the order of their hashes: with the table allocators get it back as one.
        if needs_drop::<(K, V)>() && map.capacity() > KEPT {
            *map = HashMap::default();
        } else {
            map.clear();
        }
    };
    btree_map::BTreeMap<K: Ord>, |map| map.len(), |_map, _more| {}, |map| map.clear();
    vec_map::VecMap<K: Ord | Hash>, |map| map.capacity(), |map, more| map.reserve(more), |map| map.clear();
}
