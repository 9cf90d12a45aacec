//! The table a codec needs per message: which tag is which field, of which kind, for which member.
//!
//! A plan is compiled from a descriptor, either bound to the members of a Rust type or, for types known only to
//! serde, bound to nothing. Presence, packing, oneofs and maps are decided here, once, for every format. Layer 2:
//! names `descriptor` and `shape`; knows no serde and no format.

mod bind;
mod build;
mod extensions;
mod head;
mod keys;
mod lead;
mod names;
mod table;

pub(crate) use bind::Binding;
pub(crate) use extensions::extension_plans;
pub(crate) use head::Many;
pub(crate) use head::{Head, Holds, Name, first_in, mark_in, name};
pub use head::{Held, OTHER_NAME, UNKNOWN_NAME, marked, marked_first, text};
pub(crate) use keys::Keys;
pub(crate) use lead::Lead;
pub use lead::lead_name;
pub(crate) use names::{Target, same_name};
pub(crate) use table::{NumberTable, TagTable};

use crate::descriptor::{DefaultValue, MessageDescriptor, WeakMessage};
use crate::json::print::{Key, ShortKey};
use crate::wire::Tag;
use crate::wire::WireType;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The plans of a message type and of every message type that it reaches.
#[derive(Debug)]
pub(crate) struct PlanSet {
    pub(crate) messages: Box<[MessagePlan]>,
    pub(crate) maps: Box<[MapPlan]>,
    pub(crate) enums: Box<[EnumPlan]>,
    /// How many bytes the last message of the root type took: a guess at the next one.
    last_size: AtomicUsize,
    /// The same in JSON.
    last_json_size: AtomicUsize,
    /// How many words the arenas of the last dynamic messages of the root type took, in 64ths per byte of the input.
    words_per_byte: AtomicUsize,
}

impl PlanSet {
    /// A guess at how many bytes a message of the root type takes, and the room that writing the last of them wants.
    #[inline]
    pub(crate) fn learned_size(&self) -> usize {
        self.last_size.load(Ordering::Relaxed) + 32
    }

    /// Notes how many bytes a message of the root type took.
    #[inline]
    pub(crate) fn learn_size(&self, size: usize) {
        learn(&self.last_size, size);
    }

    /// A guess at how many bytes a message of the root type takes in JSON.
    #[inline]
    pub(crate) fn learned_json_size(&self) -> usize {
        self.last_json_size.load(Ordering::Relaxed)
    }

    /// Notes how many bytes a message of the root type took in JSON.
    #[inline]
    pub(crate) fn learn_json_size(&self, size: usize) {
        learn(&self.last_json_size, size);
    }

    /// A guess at how many words beside its outermost message the arena of a dynamic message decoded from `input`
    /// bytes takes.
    #[inline]
    pub(crate) fn learned_words(&self, input: usize) -> usize {
        // A large arena grows as it is filled.
        (input.saturating_mul(self.words_per_byte.load(Ordering::Relaxed)) >> 6).min(1 << 20)
    }

    /// Notes how many words it took: the most of late, so that most arenas never grow.
    #[inline]
    pub(crate) fn learn_words(&self, input: usize, words: usize) {
        let (most, before) = (1 << 7, self.words_per_byte.load(Ordering::Relaxed));
        let (took, room) = (words << 6, before.saturating_mul(input));
        if took > room && before < most {
            self.words_per_byte.store(took.div_ceil(input.max(1)).min(most), Ordering::Relaxed);
        } else if took < room - room / 8 {
            self.words_per_byte.store(before - before / 16, Ordering::Relaxed);
        }
    }

    /// The plan of the type that the set was made for.
    #[inline]
    pub(crate) fn root(&self) -> &MessagePlan {
        &self.messages[0]
    }
}

/// Makes a guess at a size better: it rises at once and falls slowly, for too little room costs more than too much. After
/// a huge message the next may be tiny, so that a guess is a megabyte at most.
#[inline]
fn learn(guess: &AtomicUsize, size: usize) {
    let (size, old) = (size.min((1 << 20) - 32), guess.load(Ordering::Relaxed));
    let new = if size > old { size } else { old - (old - size) / 32 };
    if new != old {
        guess.store(new, Ordering::Relaxed);
    }
}

/// One message type.
#[derive(Debug)]
pub(crate) struct MessagePlan {
    pub(crate) full_name: Box<str>,
    pub(crate) descriptor: WeakMessage,
    /// The fields that a member stands for, or every field where no Rust type is bound; by field number.
    pub(crate) fields: Box<[FieldPlan]>,
    /// From a tag of one byte to an index into `fields`.
    pub(crate) tags: TagTable,
    /// From a field number to an index into `fields`.
    pub(crate) numbers: NumberTable,
    /// The indices of the fields in the order of their numbers.
    pub(crate) by_number: Box<[u16]>,
    /// The Rust type hands out its members in the order of their numbers.
    pub(crate) ascends: bool,
    /// One per member of the Rust type, in its order; empty where none is bound.
    pub(crate) members: Box<[MemberPlan]>,
    /// The variants of all oneofs as members of their own.
    pub(crate) variants: Box<[MemberPlan]>,
    /// One per field: the member that it belongs to; as `fields` where no type is bound.
    pub(crate) routes: Box<[Route]>,
    pub(crate) oneofs: Box<[OneofPlan]>,
    /// Some values may turn out to be unknown fields: those that a closed enum does not have.
    pub(crate) sorts: bool,
    /// The member that keeps the unknown fields.
    pub(crate) unknown: Option<u16>,
    /// Indices of the required fields.
    pub(crate) required: Box<[u16]>,
    /// The keys of the fields in JSON objects.
    pub(crate) keys: Keys,
    /// Proto names and JSON names.
    pub(crate) names: HashMap<Box<str>, Target>,
    /// A JSON name of one field is the proto name of another.
    pub(crate) crossed: bool,
    /// True when `members` are those of a Rust type.
    pub(crate) bound: bool,
    /// A type with tobu's own derive is merged into: it is the one that is bound, and nothing must come.
    pub(crate) merges: bool,
    /// The mark of a type whose derive tells of the members what the plan says; zero where there is none.
    pub(crate) told: u64,
    /// The same, where nothing must come; else zero.
    pub(crate) glanced: u64,
    /// The bytes that a value of the Rust type takes, or an estimate.
    pub(crate) size: u32,
    /// What a format may write in a way of its own.
    pub(crate) known: WellKnown,
    /// Extensions may be among the unknown fields.
    pub(crate) extendable: bool,
    /// Its unknown fields are the items of a message set.
    pub(crate) message_set: bool,
    /// How members of structs that only serde knows are routed, per list of member names seen.
    pub(crate) bindings: bind::Bindings,
}

impl MessagePlan {
    /// The descriptor of the message; whoever has the plan holds the file that it is of.
    #[inline]
    pub(crate) fn handle(&self) -> MessageDescriptor {
        self.descriptor.upgrade().expect("whoever has the plans holds the file that they are of")
    }

    /// True where a type whose derive gave this mark is read at a glance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn glances(&self, mark: u64) -> bool {
        self.glanced == mark && mark != 0
    }

    /// A member, or one of the variants, which are behind the members.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member(&self, index: usize) -> Option<&MemberPlan> {
        match self.members.get(index) {
            Some(member) => Some(member),
            None => self.variants.get(index - self.members.len()),
        }
    }

    /// The field that it stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member_field(&self, index: usize) -> Option<&FieldPlan> {
        self.member(index)?.field(self)
    }
}

/// One field, or the key or the value of a map entry.
#[derive(Debug)]
pub(crate) struct FieldPlan {
    /// The tag as it is written: packed where the field is packed.
    pub(crate) tag: u32,
    /// The other tag under which a list of numbers may come, or 0.
    pub(crate) other_tag: u32,
    pub(crate) tag_bytes: [u8; 8],
    pub(crate) tag_len: u8,
    pub(crate) kind: Kind,
    pub(crate) shape: Shape,
    /// The kind, of a field that has one value.
    pub(crate) single: Option<Kind>,
    /// The field has one value, which is a message.
    pub(crate) single_message: bool,
    /// Shape and kind in one, for readers that look once.
    pub(crate) op: Op,
    pub(crate) presence: Presence,
    pub(crate) packed: bool,
    pub(crate) utf8: bool,
    /// An enum whose unknown numbers go to the unknown fields.
    pub(crate) closed: bool,
    /// Index of the message, map or enum plan.
    pub(crate) sub: u32,
    pub(crate) number: u32,
    /// Index into `oneofs` of the message, for a member of a oneof.
    pub(crate) oneof: Option<u16>,
    /// Its place among the fields of the message; 0 and 1 for key and value of a map entry.
    pub(crate) index: u16,
    /// The member of the bound Rust type that takes the field.
    pub(crate) route: Route,
    /// Its place among the fields of its file.
    pub(crate) place: u32,
    pub(crate) name: Box<str>,
    pub(crate) json_name: Box<str>,
    /// What JSON writes before the value, by its JSON name: `,"name":`. Nothing where the value stands for its whole
    /// message, and another mark where it is a part of one that has a text of its own.
    pub(crate) json_key: Key,
    /// The same by its proto name.
    pub(crate) proto_key: Key,
    /// The default that the schema declares.
    pub(crate) default: Option<Box<DefaultValue>>,
}

/// The kind of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Double,
    Float,
    Int32,
    Int64,
    UInt32,
    UInt64,
    SInt32,
    SInt64,
    Fixed32,
    Fixed64,
    SFixed32,
    SFixed64,
    Bool,
    String,
    Bytes,
    Enum,
    Message,
    Group,
}

/// How a field is read from the wire, by its shape and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Varint32,
    Varint64,
    Zigzag32,
    Zigzag64,
    Bool,
    Fixed32,
    Fixed64,
    /// A string that must be UTF-8.
    Text,
    /// Bytes, or a string that may be anything.
    Bytes,
    Message,
    Group,
    List,
    Map,
}

impl Op {
    /// How a field is read.
    pub(crate) fn of(field: &FieldPlan) -> Op {
        match field.shape {
            Shape::Singular => Op::single(field.kind, field.utf8),
            Shape::List => Op::List,
            Shape::Map => Op::Map,
        }
    }

    /// How a single value is read.
    #[inline]
    pub(crate) fn single(kind: Kind, utf8: bool) -> Op {
        match kind {
            Kind::Int32 | Kind::UInt32 | Kind::Enum => Op::Varint32,
            Kind::Int64 | Kind::UInt64 => Op::Varint64,
            Kind::SInt32 => Op::Zigzag32,
            Kind::SInt64 => Op::Zigzag64,
            Kind::Bool => Op::Bool,
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => Op::Fixed32,
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => Op::Fixed64,
            Kind::String if utf8 => Op::Text,
            Kind::String | Kind::Bytes => Op::Bytes,
            Kind::Message => Op::Message,
            Kind::Group => Op::Group,
        }
    }
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Singular,
    List,
    Map,
}

/// When a singular field counts as set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// When it is not the default.
    Implicit,
    /// When it was set.
    Explicit,
    /// It must be set.
    Required,
}

/// A member of a Rust struct.
#[derive(Debug)]
pub(crate) struct MemberPlan {
    pub(crate) name: &'static str,
    pub(crate) head: Head,
    /// The plan of a message that it holds.
    pub(crate) sub: u32,
    /// What `size` and `glanced` of that plan are.
    pub(crate) sub_size: u32,
    pub(crate) sub_glanced: u64,
    pub(crate) role: MemberRole,
    /// What JSON writes before its value, where that is short.
    pub(crate) json_key: ShortKey,
}

impl MemberPlan {
    fn new(name: &'static str, role: MemberRole, fields: &[FieldPlan]) -> Self {
        let (head, sub) = match (role.field(fields), role) {
            (Some(field), _) => {
                let holds = Holds::field(field);
                let FieldPlan { mut tag_bytes, tag_len, sub, .. } = *field;
                if holds.is_numbers() {
                    tag_bytes[0] = tag_bytes[0] & !7 | WireType::Len as u8;
                }
                (Head { tag_bytes, tag_len, holds }, sub)
            }
            (None, MemberRole::Unknown) => (Head::UNKNOWN, 0),
            (None, _) => (Head::OTHER, 0),
        };
        MemberPlan { name, head, sub, sub_size: 0, sub_glanced: 0, role, json_key: ShortKey::default() }
    }

    /// The field that the member stands for, if it is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn field<'p>(&self, plan: &'p MessagePlan) -> Option<&'p FieldPlan> {
        self.role.field(&plan.fields)
    }
}

/// What a member of a Rust struct stands for; indices into the lists of the message plan.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberRole {
    Field(u16),
    Oneof(u16),
    Unknown,
}

impl MemberRole {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn field(self, fields: &[FieldPlan]) -> Option<&FieldPlan> {
        match self {
            MemberRole::Field(index) => fields.get(usize::from(index)),
            _ => None,
        }
    }
}

/// The member that a field is delivered to, and the variant if the member is a oneof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) member: u16,
    pub(crate) variant: u16,
}

impl Route {
    /// No member takes the field.
    pub(crate) const SKIP: Route = Route { member: u16::MAX, variant: u16::MAX };
    /// The `variant` of a member that is no oneof.
    pub(crate) const NO_VARIANT: u16 = u16::MAX;
}

/// A oneof: its name and its fields, in the order of the Rust enum's variants where one is bound.
#[derive(Debug)]
pub(crate) struct OneofPlan {
    pub(crate) name: Box<str>,
    pub(crate) fields: Box<[u16]>,
    /// The names under which serde sees the variants; empty where no Rust enum is bound.
    pub(crate) variants: Box<[&'static str]>,
    /// Where the variants stand behind the members.
    pub(crate) first: u16,
    /// As that of a message.
    pub(crate) told: u64,
}

/// The two fields of a map entry.
#[derive(Debug)]
pub(crate) struct MapPlan {
    pub(crate) key: FieldPlan,
    pub(crate) value: FieldPlan,
}

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumPlan {
    pub(crate) full_name: Box<str>,
    /// Numbers in ascending order, with the name that was declared first for each.
    pub(crate) values: Box<[(i32, Box<str>)]>,
    pub(crate) by_name: HashMap<Box<str>, i32>,
    /// Serde's variant names and their numbers, where a Rust enum is bound.
    pub(crate) variants: Box<[(&'static str, i32)]>,
    /// The number of a value that is not set.
    pub(crate) default: i32,
    /// True for `google.protobuf.NullValue`.
    pub(crate) null: bool,
    /// The names of `values` as JSON writes them.
    json_names: Box<[Box<[u8]>]>,
    /// The least number.
    first: i32,
    /// True when the numbers go on from the first without a gap.
    dense: bool,
}

/// The message types of `google.protobuf` that a format may write in a way of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WellKnown {
    /// An ordinary message.
    No,
    Any,
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    /// `BoolValue` and its kin: one field, `value`.
    Wrapper,
}

impl EnumPlan {
    /// True when the schema names `number`.
    #[inline]
    pub(crate) fn contains(&self, number: i32) -> bool {
        self.position(number).is_some()
    }

    /// The name of `number`, where the schema has one.
    pub(crate) fn name(&self, number: i32) -> Option<&str> {
        self.position(number).map(|i| &*self.values[i].1)
    }

    /// What JSON writes for `number`, where the schema has a name for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn json_name(&self, number: i32) -> Option<&[u8]> {
        self.position(number).and_then(|position| self.json_names.get(position)).map(|name| &**name)
    }

    /// Names as JSON writes them, with their numbers: of the first few values, which are faster to compare than to
    /// hash.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn json_names(&self) -> impl Iterator<Item = (&[u8], i32)> {
        self.json_names.iter().zip(&self.values).take(20).map(|(name, (number, _))| (&**name, *number))
    }

    /// The number of a value by its proto name, or of the variant of the Rust enum.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let variant =
            || self.variants.iter().find(|(variant, _)| *variant == name).map(|(_, number)| *number);
        self.by_name.get(name).copied().or_else(variant).or_else(|| self.number_loosely(name))
    }

    /// The number of a value whose name is `variant` but for letter case, underscores and the enum's own name.
    #[cold]
    fn number_loosely(&self, variant: &str) -> Option<i32> {
        let short = self.full_name.rsplit('.').next().unwrap_or_default();
        let prefixed = format!("{short}{variant}");
        let fits = |name: &str| same_name(name, variant) || same_name(name, &prefixed);
        self.values.iter().find(|(_, name)| fits(name)).map(|(number, _)| *number)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&self, number: i32) -> Option<usize> {
        if self.dense {
            let position = number.wrapping_sub(self.first) as u32 as usize;
            return (position < self.values.len()).then_some(position);
        }
        self.search(number)
    }

    #[inline(never)]
    fn search(&self, number: i32) -> Option<usize> {
        self.values.binary_search_by_key(&number, |(value, _)| *value).ok()
    }
}

impl FieldPlan {
    /// The tag as it is written, ready to be copied.
    #[inline]
    pub(crate) fn tag_bytes(&self) -> &[u8] {
        &self.tag_bytes[..usize::from(self.tag_len)]
    }

    /// True for the tags under which the field may come.
    #[inline]
    pub(crate) fn takes(&self, tag: Tag) -> bool {
        tag.value() == self.tag || tag.value() == self.other_tag
    }

    /// True when a single value is a message, a group included.
    #[inline]
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Kind::Message | Kind::Group)
    }
}

impl Kind {
    /// The kind as the language spells it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Double => "double",
            Kind::Float => "float",
            Kind::Int32 => "int32",
            Kind::Int64 => "int64",
            Kind::UInt32 => "uint32",
            Kind::UInt64 => "uint64",
            Kind::SInt32 => "sint32",
            Kind::SInt64 => "sint64",
            Kind::Fixed32 => "fixed32",
            Kind::Fixed64 => "fixed64",
            Kind::SFixed32 => "sfixed32",
            Kind::SFixed64 => "sfixed64",
            Kind::Bool => "bool",
            Kind::String => "string",
            Kind::Bytes => "bytes",
            Kind::Enum => "enum",
            Kind::Message => "message",
            Kind::Group => "group",
        }
    }
}
