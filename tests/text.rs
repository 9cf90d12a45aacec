//! The text format where the corpus cannot say it: extensions, message sets, options.

use tobu::prelude::*;
use tobu::{DynamicMessage, Message, Pool, json, text};
use tobu_schemas::corpus::corpus::v3::{Leaf, Lists};
use tobu_schemas::known::json::v2::{Open, Set};

const ITEM: &[u8] = b"\x0b\x10\xe8\x07\x1a\x02\x08\x05\x0c";
/// The item as an ordinary field.
const FIELD: &[u8] = b"\xc2\x3e\x02\x08\x05";

fn one_line() -> text::Options {
    text::Options::new().one_line(true)
}

fn sets() -> [Set; 2] {
    // Registers the extensions.
    Open::descriptor();
    [ITEM, FIELD].map(|bytes| tobu::from_slice(bytes).unwrap())
}

/// An item has the name of its type, and is read by that and by the name of the extension.
#[test]
fn items_of_message_sets() {
    for set in sets() {
        assert_eq!(one_line().to_string(&set).unwrap(), "[json.v2.Item] { value: 5 }");
        assert_eq!(format!("{set:?}"), "Set { [json.v2.Item] { value: 5 } }");
    }
    for input in
        ["[json.v2.Item] { value: 5 }", "[json.v2.Item.item] { value: 5 }", "[json.v2.Item]: <value: 5>"]
    {
        let set: Set = text::from_str(input).unwrap();
        assert_eq!(tobu::to_vec(&set).unwrap(), ITEM, "{input}");
        let dynamic = DynamicMessage::from_text(&Set::descriptor(), input).unwrap();
        assert_eq!(tobu::to_vec(&dynamic).unwrap(), ITEM, "{input}");
        let mut wire = Vec::new();
        tobu::convert::text_to_wire(&Set::descriptor(), input.as_bytes(), &mut wire, &text::Options::new())
            .unwrap();
        assert_eq!(wire, ITEM, "{input}");
    }
    // Only items have such names.
    let error = text::from_str::<Open>("[json.v2.Scope] { name: \"x\" }").unwrap_err();
    assert_eq!(
        error.to_string(),
        "json.v2.Open: json.v2.Open has no extension \"json.v2.Scope\" (at line 1 column 1)"
    );
    assert_eq!(
        one_line().to_string(&tobu::from_slice::<Open>(b"\xc2\x06\x00").unwrap()).unwrap(),
        "[json.v2.Scope.scope] {}"
    );
}

/// An item may come as an ordinary field, and is written as an item.
#[test]
fn items_as_fields() {
    for set in sets() {
        assert_eq!(tobu::to_vec(&set).unwrap(), ITEM);
        assert_eq!(json::to_string(&set).unwrap(), r#"{"[json.v2.Item.item]":{"value":5}}"#);
        let item = Pool::global().extension("json.v2.Item.item").unwrap();
        assert!(set.as_reflect().has_extension(&item).unwrap());
    }
    let dynamic = DynamicMessage::decode(&Set::descriptor(), FIELD).unwrap();
    assert_eq!(tobu::to_vec(&dynamic).unwrap(), ITEM);
    let mut json = Vec::new();
    tobu::convert::wire_to_json(&Set::descriptor(), FIELD, &mut json).unwrap();
    assert_eq!(json, br#"{"[json.v2.Item.item]":{"value":5}}"#);
    // In another message, by all that read one.
    let outer = [b"\x1a\x05", FIELD].concat();
    let open: Open = tobu::from_slice(&outer).unwrap();
    assert_eq!(tobu::to_vec(&open).unwrap(), [b"\x1a\x09", ITEM].concat());
    // The number is not that of an extension that is known; what is no message stays as it is.
    let open: Set = tobu::from_slice(b"\x2a\x00\x28\x07").unwrap();
    assert_eq!(tobu::to_vec(&open).unwrap(), b"\x0b\x10\x05\x1a\x00\x0c\x28\x07");
}

/// Where unknown fields are ignored, they may have numbers for names, and values of any form.
#[test]
fn skipped_fields() {
    Open::descriptor();
    let options = text::Options::new().ignore_unknown(true);
    for unknown in [
        "1000: \"x\"",
        "1000: 'x' \"y\"",
        "1000: -5",
        "1000: 1.5e3f",
        "1000: -inf",
        "1000: WORD",
        "1000: 0x10",
        "1000 { 1: 2 a: 3 [x.y] { } [a.b/c.D] { } }",
        "1000: < a { b: [1, 2] } >",
        "1000: [\"x\", \"y\"]",
        "1000: [{ a: 1 }, { }]",
        "1000: []",
        "nope: 7",
        "[not.known]: 7",
        "[not.known] { a: 1 }",
    ] {
        for input in [format!("{unknown} a: 2"), format!("{unknown}; a: 2"), format!("a: 2 {unknown}")] {
            let leaf: Leaf = options.from_str(&input).unwrap_or_else(|error| panic!("{input}: {error}"));
            assert_eq!(leaf, Leaf { a: 2, ..Leaf::default() }, "{input}");
            let dynamic =
                DynamicMessage::from_text_with(&Leaf::descriptor(), input.as_bytes(), &options).unwrap();
            assert_eq!(tobu::to_vec(&dynamic).unwrap(), b"\x08\x02", "{input}");
        }
        let input = format!("f_leaf {{ {unknown} a: 2 }}");
        assert_eq!(options.from_str::<Lists>(&input).unwrap().f_leaf[0].a, 2, "{input}");
        let error = text::from_str::<Leaf>(unknown).unwrap_err().to_string();
        assert!(error.starts_with("corpus.v3.Leaf: "), "{error}");
    }
    // The number of a field that the schema has is none of an unknown field.
    for (input, message) in [("1: 5", "corpus.v3.Leaf"), ("100: 5", "json.v2.Open")] {
        let message = Pool::global().message(message).unwrap();
        let error = DynamicMessage::from_text_with(&message, input.as_bytes(), &options).unwrap_err();
        let name = message.full_name();
        assert_eq!(
            error.to_string(),
            format!("{name}: a field that the schema has is written by its name (at line 1 column 1)")
        );
    }
}
