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
    // The value of number zero is the default, so it comes first.
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
