//! Names of enum values in JSON, by `(pb.enumvalue.json).string`.

use super::build::*;
use crate::descriptor::raw::*;
use crate::error::Result;

/// An enum `p.E` of values with their names in JSON.
fn names(allow_alias: bool, values: &[(&str, i32, Option<&[u8]>)]) -> Result<Vec<String>> {
    let value = |&(name, number, json): &(&str, i32, Option<&[u8]>)| EnumValueDescriptorProto {
        name: Some(name.to_owned().into()),
        number: Some(number),
        options: json.map(|json| {
            let (mut name, mut options) = (Options::default(), Options::default());
            name.push_bytes(1, json);
            options.push_bytes(998, name.encoded());
            options
        }),
        ..Default::default()
    };
    let enumeration = EnumDescriptorProto {
        value: values.iter().map(value).collect(),
        options: if allow_alias { flag(2, 1) } else { None },
        ..enumeration("E", &[])
    };
    let pool = link(&FileDescriptorProto { enum_type: vec![enumeration], ..file("2026") })?;
    let enumeration = pool.enumeration("p.E").unwrap();
    Ok(enumeration.values().map(|value| value.json_name().to_owned()).collect())
}

#[test]
fn a_value_has_the_name_that_its_option_gives() {
    let values: &[(&str, i32, Option<&[u8]>)] = &[
        ("ZERO", 0, None),
        ("ONE", 1, Some(b"uno")),
        ("EMPTY", 2, Some(b"")),
        ("QUOTED", 3, Some(b"\"x\"\n")),
        ("NUMBER", 4, Some(b"4")),
        ("OWN", 5, Some(b"OWN")),
    ];
    assert_eq!(names(false, values).unwrap(), ["ZERO", "uno", "", "\"x\"\n", "4", "OWN"]);
    let aliases: &[(&str, i32, Option<&[u8]>)] = &[("A", 0, Some(b"a")), ("B", 0, Some(b"a"))];
    assert_eq!(names(true, aliases).unwrap(), ["a", "a"]);
}

#[test]
fn a_name_says_which_number_is_meant() {
    for (values, error) in [
        (
            [("A", 0, Some(&b"x"[..])), ("B", 1, Some(b"x"))],
            "a.proto: p.B: the name \"x\" is one of A in JSON",
        ),
        ([("A", 0, Some(b"B")), ("B", 1, None)], "a.proto: p.B: the name \"B\" is one of A in JSON"),
        ([("A", 0, None), ("B", 1, Some(b"A"))], "a.proto: p.B: the name \"A\" is one of A in JSON"),
        ([("A", 0, None), ("B", 1, Some(b"7"))], "a.proto: p.B: the JSON name \"7\" is a number, but not 1"),
        (
            [("A", 0, None), ("B", 1, Some(b" -1 "))],
            "a.proto: p.B: the JSON name \" -1 \" is a number, but not 1",
        ),
        ([("A", 0, None), ("B", 1, Some(b"b\0"))], "a.proto: p.B: the JSON name contains a NUL character"),
        ([("A", 0, None), ("B", 1, Some(b"\xff"))], "a.proto: p.B: the JSON name is not UTF-8"),
        (
            [("A", 0, Some(b"a")), ("B", 0, Some(b"b"))],
            "a.proto: p.B: the JSON name must be that of A, which has the same number: \"a\", not \"b\"",
        ),
        (
            [("A", 0, Some(b"a")), ("B", 0, None)],
            "a.proto: p.B: the JSON name must be that of A, which has the same number: \"a\", not none",
        ),
    ] {
        assert_eq!(names(true, &values).unwrap_err().to_string(), error);
    }
}
