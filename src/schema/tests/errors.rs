//! Declarations that are rejected, with their errors.

use super::declared_by;
use crate::layout::{
    Attributes, Declaration, EnumShape, Extra, Member, MemberShape, MessageCells, MessageShape, Name,
    OneofCells, OneofFunctions, OneofShape, Role, Schema, Storage, ValueShape, VariantShape, WireKind,
};
use crate::message::Message as _;
use crate::schema::{declare_enum, declare_message};
use std::collections::HashMap;
use tobu_derive::Message;

/// A member of a struct: its name, number and kind, and its attributes.
type Declared = (&'static str, u32, Role, Attributes);

fn field(name: &'static str, number: u32, storage: Storage) -> Declared {
    with(name, number, storage, Attributes::NONE)
}

fn with(name: &'static str, number: u32, storage: Storage, attributes: Attributes) -> Declared {
    (name, number, Role::Field(storage), attributes)
}

/// How a value of a type lies in memory.
fn of<T: Member>() -> Storage {
    T::STORAGE
}

/// A map with a key type that no Rust map can have.
fn map_from<K: Member>() -> Storage {
    let Storage::Map(map) = of::<HashMap<i32, i32>>() else { unreachable!() };
    let map = crate::layout::MapFunctions { key: K::STORAGE, ..*map };
    Storage::Map(Box::leak(Box::new(map)))
}

fn empty() -> &'static MessageShape {
    static CELLS: MessageCells = MessageCells::new();
    static SHAPE: MessageShape = MessageShape::new(
        "Empty",
        Schema::Declared(&Declaration { package: "errors", name: "Empty", declare: declare_message }),
        &[],
        &CELLS,
    );
    &SHAPE
}

fn error(declared: Vec<Declared>) -> String {
    let mut names = "Bad".to_owned();
    let (mut members, mut extras) = (Vec::new(), Vec::new());
    for (index, (name, number, role, attributes)) in (0..).zip(declared) {
        members.push(MemberShape { offset: 0, number, name: Name(names.len() as u32 + 1), role });
        extras.push(Extra { index, serde_name: None, attributes });
        names = format!("{names}\0{name}");
    }
    let schema = Schema::Declared(&Declaration { package: "errors", name: "Bad", declare: declare_message });
    let cells = Box::leak(Box::new(MessageCells::new()));
    let shape = MessageShape::new(names.leak(), schema, members.leak(), cells).extras(extras.leak());
    let error = declared_by(Box::leak(Box::new(shape))).unwrap_err();
    assert_eq!(error.category(), crate::Category::Schema);
    error.to_string()
}

#[test]
fn types_that_no_field_can_have() {
    for (ty, expected) in [
        (of::<Option<Option<i32>>>(), "an option of an option has no meaning; write `Option<T>`"),
        (of::<Option<Vec<i32>>>(), "a list or a map is never absent, only empty; write it without `Option`"),
        (
            of::<Option<HashMap<i32, i32>>>(),
            "a list or a map is never absent, only empty; write it without `Option`",
        ),
        (of::<Box<Vec<i32>>>(), "a list or a map is on the heap already; write it without `Box`"),
        (of::<Box<HashMap<i32, i32>>>(), "a list or a map is on the heap already; write it without `Box`"),
        (of::<Vec<Option<i32>>>(), "a list or a map has no absent elements; write them without `Option`"),
        (of::<Vec<Vec<i32>>>(), "a list or a map cannot hold another; put the inner one into a message"),
        (
            of::<HashMap<i32, Vec<i32>>>(),
            "a list or a map cannot hold another; put the inner one into a message",
        ),
        (map_from::<f64>(), "the key of a map is an integer, a bool or a string"),
        (map_from::<f32>(), "the key of a map is an integer, a bool or a string"),
        (of::<HashMap<Vec<u8>, i32>>(), "the key of a map is an integer, a bool or a string"),
        (map_from::<Here>(), "the key of a map is an integer, a bool or a string"),
        (map_from::<Option<String>>(), "the key of a map is an integer, a bool or a string"),
    ] {
        assert_eq!(error(vec![field("m", 1, ty)]), format!("member `m` of `Bad`: {expected}"));
    }
}

#[test]
fn attributes_that_do_not_fit_the_type() {
    let message = Storage::Message(empty);
    let none = Attributes::NONE;
    let kind = |kind| Attributes { kind: Some(kind), ..none };
    for (ty, attributes, expected) in [
        (of::<i64>(), kind(WireKind::SInt32), "`sint32` does not fit i64"),
        (of::<f32>(), kind(WireKind::Fixed32), "`fixed32` does not fit f32"),
        (of::<Vec<String>>(), kind(WireKind::SFixed64), "`sfixed64` does not fit a string"),
        (message, kind(WireKind::Fixed64), "`fixed64` does not fit a message"),
        (
            of::<HashMap<String, i32>>(),
            Attributes { key: Some(WireKind::SInt64), ..none },
            "`sint64` does not fit a string",
        ),
        (of::<i32>(), Attributes { key: Some(WireKind::SInt32), ..none }, "`key` is for the key of a map"),
        (of::<i32>(), Attributes { packed: Some(true), ..none }, "`packed` is for lists of numbers"),
        (of::<Vec<String>>(), Attributes { packed: Some(false), ..none }, "`packed` is for lists of numbers"),
        (
            of::<Vec<i32>>(),
            Attributes { required: true, ..none },
            "`required` is for a single value outside a oneof",
        ),
        (
            of::<Vec<i32>>(),
            Attributes { default: Some("1"), ..none },
            "`default` is for a single scalar or enum value",
        ),
        (
            of::<Option<Here>>(),
            Attributes { default: Some("1"), ..none },
            "`default` is for a single scalar or enum value",
        ),
        (
            of::<i32>(),
            Attributes { default: Some("1"), ..none },
            "`default` is for a member that can be absent; write `Option<T>`",
        ),
        (of::<i32>(), Attributes { delimited: true, ..none }, "`delimited` is for messages"),
        (of::<HashMap<i32, Here>>(), Attributes { delimited: true, ..none }, "`delimited` is for messages"),
    ] {
        assert_eq!(error(vec![with("m", 1, ty, attributes)]), format!("member `m` of `Bad`: {expected}"));
    }
}

#[test]
fn numbers_and_names_are_used_once() {
    static CELLS: OneofCells = OneofCells::new();
    static PICK: OneofShape = OneofShape::new(
        "Pick\0first\0First",
        &[VariantShape { number: 1, name: Name(5), serde_name: Name(11), storage: Storage::I32 }],
        OneofFunctions { value: |_| None, insert: |_, _| std::ptr::null_mut(), clear: |_| {}, skipped: None },
        &CELLS,
    );
    let oneof = ("pick", 0, Role::Oneof(|| &PICK), Attributes::NONE);
    assert_eq!(
        error(vec![field("a", 1, Storage::I32), field("b", 1, Storage::I32)]),
        "member `b` of `Bad`: field number 1 is taken by `a` already"
    );
    assert_eq!(
        error(vec![field("a", 1, Storage::I32), oneof]),
        "member `pick(Pick::First)` of `Bad`: field number 1 is taken by `a` already"
    );
    assert_eq!(
        error(vec![field("first", 2, Storage::I32), oneof]),
        "member `pick(Pick::First)` of `Bad`: the name `first` is taken by `first` already"
    );
    assert_eq!(
        error(vec![field("a", 0, Storage::I32)]),
        "member `a` of `Bad`: a field that is declared needs a number"
    );
}

#[test]
fn enums_have_values() {
    fn none() -> &'static EnumShape {
        static SHAPE: EnumShape = EnumShape::new(
            "None",
            Schema::Declared(&Declaration { package: "errors", name: "None", declare: declare_enum }),
            &[],
            true,
        );
        &SHAPE
    }
    fn no_zero() -> &'static EnumShape {
        static SHAPE: EnumShape = EnumShape::new(
            "One\0A",
            Schema::Declared(&Declaration { package: "errors", name: "One", declare: declare_enum }),
            &[ValueShape { number: 1, name: Name(4), serde_name: Name(4) }],
            false,
        );
        &SHAPE
    }
    assert_eq!(error(vec![field("a", 1, Storage::OpenEnum(none))]), "`None` declares an enum without values");
    assert_eq!(
        error(vec![field("a", 1, Storage::OpenEnum(no_zero))]),
        "`One` declares an open enum without a value of number 0"
    );
}

#[derive(Message)]
#[tobu(crate = "crate", package = "errors.ring")]
#[allow(dead_code)]
struct Here {
    #[tobu(1)]
    there: Option<Box<There>>,
}

#[derive(Message)]
#[tobu(crate = "crate", package = "errors.other")]
#[allow(dead_code)]
struct There {
    #[tobu(1)]
    here: Option<Here>,
}

#[test]
fn types_that_refer_to_each_other_have_one_package() {
    assert_eq!(
        declared_by(Here::shape()).unwrap_err().to_string(),
        "`Here` and `There` refer to each other but declare the packages `errors.ring` and `errors.other`; they need \
         the same one"
    );
}

mod twice {
    use tobu_derive::Message;

    #[derive(Message)]
    #[tobu(crate = "crate", package = "errors.twice", name = "Named")]
    #[allow(dead_code)]
    pub(super) struct Owned {
        #[tobu(1)]
        text: String,
    }

    #[derive(Message)]
    #[tobu(crate = "crate", package = "errors.twice", name = "Named")]
    #[allow(dead_code)]
    pub(super) struct Borrowed<'a> {
        #[tobu(1)]
        text: &'a str,
    }

    #[derive(Message)]
    #[tobu(crate = "crate", package = "errors.twice", name = "Named")]
    #[allow(dead_code)]
    pub(super) struct Different {
        #[tobu(2)]
        text: String,
    }

    #[derive(Message)]
    #[tobu(crate = "crate", package = "errors.twice")]
    #[allow(dead_code)]
    pub(super) struct Same {
        #[tobu(1)]
        owned: Option<Owned>,
        #[tobu(2)]
        borrowed: Option<Borrowed<'static>>,
    }

    #[derive(Message)]
    #[tobu(crate = "crate", package = "errors.twice")]
    #[allow(dead_code)]
    pub(super) struct Differing {
        #[tobu(1)]
        owned: Option<Owned>,
        #[tobu(2)]
        different: Option<Different>,
    }
}

#[test]
fn two_types_of_one_name_say_the_same() {
    assert_eq!(declared_by(twice::Same::shape()).unwrap().len(), 2);
    assert_eq!(
        declared_by(twice::Differing::shape()).unwrap_err().to_string(),
        "`Different` and `Owned` both declare `errors.twice.Named`, but not in the same way"
    );
}
