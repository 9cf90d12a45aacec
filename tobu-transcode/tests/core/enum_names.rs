//! Enum values that have names of their own in JSON.

use serde_json::{Value, json};
use tobu::Pool;
use tobu::wire::{Tag, WireType, Writer};
use tobu_transcode::openapi::Document;
use tobu_transcode::{HttpRule, Request, Router, TranscodeOptions};

use super::bind;

fn nested(out: &mut Writer, number: u32, write: impl FnOnce(&mut Writer)) {
    let open = out.open(Tag::new(number, WireType::Len));
    write(out);
    out.close(open);
}

fn text(out: &mut Writer, number: u32, text: &str) {
    nested(out, number, |out| out.raw(text.as_bytes()));
}

fn varint(out: &mut Writer, number: u32, value: u64) {
    out.tag(Tag::new(number, WireType::Varint));
    out.varint(value);
}

/// `message R { E e = 1; }`, `service S { rpc Do(R) returns (R); }`, and an enum, whose values `B` and `C` are one number.
fn pool() -> Pool {
    let mut file = Writer::new();
    text(&mut file, 1, "a.proto");
    nested(&mut file, 4, |message| {
        text(message, 1, "R");
        nested(message, 2, |field| {
            text(field, 1, "e");
            // Number, label and type.
            [(3, 1), (4, 1), (5, 14)].into_iter().for_each(|(number, value)| varint(field, number, value));
            text(field, 6, ".E");
        });
    });
    nested(&mut file, 5, |enumeration| {
        text(enumeration, 1, "E");
        for (name, number, json_name) in [("A", 0, None), ("B", 1, Some("bee")), ("C", 1, Some("bee"))] {
            nested(enumeration, 2, |value| {
                text(value, 1, name);
                varint(value, 2, number);
                if let Some(json_name) = json_name {
                    nested(value, 3, |options| nested(options, 998, |json| text(json, 1, json_name)));
                }
            });
        }
        nested(enumeration, 3, |options| varint(options, 2, 1));
    });
    nested(&mut file, 6, |service| {
        text(service, 1, "S");
        nested(service, 2, |method| {
            [(1, "Do"), (2, ".R"), (3, ".R")]
                .into_iter()
                .for_each(|(number, name)| text(method, number, name))
        });
    });
    text(&mut file, 12, "proto3");
    let mut pool = Pool::new();
    pool.add_file(&file.finish().unwrap()).unwrap();
    pool
}

#[test]
fn queries_have_either_name_and_the_description_that_of_json() {
    let mut router = Router::new(TranscodeOptions::new());
    router.add_rule(&pool().method("S.Do").unwrap(), &HttpRule::new("GET", "/x")).unwrap();
    for query in ["e=bee", "e=B", "e=C", "e=1"] {
        let bound = bind(&router, "GET", "/x", Request::new().query(query));
        assert_eq!(bound.as_deref(), Ok(r#"{"e":"bee"}"#), "{query}");
    }
    let bound = bind(&router, "GET", "/x", Request::new().query("e=Bee"));
    assert_eq!(bound, Err(r#"400 the query parameter "e": "Bee" is not a value of E"#.to_owned()));
    let document: Value = serde_json::from_str(&Document::new("Test", "v1").describe(&router)).unwrap();
    assert_eq!(document["components"]["schemas"]["E"]["enum"], json!(["A", "bee"]));
}
