//! Implements serde's traits for `VecMap`. The map is written and read like the maps of the standard library.

use super::VecMap;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

impl<K: Serialize, V: Serialize> Serialize for VecMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, K: Deserialize<'de> + Ord + Hash, V: Deserialize<'de>> Deserialize<'de> for VecMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}

struct MapVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + Ord + Hash, V: Deserialize<'de>> Visitor<'de> for MapVisitor<K, V> {
    type Value = VecMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<VecMap<K, V>, A::Error> {
        let mut map = VecMap::new();
        // The declared length may be wrong, so memory is reserved for at most a mebibyte of entries.
        let most = (1 << 20) / size_of::<(K, V)>().max(1);
        map.reserve(entries.size_hint().unwrap_or(0).min(most));
        while let Some((key, value)) = entries.next_entry()? {
            map.insert(key, value);
        }
        Ok(map)
    }
}
