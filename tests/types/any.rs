//! Any: packing and unpacking.

use tobu::types::{Any, Duration, Timestamp};
use tobu::{Deserialize, Message, Serialize};

#[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "any.test")]
struct Name<'a> {
    #[tobu(1)]
    name: &'a str,
}

#[test]
fn packs_and_unpacks() {
    let any = Any::pack(&Name { name: "x" }).unwrap();
    assert_eq!(tobu::to_vec(&any).unwrap(), b"\x0a!type.googleapis.com/any.test.Name\x12\x03\x0a\x01x");
    assert_eq!(any.type_name(), Some("any.test.Name"));
    assert!(any.is::<Name<'_>>());
    assert!(!any.is::<Any>());
    // It borrows from the bytes in the message.
    let name = any.unpack::<Name<'_>>().unwrap();
    assert_eq!(name, Name { name: "x" });
    assert!(any.value.as_ptr_range().contains(&name.name.as_ptr()));

    let outer = Any::pack(&any).unwrap();
    assert_eq!(outer.unpack::<Any>().unwrap(), any);
}

#[test]
fn prefixes() {
    for (prefix, url) in [
        ("example.com/a", "example.com/a/google.protobuf.Duration"),
        ("example.com/", "example.com/google.protobuf.Duration"),
        ("", "/google.protobuf.Duration"),
    ] {
        let any = Any::pack_with_prefix(&Duration::new(1, 0), prefix).unwrap();
        assert_eq!(any.type_url, url);
        assert_eq!(any.unpack::<Duration>().unwrap(), Duration::new(1, 0));
    }
}

#[test]
fn errors() {
    for (url, name, error) in [
        ("", None, "the type URL \"\" has no name of a type after a slash"),
        ("x/", None, "the type URL \"x/\" has no name of a type after a slash"),
        (
            "google.protobuf.Timestamp",
            None,
            "the type URL \"google.protobuf.Timestamp\" has no name of a type after a slash",
        ),
        ("x/a.B", Some("a.B"), "the message is of type a.B, not google.protobuf.Timestamp"),
        ("x/a\nB", Some("a\nB"), "the message is of type \"a\\nB\", not google.protobuf.Timestamp"),
    ] {
        let any = Any::new(url, []);
        assert_eq!(any.type_name(), name);
        assert!(!any.is::<Timestamp>());
        assert_eq!(any.unpack::<Timestamp>().unwrap_err().to_string(), error);
    }
    let any = Any::new("x/google.protobuf.Timestamp", b"\x08");
    assert_eq!(
        any.unpack::<Timestamp>().unwrap_err().to_string(),
        "google.protobuf.Timestamp.seconds: input ends inside a varint (at byte 1)"
    );
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = tobu::types::files::ANY, message = "google.protobuf.Missing")]
struct Missing {}

#[test]
fn a_type_without_a_schema() {
    let error = "there is no message named \"google.protobuf.Missing\"";
    assert_eq!(Any::pack(&Missing {}).unwrap_err().to_string(), error);
    let any = Any::new("x/google.protobuf.Missing", []);
    assert_eq!(any.unpack::<Missing>().unwrap_err().to_string(), error);
    assert!(!any.is::<Missing>());
}
