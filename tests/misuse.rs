//! Impls of serde's traits that break the order of calls, or contradict earlier calls or their input: errors or the
//! intended result, never a panic, and never bytes that do not fit the schema.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::fmt;
use std::marker::PhantomData;
use tobu::{Message, MessageDescriptorExt};

#[derive(Message, tobu::Serialize, tobu::Deserialize, Debug, Default, PartialEq)]
#[tobu(package = "misuse")]
struct All {
    #[tobu(1)]
    number: i32,
    #[tobu(2)]
    numbers: Vec<i32>,
    #[tobu(3)]
    map: std::collections::BTreeMap<String, i32>,
    #[tobu(4)]
    all: Option<Box<All>>,
}

const WIRE: &[u8] = b"\x08\x05\x12\x02\x01\x02\x1a\x05\x0a\x01k\x10\x07\x22\x02\x08\x06";
const JSON: &str = r#"{"number":5,"numbers":[1,2],"map":{"k":7},"all":{"number":6}}"#;

/// A way to request a map.
trait Ask: Sized {
    fn ask<'de, A: MapAccess<'de>>(map: A) -> Result<String, A::Error>;
}

/// The result of such a way, or the error.
struct Asked<W>(String, PhantomData<W>);

impl<'de, W: Ask> Deserialize<'de> for Asked<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Asking<W>(PhantomData<W>);
        impl<'de, W: Ask> Visitor<'de> for Asking<W> {
            type Value = Asked<W>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Asked<W>, A::Error> {
                W::ask(map).map(|outcome| Asked(outcome, PhantomData))
            }
        }
        deserializer.deserialize_map(Asking(PhantomData))
    }
}

/// By the wire format and by JSON, which agree.
#[track_caller]
fn asks<W: Ask>(wanted: &str) {
    let descriptor = All::descriptor();
    let outcome = |asked: tobu::Result<Asked<W>>| asked.map_or_else(|error| error.message(), |asked| asked.0);
    assert_eq!(outcome(descriptor.decode(WIRE)), wanted);
    assert_eq!(outcome(descriptor.decode_json(JSON)), wanted, "as JSON");
}

/// Takes a value and leaves it where it is.
struct Untaken;

impl<'de> DeserializeSeed<'de> for Untaken {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Ok(())
    }
}

/// Defines a way to request a map.
macro_rules! ask {
    ($name:ident, |$map:ident| $body:block) => {
        struct $name;
        impl Ask for $name {
            fn ask<'de, A: MapAccess<'de>>(mut $map: A) -> Result<String, A::Error> $body
        }
    };
}

ask!(ValueFirst, |map| { map.next_value::<i32>().map(|value| value.to_string()) });
ask!(ValueTwice, |map| {
    map.next_key::<String>()?;
    map.next_value::<i32>()?;
    map.next_value::<i32>().map(|value| value.to_string())
});
ask!(KeysAlone, |map| {
    let mut keys = Vec::new();
    while let Some(key) = map.next_key::<String>()? {
        keys.push(key);
    }
    Ok(keys.join(" "))
});
ask!(AfterTheEnd, |map| {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(format!("{:?}", (map.next_key::<String>()?, map.next_key::<String>()?)))
});
ask!(NothingTaken, |map| {
    let mut keys = Vec::new();
    while let Some(key) = map.next_key::<String>()? {
        map.next_value_seed(Untaken)?;
        keys.push(key);
    }
    Ok(keys.join(" "))
});
ask!(KeyUntaken, |map| {
    let mut count = 0;
    while map.next_key_seed(Untaken)?.is_some() {
        map.next_value::<IgnoredAny>()?;
        count += 1;
    }
    Ok(count.to_string())
});
ask!(Nothing, |map| {
    let _ = &mut map;
    Ok("nothing".into())
});

#[test]
fn maps_are_asked_in_any_order() {
    asks::<ValueFirst>("a value was requested before its key");
    asks::<ValueTwice>("a value was requested before its key");
    asks::<KeysAlone>("number numbers map all");
    asks::<AfterTheEnd>("(None, None)");
    asks::<NothingTaken>("number numbers map all");
    asks::<KeyUntaken>("4");
    asks::<Nothing>("nothing");
}

/// Defines a value that writes itself.
macro_rules! by {
    ($name:ident, |$serializer:ident| $body:block) => {
        struct $name;
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, $serializer: S) -> Result<S::Ok, S::Error> $body
        }
    };
}

by!(FewerThanSaid, |serializer| {
    let mut seq = serializer.serialize_seq(Some(1 << 40))?;
    seq.serialize_element(&1)?;
    seq.end()
});
by!(MoreThanSaid, |serializer| {
    let mut seq = serializer.serialize_tuple(1)?;
    seq.serialize_element(&1)?;
    seq.serialize_element(&2)?;
    seq.end()
});
by!(ValueWithoutKey, |serializer| {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_value(&1)?;
    map.end()
});
by!(KeyWithoutValue, |serializer| {
    let mut map = serializer.serialize_map(Some(7))?;
    map.serialize_key("k")?;
    map.end()
});
by!(TwoKeys, |serializer| {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_key("k")?;
    map.serialize_key("l")?;
    map.serialize_value(&1)?;
    map.end()
});
by!(OneNameTwice, |serializer| {
    let mut all = serializer.serialize_struct("All", 1)?;
    all.serialize_field("number", &1)?;
    all.serialize_field("number", &2)?;
    all.end()
});
by!(OtherNames, |serializer| {
    let mut all = serializer.serialize_struct("Other", 3)?;
    all.serialize_field("gone", &1)?;
    all.end()
});

/// One field of a message, given directly.
struct Field<T>(&'static str, T);

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serializer.serialize_struct("All", 1)?;
        all.serialize_field(self.0, &self.1)?;
        all.end()
    }
}

#[track_caller]
fn writes<T: Serialize>(value: &T, wanted: Result<&[u8], &str>) {
    let descriptor = All::descriptor();
    let wire = descriptor.encode(value).map_err(|error| error.message());
    assert_eq!(wire.as_deref().map_err(|error| &**error), wanted);
    let json = descriptor.encode_json(value).map_err(|error| error.message());
    assert_eq!(
        json.map(drop).map_err(|error| error.to_string()),
        wanted.map(drop).map_err(str::to_owned),
        "as JSON"
    );
}

#[test]
fn what_was_said_before_is_not_relied_on() {
    writes(&Field("numbers", FewerThanSaid), Ok(b"\x12\x01\x01"));
    writes(&Field("numbers", MoreThanSaid), Ok(b"\x12\x02\x01\x02"));
    writes(&Field("map", ValueWithoutKey), Err("a map value came without its key"));
    writes(&Field("map", KeyWithoutValue), Err("a map key came without its value"));
    writes(&Field("map", TwoKeys), Err("a map key came without its value"));
    writes(&OneNameTwice, Ok(b"\x08\x02"));
    writes(&OtherNames, Err("misuse.All has no field or oneof named \"gone\""));
}

/// tobu's own derive, filled by misbehaving deserializers.
#[test]
fn readers_of_others() {
    use serde::de::value::{Error, MapDeserializer, SeqDeserializer, UnitDeserializer};
    let text = |result: Result<All, Error>| result.map_err(|error| error.to_string());
    let wanted = Err("misuse.All: expected a message of type misuse.All, but found null".to_owned());
    assert_eq!(text(All::deserialize(UnitDeserializer::new())), wanted);
    let names = MapDeserializer::new([("gone", 1)].into_iter());
    assert_eq!(text(All::deserialize(names)), Err("misuse.All: unknown field \"gone\"".to_owned()));
    let twice = MapDeserializer::new([("number", 1), ("number", 2)].into_iter());
    assert_eq!(text(All::deserialize(twice)), Err("misuse.All.number: the field comes twice".to_owned()));
    let few = SeqDeserializer::new([1_i32].into_iter());
    assert_eq!(
        text(All::deserialize(few)),
        Err("misuse.All: expected a message of type misuse.All, but found a list".to_owned())
    );
}
