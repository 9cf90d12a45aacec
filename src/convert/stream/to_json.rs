//! Wire to JSON.

use super::Seen;
use super::map_keys::{MapKeys, ordered};
use super::wire_scalar::{
    finite_double, finite_float, fixed32, fixed64, int32, int64, len_prefixed, uint32, uint64, varint,
};
use crate::codec::PrintScalar;
use crate::codec::json::{EntryKey, Json};
use crate::dynamic::{max_words, message_words};
use crate::json::Options;
use crate::json::print::{Numbers, Printer};
use crate::table::{Kind, Presence, Row, Shape, Table, WellKnown};
use crate::wire::{Reader, WireType};

/// Prints encoded messages.
pub(crate) struct ToJson<'o> {
    pub(super) json: Json<'o>,
    pub(super) options: &'o Options,
    quote64: bool,
    /// How many words the arena of the message may still take.
    pub(super) words: usize,
}

/// The index of a row, the tag it was found with, and the input after the tag.
pub(super) type Found<'i> = (usize, u32, &'i [u8]);

/// The index of a row, and the tag it was found with.
type RowTag = (usize, u32);

impl<'o> ToJson<'o> {
    /// Prints to the end of `buf`.
    pub(crate) fn new(buf: Vec<u8>, options: &'o Options, table: &'o Table) -> Self {
        let json = Json::new(Printer::append_to(buf, options.pretty), options, &table.full_name);
        ToJson { json, options, quote64: !options.int64_as_numbers, words: 0 }
    }

    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.json.out.into_vec()
    }

    /// Prints the outermost message; `None` if it is not canonical.
    pub(crate) fn root(&mut self, table: &Table, input: &[u8]) -> Option<()> {
        self.words = max_words(self.options.limits, input.len());
        self.message(table, input, self.options.limits.max_depth())
    }

    /// Prints a message, where `depth` more may be opened.
    pub(super) fn message(&mut self, table: &Table, input: &[u8], depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        self.take(message_words(table))?;
        if table.known != WellKnown::No {
            return self.well_known(table, input, depth);
        }
        let start = self.json.out.open();
        self.fields(table, input, depth)?;
        self.json.out.close(start, *b"{}");
        Some(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, words: usize) -> Option<()> {
        self.words = self.words.checked_sub(words)?;
        Some(())
    }

    /// Prints the members of an object.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fields(&mut self, table: &Table, mut input: &[u8], depth: u32) -> Option<()> {
        let (mut seen, mut oneofs) = (Seen::default(), Seen::default());
        let mut unknown = Vec::new();
        let mut guess = 0;
        while !input.is_empty() {
            let expected =
                table.rows.get(guess).and_then(|row| Some((guess, row.tag, after_tag(row, input)?)));
            let (index, tag) = match expected.or_else(|| found(table, input)) {
                Some((index, tag, rest)) => {
                    input = rest;
                    (index, tag)
                }
                None => {
                    let (found, rest) = other_field(table, input, depth, &mut unknown, &mut oneofs)?;
                    input = rest;
                    match found {
                        Some(found) => found,
                        None => continue,
                    }
                }
            };
            if index < guess && self.options.deterministic {
                return None;
            }
            guess = index + 1;
            let row = table.rows.get(index)?;
            if !seen.note(index) || row.oneof.is_some_and(|oneof| !oneofs.note(usize::from(oneof))) {
                return None;
            }
            match row.shape {
                Shape::Singular => self.value::<true>(&mut input, row, depth)?,
                Shape::List => input = self.list(input, row, tag, depth)?,
                Shape::Map => {
                    self.json.key(row);
                    input = self.map(input, row, depth)?;
                }
            }
        }
        if !self.options.partial && table.required.iter().any(|index| !seen.has(*index)) {
            return None;
        }
        match unknown.is_empty() {
            true => Some(()),
            false => {
                self.json.depth = depth;
                self.json.extensions(table, &unknown).ok()
            }
        }
    }

    /// Begins a single value; with its key if it is a `FIELD`, not an element or the value of an entry. False if
    /// nothing is printed, for a default without presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begins<const FIELD: bool>(&mut self, row: &Row, is_default: bool) -> bool {
        if FIELD {
            if is_default && row.presence == Presence::Implicit {
                return false;
            }
            self.json.key(row);
        }
        true
    }

    /// Prints a single value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<const FIELD: bool>(
        &mut self,
        input: &mut &[u8],
        row: &Row,
        depth: u32,
    ) -> Option<()> {
        match row.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let value = int32(input, kind)?;
                if self.begins::<FIELD>(row, value == 0) {
                    self.json.out.signed(value.into());
                }
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let value = int64(input, kind)?;
                if self.begins::<FIELD>(row, value == 0) {
                    self.json.int64(value);
                }
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let value = uint32(input, kind)?;
                if self.begins::<FIELD>(row, value == 0) {
                    self.json.out.unsigned(value.into());
                }
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let value = uint64(input, kind)?;
                if self.begins::<FIELD>(row, value == 0) {
                    self.json.uint64(value);
                }
            }
            Kind::Float => {
                let value = f32::from_bits(fixed32(input)?);
                if self.begins::<FIELD>(row, value.to_bits() == 0) {
                    self.json.float(value);
                }
            }
            Kind::Double => {
                let value = f64::from_bits(fixed64(input)?);
                if self.begins::<FIELD>(row, value.to_bits() == 0) {
                    self.json.double(value);
                }
            }
            Kind::Bool => {
                let value = varint(input)? != 0;
                if self.begins::<FIELD>(row, !value) {
                    self.json.out.bool(value);
                }
            }
            Kind::Enum => {
                let value = varint(input)? as i32;
                if !row.takes_number(value) {
                    return None;
                }
                if self.begins::<FIELD>(row, value == 0) {
                    self.json.enumeration(row, value);
                }
            }
            Kind::String => {
                let value = len_prefixed(input)?;
                if self.begins::<FIELD>(row, value.is_empty()) && !self.json.out.utf8(value) {
                    return None;
                }
            }
            Kind::Bytes => {
                let value = len_prefixed(input)?;
                if self.begins::<FIELD>(row, value.is_empty()) {
                    self.json.out.base64(value);
                }
            }
            Kind::Message => {
                let content = len_prefixed(input)?;
                if FIELD {
                    self.json.key(row);
                }
                return self.message(row.message().ok()?, content, depth);
            }
            // Where it ends is known only when it was read.
            Kind::Group => return None,
        }
        Some(())
    }

    /// Prints a list whose first tag was read.
    #[inline(never)]
    fn list<'i>(&mut self, mut input: &'i [u8], row: &Row, tag: u32, depth: u32) -> Option<&'i [u8]> {
        if row.other_tag != 0 && tag & 7 == WireType::Len as u32 {
            let run = len_prefixed(&mut input)?;
            if !run.is_empty() {
                self.json.key(row);
                self.run(run, row, depth)?;
            }
            return Some(input);
        }
        self.json.key(row);
        self.elements(input, row, tag, depth)
    }

    /// Prints elements that follow each other, the first of whose tags was read.
    pub(super) fn elements<'i>(
        &mut self,
        mut input: &'i [u8],
        row: &Row,
        tag: u32,
        depth: u32,
    ) -> Option<&'i [u8]> {
        let start = self.json.out.open();
        self.take(1)?;
        loop {
            self.json.out.element();
            self.take(1)?;
            self.value::<false>(&mut input, row, depth)?;
            match after_tag(row, input) {
                Some(rest) if tag == row.tag => input = rest,
                _ => break,
            }
        }
        self.json.out.close(start, *b"[]");
        Some(input)
    }

    /// Prints the numbers of a packed run.
    fn run(&mut self, mut run: &[u8], row: &Row, depth: u32) -> Option<()> {
        let width = match row.kind.wire_type() {
            WireType::Fixed64 => 8,
            WireType::Fixed32 => 4,
            _ => 1,
        };
        // As many as there can be.
        self.take(1 + run.len() / width)?;
        let start = self.json.out.open();
        if self.json.out.is_one_line() {
            let quote64 = self.quote64;
            self.json.out.numbers(|numbers| numbers_of(&mut run, row.kind, numbers, quote64));
        }
        while !run.is_empty() {
            self.json.out.element();
            self.value::<false>(&mut run, row, depth)?;
        }
        self.json.out.close(start, *b"[]");
        Some(())
    }

    /// Prints a key.
    fn key<'i>(&mut self, input: &mut &'i [u8], row: &Row) -> Option<EntryKey<'i>> {
        if row.kind != Kind::String {
            return self.number_key(input, row).map(EntryKey::Number);
        }
        let key = len_prefixed(input)?;
        self.json.out.utf8(key).then(|| EntryKey::Text(key.into()))
    }

    /// Prints a key that is a number or a bool.
    fn number_key(&mut self, input: &mut &[u8], row: &Row) -> Option<u64> {
        let out = &mut self.json.out;
        if !(self.quote64 && is_64_bit(row.kind)) {
            // The quote after it is written with the colon.
            out.quote();
        }
        Some(match row.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let key = int32(input, kind)?;
                out.signed(key.into());
                ordered(key.into())
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let key = int64(input, kind)?;
                self.json.int64(key);
                ordered(key)
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let key = uint32(input, kind)?;
                out.unsigned(key.into());
                key.into()
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let key = uint64(input, kind)?;
                self.json.uint64(key);
                key
            }
            Kind::Bool => {
                let key = varint(input)? != 0;
                out.bool(key);
                key.into()
            }
            _ => return None,
        })
    }

    /// Prints a map whose first tag was read.
    #[inline(never)]
    pub(super) fn map<'i>(&mut self, mut input: &'i [u8], row: &Row, depth: u32) -> Option<&'i [u8]> {
        let rows = row.map();
        let mut keys = MapKeys::new(self.options.deterministic);
        self.json.out.open_map();
        loop {
            let mut entry = len_prefixed(&mut input)?;
            entry = after_tag(&rows.key, entry)?;
            self.take(3)?;
            self.json.out.entry();
            if !keys.note(self.key(&mut entry, &rows.key)?) {
                return None;
            }
            self.json.out.colon();
            match after_tag(&rows.value, entry) {
                Some(value) => {
                    entry = value;
                    self.value::<false>(&mut entry, &rows.value, depth.saturating_sub(1))?;
                }
                None if rows.value.is_message() || rows.value.kind == Kind::Enum => return None,
                // Some writers omit the default.
                None => self.json.zero(&rows.value),
            }
            if !entry.is_empty() {
                return None;
            }
            match after_tag(row, input) {
                Some(rest) => input = rest,
                None => break,
            }
        }
        self.json.out.close_map();
        Some(input)
    }
}

fn is_64_bit(kind: Kind) -> bool {
    matches!(kind, Kind::Int64 | Kind::SInt64 | Kind::SFixed64 | Kind::UInt64 | Kind::Fixed64)
}

/// The input after the tag of a row, if that tag is next.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn after_tag<'i>(row: &Row, input: &'i [u8]) -> Option<&'i [u8]> {
    match input.first_chunk() {
        Some(word) if row.tag_len <= 4 => {
            let same = u32::from_le_bytes(*word) & row.tag_mask == row.tag_word;
            input.get(usize::from(row.tag_len)..).filter(|_| same)
        }
        _ => input.strip_prefix(row.tag_bytes()),
    }
}

/// The field of a tag of one or two bytes at the start of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn found<'i>(table: &Table, input: &'i [u8]) -> Option<Found<'i>> {
    let (tag, rest) = match input {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        [a, b, rest @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        _ => return None,
    };
    let index = table.numbers.get(tag >> 3)?;
    let row = table.rows.get(index)?;
    (tag >= 8 && (row.tag == tag || row.other_tag == tag)).then_some((index, tag, rest))
}

/// The field at the cursor, with any tag, and the input after it; `None` for fields without a row, which are skipped.
#[inline(never)]
fn other_field<'i>(
    table: &Table,
    input: &'i [u8],
    depth: u32,
    unknown: &mut Vec<u8>,
    oneofs: &mut Seen,
) -> Option<(Option<RowTag>, &'i [u8])> {
    let rest = table.pass_over(input);
    if rest.len() < input.len() {
        return Some((None, rest));
    }
    let mut reader = Reader::new(input);
    let tag = reader.tag().ok()?;
    if let Some(index) = table.numbers.get(tag.number())
        && table.rows.get(index)?.takes(tag)
    {
        return Some((Some((index, tag.value())), reader.rest()));
    }
    let left_out = table.left_out(tag.number()).filter(|row| row.takes_value(tag, reader));
    reader.skip(tag, depth).ok()?;
    if let Some(row) = left_out {
        // Earlier members of its oneof are cleared.
        return row
            .oneof
            .is_none_or(|oneof| oneofs.note(usize::from(oneof)))
            .then_some((None, reader.rest()));
    }
    if table.extendable {
        let (raw, _) = input.split_at_checked(input.len() - reader.rest().len())?;
        unknown.extend_from_slice(raw);
    }
    Some((None, reader.rest()))
}

/// Prints the numbers of a packed run, by one loop per kind, up to one that has no such form, or is malformed.
#[cfg_attr(not(debug_assertions), inline(always))]
fn numbers_of<'b>(run: &mut &[u8], kind: Kind, mut numbers: Numbers<'b>, quote64: bool) -> Numbers<'b> {
    macro_rules! each {
        ($($($kind:ident)+: $read:ident, $write:expr;)+) => {
            match kind {
                $($(Kind::$kind => {
                    let mut input = *run;
                    while !input.is_empty()
                        && let Some(value) = $read(&mut input, Kind::$kind)
                    {
                        numbers = $write(numbers.element(), value.into());
                        *run = input;
                    }
                })+)+
                _ => {}
            }
        };
    }
    if quote64 {
        each! {
            Int64 SInt64 SFixed64: int64, Numbers::quoted_signed;
            UInt64 Fixed64: uint64, Numbers::quoted_unsigned;
        }
    } else {
        each! {
            Int64 SInt64 SFixed64: int64, Numbers::signed;
            UInt64 Fixed64: uint64, Numbers::unsigned;
        }
    }
    each! {
        Int32 SInt32 SFixed32: int32, Numbers::signed;
        UInt32 Fixed32: uint32, Numbers::unsigned;
        Float: finite_float, Numbers::float::<f32>;
        Double: finite_double, Numbers::float::<f64>;
    }
    numbers
}
