//! serde_json and serde_yaml_ng: canonical ProtoJSON, in every syntax.

use serde_json::json;
use tobu::types::{Any, Duration, Timestamp};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

fn shelf() -> Shelf {
    Shelf {
        name: "shelves/1".into(),
        theme: Some(String::new()),
        books: vec![Book {
            title: "Dune".into(),
            acquired: Some(Timestamp::new(1_000_000_000, 5)),
            genre: Genre::FICTION,
            place: Some(book::Place::Loan(Loan { reader: "Ann".into(), days: -3, ..Loan::default() })),
            cover: vec![0xfb, 0xff],
            grades: vec![-1, 2],
            ..Book::default()
        }],
        copies: [("x".to_owned(), 7)].into(),
        ..Shelf::default()
    }
}

fn tree() -> serde_json::Value {
    json!({
        "name": "shelves/1",
        "theme": "",
        "books": [{
            "title": "Dune",
            "acquired": "2001-09-09T01:46:40.000000005Z",
            "genre": "GENRE_FICTION",
            "loan": {"reader": "Ann", "days": -3},
            "cover": "+/8=",
            "grades": [-1, 2],
        }],
        "copies": {"x": 7},
    })
}

#[test]
fn json_is_protojson() {
    assert_eq!(serde_json::to_value(shelf()).unwrap(), tree());
    assert_eq!(serde_json::to_string(&shelf()).unwrap(), tobu::json::to_string(&shelf()).unwrap());
    assert_eq!(serde_json::from_value::<Shelf>(tree()).unwrap(), shelf());
    assert_eq!(serde_json::from_str::<Shelf>(&tree().to_string()).unwrap(), shelf());
    assert_eq!(serde_json::from_reader::<_, Shelf>(tree().to_string().as_bytes()).unwrap(), shelf());
}

#[test]
fn yaml_is_protojson_in_yaml() {
    let text = serde_yaml_ng::to_string(&shelf()).unwrap();
    assert!(
        text.starts_with(
            "name: shelves/1\ntheme: ''\nbooks:\n- title: Dune\n  acquired: 2001-09-09T01:46:40.000000005Z\n"
        ),
        "{text}"
    );
    assert_eq!(serde_yaml_ng::from_str::<Shelf>(&text).unwrap(), shelf());
    let written = "name: a\nbooks:\n  - {pages: 0x10, genre: 2, place: null}\ncopies: {3: 4, true: 5}\n";
    let error = serde_yaml_ng::from_str::<Shelf>(written).unwrap_err();
    assert_eq!(error.to_string(), "library.v1.Shelf.books[0]: unknown field \"place\"");
    let read: Shelf = serde_yaml_ng::from_str(&written.replace(", place: null", "")).unwrap();
    assert_eq!((read.books[0].pages, read.books[0].genre), (16, Genre::SCIENCE));
    assert_eq!(read.copies, [("3".to_owned(), 4), ("true".to_owned(), 5)].into());
}

/// The tree converts its numbers before they are deserialized.
#[test]
fn numbers_of_every_kind() {
    #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "foreign")]
    struct Numbers {
        #[tobu(1)]
        a: i64,
        #[tobu(2)]
        b: u64,
        #[tobu(3)]
        c: f32,
        #[tobu(4)]
        d: f64,
        #[tobu(5)]
        e: i32,
    }
    let numbers = Numbers { a: i64::MIN, b: u64::MAX, c: 0.1, d: -0.0, e: -5 };
    let text = r#"{"a":"-9223372036854775808","b":"18446744073709551615","c":0.1,"d":-0.0,"e":-5}"#;
    assert_eq!(serde_json::to_string(&numbers).unwrap(), text);
    let read: Numbers = serde_json::from_str(text).unwrap();
    assert!(read == numbers && read.d.is_sign_negative());
    let read: Numbers = serde_json::from_str(
        r#"{"a":-9223372036854775808,"b":18446744073709551615,"c":1e2,"d":"NaN","e":5.0}"#,
    )
    .unwrap();
    assert!((read.a, read.b, read.c, read.e) == (i64::MIN, u64::MAX, 100.0, 5) && read.d.is_nan());
    let infinite = Numbers { d: f64::INFINITY, c: f32::NEG_INFINITY, ..numbers };
    let tree = serde_json::to_value(&infinite).unwrap();
    assert_eq!((&tree["c"], &tree["d"]), (&json!("-Infinity"), &json!("Infinity")));
    assert_eq!(serde_json::from_value::<Numbers>(tree).unwrap(), infinite);
}

#[test]
fn inside_types_of_others() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Answer {
        took: Duration,
        shelf: Option<Shelf>,
        more: Vec<Loan>,
    }
    let answer =
        Answer { took: Duration::new(1, 500_000_000), shelf: Some(shelf()), more: vec![Loan::default()] };
    let written = json!({"took": "1.500s", "shelf": tree(), "more": [{}]});
    assert_eq!(serde_json::to_value(&answer).unwrap(), written);
    assert_eq!(serde_json::from_value::<Answer>(written).unwrap(), answer);
}

#[test]
fn types_of_their_own_form() {
    let rows = [
        (serde_json::to_value(Timestamp::new(0, 0)), json!("1970-01-01T00:00:00Z")),
        (serde_json::to_value(tobu::types::BoolValue::new(true)), json!(true)),
        (
            serde_json::to_value(Any::pack(&Duration::new(1, 0)).unwrap()),
            json!({"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1s"}),
        ),
        (serde_json::to_value(tobu::types::Value::from("x")), json!("x")),
    ];
    for (written, expected) in rows {
        assert_eq!(written.unwrap(), expected);
    }
    let any = json!({"value": "1s", "@type": "type.googleapis.com/google.protobuf.Duration"});
    assert_eq!(serde_json::from_value::<Any>(any).unwrap(), Any::pack(&Duration::new(1, 0)).unwrap());
    let value: tobu::types::Value = serde_json::from_value(json!({"a": [null, 1.5]})).unwrap();
    assert_eq!(tobu::json::to_string(&value).unwrap(), r#"{"a":[null,1.5]}"#);
}

#[test]
fn errors_tell_the_field() {
    let rows = [
        (json!({"name": 5}), "library.v1.Shelf.name: expected a string, but found the number 5"),
        (json!({"books": [{}, {"pages": -1}]}), "library.v1.Shelf.books[1].pages: -1 does not fit a uint32"),
        (
            json!({"books": [{"position": 1, "loan": {}}]}),
            "library.v1.Shelf.books[0].loan: another field of the oneof place came before",
        ),
        (json!([]), "library.v1.Shelf: expected a message of type library.v1.Shelf, but found a list"),
        (json!({"Name": ""}), "library.v1.Shelf: unknown field \"Name\""),
    ];
    for (tree, expected) in rows {
        let error = serde_json::from_value::<Shelf>(tree).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
    let late = Timestamp::new(i64::MAX, 0);
    let error = serde_json::to_string(&Book { acquired: Some(late), ..Book::default() }).unwrap_err();
    assert!(error.to_string().starts_with("library.v1.Book.acquired: "), "{error}");
    let twice = serde_json::from_str::<Shelf>(r#"{"name": "a", "name": "b"}"#).unwrap_err();
    assert_eq!(twice.to_string(), "library.v1.Shelf.name: the field comes twice");
}

#[test]
fn deep_input_ends_before_the_stack_does() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let error = serde_yaml_ng::from_str::<tobu::types::Value>(&deep(120)).unwrap_err();
    assert!(
        error.to_string().contains("deeper than 100 levels") || error.to_string().contains("recursion limit"),
        "{error}"
    );
}

/// A type that borrows can be written; to be read it needs the text itself.
#[test]
fn types_that_borrow() {
    #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "foreign")]
    struct Line<'a> {
        #[tobu(1)]
        text: &'a str,
        #[tobu(2)]
        number: u32,
    }
    let line = Line { text: "x", number: 1 };
    let text = serde_json::to_string(&line).unwrap();
    assert_eq!(text, r#"{"text":"x","number":1}"#);
    assert_eq!(tobu::json::from_str::<Line<'_>>(&text).unwrap(), line);
    let error = serde_json::from_str::<Line<'_>>(&text).unwrap_err();
    assert!(error.to_string().starts_with("foreign.Line.text: "), "{error}");
}

#[test]
fn in_place_starts_empty() {
    let mut value = shelf();
    let mut json = serde_json::Deserializer::from_str(r#"{"name": "b"}"#);
    serde::Deserialize::deserialize_in_place(&mut json, &mut value).unwrap();
    assert_eq!(value, Shelf { name: "b".into(), ..Shelf::default() });
}
