//! How messages reach tobu's own serializer and deserializer, and how other serializers are called.

use crate::error::Result;
use crate::object::{Field, Fill, Object, ObjectAt, ObjectMut, TypedMut};
use crate::serde::others::tests::*;
use crate::serde::others::{TypedDeserializer, TypedSerializer};
use crate::{DecodeOptions, Deserializer, DynamicMessage, EncodeOptions, MessageDescriptorExt, Serializer};

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Theirs {
    number: i32,
}

/// Writes a value to bytes. If it is a message, returns the name of its message instead.
fn write_out<T: Serialize>(value: &T) -> Result<(Option<String>, Vec<u8>)> {
    let mut old = Serializer::of::<All>()?;
    let mut name = None;
    value.serialize(TypedSerializer::new(
        &mut |message, _| {
            let table = message.table();
            name = Some(table.full_name.to_string());
            assert!(matches!(message.get(table.row(2).unwrap())?, Some(Field::Scalar(7)) | None));
            Ok(())
        },
        &mut old,
    ))?;
    Ok((name, old.finish()?))
}

#[test]
fn a_message_is_handed_over() {
    let bridged = Bridged(All { number: 7, ..All::default() });
    assert_eq!(write_out(&bridged).unwrap(), (Some("bridge.All".into()), vec![]));
    // This is not a message, so it reaches the other serializer.
    let map = std::collections::HashMap::from([("number", 7)]);
    assert_eq!(write_out(&map).unwrap(), (None, b"\x10\x07".to_vec()));
    // The name of the newtype does not matter, because anyone could use it.
    struct Forged;
    impl Serialize for Forged {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_newtype_struct("All", &std::collections::HashMap::from([("number", 8)]))
        }
    }
    assert_eq!(write_out(&Forged).unwrap(), (None, b"\x10\x08".to_vec()));
    let error = write_out(&5).unwrap_err();
    assert_eq!(error.to_string(), "a message is a struct or a map, not a number");
}

/// Reads a value from bytes, unless a message is passed directly: then sets a field.
fn read_back<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T> {
    let descriptor = All::descriptor();
    let mut old = Deserializer::new(&descriptor, bytes, DecodeOptions::new())?;
    let mut fill = |mut message: TypedMut<'_, '_>, _: &mut Deserializer<'_, '_>| {
        let row = message.table().row(2).unwrap();
        message.set_scalar(row, 77)
    };
    T::deserialize(TypedDeserializer::new(&mut fill, &mut old))
}

#[test]
fn a_message_is_handed_over_to_be_filled() {
    let read: Bridged<All> = read_back(b"\x10\x07").unwrap();
    assert_eq!(read.0, All { number: 77, ..All::default() });
    let read: Theirs = read_back(b"\x10\x07").unwrap();
    assert_eq!(read.number, 7);
    assert!(read_back::<Bridged<All>>(b"\x10").is_ok(), "the input is not looked at");
    assert!(read_back::<u32>(b"\x10\x07").is_err());
}

/// tobu's own serializer accepts the bridge's output like any struct.
#[test]
fn tobus_own_serializer_as_another_format() {
    for value in values() {
        let mut old = Serializer::of::<All>().unwrap();
        Bridged(value.clone()).serialize(&mut old).unwrap();
        let bytes = old.finish().unwrap();
        assert_eq!(bytes, crate::to_vec(&value).unwrap());
        let mut old = Deserializer::of::<All>(&bytes).unwrap();
        let read = Bridged::<All>::deserialize(&mut old).unwrap().0;
        assert_eq!(read, crate::from_slice::<All>(&bytes).unwrap());
    }
}

#[test]
fn messages_inside_types_of_others_under_a_schema() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Outer {
        number: i32,
        inners: Vec<Bridged<Part>>,
    }
    /// With other names, those of the schema.
    #[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    #[tobu(package = "bridge")]
    struct Part {
        #[tobu(2)]
        number: i32,
        #[tobu(7)]
        bytes: Vec<u8>,
        #[tobu(12)]
        color: Color,
    }
    let part = Part { number: 5, bytes: vec![255], color: Color(9) };
    let outer = Outer { number: 1, inners: vec![Bridged(part), Bridged(Part::default())] };
    let descriptor = All::descriptor();
    let bytes = descriptor.encode_with(&outer, EncodeOptions::new()).unwrap();
    assert_eq!(bytes, b"\x10\x01\x92\x01\x07\x10\x05\x3a\x01\xff\x60\x09\x92\x01\x00");
    assert_eq!(descriptor.decode_with::<Outer>(&bytes, DecodeOptions::new()).unwrap(), outer);
    let dynamic = DynamicMessage::decode(&descriptor, &bytes).unwrap();
    assert_eq!(dynamic.encode_to_vec().unwrap(), bytes);
}
