//! One field: its schema and, for a Rust type, the location of its value.

use super::json_keys::{JsonKeys, LateKeys};
use super::{EnumLink, EnumTable, Kind, Link, Table, ValueKind, same_name};
use crate::descriptor::{Declared, FieldDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::layout::member::JsonBytes;
use crate::layout::{ListFunctions, MadeFunctions, OneofShape, OptionStorage, ShowText, Storage};
use crate::syntax::json::print::{Key, ShortCopy};
use crate::wire::{Reader, Tag, WireType};
use std::sync::Arc;

/// A field, or the key or the value of a map entry.
///
/// The members that the wire codec reads for every field come first, so that they share cache lines.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Row {
    /// The tag as encoders write it (the packed tag if the field is packed), as a word of its first four bytes in
    /// memory order, and a mask of the bits of the tag in such a word. A tag of five bytes has a mask that matches no
    /// word.
    pub(crate) tag_word: u32,
    pub(crate) tag_mask: u32,
    /// The offset of the member, which may be a oneof, in the struct; or the offset of the value in a message of an
    /// arena.
    pub(crate) offset: u32,
    /// The offset of the word with the presence bit, in the struct or in a message of an arena, and the mask of the bit
    /// in this word, which is zero if there is no presence bit.
    pub(crate) presence_word: u32,
    pub(crate) presence_mask: u32,
    /// A distinct bit for each of the first 63 rows of the message; zero for others.
    pub(crate) bit: u64,
    /// The index of the row that is expected after this one: the following row, or after the last row the first.
    pub(crate) next: u16,
    pub(crate) tag_len: u8,
    /// The tag, if it is one byte; otherwise a value that is no byte.
    pub(crate) short_tag: u16,
    /// How the fast paths of the wire codec and of reflection read and write the field.
    pub(crate) op: Op,
    /// The operation of the value in a oneof, in an option, or with a presence bit.
    pub(crate) inner: Op,
    pub(crate) form: Form,
    /// The kind of its value in reflection.
    pub(crate) value: ValueKind,
    pub(crate) kind: Kind,
    pub(crate) shape: Shape,
    pub(crate) presence: Presence,
    pub(crate) packed: bool,
    /// True if the field is a string that must be UTF-8.
    pub(crate) utf8: bool,
    /// True if the field is a closed enum, whose unknown numbers go to the unknown fields.
    pub(crate) closed: bool,
    /// True if unknown numbers of its closed enum are dropped, because a projection keeps no unknown fields.
    pub(crate) lossy: bool,
    /// True if output for people hides the value.
    pub(crate) redact: bool,
    /// How output for people shows a value that a conversion makes from a string or bytes.
    pub(crate) debug: Option<ShowText>,
    /// The kind, if the field is singular and in no oneof.
    pub(crate) plain: Option<Kind>,
    /// True if the text format uses the name of the message as the name of the field, because it is a group of proto2
    /// or an item of a message set.
    pub(crate) has_name_of_message: bool,
    /// Its index among the rows of the message; 0 and 1 for the key and the value of a map entry.
    pub(crate) index: u16,
    /// Its index among all fields of the message, even if a projection leaves out some.
    pub(crate) slot: u16,
    /// The mask of the bits that its value has in a word of the arena: all, or those of one cell.
    pub(crate) word_mask: u64,
    /// The presence bits of all members of its oneof in an arena, if they are in the same word as its own.
    pub(crate) oneof_mask: u32,
    /// The index after the members of the same oneof that follow it; for any other field the next index.
    pub(crate) after: u16,
    /// The index of its member in the shape of the struct.
    pub(crate) member: u16,
    /// The index of its oneof in the `oneofs` of the table.
    pub(crate) oneof: Option<u16>,
    /// The other fields of its oneof, if the Rust type has a member for each.
    pub(crate) siblings: Option<Box<[u16]>>,
    pub(crate) number: u32,
    /// The tag as a number, packed where the field is packed.
    pub(crate) tag: u32,
    /// The alternative tag of a list of numbers, or 0.
    pub(crate) other_tag: u32,
    pub(crate) tag_bytes: [u8; 8],
    /// The location of the value.
    pub(crate) location: Location,
    /// The message, map entry or enum of the field.
    pub(crate) sub: Sub,
    /// For a member with a conversion that makes proto values: the table of such a value, a struct with the value as
    /// its only member.
    pub(super) made: Option<Arc<Table>>,
    /// How JSON shows its bytes, if not in base64.
    pub(super) json_bytes: Option<&'static JsonBytes>,
    /// Its index among the fields of its file, if the table was built from a descriptor.
    pub(super) descriptor_index: u32,
    pub(crate) name: Box<str>,
    pub(crate) json_name: Box<str>,
    /// True if JSON writes the field as a member of an object, under one of its names.
    pub(super) has_key: bool,
    pub(super) keys: LateKeys,
    /// The default that the schema declares.
    pub(crate) default: Option<Arc<Declared>>,
    /// True if the schema declares a default, which may be only in the descriptor.
    pub(super) declares_default: bool,
}

/// The location of a field's value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location {
    /// In an arena, at the offset of the row.
    Arena,
    /// In a struct, at this offset.
    Member { offset: u32, storage: Storage },
    /// In the enum of a oneof, at this offset in the struct.
    Variant { offset: u32, variant: u16, oneof: &'static OneofShape, storage: Storage },
}

/// The type of the values of fields that are not scalar.
#[derive(Clone, Debug)]
pub(crate) enum Sub {
    None,
    Message(Link),
    Enum(EnumLink),
    Map(Box<MapRows>),
}

/// The two fields of a map entry. In a Rust map, functions return the address of each, so both have offset 0.
#[derive(Clone, Debug)]
pub(crate) struct MapRows {
    pub(crate) key: Row,
    pub(crate) value: Row,
}

/// A oneof and its fields, as indices of rows, in the order of the variants if a Rust enum is bound.
#[derive(Debug)]
pub(crate) struct OneofRow {
    pub(crate) name: Box<str>,
    pub(crate) rows: Box<[u16]>,
    /// The names under which serde sees the variants; empty if no Rust enum is bound.
    pub(crate) variants: Box<[&'static str]>,
}

/// Kind, storage and presence of a field of a Rust type combined in one value, on which fast paths branch.
///
/// All other combinations are [`Op::Other`], for which the code reads the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    // A number that is stored unchanged, in 4 or 8 bytes, or a bool.
    Int32,
    UInt32,
    Int64,
    SInt32,
    SInt64,
    Bool,
    Fixed32,
    Fixed64,
    /// A number that an enum may reject: a closed enum, or a Rust enum.
    Enum,
    // Strings.
    String,
    Str,
    Vec,
    Slice,
    /// A string or byte string of another type.
    Text,
    // Lists of numbers, of any kind, and of strings.
    Numbers,
    Strings,
    Vecs,
    Strs,
    Slices,
    Texts,
    /// A value in an option of the Rust type. A second operation describes the value in it.
    Option,
    // Messages, and lists in an arena.
    Message,
    BoxMessage,
    Group,
    List,
    /// A message in an option, for the encoder.
    OptionMessage,
    Messages,
    Map,
    /// A map of a Rust type whose values are messages.
    MessageMap,
    /// A value in the enum of a oneof. A second operation describes the value in it.
    Variant,
    /// A number or string with a presence bit. A second operation describes the value.
    Bit,
    Other,
}

/// The form of the bytes after the tag of a field, for checks that do not decode it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Form {
    Varint,
    Four,
    Eight,
    Bytes,
    Text,
    Message,
    // Packed numbers.
    Varints,
    Fours,
    Eights,
    /// The entry of a map.
    Entry,
    /// A group, or a value that the Rust type may reject: only decoding shows whether it is valid.
    Any,
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
    /// The field is set if its value is not the default.
    Implicit,
    /// The field is set once it was set to any value.
    Explicit,
    /// The field must be set.
    Required,
}

impl MapRows {
    /// Returns the empty rows of a field that is not a map.
    pub(super) fn none() -> MapRows {
        MapRows { key: Row::none(), value: Row::none() }
    }
}

/// No field has this index.
const UNKNOWN: u32 = u32::MAX;

impl Row {
    /// Returns a row of no message, whose tag matches nothing.
    pub(crate) fn none() -> Row {
        Row {
            tag_word: 1,
            tag_mask: 0,
            offset: 0,
            presence_word: 0,
            presence_mask: 0,
            bit: 0,
            next: 0,
            tag_len: 0,
            short_tag: u16::MAX,
            op: Op::Other,
            inner: Op::Other,
            form: Form::Any,
            value: ValueKind::I32,
            kind: Kind::Int32,
            shape: Shape::Singular,
            presence: Presence::Implicit,
            packed: false,
            utf8: false,
            closed: false,
            lossy: false,
            redact: false,
            debug: None,
            plain: None,
            has_name_of_message: false,
            index: 0,
            slot: 0,
            word_mask: 0,
            oneof_mask: 0,
            after: 0,
            member: 0,
            oneof: None,
            siblings: None,
            number: 0,
            tag: 0,
            other_tag: 0,
            tag_bytes: [0; 8],
            location: Location::Arena,
            sub: Sub::None,
            made: None,
            json_bytes: None,
            descriptor_index: UNKNOWN,
            name: Box::default(),
            json_name: Box::default(),
            has_key: false,
            keys: LateKeys::default(),
            default: None,
            declares_default: false,
        }
    }

    /// Returns the prefix of the value in JSON, with its JSON name: `,"name":`. Empty if the value is printed as its
    /// whole message.
    #[inline]
    pub(crate) fn json_key(&self) -> &Key {
        &self.keys().json
    }

    /// Returns the JSON prefix of the value if it is short and was made already; otherwise empty.
    #[inline]
    pub(crate) fn short_key(&self) -> Option<&ShortCopy> {
        self.keys.short()
    }

    /// Returns the prefix of the value with its proto name.
    pub(crate) fn proto_key(&self) -> &Key {
        &self.keys().proto
    }

    #[inline]
    fn keys(&self) -> &JsonKeys {
        match self.keys.get() {
            Some(keys) => keys,
            None => self.keys.make(self.has_key.then_some((&self.json_name, &self.name))),
        }
    }

    /// False if only the descriptor has the default of the field.
    #[inline]
    pub(crate) fn knows_default(&self) -> bool {
        self.default.is_some() || !self.declares_default
    }

    /// Returns the row without facts that only a descriptor has.
    pub(super) fn without_descriptor(&self) -> Row {
        Row { descriptor_index: UNKNOWN, default: None, ..self.clone() }
    }

    /// Returns the descriptor of the field, found by that of its message.
    #[inline]
    pub(crate) fn field_of(&self, message: MessageDescriptor) -> FieldDescriptor {
        match self.descriptor_index {
            UNKNOWN => message.field_by_number(self.number).expect("the type states fields of its message"),
            index => message.into_field(index),
        }
    }

    /// Returns the option that holds its value, if that is an option of the Rust type or has a presence bit.
    #[inline]
    pub(crate) fn option(&self) -> Option<OptionStorage> {
        match self.location {
            Location::Member { storage: Storage::Option(option), .. } => Some(option),
            _ => None,
        }
    }

    /// Returns the functions of the list that its values are in.
    #[inline]
    pub(crate) fn list(&self) -> Option<&'static ListFunctions> {
        match self.location {
            Location::Member { storage: Storage::List(functions), .. } => Some(functions),
            _ => None,
        }
    }

    /// The tag as it is written, ready to be copied.
    #[inline]
    pub(crate) fn tag_bytes(&self) -> &[u8] {
        &self.tag_bytes[..usize::from(self.tag_len)]
    }

    /// True if the field may have the tag `tag`.
    #[inline]
    pub(crate) fn takes(&self, tag: Tag) -> bool {
        tag.value() == self.tag || tag.value() == self.other_tag
    }

    /// True if the value after a tag belongs to the field. A single number that its closed enum does not have is
    /// unknown.
    pub(crate) fn takes_value(&self, tag: Tag, mut value: Reader<'_>) -> bool {
        let single_enum = self.closed && self.shape != Shape::Map && tag.wire_type() == WireType::Varint;
        let known = |number| self.enumeration().takes(number as i32);
        // A truncated value counts as a value of the field, because reading it then returns the exact error.
        self.takes(tag) && (!single_enum || value.varint().map_or(true, known))
    }

    /// True when a single value is a message, a group included.
    #[inline]
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Kind::Message | Kind::Group)
    }

    /// True for a member of a oneof.
    #[inline]
    pub(crate) fn is_in_oneof(&self) -> bool {
        self.oneof.is_some() || self.siblings.is_some()
    }

    /// True for a number, bool or enum.
    #[inline]
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self.kind, Kind::Message | Kind::Group | Kind::String | Kind::Bytes)
    }

    /// True for the member of a oneof that is this variant of its enum.
    pub(crate) fn is_variant(&self, variant: usize) -> bool {
        matches!(self.location, Location::Variant { variant: own, .. } if usize::from(own) == variant)
    }

    /// True for a string or byte string.
    #[inline]
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::String | Kind::Bytes)
    }

    /// True if the text of a value with this storage must be UTF-8, by the schema or by the Rust type.
    #[inline]
    pub(crate) fn wants_utf8(&self, storage: Storage) -> bool {
        self.kind == Kind::String && self.utf8 || storage.is_string()
    }

    /// Returns the descriptor of the messages that it holds.
    ///
    /// # Panics
    /// The field holds no messages.
    pub(crate) fn message_descriptor(&self) -> MessageDescriptor {
        match &self.sub {
            Sub::Message(link) => link.descriptor(),
            _ => self.holds_no("messages"),
        }
    }

    /// Returns the storage of its value in a struct; `None` in an arena.
    pub(crate) fn storage(&self) -> Option<Storage> {
        match self.location {
            Location::Member { storage, .. } | Location::Variant { storage, .. } => Some(storage),
            Location::Arena => None,
        }
    }

    /// Returns the functions of a member with a conversion that makes proto values, and the table of such a value: a
    /// struct with the value as its only member.
    #[inline]
    pub(crate) fn made(&self) -> Option<(&'static MadeFunctions, &Table)> {
        match (&self.made, self.storage()) {
            (Some(table), Some(Storage::Made(functions))) => Some((functions, table)),
            _ => None,
        }
    }

    /// Returns how JSON shows its bytes, if not in base64.
    #[inline]
    pub(crate) fn json_bytes(&self) -> Option<&'static JsonBytes> {
        self.json_bytes
    }

    /// True for numbers that the Rust type may reject one by one: those of enums, and those of conversions.
    #[inline]
    pub(crate) fn may_refuse(&self) -> bool {
        self.kind == Kind::Enum || matches!(self.storage().map(Storage::leaf), Some(Storage::Number(_)))
    }

    /// Returns the table of the messages that it holds.
    ///
    /// # Errors
    /// The message is first used here, and its Rust type and its schema do not fit together.
    ///
    /// # Panics
    /// The field holds no messages.
    #[inline]
    pub(crate) fn message(&self) -> Result<&Table> {
        match &self.sub {
            Sub::Message(link) => link.table(),
            _ => unreachable!("the field holds no messages"),
        }
    }

    /// Returns the table of the messages that it holds, for a field of a run-time schema. That this table can be built
    /// was checked when the row was made.
    ///
    /// # Panics
    /// The field holds no messages.
    #[inline]
    pub(crate) fn sub_table(&self) -> &Table {
        self.message().expect("the message is not too large")
    }

    /// Returns the table of the messages that it holds, if it holds any.
    #[inline(always)]
    pub(crate) fn messages(&self) -> Option<&Table> {
        match &self.sub {
            Sub::Message(link) => link.table().ok(),
            _ => None,
        }
    }

    /// Returns the table of the messages that it holds, if it was resolved before.
    #[inline(always)]
    pub(crate) fn known_message(&self) -> Option<&Table> {
        match &self.sub {
            Sub::Message(link) => link.known(),
            _ => None,
        }
    }

    /// Returns the enum that it holds.
    ///
    /// # Panics
    /// The field is not an enum.
    #[inline]
    pub(crate) fn enumeration(&self) -> &EnumTable {
        match &self.sub {
            Sub::Enum(link) => link.table(),
            _ => self.holds_no("enum"),
        }
    }

    /// Returns the rows of the key and the value of a map entry.
    ///
    /// # Panics
    /// The field is not a map.
    #[inline]
    pub(crate) fn map(&self) -> &MapRows {
        match &self.sub {
            Sub::Map(rows) => rows,
            _ => self.holds_no("map"),
        }
    }

    #[cold]
    #[inline(never)]
    fn holds_no(&self, what: &str) -> ! {
        unreachable!("the field {} holds no {what}", self.name)
    }

    /// True if the enum has this number, or is open.
    #[inline]
    pub(crate) fn takes_number(&self, number: i32) -> bool {
        !self.closed || self.enumeration().takes(number)
    }

    /// Sets how output for people shows its value, or the key and value of its entries.
    pub(super) fn set_debug(&mut self, debug: Option<ShowText>) {
        match &mut self.sub {
            Sub::Map(rows) => rows.value.debug = debug,
            _ => self.debug = debug,
        }
    }

    /// True for the proto name, the JSON name, and either with another letter case or without underscores, as Rust
    /// spells variants.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        *self.name == *name || *self.json_name == *name || same_name(&self.name, name)
    }
}

impl OneofRow {
    /// Returns the position among the oneof's fields of the variant that serde calls `name`.
    pub(crate) fn variant(&self, message: &Table, name: &str) -> Option<usize> {
        let bound = self.variants.iter().position(|variant| *variant == name);
        bound.or_else(|| self.rows.iter().position(|&field| message.rows[usize::from(field)].is_called(name)))
    }
}
