//! Binary formats: exact bytes, and exact errors.

use crate::serde::others::tests::*;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};

/// The value read, or the error.
fn outcome<T, E: Display>(read: Result<T, E>) -> Result<T, String> {
    read.map_err(|error| error.to_string())
}

fn rmp<T: Serialize>(value: &T, named: bool) -> Vec<u8> {
    if named { rmp_serde::to_vec_named(value).unwrap() } else { rmp_serde::to_vec(value).unwrap() }
}

fn cbor<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

/// Compares values read from equal bytes without the bridge and with it.
fn same<T, E: Display>(bytes: &[u8], old: Result<T, E>, new: Result<Bridged<T>, E>)
where
    T: PartialEq + Debug,
{
    // The format is asked for a boxed string as for any string.
    let old = outcome(old).map_err(|error| error.replace("expected string", "expected str"));
    let new = outcome(new).map(|bridged| bridged.0);
    let new = new.map_err(|error| error.replace("expected string", "expected str"));
    // Debug texts are compared instead of values, because NaN does not equal itself.
    assert_eq!(format!("{new:?}"), format!("{old:?}"), "{bytes:x?}");
}

/// The bytes, every prefix of them, and many changes of them.
fn variations(bytes: &[u8], check: impl Fn(&[u8])) {
    check(bytes);
    let step = bytes.len() / 60 + 1;
    for at in (0..bytes.len()).step_by(step) {
        check(&bytes[..at]);
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.to_vec();
            changed[at] ^= change;
            check(&changed);
        }
    }
}

fn check<T>(values: Vec<T>)
where
    T: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + PartialEq + Clone + Debug,
{
    for value in values {
        let bridged = Bridged(value.clone());
        let bytes = postcard::to_stdvec(&value).unwrap();
        assert_eq!(postcard::to_stdvec(&bridged).unwrap(), bytes);
        variations(&bytes, |bytes| {
            same::<T, _>(bytes, postcard::from_bytes(bytes), postcard::from_bytes(bytes))
        });
        let bytes = bincode::serialize(&value).unwrap();
        assert_eq!(bincode::serialize(&bridged).unwrap(), bytes);
        // Bincode itself would trust a wrong length.
        for at in 0..bytes.len().min(200) {
            let cut = &bytes[..at];
            same::<T, _>(cut, bincode::deserialize(cut), bincode::deserialize(cut));
        }
        same::<T, _>(&bytes, bincode::deserialize(&bytes), bincode::deserialize(&bytes));
        for named in [false, true] {
            let bytes = rmp(&value, named);
            assert_eq!(rmp(&bridged, named), bytes);
            variations(&bytes, |bytes| {
                same::<T, _>(bytes, rmp_serde::from_slice(bytes), rmp_serde::from_slice(bytes))
            });
        }
        let bytes = cbor(&value);
        assert_eq!(cbor(&bridged), bytes);
        variations(&bytes, |bytes| {
            same::<T, _>(bytes, ciborium::from_reader(bytes), ciborium::from_reader(bytes))
        });
        let tree = ciborium::Value::serialized(&bridged).unwrap();
        assert_eq!(tree, ciborium::Value::serialized(&value).unwrap());
        let read = tree.deserialized::<Bridged<T>>().unwrap().0;
        assert_eq!(format!("{read:?}"), format!("{:?}", tree.deserialized::<T>().unwrap()));
    }
}

#[test]
fn bytes_stay_as_they_are() {
    check(values());
}

#[test]
fn well_known_types_are_structs() {
    check(known());
}

#[test]
fn the_schema_does_not_matter() {
    check(vec![Needs::default(), Needs { inner: vec![Needs::default()], ..Needs::default() }]);
}

#[test]
fn skipped_variants_are_errors() {
    let value = All { pick: Some(Pick::Local(1)), ..All::default() };
    let error = postcard::to_stdvec(&Bridged(value.clone())).unwrap_err();
    assert_eq!(error.to_string(), postcard::to_stdvec(&value).unwrap_err().to_string());
    let mut bytes = Vec::new();
    let error = ciborium::into_writer(&Bridged(value), &mut bytes).unwrap_err();
    assert!(error.to_string().contains("the variant `Local` is skipped and cannot be serialized"), "{error}");
}

#[test]
fn what_is_borrowed_is_borrowed() {
    let lent =
        Lent { text: "abc", bytes: b"\xff\x00", either: "e".into(), some: b"s"[..].into(), number: 300 };
    let bytes = postcard::to_stdvec(&Bridged(lent.clone())).unwrap();
    assert_eq!(bytes, postcard::to_stdvec(&lent).unwrap());
    let read: Bridged<Lent<'_>> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(read.0, lent);
    let within = |part: &[u8]| bytes.as_ptr_range().contains(&part.as_ptr());
    assert!(within(read.0.text.as_bytes()) && within(read.0.bytes));
    assert!(matches!(read.0.either, Cow::Borrowed(text) if within(text.as_bytes())));
    assert!(matches!(read.0.some, Cow::Borrowed(bytes) if within(bytes)));
    let bytes = rmp(&lent, true);
    assert_eq!(rmp_serde::from_slice::<Bridged<Lent<'_>>>(&bytes).unwrap().0, lent);
    // A reader lends nothing.
    let error = rmp_serde::from_read::<_, Bridged<Needs>>(&b"\xc0"[..]).unwrap_err();
    assert_eq!(error.to_string(), rmp_serde::from_read::<_, Needs>(&b"\xc0"[..]).unwrap_err().to_string());
    let short = bytes.clone();
    let old = outcome(postcard::from_bytes::<Lent<'_>>(&short[..3]));
    assert_eq!(outcome(postcard::from_bytes::<Bridged<Lent<'_>>>(&short[..3])).map(|lent| lent.0), old);
}

#[test]
fn what_is_nested_too_deep_is_an_error() {
    let mut deep = Needs::default();
    for _ in 0..99 {
        deep = Needs { inner: vec![deep], ..Needs::default() };
    }
    let bytes = postcard::to_stdvec(&Bridged(deep.clone())).unwrap();
    assert_eq!(postcard::from_bytes::<Bridged<Needs>>(&bytes).unwrap().0, deep);
    let deeper = Needs { inner: vec![deep], ..Needs::default() };
    let bytes = cbor(&Bridged(deeper));
    let error = ciborium::from_reader::<Bridged<Needs>, _>(&bytes[..]).unwrap_err();
    assert!(error.to_string().contains("messages are nested deeper than 100 levels"), "{error}");
}

#[test]
fn oneofs_by_themselves() {
    /// A oneof that uses the bridge.
    struct One(Pick);
    impl Serialize for One {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            crate::serde::others::serialize_oneof(&self.0, serializer)
        }
    }
    impl<'de> Deserialize<'de> for One {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            crate::serde::others::deserialize_oneof(deserializer).map(One)
        }
    }
    let picks = values().into_iter().filter_map(|value| value.pick);
    for pick in picks {
        let bytes = postcard::to_stdvec(&One(pick.clone())).unwrap();
        assert_eq!(bytes, postcard::to_stdvec(&pick).unwrap());
        assert_eq!(postcard::from_bytes::<One>(&bytes).unwrap().0, pick);
        let text = serde_json::to_string(&One(pick.clone())).unwrap();
        assert_eq!(text, serde_json::to_string(&pick).unwrap());
        let read = |text: &str| outcome(serde_json::from_str::<One>(text)).map(|one| one.0);
        assert_eq!(read(&text).unwrap(), pick);
        let other = text.replacen("\":", "!\":", 1);
        assert_eq!(read(&other), outcome(serde_json::from_str::<Pick>(&other)));
    }
    let error = postcard::to_stdvec(&One(Pick::Local(1))).unwrap_err();
    assert_eq!(error.to_string(), postcard::to_stdvec(&Pick::Local(1)).unwrap_err().to_string());
}
