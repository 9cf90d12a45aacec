//! Types with serde's own derive, read from bytes.

use crate::descriptor;
use serde::{Deserialize, Deserializer};
use std::cell::Cell;
use std::collections::BTreeMap;
use tobu::{Error, MessageDescriptorExt};

#[derive(Debug, PartialEq, Deserialize)]
struct Choice {
    before: String,
    kind: Option<Kind>,
    after: String,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Kind {
    Number(i32),
    Text(String),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Maps {
    f_string: BTreeMap<String, String>,
}

fn read<'de, T: Deserialize<'de>>(name: &str, bytes: &'de [u8]) -> Result<T, Error> {
    descriptor(name).decode(bytes)
}

#[test]
fn more_than_one_occurrence_is_merged() {
    let choice =
        |before: &str, kind, after: &str| Choice { before: before.into(), kind, after: after.into() };
    let bytes = b"\x0a\x01a\x1a\x01b\x10\x01\x42\x01c\x0a\x01d";
    assert_eq!(read::<Choice>("v3.Choice", bytes).unwrap(), choice("d", Some(Kind::Number(1)), "c"));
    let bytes = b"\x62\x06\x0a\x01a\x12\x01b\x62\x06\x0a\x01a\x12\x01c";
    assert_eq!(read::<Maps>("v3.Maps", bytes).unwrap().f_string, [("a".into(), "c".into())].into());
    // A member of a oneof that a later one replaces must be valid.
    assert!(read::<Choice>("v3.Choice", b"\x1a\x01\xff\x10\x01").is_err());
    // Unknown groups count as levels, and a field that follows them is found.
    let bytes = b"\x0a\x01a\xa3\x06\x08\x01\xa4\x06\x42\x01c";
    assert_eq!(read::<Choice>("v3.Choice", bytes).unwrap(), choice("a", None, "c"));
}

#[test]
fn what_nobody_reads_must_be_valid() {
    /// Drops what it is given.
    fn drop<'de, D: Deserializer<'de>>(_: D) -> Result<(), D::Error> {
        Ok(())
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Dropped {
        a: i32,
        #[serde(deserialize_with = "drop")]
        b: (),
    }
    assert_eq!(read::<Dropped>("v3.Leaf", b"\x08\x01\x12\x01a").unwrap().a, 1);
    assert!(read::<Dropped>("v3.Leaf", b"\x08\x01\x12\x01\xff").is_err());
}

#[test]
fn a_type_is_called_once() {
    thread_local!(static CALLS: Cell<u32> = const { Cell::new(0) });
    #[derive(Debug)]
    struct Counted;
    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            Choice::deserialize(deserializer).map(|_| Counted)
        }
    }
    // In order, in another order, a field twice.
    let inputs: [&[u8]; 3] = [b"\x0a\x01a\x10\x01\x42\x01c", b"\x42\x01c\x0a\x01a", b"\x0a\x01a\x0a\x01b"];
    for input in inputs {
        read::<Counted>("v3.Choice", input).unwrap();
        assert_eq!(CALLS.replace(0), 1);
    }
    #[derive(Debug, Deserialize)]
    struct Wrong {
        #[serde(rename = "before")]
        _before: Counted,
    }
    assert!(read::<Wrong>("v3.Choice", b"\x0a\x01a").is_err());
    assert_eq!(CALLS.replace(0), 1);
}
