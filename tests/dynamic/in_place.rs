//! Types with serde's own derive, which are read from the bytes where that can be: the same as from an arena.
//!
//! `tobu::Deserializer` reads from an arena always.

use crate::descriptor;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Debug;
use tobu::{DecodeOptions, MessageDescriptorExt};

#[derive(Debug, PartialEq, Deserialize)]
struct Leaf {
    a: i32,
    b: String,
    c: Vec<i32>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Kind {
    Number(i32),
    Text(String),
    Raw(Vec<u8>),
    Leaf(Leaf),
    Color(i32),
    Zigzag(i64),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Choice {
    before: String,
    kind: Option<Kind>,
    after: String,
}

/// The members in the order of their numbers.
#[derive(Debug, PartialEq, Deserialize)]
struct Lists {
    f_double: Vec<f64>,
    f_float: Vec<f32>,
    f_int32: Vec<i32>,
    f_int64: Vec<i64>,
    f_uint32: Vec<u32>,
    f_uint64: Vec<u64>,
    f_sint32: Vec<i32>,
    f_sint64: Vec<i64>,
    f_fixed32: Vec<u32>,
    f_fixed64: Vec<u64>,
    f_sfixed32: Vec<i32>,
    f_sfixed64: Vec<i64>,
    f_bool: Vec<bool>,
    f_string: Vec<String>,
    f_bytes: Vec<Vec<u8>>,
    f_color: Vec<i32>,
    f_leaf: Vec<Leaf>,
    f_expanded: Vec<i32>,
}

/// The members in another order.
#[derive(Debug, PartialEq, Deserialize)]
struct Scalars<'a> {
    f_color: i32,
    f_bytes: Vec<u8>,
    f_string: &'a str,
    f_bool: bool,
    f_double: f64,
    f_float: f32,
    f_int32: i32,
    f_int64: i64,
    f_uint32: u32,
    f_uint64: u64,
    f_sint32: i32,
    f_sint64: i64,
    f_fixed32: u32,
    f_fixed64: u64,
    f_sfixed32: i32,
    f_sfixed64: i64,
}

/// Not all of the members, and one of a type that differs.
#[derive(Debug, PartialEq, Deserialize)]
struct Part {
    f_int32: Option<i8>,
    f_string: Option<String>,
    f_bytes: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Maps {
    f_int32: BTreeMap<i32, i32>,
    f_string: BTreeMap<String, String>,
    f_leaf: BTreeMap<String, Leaf>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Required {
    id: i32,
    name: String,
    child: Option<Box<Required>>,
    children: Vec<Required>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Closed {
    level: Option<i32>,
    levels: Vec<i32>,
    packed_levels: Vec<i32>,
    kind: Option<Either>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Either {
    Either(i32),
    Or(i32),
}

/// A name for the other one: the type has fewer members than names.
#[derive(Debug, PartialEq, Deserialize)]
struct Aliased {
    #[serde(alias = "b")]
    a: i32,
}

fn by_both_ways<'de, T: Deserialize<'de> + Debug>(name: &str, bytes: &'de [u8]) -> bool {
    let descriptor = descriptor(name);
    let mut arena = tobu::Deserializer::new(&descriptor, bytes, DecodeOptions::new()).unwrap();
    let (direct, arena) = (descriptor.decode::<T>(bytes), T::deserialize(&mut arena));
    match (&direct, &arena) {
        (Ok(direct), Ok(arena)) => assert_eq!(format!("{direct:?}"), format!("{arena:?}"), "{bytes:?}"),
        (Err(direct), Err(arena)) => assert_eq!(direct.to_string(), arena.to_string(), "{bytes:?}"),
        _ => panic!("{bytes:?}: {direct:?}, {arena:?}"),
    }
    direct.is_ok()
}

/// Wire bytes of fields that are mostly well-formed, with numbers up to 19.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn message(&mut self, levels: u32) -> Vec<u8> {
        let (mut bytes, mut number) = (Vec::new(), 0);
        for _ in 0..self.next(6) {
            // Mostly in order, so that all ways are taken.
            number = if self.next(8) == 0 { self.next(20) } else { (number + self.next(3)).min(19) };
            let wire_type =
                if self.next(16) == 0 { self.next(8) } else { [0, 1, 2, 2, 2, 5][self.next(6) as usize] };
            bytes.extend(varint(number << 3 | wire_type));
            match wire_type {
                0 => bytes.extend(varint(if self.next(2) == 0 { self.next(5) } else { self.0 })),
                1 => bytes.extend(self.0.to_le_bytes()),
                5 => bytes.extend((self.0 as u32).to_le_bytes()),
                _ => {
                    let inside = match self.next(4) {
                        0 => b"text".to_vec(),
                        1 if levels > 0 => self.message(levels - 1),
                        2 => (0..self.next(5)).flat_map(|n| varint(n * n * n)).collect(),
                        _ => vec![self.next(256) as u8; self.next(18) as usize],
                    };
                    bytes.extend(varint(inside.len() as u64));
                    bytes.extend(inside);
                }
            }
        }
        if self.next(16) == 0 {
            bytes.truncate(self.next(bytes.len() as u64 + 1) as usize);
        }
        bytes
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[test]
fn any_bytes_are_read_alike() {
    let (mut bytes, mut read) = (Bytes(0x9e37_79b9_7f4a_7c15), 0);
    for _ in 0..20_000 {
        let message = bytes.message(3);
        let message = &message[..];
        read += usize::from(by_both_ways::<Choice>("v3.Choice", message));
        read += usize::from(by_both_ways::<Lists>("v3.Lists", message));
        read += usize::from(by_both_ways::<Scalars<'_>>("v3.Scalars", message));
        read += usize::from(by_both_ways::<Part>("v3.Optionals", message));
        read += usize::from(by_both_ways::<Maps>("v3.Maps", message));
        read += usize::from(by_both_ways::<Required>("v2.Required", message));
        read += usize::from(by_both_ways::<Closed>("v2.Closed", message));
        read += usize::from(by_both_ways::<Aliased>("v3.Leaf", message));
    }
    assert!(read > 40_000, "{read}");
}

#[test]
fn more_than_one_occurrence_is_merged() {
    assert!(by_both_ways::<Choice>("v3.Choice", b"\x0a\x01a\x1a\x01b\x10\x01\x42\x01c\x0a\x01d"));
    assert!(by_both_ways::<Maps>("v3.Maps", b"\x62\x06\x0a\x01a\x12\x01b\x62\x06\x0a\x01a\x12\x01c"));
    // A member of a oneof that a later one replaces must be valid.
    assert!(!by_both_ways::<Choice>("v3.Choice", b"\x1a\x01\xff\x10\x01"));
    // Unknown groups count as levels, and a field that follows them is found.
    assert!(by_both_ways::<Choice>("v3.Choice", b"\x0a\x01a\xa3\x06\x08\x01\xa4\x06\x42\x01c"));
}

#[test]
fn what_nobody_reads_must_be_valid() {
    /// Drops what it is given.
    fn drop<'de, D: serde::Deserializer<'de>>(_: D) -> Result<(), D::Error> {
        Ok(())
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Dropped {
        a: i32,
        #[serde(deserialize_with = "drop")]
        b: (),
    }
    assert!(by_both_ways::<Dropped>("v3.Leaf", b"\x08\x01\x12\x01a"));
    assert!(!by_both_ways::<Dropped>("v3.Leaf", b"\x08\x01\x12\x01\xff"));
    assert!(by_both_ways::<Dropped>("v3.Leaf", b"\x08\x01\x12\x01a"));
}
