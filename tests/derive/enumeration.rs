//! Enumerations: Rust enums are closed, newtypes over `i32` are open.

use tobu::{Deserialize, Enumeration, Message, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "derive.enumeration")]
enum Binding {
    #[tobu(name = "BINDING_HARD")]
    Hardcover = 1,
    PaperBack = 0,
    Other = -1,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "derive.enumeration", name = "Colour", values(WHITE = 0, BLACK = 1))]
struct Color(pub i32);

#[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.enumeration")]
struct Book {
    #[tobu(1)]
    binding: Binding,
    #[tobu(2)]
    second: Option<Binding>,
    #[tobu(3)]
    color: Color,
    #[tobu(4)]
    colors: Vec<Color>,
    #[tobu(5)]
    bindings: Vec<Binding>,
}

fn book() -> Book {
    Book { binding: Binding::PaperBack, second: None, color: Color::WHITE, colors: vec![], bindings: vec![] }
}

/// Open, as a Rust enum.
#[derive(Clone, Copy, Debug, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "derive.enumeration", conversions)]
enum Shade {
    #[tobu(0)]
    Light,
    #[tobu(number = -2, name = "SHADE_DARK")]
    Dark,
    #[tobu(unknown)]
    Unknown(i32),
}

/// Closed, with conversions.
#[derive(Clone, Copy, Debug, PartialEq, Enumeration)]
#[tobu(package = "derive.enumeration", conversions)]
enum Size {
    Small = 0,
    Large = 5,
}

/// A newtype with conversions.
#[derive(Clone, Copy, Debug, PartialEq, Enumeration)]
#[tobu(package = "derive.enumeration", values(ROUND = 0, FLAT = 1), conversions)]
struct Spine(i32);

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.enumeration")]
struct Paint {
    #[tobu(1)]
    shade: Option<Shade>,
    #[tobu(2)]
    shades: Vec<Shade>,
    #[tobu(3)]
    by_name: std::collections::BTreeMap<String, Shade>,
}

#[test]
fn a_rust_enum_with_room_for_unknown_numbers_is_open() {
    let descriptor = Shade::descriptor();
    assert!(!descriptor.is_closed());
    let values: Vec<_> = descriptor.values().map(|value| (value.name().to_owned(), value.number())).collect();
    assert_eq!(values, [("LIGHT".to_owned(), 0), ("SHADE_DARK".to_owned(), -2)]);
    assert_eq!(Shade::from_number(-2), Some(Shade::Dark));
    assert_eq!(Shade::from_number(9), Some(Shade::Unknown(9)));
    assert_eq!((Shade::Unknown(9).number(), Shade::Unknown(9).name()), (9, None));

    let value = Paint {
        shade: Some(Shade::Unknown(9)),
        shades: vec![Shade::Light, Shade::Unknown(7), Shade::Dark],
        by_name: [("a".to_owned(), Shade::Unknown(8))].into(),
    };
    let bytes = b"\x08\x09\x12\x0c\x00\x07\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1a\x05\x0a\x01a\x10\x08";
    assert_eq!(tobu::to_vec(&value).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Paint>(bytes).unwrap(), value);
    let dynamic = tobu::DynamicMessage::decode(&Paint::descriptor(), bytes).unwrap();
    assert_eq!(tobu::to_vec(&dynamic).unwrap(), bytes);
    let json = r#"{"shade":9,"shades":["LIGHT",7,"SHADE_DARK"],"byName":{"a":8}}"#;
    assert_eq!(tobu::json::to_string(&value).unwrap(), json);
    assert_eq!(tobu::json::from_str::<Paint>(json).unwrap(), value);
    let mut used = Paint { shade: Some(Shade::Dark), shades: vec![Shade::Dark; 4], ..Paint::default() };
    tobu::from_slice_in_place(&mut used, bytes).unwrap();
    assert_eq!(used, value);
    assert_eq!(serde_json::from_str::<Shade>("9").unwrap(), Shade::Unknown(9));
    assert_eq!(format!("{value:?}"), format!("{:?}", tobu::from_slice::<Paint>(bytes).unwrap()));
}

#[test]
fn a_plain_open_rust_enum_has_implicit_presence() {
    #[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
    #[tobu(package = "derive.enumeration.plain")]
    struct Plain {
        #[tobu(1)]
        shade: Shade,
    }
    assert_eq!(tobu::to_vec(&Plain { shade: Shade::Light }).unwrap(), b"");
    assert_eq!(tobu::from_slice::<Plain>(b"").unwrap(), Plain { shade: Shade::Light });
    assert_eq!(tobu::to_vec(&Plain { shade: Shade::Unknown(3) }).unwrap(), b"\x08\x03");
}

#[test]
fn conversions_are_by_name_and_by_number() {
    assert_eq!((Shade::from(-2), Shade::from(3)), (Shade::Dark, Shade::Unknown(3)));
    assert_eq!((i32::from(Shade::Dark), i32::from(Size::Large), i32::from(Spine(7))), (-2, 5, 7));
    assert_eq!((Spine::from(1), Spine::from(7)), (Spine::FLAT, Spine(7)));
    assert_eq!(Size::try_from(5).unwrap(), Size::Large);
    assert_eq!(
        Size::try_from(6).unwrap_err().to_string(),
        "derive.enumeration.Size has no value of number 6"
    );
    let shown = [Shade::Dark.to_string(), Shade::Unknown(9).to_string(), Size::Small.to_string()];
    assert_eq!(shown, ["SHADE_DARK", "9", "SMALL"]);
    assert_eq!(format!("[{:>6}] [{:<3}]", Spine::FLAT, Spine(7)), "[  FLAT] [7  ]");
    for value in [Shade::Light, Shade::Dark, Shade::Unknown(9)] {
        assert_eq!(value.to_string().parse::<Shade>().unwrap(), value);
        assert_eq!(Shade::try_from(&*value.to_string()).unwrap(), value);
    }
    assert_eq!((Spine::from_name("FLAT"), Spine::from_name("flat")), (Some(Spine::FLAT), None));
    assert_eq!("7".parse::<Spine>().unwrap(), Spine(7));
    assert_eq!(
        "flat".parse::<Spine>().unwrap_err().to_string(),
        "derive.enumeration.Spine has no value \"flat\""
    );
    assert_eq!("6".parse::<Size>().unwrap_err().to_string(), "derive.enumeration.Size has no value \"6\"");
}

#[test]
fn numbers_and_names() {
    assert_eq!(Color::BLACK, Color(1));
    assert_eq!(Binding::Other.number(), -1);
    assert_eq!(Binding::from_number(1), Some(Binding::Hardcover));
    assert_eq!(Binding::from_number(2), None);
    assert_eq!(Color::from_number(2), Some(Color(2)));
    assert_eq!(Binding::Hardcover.name(), Some("BINDING_HARD"));
    assert_eq!(Binding::PaperBack.name(), Some("PAPER_BACK"));
    assert_eq!(Color(1).name(), Some("BLACK"));
    assert_eq!(Color(2).name(), None);
}

#[test]
fn a_plain_closed_enum_is_always_written() {
    assert_eq!(tobu::to_vec(&book()).unwrap(), b"\x08\x00");
    assert_eq!(tobu::from_slice::<Book>(b"\x08\x00").unwrap(), book());
    assert_eq!(tobu::from_slice::<Book>(b"").unwrap(), book());
}

#[test]
fn every_form() {
    let value = Book {
        binding: Binding::Other,
        second: Some(Binding::PaperBack),
        color: Color(7),
        colors: vec![Color::BLACK, Color(7)],
        bindings: vec![Binding::Hardcover],
    };
    let bytes = b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x00\x18\x07\x22\x02\x01\x07\x2a\x01\x01";
    assert_eq!(tobu::to_vec(&value).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Book>(bytes).unwrap(), value);
}

#[test]
fn descriptors() {
    let closed = Binding::descriptor();
    assert_eq!(closed.full_name(), "derive.enumeration.Binding");
    assert!(closed.is_closed());
    // The value of number zero is the default, so it is first.
    let names: Vec<String> = closed.values().map(|value| value.name().to_owned()).collect();
    assert_eq!(names, ["PAPER_BACK", "BINDING_HARD", "OTHER"]);
    let open = Color::descriptor();
    assert_eq!(open.full_name(), "derive.enumeration.Colour");
    assert!(!open.is_closed());
}

#[test]
fn names_among_people() {
    assert_eq!(serde_json::to_string(&[Color(1), Color(7)]).unwrap(), r#"["BLACK",7]"#);
    assert_eq!(
        serde_json::from_str::<[Color; 3]>(r#"["BLACK",7,"WHITE"]"#).unwrap(),
        [Color(1), Color(7), Color(0)]
    );
    assert_eq!(serde_json::from_str::<Binding>("-1").unwrap(), Binding::Other);
    assert_eq!(
        serde_json::from_str::<Binding>("7").unwrap_err().to_string(),
        "invalid value: integer `7`, expected a value of Binding at line 1 column 1"
    );
    assert_eq!(
        serde_json::from_str::<Color>(r#""RED""#).unwrap_err().to_string(),
        "invalid value: string \"RED\", expected a value of Color at line 1 column 5"
    );
}
