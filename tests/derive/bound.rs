//! Types that are bound to a descriptor from elsewhere.

use std::sync::LazyLock;
use tobu::{Deserialize, Enumeration, Message, MessageDescriptor, Oneof, Pool, Serialize};

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let source = r#"
        syntax = "proto3";
        package bound;
        enum Color { RED = 0; BLUE = 5; }
        message Palette { repeated Color colors = 1; string name = 2; }
        message Shelf { string name = 1; sint32 level = 2; Color color = 3; oneof owner { string person = 4; } }
    "#;
    let file = protox::file::File::from_source("bound.proto", source).unwrap();
    let mut pool = Pool::new();
    pool.add_file(&prost::Message::encode_to_vec(file.file_descriptor_proto())).unwrap();
    pool
});

static SHELF: LazyLock<MessageDescriptor> = LazyLock::new(|| POOL.message("bound.Shelf").unwrap());

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "bound.Shelf")]
struct Shelf {
    /// Found by number, with any name.
    #[tobu(2)]
    height: i32,
    /// Found by name.
    name: String,
    color: Color,
    #[tobu(oneof)]
    owner: Option<Owner>,
}

#[derive(Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Owner {
    #[tobu(4)]
    Person(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(descriptor = POOL, enumeration = "bound.Color")]
struct Color(i32);

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = SHELF)]
struct Part {
    name: Option<String>,
}

#[test]
fn fields_by_number_and_by_name() {
    let shelf =
        Shelf { height: -1, name: "a".into(), color: Color(5), owner: Some(Owner::Person("b".into())) };
    let bytes = tobu::to_vec(&shelf).unwrap();
    assert_eq!(tobu::from_slice::<Shelf>(&bytes).unwrap(), shelf);
    assert_eq!(Shelf::descriptor(), *SHELF);
    assert_eq!(tobu::from_slice::<Shelf>(b"\x10\x01\x0a\x01a\x18\x05\x22\x01b").unwrap(), shelf);
}

#[test]
fn a_descriptor_without_a_name() {
    assert_eq!(tobu::from_slice::<Part>(b"\x10\x01\x0a\x01a").unwrap(), Part { name: Some("a".into()) });
    assert_eq!(Part::descriptor(), *SHELF);
}

/// The option says whether it is set, and each format and reflection says the same.
#[test]
fn an_option_of_a_field_without_presence() {
    for (name, wire, json) in [(None, &b""[..], "{}"), (Some(""), b"\x0a\x00", r#"{"name":""}"#)] {
        let part = Part { name: name.map(str::to_owned) };
        assert_eq!(tobu::to_vec(&part).unwrap(), wire);
        assert_eq!(tobu::json::to_string(&part).unwrap(), json);
        assert_eq!(part.as_reflect().fields().count(), usize::from(name.is_some()));
        assert_eq!(tobu::from_slice::<Part>(wire).unwrap(), part);
        assert_eq!(tobu::json::from_str::<Part>(json).unwrap(), part);
    }
}

#[test]
fn names_of_a_bound_enumeration() {
    assert_eq!((Color(5).name(), Color(6).name()), (Some("BLUE"), None));
    assert_eq!(serde_json::from_str::<Color>(r#""BLUE""#).unwrap(), Color(5));
    assert_eq!(serde_json::to_string(&[Color(5), Color(6)]).unwrap(), r#"["BLUE",6]"#);
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "bound.Missing")]
struct Missing {}

#[test]
fn a_message_that_does_not_exist() {
    let error = tobu::to_vec(&Missing {}).unwrap_err();
    assert_eq!(error.to_string(), "there is no message named \"bound.Missing\"");
    assert_eq!(error.category(), tobu::Category::Schema);
}

/// A type that declares its schema and has members that are bound to that of others.
#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.bound")]
struct Room {
    #[tobu(1)]
    shelf: Option<Shelf>,
    #[tobu(2)]
    colors: Vec<Color>,
}

#[test]
fn declared_types_import_what_bound_ones_name() {
    let room = Room { shelf: Some(Shelf { height: -1, ..Shelf::default() }), colors: vec![Color(5)] };
    let bytes = b"\x0a\x02\x10\x01\x12\x01\x05";
    assert_eq!(tobu::to_vec(&room).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Room>(bytes).unwrap(), room);
    let imports: Vec<_> =
        Room::descriptor().file().dependencies().map(|file| file.name().to_owned()).collect();
    assert_eq!(imports, ["bound.proto"]);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(descriptor = POOL, enumeration = "bound.Color")]
enum Red {
    #[default]
    Red = 0,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "bound.Palette")]
struct Reds {
    colors: Vec<Red>,
    name: String,
}

#[test]
fn a_value_without_a_variant_is_an_error_of_its_element() {
    let text = "colors: RED\ncolors: BLUE\nname: 'a'";
    let error = tobu::text::from_str::<Reds>(text).unwrap_err().to_string();
    assert_eq!(error, "bound.Palette.colors[1]: Red has no value with number 5 (at line 2 column 9)");
    // Packed, and one by one; the position is behind the number.
    for (wire, at) in [(&b"\x0a\x03\x00\x05\x00"[..], 4), (b"\x08\x00\x08\x05\x08\x00", 4)] {
        let error = tobu::from_slice::<Reds>(wire).unwrap_err().to_string();
        let text = "bound.Palette.colors[1]: invalid value: integer `5`, expected a value of Red";
        assert_eq!(error, format!("{text} (at byte {at})"));
    }
}
