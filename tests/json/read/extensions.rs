//! Extensions, message sets, and fields that a Rust type leaves out.

use super::{check_with, pool};
use tobu::json::Options;
use tobu::{Deserialize, Limits, Message, UnknownFields};
use tobu_schemas::corpus::corpus::v2::Extensible;
use tobu_schemas::known::json::v2::{Open, Set};

#[test]
fn extensions() {
    let options = Options::new().pool(&pool());
    check_with::<Open>(
        &options,
        &[
            (r#"{"[json.v2.number]":"7"}"#, Ok(r#"{"[json.v2.number]":7}"#)),
            (
                r#"{"[json.v2.texts]":["a","b"],"id":1,"[json.v2.big_number]":8}"#,
                Ok(r#"{"id":1,"[json.v2.texts]":["a","b"],"[json.v2.big_number]":"8"}"#),
            ),
            (
                r#"{"child":{"[json.v2.nested]":{"id":2,"[json.v2.number]":1}}}"#,
                Ok(r#"{"child":{"[json.v2.nested]":{"id":2,"[json.v2.number]":1}}}"#),
            ),
            (r#"{"[json.v2.Scope.scope]":{"name":"x"}}"#, Ok(r#"{"[json.v2.Scope.scope]":{"name":"x"}}"#)),
            (r#"{"[json.v2.number]":null,"[json.v2.texts]":null}"#, Ok("{}")),
            (r#"{"[json.v2.texts]":[]}"#, Ok("{}")),
            (r#"{"[json.v2.nope]":1}"#, Err(r#": unknown field "[json.v2.nope]" (at line 1 column 2)"#)),
            (r#"{"json.v2.number":1}"#, Err(r#": unknown field "json.v2.number" (at line 1 column 2)"#)),
            (r#"{"[json.v2.number":1}"#, Err(r#": unknown field "[json.v2.number" (at line 1 column 2)"#)),
            (r#"{"number":1}"#, Err(r#": unknown field "number" (at line 1 column 2)"#)),
            (r#"{"[json.v2.item]":{}}"#, Err(r#": unknown field "[json.v2.item]" (at line 1 column 2)"#)),
            (
                r#"{"[json.v2.number]":1,"[json.v2.number]":1}"#,
                Err(".[json.v2.number]: the field comes twice (at line 1 column 23)"),
            ),
            (
                r#"{"[json.v2.number]":"x"}"#,
                Err(
                    r#".[json.v2.number]: expected an int32, but found the string "x" (at line 1 column 21)"#,
                ),
            ),
            (
                r#"{"[json.v2.nested]":{"id":[]}}"#,
                Err(".[json.v2.nested].id: expected an int32, but found a list (at line 1 column 27)"),
            ),
            (
                r#"{"[json.v2.texts]":["a",1]}"#,
                Err(".[json.v2.texts][1]: expected a string, but found the number 1 (at line 1 column 25)"),
            ),
        ],
    );
    let message: Extensible = options.from_str(r#"{"[corpus.v2.note]":"hi","a":1}"#).unwrap();
    assert_eq!((message.a, message.unknown_fields.as_bytes()), (Some(1), &b"\xa2\x06\x02hi"[..]));
    let ignore = options.clone().ignore_unknown(true);
    assert_eq!(
        ignore.from_str::<Open>(r#"{"[a.b]":[{}],"id":1}"#).unwrap(),
        Open { id: Some(1), ..Open::default() }
    );
}

#[test]
fn message_sets() {
    let options = Options::new().pool(&pool());
    let text = r#"{"[json.v2.Item.item]":{"value":5}}"#;
    let set: Set = options.from_str(text).unwrap();
    assert_eq!(set.unknown_fields.as_bytes(), b"\x0b\x10\xe8\x07\x1a\x02\x08\x05\x0c");
    assert_eq!(tobu::json::to_string(&set).unwrap(), text);
    let error = options.from_str::<Set>(r#"{"[json.v2.Item.item]":1}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "json.v2.Set.[json.v2.Item.item]: expected a message of type json.v2.Item, but found the number 1 (at line 1 \
         column 24)"
    );
}

#[test]
fn nested_extensions_count_as_levels() {
    let options = Options::new().pool(&pool());
    let nested = |levels: usize| {
        (1..levels).fold("{}".to_owned(), |inner, _| format!("{{\"[json.v2.nested]\":{inner}}}"))
    };
    assert!(options.from_str::<Open>(&nested(100)).is_ok());
    for levels in [101, 200, 20_000] {
        let error = options.from_str::<Open>(&nested(levels)).unwrap_err();
        assert_eq!(error.message(), "messages are nested deeper than 100 levels");
    }
    let shallow = options.limits(Limits::default().depth(2));
    assert!(shallow.from_str::<Open>(&nested(2)).is_ok());
    assert!(shallow.from_str::<Open>(&nested(3)).is_err());
}

/// Some fields of `json.v2.Open`; the others are kept as unknown fields.
#[derive(Debug, Default, PartialEq, Message, tobu::Serialize, Deserialize)]
#[tobu(descriptor = pool(), message = "json.v2.Open")]
struct Keeps {
    #[tobu(1)]
    id: Option<i32>,
    #[tobu(unknown)]
    rest: UnknownFields,
}

/// The same, and drops it.
#[derive(Debug, Default, PartialEq, Message, tobu::Serialize, Deserialize)]
#[tobu(descriptor = pool(), message = "json.v2.Open")]
struct Drops {
    #[tobu(1)]
    id: Option<i32>,
}

#[test]
fn fields_that_a_type_leaves_out() {
    let text = r#"{"child":{"id":2,"set":null},"id":1,"[json.v2.number]":3}"#;
    let keeps: Keeps = tobu::json::from_str(text).unwrap();
    assert_eq!(keeps.id, Some(1));
    assert_eq!(keeps.rest.as_bytes(), b"\x12\x02\x08\x02\xa0\x06\x03");
    assert_eq!(tobu::json::from_str::<Drops>(text).unwrap(), Drops { id: Some(1) });
    for (text, wanted) in [
        (
            r#"{"child":{"id":"x"}}"#,
            r#"json.v2.Open.child.id: expected an int32, but found the string "x" (at line 1 column 16)"#,
        ),
        (r#"{"child":{},"child":{}}"#, "json.v2.Open.child: the field comes twice (at line 1 column 13)"),
        (r#"{"nope":{}}"#, r#"json.v2.Open: unknown field "nope" (at line 1 column 2)"#),
    ] {
        assert_eq!(tobu::json::from_str::<Keeps>(text).unwrap_err().to_string(), wanted);
        assert_eq!(tobu::json::from_str::<Drops>(text).unwrap_err().to_string(), wanted);
    }
}
