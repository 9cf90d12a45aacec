//! Encoders: exact bytes for every kind of field.

mod misuse;

use crate::descriptor;
use tobu::descriptor::{Edition, EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, Type};
use tobu::dynamic::{Encoder, Field, List, Map, Nested, Record};
use tobu::{DynamicMessage, MessageDescriptor};

/// The output of an encoder of a message of the corpus.
#[track_caller]
fn written(
    message: &str,
    write: impl FnOnce(&Encoder, &mut dyn FnMut(&mut dyn FnMut(&mut Record<'_>))),
) -> Vec<u8> {
    let encoder = Encoder::new(&descriptor(message)).unwrap();
    let mut out = Vec::new();
    let mut own = encoder.clone();
    let mut run = |put: &mut dyn FnMut(&mut Record<'_>)| {
        let mut record = own.record(&mut out);
        put(&mut record);
        record.finish().unwrap();
    };
    write(&encoder, &mut run);
    assert!(DynamicMessage::decode(&descriptor(message), &out).is_ok());
    out
}

/// The error of a record of `M`, in a file of these messages; nothing of it is left.
#[track_caller]
fn error(encoder: &mut Encoder, put: impl FnOnce(&mut Record<'_>)) -> String {
    let mut out = b"before".to_vec();
    let mut record = encoder.record(&mut out);
    put(&mut record);
    let error = record.finish().unwrap_err();
    assert_eq!(out, b"before");
    error.to_string()
}

/// A message of a file.
fn linked(file: FileBuilder, name: &str) -> MessageDescriptor {
    file.build().unwrap().message(name).unwrap()
}

#[test]
fn scalars_of_every_kind() {
    let out = written("v3.Scalars", |encoder, run| {
        let (f_double, f_float) = (encoder.field::<f64>(1).unwrap(), encoder.field::<f32>(2).unwrap());
        let signed = [3, 7, 11, 16].map(|number| encoder.field::<i32>(number).unwrap());
        let long = [4, 8, 12].map(|number| encoder.field::<i64>(number).unwrap());
        let unsigned = [5, 9].map(|number| encoder.field::<u32>(number).unwrap());
        let unsigned_long = [6, 10].map(|number| encoder.field::<u64>(number).unwrap());
        let f_bool = encoder.field::<bool>("f_bool").unwrap();
        let f_string = encoder.field::<str>("fString").unwrap();
        let f_bytes = encoder.field::<[u8]>("f_bytes").unwrap();
        run(&mut |record| {
            record.put(&f_double, 1.0);
            record.put(&f_float, -1.0);
            signed.iter().for_each(|field| record.put(field, -2));
            long.iter().for_each(|field| record.put(field, -3));
            unsigned.iter().for_each(|field| record.put(field, u32::MAX));
            unsigned_long.iter().for_each(|field| record.put(field, 300));
            record.put(&f_bool, true);
            record.put(&f_string, "h\u{e9}");
            record.put(&f_bytes, b"\xff");
        });
    });
    let wanted: [&[u8]; 16] = [
        b"\x09\0\0\0\0\0\0\xf0\x3f",
        b"\x15\0\0\x80\xbf",
        b"\x18\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x38\x03",
        b"\x5d\xfe\xff\xff\xff",
        b"\x80\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x20\xfd\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x40\x05",
        b"\x61\xfd\xff\xff\xff\xff\xff\xff\xff",
        b"\x28\xff\xff\xff\xff\x0f",
        b"\x4d\xff\xff\xff\xff",
        b"\x30\xac\x02",
        b"\x51\x2c\x01\0\0\0\0\0\0",
        b"\x68\x01",
        b"\x72\x03h\xc3\xa9",
        b"\x7a\x01\xff",
    ];
    assert_eq!(out, wanted.concat());
}

#[test]
fn defaults_are_written_where_there_is_presence() {
    let zeros = |message: &str| {
        written(message, |encoder, run| {
            let number = encoder.field::<i32>("f_int32").unwrap();
            let float = encoder.field::<f32>("f_float").unwrap();
            let text = encoder.field::<str>("f_string").unwrap();
            let color = encoder.field::<i32>("f_color").unwrap();
            run(&mut |record| {
                record.put(&number, 0);
                record.put(&float, -0.0);
                record.put(&text, "");
                record.put(&color, 0);
            });
        })
    };
    // Negative zero is not a default.
    assert_eq!(zeros("v3.Scalars"), b"\x15\0\0\0\x80");
    assert_eq!(zeros("v3.Optionals"), b"\x18\0\x15\0\0\0\x80\x72\0\x80\x01\0");
}

#[test]
fn lists_of_every_kind() {
    let out = written("v3.Lists", |encoder, run| {
        let doubles = encoder.field::<List<f64>>(1).unwrap();
        let zigzag = encoder.field::<List<i32>>(7).unwrap();
        let fixed = encoder.field::<List<u32>>(9).unwrap();
        let bools = encoder.field::<List<bool>>(13).unwrap();
        let texts = encoder.field::<List<str>>(14).unwrap();
        let bytes = encoder.field::<List<[u8]>>(15).unwrap();
        let colors = encoder.field::<List<i32>>(16).unwrap();
        let leaves = encoder.field::<List<Nested>>(17).unwrap();
        let leaf_a = leaves.field::<i32>("a").unwrap();
        let expanded = encoder.field::<List<i32>>(18).unwrap();
        let nothing = encoder.field::<List<i64>>(4).unwrap();
        run(&mut |record| {
            record.put_list(&doubles, [0.0]);
            record.put_list(&zigzag, vec![0, -1, 1]);
            record.put_list(&fixed, [7, 8].iter().copied());
            record.put_list(&bools, [true, false]);
            record.put_list(&texts, ["a", ""]);
            record.put_list(&bytes, [&b"b"[..], b""]);
            record.put_list(&colors, [2, 77]);
            record.put_messages(&leaves, [0, 5], |leaf, number| leaf.put(&leaf_a, number));
            record.put_list(&expanded, [0, 200]);
            record.put_list(&nothing, []);
        });
    });
    let wanted: [&[u8]; 9] = [
        b"\x0a\x08\0\0\0\0\0\0\0\0",
        b"\x3a\x03\0\x01\x02",
        b"\x4a\x08\x07\0\0\0\x08\0\0\0",
        b"\x6a\x02\x01\0",
        b"\x72\x01a\x72\0",
        b"\x7a\x01b\x7a\0",
        b"\x82\x01\x02\x02\x4d",
        b"\x8a\x01\0\x8a\x01\x02\x08\x05",
        b"\x90\x01\0\x90\x01\xc8\x01",
    ];
    assert_eq!(out, wanted.concat());
}

#[test]
fn maps_of_every_kind_of_key() {
    let out = written("v3.Maps", |encoder, run| {
        let signed = encoder.field::<Map<i32, i32>>(1).unwrap();
        let unsigned = encoder.field::<Map<u64, u64>>(8).unwrap();
        let floats = encoder.field::<Map<i32, f32>>(9).unwrap();
        let bools = encoder.field::<Map<bool, bool>>(11).unwrap();
        let bytes = encoder.field::<Map<str, [u8]>>(13).unwrap();
        let colors = encoder.field::<Map<str, i32>>(14).unwrap();
        let leaves = encoder.field::<Map<str, Nested>>(15).unwrap();
        let leaf_a = leaves.field::<i32>(1).unwrap();
        run(&mut |record| {
            // Both halves of an entry are always written.
            record.put_map(&signed, [(0, 0), (-1, 1)]);
            record.put_map(&unsigned, [(1, 2)]);
            record.put_map(&floats, [(1, 0.0)]);
            record.put_map(&bools, [(false, true)]);
            record.put_map(&bytes, [("k", &b"v"[..])]);
            record.put_map(&colors, [("", 2)]);
            record.put_message_map(&leaves, [("x", 1), ("y", 0)], |leaf, number| leaf.put(&leaf_a, number));
        });
    });
    let wanted: [&[u8]; 8] = [
        b"\x0a\x04\x08\0\x10\0\x0a\x0d\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01",
        b"\x42\x12\x09\x01\0\0\0\0\0\0\0\x11\x02\0\0\0\0\0\0\0",
        b"\x4a\x0a\x0d\x01\0\0\0\x15\0\0\0\0",
        b"\x5a\x04\x08\0\x10\x01",
        b"\x6a\x06\x0a\x01k\x12\x01v",
        b"\x72\x04\x0a\0\x10\x02",
        b"\x7a\x07\x0a\x01x\x12\x02\x08\x01",
        b"\x7a\x05\x0a\x01y\x12\0",
    ];
    assert_eq!(out, wanted.concat());
}

#[test]
fn messages_groups_and_oneofs() {
    let out = written("v2.Groups", |encoder, run| {
        let single = encoder.field::<Nested>("single").unwrap();
        let (a, nested) = (single.field::<i32>("a").unwrap(), single.field::<Nested>("nested").unwrap());
        let many = encoder.field::<List<Nested>>("many").unwrap();
        let b = many.field::<str>("b").unwrap();
        let after = encoder.field::<i32>("after").unwrap();
        run(&mut |record| {
            record.put_message(&single, |record| {
                record.put(&a, 0);
                // The handles are for the same message at any depth.
                record.put_message(&nested, |record| record.put(&after, 1));
            });
            record.put_messages(&many, ["x", ""], |record, text| record.put(&b, text));
            record.put(&after, 2);
        });
    });
    assert_eq!(out, b"\x0b\x08\0\x12\x02\x28\x01\x0c\x1b\x0a\x01x\x1c\x1b\x0a\0\x1c\x28\x02");

    let out = written("v3.Choice", |encoder, run| {
        let (number, after) =
            (encoder.field::<i32>("number").unwrap(), encoder.field::<str>("after").unwrap());
        run(&mut |record| {
            record.put(&number, 0);
            record.put(&after, "z");
        });
    });
    assert_eq!(out, b"\x10\0\x42\x01z");

    let mut encoder = Encoder::new(&descriptor("v3.Choice")).unwrap();
    let (number, text) = (encoder.field::<i32>("number").unwrap(), encoder.field::<str>("text").unwrap());
    let both = |record: &mut Record<'_>| {
        record.put(&number, 1);
        record.put(&text, "a");
    };
    let name = descriptor("v3.Choice").oneofs().next().unwrap().name().to_owned();
    let wanted = format!("corpus.v3.Choice.text: the oneof {name} has a value already");
    assert_eq!(error(&mut encoder, both), wanted);
    // A disabled field is none of it.
    encoder.disable("number").unwrap();
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    both(&mut record);
    record.finish().unwrap();
    assert_eq!(out, b"\x1a\x01a");
}

#[test]
fn lengths_of_one_two_and_more_bytes_at_any_depth() {
    let descriptor = descriptor("v3.Tree");
    let mut encoder = Encoder::new(&descriptor).unwrap();
    let (name, left) = (encoder.field::<str>("name").unwrap(), encoder.field::<Nested>("left").unwrap());
    fn put(record: &mut Record<'_>, name: &Field<str>, left: &Field<Nested>, text: &str, depth: u32) {
        record.put(name, text);
        if depth > 0 {
            record.put_message(left, |record| put(record, name, left, text, depth - 1));
        }
    }
    let mut out = Vec::new();
    for len in [0, 1, 100, 127, 128, 200, 4000, 4096, 5000, 16_383, 20_000, 3] {
        let text = "x".repeat(len);
        out.clear();
        let mut record = encoder.record_delimited(&mut out);
        put(&mut record, &name, &left, &text, 3);
        record.finish().unwrap();
        let mut reader = tobu::wire::Reader::new(&out);
        let body = reader.len_prefixed().unwrap();
        assert!(reader.is_empty());
        assert_eq!(
            DynamicMessage::decode(&descriptor, body).unwrap().encode_to_vec().unwrap(),
            body,
            "{len}"
        );
    }
}

#[test]
fn masks_and_what_they_leave() {
    let mut encoder = Encoder::new(&descriptor("v3.Tree")).unwrap();
    let (name, left) = (encoder.field::<str>("name").unwrap(), encoder.field::<Nested>("left").unwrap());
    let leaf = encoder.field::<Nested>("leaf").unwrap();
    let (a, b) = (leaf.field::<i32>("a").unwrap(), leaf.field::<str>("b").unwrap());
    let written = |encoder: &mut Encoder| {
        let mut out = Vec::new();
        let mut record = encoder.record(&mut out);
        record.put(&name, "n");
        record.put_message(&left, |record| {
            record.put(&name, "m");
            record.put_message(&leaf, |record| record.put(&a, 1));
        });
        record.put_message(&leaf, |record| {
            record.put(&a, 2);
            record.put(&b, "b");
        });
        record.finish().unwrap();
        String::from_utf8(out).unwrap()
    };
    let all = "\n\x01n\x12\x07\n\x01m2\x02\x08\x012\x05\x08\x02\x12\x01b";
    assert_eq!(written(&mut encoder), all);
    encoder.disable("left.leaf.a").unwrap();
    assert_eq!(written(&mut encoder), "\n\x01n\x12\x05\n\x01m2\x002\x05\x08\x02\x12\x01b");
    encoder.disable("left.leaf").unwrap();
    encoder.disable(1).unwrap();
    assert_eq!(written(&mut encoder), "\x12\x03\n\x01m2\x05\x08\x02\x12\x01b");
    assert!(encoder.is_enabled("left.name").unwrap() && encoder.is_enabled("left").unwrap());
    assert!(!encoder.is_enabled("left.leaf.b").unwrap() && !encoder.is_enabled(1).unwrap());
    encoder.disable_all();
    assert_eq!(written(&mut encoder), "");
    // Only that of a message that was disabled.
    encoder.enable("leaf.b").unwrap();
    encoder.enable("name").unwrap();
    assert_eq!(written(&mut encoder), "\n\x01n2\x03\x12\x01b");
    // A fully enabled message stays so if the whole message is named.
    encoder.enable("leaf").unwrap();
    encoder.enable("leaf.a").unwrap();
    assert_eq!(written(&mut encoder), "\n\x01n2\x05\x08\x02\x12\x01b");
    encoder.set_mask(&["left.name", "left"]).unwrap();
    assert_eq!(written(&mut encoder), "\x12\x07\n\x01m2\x02\x08\x01");
    for (path, text) in [
        ("left.no", r#"corpus.v3.Tree: the path "left.no": corpus.v3.Tree has no field "no""#),
        ("", r#"corpus.v3.Tree: the path "": corpus.v3.Tree has no field """#),
        (
            "children.name",
            r#"corpus.v3.Tree: the path "children.name" goes into corpus.v3.Tree.children, which is not a single message"#,
        ),
    ] {
        assert_eq!(encoder.set_mask(&["name", path]).unwrap_err().to_string(), text);
        assert_eq!(encoder.enable(path).unwrap_err().to_string(), text);
        assert_eq!(encoder.disable(path).unwrap_err().to_string(), text);
        assert_eq!(encoder.is_enabled(path).unwrap_err().to_string(), text);
    }
    assert_eq!(encoder.disable(9).unwrap_err().to_string(), "corpus.v3.Tree: there is no field of number 9");
    // A mask that was refused changes nothing.
    assert_eq!(written(&mut encoder), "\x12\x07\n\x01m2\x02\x08\x01");
    let copy = &mut encoder.clone();
    encoder.enable_all();
    assert_eq!(written(&mut encoder), all);
    assert_eq!(written(copy), "\x12\x07\n\x01m2\x02\x08\x01");
}

#[test]
fn by_number_in_whatever_order_they_are_put() {
    let mut encoder = Encoder::new(&descriptor("v3.Tree")).unwrap().by_number(true);
    let (name, leaf) = (encoder.field::<str>(1).unwrap(), encoder.field::<Nested>(6).unwrap());
    let children = encoder.field::<List<Nested>>(4).unwrap();
    let named = encoder.field::<Map<str, Nested>>(5).unwrap();
    let (a, b) = (leaf.field::<i32>(1).unwrap(), leaf.field::<str>(2).unwrap());
    let write = |record: &mut Record<'_>| {
        record.put_message(&leaf, |record| {
            record.put(&b, "b");
            record.put(&a, 1);
        });
        record.put(&name, "n");
    };
    let inner: &[u8] = b"\x0a\x01n\x32\x05\x08\x01\x12\x01b";
    let wanted =
        [inner, b"\x22\x0a", inner, b"\x22\x0a", inner, b"\x2a\x0f\x0a\x01k\x12\x0a", inner].concat();
    let (before, after) = wanted.split_at(3);
    let (leaf_bytes, after) = after.split_at(7);
    let wanted = [b"before", &[wanted.len() as u8][..], before, after, leaf_bytes].concat();
    for _ in 0..2 {
        let mut out = b"before".to_vec();
        let mut record = encoder.record_delimited(&mut out);
        record.put_message_map(&named, [("k", ())], |record, ()| write(record));
        record.put_messages(&children, [(), ()], |record, ()| write(record));
        write(&mut record);
        record.finish().unwrap();
        assert_eq!(out, wanted);
    }
    // Groups, too.
    let mut encoder = Encoder::new(&descriptor("v2.Groups")).unwrap().by_number(true);
    let (single, after) =
        (encoder.field::<Nested>("single").unwrap(), encoder.field::<i32>("after").unwrap());
    let (a, nested) = (single.field::<i32>("a").unwrap(), single.field::<Nested>("nested").unwrap());
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    record.put(&after, 2);
    record.put_message(&single, |record| {
        record.put_message(&nested, |_| {});
        record.put(&a, 1);
    });
    record.finish().unwrap();
    assert_eq!(out, b"\x0b\x08\x01\x12\0\x0c\x28\x02");
}

#[test]
fn the_largest_numbers_and_many_fields() {
    let mut encoder = Encoder::new(&descriptor("v3.Numbers")).unwrap();
    let fields =
        [1, 15, 16, 2047, 2048, 18_999, 20_000, 536_870_911].map(|number| encoder.field::<i32>(number));
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    fields.iter().for_each(|field| record.put(field.as_ref().unwrap(), -1));
    record.finish().unwrap();
    let message = DynamicMessage::decode(&descriptor("v3.Numbers"), &out).unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), out);
    assert!(out.ends_with(b"\xf8\xff\xff\xff\x0f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
    // A thousand fields: a oneof over many words of bits among them.
    let name = |at: u32| format!("f{at}");
    let mut many = MessageBuilder::new("M").field(FieldBuilder::message("inner", "M").number(5000));
    for at in 1..=500 {
        many = many.field(FieldBuilder::new(name(at), Type::UInt32).number(at));
    }
    let members = (501..=1000).map(|at| FieldBuilder::new(name(at), Type::UInt32).number(at));
    let many = linked(FileBuilder::new("a.proto").message(many.oneof("choice", members)), "M");
    let mut encoder = Encoder::new(&many).unwrap();
    let inner = encoder.field::<Nested>("inner").unwrap();
    let fields: Vec<Field<u32>> = (1..=1000).map(|at| encoder.field(at).unwrap()).collect();
    out.clear();
    let mut record = encoder.record(&mut out);
    record.put_message(&inner, |record| fields[..500].iter().for_each(|field| record.put(field, 7)));
    fields[..500].iter().for_each(|field| record.put(field, 7));
    record.put(&fields[700], 0);
    assert!(!record.wants(&fields[999]) && !record.wants(&fields[500]));
    record.finish().unwrap();
    let message = DynamicMessage::decode(&many, &out).unwrap();
    assert_eq!(message.get_by_name("f701").unwrap().as_u32(), Some(0));
    assert_eq!(message.encode_to_vec().unwrap().len(), out.len());
    assert_eq!(
        error(&mut encoder, |record| {
            record.put(&fields[999], 1);
            record.put(&fields[500], 1);
        }),
        "M.f501: the oneof choice has a value already"
    );
}

#[test]
fn editions_decide_presence_packing_and_delimiters() {
    let file = FileBuilder::new("a.proto")
        .edition(Edition::Edition2023)
        .message(
            MessageBuilder::new("M")
                .field(FieldBuilder::new("explicit", Type::Int32))
                .field(FieldBuilder::new("implicit", Type::Int32).implicit())
                .field(FieldBuilder::new("expanded", Type::Bool).repeated().packed(false))
                .field(FieldBuilder::message("delimited", "M").delimited())
                .field(FieldBuilder::enumeration("closed", "E")),
        )
        .enumeration(EnumBuilder::new("E").value("A", 1).closed());
    let mut encoder = Encoder::new(&linked(file, "M")).unwrap();
    let (explicit, implicit) = (encoder.field::<i32>(1).unwrap(), encoder.field::<i32>(2).unwrap());
    let (expanded, delimited) =
        (encoder.field::<List<bool>>(3).unwrap(), encoder.field::<Nested>(4).unwrap());
    let closed = encoder.field::<i32>("closed").unwrap();
    let mut out = Vec::new();
    let mut record = encoder.record(&mut out);
    record.put(&explicit, 0);
    record.put(&implicit, 0);
    record.put_list(&expanded, [true, false]);
    record.put_message(&delimited, |record| record.put(&implicit, 3));
    record.put(&closed, 1);
    record.finish().unwrap();
    assert_eq!(out, b"\x08\0\x18\x01\x18\0\x23\x10\x03\x24\x28\x01");
    assert_eq!(
        error(&mut encoder, |record| record.put(&closed, 0)),
        "M.closed: the closed enum E has no value of number 0"
    );
}

#[test]
fn handles_and_clones_go_to_other_threads() {
    let encoder = Encoder::new(&descriptor("v3.Leaf")).unwrap();
    let b = encoder.field::<str>("b").unwrap();
    let outputs: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let run = |text: &'static str| {
            let (mut encoder, b) = (encoder.clone(), &b);
            scope.spawn(move || {
                let mut out = Vec::new();
                let mut record = encoder.record(&mut out);
                record.put(b, text);
                record.finish().unwrap();
                out
            })
        };
        [run("a"), run("b")].map(|thread| thread.join().unwrap()).into()
    });
    assert_eq!(outputs, [b"\x12\x01a", b"\x12\x01b"]);
}
