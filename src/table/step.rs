//! The steps of the wire encoder for a Rust type: one per field or run of oneof members, in the order of field
//! numbers.
//!
//! A step has the members of a row that the encoder needs for every message; the rest stays in the row. Steps are as those of
//! a static: they are never dropped, and a program has no code for that.

use crate::layout::{OneofFunctions, PresenceBit, Storage};

/// A field, or a run of adjacent members of a oneof.
#[derive(Debug)]
pub(crate) struct Step {
    /// The tag in memory order, padded with zero bytes.
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
    /// Bytes from the start of the struct; 0 for values in a container.
    pub(crate) offset: u32,
    pub(crate) storage: Storage,
    /// The presence bit of a field that is no step of a message where the bit is clear.
    pub(crate) presence: Option<PresenceBit>,
    pub(crate) inner: Inner,
}

/// The content of the step's container.
#[derive(Debug)]
pub(crate) enum Inner {
    None,
    /// The value of an option, or an element of a list.
    Value(&'static Step),
    /// Key and value of a map.
    Entry(&'static [Step; 2]),
    Oneof(&'static OneofMembers),
}

/// OneofMembers of a oneof.
#[derive(Debug)]
pub(crate) struct OneofMembers {
    pub(crate) functions: OneofFunctions,
    steps: &'static [Step],
    /// From a variant to the index of its step, or `NONE`.
    variants: &'static [u16],
}

const NONE: u16 = u16::MAX;

/// How a value is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Action {
    // Numbers of a known Rust type, by wire encoding.
    Int32,
    UInt32,
    Int64,
    SInt32,
    SInt64,
    Bool,
    Fixed32,
    Fixed64,
    // The same in an option: by its inner type, too, since the layouts of options differ.
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
    Text,
    OptionString,
    OptionVec,
    Message,
    BoxMessage,
    OptionMessage,
    OptionBoxMessage,
    /// A Rust enum, which says its number itself.
    Enum,
    /// An option of an enum of a Rust type of its own.
    OptionEnum,
    /// An option of a string or byte string that has no action of its own.
    OptionText,
    /// An option of anything else.
    Option,
    List,
    Map,
    Oneof,
    /// By the row.
    Other,
}

impl OneofMembers {
    /// The members of some variants.
    pub(super) fn new(functions: OneofFunctions, members: Vec<(u16, Step)>) -> Self {
        let (mut steps, mut variants) = (Vec::with_capacity(members.len()), Vec::new());
        for (index, (variant, step)) in (0..).zip(members) {
            let variant = usize::from(variant);
            if variants.len() <= variant {
                variants.resize(variant + 1, NONE);
            }
            variants[variant] = index;
            steps.push(step);
        }
        OneofMembers { functions, steps: steps.leak(), variants: variants.leak() }
    }

    /// The step of a variant, if it is among these.
    #[inline]
    pub(crate) fn get(&self, variant: usize) -> Option<&Step> {
        self.steps.get(usize::from(*self.variants.get(variant)?))
    }
}
