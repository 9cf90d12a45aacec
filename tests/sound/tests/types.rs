//! Types that mean another one where a derive writes them again: what lies in memory is of the type that the member has.
#![allow(coherence_leak_check)]

#[path = "../../derive/same_address.rs"]
mod same_address;

use tobu::json;
use tobu::reuse::MessagePool;

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

#[derive(Clone, Debug, PartialEq)]
enum Never {}

/// Takes no room.
#[derive(Clone, Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
struct Nothing {
    #[tobu(skip)]
    never: Never,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum NeverSet {
    #[tobu(2)]
    Nothing(Nothing),
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Before {
    #[tobu(1)]
    Text(String),
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum After {
    #[tobu(3)]
    Text(String),
}

#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
struct First {
    #[tobu(oneof)]
    never: Option<NeverSet>,
    #[tobu(oneof)]
    set: Option<Before>,
}

#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
struct Last {
    #[tobu(oneof)]
    never: Option<NeverSet>,
    #[tobu(oneof)]
    set: Option<After>,
}

#[test]
fn oneofs_at_one_address_are_two() {
    let first = First { never: None, set: Some(Before::Text("a".to_owned())) };
    assert_eq!(tobu::to_vec(&first).unwrap(), b"\x0a\x01a");
    assert_eq!(json::to_string(&first).unwrap(), r#"{"text":"a"}"#);
    assert_eq!(tobu::from_slice::<First>(b"\x0a\x01a").unwrap(), first);

    let last = Last { never: None, set: Some(After::Text("a".to_owned())) };
    assert_eq!(tobu::to_vec(&last).unwrap(), b"\x1a\x01a");
    assert_eq!(json::to_string(&last).unwrap(), r#"{"text":"a"}"#);
    assert_eq!(tobu::from_slice::<Last>(b"\x1a\x01a").unwrap(), last);
}

/// A member that is skipped may be of any type.
#[derive(Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
struct Skips {
    #[tobu(skip)]
    check: Option<fn(&str) -> bool>,
    #[tobu(skip)]
    trim: Option<for<'t> fn(&'t str) -> &'t str>,
    #[tobu(1)]
    text: String,
}

#[test]
fn members_that_are_skipped_get_their_defaults() {
    let pool = MessagePool::<Skips>::new();
    let mut message = pool.decode(b"\x0a\x01a").unwrap();
    message.check = Some(|text| text.is_empty());
    message.trim = Some(str::trim);
    assert!(message.check.is_some_and(|check| check("")));
    assert!(message.trim.is_some_and(|trim| trim(" a ") == "a"));
    drop(message);
    let message = pool.lend();
    assert!(message.check.is_none() && message.trim.is_none() && message.text.is_empty());
}
