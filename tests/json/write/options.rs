//! Each option, and the side effects of the verbs.

use std::io::{self, Write};
use tobu::types::{Duration, Struct};
use tobu::{Message, MessageDescriptorExt, convert, json, to_vec};
use tobu_schemas::corpus::corpus::v3;
use tobu_schemas::library::v1::{Book, Genre, Shelf, book};

fn shelf() -> Shelf {
    let book = Book {
        title: "Dune".into(),
        pages: 412,
        genre: Genre::FICTION,
        place: Some(book::Place::Position(0)),
        ..Default::default()
    };
    Shelf {
        name: "s".into(),
        books: vec![book, Book::default()],
        copies: [("b".into(), 2), ("a".into(), 1), ("c".into(), 0)].into(),
        ..Default::default()
    }
}

#[test]
fn deterministic() {
    let options = json::Options::new().deterministic(true);
    let wanted = concat!(
        r#"{"name":"s","books":[{"title":"Dune","pages":412,"genre":"GENRE_FICTION","position":0},{}],"#,
        r#""copies":{"a":1,"b":2,"c":0}}"#
    );
    assert_eq!(options.to_string(&shelf()).unwrap(), wanted);
    let maps = v3::Maps {
        f_int32: [(10, 1), (-1, 2), (9, 3)].into(),
        f_bool: [(true, true), (false, false)].into(),
        f_leaf: [("b".into(), v3::Leaf { a: 1, ..Default::default() }), ("a".into(), v3::Leaf::default())]
            .into(),
        ..Default::default()
    };
    assert_eq!(
        options.to_string(&maps).unwrap(),
        r#"{"fInt32":{"-1":2,"9":3,"10":1},"fBool":{"false":false,"true":true},"fLeaf":{"a":{},"b":{"a":1}}}"#
    );
    let object: Struct = [("b", 1), ("a", 2)].into();
    assert_eq!(options.to_string(&object).unwrap(), r#"{"a":2,"b":1}"#);
}

#[test]
fn pretty() {
    let options = json::Options::new().deterministic(true).pretty(true);
    assert_eq!(
        options.to_string(&shelf()).unwrap(),
        r#"{
  "name": "s",
  "books": [
    {
      "title": "Dune",
      "pages": 412,
      "genre": "GENRE_FICTION",
      "position": 0
    },
    {}
  ],
  "copies": {
    "a": 1,
    "b": 2,
    "c": 0
  }
}"#
    );
    let maps = v3::Maps {
        f_leaf: [("a".into(), v3::Leaf { c: vec![1, 2], ..Default::default() })].into(),
        ..Default::default()
    };
    let wanted = r#"{
  "fLeaf": {
    "a": {
      "c": [
        1,
        2
      ]
    }
  }
}"#;
    assert_eq!(options.to_string(&maps).unwrap(), wanted);
    assert_eq!(json::to_string_pretty(&maps).unwrap(), wanted);
    assert_eq!(json::to_string_pretty(&v3::Maps::default()).unwrap(), "{}");
    assert_eq!(json::to_string_pretty(&Duration::new(1, 0)).unwrap(), "\"1s\"");
}

#[test]
fn emit_defaults() {
    let options = json::Options::new().emit_defaults(true);
    assert_eq!(options.to_string(&Shelf::default()).unwrap(), r#"{"name":"","books":[],"copies":{}}"#);
    assert_eq!(
        options.to_string(&Book::default()).unwrap(),
        r#"{"title":"","authors":[],"pages":0,"genre":"GENRE_UNSPECIFIED","cover":"","grades":[]}"#
    );
    let pretty = options.clone().pretty(true);
    assert_eq!(
        pretty.to_string(&Shelf::default()).unwrap(),
        "{\n  \"name\": \"\",\n  \"books\": [],\n  \"copies\": {}\n}"
    );
    assert_eq!(options.to_string(&v3::Optionals::default()).unwrap(), "{}");
    let tree = serde_json::json!({"b": "x"});
    let descriptor = <v3::Leaf as tobu::Message>::descriptor();
    assert_eq!(descriptor.encode_json_with(&tree, &options).unwrap(), r#"{"a":0,"b":"x","c":[]}"#);
}

#[test]
fn names_and_numbers() {
    let message = v3::Scalars { f_int64: -1, f_uint64: 2, f_color: v3::Color::RED, ..Default::default() };
    let rows = [
        (json::Options::new(), r#"{"fInt64":"-1","fUint64":"2","fColor":"COLOR_RED"}"#),
        (
            json::Options::new().proto_field_names(true),
            r#"{"f_int64":"-1","f_uint64":"2","f_color":"COLOR_RED"}"#,
        ),
        (json::Options::new().enums_as_integers(true), r#"{"fInt64":"-1","fUint64":"2","fColor":1}"#),
        (json::Options::new().int64_as_numbers(true), r#"{"fInt64":-1,"fUint64":2,"fColor":"COLOR_RED"}"#),
    ];
    for (options, wanted) in rows {
        assert_eq!(options.to_string(&message).unwrap(), wanted);
    }
    // Keys are strings in any case.
    let maps = v3::Maps { f_int64: [(1, 2)].into(), ..Default::default() };
    let options = json::Options::new().int64_as_numbers(true);
    assert_eq!(options.to_string(&maps).unwrap(), r#"{"fInt64":{"1":2}}"#);
}

#[test]
fn every_verb_writes_the_same() {
    let message = v3::Leaf { a: 1, ..Default::default() };
    let wanted = r#"{"a":1}"#;
    assert_eq!(json::to_string(&message).unwrap(), wanted);
    assert_eq!(json::to_vec(&message).unwrap(), wanted.as_bytes());
    let mut file = Vec::new();
    json::to_writer(&message, &mut file).unwrap();
    json::Options::new().to_writer(&message, &mut file).unwrap();
    json::Options::new().append(&message, &mut file).unwrap();
    assert_eq!(file, wanted.repeat(3).as_bytes());
    let any = tobu::types::Any::new("a/corpus.v3.Leaf", to_vec(&message).unwrap());
    json::Options::new().pretty(true).append(&any, &mut file).unwrap();
    assert_eq!(&file[wanted.len() * 3..], b"{\n  \"@type\": \"a/corpus.v3.Leaf\",\n  \"a\": 1\n}");
}

#[test]
fn errors_leave_nothing_behind() {
    let bad = Duration::new(1, -1);
    let mut file = Vec::new();
    json::to_writer(&bad, &mut file).unwrap_err();
    assert!(file.is_empty());
    let mut bytes = b"before".to_vec();
    json::Options::new().append(&bad, &mut bytes).unwrap_err();
    assert_eq!(bytes, b"before");

    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = json::to_writer(&Duration::new(1, 0), Full).unwrap_err();
    assert_eq!((error.category(), error.to_string()), (tobu::Category::Io, "the disk is full".into()));
}

/// Lists of numbers, as a type and from their packed runs: elements of another form between them, and each option that
/// changes how a number or an element looks.
#[test]
fn numbers_of_lists() {
    let lists = v3::Lists {
        f_double: vec![0.5, -0.0, f64::NAN, 1e300, f64::NEG_INFINITY, 83.418_211_590_070_43, 8_388_608.5],
        f_float: vec![f32::INFINITY, -0.014_294_386, 3.0, f32::MIN_POSITIVE, f32::NAN],
        f_int32: vec![i32::MIN, -1, 0, 9_999_999, 10_000_000, i32::MAX],
        f_int64: vec![i64::MIN, -10_000_000, -9_999_999, 0, i64::MAX],
        f_uint32: vec![0, 99_999_999, 100_000_000, u32::MAX],
        f_uint64: vec![7, 10_000_000_000_000_000, u64::MAX],
        f_sint32: vec![i32::MIN, 1],
        f_sint64: vec![i64::MIN, 1],
        f_fixed32: vec![1, u32::MAX],
        f_fixed64: vec![1, u64::MAX],
        f_sfixed32: vec![i32::MIN, 1],
        f_sfixed64: vec![i64::MIN, 1],
        f_bool: vec![true, false],
        f_color: vec![v3::Color::RED, v3::Color(77)],
        ..Default::default()
    };
    let wanted = concat!(
        r#"{"fDouble":[0.5,-0,"NaN",1e+300,"-Infinity",83.41821159007043,8388608.5],"#,
        r#""fFloat":["Infinity",-0.014294386,3,1.1754944e-38,"NaN"],"#,
        r#""fInt32":[-2147483648,-1,0,9999999,10000000,2147483647],"#,
        r#""fInt64":["-9223372036854775808","-10000000","-9999999","0","9223372036854775807"],"#,
        r#""fUint32":[0,99999999,100000000,4294967295],"#,
        r#""fUint64":["7","10000000000000000","18446744073709551615"],"#,
        r#""fSint32":[-2147483648,1],"fSint64":["-9223372036854775808","1"],"#,
        r#""fFixed32":[1,4294967295],"fFixed64":["1","18446744073709551615"],"#,
        r#""fSfixed32":[-2147483648,1],"fSfixed64":["-9223372036854775808","1"],"#,
        r#""fBool":[true,false],"fColor":["COLOR_RED",77]}"#,
    );
    let bytes = to_vec(&lists).unwrap();
    let from_wire = |options: &json::Options| {
        let mut text = Vec::new();
        convert::wire_to_json_with(&v3::Lists::descriptor(), &bytes, &mut text, options).unwrap();
        String::from_utf8(text).unwrap()
    };
    let plain = json::Options::new();
    assert_eq!(plain.to_string(&lists).unwrap(), wanted);
    assert_eq!(from_wire(&plain), wanted);
    let numbers = plain.clone().int64_as_numbers(true);
    assert_eq!(numbers.to_string(&lists).unwrap(), from_wire(&numbers));
    assert!(from_wire(&numbers).contains(r#""fSint64":[-9223372036854775808,1]"#));
    let pretty = plain.clone().pretty(true);
    assert_eq!(pretty.to_string(&lists).unwrap(), from_wire(&pretty));
    assert!(from_wire(&pretty).contains("\"fSint64\": [\n    \"-9223372036854775808\",\n    \"1\"\n  ]"));
}
