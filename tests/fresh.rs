//! What a process does first must not decide what it does next: each of these tests runs in a process of its own, in which
//! nothing was used before.

use std::process::Command;
use tobu::prelude::*;
use tobu::types::{Any, Duration};
use tobu::{DynamicMessage, Message, Pool, json, text};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::known::json::v1::Known;
use tobu_schemas::known::json::v2::{Open, Set};
use tobu_schemas::secret::secret::marked::Card;

/// Runs a test in a process of its own: this program, called for that test alone.
#[track_caller]
fn alone(name: &str, test: impl FnOnce()) {
    const CHILD: &str = "TOBU_TEST_ALONE";
    if std::env::var_os(CHILD).is_some() {
        return test();
    }
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args(["--exact", name]).env(CHILD, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

fn five_seconds() -> Any {
    Any::pack(&Duration { seconds: 5, ..Duration::default() }).unwrap()
}

#[test]
fn json_of_an_any() {
    alone("json_of_an_any", || {
        let text = r#"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"5s"}"#;
        assert_eq!(json::from_str::<Any>(text).unwrap(), five_seconds());
    });
}

#[test]
fn text_of_an_any() {
    alone("text_of_an_any", || {
        let input = "[type.googleapis.com/google.protobuf.Duration] { seconds: 5 }";
        assert_eq!(text::from_str::<Any>(input).unwrap(), five_seconds());
    });
}

#[test]
fn an_any_as_json() {
    alone("an_any_as_json", || {
        let any = Any {
            type_url: "type.googleapis.com/google.protobuf.Duration".into(),
            value: b"\x08\x05"[..].into(),
            ..Any::default()
        };
        let text = r#"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"5s"}"#;
        assert_eq!(json::to_string(&any).unwrap(), text);
    });
}

#[test]
fn well_known_types_in_the_global_pool() {
    alone("well_known_types_in_the_global_pool", || {
        let duration = Pool::global().message("google.protobuf.Duration").unwrap();
        assert_eq!(duration, Duration::descriptor());
        assert!(Pool::global().message("google.protobuf.FileDescriptorSet").is_some());
    });
}

/// The file of this message imports no other of its build: `Known` is in another file than `Open`, and `v3` than `v2`.
#[test]
fn json_of_an_any_of_the_same_build() {
    alone("json_of_an_any_of_the_same_build", || {
        let input = r#"{"any":{"@type":"x/json.v2.Open","id":5,"[json.v2.number]":7}}"#;
        let known: Known = json::from_str(input).unwrap();
        assert_eq!(known.any.as_ref().unwrap().value, b"\x08\x05\xa0\x06\x07"[..]);
        assert_eq!(json::to_string(&known).unwrap(), input);
    });
}

#[test]
fn json_of_an_any_of_the_same_build_written_first() {
    alone("json_of_an_any_of_the_same_build_written_first", || {
        let any = Any { type_url: "x/json.v2.Open".into(), value: b"\x08\x05"[..].into(), ..Any::default() };
        let known = Known { any: Some(any), ..Known::default() };
        assert_eq!(json::to_string(&known).unwrap(), r#"{"any":{"@type":"x/json.v2.Open","id":5}}"#);
    });
}

#[test]
fn text_of_an_any_of_the_same_build() {
    alone("text_of_an_any_of_the_same_build", || {
        let input = "any { [x/json.v2.Open] { id: 5 [json.v2.number]: 7 } }";
        let known: Known = text::from_str(input).unwrap();
        assert_eq!(known.any.as_ref().unwrap().value, b"\x08\x05\xa0\x06\x07"[..]);
        assert_eq!(text::Options::new().one_line(true).to_string(&known).unwrap(), input);
    });
}

#[test]
fn debug_of_an_any_of_the_same_build() {
    alone("debug_of_an_any_of_the_same_build", || {
        let any = Any { type_url: "x/json.v2.Open".into(), value: b"\x08\x05"[..].into(), ..Any::default() };
        let known = Known { any: Some(any), ..Known::default() };
        assert_eq!(format!("{known:?}"), "Known { any { [x/json.v2.Open] { id: 5 } } }");
    });
}

#[test]
fn extensions_by_name() {
    alone("extensions_by_name", || {
        let input = r#"{"[json.v2.number]":7,"[json.v2.Scope.scope]":{"name":"n"}}"#;
        let open: Open = json::from_str(input).unwrap();
        assert_eq!(json::to_string(&open).unwrap(), input);
    });
}

#[test]
fn extensions_by_name_in_text() {
    alone("extensions_by_name_in_text", || {
        let open: Open = text::from_str("[json.v2.number]: 7").unwrap();
        assert_eq!(format!("{open:?}"), "Open { [json.v2.number]: 7 }");
        let set: Set = text::from_str("[json.v2.Item] { value: 5 }").unwrap();
        assert_eq!(format!("{set:?}"), "Set { [json.v2.Item] { value: 5 } }");
    });
}

#[test]
fn extensions_that_are_only_written() {
    alone("extensions_that_are_only_written", || {
        let open: Open = tobu::from_slice(b"\xa0\x06\x07").unwrap();
        assert_eq!(json::to_string(&open).unwrap(), r#"{"[json.v2.number]":7}"#);
    });
}

#[test]
fn a_dynamic_message_of_the_same_build() {
    alone("a_dynamic_message_of_the_same_build", || {
        let mut message = DynamicMessage::new(&Known::descriptor()).unwrap();
        message.merge_json(r#"{"any":{"@type":"x/json.v2.Open"}}"#, &json::Options::new()).unwrap();
        assert_eq!(message.to_json().unwrap(), r#"{"any":{"@type":"x/json.v2.Open"}}"#);
    });
}

#[test]
fn transcoded_bytes() {
    alone("transcoded_bytes", || {
        let input = br#"{"any":{"@type":"x/json.v2.Open","id":5}}"#;
        let (mut wire, mut json) = (Vec::new(), Vec::new());
        tobu::convert::json_to_wire(&Known::descriptor(), input, &mut wire).unwrap();
        tobu::convert::wire_to_json(&Known::descriptor(), &wire, &mut json).unwrap();
        assert_eq!(json, input);
    });
}

#[test]
fn files_of_one_build_by_name() {
    alone("files_of_one_build_by_name", || {
        assert!(Pool::global().message("corpus.v3.Leaf").is_none(), "nothing of that build was used");
        v2::Closed::descriptor();
        assert!(Pool::global().message("corpus.v3.Leaf").is_some());
        // The types of the two files have one descriptor each, whoever was first.
        assert_eq!(Pool::global().message("corpus.v3.Leaf").unwrap(), v3::Leaf::descriptor());
        assert!(Pool::global().message("json.v1.Known").is_none(), "nor of this one");
    });
}

/// The wire format needs no descriptor, and registers none.
#[test]
fn the_wire_format_registers_nothing() {
    alone("the_wire_format_registers_nothing", || {
        let known = tobu::from_slice::<Known>(&tobu::to_vec(&Known::default()).unwrap()).unwrap();
        assert_eq!(known, Known::default());
        assert!(Pool::global().message("json.v1.Known").is_none());
    });
}

/// Reflection by name leads from a type of one file to those of others.
#[test]
fn reflection_by_name() {
    alone("reflection_by_name", || {
        let any = Any::new("x/json.v2.Open", b"\x08\x05");
        let known = Known { any: Some(any), ..Known::default() };
        let reflected = known.as_reflect();
        let any = reflected.get_by_name("any").unwrap();
        let inner = tobu::reflect::unpack_any(&*any.as_message().unwrap(), &Pool::global()).unwrap();
        assert_eq!(inner.get_by_name("id").unwrap().as_i32(), Some(5));
    });
}

/// What is secret is so for the first message.
#[test]
fn options_during_a_visit() {
    alone("options_during_a_visit", || {
        let mut card = Card { owner: Some("ann".into()), number: Some("x".into()), ..Card::default() };
        let mut secret = Vec::new();
        let visited = card.as_reflect().visit(|path, field, _| {
            if field.options().get::<i32>("secret.marked.kind").unwrap() == Some(1) {
                secret.push(path.to_string());
            }
            tobu::reflect::Visit::Continue
        });
        visited.unwrap();
        assert_eq!(secret, ["number"]);
        card.as_reflect_mut().redact().unwrap();
        assert_eq!(card, Card { owner: Some("ann".into()), ..Card::default() });
    });
}

/// A stream carries what its reader needs, whatever that has used before.
#[test]
fn described_streams() {
    alone("described_streams", || {
        use tobu::stream::described::{Reader, Writer};
        let any = Any { type_url: "x/json.v2.Open".into(), value: b"\x08\x05"[..].into(), ..Any::default() };
        let known = Known { any: Some(any), ..Known::default() };
        let mut writer = Writer::new(Vec::new());
        writer.write(&known).unwrap();
        writer.finish().unwrap();
        let stream = writer.into_inner();
        let mut reader = Reader::new(&stream[..]);
        let entry = reader.next().unwrap().unwrap();
        assert_eq!(entry.read::<Known>().unwrap(), known);
        let message = entry.to_dynamic().unwrap();
        assert_eq!(message.to_json().unwrap(), r#"{"any":{"@type":"x/json.v2.Open","id":5}}"#);
    });
}
