//! Serde formats.

use crate::{decode, descriptor, empty};
use serde::de::DeserializeSeed;
use tobu::MessageDescriptorExt;

#[test]
fn a_format_that_describes_itself() {
    let message = decode(
        "v3.Tree",
        b"\x0a\x01n\x22\x00\x22\x03\x0a\x01c\x2a\x03\x0a\x01k\x32\x06\x08\x01\x1a\x02\x01\x02\xa0\x06\x01",
    );
    let value = ciborium::Value::serialized(&message).unwrap();
    let members: Vec<_> = value.as_map().unwrap().iter().map(|(name, _)| name.as_text().unwrap()).collect();
    assert_eq!(members, ["name", "children", "named", "leaf", "$unknown"]);
    assert_eq!(value.as_map().unwrap()[4].1.as_bytes().unwrap(), &[160, 6, 1]);
    let bytes = rmp_serde::to_vec_named(&message).unwrap();
    assert_eq!(from_named("v3.Tree", &bytes), Ok(message));
}

/// Human-readable formats use ProtoJSON, which has no unknown fields.
#[test]
fn a_format_that_people_read() {
    let message = decode("v3.Tree", b"\x0a\x01n\x22\x00\x32\x06\x08\x01\x1a\x02\x01\x02\xa0\x06\x01");
    let value = serde_json::to_value(&message).unwrap();
    assert_eq!(value, serde_json::json!({"name": "n", "children": [{}], "leaf": {"a": 1, "c": [1, 2]}}));
    assert_eq!(serde_json::to_string(&message).unwrap(), tobu::json::to_string(&message).unwrap());
    let again = descriptor("v3.Tree").seed().deserialize(value).unwrap();
    assert_eq!(again.encode_to_vec().unwrap(), b"\x0a\x01n\x22\x00\x32\x06\x08\x01\x1a\x02\x01\x02");
    let error =
        descriptor("v3.Tree").seed().deserialize(serde_json::json!({"leaf": {"a": "x"}})).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Tree.leaf.a: expected an int32, but found the string \"x\"");
}

thread_local! {
    static NAME: std::cell::Cell<&'static str> = const { std::cell::Cell::new("") };
}

/// A message of the type with the name `NAME`.
struct Named(tobu::DynamicMessage);

impl<'de> serde::Deserialize<'de> for Named {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        descriptor(NAME.get()).seed().deserialize(deserializer).map(Named)
    }
}

/// Reads a message from a tree that is not for people, but has typed values.
fn from_tree(name: &'static str, tree: &serde_json::Value) -> Result<tobu::DynamicMessage, String> {
    NAME.set(name);
    let tree = ciborium::Value::serialized(tree).unwrap();
    match tree.deserialized::<Named>() {
        Ok(Named(message)) => Ok(message),
        Err(ciborium::value::Error::Custom(message)) => Err(message),
    }
}

fn from_named(name: &str, bytes: &[u8]) -> Result<tobu::DynamicMessage, String> {
    let mut format = rmp_serde::Deserializer::new(bytes);
    descriptor(name).seed().deserialize(&mut format).map_err(|error| error.to_string())
}

#[test]
fn the_own_pair() {
    let wire = b"\x0a\x01n\x22\x00\x2a\x03\x0a\x01k\xa0\x06\x01";
    let message = decode("v3.Tree", wire);
    let bytes = descriptor("v3.Tree").encode(&message).unwrap();
    assert_eq!(bytes, b"\x0a\x01n\x22\x00\x2a\x05\x0a\x01k\x12\x00\xa0\x06\x01");
    let closed = decode("v2.Closed", b"\x08\x03\x22\x05\x0a\x01k\x10\x01\x2a\x00");
    assert_eq!(descriptor("v2.Closed").encode(&closed).unwrap(), closed.encode_to_vec().unwrap());
}

#[test]
fn what_does_not_fit() {
    let error = |name: &'static str, value: serde_json::Value| from_tree(name, &value).unwrap_err();
    assert_eq!(error("v3.Leaf", serde_json::json!({"x": 1})), "corpus.v3.Leaf has no field named \"x\"");
    // Where the format itself knows that it has something else, the words are the format's.
    for other in [r#"{"a": "x"}"#, r#"{"c": 1}"#, r#"{"a": 1099511627776}"#] {
        let other = serde_json::from_str(other).unwrap();
        let error = error("v3.Leaf", other);
        assert!(error.starts_with("invalid type: "), "{error}");
    }
    assert_eq!(error("v2.Closed", serde_json::json!({"level": 2})), "2 is out of range for enum");
    let mut deep = serde_json::json!({});
    for _ in 0..100 {
        deep = serde_json::json!({"left": deep});
    }
    assert_eq!(error("v3.Tree", deep), "messages are nested deeper than 100 levels");
    assert_eq!(from_named("v3.Leaf", b"\x80"), Ok(empty("v3.Leaf")));
}

#[test]
fn maps_of_every_kind() {
    let wire = b"\x0a\x0d\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x02\x5a\x04\x08\x01\x10\x01\x62\x06\x0a\x01k\x12\x01v\x6a\x05\x0a\x01k\x12\x00";
    let message = decode("v3.Maps", wire);
    assert_eq!(from_named("v3.Maps", &rmp_serde::to_vec_named(&message).unwrap()), Ok(message));
}

#[test]
fn a_format_that_does_not_describe_itself() {
    let messages = [
        decode("v3.Tree", b"\x0a\x01n\x22\x00\x2a\x03\x0a\x01k\x32\x06\x08\x01\x1a\x02\x01\x02\xa0\x06\x01"),
        decode("v3.Maps", b"\x0a\x04\x08\x01\x10\x02\x5a\x04\x08\x01\x10\x01\x7a\x03\x0a\x01k"),
        decode("v3.Optionals", b"\x09\0\0\0\0\0\0\xf0\x3f\x15\0\0\x80\x3f\x38\x01\x7a\x01\xff\x80\x01\x09"),
        decode("v2.Groups", b"\x0b\x08\x01\x0c\x1b\x22\x01x\x1c\x1b\x1c"),
    ];
    for message in messages {
        let bytes = postcard::to_stdvec(&message).unwrap();
        let mut format = postcard::Deserializer::from_bytes(&bytes);
        assert_eq!(message.descriptor().seed().deserialize(&mut format).unwrap(), message);
    }
}

/// Formats that describe themselves give what they find, whatever is asked for: a field of any shape may get a value of any
/// other, and another one after it.
#[test]
fn a_value_of_another_shape_is_refused() {
    // The values of MessagePack: true, 5, -1, f32, f64, text, bytes, lists and a map.
    let values: [&[u8]; 10] = [
        b"\xc3",
        b"\x05",
        b"\xff",
        b"\xca\x40\x00\x00\x00",
        b"\xcb\x40\x00\x00\x00\x00\x00\x00\x00",
        b"\xa1a",
        b"\xc4\x02\x01\x02",
        b"\x92\x01\x02",
        b"\x91\xa1a",
        b"\x81\xa1a\x01",
    ];
    let names = ["v3.Scalars", "v3.Lists", "v3.Maps", "v3.Tree", "v3.Choice", "v2.Groups", "v2.Loose"];
    let (mut read, mut refused) = (0, 0);
    for name in names {
        for field in descriptor(name).fields() {
            let member = [&[0xd9, field.name().len() as u8], field.name().as_bytes()].concat();
            for first in values {
                for second in values {
                    let bytes = [b"\x82", &member[..], first, &member, second].concat();
                    let Ok(message) = from_named(name, &bytes) else {
                        refused += 1;
                        continue;
                    };
                    read += 1;
                    // What was read is whole: it can be visited, written and read again.
                    let wire = message.encode_to_vec().unwrap();
                    assert_eq!(decode(name, &wire), message, "{name}.{}: {bytes:x?}", field.name());
                    assert!(!format!("{message:?}").is_empty());
                }
            }
        }
    }
    assert!(read > 100 && refused > 5_000, "{read} {refused}");
}

#[test]
fn the_words_of_a_list_do_not_come_from_elsewhere() {
    let error = |name, bytes: &[u8]| from_named(name, bytes).unwrap_err();
    let cases: [(&str, &[u8], &str); 5] = [
        (
            "v3.Tree",
            b"\x81\xa8children\x05",
            "invalid type: a number, expected a list for the field children",
        ),
        ("v3.Tree", b"\x81\xa5named\xa1x", "invalid type: string \"x\", expected a map for the field named"),
        ("v3.Leaf", b"\x81\xa1c\x05", "invalid type: a number, expected a list for the field c"),
        ("v3.Leaf", b"\x81\xa1c\xc3", "invalid type: boolean `true`, expected a list for the field c"),
        (
            "v3.Leaf",
            b"\x81\xa1c\xcb\0\0\0\0\0\0\0\0",
            "invalid type: floating point `0.0`, expected a list for the field c",
        ),
    ];
    for (name, bytes, expected) in cases {
        assert_eq!(error(name, bytes), expected, "{bytes:x?}");
    }
}
