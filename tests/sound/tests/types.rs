//! Types that mean another one where a derive writes them again: what lies in memory is of the type that the member has.
#![allow(coherence_leak_check)]

use tobu::json;

trait Choose {
    type Out;
}

/// One type for each input.
impl Choose for fn(&u8) -> bool {
    type Out = u32;
}

/// The same with `'static` where nothing was written.
impl Choose for fn(&'static u8) -> bool {
    type Out = String;
}

struct Column<const LATE: bool>;

impl Choose for Column<false> {
    type Out = u32;
}

impl Choose for Column<true> {
    type Out = String;
}

const fn is_late(column: u32) -> bool {
    column > 60
}

#[derive(Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
struct Elided {
    #[tobu(1)]
    number: <fn(&u8) -> bool as Choose>::Out,
    #[tobu(oneof)]
    pick: Option<Pick>,
}

#[derive(tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Pick {
    #[tobu(2)]
    Elided(<fn(&u8) -> bool as Choose>::Out),
    #[rustfmt::skip]
    #[tobu(3)]
    Late(<Column<{ /* the type starts before that column, and here comes it: */ is_late(column!()) }> as Choose>::Out),
}

#[test]
fn members_are_of_the_types_that_they_have() {
    let message = Elided { number: 7, pick: Some(Pick::Elided(8)) };
    assert_eq!(json::to_string(&message).unwrap(), r#"{"number":7,"elided":8}"#);
    assert_eq!(tobu::to_vec(&message).unwrap(), b"\x08\x07\x10\x08");
    let message: Elided = tobu::from_slice(b"\x08\x07\x10\x08").unwrap();
    assert!(message.number == 7 && matches!(message.pick, Some(Pick::Elided(8))));
}

#[test]
fn variants_are_of_the_types_that_they_have() {
    let message = Elided { number: 0, pick: Some(Pick::Late("a".to_owned())) };
    assert_eq!(json::to_string(&message).unwrap(), r#"{"late":"a"}"#);
    let message: Elided = tobu::from_slice(b"\x1a\x01a").unwrap();
    assert!(matches!(message.pick, Some(Pick::Late(text)) if text == "a"));
}
