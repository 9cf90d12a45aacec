//! What the encoder of the wire format does with a Rust type: one step per field or run of oneof members, in the order
//! of field numbers.
//!
//! A step has in one place what of a row the encoder needs for every message; the rest stays in the row.

use super::{Kind, Location, Presence, Row, Shape};
use crate::layout::{OneofFunctions, Storage};

/// A field, or the part of a oneof whose members come one after another.
#[derive(Debug)]
pub(crate) struct Step {
    /// The tag as it lies in memory; the bytes after it are zero.
    pub(crate) tag: u64,
    pub(crate) tag_len: u8,
    pub(crate) action: Action,
    /// A default is written, too.
    pub(crate) always: bool,
    /// It is an error where there is no value.
    pub(crate) required: bool,
    pub(crate) packed: bool,
    /// The index of the row; of a oneof that of its first member here.
    pub(crate) row: u16,
    /// Bytes from the start of the struct; 0 of what is in a container.
    pub(crate) offset: u32,
    pub(crate) storage: Storage,
    pub(crate) inner: Inner,
}

/// What is in the container that a step is about.
#[derive(Debug)]
pub(crate) enum Inner {
    None,
    /// The value of an option, or an element of a list.
    Value(Box<Step>),
    /// Key and value of a map.
    Entry(Box<[Step; 2]>),
    Oneof(Box<Members>),
}

/// Members of a oneof.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) functions: OneofFunctions,
    steps: Vec<Step>,
    /// From a variant to the index of its step, or `NONE`.
    variants: Vec<u16>,
}

const NONE: u16 = u16::MAX;

/// How a value is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Action {
    // Numbers of which the Rust type is known, by what they are on the wire.
    Int32,
    UInt32,
    Int64,
    SInt32,
    SInt64,
    Bool,
    Fixed32,
    Fixed64,
    // The same in an option: by the type in it, too, for no two options lie alike.
    OptionI32,
    OptionU32,
    OptionI64,
    OptionU64,
    OptionSInt32,
    OptionSInt64,
    OptionBool,
    OptionFixedU32,
    OptionFixedI32,
    OptionF32,
    OptionFixedU64,
    OptionFixedI64,
    OptionF64,
    // Strings and byte strings that need no check.
    String,
    Vec,
    Str,
    Slice,
    Bytes,
    Text,
    OptionString,
    OptionVec,
    Message,
    BoxMessage,
    OptionBoxMessage,
    /// An option of anything else.
    Option,
    List,
    Map,
    Oneof,
    /// By the row.
    Other,
}

impl Step {
    /// The steps of the rows of a message struct.
    pub(super) fn all(rows: &[Row]) -> Box<[Step]> {
        let mut steps = Vec::<Step>::new();
        for row in rows {
            match row.location {
                Location::Arena => {}
                Location::Member { offset, storage } => {
                    steps.push(Step { offset, ..Step::field(row, storage) });
                }
                Location::Variant { offset, variant, functions, storage } => {
                    let member = Step { always: true, ..Step::value(row, storage) };
                    match steps.last_mut() {
                        Some(Step { inner: Inner::Oneof(members), offset: same, .. }) if *same == offset => {
                            members.push(variant, member);
                        }
                        _ => {
                            let mut members = Members { functions, steps: Vec::new(), variants: Vec::new() };
                            members.push(variant, member);
                            let inner = Inner::Oneof(Box::new(members));
                            steps.push(Step {
                                offset,
                                action: Action::Oneof,
                                inner,
                                ..Step::new(row, storage)
                            });
                        }
                    }
                }
            }
        }
        steps.into()
    }

    fn new(row: &Row, storage: Storage) -> Step {
        Step {
            tag: u64::from_le_bytes(row.tag_bytes),
            tag_len: row.tag_len,
            action: Action::Other,
            always: row.presence != Presence::Implicit,
            required: row.presence == Presence::Required,
            packed: row.packed,
            row: row.index,
            offset: 0,
            storage,
            inner: Inner::None,
        }
    }

    /// A field of any shape.
    pub(crate) fn field(row: &Row, storage: Storage) -> Step {
        let mut step = Step::new(row, storage);
        match (row.shape, storage) {
            (Shape::Singular, Storage::Option(option)) => {
                step.action = Action::option(row, option.value);
                step.inner = Inner::Value(Box::new(Step::value(row, option.value)));
            }
            (Shape::Singular, _) => return Step::value(row, storage),
            (Shape::List, Storage::List(list)) => {
                step.action = Action::List;
                step.inner = Inner::Value(Box::new(Step { always: true, ..Step::value(row, list.element) }));
            }
            (Shape::Map, Storage::Map(map)) => {
                let rows = row.map();
                step.action = Action::Map;
                step.inner = Inner::Entry(Box::new([
                    Step::value(&rows.key, map.key),
                    Step::value(&rows.value, map.value),
                ]));
            }
            // In a box.
            _ => {}
        }
        step
    }

    /// A single value.
    fn value(row: &Row, storage: Storage) -> Step {
        Step { action: Action::value(row, storage), ..Step::new(row, storage) }
    }
}

impl Members {
    fn push(&mut self, variant: u16, step: Step) {
        let variant = usize::from(variant);
        if self.variants.len() <= variant {
            self.variants.resize(variant + 1, NONE);
        }
        self.variants[variant] = self.steps.len() as u16;
        self.steps.push(step);
    }

    /// The step of a variant, where it is among these.
    #[inline]
    pub(crate) fn get(&self, variant: usize) -> Option<&Step> {
        self.steps.get(usize::from(*self.variants.get(variant)?))
    }
}

impl Action {
    fn value(row: &Row, storage: Storage) -> Action {
        use Storage as S;
        let unchecked = row.kind == Kind::Bytes || !row.utf8;
        match (row.kind, storage) {
            (Kind::Int32, S::I32) | (Kind::Enum, S::I32 | S::OpenEnum(_)) => Action::Int32,
            (Kind::UInt32, S::U32) => Action::UInt32,
            (Kind::Int64, S::I64) | (Kind::UInt64, S::U64) => Action::Int64,
            (Kind::SInt32, S::I32) => Action::SInt32,
            (Kind::SInt64, S::I64) => Action::SInt64,
            (Kind::Bool, S::Bool) => Action::Bool,
            (Kind::Float, S::F32) | (Kind::Fixed32, S::U32) | (Kind::SFixed32, S::I32) => Action::Fixed32,
            (Kind::Double, S::F64) | (Kind::Fixed64, S::U64) | (Kind::SFixed64, S::I64) => Action::Fixed64,
            (Kind::String | Kind::Bytes, S::String) => Action::String,
            (Kind::String | Kind::Bytes, S::Str) => Action::Str,
            (Kind::String | Kind::Bytes, S::Vec) if unchecked => Action::Vec,
            (Kind::String | Kind::Bytes, S::Slice) if unchecked => Action::Slice,
            (Kind::String | Kind::Bytes, S::Bytes) if unchecked => Action::Bytes,
            (Kind::String | Kind::Bytes, S::Text(functions)) if unchecked || functions.is_string => {
                Action::Text
            }
            (Kind::Message | Kind::Group, S::Message(_)) => Action::Message,
            (Kind::Message | Kind::Group, S::Box(S::Message(_))) => Action::BoxMessage,
            _ => Action::Other,
        }
    }

    fn option(row: &Row, value: Storage) -> Action {
        use Storage as S;
        match (Action::value(row, value), value) {
            // An option of a newtype need not lie as one of an `i32`.
            (Action::Int32, S::I32) => Action::OptionI32,
            (Action::UInt32, _) => Action::OptionU32,
            (Action::Int64, S::I64) => Action::OptionI64,
            (Action::Int64, _) => Action::OptionU64,
            (Action::SInt32, _) => Action::OptionSInt32,
            (Action::SInt64, _) => Action::OptionSInt64,
            (Action::Bool, _) => Action::OptionBool,
            (Action::Fixed32, S::U32) => Action::OptionFixedU32,
            (Action::Fixed32, S::I32) => Action::OptionFixedI32,
            (Action::Fixed32, _) => Action::OptionF32,
            (Action::Fixed64, S::U64) => Action::OptionFixedU64,
            (Action::Fixed64, S::I64) => Action::OptionFixedI64,
            (Action::Fixed64, _) => Action::OptionF64,
            (Action::String, _) => Action::OptionString,
            (Action::Vec, _) => Action::OptionVec,
            (Action::BoxMessage, _) => Action::OptionBoxMessage,
            _ => Action::Option,
        }
    }
}
