//! Types with serde's own derive give members in any order, and by hand more than once. The wire format is written as
//! they come; it must be what an arena would give, which JSON is written from.

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder, Type};
use tobu::{DynamicMessage, EncodeOptions, MessageDescriptor, MessageDescriptorExt};

/// A value of serde's data model.
#[derive(Clone)]
enum Value {
    None,
    Number(i32),
    Text(&'static str),
    Bytes(&'static [u8]),
    List(Vec<Value>),
    Map(Vec<(&'static str, Value)>),
    /// A struct of these members.
    Members(Vec<(&'static str, Value)>),
    /// The same, which goes on after a member that fails.
    Careless(Vec<(&'static str, Value)>),
    /// A oneof.
    Variant(&'static str, Box<Value>),
    /// A list of one number whose serialization fails after it.
    Broken(i32),
}

use Value::{Bytes, Careless, List, Map, Members, Number, Text};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::None => serializer.serialize_none(),
            Number(number) => serializer.serialize_i32(*number),
            Text(text) => serializer.serialize_str(text),
            Bytes(bytes) => serializer.serialize_bytes(bytes),
            List(list) => serializer.collect_seq(list),
            Map(map) => {
                let mut entries = serializer.serialize_map(None)?;
                for (key, value) in map {
                    entries.serialize_entry(key, value)?;
                }
                entries.end()
            }
            Members(members) | Careless(members) => {
                let mut written = serializer.serialize_struct("Any", members.len())?;
                for (name, value) in members {
                    let done = written.serialize_field(name, value);
                    if let Members(_) = self {
                        done?;
                    }
                }
                written.end()
            }
            Value::Variant(name, value) => serializer.serialize_newtype_variant("Choice", 0, name, &**value),
            Value::Broken(number) => {
                let mut list = serializer.serialize_seq(None)?;
                list.serialize_element(number)?;
                Err(S::Error::custom("broken"))
            }
        }
    }
}

fn descriptor() -> MessageDescriptor {
    let field = |name: &str, ty, number| FieldBuilder::new(name, ty).number(number);
    let message = MessageBuilder::new("All")
        .field(field("number", Type::Int32, 1))
        .field(field("numbers", Type::SInt32, 2).repeated())
        .field(field("map", Type::Int32, 3).keyed_by(Type::String))
        .field(FieldBuilder::message("all", ".order.All").number(4))
        .field(field("names", Type::String, 5).repeated())
        .oneof("choice", [field("text", Type::String, 6), field("count", Type::Int32, 7)])
        .field(field("maybe", Type::Int32, 8).optional())
        .field(FieldBuilder::message("more", ".order.All").number(9).repeated())
        .field(field("data", Type::Bytes, 10))
        .field(FieldBuilder::message("many", ".order.Many").number(11))
        .field(FieldBuilder::message("each", ".order.All").number(12).keyed_by(Type::String));
    let many = (1..=130).fold(MessageBuilder::new("Many"), |message, number| {
        message.field(field(NAMES[number as usize - 1], Type::Int32, number).optional())
    });
    let file = FileBuilder::new("order.proto").package("order").message(message).message(many);
    file.build().unwrap().message("order.All").unwrap()
}

/// The names of the fields of a message that has more than two words of bits.
static NAMES: std::sync::LazyLock<Vec<&'static str>> =
    std::sync::LazyLock::new(|| (1..=130).map(|number| &*format!("field_{number}").leak()).collect());

/// The bytes of a value are those of the message that its JSON is; errors are the same.
#[track_caller]
fn is_written(value: Value) -> Result<Vec<u8>, String> {
    let descriptor = descriptor();
    let sorted = EncodeOptions::new().deterministic(true);
    let text = |error: tobu::Error| error.to_string();
    let wanted = descriptor.encode_json(&value).map_err(text).map(|json| {
        let message = DynamicMessage::from_json(&descriptor, &json).unwrap();
        (message.encode_to_vec().unwrap(), sorted.to_vec(&message).unwrap())
    });
    let written = descriptor.encode(&value).map_err(text);
    assert_eq!(written, wanted.clone().map(|(bytes, _)| bytes));
    assert_eq!(descriptor.encode_with(&value, sorted).map_err(text), wanted.map(|(_, bytes)| bytes));
    // By a message inside, and in a list of them.
    for around in ["all", "more"] {
        let value = if around == "all" { value.clone() } else { List(vec![value.clone(), value.clone()]) };
        let value = Members(vec![("maybe", Number(0)), (around, value), ("number", Number(1))]);
        let json = descriptor.encode_json(&value).map_err(text);
        let message = json.map(|json| DynamicMessage::from_json(&descriptor, &json).unwrap());
        let wanted = message.map(|message| message.encode_to_vec().unwrap());
        assert_eq!(descriptor.encode(&value).map_err(text), wanted, "in {around}");
    }
    written
}

fn members(members: &[(&'static str, Value)]) -> Value {
    Members(members.to_vec())
}

#[test]
fn fields_are_in_the_order_of_their_numbers() {
    let all = members(&[
        ("data", Bytes(b"x")),
        ("names", List(vec![Text("a"), Text("b")])),
        ("all", members(&[("maybe", Number(0)), ("numbers", List(vec![Number(-1)])), ("number", Number(3))])),
        ("map", Map(vec![("b", Number(2)), ("a", Number(1))])),
        ("number", Number(5)),
        ("choice", Value::Variant("count", Box::new(Number(0)))),
        ("numbers", List(vec![Number(1), Number(-2)])),
    ]);
    let wanted = b"\x08\x05\x12\x02\x02\x03\x1a\x05\x0a\x01b\x10\x02\x1a\x05\x0a\x01a\x10\x01\x22\x07\x08\x03\x12\x01\x01\
        \x40\x00\x2a\x01a\x2a\x01b\x38\x00\x52\x01x";
    assert_eq!(is_written(all).unwrap(), wanted);
    let long = "x".repeat(5000).leak();
    for len in [100, 127, 128, 5000] {
        let text = Text(&long[..len]);
        let inner = members(&[("names", List(vec![text.clone(), text])), ("number", Number(1))]);
        is_written(members(&[("all", inner.clone()), ("more", List(vec![inner.clone(), inner]))])).unwrap();
    }
}

#[test]
fn fields_that_are_given_twice_are_merged() {
    let twice = |name, first: Value, second: Value| is_written(members(&[(name, first), (name, second)]));
    assert_eq!(twice("number", Number(5), Number(6)).unwrap(), b"\x08\x06");
    assert_eq!(twice("number", Number(5), Number(0)).unwrap(), b"");
    assert_eq!(twice("number", Number(0), Number(5)).unwrap(), b"\x08\x05");
    assert_eq!(twice("number", Number(5), Value::None).unwrap(), b"\x08\x05");
    assert_eq!(twice("maybe", Number(5), Number(0)).unwrap(), b"\x40\x00");
    assert_eq!(twice("data", Bytes(b"xy"), Bytes(b"")).unwrap(), b"");
    let list = |numbers: &[i32]| List(numbers.iter().map(|number| Number(*number)).collect());
    assert_eq!(twice("numbers", list(&[1]), list(&[2, 3])).unwrap(), b"\x12\x03\x02\x04\x06");
    assert_eq!(twice("numbers", list(&[]), list(&[2])).unwrap(), b"\x12\x01\x04");
    let map = |key, number| Map(vec![(key, Number(number))]);
    assert_eq!(twice("map", map("a", 1), map("a", 2)).unwrap(), b"\x1a\x05\x0a\x01a\x10\x02");
    assert_eq!(
        twice("map", map("a", 1), map("b", 2)).unwrap(),
        b"\x1a\x05\x0a\x01a\x10\x01\x1a\x05\x0a\x01b\x10\x02"
    );
    let (one, other) =
        (members(&[("number", Number(1)), ("maybe", Number(2))]), members(&[("number", Number(3))]));
    assert_eq!(twice("all", one.clone(), other.clone()).unwrap(), b"\x22\x04\x08\x03\x40\x02");
    assert_eq!(
        twice("more", List(vec![one]), List(vec![other])).unwrap(),
        b"\x4a\x04\x08\x01\x40\x02\x4a\x02\x08\x03"
    );
    let variant = |name, value| ("choice", Value::Variant(name, Box::new(value)));
    let choices = members(&[variant("count", Number(1)), variant("text", Text("x")), ("number", Number(2))]);
    assert_eq!(is_written(choices).unwrap(), b"\x08\x02\x32\x01x");
    let error = is_written(members(&[("count", Number(1)), ("text", Text("x"))])).unwrap_err();
    assert_eq!(error, "order.All: the oneof choice has more than one value");
}

#[test]
fn the_last_entry_of_a_key_counts() {
    let number = |number| members(&[("maybe", Number(0)), ("number", Number(number))]);
    let each = Map(vec![("b", number(1)), ("a", number(2)), ("b", number(3))]);
    let value = members(&[("each", each), ("number", Number(1))]);
    let (first, a, last) = (
        b"\x62\x09\x0a\x01b\x12\x04\x08\x01\x40\x00",
        b"\x62\x09\x0a\x01a\x12\x04\x08\x02\x40\x00",
        b"\x62\x09\x0a\x01b\x12\x04\x08\x03\x40\x00",
    );
    // Entries are written as they come, and every reader takes the last one.
    let bytes = descriptor().encode(&value).unwrap();
    assert_eq!(bytes, [b"\x08\x01", &first[..], a, last].concat());
    let read = DynamicMessage::decode(&descriptor(), &bytes).unwrap();
    let sorted = EncodeOptions::new().deterministic(true);
    let unique = [b"\x08\x01", &a[..], last].concat();
    assert_eq!(sorted.to_vec(&read).unwrap(), unique);
    assert_eq!(descriptor().encode_with(&value, sorted).unwrap(), unique);
}

#[test]
fn an_entry_that_fails_is_named_and_taken_back() {
    let broken = || Map(vec![("a", Number(1)), ("b\u{fc}", Text("x"))]);
    let error = is_written(members(&[("map", broken())])).unwrap_err();
    assert_eq!(error, "order.All.map[\"b\u{fc}\"]: the field is a int32, which a string does not fit");
    let inner = Map(vec![("a", members(&[("number", Number(1)), ("data", Number(1))]))]);
    let error = is_written(members(&[("each", inner.clone())])).unwrap_err();
    assert_eq!(error, "order.All.each[\"a\"].data: the field is a bytes, which a number does not fit");
    let written = descriptor().encode(&Careless(vec![
        ("number", Number(1)),
        ("map", broken()),
        ("each", inner),
        ("map", Map(vec![("c", Number(3))])),
        ("data", Bytes(b"x")),
    ]));
    assert_eq!(written.unwrap(), b"\x08\x01\x1a\x05\x0a\x01c\x10\x03\x52\x01x");
}

/// The last field with a bit in the first word, and the first ones without.
#[test]
fn fields_next_to_the_sixty_fourth() {
    let orders: [&[usize]; 9] = [
        &[62, 63, 64, 65],
        &[65, 64, 63, 62],
        &[64, 63],
        &[64, 1, 63],
        &[63, 64, 63],
        &[64, 65, 64],
        &[1, 130, 64],
        &[128, 64, 127, 63],
        &[64, 63, 62, 64, 62],
    ];
    for order in orders {
        let fields: Vec<_> =
            order.iter().zip(1..).map(|(number, value)| (NAMES[number - 1], Number(value))).collect();
        is_written(members(&[("many", Members(fields.clone())), ("number", Number(1))])).unwrap();
        let many = Members(vec![("many", Members(fields.clone()))]);
        is_written(members(&[("all", many.clone()), ("each", Map(vec![("a", many)]))])).unwrap();
    }
}

#[test]
fn a_message_of_many_fields() {
    let fields: Vec<_> = (0..130).map(|index| (NAMES[index * 77 % 130], Number(index as i32))).collect();
    is_written(members(&[("many", Members(fields.clone()))])).unwrap();
    let last =
        [("field_1", Number(1)), ("field_130", Number(1)), ("field_66", Number(7)), ("field_66", Number(0))];
    is_written(members(&[
        ("many", members(&last)),
        ("number", Number(1)),
        ("all", members(&[("many", Members(fields))])),
    ]))
    .unwrap();
}

/// Bytes that the arena of JSON does not have.
#[test]
fn unknown_fields_are_last() {
    let write = |members: &[(&'static str, Value)]| descriptor().encode(&Members(members.to_vec()));
    let unknown = |bytes| ("$unknown", Bytes(bytes));
    let split =
        [("maybe", Number(1)), unknown(b"\xa0\x06\x01"), ("number", Number(2)), unknown(b"\xa0\x06\x02")];
    assert_eq!(write(&split).unwrap(), b"\x08\x02\x40\x01\xa0\x06\x01\xa0\x06\x02");
    // A number that the schema has: as it is, at the end.
    let known = [unknown(b"\x08\x07"), ("number", Number(2)), ("maybe", Number(1))];
    assert_eq!(write(&known).unwrap(), b"\x08\x02\x40\x01\x08\x07");
    assert!(write(&[unknown(b"\x08")]).is_err());
}

#[test]
fn nothing_is_left_of_a_member_that_failed() {
    let write = |members: &[(&'static str, Value)]| descriptor().encode(&Careless(members.to_vec()));
    let long = List(vec![Number(1); 200]);
    let inner = Members(vec![("numbers", long), ("names", Number(1))]);
    let failing = [
        ("number", Text("x")),
        ("numbers", Value::Broken(1)),
        ("all", inner),
        ("map", Map(vec![("a", Text("x"))])),
        ("number", Number(2)),
        ("numbers", List(vec![Number(1)])),
        ("maybe", Number(3)),
    ];
    assert_eq!(write(&failing).unwrap(), b"\x08\x02\x12\x01\x02\x40\x03");
    // And nothing is taken of what came before it.
    for (name, value, bytes) in [
        ("all", Members(vec![("number", Number(1))]), b"\x22\x02\x08\x01"),
        ("numbers", List(vec![Number(1), Number(2)]), b"\x12\x02\x02\x04"),
    ] {
        let again = [("number", Number(2)), (name, value), ("maybe", Number(3)), (name, Text("x"))];
        assert_eq!(write(&again).unwrap(), [b"\x08\x02", &bytes[..], b"\x40\x03"].concat());
    }
}
