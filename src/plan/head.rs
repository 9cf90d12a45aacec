//! What is to be known of a member to write most values: its tag, and what it holds.
//!
//! It stands in the plan; and where a derive knows it when it is compiled, it comes with the member, too: as the name
//! of a newtype struct, the one way that serde has for it. Formats look through newtypes, so that nobody else is
//! concerned. What a derive says is believed only under a [mark] of all that it says which the type's plan has, too.

use super::{FieldPlan, Kind, Presence, Shape};
use crate::shape::{FieldShape, MemberShape, Role, TypeShape, WireKind};
use crate::wire::WireType;

/// The tag of a member, and what the member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) tag_bytes: [u8; 8],
    pub(crate) tag_len: u8,
    pub(crate) holds: Holds,
}

/// What a member holds, at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holds(u8);

impl Holds {
    const KIND: u8 = 0x1f;
    const REQUIRED: u8 = 0x20;
    const IMPLICIT: u8 = 0x40;
    /// In the place of a presence: a list of numbers, of any form; its tag is that of a packed one.
    const NUMBERS: u8 = 0x60;
    /// In the place of a kind: lists of values each of which comes with the tag, of strings, bytes, messages.
    const LIST: u8 = 0x18;
    /// Likewise: the unknown fields, and what takes more than a glance.
    const UNKNOWN: u8 = 0x1e;
    const OTHER: u8 = 0x1f;

    /// What the member that stands for a field holds.
    pub(super) fn field(field: &FieldPlan) -> Self {
        match (field.single, field.kind) {
            (Some(kind), _) => Self::single_of(kind, field.presence),
            (None, kind) if field.shape == Shape::List => Self::list_of(kind),
            _ => Holds(Self::OTHER),
        }
    }

    const fn single_of(kind: Kind, presence: Presence) -> Self {
        let presence = match presence {
            Presence::Implicit => Self::IMPLICIT,
            Presence::Explicit => 0,
            Presence::Required => Self::REQUIRED,
        };
        Holds(kind as u8 | presence)
    }

    const fn list_of(kind: Kind) -> Self {
        Holds(match kind {
            Kind::String => Self::LIST,
            Kind::Bytes => Self::LIST + 1,
            Kind::Message => Self::LIST + 2,
            Kind::Group => Self::OTHER,
            kind => Self::NUMBERS | kind as u8,
        })
    }

    /// One value of this kind.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn single(self, kind: Kind) -> bool {
        self.0 & Self::KIND == kind as u8 && !self.is_numbers()
    }

    /// A list of values of this kind.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn list(self, kind: Kind) -> bool {
        self.0 == Self::list_of(kind).0
    }

    /// A message, or a list of them.
    pub(crate) fn is_message(self) -> bool {
        self.single(Kind::Message) || self.list(Kind::Message)
    }

    /// A list of numbers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn is_numbers(self) -> bool {
        self.0 & Self::NUMBERS == Self::NUMBERS
    }

    /// What the numbers of a list of them are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(self) -> Option<Kind> {
        const KINDS: [Kind; 14] = [
            Kind::Double,
            Kind::Float,
            Kind::Int32,
            Kind::Int64,
            Kind::UInt32,
            Kind::UInt64,
            Kind::SInt32,
            Kind::SInt64,
            Kind::Fixed32,
            Kind::Fixed64,
            Kind::SFixed32,
            Kind::SFixed64,
            Kind::Bool,
            Kind::Enum,
        ];
        KINDS.into_iter().find(|kind| self.0 == Self::NUMBERS | *kind as u8)
    }

    /// A list of values each of which comes with the tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_list(self) -> bool {
        (Self::LIST..Self::UNKNOWN).contains(&(self.0 & Self::KIND))
    }

    /// One value, which counts as set when it is not the default.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_implicit(self) -> bool {
        self.0 & Self::IMPLICIT != 0
    }

    /// One value or none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_optional(self) -> bool {
        self.0 & Self::REQUIRED == 0 && self.0 & Self::KIND < Self::LIST
    }

    /// The fields that the message does not name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn is_unknown(self) -> bool {
        self.0 & Self::KIND == Self::UNKNOWN
    }
}

impl Head {
    /// Of a member that stands for no field.
    pub(super) const UNKNOWN: Head = Head { tag_bytes: [0; 8], tag_len: 0, holds: Holds(Holds::UNKNOWN) };
    pub(crate) const OTHER: Head = Head { tag_bytes: [0; 8], tag_len: 0, holds: Holds(Holds::OTHER) };

    /// The head that a name says; none where the name is another, or says none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let Ok(name): Result<&Name, _> = name.as_bytes().try_into() else { return None };
        let [b'$', b't', b'o', b'b', b'u', b':', b':', b'#', part @ ..] = name else { return None };
        Self::of_part(part)
    }

    /// The tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tag(self) -> u32 {
        let mut tag = 0;
        let mut group = 0;
        while group < 5 {
            tag |= u32::from(self.tag_bytes[group] & 0x7f) << (7 * group);
            group += 1;
        }
        tag
    }

    /// The head that the latter half of a name says.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_part([holds, tag_len, groups @ .., _]: &[u8; 8]) -> Option<Self> {
        if *holds & Holds::KIND == Holds::OTHER {
            return None;
        }
        let more = |group: u8| if *tag_len > group { 0x80 } else { 0 };
        let [a, b, c, d, e] = *groups;
        let tag_bytes = [a | more(1), b | more(2), c | more(3), d | more(4), e, 0, 0, 0];
        Some(Head { tag_bytes, tag_len: *tag_len, holds: Holds(*holds) })
    }

    /// The head that a derive tells with a name, if it tells one: the plan must say the same.
    pub(super) fn told(name: &Name) -> Option<Self> {
        Self::of_name(text(name))
    }
}

/// The name that a derive gives a member.
pub(super) fn name_of(member: &MemberShape) -> Name {
    match &member.role {
        Role::Field(field) => name_of_field(field, false),
        Role::Oneof(..) => OTHER_NAME,
        Role::Unknown => UNKNOWN_NAME,
    }
}

/// The same of a variant of a oneof.
pub(super) fn name_of_variant(field: &FieldShape) -> Name {
    name_of_field(field, true)
}

fn name_of_field(field: &FieldShape, variant: bool) -> Name {
    let (held, many) = match field.ty {
        TypeShape::Option(ty) => (Held::of(*ty), Many::Option),
        TypeShape::List(ty) if !variant => (Held::of(*ty), Many::List),
        ty => (Held::of(ty), if variant { Many::Option } else { Many::One }),
    };
    let FieldShape { number, attributes, .. } = field;
    match number {
        Some(number) => name(*number, held, many, attributes.kind, attributes.required),
        None => OTHER_NAME,
    }
}

impl Held {
    /// A number or a bool.
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Held::Bool | Held::I32 | Held::I64 | Held::U32 | Held::U64 | Held::F32 | Held::F64)
    }

    fn of(ty: TypeShape) -> Self {
        match ty {
            TypeShape::Bool => Held::Bool,
            TypeShape::I32 => Held::I32,
            TypeShape::I64 => Held::I64,
            TypeShape::U32 => Held::U32,
            TypeShape::U64 => Held::U64,
            TypeShape::F32 => Held::F32,
            TypeShape::F64 => Held::F64,
            TypeShape::Str => Held::Str,
            TypeShape::Bytes => Held::Bytes,
            TypeShape::Enum(_) => Held::Enum,
            TypeShape::Message(_) => Held::Message,
            TypeShape::Option(_) | TypeShape::List(_) | TypeShape::Map(..) => Held::Other,
        }
    }
}

/// What a value of a Rust type is, as far as the type tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `String` and its kin
    Str,
    /// `Vec<u8>` and its kin
    Bytes,
    /// A type that derives `Enumeration`
    Enum,
    /// A type that derives `Message`
    Message,
    /// A list, a map, a oneof: nothing that is one value.
    Other,
}

/// How many values a member has, as far as its type tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// One.
    One,
    /// One or none.
    Option,
    /// Any number.
    List,
}

/// How long the names are.
const NAME: usize = 16;

/// A name that tells of a member.
pub(crate) type Name = [u8; NAME];

/// A name by which a derive calls a struct, or the enum of a oneof: a mark of what it tells of all members.
pub(crate) type Mark = [u8; 25];

/// The bytes of the name that tells of a member; seven bits each, so that they are text.
pub(crate) const fn name(
    number: u32,
    held: Held,
    many: Many,
    kind: Option<WireKind>,
    required: bool,
) -> Name {
    let kind = match (held, kind) {
        (Held::I32, None) => Kind::Int32,
        (Held::I32, Some(WireKind::SInt32)) => Kind::SInt32,
        (Held::I32, Some(WireKind::SFixed32)) => Kind::SFixed32,
        (Held::I64, None) => Kind::Int64,
        (Held::I64, Some(WireKind::SInt64)) => Kind::SInt64,
        (Held::I64, Some(WireKind::SFixed64)) => Kind::SFixed64,
        (Held::U32, None) => Kind::UInt32,
        (Held::U32, Some(WireKind::Fixed32)) => Kind::Fixed32,
        (Held::U64, None) => Kind::UInt64,
        (Held::U64, Some(WireKind::Fixed64)) => Kind::Fixed64,
        (Held::Bool, None) => Kind::Bool,
        (Held::F32, None) => Kind::Float,
        (Held::F64, None) => Kind::Double,
        (Held::Str, None) => Kind::String,
        (Held::Bytes, None) => Kind::Bytes,
        (Held::Enum, None) => Kind::Enum,
        (Held::Message, None) => Kind::Message,
        _ => return put(Head::OTHER.holds, 0, 0),
    };
    let holds = match (many, kind) {
        (Many::List, kind) => Holds::list_of(kind),
        _ if required => Holds::single_of(kind, Presence::Required),
        (Many::One, Kind::Message) | (Many::Option, _) => Holds::single_of(kind, Presence::Explicit),
        (Many::One, _) => Holds::single_of(kind, Presence::Implicit),
    };
    let wire_type = match kind {
        _ if holds.is_numbers() => WireType::Len,
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => WireType::Fixed64,
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => WireType::Fixed32,
        Kind::String | Kind::Bytes | Kind::Message => WireType::Len,
        _ => WireType::Varint,
    };
    let tag = number << 3 | wire_type as u32;
    let mut tag_len = 1;
    while tag_len < 5 && tag >> (7 * tag_len) > 0 {
        tag_len += 1;
    }
    put(holds, tag_len as u8, tag)
}

/// The name that tells that a member is the unknown fields.
pub const UNKNOWN_NAME: Name = put(Head::UNKNOWN.holds, 0, 0);

/// The name of a member of which nothing is told.
pub const OTHER_NAME: Name = put(Head::OTHER.holds, 0, 0);

/// The hash of the names of all members, never zero: FNV-1a.
pub(super) const fn mark(names: &[Name]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut member = 0;
    while member < names.len() {
        let mut at = 8;
        while at < NAME {
            hash = (hash ^ names[member][at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        member += 1;
    }
    hash | 1
}

/// The name that marks a type of such members.
pub const fn marked(names: &[Name]) -> Mark {
    let mark = mark(names);
    let mut name = *b"$tobu::Message#          ";
    let mut group = 0;
    while group < 10 {
        name[15 + group] = (mark >> (7 * group)) as u8 & 0x7f;
        group += 1;
    }
    name
}

/// The mark in the name of a type with tobu's derive; zero where it has none, nothing for any other type.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn mark_in(name: &str) -> Option<u64> {
    if name == "$tobu::Message" {
        return Some(0);
    }
    let (b"$tobu::Message#", groups) = name.as_bytes().split_first_chunk::<15>()? else { return None };
    let (&[a, b, c, d, e, f, g, h, i, j], rest) = groups.split_first_chunk::<10>()?;
    if !rest.is_empty() && rest.len() != FIRST {
        return None;
    }
    let low = |groups: [u8; 5]| {
        let [a, b, c, d, e] = groups.map(u64::from);
        a | b << 7 | c << 14 | d << 21 | e << 28
    };
    // Of the last group one bit is left.
    Some(low([a, b, c, d, e]) | low([f, g, h, i, j]) << 35)
}

/// How much longer the name is that tells of the first member, too.
const FIRST: usize = 11;

/// A [`Mark`] that tells of the first member, too.
pub(crate) type MarkFirst = [u8; 25 + FIRST];

/// The name that marks a type of such members, and tells that the one at `index` comes first, of which a derive tells so
/// much.
pub const fn marked_first(names: &[Name], index: u16, first: Name) -> MarkFirst {
    let mark = marked(names);
    let mut name = [0; 25 + FIRST];
    let mut at = 0;
    while at < name.len() {
        name[at] = match at {
            0..25 => mark[at],
            25..28 => place(index)[at - 25],
            _ => first[8 + at - 28],
        };
        at += 1;
    }
    name
}

/// The place of the first member and what is told of it, where a name that marks a type tells it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn first_in(name: &str) -> Option<(u16, Head)> {
    let name: &MarkFirst = name.as_bytes().try_into().ok()?;
    let (place, part) = name.last_chunk::<FIRST>()?.split_first_chunk::<3>()?;
    Some((of_place(*place), Head::of_part(part.first_chunk()?)?))
}

/// A place among the members as bytes of a name.
pub(super) const fn place(index: u16) -> [u8; 3] {
    [index as u8 & 0x7f, (index >> 7) as u8 & 0x7f, (index >> 14) as u8]
}

/// The place of which these are the bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_place([a, b, c]: [u8; 3]) -> u16 {
    u16::from(a) | u16::from(b) << 7 | u16::from(c) << 14
}

const fn put(holds: Holds, tag_len: u8, tag: u32) -> Name {
    let mut name = *b"$tobu::#        ";
    name[8] = holds.0;
    name[9] = tag_len;
    let mut group = 0;
    while group < 5 {
        name[10 + group] = (tag >> (7 * group)) as u8 & 0x7f;
        group += 1;
    }
    name
}

/// Seven bits each are ASCII.
pub const fn text<const N: usize>(name: &[u8; N]) -> &str {
    match str::from_utf8(name) {
        Ok(text) => text,
        Err(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{MAX_FIELD_NUMBER, Tag, Writer};

    fn tag(number: u32) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.tag(Tag::new(number, WireType::Fixed32));
        writer.finish().unwrap()
    }

    #[test]
    fn names_say_the_tag_and_what_is_held() {
        for (number, bytes) in [
            (1, &[0x0d][..]),
            (15, &[0x7d]),
            (16, &[0x85, 0x01]),
            (2047, &[0xfd, 0x7f]),
            (2048, &[0x85, 0x80, 0x01]),
            (MAX_FIELD_NUMBER, &[0xfd, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            let name = name(number, Held::F32, Many::One, None, false);
            let head = Head::of_name(text(&name)).unwrap();
            assert_eq!(&head.tag_bytes[..usize::from(head.tag_len)], bytes);
            assert!(head.holds.single(Kind::Float) && head.holds.is_implicit() && head.holds.is_optional());
            assert_eq!(tag(number), bytes);
        }
        let required = Head::of_name(text(&name(1, Held::Message, Many::Option, None, true))).unwrap();
        assert!(required.holds.single(Kind::Message) && !required.holds.is_optional());
        let list = Head::of_name(text(&name(2, Held::Str, Many::List, None, false))).unwrap();
        assert!(list.holds.list(Kind::String) && !list.holds.single(Kind::String));
        assert!(!list.holds.is_optional() && !list.holds.is_implicit() && !list.holds.list(Kind::Bytes));
        let name = name(7, Held::Str, Many::Option, None, false);
        assert!(Head::of_name(text(&UNKNOWN_NAME)).unwrap().holds.is_unknown());
        let numbers =
            Head::of_name(text(&super::name(5, Held::I32, Many::List, Some(WireKind::SInt32), false)))
                .unwrap();
        assert!(numbers.holds.is_numbers() && numbers.holds.list(Kind::SInt32) && !numbers.holds.is_list());
        assert!(!numbers.holds.single(Kind::SInt32) && !numbers.holds.is_optional());
        assert_eq!(numbers.tag(), 5 << 3 | 2);
        let nothing = |held, kind| super::name(1, held, Many::One, kind, false);
        assert_eq!(nothing(Held::Other, None), OTHER_NAME);
        assert_eq!(nothing(Held::F32, Some(WireKind::Fixed32)), OTHER_NAME);
        assert_eq!(Head::of_name(text(&OTHER_NAME)), None);
        assert_eq!(Head::of_name("$tobu::Message"), None);
        for names in [&[][..], &[UNKNOWN_NAME], &[name, OTHER_NAME], &[OTHER_NAME, name]] {
            assert_eq!(mark_in(text(&marked(names))), Some(mark(names)));
        }
        assert_ne!(mark(&[name, OTHER_NAME]), mark(&[OTHER_NAME, name]));
        for (index, first) in [(0, name), (300, UNKNOWN_NAME), (u16::MAX, OTHER_NAME)] {
            let names = [OTHER_NAME, first];
            let marked_first = marked_first(&names, index, first);
            assert_eq!(mark_in(text(&marked_first)), Some(mark(&names)));
            let head = Head::of_name(text(&first));
            assert_eq!(first_in(text(&marked_first)), head.map(|head| (index, head)));
            assert_eq!(first_in(text(&marked(&names))), None);
            assert_eq!(mark_in(&text(&marked_first)[..30]), None);
        }
        assert_eq!((mark_in("$tobu::Message"), mark_in("Message")), (Some(0), None));
    }
}
