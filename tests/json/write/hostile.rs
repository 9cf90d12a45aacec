//! Messages nested too deep, or too often.

use super::{error, typed_row};
use std::time::{Duration, Instant};
use tobu::types::{Any, ListValue, Value};
use tobu::{Limits, Message, UnknownFields, json};
use tobu_schemas::corpus::corpus::v3::Tree;
use tobu_schemas::known::json::v1::Known;
use tobu_schemas::known::json::v2::Open;

/// An `Any` in an `Any`, and so on, around bytes.
fn chain(levels: usize, padding: usize) -> Any {
    let url = "type.googleapis.com/google.protobuf.Any";
    let mut any = Any::new("type.googleapis.com/google.protobuf.BytesValue", {
        let content = tobu::types::BytesValue::new(vec![0; padding]);
        tobu::to_vec(&content).unwrap()
    });
    for _ in 1..levels {
        any = Any::new(url, tobu::to_vec(&any).unwrap());
    }
    any
}

#[test]
fn chains_of_any() {
    json::to_string(&chain(99, 0)).unwrap();
    let wanted = "messages are nested deeper than 100 levels";
    // The content of the innermost one is a level, too.
    for levels in [100, 101, 200] {
        error(&chain(levels, 0), &format!("google.protobuf.Any: {wanted}"));
    }
    let known = Known { any: Some(chain(98, 0)), ..Default::default() };
    json::to_string(&known).unwrap();
    let known = Known { any: Some(chain(99, 0)), ..Default::default() };
    error(&known, &format!("json.v1.Known.any: {wanted}"));
    let shallow = json::Options::new().limits(Limits::default().depth(3));
    shallow.to_string(&chain(2, 0)).unwrap();
    assert_eq!(
        shallow.to_string(&chain(3, 0)).unwrap_err().to_string(),
        "google.protobuf.Any: messages are nested deeper than 3 levels"
    );
}

#[test]
fn a_chain_takes_linear_time() {
    let start = Instant::now();
    let any = chain(99, 4 << 20);
    let made = start.elapsed();
    let start = Instant::now();
    assert!(json::to_string(&any).unwrap().len() > 4 << 20);
    // Making it copies the content at each level; writing it does not.
    let written = start.elapsed();
    assert!(written < made.max(Duration::from_secs(2)), "{written:?} for what took {made:?} to make");
}

#[test]
fn messages_values_and_extensions() {
    let mut tree = Tree::default();
    for _ in 1..100 {
        tree = Tree { left: Some(Box::new(tree)), ..Default::default() };
    }
    json::to_string(&tree).unwrap();
    tree = Tree { left: Some(Box::new(tree)), ..Default::default() };
    let told = json::to_string(&tree).unwrap_err();
    assert_eq!(told.message(), "messages are nested deeper than 100 levels");
    assert_eq!(told.path().count(), 100);

    let mut value = Value::null();
    for _ in 0..49 {
        value = ListValue::from(vec![value]).into();
    }
    typed_row(&value, &format!("{}null{}", "[".repeat(49), "]".repeat(49)));
    value = ListValue::from(vec![value]).into();
    assert_eq!(json::to_string(&value).unwrap_err().message(), "messages are nested deeper than 100 levels");

    // Extensions are members: those of 100 messages in each other fit.
    let mut fields = Vec::new();
    let nest = |fields: &[u8]| {
        let mut outer = tobu::wire::Writer::new();
        outer.tag(tobu::wire::Tag::new(102, tobu::wire::WireType::Len));
        outer.len_prefixed(fields);
        outer.finish().unwrap()
    };
    for _ in 1..100 {
        fields = nest(&fields);
    }
    let open = |fields: &[u8]| Open {
        unknown_fields: UnknownFields::from_bytes(fields).unwrap(),
        ..Default::default()
    };
    let text = json::to_string(&open(&fields)).unwrap();
    assert_eq!(text.matches("[json.v2.nested]").count(), 99);
    let told = json::to_string(&open(&nest(&fields))).unwrap_err();
    assert_eq!(told.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn the_stack_of_a_thread_is_enough() {
    Any::descriptor();
    let any = chain(99, 0);
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(move || json::to_string(&any).unwrap().len()).unwrap().join().unwrap();
}
