//! Values that other types than a message's own write, in ways that no derive does: errors, never a panic and never bytes that the
//! schema does not have.

use serde::ser::{Error as _, SerializeMap, SerializeSeq, SerializeStruct, Serializer as _};
use std::collections::HashMap;
use tobu::{EncodeOptions, Message, MessageDescriptorExt, Serialize, Serializer};

/// A value that writes itself by a function.
struct By<F>(F);

type Written<'a> = Result<(), tobu::Error>;

impl<F: Fn(&mut Serializer<'_>) -> Result<(), tobu::Error>> By<F> {
    fn as_message<T: Message>(&self) -> Result<Vec<u8>, String> {
        let mut serializer = Serializer::of::<T>().map_err(|error| error.to_string())?;
        (self.0)(&mut serializer).map_err(|error| error.to_string())?;
        serializer.finish().map_err(|error| error.to_string())
    }
}

#[derive(Message, Serialize)]
#[tobu(package = "hand")]
struct Maps {
    #[tobu(1)]
    a: HashMap<String, i32>,
    #[tobu(2)]
    b: HashMap<String, i32>,
}

#[derive(Message, Serialize)]
#[tobu(package = "hand")]
struct Inner {
    #[tobu(1)]
    x: i32,
}

#[derive(Message, Serialize)]
#[tobu(package = "hand")]
struct Other {
    #[tobu(1)]
    a: i32,
    #[tobu(2)]
    b: Option<Inner>,
}

#[derive(Message, Serialize)]
#[tobu(package = "hand")]
struct Bytes {
    #[tobu(1)]
    a: Vec<u8>,
}

#[derive(tobu::Oneof, Serialize)]
enum Choice {
    #[tobu(21)]
    Number(i32),
    #[tobu(22)]
    Text(String),
}

#[derive(Message, Serialize)]
#[tobu(package = "hand")]
struct Choosing {
    #[tobu(oneof)]
    choice: Option<Choice>,
}

#[test]
fn a_struct_where_the_schema_has_a_map() {
    #[derive(serde::Serialize)]
    struct Struct {
        b: Small,
    }
    #[derive(serde::Serialize)]
    struct Small {
        k: i32,
    }
    let error = Maps::descriptor().encode(&Struct { b: Small { k: 1 } }).unwrap_err();
    assert_eq!(error.to_string(), "hand.Maps.b: the field is a map, which a struct does not fit");
}

#[test]
fn a_message_in_the_place_of_another() {
    let other = By(|serializer: &mut Serializer<'_>| -> Written<'_> {
        Other { a: 1, b: Some(Inner { x: 2 }) }.serialize(serializer)
    });
    assert_eq!(other.as_message::<Other>().unwrap(), [8, 1, 18, 2, 8, 2]);
    assert_eq!(other.as_message::<Maps>().unwrap_err(), "the type is a hand.Other");
    assert_eq!(other.as_message::<Inner>().unwrap_err(), "the type is a hand.Other");
    let maps = By(|serializer: &mut Serializer<'_>| -> Written<'_> {
        Maps { a: HashMap::from([("k".into(), 1)]), b: HashMap::new() }.serialize(serializer)
    });
    assert_eq!(maps.as_message::<Maps>().unwrap(), [10, 5, 10, 1, b'k', 16, 1]);
    assert_eq!(maps.as_message::<Other>().unwrap_err(), "the type is a hand.Maps");
}

#[test]
fn more_members_than_there_are() {
    let many = By(|serializer: &mut Serializer<'_>| -> Written<'_> {
        let mut members = serializer.serialize_struct("$tobu::Message", 3)?;
        members.serialize_field("choice", &None::<i32>)?;
        members.serialize_field("number", &77)?;
        members.serialize_field("text", "eh")?;
        SerializeStruct::end(members)
    });
    assert_eq!(
        many.as_message::<Choosing>().unwrap_err(),
        "hand.Choosing has no field or oneof named \"number\""
    );
    let named = By(|serializer: &mut Serializer<'_>| -> Written<'_> {
        Choosing { choice: Some(Choice::Text("eh".into())) }.serialize(&mut *serializer)?;
        Choosing { choice: Some(Choice::Number(7)) }.serialize(serializer)
    });
    assert_eq!(named.as_message::<Choosing>().unwrap(), [178, 1, 2, b'e', b'h', 168, 1, 7]);
}

/// Bytes as a sequence with an element that is not a byte, which is skipped.
struct NoBytes;

impl serde::Serialize for NoBytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        assert!(seq.serialize_element("not a byte").is_err());
        assert!(seq.serialize_element(&1u8).is_err());
        seq.end()
    }
}

/// A map with a key that has no value.
struct KeyTwice;

impl serde::Serialize for KeyTwice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_key("a")?;
        match map.serialize_key("b") {
            Ok(()) => Err(S::Error::custom("a key was taken twice")),
            Err(error) => Err(error),
        }
    }
}

/// A map with a value that fails, which is skipped.
struct ValueFails;

impl serde::Serialize for ValueFails {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        assert!(map.serialize_entry("a", "no number").is_err());
        map.end()
    }
}

#[test]
fn what_failed_does_not_go_on() {
    #[derive(serde::Serialize)]
    struct Of<T> {
        a: T,
    }
    let encode = |options: EncodeOptions, maps: bool| {
        let text = |done: tobu::Result<Vec<u8>>| done.unwrap_err().to_string();
        match maps {
            false => vec![text(Bytes::descriptor().encode_with(&Of { a: NoBytes }, options))],
            true => vec![
                text(Maps::descriptor().encode_with(&Of { a: KeyTwice }, options)),
                text(Maps::descriptor().encode_with(&Of { a: ValueFails }, options)),
            ],
        }
    };
    for deterministic in [false, true] {
        let options = EncodeOptions::new().deterministic(deterministic);
        assert_eq!(encode(options, false), ["hand.Bytes.a: what failed before cannot go on"]);
        assert_eq!(
            encode(options, true),
            ["hand.Maps.a: a map key came without its value", "hand.Maps.a: what failed before cannot go on"]
        );
    }
}

#[test]
fn a_message_that_does_not_end_is_not_finished() {
    let left = By(|serializer: &mut Serializer<'_>| -> Written<'_> {
        let mut members = serializer.serialize_struct("Inner", 1)?;
        members.serialize_field("x", &5)
    });
    assert_eq!(left.as_message::<Inner>().unwrap_err(), "the message was not written to its end");
}

#[test]
fn the_pair_goes_from_thread_to_thread() {
    fn is_send<T: Send>(_: &T) {}
    let mut serializer = Serializer::of::<Inner>().unwrap();
    is_send(&serializer);
    is_send(&(&mut serializer).serialize_struct("Inner", 1).unwrap());
}

/// A message that writes its member twice, and fails in between where that is 0 or below.
#[derive(Message)]
#[tobu(package = "hand")]
struct Failing {
    #[tobu(1)]
    a: i32,
}

impl serde::Serialize for Failing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Failing", 2)?;
        members.serialize_field("a", &7)?;
        match self.a {
            0 => return Err(S::Error::custom("no")),
            ..0 => panic!("on purpose"),
            _ => members.serialize_field("a", &self.a)?,
        }
        members.end()
    }
}

#[test]
fn nothing_remains_of_a_message_that_failed() {
    let mut serializer = Serializer::of::<Failing>().unwrap();
    let error = serde::Serialize::serialize(&Failing { a: 0 }, &mut serializer).unwrap_err();
    assert_eq!(error.to_string(), "no");
    serde::Serialize::serialize(&Failing { a: 3 }, &mut serializer).unwrap();
    assert_eq!(serializer.finish().unwrap(), [8, 3]);

    let mut serializer = Serializer::of::<Other>().unwrap();
    serde::Serialize::serialize(&Failing { a: 0 }, &mut serializer).unwrap_err();
    Other { a: 5, b: None }.serialize(&mut serializer).unwrap();
    assert_eq!(serializer.finish().unwrap(), [8, 5]);
}

#[test]
fn a_failure_or_a_panic_leaves_the_buffer_as_it_was() {
    let (options, json) = (EncodeOptions::new(), tobu::json::Options::new());
    let (mut bytes, mut text) = (b"before".to_vec(), b"before".to_vec());
    for a in [-1, 0] {
        let message = Failing { a };
        let append = std::panic::AssertUnwindSafe(|| options.append(&message, &mut bytes));
        assert_eq!(std::panic::catch_unwind(append).map_or(-1, |done| i32::from(done.is_ok())), a);
        let append = std::panic::AssertUnwindSafe(|| json.append(&message, &mut text));
        assert_eq!(std::panic::catch_unwind(append).map_or(-1, |done| i32::from(done.is_ok())), a);
        assert_eq!((&bytes[..], &text[..]), (&b"before"[..], &b"before"[..]));
    }
    options.append(&Failing { a: 9 }, &mut bytes).unwrap();
    json.append(&Failing { a: 9 }, &mut text).unwrap();
    assert_eq!((&bytes[..], &text[..]), (&b"before\x08\x09"[..], &b"before{\"a\":9}"[..]));
}
