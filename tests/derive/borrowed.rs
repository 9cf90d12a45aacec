//! Messages that borrow from the input.

use std::borrow::Cow;
use tobu::{Deserialize, Message, Oneof, Serialize};

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.borrowed")]
struct Line<'a, 'b: 'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    blob: &'b [u8],
    #[tobu(3)]
    cow: Cow<'a, str>,
    #[tobu(4)]
    inner: Option<Box<Line<'a, 'b>>>,
    #[tobu(5)]
    texts: Vec<&'a str>,
    #[tobu(oneof)]
    kind: Option<Kind<'a>>,
}

#[derive(Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Kind<'a> {
    #[tobu(6, name = "choice")]
    Text(&'a str),
    #[tobu(7, name = "nested")]
    Inner(Box<Line<'a, 'a>>),
}

#[test]
fn borrows_from_the_input() {
    let bytes = b"\x0a\x01a\x12\x01\xff\x1a\x01c\x22\x03\x0a\x01d\x2a\x01e\x2a\x01f\x32\x01g".to_vec();
    let line: Line<'_, '_> = tobu::from_slice(&bytes).unwrap();
    let expected = Line {
        text: "a",
        blob: b"\xff",
        cow: "c".into(),
        inner: Some(Box::new(Line { text: "d", ..Line::default() })),
        texts: vec!["e", "f"],
        kind: Some(Kind::Text("g")),
    };
    assert_eq!(line, expected);
    assert!(bytes.as_ptr_range().contains(&line.text.as_ptr()));
    assert_eq!(tobu::to_vec(&line).unwrap(), bytes);
    let nested: Line<'_, '_> = tobu::from_slice(b"\x3a\x03\x0a\x01x").unwrap();
    assert_eq!(nested.kind, Some(Kind::Inner(Box::new(Line { text: "x", ..Line::default() }))));
}

/// The owned twin declares the same message, in the same way.
#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.borrowed", name = "Twin")]
struct Owned {
    #[tobu(1)]
    text: String,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.borrowed", name = "Twin")]
struct Borrowed<'a> {
    #[tobu(1)]
    text: Cow<'a, str>,
}

#[test]
fn two_types_of_one_message() {
    let bytes = tobu::to_vec(&Borrowed { text: "a".into() }).unwrap();
    assert_eq!(tobu::from_slice::<Owned>(&bytes).unwrap(), Owned { text: "a".into() });
    assert_eq!(Owned::descriptor(), <Borrowed<'_> as Message>::descriptor());
}

#[test]
fn text_with_escapes_is_no_part_of_the_input() {
    let text = |text| tobu::text::from_str::<Line<'_, '_>>(text).unwrap_err().to_string();
    let json = |text| tobu::json::from_str::<Line<'_, '_>>(text).unwrap_err().to_string();
    let line = "derive.borrowed.Line";
    let wanted = "expected a borrowed string (at line 1 column";
    assert_eq!(text(r#"text: "a\nb""#), format!(r#"{line}.text: invalid type: string "a\nb", {wanted} 7)"#));
    assert_eq!(
        json(r#"{"text":"a\nb"}"#),
        format!(r#"{line}.text: invalid type: string "a\nb", {wanted} 9)"#)
    );
    assert_eq!(
        text(r#"texts: "a" texts: "\x62""#),
        format!(r#"{line}.texts[1]: invalid type: string "b", {wanted} 19)"#)
    );
}
