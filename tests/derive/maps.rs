//! Maps of every type: the same entries, the same bytes, the same errors.

use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use tobu::reflect::{MapKey, MapKeyRef, Value};
use tobu::{DynamicMessage, EncodeOptions, Merge, Message, Reflect, VecMap, json};

/// Declares messages of the same maps, of one type each: by tobu's derives and by serde's own.
macro_rules! maps {
    ($($module:ident $map:ident;)*) => {
        $(
            mod $module {
                use super::*;

                #[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
                #[tobu(package = "derive.maps", name = "Maps")]
                pub(super) struct Told {
                    #[tobu(1)]
                    pub(super) texts: $map<String, String>,
                    #[tobu(2)]
                    pub(super) numbers: $map<i32, i64>,
                    #[tobu(3, key = "sfixed64")]
                    pub(super) fixed: $map<i64, f64>,
                    #[tobu(4)]
                    pub(super) inner: $map<bool, Told>,
                    #[tobu(5)]
                    pub(super) raw: $map<u32, Vec<u8>>,
                }

                #[derive(Clone, Debug, Default, PartialEq, Message, serde::Serialize, serde::Deserialize)]
                #[tobu(package = "derive.maps", name = "Maps")]
                #[serde(default)]
                pub(super) struct Plain {
                    #[tobu(1)]
                    pub(super) texts: $map<String, String>,
                    #[tobu(2)]
                    pub(super) numbers: $map<i32, i64>,
                    #[tobu(3, key = "sfixed64")]
                    pub(super) fixed: $map<i64, f64>,
                    #[tobu(4)]
                    pub(super) inner: $map<bool, Plain>,
                    #[tobu(5)]
                    pub(super) raw: $map<u32, Vec<u8>>,
                }
            }
        )*
    };
}

maps! {
    hash HashMap;
    btree BTreeMap;
    vec VecMap;
}

macro_rules! each {
    ($call:ident($arg:expr, $expected:expr)) => {
        $call::<hash::Told>($arg, $expected);
        $call::<hash::Plain>($arg, $expected);
        $call::<btree::Told>($arg, $expected);
        $call::<btree::Plain>($arg, $expected);
        $call::<vec::Told>($arg, $expected);
        $call::<vec::Plain>($arg, $expected);
    };
}

/// Compares the message read from the wire bytes, in canonical form.
#[track_caller]
fn reads<T>(wire: &[u8], canonical: &[u8])
where
    T: Message + serde::Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = |message: &T| EncodeOptions::new().deterministic(true).to_vec(message).unwrap();
    let name = std::any::type_name::<T>();
    let message: T = tobu::from_slice(wire).unwrap();
    assert_eq!(bytes(&message), canonical, "{name}");
    let again = tobu::from_slice(&tobu::to_vec(&message).unwrap()).unwrap();
    assert_eq!(message, again, "{name}");
    assert_eq!(tobu::encoded_len(&message).unwrap(), canonical.len(), "{name}");
    let text = json::to_string(&message).unwrap();
    assert_eq!(json::from_str::<T>(&text).unwrap(), message, "{name}: {text}");
    let tree = serde_json::to_value(&message).unwrap();
    assert_eq!(serde_json::from_value::<T>(tree).unwrap(), message, "{name}");
    let dynamic = DynamicMessage::decode(&T::descriptor(), wire).unwrap();
    let wanted = DynamicMessage::decode(&T::descriptor(), canonical).unwrap();
    assert_eq!(dynamic, wanted, "{name}");
}

/// Compares the error for the wire bytes.
#[track_caller]
fn refuses<T: Message + DeserializeOwned + Debug>(wire: &[u8], error: &str) {
    let name = std::any::type_name::<T>();
    assert_eq!(
        tobu::from_slice::<T>(wire).unwrap_err().to_string(),
        format!("derive.maps.Maps.{error}"),
        "{name}"
    );
}

#[test]
fn entries_of_every_shape() {
    each!(reads(b"", b""));
    // Key and value, in their order.
    each!(reads(b"\x0a\x06\x0a\x01a\x12\x01b", b"\x0a\x06\x0a\x01a\x12\x01b"));
    each!(reads(
        b"\x12\x04\x08\x01\x10\x02\x1a\x12\x09\x01\0\0\0\0\0\0\0\x11\0\0\0\0\0\0\xf0\x3f\x2a\x05\x08\x07\x12\x01\xff",
        b"\x12\x04\x08\x01\x10\x02\x1a\x12\x09\x01\0\0\0\0\0\0\0\x11\0\0\0\0\0\0\xf0\x3f\x2a\x05\x08\x07\x12\x01\xff"
    ));
    // Without the one, the other, or both; in the other order; more than once; with a field that is neither.
    each!(reads(
        b"\x0a\x03\x12\x01b\x0a\x03\x0a\x01a",
        b"\x0a\x05\x0a\x00\x12\x01b\x0a\x05\x0a\x01a\x12\x00"
    ));
    each!(reads(b"\x12\x00\x22\x00", b"\x12\x04\x08\x00\x10\x00\x22\x04\x08\x00\x12\x00"));
    each!(reads(b"\x0a\x06\x12\x01b\x0a\x01a", b"\x0a\x06\x0a\x01a\x12\x01b"));
    each!(reads(b"\x12\x08\x08\x01\x08\x02\x10\x03\x10\x04", b"\x12\x04\x08\x02\x10\x04"));
    each!(reads(b"\x0a\x08\x0a\x01a\x12\x01b\x18\x07", b"\x0a\x06\x0a\x01a\x12\x01b"));
    each!(reads(b"\x0a\x08\x0a\x01a\x18\x07\x12\x01b", b"\x0a\x06\x0a\x01a\x12\x01b"));
    // Ordinary ones before and after one that is not.
    each!(reads(
        b"\x12\x04\x08\x01\x10\x02\x12\x02\x10\x03\x12\x04\x08\x05\x10\x06\x12\x04\x08\x07\x10\x08",
        b"\x12\x04\x08\x00\x10\x03\x12\x04\x08\x01\x10\x02\x12\x04\x08\x05\x10\x06\x12\x04\x08\x07\x10\x08"
    ));
    // Tags and lengths in other forms than the shortest.
    each!(reads(
        b"\x8a\x00\x06\x0a\x01a\x12\x01b\x0a\x86\x00\x0a\x01c\x12\x01d\x0a\x07\x0a\x81\x00e\x12\x01f\x0a\x07\x8a\x00\x01g\x12\x01h",
        b"\x0a\x06\x0a\x01a\x12\x01b\x0a\x06\x0a\x01c\x12\x01d\x0a\x06\x0a\x01e\x12\x01f\x0a\x06\x0a\x01g\x12\x01h"
    ));
    // The last value of a key counts; other fields may occur in between.
    each!(reads(
        b"\x12\x04\x08\x01\x10\x02\x12\x04\x08\x03\x10\x04\x0a\x06\x0a\x01a\x12\x01b\x12\x04\x08\x01\x10\x05",
        b"\x0a\x06\x0a\x01a\x12\x01b\x12\x04\x08\x01\x10\x05\x12\x04\x08\x03\x10\x04"
    ));
    // Messages, of which one has two occurrences, and one is in another.
    each!(reads(
        b"\x22\x10\x08\x01\x12\x04\x12\x02\x08\x01\x12\x06\x12\x04\x08\x02\x10\x02\x22\x08\x08\x00\x12\x04\x22\x02\x08\x01",
        b"\x22\x0a\x08\x00\x12\x06\x22\x04\x08\x01\x12\x00\x22\x10\x08\x01\x12\x0c\x12\x04\x08\x01\x10\x00\x12\x04\x08\x02\x10\x02"
    ));
}

#[test]
fn errors_name_the_key() {
    for (wire, error) in [
        (
            &b"\x12\x04\x08\x01\x10\x02\x0a\x06\x0a\x01k\x12\x01\xff"[..],
            "texts[\"k\"]: invalid UTF-8 in a string (at byte 13)",
        ),
        (b"\x0a\x06\x0a\x01\xff\x12\x01v", "texts[\"\"]: invalid UTF-8 in a string (at byte 4)"),
        (b"\x0a\x06\x0a\x01k\x12\x02v", "texts: length of 2 bytes, but only 1 bytes are left (at byte 7)"),
        (b"\x0a\x07\x0a\x01k\x12\x01v", "texts: length of 7 bytes, but only 6 bytes are left (at byte 2)"),
        (
            b"\x22\x0a\x08\x01\x12\x06\x12\x04\x08\x02\x10\xff",
            "inner[\"true\"].numbers: input ends inside a varint (at byte 11)",
        ),
        (
            b"\x22\x0a\x08\x01\x12\x06\x0a\x04\x0a\x02k\xff",
            "inner[\"true\"].texts[\"\"]: invalid UTF-8 in a string (at byte 11)",
        ),
        (
            b"\x12\x04\x08\x01\x10\x02\x12\x05\x08\x01\x1b\x10\x02",
            "numbers: group of field 3 is never closed (at byte 13)",
        ),
    ] {
        each!(refuses(wire, error));
    }
}

#[test]
fn used_again_or_merged_into() {
    fn check<T: Message + for<'de> Merge<'de> + serde::Serialize + Default>() {
        let bytes = |message: &T| EncodeOptions::new().deterministic(true).to_vec(message).unwrap();
        let mut message = T::default();
        tobu::merge(&mut message, b"\x12\x04\x08\x01\x10\x02\x0a\x06\x0a\x01a\x12\x01b").unwrap();
        tobu::merge(&mut message, b"\x12\x04\x08\x03\x10\x04\x0a\x06\x0a\x01a\x12\x01c").unwrap();
        assert_eq!(
            bytes(&message),
            b"\x0a\x06\x0a\x01a\x12\x01c\x12\x04\x08\x01\x10\x02\x12\x04\x08\x03\x10\x04"
        );
        tobu::from_slice_in_place(&mut message, b"\x12\x04\x08\x05\x10\x06").unwrap();
        assert_eq!(bytes(&message), b"\x12\x04\x08\x05\x10\x06");
    }
    check::<hash::Told>();
    check::<btree::Told>();
    check::<vec::Told>();
}

#[test]
fn reflected() {
    fn check<T: Message + Reflect + Default>() {
        let mut message = T::default();
        let message = message.as_reflect_mut();
        let mut map = message.get_mut_by_name("numbers").unwrap().into_map().unwrap();
        for key in (0..40).rev() {
            map.insert(MapKey::I32(key), Value::I64(key.into())).unwrap();
        }
        assert!(map.remove(MapKeyRef::I32(7)) && !map.remove(MapKeyRef::I32(7)));
        assert_eq!(map.len(), 39);
        assert_eq!(map.get(MapKeyRef::I32(8)).and_then(|value| value.as_i64()), Some(8));
        let mut keys = Vec::new();
        map.visit(&mut |key, value| {
            keys.push((key.to_string(), value.as_i64().unwrap()));
            true
        });
        keys.sort_by_key(|(_, value)| *value);
        assert!(keys.iter().map(|(_, value)| *value).eq((0..40).filter(|key| *key != 7)));
        map.clear();
        assert_eq!(map.len(), 0);
        let mut map = message.get_mut_by_name("inner").unwrap().into_map().unwrap();
        map.get_mut(MapKey::Bool(true))
            .unwrap()
            .set_by_name("raw", HashMap::from([(7u32.into(), vec![1u8].into())]))
            .unwrap();
        assert_eq!(message.to_string(), r#"inner { key: true value { raw { key: 7 value: "\001" } } }"#);
        message.clear_by_name("inner").unwrap();
        assert_eq!(message.to_string(), "");
    }
    check::<hash::Told>();
    check::<btree::Told>();
    check::<vec::Told>();
}
