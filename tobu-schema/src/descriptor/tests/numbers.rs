//! Numbers, ranges and defaults: which are rejected, with the exact errors, and which are not.

use super::build::*;
use crate::descriptor::DefaultValue;
use crate::descriptor::raw::*;

fn with(message: DescriptorProto<'static>) -> FileDescriptorProto<'static> {
    FileDescriptorProto { message_type: vec![message], ..file("proto2") }
}

#[test]
fn field_numbers() {
    let one = |number| with(message("M", vec![field("f", number, OPTIONAL, INT32)]));
    refused(&one(0), "a.proto: p.M.f: field number 0 is not positive");
    refused(&one(-1), "a.proto: p.M.f: field number -1 is not positive");
    refused(
        &one(19_000),
        "a.proto: p.M.f: field number 19000 is reserved for the implementation (19000 to 19999)",
    );
    refused(
        &one(19_999),
        "a.proto: p.M.f: field number 19999 is reserved for the implementation (19000 to 19999)",
    );
    refused(&one(536_870_912), "a.proto: p.M.f: field number 536870912 is above the maximum of 536870911");
    for number in [1, 18_999, 20_000, 536_870_911] {
        let found = link(&one(number)).unwrap().message("p.M").unwrap().field_by_number(number as u32);
        assert_eq!(found.unwrap().name(), "f");
    }
    let twice = message("M", vec![field("f", 7, OPTIONAL, INT32), field("g", 7, OPTIONAL, INT32)]);
    refused(&with(twice), "a.proto: p.M.g: field number 7 is already taken by f");
}

#[test]
fn ranges() {
    let reserve = |ranges: &[(i32, i32)], extension: &[(i32, i32)]| {
        with(DescriptorProto {
            reserved_range: ranges.iter().map(|&(start, end)| reserved(start, end)).collect(),
            extension_range: extension.iter().map(|&(start, end)| extensions(start, end)).collect(),
            ..message("M", vec![field("f", 5, OPTIONAL, INT32)])
        })
    };
    refused(
        &reserve(&[(1, 3), (2, 4)], &[]),
        "a.proto: p.M: reserved range 1 to 2 overlaps reserved range 2 to 3",
    );
    refused(
        &reserve(&[(10, 21)], &[(20, 30)]),
        "a.proto: p.M: reserved range 10 to 20 overlaps extension range 20 to 29",
    );
    refused(
        &reserve(&[], &[(10, 21), (20, 30)]),
        "a.proto: p.M: extension range 10 to 20 overlaps extension range 20 to 29",
    );
    refused(&reserve(&[(0, 3)], &[]), "a.proto: p.M: reserved range from 0 to 2 is not valid");
    refused(&reserve(&[(3, 3)], &[]), "a.proto: p.M: reserved range from 3 to 2 is not valid");
    refused(
        &reserve(&[], &[(i32::MAX, i32::MIN)]),
        "a.proto: p.M: extension range from 2147483647 to -2147483649 is not valid",
    );
    refused(
        &reserve(&[], &[(1, 536_870_913)]),
        "a.proto: p.M: extension range from 1 to 536870912 is not valid",
    );
    refused(&reserve(&[(5, 6)], &[]), "a.proto: p.M.f: field number 5 is in the reserved range 5 to 5");
    refused(
        &reserve(&[], &[(1, 536_870_912)]),
        "a.proto: p.M.f: field number 5 is in the extension range 1 to 536870911",
    );
    assert!(link(&reserve(&[(1, 5), (6, 7)], &[(7, 536_870_912)])).is_ok());

    let names = |names: &[&str]| {
        let names = names.iter().map(|&name| name.to_owned().into()).collect();
        with(DescriptorProto { reserved_name: names, ..message("M", vec![field("f", 5, OPTIONAL, INT32)]) })
    };
    refused(&names(&["f"]), "a.proto: p.M.f: the name is reserved");
    refused(&names(&["g", "g"]), "a.proto: p.M: name g is reserved twice");
    assert!(link(&names(&["a b"])).is_ok());
}

#[test]
fn extension_numbers() {
    let base = |extension: Vec<FieldDescriptorProto<'static>>| FileDescriptorProto {
        extension,
        ..with(DescriptorProto { extension_range: vec![extensions(100, 200)], ..message("M", vec![]) })
    };
    refused(
        &base(vec![extension("x", 99, ".p.M")]),
        "a.proto: p.x: p.M declares no extension range with number 99",
    );
    refused(&base(vec![extension("x", 0, ".p.M")]), "a.proto: p.x: field number 0 is not positive");
    refused(
        &base(vec![extension("x", 100, ".p.M"), extension("y", 100, ".p.M")]),
        "a.proto: p.y: extension number 100 of p.M is already taken by p.x",
    );
    refused(&base(vec![field("x", 100, OPTIONAL, INT32)]), "a.proto: p.x: an extension needs an extendee");
    refused(
        &base(vec![FieldDescriptorProto { label: Some(REQUIRED), ..extension("x", 100, ".p.M") }]),
        "a.proto: p.x: an extension cannot be required",
    );
    refused(
        &base(vec![FieldDescriptorProto { oneof_index: Some(0), ..extension("x", 100, ".p.M") }]),
        "a.proto: p.x: an extension cannot be in a oneof",
    );
    let pool = link(&base(vec![extension("x", 100, "M")])).unwrap();
    let (message, extension) = (pool.message("p.M").unwrap(), pool.extension("p.x").unwrap());
    assert_eq!(pool.extension_of(&message, 100), Some(extension.clone()));
    assert_eq!(pool.extension_of(&message, 101), None);
    assert_eq!(pool.extensions_of(&message).collect::<Vec<_>>(), std::slice::from_ref(&extension));
    assert_eq!((extension.extendee(), extension.scope(), extension.has_presence()), (message, None, true));
}

#[test]
fn message_sets() {
    let set = |field: FieldDescriptorProto<'static>| FileDescriptorProto {
        extension: vec![field],
        ..with(DescriptorProto {
            options: flag(1, 1),
            extension_range: vec![extensions(4, i32::MAX)],
            ..message("M", vec![])
        })
    };
    let item = |number| FieldDescriptorProto {
        extendee: Some(".p.M".into()),
        ..typed("x", number, OPTIONAL, MESSAGE, ".p.M")
    };
    assert_eq!(link(&set(item(i32::MAX - 1))).unwrap().extension("p.x").unwrap().number(), 2_147_483_646);
    refused(
        &set(extension("x", 4, ".p.M")),
        "a.proto: p.x: an extension of a message set must be an optional message",
    );
}

#[test]
fn enums() {
    let one = |syntax: &str, values: &[(&str, i32)]| FileDescriptorProto {
        enum_type: vec![enumeration("E", values)],
        ..file(syntax)
    };
    refused(&one("proto2", &[]), "a.proto: p.E: an enum must have at least one value");
    refused(&one("proto3", &[("A", 1)]), "a.proto: p.A: the first value of an open enum must be 0");
    refused(&one("2023", &[("A", 1)]), "a.proto: p.A: the first value of an open enum must be 0");
    assert!(link(&one("proto2", &[("A", 1)])).unwrap().enumeration("p.E").unwrap().is_closed());
    let aliased = one("proto2", &[("A", 0), ("C", -3), ("B", 0)]);
    refused(&aliased, "a.proto: p.B: number 0 is already taken by A, and allow_alias is not set");
    let mut allowed = aliased;
    allowed.enum_type[0].options = flag(2, 1);
    let pool = link(&allowed).unwrap();
    let enumeration = pool.enumeration("p.E").unwrap();
    assert_eq!(enumeration.value_by_number(0).unwrap().full_name(), "p.A");
    assert_eq!(enumeration.value_by_number(-3).unwrap().name(), "C");
    assert_eq!(enumeration.value_by_name("B").unwrap().index(), 2);
    assert_eq!(enumeration.default_value().name(), "A");

    let mut reserve = one("proto2", &[("A", 0)]);
    reserve.enum_type[0].reserved_range = vec![reserved(i32::MIN, 0), reserved(0, i32::MAX)];
    refused(
        &reserve,
        "a.proto: p.E: reserved range -2147483648 to 0 overlaps reserved range 0 to 2147483647",
    );
    reserve.enum_type[0].reserved_range = vec![reserved(1, 0)];
    refused(&reserve, "a.proto: p.E: reserved range from 1 to 0 is not valid");
    reserve.enum_type[0].reserved_range = vec![reserved(i32::MIN, 0)];
    refused(&reserve, "a.proto: p.A: number 0 is in the reserved range -2147483648 to 0");
}

#[test]
fn defaults() {
    let one = |ty, text: &str| {
        let f = FieldDescriptorProto {
            default_value: Some(text.to_owned().into()),
            ..field("f", 1, OPTIONAL, ty)
        };
        with(message("M", vec![f]))
    };
    let parsed =
        |ty, text: &str| link(&one(ty, text)).unwrap().field("p.M.f").unwrap().default().cloned().unwrap();
    for (ty, text, what) in [
        (INT32, "2147483648", "int32"),
        (INT32, "-2147483649", "int32"),
        (INT32, "1.0", "int32"),
        (INT32, "", "int32"),
        (INT32, "+1", "int32"),
        (INT32, "--1", "int32"),
        (13, "-1", "uint32"),
        (4, "18446744073709551616", "uint64"),
        (8, "TRUE", "bool"),
        (FLOAT, "infinity", "float"),
        (FLOAT, "e", "float"),
        (FLOAT, "0x1p3", "float"),
        (BYTES, "\\", "bytes"),
        (BYTES, "\\q", "bytes"),
        (BYTES, "\\x", "bytes"),
        (BYTES, "\\777", "bytes"),
    ] {
        let shown = text;
        refused(&one(ty, text), &format!("a.proto: p.M.f: default \"{shown}\" is not a value of {what}"));
    }
    assert_eq!(parsed(INT32, "-2147483648"), DefaultValue::I32(i32::MIN));
    assert_eq!(parsed(3, "0x10"), DefaultValue::I64(16));
    assert_eq!(parsed(4, "18446744073709551615"), DefaultValue::U64(u64::MAX));
    assert_eq!(parsed(8, "true"), DefaultValue::Bool(true));
    assert_eq!(parsed(1, "-inf"), DefaultValue::F64(f64::NEG_INFINITY));
    assert_eq!(parsed(FLOAT, "1.5e3"), DefaultValue::F32(1500.0));
    assert!(matches!(parsed(FLOAT, "nan"), DefaultValue::F32(nan) if nan.is_nan()));
    assert_eq!(parsed(STRING, "a\\n\""), DefaultValue::String("a\\n\"".into()));
    assert_eq!(
        parsed(BYTES, "\\000\\x41\\\\\\'\\\"\\n\\377"),
        DefaultValue::Bytes(b"\0A\\'\"\n\xff"[..].into())
    );

    let mut repeated = one(INT32, "1");
    repeated.message_type[0].field[0].label = Some(REPEATED);
    refused(&repeated, "a.proto: p.M.f: a repeated field cannot have a default");
    let proto3 = FileDescriptorProto { syntax: Some("proto3".into()), ..one(INT32, "1") };
    refused(&proto3, "a.proto: p.M.f: a field of implicit presence cannot have a default");

    let mut enums = one(ENUM, "B");
    enums.message_type[0].field[0].type_name = Some("E".into());
    enums.enum_type = vec![enumeration("E", &[("A", 0), ("B", -7)])];
    assert_eq!(link(&enums).unwrap().field("p.M.f").unwrap().default(), Some(&DefaultValue::Enum(-7)));
    enums.message_type[0].field[0].default_value = Some("C".into());
    refused(&enums, "a.proto: p.M.f: default \"C\" is not a value of p.E");
}
