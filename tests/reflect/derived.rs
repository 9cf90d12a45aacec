//! Rust types that are not as `tobu-build` would write them.

use super::support::{error, get, shown};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use tobu::Message;
use tobu::reflect::{MapKeyRef, Value};

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Borrowed<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    raw: Option<&'a [u8]>,
    #[tobu(3)]
    cow: Cow<'a, str>,
    #[tobu(4)]
    list: Vec<&'a str>,
    #[tobu(5)]
    map: HashMap<&'a str, u32>,
    #[tobu(6)]
    inner: Option<Box<Borrowed<'a>>>,
}

#[test]
fn what_borrows_is_read_but_not_set() {
    let text = String::from("hi");
    let mut value = Borrowed {
        text: &text,
        raw: Some(b"x"),
        list: vec![&text],
        map: HashMap::from([(text.as_str(), 1)]),
        ..Borrowed::default()
    };
    let message = value.as_reflect_mut();
    assert_eq!(shown(message), r#"text: "hi" raw: "x" list: "hi" map { key: "hi" value: 1 }"#);
    let borrows = "the Rust type borrows the value from the input, so it cannot be set";
    let place = "reflect.derived.Borrowed";
    assert_eq!(error(message.set_by_name("text", "x")), format!("{place}.text: {borrows}"));
    assert_eq!(error(message.set_by_name("raw", vec![1])), format!("{place}.raw: {borrows}"));
    assert_eq!(
        error(message.set_by_name("list", vec![Value::from("x")])),
        format!("{place}.list[0]: {borrows}")
    );
    let mut map = message.get_mut_by_name("map").unwrap().into_map().unwrap();
    assert_eq!(
        error(map.insert("new".into(), 1u32.into())),
        format!("{place}.map: the Rust type borrows its keys from the input, so no key can be added")
    );
    assert!(map.remove(MapKeyRef::Str("hi")));
    message.set_by_name("cow", "owned").unwrap();
    message.clear_by_name("text").unwrap();
    message.clear_by_name("list").unwrap();
    message.get_mut_by_name("inner").unwrap();
    assert_eq!(shown(message), r#"raw: "x" cow: "owned" inner {}"#);
}

#[derive(Clone, Copy, Debug, PartialEq, tobu::Enumeration)]
#[tobu(package = "reflect.derived")]
enum Binding {
    Paperback = 0,
    Hardcover = 2,
}

#[derive(Debug, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Odd {
    #[tobu(7)]
    last: bool,
    #[tobu(1)]
    binding: Binding,
    #[tobu(2)]
    bindings: Vec<Binding>,
    #[tobu(3)]
    plain: Plain,
    #[tobu(4)]
    boxed: Option<Box<str>>,
    #[tobu(5)]
    tree: BTreeMap<i32, Plain>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(skip)]
    skipped: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Plain {
    #[tobu(1)]
    a: i32,
}

#[derive(Debug, PartialEq, tobu::Oneof)]
enum Choice {
    #[tobu(8)]
    Text(String),
    #[tobu(9)]
    Leaf(Box<Plain>),
}

fn odd() -> Odd {
    Odd {
        last: true,
        binding: Binding::Paperback,
        bindings: vec![],
        plain: Plain::default(),
        boxed: None,
        tree: BTreeMap::new(),
        choice: None,
        skipped: vec![1],
    }
}

#[test]
fn members_of_every_form() {
    let mut value = odd();
    let message = value.as_reflect_mut();
    // A plain message is always set; fields are visited by number, not by member.
    message.has_by_name("last").unwrap();
    assert_eq!(shown(message), "binding: PAPERBACK plain {} last: true");
    message.set_by_name("binding", Value::Enum(2)).unwrap();
    message.set_by_name("bindings", vec![Value::Enum(2), Value::Enum(0)]).unwrap();
    let text = "the closed enum reflect.derived.Binding has no value of number 1";
    let found = error(message.set_by_name("binding", Value::Enum(1)));
    assert!(found.contains(text) || found.contains("has no variant of number 1"), "{found}");
    message.set_by_name("boxed", "b").unwrap();
    message.get_mut_by_name("plain").unwrap().into_message().unwrap().set_by_name("a", 1).unwrap();
    let mut map = message.get_mut_by_name("tree").unwrap().into_map().unwrap();
    map.get_mut(5.into()).unwrap().set_by_name("a", 2).unwrap();
    message.get_mut_by_name("plain_").map(|_| ()).unwrap_err();
    assert_eq!(
        shown(message),
        "binding: HARDCOVER bindings: HARDCOVER bindings: PAPERBACK plain { a: 1 } boxed: \"b\" \
         tree { key: 5 value { a: 2 } } last: true"
    );
    assert_eq!(value.bindings, [Binding::Hardcover, Binding::Paperback]);
    value.as_reflect_mut().clear_all();
    assert_eq!(value, Odd { last: false, ..odd() });
}

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(descriptor = <tobu_schemas::corpus::corpus::v3::Choice as Message>::descriptor(), message = "corpus.v3.Choice")]
struct Apart {
    #[tobu(2)]
    number: Option<i32>,
    #[tobu(3)]
    text: Option<String>,
    #[tobu(8)]
    after: String,
}

#[test]
fn a_oneof_whose_fields_are_members() {
    let mut value = Apart::default();
    let message = value.as_reflect_mut();
    message.set_by_name("number", 1).unwrap();
    message.set_by_name("text", "x").unwrap();
    let oneof = message.descriptor().oneofs().next().unwrap();
    assert_eq!(message.which_oneof(&oneof).unwrap().unwrap().name(), "text");
    assert_eq!(shown(message), r#"text: "x""#);
    // Fields that the struct does not name.
    assert!(!message.has_by_name("leaf").unwrap());
    assert_eq!(get(message, "before"), "".into());
    assert_eq!(message.get_by_name("leaf").unwrap().as_message().unwrap().fields().count(), 0);
    message.clear_by_name("before").unwrap();
    assert_eq!(
        error(message.set_by_name("before", "x")),
        "corpus.v3.Choice.before: the Rust type has no member for the field"
    );
    assert_eq!(
        error(message.set_unknown_fields(b"\x08\x01")),
        "corpus.v3.Choice: the Rust type has no member that keeps unknown fields"
    );
    message.set_unknown_fields(b"").unwrap();
}

/// A type without a default, so that a message that skips a member of it cannot be made.
#[derive(Debug, PartialEq)]
struct Opaque;

#[derive(Debug, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Unmakable {
    #[tobu(1)]
    a: i32,
    #[tobu(skip)]
    opaque: Opaque,
}

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Holder {
    #[tobu(1)]
    inner: Option<Unmakable>,
}

#[test]
fn a_message_that_cannot_be_made() {
    let mut holder = Holder::default();
    assert_eq!(
        error(holder.as_reflect_mut().get_mut_by_name("inner").map(|_| ())),
        "reflect.derived.Holder.inner: no empty value of the Rust type can be made: a skipped member has no default, \
         or a conversion has no value for an absent field"
    );
    holder.inner = Some(Unmakable { a: 1, opaque: Opaque });
    let message = holder.as_reflect_mut();
    message.get_mut_by_name("inner").unwrap().into_message().unwrap().set_by_name("a", 2).unwrap();
    assert_eq!(shown(message), "inner { a: 2 }");
}

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(descriptor = <Nest as Message>::descriptor(), message = "reflect.derived.Nest")]
struct Narrow {
    #[tobu(1)]
    plain: Option<Plain>,
    #[tobu(2)]
    list: Vec<Plain>,
}

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(package = "reflect.derived")]
struct Nest {
    #[tobu(1)]
    plain: Option<Plain>,
    #[tobu(2)]
    list: Vec<Plain>,
    #[tobu(3)]
    nest: Option<Box<Nest>>,
}

#[derive(Debug, Default, PartialEq, tobu::Message)]
#[tobu(descriptor = <Nest as Message>::descriptor(), message = "reflect.derived.Nest")]
struct Outer {
    #[tobu(3)]
    nest: Option<Narrow>,
}

#[test]
fn what_a_nested_type_has_no_room_for_changes_nothing() {
    let plain = Some(Plain { a: 1 });
    let full = Nest { plain: plain.clone(), nest: Some(Box::default()), ..Nest::default() };
    let before = || Outer { nest: Some(Narrow { plain: None, list: vec![Plain { a: 5 }] }) };
    let mut outer = before();
    let value = full.as_reflect().to_dynamic().unwrap();
    assert_eq!(
        error(outer.as_reflect_mut().set_by_name("nest", value)),
        "reflect.derived.Nest.nest.nest: the Rust type has no member for the field"
    );
    assert_eq!(outer, before());
    let value = Nest { plain: plain.clone(), ..Nest::default() }.as_reflect().to_dynamic().unwrap();
    outer.as_reflect_mut().set_by_name("nest", value).unwrap();
    assert_eq!(outer, Outer { nest: Some(Narrow { plain, list: vec![] }) });
}
