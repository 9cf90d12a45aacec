//! Fields with a presence bit: the same on every path as an `Option`.

use bytes::Bytes;
use proptest::option;
use proptest::prelude::*;
use tobu::reflect::Value;
use tobu::{DynamicMessage, Message, Presence, json, text};

#[derive(Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "presence", values(COLOR_NONE = 0, COLOR_RED = 1, COLOR_BLUE = 2))]
struct Open(i32);

#[derive(Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "presence")]
enum Closed {
    #[default]
    None = 0,
    One = 1,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Place {
    #[tobu(15)]
    Room(String),
    #[tobu(16)]
    Floor(i32),
}

/// The same message twice: with an `Option` in each field, and with a bit for it. The bits are in no order and in two words.
macro_rules! twins {
    ($($number:literal, $kind:ident, $bit:literal: $name:ident: $ty:ty;)*) => {
        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
        #[tobu(package = "presence", name = "M")]
        struct Options {
            $(#[tobu($number, $kind)] $name: Option<$ty>,)*
            #[tobu(14)]
            plain: i32,
            #[tobu(oneof)]
            place: Option<Place>,
            #[tobu(17)]
            inner: Option<Box<Options>>,
            #[tobu(18)]
            list: Vec<Options>,
            #[tobu(unknown)]
            unknown_fields: tobu::UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
        #[tobu(package = "presence", name = "M")]
        struct Bits {
            $(#[tobu($number, $kind, bit = $bit)] $name: $ty,)*
            #[tobu(14)]
            plain: i32,
            #[tobu(presence)]
            presence: Presence<2>,
            #[tobu(oneof)]
            place: Option<Place>,
            #[tobu(17)]
            inner: Option<Box<Bits>>,
            #[tobu(18)]
            list: Vec<Bits>,
            #[tobu(unknown)]
            unknown_fields: tobu::UnknownFields,
        }

        impl From<Options> for Bits {
            fn from(options: Options) -> Bits {
                let mut bits = Bits {
                    plain: options.plain,
                    place: options.place,
                    inner: options.inner.map(|inner| Box::new(Bits::from(*inner))),
                    list: options.list.into_iter().map(Bits::from).collect(),
                    unknown_fields: options.unknown_fields,
                    ..Bits::default()
                };
                $(if let Some(value) = options.$name {
                    bits.$name = value;
                    bits.presence.set($bit);
                })*
                bits
            }
        }
    };
}

twins! {
    1, redact, 63: int32: i32;
    2, sint32, 0: sint32: i32;
    3, sfixed32, 2: sfixed32: i32;
    4, redact, 1: uint64: u64;
    5, fixed64, 33: fixed64: u64;
    6, redact, 31: flag: bool;
    7, redact, 32: float: f32;
    8, redact, 3: double: f64;
    9, redact, 4: string: String;
    10, redact, 5: bytes: Vec<u8>;
    11, redact, 6: shared: Bytes;
    12, redact, 7: open: Open;
    13, redact, 8: closed: Closed;
    19, redact, 9: boxed: Box<str>;
    20, sint64, 10: sint64: i64;
}

fn message() -> impl Strategy<Value = Options> {
    let numbers = (
        option::of(prop_oneof![Just(0), any::<i32>()]),
        option::of(any::<i32>()),
        option::of(any::<i32>()),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(any::<bool>()),
        option::of(-1.0_f32..1.0),
        option::of(prop_oneof![Just(0.0), Just(-0.0), -1e300..1e300]),
        option::of(any::<i64>()),
    );
    let text = (
        option::of(".{0,40}"),
        option::of(proptest::collection::vec(any::<u8>(), 0..40)),
        option::of(proptest::collection::vec(any::<u8>(), 0..3)),
        option::of(0..4_i32),
        option::of(any::<bool>()),
        option::of("[a-z]{0,5}"),
    );
    let others =
        (any::<i32>(), option::of(prop_oneof![".{0,3}".prop_map(Place::Room), Just(Place::Floor(0))]));
    let leaf = (numbers, text, others).prop_map(|(n, t, o)| Options {
        int32: n.0,
        sint32: n.1,
        sfixed32: n.2,
        uint64: n.3,
        fixed64: n.4,
        flag: n.5,
        float: n.6,
        double: n.7,
        sint64: n.8,
        string: t.0,
        bytes: t.1,
        shared: t.2.map(Bytes::from),
        open: t.3.map(Open),
        closed: t.4.map(|one| if one { Closed::One } else { Closed::None }),
        boxed: t.5.map(Box::from),
        plain: o.0,
        place: o.1,
        ..Options::default()
    });
    leaf.prop_recursive(3, 8, 3, |element| {
        (element.clone(), option::of(element.clone()), proptest::collection::vec(element, 0..3))
            .prop_map(|(message, inner, list)| Options { inner: inner.map(Box::new), list, ..message })
    })
}

proptest! {
    #[test]
    fn a_bit_is_what_an_option_is(options in message(), before in message()) {
        let bits = Bits::from(options.clone());
        let bytes = options.encode_to_vec().unwrap();
        prop_assert_eq!(bits.encode_to_vec().unwrap(), bytes.clone());
        prop_assert_eq!(bits.encoded_len(), bytes.len());
        prop_assert_eq!(&Bits::decode(&bytes[..]).unwrap(), &bits);
        prop_assert_eq!(&tobu::from_bytes::<Bits>(&Bytes::from(bytes.clone())).unwrap(), &bits);

        // What was there before is gone, and what is merged stays.
        let mut used = Bits::from(before.clone());
        tobu::from_slice_in_place(&mut used, &bytes).unwrap();
        prop_assert_eq!(&used, &bits);
        let (mut merged, mut merged_options) = (Bits::from(before.clone()), before);
        merged.merge(&bytes).unwrap();
        merged_options.merge(&bytes).unwrap();
        prop_assert_eq!(&merged, &Bits::from(merged_options));

        let text = options.to_json().unwrap();
        prop_assert_eq!(&bits.to_json().unwrap(), &text);
        prop_assert_eq!(&json::from_str::<Bits>(&text).unwrap(), &json::from_str::<Options>(&text).unwrap().into());
        let text = options.to_text().unwrap();
        prop_assert_eq!(&bits.to_text().unwrap(), &text);
        prop_assert_eq!(&text::from_str::<Bits>(&text).unwrap(), &bits);

        let dynamic = options.as_reflect().to_dynamic().unwrap();
        prop_assert_eq!(&bits.as_reflect().to_dynamic().unwrap(), &dynamic);
        prop_assert_eq!(bits.clone().into_dynamic().unwrap(), dynamic);
        for field in Bits::descriptor().fields() {
            prop_assert_eq!(bits.as_reflect().has(&field).unwrap(), options.as_reflect().has(&field).unwrap());
        }

        // Formats of other crates.
        let json = serde_json::to_string(&options).unwrap();
        prop_assert_eq!(&serde_json::to_string(&bits).unwrap(), &json);
        prop_assert_eq!(&serde_json::from_str::<Bits>(&json).unwrap(), &serde_json::from_str::<Options>(&json).unwrap().into());
        let binary = postcard::to_stdvec(&options).unwrap();
        prop_assert_eq!(&postcard::to_stdvec(&bits).unwrap(), &binary);
        prop_assert_eq!(&postcard::from_bytes::<Bits>(&binary).unwrap(), &bits);
    }
}

#[test]
fn reflection_sets_and_clears_bits() {
    let descriptor = Bits::descriptor();
    let field = |name: &str| descriptor.field_by_name(name).unwrap();
    let mut message = Bits::default();
    let reflected = message.as_reflect_mut();
    reflected.set(&field("int32"), Value::I32(7)).unwrap();
    reflected.set(&field("string"), Value::from("seven")).unwrap();
    reflected.set(&field("closed"), Value::Enum(1)).unwrap();
    assert!(reflected.has(&field("int32")).unwrap() && !reflected.has(&field("bytes")).unwrap());
    assert_eq!(
        message.presence,
        [63, 4, 8].into_iter().fold(Presence::new(), |mut presence, bit| {
            presence.set(bit);
            presence
        })
    );
    assert_eq!((message.int32, &*message.string, message.closed), (7, "seven", Closed::One));

    message.as_reflect_mut().clear(&field("string")).unwrap();
    assert!(!message.presence.has(4));
    assert_eq!(message.string, "");
    // A number that the closed enum does not have leaves the field as it was.
    let error = message.as_reflect_mut().set(&field("closed"), Value::Enum(9)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "presence.M.closed: the closed enum presence.Closed has no value of number 9"
    );
    assert!(message.presence.has(8));
    assert_eq!(message.closed, Closed::One);
}

/// A value that is cut off is an error, and what was decoded before it stays as it is.
#[test]
fn errors_are_those_of_options() {
    for bytes in [&b"\x4a\x05ab"[..], b"\x0a\x00\x4a\x02\xff\xff", b"\x68", b"\x08\xff"] {
        let error = tobu::from_slice::<Options>(bytes).unwrap_err();
        assert_eq!(tobu::from_slice::<Bits>(bytes).unwrap_err().to_string(), error.to_string());
        let mut used = Bits { string: "used".into(), ..Bits::default() };
        used.presence.set(4);
        assert_eq!(tobu::from_slice_in_place(&mut used, bytes).unwrap_err().to_string(), error.to_string());
    }
}

/// What a closed enum has no value for is an unknown field, and its bit stays clear.
#[test]
fn foreign_values_of_closed_enums_are_unknown() {
    let bits: Bits = tobu::from_slice(b"\x68\x09").unwrap();
    assert!(!bits.presence.has(8));
    assert_eq!(bits.unknown_fields.as_bytes(), b"\x68\x09");
}

/// Text that borrows from the input may have a bit, and a required field, too.
#[test]
fn borrowed_and_required() {
    #[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "presence")]
    struct View<'a> {
        #[tobu(1, required, bit = 0)]
        name: &'a str,
        #[tobu(2, bit = 1, default = "x")]
        note: &'a str,
        #[tobu(presence)]
        presence: Presence<1>,
    }
    let view: View<'_> = tobu::from_slice(b"\x0a\x01a\x12\x00").unwrap();
    assert_eq!((view.name, view.note, view.presence.has(1)), ("a", "", true));
    assert_eq!(tobu::to_vec(&view).unwrap(), b"\x0a\x01a\x12\x00");
    assert_eq!(
        tobu::from_slice::<View<'_>>(b"\x12\x00").unwrap_err().to_string(),
        "presence.View: required field name has no value"
    );
    assert_eq!(
        tobu::to_vec(&View::default()).unwrap_err().to_string(),
        "presence.View.name: required field name has no value"
    );
    let note = View::descriptor().field_by_name("note").unwrap();
    assert_eq!(view.as_reflect().get(&note).unwrap().to_value().unwrap(), Value::from(""));
    assert_eq!(View::default().as_reflect().get(&note).unwrap().to_value().unwrap(), Value::from("x"));
}

/// A message of dynamic storage, read into bits by its own reflection.
#[test]
fn from_dynamic() {
    let mut dynamic = DynamicMessage::new(&Bits::descriptor()).unwrap();
    dynamic.set_by_name("double", Value::F64(-0.0)).unwrap();
    let bits: Bits = tobu::from_slice(&dynamic.encode_to_vec().unwrap()).unwrap();
    assert!(bits.presence.has(3));
    assert!(bits.double.is_sign_negative());
}
