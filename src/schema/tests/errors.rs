//! Declarations that are rejected, with their errors.

use super::declared_by;
use crate::layout::{
    Attributes, Declaration, EnumShape, FieldShape, MemberShape, MessageCells, MessageShape, OneofCells,
    OneofFunctions, OneofShape, Role, Schema, Storage, TypeShape, ValueShape, WireKind,
};
use crate::message::Message as _;
use crate::schema::{declare_enum, declare_message};
use tobu_derive::Message;

fn field(name: &'static str, number: u32, ty: TypeShape) -> MemberShape {
    with(name, number, ty, Attributes::NONE)
}

fn with(name: &'static str, number: u32, ty: TypeShape, attributes: Attributes) -> MemberShape {
    let value = Box::leak(Box::new(ValueShape { ty, storage: Storage::Bool }));
    let attributes = Some(&*Box::leak(Box::new(attributes)));
    let field = FieldShape { name, number: Some(number), value, attributes };
    MemberShape { renamed: None, offset: 0, role: Role::Field(field) }
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

fn error(members: Vec<MemberShape>) -> String {
    let schema = Schema::Declared(&Declaration { package: "errors", name: "Bad", declare: declare_message });
    let cells = Box::leak(Box::new(MessageCells::new()));
    let shape = MessageShape::new("Bad", schema, Vec::leak(members), cells);
    let error = declared_by(Box::leak(Box::new(shape))).unwrap_err();
    assert_eq!(error.category(), crate::Category::Schema);
    error.to_string()
}

#[test]
fn types_that_no_field_can_have() {
    use TypeShape::{Bytes, F32, F64, I32, List, Map, Message, Option, Str};
    for (ty, expected) in [
        (Option(&Option(&I32)), "an option of an option has no meaning; write `Option<T>`"),
        (Option(&List(&I32)), "a list or a map is never absent, only empty; write it without `Option`"),
        (Option(&Map(&I32, &I32)), "a list or a map is never absent, only empty; write it without `Option`"),
        (List(&Option(&I32)), "a list or a map has no absent elements; write them without `Option`"),
        (List(&List(&I32)), "a list or a map cannot hold another; put the inner one into a message"),
        (Map(&I32, &List(&I32)), "a list or a map cannot hold another; put the inner one into a message"),
        (Map(&F64, &I32), "the key of a map is an integer, a bool or a string"),
        (Map(&F32, &I32), "the key of a map is an integer, a bool or a string"),
        (Map(&Bytes, &I32), "the key of a map is an integer, a bool or a string"),
        (Map(&Message(empty), &I32), "the key of a map is an integer, a bool or a string"),
        (Map(&Option(&Str), &I32), "the key of a map is an integer, a bool or a string"),
    ] {
        assert_eq!(error(vec![field("m", 1, ty)]), format!("member `m` of `Bad`: {expected}"));
    }
}

#[test]
fn attributes_that_do_not_fit_the_type() {
    use TypeShape::{F32, I32, I64, List, Map, Message, Option, Str};
    let none = Attributes::NONE;
    let kind = |kind| Attributes { kind: Some(kind), ..none };
    for (ty, attributes, expected) in [
        (I64, kind(WireKind::SInt32), "`sint32` does not fit i64"),
        (F32, kind(WireKind::Fixed32), "`fixed32` does not fit f32"),
        (List(&Str), kind(WireKind::SFixed64), "`sfixed64` does not fit a string"),
        (Message(empty), kind(WireKind::Fixed64), "`fixed64` does not fit a message"),
        (
            Map(&Str, &I32),
            Attributes { key: Some(WireKind::SInt64), ..none },
            "`sint64` does not fit a string",
        ),
        (I32, Attributes { key: Some(WireKind::SInt32), ..none }, "`key` is for the key of a map"),
        (I32, Attributes { packed: Some(true), ..none }, "`packed` is for lists of numbers"),
        (List(&Str), Attributes { packed: Some(false), ..none }, "`packed` is for lists of numbers"),
        (
            List(&I32),
            Attributes { required: true, ..none },
            "`required` is for a single value outside a oneof",
        ),
        (
            List(&I32),
            Attributes { default: Some("1"), ..none },
            "`default` is for a single scalar or enum value",
        ),
        (
            Option(&Message(empty)),
            Attributes { default: Some("1"), ..none },
            "`default` is for a single scalar or enum value",
        ),
        (
            I32,
            Attributes { default: Some("1"), ..none },
            "`default` is for a member that can be absent; write `Option<T>`",
        ),
        (I32, Attributes { delimited: true, ..none }, "`delimited` is for messages"),
        (Map(&I32, &Message(empty)), Attributes { delimited: true, ..none }, "`delimited` is for messages"),
    ] {
        assert_eq!(error(vec![with("m", 1, ty, attributes)]), format!("member `m` of `Bad`: {expected}"));
    }
}

#[test]
fn numbers_and_names_are_used_once() {
    static CELLS: OneofCells = OneofCells::new();
    static PICK: OneofShape = OneofShape::new(
        "Pick",
        &[(
            "First",
            FieldShape {
                name: "first",
                number: Some(1),
                value: &ValueShape { ty: TypeShape::I32, storage: Storage::I32 },
                attributes: None,
            },
        )],
        OneofFunctions { get: |_| None, insert: |_, _| std::ptr::null_mut(), clear: |_| {}, skipped: None },
        &CELLS,
    );
    let oneof = MemberShape { renamed: None, offset: 0, role: Role::Oneof("pick", || &PICK) };
    assert_eq!(
        error(vec![field("a", 1, TypeShape::I32), field("b", 1, TypeShape::I32)]),
        "member `b` of `Bad`: field number 1 is taken by `a` already"
    );
    assert_eq!(
        error(vec![field("a", 1, TypeShape::I32), oneof]),
        "member `pick(Pick::First)` of `Bad`: field number 1 is taken by `a` already"
    );
    assert_eq!(
        error(vec![field("first", 2, TypeShape::I32), oneof]),
        "member `pick(Pick::First)` of `Bad`: the name `first` is taken by `first` already"
    );
    let mut unnumbered = field("a", 1, TypeShape::I32);
    if let Role::Field(field) = &mut unnumbered.role {
        field.number = None;
    }
    assert_eq!(error(vec![unnumbered]), "member `a` of `Bad`: a field that is declared needs a number");
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
            "One",
            Schema::Declared(&Declaration { package: "errors", name: "One", declare: declare_enum }),
            &[("A", "A", 1)],
            false,
        );
        &SHAPE
    }
    assert_eq!(error(vec![field("a", 1, TypeShape::Enum(none))]), "`None` declares an enum without values");
    assert_eq!(
        error(vec![field("a", 1, TypeShape::Enum(no_zero))]),
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
