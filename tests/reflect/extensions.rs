//! Extensions are kept as unknown fields: whether those that a pool knows can be read.

use super::support::pool;
use tobu::DynamicMessage;

const SOURCE: &str = r#"
    syntax = "proto2";
    package checked;
    message Open {
        optional Open inner = 1; repeated Open list = 2; map<string, Open> named = 3;
        extensions 100 to max;
    }
    message Part { required int32 id = 1; extensions 100 to max; }
    extend Open {
        optional int32 number = 100;
        optional Part part = 101;
        optional group Old = 102 { optional int32 id = 1; }
        optional string text = 103;
        repeated int32 packed = 104 [packed = true];
    }
    extend Part { optional Part child = 100; }
"#;

/// Bytes of an `Open`, and the error where its extensions cannot be read.
const ROWS: &[(&[u8], Option<&str>)] = &[
    (b"", None),
    (b"\xa0\x06\x05", None),
    // Of another wire type it is no such extension: an unknown field, with any content.
    (b"\xa2\x06\x01\xff", None),
    (b"\xb2\x06\x01\xff", None),
    (b"\xb2\x06\x00", None),
    (b"\xa8\x06\x05", None),
    // A group, as declared; and a message that is one on the wire.
    (b"\xb3\x06\x08\x01\xb4\x06", None),
    (b"\xab\x06\x08\x01\xac\x06", None),
    (b"\xb3\x06\x0a\x00\xb4\x06", None),
    // A number without a declaration.
    (b"\xc2\x3e\x01\xff", None),
    // Text of proto2 is not checked.
    (b"\xba\x06\x01\xff", None),
    (b"\xc2\x06\x02\x01\x80", Some("checked.Open.[checked.packed][1]: input ends inside a varint")),
    (b"\xaa\x06\x02\x08\x01", None),
    (b"\xaa\x06\x00", Some("checked.Open.[checked.part]: required field id has no value")),
    // With several occurrences.
    (b"\xaa\x06\x00\xaa\x06\x02\x08\x01", None),
    // In messages, lists, maps and extensions.
    (b"\x0a\x03\xaa\x06\x00", Some("checked.Open.inner.[checked.part]: required field id has no value")),
    (
        b"\x12\x00\x12\x03\xaa\x06\x00",
        Some("checked.Open.list[1].[checked.part]: required field id has no value"),
    ),
    (
        b"\x1a\x08\x0a\x01k\x12\x03\xaa\x06\x00",
        Some("checked.Open.named[\"k\"].[checked.part]: required field id has no value"),
    ),
    (
        b"\xaa\x06\x05\x08\x01\xa2\x06\x00",
        Some("checked.Open.[checked.part].[checked.child]: required field id has no value"),
    ),
];

#[test]
fn those_that_a_pool_knows_are_checked() {
    let pool = pool("checked.proto", SOURCE);
    let open = pool.message("checked.Open").unwrap();
    let mut failures = Vec::new();
    for (bytes, expected) in ROWS {
        let message = DynamicMessage::decode(&open, bytes).unwrap();
        let error = message.as_view().unwrap().check_extensions(&pool).err().map(|error| error.to_string());
        if error.as_deref() != *expected {
            failures.push(format!("{bytes:02x?}: {error:?} instead of {expected:?}"));
        }
        assert_eq!(message.encode_to_vec().unwrap(), *bytes, "checking changes nothing");
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
