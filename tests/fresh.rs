//! What a process does first must not decide what it does next: each of these tests runs in a process of its own, in which
//! nothing was used before.

use std::process::Command;
use tobu::prelude::*;
use tobu::types::{Any, Duration};
use tobu::{Pool, json, text};

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
