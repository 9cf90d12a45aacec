//! Names, null, repeated members, oneofs, and the syntax around them.

use super::{check, check_with};
use tobu::MessageDescriptorExt;
use tobu::json::Options;
use tobu_schemas::corpus::corpus::v2::{Closed, Groups, Required};
use tobu_schemas::corpus::corpus::v3::{Choice, Leaf, Numbers, Optionals, Scalars, Tree};
use tobu_schemas::known::json::v1::Names;

#[test]
fn names() {
    check::<Scalars>(&[
        (r#"{"f_int32":1,"fInt64":"2"}"#, Ok(r#"{"fInt32":1,"fInt64":"2"}"#)),
        (r#"{"f\u0049nt32":1}"#, Ok(r#"{"fInt32":1}"#)),
        (r#"{"fColor":1,"fBool":true,"fInt32":3}"#, Ok(r#"{"fInt32":3,"fBool":true,"fColor":"COLOR_RED"}"#)),
        (r#"{"FInt32":1}"#, Err(r#": unknown field "FInt32" (at line 1 column 2)"#)),
        (r#"{"fint32":1}"#, Err(r#": unknown field "fint32" (at line 1 column 2)"#)),
        (r#"{"F_INT32":1}"#, Err(r#": unknown field "F_INT32" (at line 1 column 2)"#)),
        (r#"{"":1}"#, Err(r#": unknown field "" (at line 1 column 2)"#)),
        (r#"{"@type":"x"}"#, Err(r#": unknown field "@type" (at line 1 column 2)"#)),
        (r#"{"[corpus.v2.note]":1}"#, Err(r#": unknown field "[corpus.v2.note]" (at line 1 column 2)"#)),
    ]);
    check::<Names>(&[
        (
            r#"{"snakeCaseName":1,"a \"b\"\n":2,"Leading":3,"with1Digit":4}"#,
            Ok(r#"{"snakeCaseName":1,"a \"b\"\n":2,"Leading":3,"with1Digit":4}"#),
        ),
        (
            r#"{"with_1_digit":4,"_leading":3,"given":2,"snake_case_name":1}"#,
            Ok(r#"{"snakeCaseName":1,"a \"b\"\n":2,"Leading":3,"with1Digit":4}"#),
        ),
    ]);
    check::<Numbers>(&[(
        r#"{"largest":1, "reservedAfter":2, "twoBytes":3, "one":4}"#,
        Ok(r#"{"one":4,"twoBytes":3,"reservedAfter":2,"largest":1}"#),
    )]);
    check::<Choice>(&[(r#"{"kind":1}"#, Err(r#": unknown field "kind" (at line 1 column 2)"#))]);
}

#[test]
fn unknown_members_are_passed_over_where_they_are_ignored() {
    let ignore = Options::new().ignore_unknown(true);
    check_with::<Leaf>(
        &ignore,
        &[
            (
                r#"{"x":{"a":[1,{"b":null}],"c":"\n"},"a":1,"y":[],"z":-1.5e3,"w":true,"v":null,"[a.b]":2}"#,
                Ok(r#"{"a":1}"#),
            ),
            (r#"{"A":1, "x":{}, "x":{}}"#, Ok("{}")),
            (r#"{"x":01}"#, Err(": a number starts with a zero (at line 1 column 6)")),
            (
                r#"{"x":{"a":1,}}"#,
                Err(": expected the name of a member, but found `}` (at line 1 column 13)"),
            ),
            (r#"{"x":[1,]}"#, Err(": expected a value, but found `]` (at line 1 column 9)")),
            (r#"{"x":"\ud800"}"#, Err(": half of a surrogate pair (at line 1 column 7)")),
            (r#"{"x":nul}"#, Err(": expected a value, but found `n` (at line 1 column 6)")),
            (r#"{"x":}"#, Err(": expected a value, but found `}` (at line 1 column 6)")),
            (r#"{"a":"x"}"#, Err(r#".a: expected an int32, but found the string "x" (at line 1 column 6)"#)),
        ],
    );
}

#[test]
fn null_is_a_field_that_is_not_set() {
    check::<Optionals>(&[
        (r#"{"fInt32":null,"fString":null,"fBytes": null ,"fColor":null,"fBool":null}"#, Ok("{}")),
        (r#"{"fInt32":nul}"#, Err(".f_int32: expected a value, but found `n` (at line 1 column 11)")),
        (
            "null",
            Err(": expected a message of type corpus.v3.Optionals, but found null (at line 1 column 1)"),
        ),
    ]);
    check::<Tree>(&[(r#"{"left":null,"children":null,"named":null,"name":"x"}"#, Ok(r#"{"name":"x"}"#))]);
}

#[test]
fn members_that_come_twice() {
    check::<Tree>(&[
        (r#"{"left":{},"left":{}}"#, Err(".left: the field comes twice (at line 1 column 12)")),
        (r#"{"name":"x","name":"x"}"#, Err(".name: the field comes twice (at line 1 column 13)")),
        (r#"{"name":null,"name":"x"}"#, Err(".name: the field comes twice (at line 1 column 14)")),
        (r#"{"left":{"right":{"a":1}}}"#, Err(r#".left.right: unknown field "a" (at line 1 column 19)"#)),
        (
            r#"{"left":{"name":"1","name":"2"}}"#,
            Err(".left.name: the field comes twice (at line 1 column 21)"),
        ),
    ]);
    check::<Scalars>(&[
        (r#"{"fInt32":1,"f_int32":1}"#, Err(".f_int32: the field comes twice (at line 1 column 13)")),
        (r#"{"f_int32":1,"fInt32":1}"#, Err(".f_int32: the field comes twice (at line 1 column 14)")),
    ]);
}

#[test]
fn oneofs() {
    check::<Choice>(&[
        (r#"{"number":0}"#, Ok(r#"{"number":0}"#)),
        (r#"{"text":""}"#, Ok(r#"{"text":""}"#)),
        (r#"{"after":"b","leaf":{},"before":"a"}"#, Ok(r#"{"before":"a","leaf":{},"after":"b"}"#)),
        (r#"{"text":"x","number":null}"#, Ok(r#"{"text":"x"}"#)),
        (r#"{"number":null,"text":"x"}"#, Ok(r#"{"text":"x"}"#)),
        (r#"{"color":"COLOR_RED"}"#, Ok(r#"{"color":"COLOR_RED"}"#)),
        (
            r#"{"number":1,"text":"x"}"#,
            Err(".text: another field of the oneof kind came before (at line 1 column 20)"),
        ),
        (r#"{"zigzag":true}"#, Err(".zigzag: expected a sint64, but found true (at line 1 column 11)")),
    ]);
}

#[test]
fn groups_are_messages() {
    check::<Groups>(&[(
        r#"{"single":{"a":1,"nested":{"after":2}},"many":[{"b":"x"},{}]}"#,
        Ok(r#"{"single":{"a":1,"nested":{"after":2}},"many":[{"b":"x"},{}]}"#),
    )]);
}

#[test]
fn required_fields() {
    let error = tobu::json::from_str::<Required>(r#"{"id": 1}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "corpus.v2.Required: required field name has no value (at line 1 column 9)"
    );
    assert_eq!(error.category(), tobu::Category::Required);
    let error = tobu::json::from_str::<Required>(r#"{"id":1,"name":"","children":[{"id":2}]}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "corpus.v2.Required.children[0]: required field name has no value (at line 1 column 38)"
    );
    let error = <Required as tobu::Message>::descriptor()
        .decode_json::<serde_json::Value>("{\"name\":null}")
        .unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Required: required field id has no value (at line 1 column 13)");
    let partial = Options::new().partial(true);
    assert_eq!(partial.from_str::<Required>(r#"{"id":1}"#).unwrap().id, Some(1));
}

#[test]
fn numbers_that_a_closed_enum_does_not_have_are_unknown_fields() {
    check::<Closed>(&[
        (
            r#"{"level":"HIGH","levels":["LOW",3],"named":{"a":"GOOD"}}"#,
            Ok(r#"{"level":"HIGH","levels":["LOW","HIGH"],"named":{"a":"GOOD"}}"#),
        ),
        (r#"{"level":2147483648}"#, Err(".level: 2147483648 does not fit an enum (at line 1 column 10)")),
        (
            r#"{"levels":[1.5]}"#,
            Err(".levels[0]: the field is an enum, but 1.5 is not an integer (at line 1 column 12)"),
        ),
    ]);
    let text =
        r#"{"level":2,"levels":[1,7,3,-8],"packedLevels":[9],"named":{"a":1,"b":5},"either":6,"or":4}"#;
    let message: Closed = tobu::json::from_str(text).unwrap();
    assert_eq!(
        message.unknown_fields.as_bytes(),
        b"\x08\x02\x10\x07\x10\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01\x18\x09\x22\x05\x0a\x01b\x10\x05\x28\x06"
    );
    assert_eq!(
        tobu::json::to_string(&message).unwrap(),
        r#"{"levels":["LOW","HIGH"],"named":{"a":"GOOD"},"or":4}"#
    );
    let tree: serde_json::Value = <Closed as tobu::Message>::descriptor().decode_json(text).unwrap();
    assert_eq!(tree.to_string(), r#"{"levels":["LOW","HIGH"],"named":{"a":"GOOD"},"or":4}"#);
}

/// A type that keeps no unknown fields would lose the number: that is an error, as in the text format.
#[test]
fn numbers_that_a_closed_rust_enum_does_not_have() {
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
    )]
    #[tobu(package = "closed.rust")]
    enum Level {
        #[default]
        A = 0,
        B = 1,
    }

    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "closed.rust")]
    struct Levels {
        #[tobu(1)]
        l: Level,
        #[tobu(2)]
        n: Vec<Level>,
        #[tobu(3)]
        m: std::collections::BTreeMap<String, Level>,
        #[tobu(4)]
        o: Option<Level>,
        #[tobu(oneof)]
        c: Option<Choice>,
    }

    #[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
    enum Choice {
        #[tobu(5)]
        Level(Level),
        #[tobu(6)]
        Number(i32),
    }

    let number = "closed.rust.Level has no value 7";
    let name = r#"closed.rust.Level has no value "X""#;
    for (text, path) in [
        (r#"{"l":7}"#, "l"),
        (r#"{"l":1,"n":[1,7]}"#, "n[1]"),
        (r#"{"m":{"a":0,"b":7}}"#, r#"m["b"]"#),
        (r#"{"o":7}"#, "o"),
        (r#"{"level":7}"#, "level"),
    ] {
        let named = text.replace('7', r#""X""#);
        for (text, problem) in [(text, number), (&*named, name)] {
            let at = text.find(['7', 'X']).unwrap() + usize::from(problem == number);
            let wanted = format!("closed.rust.Levels.{path}: {problem} (at line 1 column {at})");
            assert_eq!(tobu::json::from_str::<Levels>(text).unwrap_err().to_string(), wanted);
            assert_eq!(tobu::json::merge(&mut Levels::default(), text).unwrap_err().to_string(), wanted);
            let error = serde_json::from_str::<Levels>(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("closed.rust.Levels.{path}: {problem}")), "{error}");
            let ignored: Levels = Options::new().ignore_unknown(true).from_str(text).unwrap();
            let known = Levels::default();
            match path {
                "n[1]" => assert_eq!(ignored, Levels { l: Level::B, n: vec![Level::B], ..known }),
                r#"m["b"]"# => {
                    assert_eq!(ignored, Levels { m: [("a".to_owned(), Level::A)].into(), ..known })
                }
                _ => assert_eq!(ignored, known),
            }
        }
    }
}

#[test]
fn unknown_enum_names_are_dropped_where_they_are_ignored() {
    let ignore = Options::new().ignore_unknown(true);
    check_with::<Closed>(
        &ignore,
        &[
            (r#"{"level":"X","or":1}"#, Ok(r#"{"or":1}"#)),
            (r#"{"levels":["LOW","X","HIGH"],"packedLevels":["X"]}"#, Ok(r#"{"levels":["LOW","HIGH"]}"#)),
            (r#"{"named":{"a":"X","b":"GOOD","c":"Y"}}"#, Ok(r#"{"named":{"b":"GOOD"}}"#)),
            (r#"{"either":"X","or":1}"#, Ok(r#"{"or":1}"#)),
            (r#"{"level":"\ud800"}"#, Err(".level: half of a surrogate pair (at line 1 column 11)")),
        ],
    );
}

#[test]
fn syntax() {
    check::<Leaf>(&[
        (" \t\r\n{ \"a\" : 1 , \"b\" : \"x\" } \n", Ok(r#"{"a":1,"b":"x"}"#)),
        ("{ }", Ok("{}")),
        ("", Err(": expected a message of type corpus.v3.Leaf, but the input ends (at line 1 column 1)")),
        ("{", Err(": expected the name of a member, but the input ends (at line 1 column 2)")),
        ("{} {}", Err(": expected the end of the input, but found `{` (at line 1 column 4)")),
        ("{}x", Err(": expected the end of the input, but found `x` (at line 1 column 3)")),
        (r#"{"a":1,}"#, Err(": expected the name of a member, but found `}` (at line 1 column 8)")),
        (r#"{,"a":1}"#, Err(": expected the name of a member, but found `,` (at line 1 column 2)")),
        (r#"{"a":1,,"b":""}"#, Err(": expected the name of a member, but found `,` (at line 1 column 8)")),
        (r#"{"a":1 "b":""}"#, Err(": expected `,` or `}`, but found a string (at line 1 column 8)")),
        ("{\"a\":1\n\"b\":\"\"}", Err(": expected `,` or `}`, but found a string (at line 2 column 1)")),
        (r#"{"a" 1}"#, Err(": expected `:`, but found `1` (at line 1 column 6)")),
        (r#"{"a":1]"#, Err(": expected `,` or `}`, but found `]` (at line 1 column 7)")),
        (r#"{a:1}"#, Err(": expected the name of a member, but found `a` (at line 1 column 2)")),
        (r#"{'a':1}"#, Err(": expected the name of a member, but found `'` (at line 1 column 2)")),
        (r#"{null:1}"#, Err(": expected the name of a member, but found `n` (at line 1 column 2)")),
        ("{//x\n\"a\":1}", Err(": expected the name of a member, but found `/` (at line 1 column 2)")),
        ("{/**/}", Err(": expected the name of a member, but found `/` (at line 1 column 2)")),
        ("{\"a\":/**/1}", Err(".a: expected an int32, but found `/` (at line 1 column 6)")),
        (
            "\u{feff}{}",
            Err(": the input starts with a byte order mark, which JSON does not allow (at line 1 column 1)"),
        ),
        ("{}\0", Err(r": expected the end of the input, but found `\0` (at line 1 column 3)")),
        ("{\u{a0}}", Err(r": expected the name of a member, but found `\u{a0}` (at line 1 column 2)")),
        ("[]", Err(": expected a message of type corpus.v3.Leaf, but found a list (at line 1 column 1)")),
    ]);
}
