//! Struct, Value, ListValue, NullValue.

use super::{check, error};
use tobu::types::{ListValue, Struct, Value};
use tobu::{Category, Limits, json::Options};
use tobu_schemas::known::json::v1::{Known, KnownChoice, KnownLists, KnownMaps};

#[test]
fn values_of_every_kind() {
    let same = |text: &'static str| (text, Ok(text));
    check::<Value>(&[
        same("null"),
        same("true"),
        same("false"),
        same("1.5"),
        same("\"a\""),
        same("[]"),
        same("{}"),
        same(r#"[null,[],{"a":null,"b":[1]}]"#),
        same(r#""NaN""#),
        (" 1e2 ", Ok("100")),
        (r#"{"b":1,"a":2}"#, Ok(r#"{"a":2,"b":1}"#)),
        ("nul", Err(".null_value: expected an enum, but found `n` (at line 1 column 1)")),
        ("NaN", Err(": expected a value, but found `N` (at line 1 column 1)")),
        ("1e400", Err(".number_value: 1e400 does not fit a double (at line 1 column 1)")),
        ("", Err(": expected a value, but the input ends (at line 1 column 1)")),
        ("[1,]", Err(".list_value.values: expected a value, but found `]` (at line 1 column 4)")),
        (r#"{"a":1,"a":2}"#, Err(r#".struct_value.fields: the key "a" comes twice (at line 1 column 8)"#)),
        (
            r#"{"a":{"b":x}}"#,
            Err(
                r#".struct_value.fields["a"].struct_value.fields["b"]: expected a value, but found `x` (at line 1 column 11)"#,
            ),
        ),
    ]);
    check::<Struct>(&[
        same(r#"{"a":[1,"2"],"b":{}}"#),
        ("[]", Err(".fields: expected a map, but found a list (at line 1 column 1)")),
        ("null", Err(".fields: expected a map, but found null (at line 1 column 1)")),
    ]);
    check::<ListValue>(&[
        same("[1,null]"),
        ("{}", Err(".values: expected a list, but found an object (at line 1 column 1)")),
        ("null", Err(".values: expected a list, but found null (at line 1 column 1)")),
    ]);
}

#[test]
fn null_where_it_is_a_value_and_where_it_is_not() {
    check::<Known>(&[
        (r#"{"value":null}"#, Ok(r#"{"value":null}"#)),
        (r#"{"object":null,"list":null,"any":null,"time":null,"empty":null}"#, Ok("{}")),
        (r#"{"null":null,"maybeNull":null}"#, Ok(r#"{"maybeNull":null}"#)),
        (r#"{"null":"NULL_VALUE","maybeNull":0}"#, Ok(r#"{"maybeNull":null}"#)),
        (
            r#"{"maybeNull":"NULL"}"#,
            Err(r#".maybe_null: google.protobuf.NullValue has no value "NULL" (at line 1 column 14)"#),
        ),
        (r#"{"maybeNull":nil}"#, Err(".maybe_null: expected an enum, but found `n` (at line 1 column 14)")),
        (r#"{"object":{"a":null}}"#, Ok(r#"{"object":{"a":null}}"#)),
        (r#"{"list":[null]}"#, Ok(r#"{"list":[null]}"#)),
    ]);
    check::<KnownChoice>(&[
        (r#"{"value":null}"#, Ok(r#"{"value":null}"#)),
        (r#"{"null":null}"#, Ok(r#"{"null":null}"#)),
        (r#"{"time":null,"flag":false}"#, Ok(r#"{"flag":false}"#)),
        (
            r#"{"value":null,"flag":false}"#,
            Err(".flag: another field of the oneof kind came before (at line 1 column 22)"),
        ),
    ]);
    check::<KnownLists>(&[
        (
            r#"{"values":[null,1],"nulls":[null,"NULL_VALUE",0]}"#,
            Ok(r#"{"values":[null,1],"nulls":[null,null,null]}"#),
        ),
        (r#"{"times":[null]}"#, Err(".times: expected an element, but found null (at line 1 column 11)")),
        (r#"{"lists":[[],null]}"#, Err(".lists: expected an element, but found null (at line 1 column 14)")),
        (r#"{"numbers":[null]}"#, Err(".numbers: expected an element, but found null (at line 1 column 13)")),
    ]);
    check::<KnownMaps>(&[
        (
            r#"{"values":{"true":null},"nulls":{"a":null}}"#,
            Ok(r#"{"values":{"true":null},"nulls":{"a":null}}"#),
        ),
        (
            r#"{"texts":{"1":null}}"#,
            Err(r#".texts["1"]: expected a value of a map, but found null (at line 1 column 15)"#),
        ),
    ]);
}

#[test]
fn levels_of_values() {
    // A value in a list is two levels: the value and the list.
    let nested = |lists: usize| format!("{}1{}", "[".repeat(lists), "]".repeat(lists));
    assert!(tobu::json::from_str::<Value>(&nested(49)).is_ok());
    let refused = error::<Value>(&nested(50));
    assert_eq!(refused.message(), "messages are nested deeper than 100 levels");
    assert_eq!(refused.category(), Category::Limit);
    assert_eq!(refused.position(), Some(tobu::Position::Line { line: 1, column: 51 }));
    let objects = |levels: usize| format!("{}1{}", "{\"n\":".repeat(levels), "}".repeat(levels));
    // In an object it is three: its entry is one.
    assert!(tobu::json::from_str::<Value>(&objects(33)).is_ok());
    assert_eq!(error::<Value>(&objects(34)).category(), Category::Limit);
    let shallow = Options::new().limits(Limits::default().depth(3));
    assert!(shallow.from_str::<Value>("[1]").is_ok());
    assert_eq!(
        shallow.from_str::<Value>("[[]]").unwrap_err().message(),
        "messages are nested deeper than 3 levels"
    );
}
