//! Any.

use super::{check_with, pool};
use tobu::json::Options;
use tobu::types::{Any, Duration};
use tobu::{Category, Limits};
use tobu_schemas::known::json::v1::{Known, KnownLists};

#[test]
fn contents() {
    let options = Options::new().pool(&pool());
    check_with::<Any>(
        &options,
        &[
            ("{}", Ok("{}")),
            (" { } ", Ok("{}")),
            (
                r#"{"@type":"type.googleapis.com/corpus.v3.Leaf","a":1,"c":[1,2]}"#,
                Ok(r#"{"@type":"type.googleapis.com/corpus.v3.Leaf","a":1,"c":[1,2]}"#),
            ),
            (
                r#"{"a":1,"c":[1,{"@type":2},3],"@type":"x/corpus.v3.Leaf"}"#,
                Err(".c[1]: expected an int32, but found an object (at line 1 column 15)"),
            ),
            (
                r#"{"a":1,"\u0040type":"x/corpus.v3.Leaf","b":"@type"}"#,
                Ok(r#"{"@type":"x/corpus.v3.Leaf","a":1,"b":"@type"}"#),
            ),
            (r#"{"@type":"/corpus.v3.Leaf"}"#, Ok(r#"{"@type":"/corpus.v3.Leaf"}"#)),
            (r#"{"@type":"x/google.protobuf.Empty"}"#, Ok(r#"{"@type":"x/google.protobuf.Empty"}"#)),
            // As Go writes it, and other types without fields like it.
            (
                r#"{"@type":"x/google.protobuf.Empty","value":{}}"#,
                Ok(r#"{"@type":"x/google.protobuf.Empty"}"#),
            ),
            (
                r#"{"value":{ },"@type":"x/google.protobuf.Empty"}"#,
                Ok(r#"{"@type":"x/google.protobuf.Empty"}"#),
            ),
            (r#"{"@type":"x/corpus.v3.Empty","value":{}}"#, Ok(r#"{"@type":"x/corpus.v3.Empty"}"#)),
            (
                r#"{"@type":"x/google.protobuf.Any","value":{"@type":"y/google.protobuf.Empty","value":{}}}"#,
                Ok(r#"{"@type":"x/google.protobuf.Any","value":{"@type":"y/google.protobuf.Empty"}}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","value":"1.5s"}"#,
                Ok(r#"{"@type":"x/google.protobuf.Duration","value":"1.500s"}"#),
            ),
            (
                r#"{"value":"1.5s","@type":"x/google.protobuf.Duration"}"#,
                Ok(r#"{"@type":"x/google.protobuf.Duration","value":"1.500s"}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Value","value":null}"#,
                Ok(r#"{"@type":"x/google.protobuf.Value","value":null}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Int32Value","value":"7"}"#,
                Ok(r#"{"@type":"x/google.protobuf.Int32Value","value":7}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.FieldMask","value":"a,bC"}"#,
                Ok(r#"{"@type":"x/google.protobuf.FieldMask","value":"a,bC"}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Struct","value":{"@type":"y"}}"#,
                Ok(r#"{"@type":"x/google.protobuf.Struct","value":{"@type":"y"}}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Any","value":{"a":1,"@type":"y/corpus.v3.Leaf"}}"#,
                Ok(r#"{"@type":"x/google.protobuf.Any","value":{"@type":"y/corpus.v3.Leaf","a":1}}"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Any","value":{}}"#,
                Ok(r#"{"@type":"x/google.protobuf.Any","value":{}}"#),
            ),
            (
                r#"{"@type":"x/json.v1.Known","any":{"@type":"y/json.v2.Open","[json.v2.number]":3}}"#,
                Ok(r#"{"@type":"x/json.v1.Known","any":{"@type":"y/json.v2.Open","[json.v2.number]":3}}"#),
            ),
        ],
    );
}

#[test]
fn what_is_no_any() {
    let options = Options::new().pool(&pool());
    check_with::<Any>(
        &options,
        &[
            (
                r#"{"@type":""}"#,
                Err(r#": the type URL "" has no name of a type after a slash (at line 1 column 10)"#),
            ),
            (
                r#"{"@type":"corpus.v3.Leaf"}"#,
                Err(
                    r#": the type URL "corpus.v3.Leaf" has no name of a type after a slash (at line 1 column 10)"#,
                ),
            ),
            (
                r#"{"@type":"x/"}"#,
                Err(r#": the type URL "x/" has no name of a type after a slash (at line 1 column 10)"#),
            ),
            (
                r#"{"@type":"x/no.Such"}"#,
                Err(r#": the type "no.Such" of an Any is not known (at line 1 column 10)"#),
            ),
            (
                r#"{"@type":1}"#,
                Err(
                    ": expected the type URL of an Any as a string, but found the number 1 (at line 1 column 10)",
                ),
            ),
            (
                r#"{"@type":null}"#,
                Err(": expected the type URL of an Any as a string, but found null (at line 1 column 10)"),
            ),
            (r#" {"a":1}"#, Err(": an Any without the member \"@type\" (at line 1 column 2)")),
            (
                r#"{"@type":"x/corpus.v3.Leaf","@type":"x/corpus.v3.Leaf"}"#,
                Err(": the member \"@type\" comes twice (at line 1 column 29)"),
            ),
            (
                r#"{"@type":"x/corpus.v3.Leaf","a":"b"}"#,
                Err(r#".a: expected an int32, but found the string "b" (at line 1 column 33)"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Empty","value":{"a":1}}"#,
                Err(r#": unknown field "a" (at line 1 column 45)"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Empty","value":1}"#,
                Err(
                    ": expected a message of type google.protobuf.Empty, but found the number 1 (at line 1 column 44)",
                ),
            ),
            (
                r#"{"@type":"x/google.protobuf.Empty","value":{},"value":{}}"#,
                Err(": the member \"value\" comes twice (at line 1 column 47)"),
            ),
            (
                r#"{"@type":"x/corpus.v3.Leaf","value":{}}"#,
                Err(r#": unknown field "value" (at line 1 column 29)"#),
            ),
            (r#"{"@type":"x/corpus.v3.Leaf","d":1}"#, Err(r#": unknown field "d" (at line 1 column 29)"#)),
            (
                r#"{"@type":"x/google.protobuf.Duration"}"#,
                Err(
                    ": an Any of type google.protobuf.Duration without the member \"value\" (at line 1 column 1)",
                ),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","value":1}"#,
                Err(
                    ": expected a string for google.protobuf.Duration, but found the number 1 (at line 1 column 47)",
                ),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","value":"1s","value":"1s"}"#,
                Err(": the member \"value\" comes twice (at line 1 column 52)"),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","@type":"y","value":"1s"}"#,
                Err(": the member \"@type\" comes twice (at line 1 column 39)"),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","value":"1s","a":1}"#,
                Err(r#": unknown field "a" (at line 1 column 52)"#),
            ),
            (
                r#"{"@type":"x/google.protobuf.Duration","value":"1s""#,
                Err(": expected `,` or `}`, but the input ends (at line 1 column 51)"),
            ),
            (
                r#"{"a":1 "@type":"x/corpus.v3.Leaf"}"#,
                Err(": expected `,` or `}`, but found a string (at line 1 column 8)"),
            ),
            ("{1}", Err(": expected the name of a member, but found `1` (at line 1 column 2)")),
            (
                "[]",
                Err(
                    ": expected a message of type google.protobuf.Any, but found a list (at line 1 column 1)",
                ),
            ),
        ],
    );
}

#[test]
fn required_fields_are_asked_for_inside() {
    let options = Options::new().pool(&pool());
    let error = options.from_str::<Any>(r#"{"@type":"x/corpus.v2.Required","id":1}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "google.protobuf.Any: required field name has no value (at line 1 column 39)"
    );
}

#[test]
fn options_hold_inside() {
    let options = Options::new().pool(&pool()).ignore_unknown(true).partial(true);
    check_with::<Any>(
        &options,
        &[
            (
                r#"{"x":{},"@type":"x/corpus.v3.Leaf","y":1,"a":2}"#,
                Ok(r#"{"@type":"x/corpus.v3.Leaf","a":2}"#),
            ),
            (
                r#"{"x":{},"@type":"x/google.protobuf.Duration","y":1,"value":"2s"}"#,
                Ok(r#"{"@type":"x/google.protobuf.Duration","value":"2s"}"#),
            ),
        ],
    );
    let any: Any = options.from_str(r#"{"@type":"x/corpus.v2.Required","id":1}"#).unwrap();
    assert_eq!(any, Any::new("x/corpus.v2.Required", b"\x08\x01"));
}

#[test]
fn in_fields_and_without_a_pool() {
    // The types of this program that were used are known without more ado.
    let any = Any::pack(&Duration::new(1, 0)).unwrap();
    let text = r#"{"any":{"value":"1s","@type":"type.googleapis.com/google.protobuf.Duration"}}"#;
    let known: Known = tobu::json::from_str(text).unwrap();
    assert_eq!(known.any, Some(any.clone()));
    let text = r#"{"anys":[{},{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}]}"#;
    let lists: KnownLists = tobu::json::from_str(text).unwrap();
    assert_eq!(lists.anys, [Any::default(), any]);
    let error = tobu::json::from_str::<Known>(r#"{"any":{"@type":"x/no.Such"}}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"json.v1.Known.any: the type "no.Such" of an Any is not known (at line 1 column 17)"#
    );
    let empty = Options::new().pool(&tobu::Pool::new());
    assert!(empty.from_str::<Any>(r#"{"@type":"x/google.protobuf.Duration","value":"1s"}"#).is_err());
}

#[test]
fn nesting() {
    let options = Options::new().pool(&pool());
    let nested = |levels: usize, last: bool| {
        (1..levels).fold("{}".to_owned(), |inner, _| match last {
            true => format!("{{\"value\":{inner},\"@type\":\"x/google.protobuf.Any\"}}"),
            false => format!("{{\"@type\":\"x/google.protobuf.Any\",\"value\":{inner}}}"),
        })
    };
    for last in [false, true] {
        assert!(options.from_str::<Any>(&nested(100, last)).is_ok());
        for levels in [101, 200, 20_000] {
            let text = nested(levels, last);
            let started = std::time::Instant::now();
            let error = options.from_str::<Any>(&text).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 100 levels");
            assert_eq!(error.category(), Category::Limit);
            assert!(started.elapsed().as_secs() < 2);
        }
        let shallow = options.clone().limits(Limits::default().depth(5));
        assert!(shallow.from_str::<Any>(&nested(5, last)).is_ok());
        let error = shallow.from_str::<Any>(&nested(6, last)).unwrap_err();
        assert_eq!(error.message(), "messages are nested deeper than 5 levels");
    }
}
