//! Maps of members.

use super::{Emit, Emitted, Member, Merge, MergeInto, is_large};
use crate::shape::TypeShape;
use crate::vec_map::{self, VecMap};
use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde::{Deserializer, Serializer};
use std::collections::{BTreeMap, HashMap, btree_map, hash_map};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::mem::needs_drop;

/// Lists the map types; they differ in their bounds and in making room.
macro_rules! maps {
    ($($map:ident $module:ident<K: $($bound:ident)|+ $(, $hasher:ident)?>, $reserve:expr, $shrink:expr);*) => {
        $(
            impl<K: Member, V: Member $(, $hasher)?> Member for $map<K, V $(, $hasher)?> {
                const TYPE: TypeShape = TypeShape::Map(&K::TYPE, &V::TYPE);
            }

            impl<K: Emit, V: Emit $(, $hasher)?> Emit for $map<K, V $(, $hasher)?> {
                // Out of line: once per type of entry, not once per field.
                #[inline(never)]
                fn emit<Ser: Serializer>(&self, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
                    serializer.collect_map(self.iter().map(|(key, value)| (Emitted(key), Emitted(value))))
                }
            }

            impl<'de, K: Merge<'de> $(+ $bound)+, V: Merge<'de> $(, $hasher: BuildHasher + Default)?> Merge<'de>
                for $map<K, V $(, $hasher)?>
            {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn empty() -> Self {
                    Self::default()
                }

                // Out of line: once per type of entry, not once per field.
                #[inline(never)]
                fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
                    deserializer.deserialize_map(Insert(self))
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clear(&mut self) {
                    let shrink: fn(&mut Self) = $shrink;
                    $map::clear(self);
                    shrink(self);
                }
            }

            impl<'de, K: Merge<'de> $(+ $bound)+, V: Merge<'de> $(, $hasher: BuildHasher)?> Visitor<'de>
                for Insert<'_, $map<K, V $(, $hasher)?>>
            {
                type Value = ();

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
                    let reserve: fn(&mut $map<K, V $(, $hasher)?>, usize) = $reserve;
                    // A hint of a foreign format may be a lie: it is believed up to a megabyte.
                    let most = (1 << 20) / size_of::<(K, V)>().max(1);
                    reserve(self.0, entries.size_hint().unwrap_or(0).min(most));
                    while let Some(key) = entries.next_key_seed(Fresh(PhantomData))? {
                        // The last value of a key counts, message values included.
                        if const { is_large::<V>() } {
                            entries.next_value_seed(MergeInto(self.0.place(key)))?;
                            continue;
                        }
                        self.0.insert(key, entries.next_value_seed(Fresh(PhantomData))?);
                    }
                    Ok(())
                }
            }

            impl<'de, K: Merge<'de> $(+ $bound)+, V: Merge<'de> $(, $hasher: BuildHasher)?> Place<'de, K, V>
                for $map<K, V $(, $hasher)?>
            {
                // Out of line, so that the value passes through no frame that stays open while it is read.
                #[inline(never)]
                fn place(&mut self, key: K) -> &mut V {
                    match self.entry(key) {
                        $module::Entry::Vacant(entry) => entry.insert(V::empty()),
                        $module::Entry::Occupied(entry) => {
                            let value = entry.into_mut();
                            *value = V::empty();
                            value
                        }
                    }
                }
            }
        )*
    };
}

maps!(
    HashMap hash_map<K: Eq | Hash, S>, |map, additional| map.reserve(additional), |map| {
        // What many entries owned was freed in the order of their hashes: with the table allocators get it back as one.
        if needs_drop::<(K, V)>() && map.capacity() > KEPT {
            map.shrink_to_fit();
        }
    };
    BTreeMap btree_map<K: Ord>, |_, _| {}, |_| {};
    VecMap vec_map<K: Ord | Hash>, |map, additional| map.reserve(additional), |_| {}
);

/// A cleared map keeps its table for as many entries, or for any number of those that own no memory.
const KEPT: usize = 1024;

/// Makes an empty value where it stays.
trait Place<'de, K, V> {
    fn place(&mut self, key: K) -> &mut V;
}

/// Adds the entries of a map to another.
struct Insert<'a, M>(&'a mut M);

/// Reads a new member.
struct Fresh<T>(PhantomData<T>);

impl<'de, T: Merge<'de>> DeserializeSeed<'de> for Fresh<T> {
    type Value = T;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let mut value = T::empty();
        value.merge(deserializer)?;
        Ok(value)
    }
}
