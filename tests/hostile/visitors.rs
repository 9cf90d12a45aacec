//! Types that request too little, something else, or in an unusual way.

use crate::types::derived;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use tobu::{Message, MessageDescriptorExt};

/// Takes some keys of a map, never a value.
#[derive(Debug, PartialEq)]
struct Keys<const MOST: usize>(Vec<String>);

impl<'de, const MOST: usize> Deserialize<'de> for Keys<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeysVisitor<const MOST: usize>;
        impl<'de, const MOST: usize> Visitor<'de> for KeysVisitor<MOST> {
            type Value = Keys<MOST>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut keys = Vec::new();
                while keys.len() < MOST
                    && let Some(key) = map.next_key()?
                {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(KeysVisitor)
    }
}

/// Takes the first elements of a list.
#[derive(Debug, PartialEq)]
struct First<T, const MOST: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for First<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FirstVisitor<T, const MOST: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for FirstVisitor<T, MOST> {
            type Value = First<T, MOST>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while all.len() < MOST
                    && let Some(element) = seq.next_element()?
                {
                    all.push(element);
                }
                Ok(First(all))
            }
        }
        deserializer.deserialize_seq(FirstVisitor(PhantomData))
    }
}

fn keys(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|&key| key.into()).collect()
}

#[test]
fn a_map_visitor_may_stop_at_any_key() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Some<const MOST: usize> {
        f_string: Keys<MOST>,
        f_bytes: HashMap<String, serde_bytes::ByteBuf>,
    }
    let wire = b"\x62\x06\x0a\x01a\x12\x01b\x62\x06\x0a\x01c\x12\x01d\x6a\x06\x0a\x01k\x12\x01v";
    // Once streamed, once grouped.
    let split = b"\x62\x06\x0a\x01a\x12\x01b\x6a\x06\x0a\x01k\x12\x01v\x62\x06\x0a\x01c\x12\x01d";
    fn check<const MOST: usize>(wire: &[u8], expected: &[&str]) {
        let some: Some<MOST> = derived::Maps::descriptor().decode(wire).unwrap();
        let f_bytes = HashMap::from([("k".into(), serde_bytes::ByteBuf::from(*b"v"))]);
        assert_eq!(some, Some { f_string: Keys(keys(expected)), f_bytes });
    }
    for wire in [wire, split] {
        check::<0>(wire, &[]);
        check::<1>(wire, &["a"]);
        check::<2>(wire, &["a", "c"]);
        check::<3>(wire, &["a", "c"]);
    }
}

#[test]
fn a_message_visitor_may_stop_at_any_key() {
    let wire = b"\x0a\x01n\x12\x02\x0a\x00\x32\x02\x08\x01";
    let tree = derived::Tree::descriptor();
    assert_eq!(tree.decode::<Keys<0>>(wire).unwrap().0, keys(&[]));
    assert_eq!(tree.decode::<Keys<2>>(wire).unwrap().0, keys(&["name", "left"]));
    assert_eq!(tree.decode::<Keys<9>>(wire).unwrap().0, keys(&["name", "left", "leaf"]));
    let inner: HashMap<String, IgnoredAny> = tree.decode(wire).unwrap();
    assert_eq!(inner.len(), 3);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer {
        children: Vec<Keys<1>>,
        leaf: Keys<9>,
    }
    // The rest of a message that was left is still read, and so still has to be well-formed.
    let wire = b"\x22\x06\x0a\x01n\x12\x02\x0a\x22\x00\x32\x02\x08\x01";
    let error = tree.decode::<Outer>(wire).unwrap_err();
    assert_eq!(error.message(), "length of 2 bytes, but only 1 bytes are left");
    let wire = b"\x22\x07\x0a\x01n\x12\x02\x0a\x00\x22\x00\x32\x02\x08\x01";
    let outer: Outer = tree.decode(wire).unwrap();
    assert_eq!(
        outer,
        Outer { children: vec![Keys(keys(&["name"])), Keys(vec![])], leaf: Keys(keys(&["a"])) }
    );
}

#[test]
fn a_list_visitor_may_stop_at_any_element() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Some<const MOST: usize> {
        f_int32: First<i32, MOST>,
        f_string: First<String, MOST>,
        f_bool: Vec<bool>,
    }
    let wire = b"\x1a\x02\x01\x02\x18\x03\x72\x01a\x72\x01b\x72\x01c\x6a\x01\x01";
    let split = b"\x72\x01a\x1a\x02\x01\x02\x72\x01b\x6a\x01\x01\x18\x03\x72\x01c";
    fn check<const MOST: usize>(wire: &[u8]) {
        let f_int32 = First([1, 2, 3].into_iter().take(MOST).collect());
        let f_string = First(["a", "b", "c"].into_iter().take(MOST).map(String::from).collect());
        let some: Some<MOST> = derived::Lists::descriptor().decode(wire).unwrap();
        assert_eq!(some, Some { f_int32, f_string, f_bool: vec![true] });
    }
    for wire in [&wire[..], split] {
        check::<0>(wire);
        check::<1>(wire);
        check::<2>(wire);
        check::<4>(wire);
    }
}

#[test]
fn an_ignored_map_value_in_pieces_is_passed_over() {
    #[derive(Debug, Deserialize)]
    struct Some {
        f_leaf: HashMap<String, IgnoredAny>,
        f_string: HashMap<String, String>,
    }
    // One value with two occurrences, one before its key, one missing.
    let wire =
        b"\x7a\x0b\x0a\x01a\x12\x02\x08\x01\x12\x02\x08\x03\x7a\x03\x0a\x01b\x7a\x07\x12\x02\x08\x01\x0a\x01c\
        \x62\x06\x0a\x01x\x12\x01y";
    let some: Some = derived::Maps::descriptor().decode(wire).unwrap();
    let mut found: Vec<_> = some.f_leaf.keys().cloned().collect();
    found.sort();
    assert_eq!(found, keys(&["a", "b", "c"]));
    assert_eq!(some.f_string, HashMap::from([("x".into(), "y".into())]));
    // A value must be a message even if it is not delivered.
    let wire = b"\x7a\x0a\x0a\x01a\x12\x02\x08\x01\x12\x01\x08";
    let error = derived::Maps::descriptor().decode::<Some>(wire).unwrap_err();
    assert_eq!(error.to_string(), "derived.v3.Maps.f_leaf[\"a\"].a: input ends inside a varint (at byte 12)");
}

/// Decodes one member of `derived::Scalars`, `Lists`, `Maps` or `Tree` as a type that does not fit.
fn refused<T: for<'de> Deserialize<'de> + fmt::Debug>(
    descriptor: tobu::MessageDescriptor,
    wire: &[u8],
) -> String {
    descriptor.decode::<HashMap<String, T>>(wire).unwrap_err().to_string()
}

#[test]
fn wrong_kinds_are_errors_that_name_the_field() {
    let scalars = derived::Scalars::descriptor;
    let (lists, maps, tree) =
        (derived::Lists::descriptor, derived::Maps::descriptor, derived::Tree::descriptor);
    #[derive(Debug, Deserialize)]
    struct Pair(#[allow(dead_code)] i32, #[allow(dead_code)] i32);
    #[derive(Debug, Deserialize)]
    struct Unit;
    #[derive(Debug, Deserialize)]
    enum Enum {
        Red,
    }
    let rows = [
        (
            refused::<String>(scalars(), b"\x18\x01"),
            "v3.Scalars.f_int32: the field is a int32, but the type wants a string",
        ),
        (
            refused::<bool>(scalars(), b"\x18\x01"),
            "v3.Scalars.f_int32: the field is a int32, but the type wants a bool",
        ),
        (
            refused::<u8>(scalars(), b"\x18\xac\x02"),
            "v3.Scalars.f_int32: invalid value: integer `300`, expected u8",
        ),
        (
            refused::<u32>(scalars(), b"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            "v3.Scalars.f_int32: invalid value: integer `-1`, expected u32",
        ),
        (
            refused::<f64>(scalars(), b"\x72\x01a"),
            "v3.Scalars.f_string: the field is a string, but the type wants a number",
        ),
        (
            refused::<()>(scalars(), b"\x72\x01a"),
            "v3.Scalars.f_string: the field is a string, but the type wants a unit",
        ),
        (
            refused::<Vec<u8>>(scalars(), b"\x72\x01a"),
            "v3.Scalars.f_string: the field is a string, but the type wants a sequence",
        ),
        (
            refused::<Unit>(scalars(), b"\x72\x01a"),
            "v3.Scalars.f_string: the field is a string, but the type wants a struct",
        ),
        (
            refused::<Enum>(scalars(), b"\x68\x01"),
            "v3.Scalars.f_bool: the field is a bool, but the type wants an enum",
        ),
        (
            refused::<Enum>(scalars(), b"\x80\x01\x07"),
            "v3.Scalars.f_color: no variant of Enum stands for the value 7 of derived.v3.Color",
        ),
        (
            refused::<serde_bytes::ByteBuf>(scalars(), b"\x18\x01"),
            "v3.Scalars.f_int32: the field is a int32, but the type wants bytes",
        ),
        (
            refused::<i32>(lists(), b"\x1a\x01\x01"),
            "v3.Lists.f_int32: the field is a repeated int32, but the type wants a number",
        ),
        (
            refused::<Vec<String>>(lists(), b"\x1a\x02\x01\x02"),
            "v3.Lists.f_int32[0]: the field is a int32, but the type wants a string",
        ),
        (
            refused::<Vec<Vec<i32>>>(lists(), b"\x1a\x02\x01\x02"),
            "v3.Lists.f_int32[0]: the field is a int32, but the type wants a sequence",
        ),
        (
            refused::<Pair>(lists(), b"\x1a\x01\x01"),
            "v3.Lists.f_int32: invalid length 1, expected tuple struct Pair with 2 elements",
        ),
        (
            refused::<Vec<i32>>(maps(), b"\x0a\x04\x08\x01\x10\x02"),
            "v3.Maps.f_int32: the field is a map, but the type wants a sequence",
        ),
        (
            refused::<HashMap<bool, i32>>(maps(), b"\x0a\x04\x08\x01\x10\x02"),
            "v3.Maps.f_int32[\"1\"]: the field is a int32, but the type wants a bool",
        ),
        (
            refused::<HashMap<String, String>>(maps(), b"\x0a\x04\x08\x01\x10\x02"),
            "v3.Maps.f_int32[\"1\"]: the field is a int32, but the type wants a string",
        ),
        (
            refused::<Unit>(maps(), b"\x0a\x04\x08\x01\x10\x02"),
            "v3.Maps.f_int32: the field is a map, but the type wants a struct",
        ),
        (
            refused::<HashMap<String, String>>(tree(), b"\x32\x02\x08\x01"),
            "v3.Tree.leaf.a: the field is a int32, but the type wants a string",
        ),
        (
            refused::<i32>(tree(), b"\x32\x02\x08\x01"),
            "v3.Tree.leaf: the field is a message, but the type wants a number",
        ),
        (
            refused::<Vec<i32>>(tree(), b"\x32\x02\x08\x01"),
            "v3.Tree.leaf: the field is a message, but the type wants a sequence",
        ),
        (
            tree().decode::<Vec<i32>>(b"\x0a\x01n").unwrap_err().to_string(),
            "v3.Tree: invalid type: map, expected a sequence",
        ),
        (
            tree().decode::<String>(b"\x0a\x01n").unwrap_err().to_string(),
            "v3.Tree: invalid type: map, expected a string",
        ),
    ];
    for (got, expected) in rows {
        assert_eq!(got.strip_prefix("derived."), Some(expected));
    }
}

#[test]
fn what_fits_loosely_is_given() {
    let wire = b"\x18\x05\x72\x01a\x7a\x01b";
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wide<'a> {
        f_int32: i128,
        #[serde(borrow)]
        f_string: &'a str,
        f_bytes: [u8; 1],
        f_sint64: Option<u8>,
        f_int64: Option<Option<i8>>,
        f_uint64: u8,
    }
    let wide: Wide<'_> = derived::Scalars::descriptor().decode(wire).unwrap();
    let expected =
        Wide { f_int32: 5, f_string: "a", f_bytes: *b"b", f_sint64: None, f_int64: None, f_uint64: 0 };
    assert_eq!(wide, expected);
    // Fields that the type does not name are skipped, but must be well-formed.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nothing {}
    assert_eq!(derived::Scalars::descriptor().decode::<Nothing>(wire).unwrap(), Nothing {});
    assert_eq!(
        derived::Scalars::descriptor().decode::<()>(b"").unwrap_err().message(),
        "invalid type: map, expected unit"
    );
    let error = derived::Scalars::descriptor().decode::<Nothing>(b"\x72\x02a").unwrap_err();
    assert_eq!(error.message(), "length of 2 bytes, but only 1 bytes are left");
}

#[derive(Debug, Default, Message)]
#[tobu(package = "hostile.visitors")]
#[allow(dead_code)]
struct Schema {
    #[tobu(1)]
    a: HashMap<String, i32>,
    #[tobu(2)]
    b: i32,
    #[tobu(3)]
    many: Vec<Schema>,
    #[tobu(5)]
    s: String,
    #[tobu(6)]
    m: HashMap<i32, Schema>,
    #[tobu(7)]
    c: i32,
    #[tobu(8)]
    d: i32,
}

/// The debug text of a type read from wire bytes, or the error.
fn made<T: serde::de::DeserializeOwned + fmt::Debug>(wire: &[u8]) -> String {
    match Schema::descriptor().decode::<T>(wire) {
        Ok(made) => format!("{made:?}"),
        Err(error) => error.to_string(),
    }
}

/// A map visitor that is a function.
macro_rules! map_visitor {
    ($name:ident<$($param:ident),*>($inner:ty) $map:ident => $body:block) => {
        #[derive(Debug)]
        #[allow(dead_code)]
        struct $name<$($param),*>($inner);

        impl<'de, $($param: Deserialize<'de>),*> Deserialize<'de> for $name<$($param),*> {
            fn deserialize<__D: Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                struct V<$($param),*>(PhantomData<($($param,)*)>);
                impl<'de, $($param: Deserialize<'de>),*> Visitor<'de> for V<$($param),*> {
                    type Value = $name<$($param),*>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a map")
                    }
                    fn visit_map<__A: MapAccess<'de>>(self, mut $map: __A) -> Result<Self::Value, __A::Error> $body
                }
                deserializer.deserialize_map(V(PhantomData))
            }
        }
    };
}

// Takes the key "x" without its value.
map_visitor!(Skipping<>(Vec<(String, Option<i32>)>) map => {
    let mut all = Vec::new();
    while let Some(key) = map.next_key::<String>()? {
        let value = if key == "x" { None } else { Some(map.next_value()?) };
        all.push((key, value));
    }
    Ok(Skipping(all))
});

// Fails if a key is repeated.
map_visitor!(Unique<>(Vec<(String, i32)>) map => {
    let mut all: Vec<(String, i32)> = Vec::new();
    while let Some((key, value)) = map.next_entry::<String, i32>()? {
        if all.iter().any(|(other, _)| *other == key) {
            return Err(serde::de::Error::custom("duplicate key"));
        }
        all.push((key, value));
    }
    Ok(Unique(all))
});

// Continues after entries with errors.
map_visitor!(Lenient<K, T>(Vec<(K, T)>) map => {
    let mut all = Vec::new();
    for _ in 0..99 {
        match map.next_key::<K>() {
            Ok(None) => break,
            Ok(Some(key)) => {
                if let Ok(value) = map.next_value() {
                    all.push((key, value));
                }
            }
            Err(_) => drop(map.next_value::<IgnoredAny>()),
        }
    }
    Ok(Lenient(all))
});

#[derive(Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(try_from = "String")]
struct Id(String);

impl TryFrom<String> for Id {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        if text == "bad" { Err("bad id".into()) } else { Ok(Id(text)) }
    }
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "i32")]
#[allow(dead_code)]
struct Even(i32);

impl TryFrom<i32> for Even {
    type Error = String;
    fn try_from(number: i32) -> Result<Self, String> {
        if number % 2 == 1 { Err("odd".into()) } else { Ok(Even(number)) }
    }
}

#[test]
fn values_that_are_not_asked_for_are_gone() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct T {
        a: Skipping,
    }
    let rows = [
        (&b"\x0a\x05\x0a\x01x\x10\x01\x0a\x05\x0a\x01y\x10\x02"[..], 2),
        (b"\x0a\x05\x0a\x01x\x10\x01\x0a\x05\x10\x02\x0a\x01y", 2),
        (b"\x0a\x05\x0a\x01x\x10\x01\x0a\x03\x0a\x01y", 0),
        (b"\x0a\x05\x10\x01\x0a\x01x\x0a\x05\x0a\x01y\x10\x02", 2),
    ];
    for (wire, y) in rows {
        assert_eq!(made::<T>(wire), format!(r#"T {{ a: Skipping([("x", None), ("y", Some({y}))]) }}"#));
    }
}

#[test]
fn errors_of_their_own_have_the_place_after_what_they_are_about() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct T {
        a: HashMap<Id, Even>,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct U {
        a: Unique,
    }
    let place = "hostile.visitors.Schema.a";
    let bad = b"\x10\x01\x0a\x06\x0a\x02ok\x10\x02\x0a\x07\x0a\x03bad\x10\x01";
    assert_eq!(made::<T>(bad), format!("{place}[\"bad\"]: bad id"));
    let twice = b"\x10\x01\x0a\x06\x0a\x02ok\x10\x02\x0a\x06\x0a\x02ok\x10\x01";
    assert_eq!(made::<T>(twice), format!("{place}[\"ok\"]: odd"));
    // Of a repeated key only the last value is delivered.
    assert_eq!(made::<U>(twice), r#"U { a: Unique([("ok", 1)]) }"#);
    // The same for entries on the slow path.
    let bad = b"\x10\x01\x0a\x06\x10\x02\x0a\x02ok\x0a\x07\x10\x02\x0a\x03bad";
    assert_eq!(made::<T>(bad), format!("{place}[\"bad\"]: bad id"));
}

#[test]
fn entries_with_errors_that_nobody_minds_are_passed_over() {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    #[allow(dead_code)]
    struct T {
        a: Option<Lenient<Id, Even>>,
        b: i32,
        s: String,
    }
    let expected = r#"T { a: Some(Lenient([(Id("ok"), Even(2))])), b: 7, s: "" }"#;
    for wire in [
        &b"\x0a\x07\x0a\x03bad\x10\x02\x0a\x06\x0a\x02ok\x10\x02\x10\x07"[..],
        b"\x0a\x07\x10\x02\x0a\x03bad\x0a\x06\x0a\x02ok\x10\x02\x10\x07",
        b"\x0a\x06\x0a\x02no\x10\x01\x0a\x06\x0a\x02ok\x10\x02\x10\x07",
    ] {
        assert_eq!(made::<T>(wire), expected);
    }
    // The fields of an entry are never read as fields of the message around it.
    let inside = b"\x0a\x2a\x20\x01\x0a\x03bad\x10\x02\x2a\x1faaaaaaaaaaaaaaaaaaaaaa\x10\x63\x3a\x05HACKD";
    assert_eq!(made::<T>(inside), r#"T { a: Some(Lenient([])), b: 0, s: "" }"#);
}

#[test]
fn messages_with_errors_that_nobody_minds_leave_nothing_behind() {
    #[derive(Debug, Default)]
    #[allow(dead_code)]
    struct OrDefault<T>(T);
    impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for OrDefault<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(OrDefault(T::deserialize(deserializer).unwrap_or_default()))
        }
    }
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    #[allow(dead_code)]
    struct Outer {
        b: i32,
        many: Vec<OrDefault<Inner>>,
        s: String,
    }
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    #[allow(dead_code)]
    struct Inner {
        b: Option<Even>,
        s: String,
        c: i32,
        d: i32,
    }
    // Read grouped, since `b` occurs again: the inner message fails at its first field.
    assert_eq!(
        made::<Outer>(b"\x10\x01\x2a\x01z\x10\x02\x1a\x04\x10\x01\x40\x01"),
        r#"Outer { b: 2, many: [OrDefault(Inner { b: None, s: "", c: 0, d: 0 })], s: "z" }"#
    );
    assert_eq!(
        made::<Outer>(b"\x10\x01\x10\x01\x1a\x05\x10\x01\x2a\x01q\x10\x02\x2a\x01z"),
        r#"Outer { b: 2, many: [OrDefault(Inner { b: None, s: "", c: 0, d: 0 })], s: "z" }"#
    );
}
