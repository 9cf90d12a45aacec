//! The differences between two descriptors.

use tobu::descriptor::{Severity, compare};
use tobu::{MessageDescriptor, Pool};

/// The message `p.M` of a source.
fn message(source: &str) -> MessageDescriptor {
    crate::support::message(source, "p.M")
}

fn differences(writer: &str, reader: &str) -> Vec<String> {
    let found = compare(&message(writer), &message(reader));
    found.iter().map(|found| format!("{:?} {found}", found.severity())).collect()
}

/// The differences between two fields with number 1 of messages of proto3.
#[track_caller]
fn fields(writer: &str, reader: &str, expected: &[&str]) {
    let file = |field: &str| {
        format!("syntax = \"proto3\"; package p; message M {{ {field} }} enum E {{ NONE = 0; }}")
    };
    assert_eq!(differences(&file(writer), &file(reader)), expected, "{writer} {reader}");
}

/// The same of proto2.
#[track_caller]
fn old_fields(writer: &str, reader: &str, expected: &[&str]) {
    let file = |field: &str| format!("package p; message M {{ {field} }} enum E {{ NONE = 0; }}");
    assert_eq!(differences(&file(writer), &file(reader)), expected, "{writer} {reader}");
}

/// The severity of each pair of scalar types: `.` for none.
#[test]
fn types() {
    const TYPES: [&str; 17] = [
        "int32", "int64", "uint32", "uint64", "bool", "E", "sint32", "sint64", "fixed32", "sfixed32",
        "float", "fixed64", "sfixed64", "double", "string", "bytes", "M",
    ];
    const TABLE: [&str; 17] = [
        ".NLLLNBBBBBBBBBBB",
        "L.LLLLBBBBBBBBBBB",
        "LN.NLLBBBBBBBBBBB",
        "LLL.LLBBBBBBBBBBB",
        "NNNN.NBBBBBBBBBBB",
        "NNLLL.BBBBBBBBBBB",
        "BBBBBB.NBBBBBBBBB",
        "BBBBBBL.BBBBBBBBB",
        "BBBBBBBB.LBBBBBBB",
        "BBBBBBBBL.BBBBBBB",
        "BBBBBBBBBB.BBBBBB",
        "BBBBBBBBBBB.LBBBB",
        "BBBBBBBBBBBL.BBBB",
        "BBBBBBBBBBBBB.BBB",
        "BBBBBBBBBBBBBB.NB",
        "BBBBBBBBBBBBBBL.L",
        "BBBBBBBBBBBBBBBN.",
    ];
    let file = |ty: &str| {
        format!("syntax = \"proto3\"; package p; message M {{ optional {ty} f = 1; }} enum E {{ NONE = 0; }}")
    };
    let messages: Vec<_> = TYPES.iter().map(|ty| message(&file(ty))).collect();
    for (writer, row) in messages.iter().zip(TABLE) {
        let severities = messages.iter().map(|reader| {
            match compare(writer, reader).first().map(|found| found.severity()) {
                None => '.',
                Some(Severity::Note) => 'N',
                Some(Severity::Lossy) => 'L',
                _ => 'B',
            }
        });
        assert_eq!(severities.collect::<String>(), row, "{:?}", writer.field(0).unwrap().ty());
    }
}

#[test]
fn what_is_said_of_types() {
    fields("int32 f = 1;", "int64 f = 1;", &["Note p.M.f: is int32, and int64 for the reader"]);
    fields(
        "int64 f = 1;",
        "int32 f = 1;",
        &["Lossy p.M.f: is int64, but int32 for the reader: numbers that do not fit are changed"],
    );
    fields(
        "sint32 f = 1;",
        "int32 f = 1;",
        &["Breaking p.M.f: is sint32, but int32 for the reader: it would be read as something else"],
    );
    fields(
        "optional string f = 1;",
        "optional int32 f = 1;",
        &["Breaking p.M.f: is string, but int32 for the reader: it cannot be read"],
    );
    fields(
        "optional bytes f = 1;",
        "optional string f = 1;",
        &["Lossy p.M.f: is bytes, but string for the reader: bytes that are not UTF-8 are refused"],
    );
    fields(
        "optional bytes f = 1;",
        "optional M f = 1;",
        &["Lossy p.M.f: is bytes, but message for the reader: bytes that are not such a message are refused"],
    );
    fields("repeated sint32 f = 1;", "repeated sint32 f = 1 [packed = false];", &[]);
    old_fields(
        "optional bytes f = 1;",
        "optional string f = 1;",
        &["Note p.M.f: is bytes, and string for the reader"],
    );
    old_fields(
        "optional group F = 1 {}",
        "message F {} optional F f = 1;",
        &["Breaking p.M.f: is written as a group, but after its length for the reader: it cannot be read"],
    );
    old_fields(
        "optional int32 f = 1;",
        "optional E f = 1;",
        &["Lossy p.M.f: is int32, but enum for the reader: numbers without a name are unknown fields"],
    );
}

#[test]
fn what_is_said_of_occurrence() {
    fields("optional M f = 1;", "repeated M f = 1;", &["Note p.M.f: is singular, and a list for the reader"]);
    fields(
        "repeated M f = 1;",
        "optional M f = 1;",
        &[
            "Lossy p.M.f: is a list, but singular for the reader: the last value replaces the value before it, or is merged into it",
        ],
    );
    fields(
        "repeated int32 f = 1;",
        "int32 f = 1;",
        &["Breaking p.M.f: is a packed list, but singular for the reader: it cannot be read"],
    );
    let entry = "message FEntry { int32 key = 1; M value = 2; }";
    fields(
        "map<int32, M> f = 1;",
        &format!("{entry} repeated FEntry f = 1;"),
        &["Note p.M.f: is a map, and a list for the reader"],
    );
    fields(
        &format!("{entry} repeated FEntry f = 1;"),
        "map<int32, M> f = 1;",
        &["Lossy p.M.f: is a list, but a map for the reader, which keeps the last of equal keys"],
    );
    fields(
        "map<int32, M> f = 1;",
        "map<int64, M> f = 1;",
        &["Note p.M.FEntry.key: is int32, and int64 for the reader"],
    );
    fields("int32 f = 1;", "optional int32 f = 1;", &["Note p.M.f: the reader sees its default as not set"]);
    fields(
        "optional int32 f = 1;",
        "int32 f = 1;",
        &["Lossy p.M.f: the reader does not see whether it is set to its default"],
    );
    old_fields(
        "optional int32 f = 1;",
        "required int32 f = 1;",
        &["Lossy p.M.f: is required by the reader, which refuses messages without it"],
    );
    old_fields("required int32 f = 1;", "optional int32 f = 1;", &[]);
    old_fields(
        "optional int32 f = 1 [default = 5];",
        "optional int32 f = 1;",
        &["Lossy p.M.f: has another default for the reader"],
    );
    old_fields("optional float f = 1 [default = nan];", "optional float f = 1 [default = nan];", &[]);
}

#[test]
fn what_is_said_of_fields_that_one_side_has() {
    fields("int32 f = 1;", "", &["Note p.M.f: the reader does not have it: it becomes an unknown field"]);
    fields("", "int32 f = 1;", &["Note p.M.f: the writer does not have it"]);
    fields("int32 f = 1;", "int32 g = 1;", &["Note p.M.f: the reader calls it g"]);
    fields("int32 f = 1;", "int32 f = 2;", &["Breaking p.M.f: has number 1, but 2 for the reader"]);
    old_fields(
        "",
        "required int32 f = 1;",
        &["Breaking p.M.f: is required by the reader, but the writer does not have it"],
    );
}

#[test]
fn what_is_said_of_oneofs() {
    let apart = "optional int32 a = 1; optional int32 b = 2;";
    let one = "oneof o { int32 a = 1; int32 b = 2; }";
    fields(apart, one, &["Lossy p.M.o: the writer may set both a and b, but the reader keeps only one"]);
    fields(one, apart, &["Note p.M.o: its fields are not in one oneof for the reader"]);
    fields("optional int32 a = 1;", "oneof o { int32 a = 1; }", &[]);
    fields(
        "oneof p { int32 a = 1; } oneof q { int32 b = 2; }",
        one,
        &["Lossy p.M.o: the writer may set both a and b, but the reader keeps only one"],
    );
}

#[test]
fn what_is_said_of_enums() {
    let file = |syntax: &str, values: &str| {
        format!("{syntax} package p; message M {{ optional E e = 1; }} enum E {{ {values} }}")
    };
    let (old, new) = ("", "syntax = \"proto3\";");
    let values = "A = 0; B = 1; C = 2;";
    assert_eq!(differences(&file(new, values), &file(new, values)), [""; 0]);
    assert_eq!(
        differences(&file(new, values), &file(new, "A = 0; D = 1;")),
        [
            "Note p.B: the reader calls it D",
            "Note p.C: the reader does not have it: it is a number without a name",
        ]
    );
    assert_eq!(
        differences(&file(old, values), &file(old, "A = 0; B = 1;")),
        ["Lossy p.C: the reader does not have it: it becomes an unknown field"]
    );
    assert_eq!(
        differences(&file(new, "A = 0;"), &file(old, "A = 0;")),
        ["Lossy p.E: takes any number, but for the reader, numbers without a name are unknown fields"]
    );
    assert_eq!(
        differences(&file(old, values), &file(old, "B = 1; A = 0; C = 2;")),
        ["Lossy p.M.e: has another default for the reader"]
    );
}

#[test]
fn messages_that_hold_each_other_are_compared_once() {
    let file = |ty: &str| {
        format!(
            "syntax = \"proto3\"; package p; message M {{ N n = 1; N again = 2; }} message N {{ M m = 1; {ty} f = 2; }}"
        )
    };
    assert_eq!(
        differences(&file("int32"), &file("int64")),
        ["Note p.N.f: is int32, and int64 for the reader"]
    );
}

/// A chain of messages, each of which has the next twice.
#[test]
fn a_chain_of_messages_takes_time_once() {
    let chain = |ty: &str| {
        let mut file = "syntax = \"proto3\"; package p;".to_owned();
        for i in 0..60 {
            let name = if i == 0 { "M".to_owned() } else { format!("M{i}") };
            file += &format!("message {name} {{ M{0} a = 1; M{0} b = 2; }}", i + 1);
        }
        file + &format!("message M60 {{ {ty} f = 1; }}")
    };
    assert_eq!(
        differences(&chain("int32"), &chain("int64")),
        ["Note p.M60.f: is int32, and int64 for the reader"]
    );
}

#[test]
fn a_message_of_another_name() {
    let file = |package: &str| {
        format!(
            "syntax = \"proto3\"; package p; message M {{ {package} f = 1; }} message N {{}} message O {{}}"
        )
    };
    assert_eq!(differences(&file("N"), &file("O")), ["Note p.N: the reader calls it p.O"]);
}

#[test]
fn nothing_differs_from_itself() {
    let set = crate::support::all_files();
    let other = Pool::from_descriptor_set(&set).unwrap();
    let mut count = 0;
    for message in Pool::from_descriptor_set(&set).unwrap().messages() {
        assert_eq!(compare(&message, &other.message(message.full_name()).unwrap()), []);
        count += 1;
    }
    assert!(count > 30, "{count} messages");
}
