//! The row of a table, which describes one field: its schema and, for a Rust type, the location and the storage of its value. A
//! storage says how a value is stored, for example as a `Vec<u8>`.

use super::json_keys::{JsonKeys, LateKeys};
use super::{EnumLink, EnumTable, Kind, Link, Table, ValueKind, same_name};
use crate::descriptor::{Declared, FieldDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::layout::member::JsonBytes;
use crate::layout::{ListFunctions, MadeFunctions, OneofShape, OptionStorage, ShowText, Storage};
use crate::syntax::json::print::{Key, ShortCopy};
use crate::wire::{Reader, Tag, WireType};
use std::sync::Arc;

/// Describes a field of a message, or the key or the value of a map entry.
///
/// The members that the wire codec reads for every field come first, so that they share cache lines.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Row {
    /// The first four bytes of the tag as encoders write it, as a 32-bit word in memory order. It is the packed tag if the
    /// field is packed. `tag_mask` has ones at the bits of the tag. A tag of five bytes has a mask with which no word matches.
    pub(crate) tag_word: u32,
    pub(crate) tag_mask: u32,
    /// In a struct, the offset of the member that has the value; the member may be a oneof. In an arena, the offset of the
    /// value in the message.
    pub(crate) offset: u32,
    /// The offset of the word that contains the presence bit, in the struct or in the message of an arena. `presence_mask` has
    /// a one at the bit, and is zero if the field has no presence bit.
    pub(crate) presence_word: u32,
    pub(crate) presence_mask: u32,
    /// A different bit for each of the first 63 rows of the message. Zero for later rows.
    pub(crate) bit: u64,
    /// The index of the row that probably comes next: the following row or, for the last row, the first row.
    pub(crate) next: u16,
    pub(crate) tag_len: u8,
    /// The tag, if it has one byte. Otherwise a value above 255.
    pub(crate) short_tag: u16,
    /// The operation, with which the fast paths of the wire codec and of reflection read and write the field.
    pub(crate) op: Op,
    /// The operation of the value that is in a oneof or in an option, or has a presence bit.
    pub(crate) inner: Op,
    pub(crate) form: Form,
    pub(crate) value: ValueKind,
    pub(crate) kind: Kind,
    pub(crate) shape: Shape,
    pub(crate) presence: Presence,
    pub(crate) packed: bool,
    /// True if the field is a string that must be UTF-8.
    pub(crate) utf8: bool,
    /// True if the field is a closed enum, whose unknown numbers go to the unknown fields.
    pub(crate) closed: bool,
    /// True if the enum is closed and its unknown numbers are dropped, because a projection keeps no unknown fields.
    pub(crate) lossy: bool,
    /// True if `Debug`, and text with the option `redact`, hides the value.
    pub(crate) redact: bool,
    /// A function that shows a value in `Debug` output, if a conversion makes the value from a string or bytes.
    pub(crate) debug: Option<ShowText>,
    /// The kind, if the field is singular and outside of oneofs.
    pub(crate) plain: Option<Kind>,
    /// True if the text format uses the name of the message type as the name of the field, because the field is a group of
    /// proto2 or an item of a message set.
    pub(crate) has_name_of_message: bool,
    /// The index of this row among the rows of the message. 0 and 1 for the key and the value of a map entry.
    pub(crate) index: u16,
    /// The index of this field among all fields of the message, even in a projection that omits some of them.
    pub(crate) slot: u16,
    /// A mask of the bits of an arena word of 64 bits that the value uses: all bits, or those of one cell of 32 bits.
    pub(crate) word_mask: u64,
    /// For a message in an arena, the presence bits of all fields in the oneof. Zero if these bits are not all in one word.
    pub(crate) oneof_mask: u32,
    /// The index of the next row that is not in the same oneof.
    pub(crate) after: u16,
    /// The index of the member in the shape of the struct.
    pub(crate) member: u16,
    /// The index of the field's oneof in the `oneofs` of the table.
    pub(crate) oneof: Option<u16>,
    /// The indices of the other fields of the oneof, if the Rust type has a member for each field.
    pub(crate) siblings: Option<Box<[u16]>>,
    pub(crate) number: u32,
    /// The tag as a number. It is the packed tag if the field is packed.
    pub(crate) tag: u32,
    /// The other tag that a list of numbers may have: unpacked if the field is packed, and the reverse. Otherwise 0.
    pub(crate) other_tag: u32,
    pub(crate) tag_bytes: [u8; 8],
    pub(crate) location: Location,
    /// The type of the message, map entry or enum.
    pub(crate) sub: Sub,
    /// For a member with a conversion that makes proto values (the values that codecs read and write in place of the member),
    /// the table of a struct with a proto value as its only member.
    pub(super) made: Option<Arc<Table>>,
    /// The form of byte strings in JSON, if it is not base64.
    pub(super) json_bytes: Option<&'static JsonBytes>,
    /// The index of the field among the fields of the file, if the table was built from a descriptor.
    pub(super) descriptor_index: u32,
    pub(crate) name: Box<str>,
    pub(crate) json_name: Box<str>,
    /// True if JSON writes the field as a member of an object, under one of its names.
    pub(super) has_key: bool,
    pub(super) keys: LateKeys,
    /// The default value that the schema declares, if the table knows it.
    pub(crate) default: Option<Arc<Declared>>,
    /// True if the schema declares a default value, even if only the descriptor has the value.
    pub(super) declares_default: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Location {
    /// In an arena, at the offset that the row has.
    Arena,
    /// In a struct, at this offset.
    Member { offset: u32, storage: Storage },
    /// In the enum of a oneof, at this offset in the struct.
    Variant { offset: u32, variant: u16, oneof: &'static OneofShape, storage: Storage },
}

/// The type of the values of a field, if it is a message type, an enum or a map entry.
#[derive(Clone, Debug)]
pub(crate) enum Sub {
    None,
    Message(Link),
    Enum(EnumLink),
    Map(Box<MapRows>),
}

/// The rows of the key and the value of a map entry. For a Rust map, functions return the addresses of the key and the value,
/// so both rows have offset 0.
#[derive(Clone, Debug)]
pub(crate) struct MapRows {
    pub(crate) key: Row,
    pub(crate) value: Row,
}

/// A oneof, with the indices of the rows of its fields. If the oneof is a Rust enum, the rows are in the order of the variants.
#[derive(Debug)]
pub(crate) struct OneofRow {
    pub(crate) name: Box<str>,
    pub(crate) rows: Box<[u16]>,
    /// The names that the variants have in serde. Empty if the oneof is not a Rust enum.
    pub(crate) variants: Box<[&'static str]>,
}

/// The operation of a field, on which fast paths branch. It combines the kind, storage and presence of the field in one value.
///
/// A field with a combination that has no operation is [`Op::Other`]. For such a field, the code reads the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    // Numbers of 4 or 8 bytes, and bools. Every value is valid.
    Int32,
    UInt32,
    Int64,
    SInt32,
    SInt64,
    Bool,
    Fixed32,
    Fixed64,
    /// A number that an enum may reject, because the enum is closed or is a Rust enum.
    Enum,
    // Strings and byte strings.
    String,
    Str,
    Vec,
    Slice,
    /// A string or byte string of a type that has functions to set its value.
    Text,
    // Lists of numbers, strings and byte strings.
    Numbers,
    Strings,
    Vecs,
    Strs,
    Slices,
    Texts,
    /// A value in an option of the Rust type. [`Row::inner`] is the operation of the value.
    Option,
    // Messages, and lists in an arena.
    Message,
    BoxMessage,
    Group,
    List,
    /// A message in an option. Only the encoder uses this operation.
    OptionMessage,
    Messages,
    Map,
    /// A map of a Rust type whose values are messages.
    MessageMap,
    /// A value in the enum of a oneof, or in a oneof in an arena. [`Row::inner`] is the operation of the value.
    Variant,
    /// A number or string with a presence bit. [`Row::inner`] is the operation of the value.
    Bit,
    Other,
}

/// The form of the bytes after the tag of a field, for code that checks these bytes without decoding them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Form {
    Varint,
    Four,
    Eight,
    Bytes,
    Text,
    Message,
    // Lists of packed numbers.
    Varints,
    Fours,
    Eights,
    Entry,
    /// A group, a value in an arena, or a value that the Rust type may reject. Such a value must be decoded to be checked.
    Any,
}

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
    /// The field is set if a value was assigned to it, even the default value.
    Explicit,
    /// The field must be set.
    Required,
}

impl MapRows {
    /// Returns two empty rows, for the caller to fill.
    pub(super) fn none() -> MapRows {
        MapRows { key: Row::none(), value: Row::none() }
    }
}

/// Stands for the index of a field whose index is not known.
const UNKNOWN: u32 = u32::MAX;

impl Row {
    /// Returns an empty row, whose tag matches no input.
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

    /// Returns the key of the field in JSON, with its JSON name: `,"name":`. The key is empty if JSON does not write the field
    /// under its name.
    #[inline]
    pub(crate) fn json_key(&self) -> &Key {
        &self.keys().json
    }

    /// Returns the JSON key of the field, or `None` if the key is long or was not yet created.
    #[inline]
    pub(crate) fn short_key(&self) -> Option<&ShortCopy> {
        self.keys.short()
    }

    /// Returns the key of the field in JSON, with its proto name.
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

    /// False if the field has a declared default value that only its descriptor knows.
    #[inline]
    pub(crate) fn knows_default(&self) -> bool {
        self.default.is_some() || !self.declares_default
    }

    /// Returns a copy of the row without the parts that only a descriptor provides.
    pub(super) fn without_descriptor(&self) -> Row {
        Row { descriptor_index: UNKNOWN, default: None, ..self.clone() }
    }

    /// Returns the descriptor of the field. `message` is the descriptor of its message.
    #[inline]
    pub(crate) fn field_of(&self, message: MessageDescriptor) -> FieldDescriptor {
        match self.descriptor_index {
            UNKNOWN => message.field_by_number(self.number).expect("the type states fields of its message"),
            index => message.into_field(index),
        }
    }

    /// Returns the storage of the option, if the value is in an option of the Rust type or has a presence bit.
    #[inline]
    pub(crate) fn option(&self) -> Option<OptionStorage> {
        match self.location {
            Location::Member { storage: Storage::Option(option), .. } => Some(option),
            _ => None,
        }
    }

    /// Returns the functions of the list, if the values are in a list of a Rust type.
    #[inline]
    pub(crate) fn list(&self) -> Option<&'static ListFunctions> {
        match self.location {
            Location::Member { storage: Storage::List(functions), .. } => Some(functions),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn tag_bytes(&self) -> &[u8] {
        &self.tag_bytes[..usize::from(self.tag_len)]
    }

    #[inline]
    pub(crate) fn takes(&self, tag: Tag) -> bool {
        tag.value() == self.tag || tag.value() == self.other_tag
    }

    /// True if the field has the tag `tag` and stores `value`, the bytes after the tag. A closed enum does not store a single
    /// number that it does not have; the number is then an unknown field.
    pub(crate) fn takes_value(&self, tag: Tag, mut value: Reader<'_>) -> bool {
        let single_enum = self.closed && self.shape != Shape::Map && tag.wire_type() == WireType::Varint;
        let known = |number| self.enumeration().takes(number as i32);
        // A truncated value counts as a value of the field, so that decoding the field returns the exact error.
        self.takes(tag) && (!single_enum || value.varint().map_or(true, known))
    }

    /// True if the values of the field are messages, including groups.
    #[inline]
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Kind::Message | Kind::Group)
    }

    #[inline]
    pub(crate) fn is_in_oneof(&self) -> bool {
        self.oneof.is_some() || self.siblings.is_some()
    }

    /// True for a number, bool or enum.
    #[inline]
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self.kind, Kind::Message | Kind::Group | Kind::String | Kind::Bytes)
    }

    pub(crate) fn is_variant(&self, variant: usize) -> bool {
        matches!(self.location, Location::Variant { variant: own, .. } if usize::from(own) == variant)
    }

    /// True for a string or byte string.
    #[inline]
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::String | Kind::Bytes)
    }

    /// True if a value with this storage must be UTF-8, because the schema or the Rust type requires it.
    #[inline]
    pub(crate) fn wants_utf8(&self, storage: Storage) -> bool {
        self.kind == Kind::String && self.utf8 || storage.is_string()
    }

    /// Returns the descriptor of the messages in the field.
    ///
    /// # Panics
    /// The values of the field are not messages.
    pub(crate) fn message_descriptor(&self) -> MessageDescriptor {
        match &self.sub {
            Sub::Message(link) => link.descriptor(),
            _ => self.holds_no("messages"),
        }
    }

    /// Returns the storage of the value in a struct, or `None` in an arena.
    pub(crate) fn storage(&self) -> Option<Storage> {
        match self.location {
            Location::Member { storage, .. } | Location::Variant { storage, .. } => Some(storage),
            Location::Arena => None,
        }
    }

    /// For a member with a conversion that makes proto values, returns the functions of the conversion and the table of such a
    /// value: a struct with the value as its only member.
    #[inline]
    pub(crate) fn made(&self) -> Option<(&'static MadeFunctions, &Table)> {
        match (&self.made, self.storage()) {
            (Some(table), Some(Storage::Made(functions))) => Some((functions, table)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn json_bytes(&self) -> Option<&'static JsonBytes> {
        self.json_bytes
    }

    /// True if the values are numbers and the Rust type may reject some of them: numbers of enums, and numbers with a
    /// conversion.
    #[inline]
    pub(crate) fn may_refuse(&self) -> bool {
        self.kind == Kind::Enum || matches!(self.storage().map(Storage::leaf), Some(Storage::Number(_)))
    }

    /// Returns the table of the messages in the field.
    ///
    /// # Errors
    /// The table cannot be built: the Rust type and the schema do not fit together, or the message has too many fields.
    ///
    /// # Panics
    /// The values of the field are not messages.
    #[inline]
    pub(crate) fn message(&self) -> Result<&Table> {
        match &self.sub {
            Sub::Message(link) => link.table(),
            _ => unreachable!("the field holds no messages"),
        }
    }

    /// Returns the table of the messages in a field of a run-time schema. When the row was built, a check made sure that this
    /// table can be built.
    ///
    /// # Panics
    /// The values of the field are not messages.
    #[inline]
    pub(crate) fn sub_table(&self) -> &Table {
        self.message().expect("the message is not too large")
    }

    /// Returns the table of the messages in the field, or `None` if the values are not messages or the table cannot be built.
    #[inline(always)]
    pub(crate) fn messages(&self) -> Option<&Table> {
        match &self.sub {
            Sub::Message(link) => link.table().ok(),
            _ => None,
        }
    }

    /// Returns the table of the messages in the field, or `None` if the values are not messages or the table was not yet looked
    /// up.
    #[inline(always)]
    pub(crate) fn known_message(&self) -> Option<&Table> {
        match &self.sub {
            Sub::Message(link) => link.known(),
            _ => None,
        }
    }

    /// Returns the table of the enum of the field.
    ///
    /// # Panics
    /// The values of the field are not numbers of an enum.
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

    /// True if the enum has this number or is open, and for a field that is not an enum.
    #[inline]
    pub(crate) fn takes_number(&self, number: i32) -> bool {
        !self.closed || self.enumeration().takes(number)
    }

    /// Sets the function that shows the value in `Debug` output. In a map, the function shows the value of an entry.
    pub(super) fn set_debug(&mut self, debug: Option<ShowText>) {
        match &mut self.sub {
            Sub::Map(rows) => rows.value.debug = debug,
            _ => self.debug = debug,
        }
    }

    /// True if `name` is the proto name or the JSON name of the field, or equals the proto name except for letter case and
    /// underscores, as in the name of a Rust variant.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        *self.name == *name || *self.json_name == *name || same_name(&self.name, name)
    }
}

impl OneofRow {
    /// Returns the position, among the fields of the oneof, of the variant that serde calls `name`.
    pub(crate) fn variant(&self, message: &Table, name: &str) -> Option<usize> {
        let bound = self.variants.iter().position(|variant| *variant == name);
        bound.or_else(|| self.rows.iter().position(|&field| message.rows[usize::from(field)].is_called(name)))
    }
}
