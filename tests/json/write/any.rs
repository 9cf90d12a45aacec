//! `Any`.

use super::{error, row};
use tobu::types::{Any, BoolValue, Duration, Empty, Int64Value, Struct, Timestamp, Value};
use tobu::{Message, MessageDescriptorExt, Pool, json};
use tobu_schemas::corpus::corpus::v3;
use tobu_schemas::known::json::v1::{Known, KnownLists, KnownMaps};
use tobu_schemas::library::v1::{Book, Loan, book};

fn packed(url: &str, bytes: &[u8]) -> Any {
    Any::new(format!("type.googleapis.com/{url}"), bytes)
}

#[test]
fn contents() {
    Book::descriptor();
    let loan = Loan { reader: "Ann".into(), days: -1, ..Default::default() };
    let book = Book {
        title: "Dune".into(),
        acquired: Some(Timestamp::default()),
        place: Some(book::Place::Loan(loan)),
        grades: vec![1, -2],
        ..Default::default()
    };
    let any = Any::pack(&book).unwrap();
    let wanted = concat!(
        r#"{"@type":"type.googleapis.com/library.v1.Book","title":"Dune","acquired":"1970-01-01T00:00:00Z","#,
        r#""loan":{"reader":"Ann","days":-1},"grades":[1,-2]}"#
    );
    row(&any, wanted);
    row(&Known { any: Some(any.clone()), ..Default::default() }, &format!("{{\"any\":{wanted}}}"));
    let lists = KnownLists { anys: vec![Any::default(), any.clone()], ..Default::default() };
    row(&lists, &format!("{{\"anys\":[{{}},{wanted}]}}"));
    let maps = KnownMaps { anys: [("k".into(), any)].into(), ..Default::default() };
    row(&maps, &format!("{{\"anys\":{{\"k\":{wanted}}}}}"));

    row(&Any::default(), "{}");
    row(&packed("library.v1.Book", b""), r#"{"@type":"type.googleapis.com/library.v1.Book"}"#);
    let any = Any::new("https://a.b/\"c/library.v1.Loan", b"\x10\x01");
    row(&any, r#"{"@type":"https://a.b/\"c/library.v1.Loan","days":-1}"#);
}

#[test]
fn well_known_types_go_under_value() {
    let rows = [
        (Any::pack(&Duration::new(1, 0)).unwrap(), "Duration", r#""1s""#),
        (Any::pack(&Timestamp::default()).unwrap(), "Timestamp", r#""1970-01-01T00:00:00Z""#),
        (Any::pack(&Int64Value::new(5)).unwrap(), "Int64Value", r#""5""#),
        (Any::pack(&BoolValue::default()).unwrap(), "BoolValue", "false"),
        (Any::pack(&Value::from([1])).unwrap(), "Value", "[1]"),
        (Any::pack(&Struct::from([("a", 1)])).unwrap(), "Struct", r#"{"a":1}"#),
        (Any::pack(&Struct::new()).unwrap(), "Struct", "{}"),
        (Any::pack(&Any::default()).unwrap(), "Any", "{}"),
        (packed("google.protobuf.FieldMask", b"\x0a\x03a_b"), "FieldMask", r#""aB""#),
    ];
    for (any, name, wanted) in rows {
        let url = format!("type.googleapis.com/google.protobuf.{name}");
        row(&any, &format!("{{\"@type\":\"{url}\",\"value\":{wanted}}}"));
    }
    row(&Any::pack(&Empty::new()).unwrap(), r#"{"@type":"type.googleapis.com/google.protobuf.Empty"}"#);
}

#[test]
fn one_in_another() {
    let inner = Any::pack(&Loan { days: 1, ..Default::default() }).unwrap();
    let known = Known { any: Some(inner), span: Some(Duration::new(1, 0)), ..Default::default() };
    let middle = Any::pack(&known).unwrap();
    let outer = Any::pack(&middle).unwrap();
    let wanted = concat!(
        r#"{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/json.v1.Known","#,
        r#""span":"1s","any":{"@type":"type.googleapis.com/library.v1.Loan","days":1}}}"#
    );
    row(&outer, wanted);
    let known = Known { any: Some(outer), ..Default::default() };
    let pretty = json::Options::new().pretty(true).to_string(&known).unwrap();
    assert_eq!(
        pretty,
        r#"{
  "any": {
    "@type": "type.googleapis.com/google.protobuf.Any",
    "value": {
      "@type": "type.googleapis.com/json.v1.Known",
      "span": "1s",
      "any": {
        "@type": "type.googleapis.com/library.v1.Loan",
        "days": 1
      }
    }
  }
}"#
    );
}

#[test]
fn contents_as_they_may_come() {
    v3::Leaf::descriptor();
    let rows: [(&str, &[u8], &str); 5] = [
        // A repeated singular field, redundant zeros, a list in fragments.
        ("corpus.v3.Leaf", b"\x08\x01\x18\x01\x08\x00\x18\x02", r#""c":[1,2]"#),
        ("corpus.v3.Leaf", b"\x08\x01\x08\x02", r#""a":2"#),
        ("corpus.v3.Choice", b"\x10\x01\x1a\x01x\x2a\x00", r#""leaf":{}"#),
        ("corpus.v3.Tree", b"\x12\x03\x0a\x01a\x12\x05\x0a\x01b\x32\x00", r#""left":{"name":"b","leaf":{}}"#),
        ("corpus.v3.Maps", b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x01\x10\x03", r#""fInt32":{"1":3}"#),
    ];
    for (name, bytes, wanted) in rows {
        row(&packed(name, bytes), &format!("{{\"@type\":\"type.googleapis.com/{name}\",{wanted}}}"));
    }
    // The content precedes the name of its type.
    let descriptor = Any::descriptor();
    let tree = serde_json::json!({"value": [8, 1], "type_url": "a/google.protobuf.Int64Value"});
    assert_eq!(
        descriptor.encode_json(&tree).unwrap(),
        r#"{"@type":"a/google.protobuf.Int64Value","value":"1"}"#
    );
}

#[test]
fn options_hold_inside() {
    v3::Leaf::descriptor();
    let any = packed("corpus.v3.Leaf", b"");
    let options = json::Options::new().emit_defaults(true);
    assert_eq!(
        options.to_string(&any).unwrap(),
        r#"{"@type":"type.googleapis.com/corpus.v3.Leaf","a":0,"b":"","c":[]}"#
    );
    let any = packed("corpus.v3.Scalars", b"\x20\x01\x80\x01\x01");
    let options = json::Options::new().int64_as_numbers(true).enums_as_integers(true).proto_field_names(true);
    assert_eq!(
        options.to_string(&any).unwrap(),
        r#"{"@type":"type.googleapis.com/corpus.v3.Scalars","f_int64":1,"f_color":1}"#
    );
    let any = packed("corpus.v2.Required", b"");
    tobu_schemas::corpus::corpus::v2::Required::descriptor();
    error(&any, "google.protobuf.Any: required field id has no value");
    assert_eq!(
        json::Options::new().partial(true).to_string(&any).unwrap(),
        r#"{"@type":"type.googleapis.com/corpus.v2.Required"}"#
    );
}

#[test]
fn pools() {
    let any = packed("library.v1.Loan", b"\x10\x01");
    let empty = json::Options::new().pool(&Pool::new());
    assert_eq!(
        empty.to_string(&any).unwrap_err().to_string(),
        "google.protobuf.Any: an Any contains a message named \"library.v1.Loan\", which the pool does not have"
    );
    Loan::descriptor();
    let pool = Pool::from_descriptor_set(&Pool::global().to_descriptor_set()).unwrap();
    let own = json::Options::new().pool(&pool);
    let wanted = r#"{"@type":"type.googleapis.com/library.v1.Loan","days":-1}"#;
    assert_eq!(own.to_string(&any).unwrap(), wanted);
}

#[test]
fn without_a_form() {
    v3::Tree::descriptor();
    let rows = [
        (Any::new("", b"\x08\x01"), "the type URL \"\" has no name of a type after a slash"),
        (
            Any::new("corpus.v3.Leaf", []),
            "the type URL \"corpus.v3.Leaf\" has no name of a type after a slash",
        ),
        (Any::new("a/", []), "the type URL \"a/\" has no name of a type after a slash"),
        (
            Any::new("a/no.Such", []),
            "an Any contains a message named \"no.Such\", which the pool does not have",
        ),
        (packed("corpus.v3.Leaf", b"\x08"), "input ends inside a varint"),
    ];
    for (any, problem) in rows {
        error(&any, &format!("google.protobuf.Any: {problem}").replace("Any: input", "Any.a: input"));
        let lists = KnownLists { anys: vec![any], ..Default::default() };
        let told = json::to_string(&lists).unwrap_err().to_string();
        assert_eq!(told, format!("json.v1.KnownLists.anys[0]: {problem}").replace(": input", ".a: input"));
    }
    // The path continues inside.
    let time = tobu::to_vec(&Known { time: Some(Timestamp::new(0, -1)), ..Default::default() }).unwrap();
    let known = Known { any: Some(packed("json.v1.Known", &time)), ..Default::default() };
    error(&known, "json.v1.Known.any.time: -1 nanoseconds of a timestamp are not from 0 to 999999999");
}
