//! Misuse of an encoder: exact errors, and nothing written.

use super::{error, linked};
use crate::descriptor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder, Type};
use tobu::dynamic::{Encoder, Field, List, Map, Nested, Record};
use tobu::{DynamicMessage, Limits};

#[test]
fn the_type_of_a_field_is_asked_for_once() {
    let encoder = Encoder::new(&descriptor("v3.Maps")).unwrap();
    let refused = |result: tobu::Result<()>| result.unwrap_err().to_string();
    let text = "corpus.v3.Maps.f_string: the field is a map<string, string>, but the Rust type is";
    assert_eq!(refused(encoder.field::<str>("f_string").map(drop)), format!("{text} str"));
    assert_eq!(refused(encoder.field::<List<str>>(12).map(drop)), format!("{text} List<str>"));
    assert_eq!(refused(encoder.field::<Map<str, [u8]>>(12).map(drop)), format!("{text} Map<str, [u8]>"));
    assert_eq!(refused(encoder.field::<Map<u32, str>>(12).map(drop)), format!("{text} Map<u32, str>"));
    assert_eq!(
        refused(encoder.field::<Map<str, Nested>>("f_color").map(drop)),
        "corpus.v3.Maps.f_color: the field is a map<string, corpus.v3.Color>, but the Rust type is Map<str, Nested>"
    );
    let encoder = Encoder::new(&descriptor("v3.Lists")).unwrap();
    assert_eq!(
        refused(encoder.field::<List<u32>>("f_int32").map(drop)),
        "corpus.v3.Lists.f_int32: the field is a repeated int32, but the Rust type is List<u32>"
    );
    assert_eq!(
        refused(encoder.field::<Nested>("f_leaf").map(drop)),
        "corpus.v3.Lists.f_leaf: the field is a repeated corpus.v3.Leaf, but the Rust type is Nested"
    );
    assert_eq!(
        refused(encoder.field::<bool>("no").map(drop)),
        r#"corpus.v3.Lists: there is no field named "no""#
    );
    assert_eq!(refused(encoder.field::<bool>(0).map(drop)), "corpus.v3.Lists: there is no field of number 0");
    let leaf = encoder.field::<List<Nested>>("f_leaf").unwrap();
    assert_eq!(
        refused(leaf.field::<i64>("a").map(drop)),
        "corpus.v3.Leaf.a: the field is an int32, but the Rust type is i64"
    );
    // A string that need not be UTF-8 may be bytes, and no other may.
    let loose = Encoder::new(&descriptor("v2.Loose")).unwrap();
    assert!(loose.field::<[u8]>("text").is_ok() && loose.field::<str>("text").is_ok());
    let encoder = Encoder::new(&descriptor("v3.Leaf")).unwrap();
    assert_eq!(
        refused(encoder.field::<[u8]>("b").map(drop)),
        "corpus.v3.Leaf.b: the field is a string, but the Rust type is [u8]"
    );
    assert_eq!(
        format!("{leaf:?} {encoder:?}"),
        r#"Field("corpus.v3.Lists.f_leaf") Encoder("corpus.v3.Leaf")"#
    );
}

#[test]
fn handles_of_other_messages_write_nothing() {
    let mut encoder = Encoder::new(&descriptor("v3.Leaf")).unwrap();
    let (b, scalars) = (encoder.field::<str>("b").unwrap(), Encoder::new(&descriptor("v3.Scalars")).unwrap());
    // One with an index that this message has, and one with an index that it has not.
    for number in [3, 11] {
        let foreign = scalars.field::<i32>(number).unwrap();
        assert!(!encoder.record(&mut Vec::new()).wants(&foreign));
        let name = foreign.descriptor().full_name().to_owned();
        let wanted = format!("corpus.v3.Leaf: the field {name} is not one of this message");
        let put = |record: &mut Record<'_>| {
            record.put(&b, "x");
            record.put(&foreign, 1);
            // Only the first error is reported.
            record.put(&b, "y");
        };
        assert_eq!(error(&mut encoder, put), wanted);
    }
    // The encoder works as before.
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    record.put(&b, "x");
    record.finish().unwrap();
    assert_eq!(out, b"\x12\x01x");
    // Inside: the path leads there.
    let mut tree = Encoder::new(&descriptor("v3.Tree")).unwrap();
    let children = tree.field::<List<Nested>>("children").unwrap();
    let named = tree.field::<Map<str, Nested>>("named").unwrap();
    assert_eq!(
        error(&mut tree, |record| {
            record.put_messages(&children, 0..3, |record, at| {
                if at == 1 {
                    record.put_message_map(&named, [("k", ())], |record, ()| record.put(&b, "x"));
                }
            });
        }),
        r#"corpus.v3.Tree.children[1].named["k"]: the field corpus.v3.Leaf.b is not one of this message"#
    );
    // The same message of another pool is another.
    let file = FileBuilder::new("a.proto")
        .message(MessageBuilder::new("M").field(FieldBuilder::new("a", Type::Int32)));
    let (one, other) = (linked(file.clone(), "M"), linked(file, "M"));
    let foreign = Encoder::new(&other).unwrap().field::<i32>("a").unwrap();
    assert_eq!(
        error(&mut Encoder::new(&one).unwrap(), |record| record.put(&foreign, 1)),
        "M: the field M.a is from another pool than the message"
    );
}

#[test]
fn required_fields_and_closed_enums() {
    let mut encoder = Encoder::new(&descriptor("v2.Required")).unwrap();
    let (id, name) = (encoder.field::<i32>("id").unwrap(), encoder.field::<str>("name").unwrap());
    let child = encoder.field::<Nested>("child").unwrap();
    let children = encoder.field::<List<Nested>>("children").unwrap();
    let whole = |record: &mut Record<'_>| {
        record.put(&id, 0);
        record.put(&name, "");
    };
    assert_eq!(error(&mut encoder, |_| {}), "corpus.v2.Required: required field id has no value");
    assert_eq!(
        error(&mut encoder, |record| record.put(&id, 1)),
        "corpus.v2.Required: required field name has no value"
    );
    assert_eq!(
        error(&mut encoder, |record| {
            whole(record);
            record.put_message(&child, |record| {
                record.put_messages(&children, [()], |record, ()| whole(record))
            });
        }),
        "corpus.v2.Required.child: required field id has no value"
    );
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    whole(&mut record);
    record.finish().unwrap();
    assert_eq!(out, b"\x08\0\x12\0");
    // A required field that is disabled is missing, unless that is allowed.
    encoder.disable("name").unwrap();
    assert_eq!(error(&mut encoder, whole), "corpus.v2.Required: required field name has no value");
    let mut encoder = encoder.partial(true);
    out.clear();
    let mut record = encoder.record(&mut out);
    whole(&mut record);
    record.finish().unwrap();
    assert_eq!(out, b"\x08\0");

    let mut encoder = Encoder::new(&descriptor("v2.Closed")).unwrap();
    let (level, levels) = (encoder.field::<i32>(1).unwrap(), encoder.field::<List<i32>>(3).unwrap());
    let named = encoder.field::<Map<str, i32>>("named").unwrap();
    let unknown = |name: &str| format!("the closed enum corpus.v2.{name} has no value of number 2");
    assert_eq!(
        error(&mut encoder, |record| record.put(&level, 2)),
        format!("corpus.v2.Closed.level: {}", unknown("Level"))
    );
    assert_eq!(
        error(&mut encoder, |record| record.put_list(&levels, [1, 2, 4])),
        format!("corpus.v2.Closed.packed_levels[1]: {}", unknown("Level"))
    );
    assert_eq!(
        error(&mut encoder, |record| record.put_map(&named, [("a", 1), ("b", 2)])),
        format!(r#"corpus.v2.Closed.named["b"]: {}"#, unknown("Grade"))
    );
    out.clear();
    let mut record = encoder.record(&mut out);
    record.put(&level, 1);
    record.put_list(&levels, [3, 1]);
    record.finish().unwrap();
    assert_eq!(out, b"\x08\x01\x1a\x02\x03\x01");
}

#[test]
fn fields_are_put_once() {
    let mut encoder = Encoder::new(&descriptor("v3.Tree")).unwrap();
    let (name, left) = (encoder.field::<str>("name").unwrap(), encoder.field::<Nested>("left").unwrap());
    let children = encoder.field::<List<Nested>>("children").unwrap();
    assert_eq!(
        error(&mut encoder, |record| {
            assert!(record.wants(&name));
            // A default that is not written is put all the same.
            record.put(&name, "");
            assert!(!record.wants(&name));
            record.put(&name, "a");
        }),
        "corpus.v3.Tree.name: the field is put a second time"
    );
    assert_eq!(
        error(&mut encoder, |record| {
            record.put_messages(&children, [(); 0], |_, ()| {});
            record.put_messages(&children, [()], |_, ()| unreachable!("it is not asked"));
        }),
        "corpus.v3.Tree.children: the field is put a second time"
    );
    assert_eq!(
        error(&mut encoder, |record| {
            record.put_message(&left, |record| {
                record.put(&name, "b");
                record.put(&name, "b");
            });
            record.put_message(&left, |_| {});
        }),
        "corpus.v3.Tree.left.name: the field is put a second time"
    );
}

#[test]
fn depth_is_limited() {
    fn nest(record: &mut Record<'_>, left: &Field<Nested>, levels: u32) {
        if levels > 0 {
            record.put_message(left, |record| nest(record, left, levels - 1));
        }
    }
    let descriptor = descriptor("v3.Tree");
    let mut encoder = Encoder::new(&descriptor).unwrap();
    let left = encoder.field::<Nested>("left").unwrap();
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    nest(&mut record, &left, 99);
    record.finish().unwrap();
    assert!(DynamicMessage::decode(&descriptor, &out).is_ok());
    let path = ".left".repeat(100);
    assert_eq!(
        error(&mut encoder, |record| nest(record, &left, 100)),
        format!("corpus.v3.Tree{path}: messages are nested deeper than 100 levels")
    );
    let mut encoder = encoder.limits(Limits::default().depth(1));
    assert_eq!(
        error(&mut encoder, |record| nest(record, &left, 1)),
        "corpus.v3.Tree.left: messages are nested deeper than 1 levels"
    );
    let mut encoder = encoder.limits(Limits::default().depth(0));
    assert_eq!(error(&mut encoder, |_| {}), "corpus.v3.Tree: messages are nested deeper than 0 levels");
}

#[test]
fn a_record_that_is_not_finished_leaves_nothing() {
    let mut encoder = Encoder::new(&descriptor("v3.Tree")).unwrap();
    let (name, left) = (encoder.field::<str>("name").unwrap(), encoder.field::<Nested>("left").unwrap());
    let mut out = b"before".to_vec();
    let mut record = encoder.record_delimited(&mut out);
    record.put(&name, "dropped");
    drop(record);
    assert_eq!(out, b"before");
    // An empty record is a record, too.
    encoder.record(&mut out).finish().unwrap();
    assert_eq!(out, b"before");
    encoder.record_delimited(&mut out).finish().unwrap();
    assert_eq!(out, b"before\0");
    // One that is forgotten takes the output along, and does no other harm.
    let mut lost = b"lost".to_vec();
    let mut record = encoder.record(&mut lost);
    record.put(&name, "x");
    std::mem::forget(record);
    assert_eq!(lost, b"");
    let mut record = encoder.record(&mut out);
    record.put_message(&left, |record| record.put(&name, "y"));
    record.finish().unwrap();
    assert_eq!(out, b"before\0\x12\x03\x0a\x01y");
}

#[test]
fn what_panics_inside_makes_the_record_an_error() {
    let mut encoder = Encoder::new(&descriptor("v3.Tree")).unwrap();
    let (name, left) = (encoder.field::<str>("name").unwrap(), encoder.field::<Nested>("left").unwrap());
    let lists = Encoder::new(&descriptor("v3.Leaf")).unwrap();
    let numbers = lists.field::<List<i32>>("c").unwrap();
    let broken = "a value is incomplete, because the code that wrote it panicked";
    assert_eq!(
        error(&mut encoder, |record| {
            let long = "z".repeat(100_000);
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                record.put_message(&left, |record| {
                    record.put(&name, &long);
                    record.put_message(&left, |_| panic!("in a closure"));
                });
            }));
            assert!(panicked.is_err());
            // It continues after the buffer was moved.
            record.put(&name, &long);
        }),
        format!("corpus.v3.Tree: {broken}")
    );
    let mut encoder = lists;
    assert_eq!(
        error(&mut encoder, |record| {
            let values = (0..9).inspect(|at| assert_ne!(*at, 5));
            assert!(catch_unwind(AssertUnwindSafe(|| record.put_list(&numbers, values))).is_err());
        }),
        format!("corpus.v3.Leaf: {broken}")
    );
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    record.put_list(&numbers, [1]);
    record.finish().unwrap();
    assert_eq!(out, b"\x1a\x01\x01");
}
