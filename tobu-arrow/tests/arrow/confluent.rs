//! Kafka values with schemas of a registry.

use crate::support::row;
use serde_json::json;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use tobu_arrow::Options;
use tobu_arrow::confluent::{self, BoxError, Decoder, Framed, Registered, Registry};

#[derive(Clone, Default)]
struct Fake {
    schemas: HashMap<u32, Registered>,
    versions: HashMap<(String, u32), Registered>,
    calls: Rc<Cell<usize>>,
    is_down: Rc<Cell<bool>>,
}

impl Fake {
    fn answer<T>(&self, found: Option<T>) -> Result<Option<T>, BoxError> {
        self.calls.set(self.calls.get() + 1);
        if self.is_down.get() { Err("connection refused".into()) } else { Ok(found) }
    }
}

impl Registry for Fake {
    fn schema(&self, id: u32) -> Result<Option<Registered>, BoxError> {
        self.answer(self.schemas.get(&id).cloned())
    }

    fn version(&self, subject: &str, version: u32) -> Result<Option<Registered>, BoxError> {
        self.answer(self.versions.get(&(subject.to_owned(), version)).cloned())
    }
}

fn fake() -> Fake {
    let mut fake = Fake::default();
    let one = r#"syntax = "proto3"; package p; import "common.proto"; message A { string s = 1; }
        message B { message Inner { c.Common common = 1; } map<string, string> m = 1; message Other { int32 n = 1; } }"#;
    fake.schemas.insert(1, Registered::new(one).reference("common.proto", "common", 3));
    let common = r#"syntax = "proto3"; package c; import "deep.proto"; message Common { d.Deep deep = 1; }"#;
    let deep = Registered::new(r#"syntax = "proto3"; package d; message Deep { int32 x = 1; }"#);
    let with_deep = Registered::new(common).reference("deep.proto", "deep", 1);
    fake.versions.insert(("common".into(), 3), with_deep);
    fake.versions.insert(("deep".into(), 1), deep.clone());
    fake.schemas.insert(2, Registered::new("message {"));
    fake.schemas.insert(3, Registered::new("").reference("x.proto", "missing", 9));
    let twice = Registered::new("").reference("x.proto", "deep", 1).reference("x.proto", "common", 3);
    fake.schemas.insert(4, twice);
    // A file that imports itself, by ever new names.
    for version in 0..2000 {
        let next = Registered::new("syntax = \"proto3\";");
        let next = next.reference(format!("{}.proto", version + 1), "endless", version + 1);
        fake.versions.insert(("endless".into(), version), next);
    }
    fake.schemas.insert(5, Registered::new("").reference("0.proto", "endless", 0));
    fake.schemas.insert(6, Registered::new("x".repeat((16 << 20) + 1)));
    fake.schemas.insert(7, Registered::new("syntax = \"proto3\"; message R { R r = 1; }"));
    let circle = Registered::new("import \"circle.proto\";").reference("circle.proto", "circle", 1);
    fake.versions.insert(("circle".into(), 1), circle.clone());
    fake.schemas.insert(8, circle);
    fake
}

#[test]
fn values_of_several_types() {
    let fake = fake();
    let mut decoder = Decoder::new(fake.clone(), Options::new()).batchers(|batcher| batcher.rows(2));
    let a = confluent::frame(1, &[0], b"\x0a\x01a");
    let inner = confluent::frame(1, &[1, 0], b"\x0a\x04\x0a\x02\x08\x05");
    let other = confluent::frame(1, &[1, 1], b"\x08\x07");
    assert_eq!(a, b"\0\0\0\0\x01\0\x0a\x01a");
    assert_eq!(inner[..8], *b"\0\0\0\0\x01\x04\x02\x00");
    assert!(decoder.push(&a).unwrap().is_none());
    assert!(decoder.push(&inner).unwrap().is_none());
    // The long form of the first message.
    let full = decoder.push(b"\0\0\0\0\x01\x02\x00\x0a\x01b").unwrap().unwrap();
    assert_eq!((row(&full, 0), row(&full, 1)), (json!({"s": "a"}), json!({"s": "b"})));
    assert!(decoder.push(&other).unwrap().is_none());
    let rest = decoder.finish().unwrap();
    let names: Vec<_> =
        rest.iter().map(|batch| batch.schema().metadata()["protobuf.message"].clone()).collect();
    assert_eq!(names, ["p.B.Inner", "p.B.Other"]);
    assert_eq!(row(&rest[0], 0), json!({"common": {"deep": {"x": 5}}}));
    assert_eq!(row(&rest[1], 0), json!({"n": 7}));
    // The schema and its two imports were asked for once.
    assert_eq!(fake.calls.get(), 3);
    let found = confluent::descriptor(&fake, 1, &[1]).unwrap();
    assert_eq!(found.full_name(), "p.B");
}

#[test]
fn values_that_are_not_framed() {
    let rows: [(&[u8], &str); 9] = [
        (b"", "the value is empty: it has no schema id (at byte 0)"),
        (b"\x01", "the first byte is 1, and not 0: the value has no schema id (at byte 0)"),
        (b"\0\0\0", "the value ends inside of its schema id (at byte 1)"),
        (b"\0\0\0\0\x01", "input ends inside a varint (at byte 5)"),
        (b"\0\0\0\0\x01\x04\x02", "input ends inside a varint (at byte 7)"),
        (b"\0\0\0\0\x01\x01", "-1 is not a message index (at byte 5)"),
        (b"\0\0\0\0\x01\x02\x03", "-2 is not a message index (at byte 6)"),
        (b"\0\0\0\0\x01\x42", "the value has 33 message indexes, more than 32 (at byte 5)"),
        (b"\0\0\0\0\x01\x02\xfe\xff\xff\xff\x7f", "17179869183 is not a message index (at byte 6)"),
    ];
    for (value, expected) in rows {
        assert_eq!(Framed::parse(value).unwrap_err().to_string(), expected);
    }
    let longest = confluent::frame(1, &[3; 32], b"m");
    assert_eq!(Framed::parse(&longest).unwrap().indexes(), [3; 32]);
}

#[test]
fn schemas_that_are_none() {
    let fake = fake();
    let error = |id: u32, indexes: &[u32]| confluent::descriptor(&fake, id, indexes).unwrap_err().to_string();
    assert_eq!(error(0, &[0]), "the registry has no schema 0");
    assert_eq!(error(1, &[2]), "schema 1 has no message [2]");
    assert_eq!(error(1, &[1, 2]), "schema 1 has no message [1, 2]");
    assert_eq!(error(1, &[]), "schema 1 has no message []");
    assert_eq!(error(1, &[u32::MAX]), "schema 1 has no message [4294967295]");
    assert!(error(2, &[0]).starts_with("schema 2 does not compile: "), "{}", error(2, &[0]));
    assert_eq!(error(3, &[0]), "the registry has no version 9 of \"missing\", which schema 3 imports");
    let two = "schema 4 imports \"x.proto\" as version 3 of \"common\" and as version 1 of \"deep\"";
    assert_eq!(error(4, &[0]), two);
    assert_eq!(error(5, &[0]), "schema 5 has more than 1000 files or 16777216 bytes");
    assert_eq!(error(6, &[0]), "schema 6 has more than 1000 files or 16777216 bytes");
    assert!(error(8, &[0]).contains("circle.proto"), "{}", error(8, &[0]));
    let mut decoder = Decoder::new(fake.clone(), Options::new());
    let error = decoder.push(&confluent::frame(7, &[0], b"")).unwrap_err().to_string();
    assert_eq!(error, "R.r: R contains itself: set `recursion`, or leave the field out by `fields`");
}

#[test]
fn bad_values_are_counted_and_the_registry_is_asked_once() {
    let fake = fake();
    let mut decoder = Decoder::new(fake.clone(), Options::new()).skip_bad(2);
    let good = confluent::frame(1, &[0], b"\x0a\x01a");
    for _ in 0..3 {
        for bad in [&confluent::frame(99, &[0], b"")[..], b"", b"\0\0\0\0\x01\0\x0a\x05a", b"\0\0\0\0\x02\0"]
        {
            assert!(decoder.push(bad).unwrap().is_none());
            assert!(decoder.push(&good).unwrap().is_none());
        }
    }
    assert_eq!(decoder.bad_count(), 12);
    // Three for the good one, one for each of those that are none.
    assert_eq!(fake.calls.get(), 5);
    let bad = decoder.take_bad();
    let texts: Vec<_> = bad.iter().map(|bad| (bad.number(), bad.error().to_string())).collect();
    let expected = [
        (0, "the registry has no schema 99".to_owned()),
        (2, "the value is empty: it has no schema id (at byte 0)".to_owned()),
    ];
    assert_eq!(texts, expected);
    decoder.push(b"\0\0\0\0\x01\0\x0a\x05a").unwrap();
    let bad = decoder.take_bad();
    assert_eq!(bad[0].message(), &b"\0\0\0\0\x01\0\x0a\x05a"[..]);
    let error = "p.A.s: length of 5 bytes, but only 1 bytes are left (at byte 8)";
    assert_eq!((bad[0].number(), bad[0].error().to_string().as_str()), (24, error));
    assert_eq!(decoder.finish().unwrap()[0].num_rows(), 12);
}

#[test]
fn a_registry_that_does_not_answer_is_asked_again() {
    let fake = fake();
    let mut decoder = Decoder::new(fake.clone(), Options::new()).skip_bad(2);
    let value = confluent::frame(1, &[0], b"\x0a\x01a");
    fake.is_down.set(true);
    let error = decoder.push(&value).unwrap_err();
    assert_eq!(error.to_string(), "the registry did not answer for schema 1: connection refused");
    assert_eq!(error.category(), tobu::Category::Io);
    fake.is_down.set(false);
    decoder.push(&value).unwrap();
    assert_eq!((decoder.bad_count(), decoder.finish().unwrap()[0].num_rows()), (0, 1));
}
