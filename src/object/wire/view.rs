//! Reads messages, lists and maps directly from wire bytes.

use super::keys::{EntryKey, Keys};
use super::value::{PackedNumbers, after_tag, again, declined, found, len_prefixed, scalar, skip_values};
use crate::error::Result;
use crate::layout::KeyRef;
use crate::object::{EachRow, Field, Numbers, Object, ObjectList, ObjectMap, Visit, key_of};
use crate::table::{ENTRY_CELLS, Kind, MAP_CELLS, Presence, Row, Shape, Table};
use crate::wire::{Reader, WireType};
use std::cell::Cell;
use std::marker::PhantomData;

/// The state that all messages of one input share.
#[derive(Debug)]
pub(crate) struct WireState<'a> {
    /// The start of the last list or map that was visited to its end, and the input after it.
    end: Cell<(*const u8, &'a [u8])>,
    /// How many more cells of memory an arena could use for the message. A view counts these cells, so that it refuses
    /// the same input as an arena.
    cells: Cell<usize>,
    order: Order,
}

/// Which input a reader accepts, and which parts of the input it needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Order {
    /// True if fields must come in the order of their rows, and unknown fields after all fields with rows.
    pub(crate) ordered: bool,
    /// True if the reader needs all unknown fields, not only extensions.
    pub(crate) unknown: bool,
}

/// A message: the bytes of its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WireView<'a> {
    table: &'a Table,
    fields: &'a [u8],
    state: &'a WireState<'a>,
    /// How many levels messages may nest, including this message.
    depth: u32,
}

/// A list: elements that follow each other, or a packed run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WireList<'a> {
    row: &'a Row,
    /// The tag of each element, or 0 for a packed run. The first tag was read already.
    tag: u32,
    input: &'a [u8],
    state: &'a WireState<'a>,
    depth: u32,
}

/// A map: entries that follow each other. The first tag was read already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WireMap<'a> {
    row: &'a Row,
    input: &'a [u8],
    state: &'a WireState<'a>,
    depth: u32,
}

impl<'a> WireState<'a> {
    /// Creates the state for one input. `cells` is the number of cells that an arena may use for the input. [`Order`] explains
    /// `ordered` and `unknown`.
    pub(crate) fn new(cells: usize, ordered: bool, unknown: bool) -> Self {
        let order = Order { ordered, unknown };
        WireState { end: Cell::new((std::ptr::null(), &[])), cells: Cell::new(cells), order }
    }

    /// Returns a view of a message. Messages may nest `depth` levels, including this message.
    ///
    /// # Errors
    /// The message would exceed the memory limit.
    pub(crate) fn message(&'a self, table: &'a Table, fields: &'a [u8], depth: u32) -> Result<WireView<'a>> {
        self.take(table.cells() as usize)?;
        Ok(WireView { table, fields, state: self, depth })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&self, cells: usize) -> Result<()> {
        self.cells.set(some(self.cells.get().checked_sub(cells))?);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&'a self, row: &'a Row, fields: &'a [u8], depth: u32) -> Result<WireView<'a>> {
        self.message(row.message()?, fields, depth)
    }

    /// Records that the list or map that starts at `start` ends before `rest`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_end(&self, start: &[u8], rest: &'a [u8]) {
        self.end.set((start.as_ptr(), rest));
    }

    /// Reads the value of a field, an element of a list, or the value of a map entry. The tag before the value was read
    /// already.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(&'a self, row: &'a Row, input: &mut &'a [u8], depth: u32) -> Result<Field<'a, WireView<'a>>> {
        Ok(match row.kind {
            Kind::Message => Field::Message(self.sub(row, some(len_prefixed(input))?, depth)?),
            Kind::String | Kind::Bytes => Field::Text(some(len_prefixed(input))?),
            kind => Field::Scalar(some(scalar(kind, row, input))?),
        })
    }
}

/// Returns the value. If there is no value, returns the error that declines the input.
#[cfg_attr(not(debug_assertions), inline(always))]
fn some<T>(value: Option<T>) -> Result<T> {
    match value {
        Some(value) => Ok(value),
        None => Err(declined()),
    }
}

/// A set of indices.
#[derive(Default)]
pub(crate) struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Records an index. Returns false if the index was recorded before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn note(&mut self, index: usize) -> bool {
        if index >= 64 {
            return self.note_high(index);
        }
        let bit = 1 << index;
        let new = self.low & bit == 0;
        self.low |= bit;
        new
    }

    #[cold]
    fn note_high(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64 - 1, 1 << (index % 64));
        if self.high.len() <= word {
            self.high.resize(word + 1, 0);
        }
        let new = self.high[word] & bit == 0;
        self.high[word] |= bit;
        new
    }

    /// Forgets an index. Returns false if the index was not recorded.
    #[cfg(feature = "sink")]
    #[cold]
    pub(crate) fn forget(&mut self, index: u16) -> bool {
        let (had, index) = (self.has(index), usize::from(index));
        let word = match (index / 64).checked_sub(1) {
            None => Some(&mut self.low),
            Some(word) => self.high.get_mut(word),
        };
        if let Some(word) = word {
            *word &= !(1 << (index % 64));
        }
        had
    }

    pub(crate) fn has(&self, index: u16) -> bool {
        let index = usize::from(index);
        let word = match (index / 64).checked_sub(1) {
            None => self.low,
            Some(word) => self.high.get(word).copied().unwrap_or(0),
        };
        word >> (index % 64) & 1 != 0
    }
}

/// A cursor at the fields of a message. If `REPEATS` is true, a field may occur several times, and the reader gets each
/// occurrence.
#[derive(Debug)]
pub(crate) struct Fields<'t, 'a, const REPEATS: bool> {
    table: &'t Table,
    order: Order,
    /// How many levels the messages in this message may nest.
    pub(crate) depth: u32,
    /// The bytes that were not read yet. After [`next`](Self::next) they begin with the value of the field.
    pub(crate) rest: &'a [u8],
    /// The index of the row that is expected next.
    pub(crate) guess: usize,
}

/// Which fields of a message were read. This record is separate from the cursor, so that the cursor stays in registers.
#[derive(Default)]
pub(crate) struct Noted {
    pub(crate) rows: Seen,
    pub(crate) oneofs: Seen,
    unknown: bool,
}

#[cfg(feature = "sink")]
impl Noted {
    /// Forgets all fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn clear(&mut self) {
        (self.rows.low, self.oneofs.low, self.unknown) = (0, 0, false);
        self.rows.high.clear();
        self.oneofs.high.clear();
    }
}

/// What comes next in a message.
pub(crate) enum Next<'t, 'a> {
    /// A field that has a row, and the tag that was found. The value of the field comes next.
    Field(&'t Row, u32),
    Unknown(&'a [u8]),
    /// The index of a oneof. The table omits the field that was read, which replaces an earlier field of this oneof.
    Replaced(
        #[cfg_attr(not(feature = "sink"), expect(dead_code, reason = "a sink alone asks for the oneof"))] u16,
    ),
    End,
}

/// A field that is not the expected field.
enum Other<'a> {
    Row(usize, u32),
    Unknown(&'a [u8]),
    Replaced(u16),
    /// The reader does not need the field.
    Skipped,
}

impl<'t, 'a, const REPEATS: bool> Fields<'t, 'a, REPEATS> {
    /// Creates a cursor at the first field of a message. Messages may nest `depth` levels, including this message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(table: &'t Table, fields: &'a [u8], depth: u32, order: Order) -> Result<Self> {
        Ok(Fields { table, order, depth: some(depth.checked_sub(1))?, rest: fields, guess: 0 })
    }

    /// Finds the next field. If the field has a row, the caller must then move the cursor past its value.
    ///
    /// # Errors
    /// The input is declined.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next(&mut self, noted: &mut Noted) -> Result<Next<'t, 'a>> {
        let table = self.table;
        let (index, tag) = loop {
            if self.rest.is_empty() {
                return Ok(Next::End);
            }
            let expected = table
                .rows
                .get(self.guess)
                .and_then(|row| Some((self.guess, row.tag, after_tag(row, self.rest)?)));
            if let Some((index, tag, rest)) = expected.or_else(|| found(table, self.rest)) {
                self.rest = rest;
                break (index, tag);
            }
            let (other, rest) = other_field::<REPEATS>(table, self.rest, self.order, self.depth, noted)?;
            self.rest = rest;
            match other {
                Other::Row(index, tag) => break (index, tag),
                Other::Skipped => {}
                Other::Replaced(oneof) if REPEATS => return Ok(Next::Replaced(oneof)),
                Other::Replaced(_) => return Err(declined()),
                Other::Unknown(fields) => {
                    if self.order.ordered {
                        // No field with a row may come after unknown fields.
                        self.guess = usize::MAX;
                    }
                    return Ok(Next::Unknown(fields));
                }
            }
        };
        if index < self.guess && self.order.ordered {
            return Err(declined());
        }
        self.guess = index + 1;
        let row = some(table.rows.get(index))?;
        let is_new = REPEATS
            || noted.rows.note(index) && row.oneof.is_none_or(|oneof| noted.oneofs.note(usize::from(oneof)));
        if is_new { Ok(Next::Field(row, tag)) } else { Err(declined()) }
    }
}

impl<'a> Fields<'a, 'a, false> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(view: WireView<'a>) -> Result<Self> {
        Fields::new(view.table, view.fields, view.depth, view.state.order)
    }

    /// Returns the list or map of `row`, whose first tag was read. Returns `None` for a packed run without numbers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn several(
        &mut self,
        row: &'a Row,
        tag: u32,
        state: &'a WireState<'a>,
    ) -> Result<Option<Field<'a, WireView<'a>>>> {
        let (depth, input) = (self.depth, self.rest);
        if row.shape == Shape::Map {
            return Ok(Some(Field::Map(WireMap { row, input, state, depth })));
        }
        if row.other_tag == 0 || tag & 7 != WireType::Len as u32 {
            return Ok(Some(Field::List(WireList { row, tag, input, state, depth })));
        }
        let input = some(len_prefixed(&mut self.rest))?;
        Ok((!input.is_empty()).then_some(Field::List(WireList { row, tag: 0, input, state, depth })))
    }

    /// Moves the cursor past the list or map that [`several`](Self::several) returned. The cursor is already past a packed run.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(&mut self, row: &Row, tag: u32, state: &WireState<'a>) -> Result<()> {
        if row.other_tag != 0 && tag & 7 == WireType::Len as u32 {
            return Ok(());
        }
        let (start, end) = state.end.get();
        self.rest = match start == self.rest.as_ptr() {
            true => end,
            // The list or map was not visited to its end, or another list or map was visited after it.
            false => some(skip_values(row, tag, self.rest))?,
        };
        Ok(())
    }

    /// Reads the value of a singular field. Calls the visitor, unless the field has no presence and the value is the
    /// default.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_single(
        &mut self,
        row: &'a Row,
        state: &'a WireState<'a>,
        visitor: &mut impl Visit<'a, WireView<'a>>,
    ) -> Result<()> {
        let (kind, implicit) = (row.kind, row.presence == Presence::Implicit);
        macro_rules! scalars {
            ($($($kind:ident)|+ as $like:ident,)*) => {
                match kind {
                    // Each arm has a constant kind, so that the compiler can remove the match in the printer.
                    $($(Kind::$kind)|+ => {
                        let bits = some(scalar(kind, row, &mut self.rest))?;
                        if !(implicit && bits == 0) {
                            visitor.scalar(row, Kind::$like, bits);
                        }
                    })*
                    Kind::String | Kind::Bytes => {
                        let text = some(len_prefixed(&mut self.rest))?;
                        if !(implicit && text.is_empty()) {
                            visitor.text(row, text)?;
                        }
                    }
                    Kind::Message => {
                        let fields = some(len_prefixed(&mut self.rest))?;
                        let message = state.sub(row, fields, self.depth)?;
                        visitor.field(row, Some(Field::Message(message)))?;
                    }
                    // The end of a group is known only when the group was read.
                    Kind::Group => return Err(declined()),
                }
            };
        }
        scalars! {
            Int32 | SInt32 | SFixed32 as Int32,
            Int64 | SInt64 | SFixed64 as Int64,
            UInt32 | Fixed32 as UInt32,
            UInt64 | Fixed64 as UInt64,
            Float as Float,
            Double as Double,
            Bool as Bool,
            Enum as Enum,
        }
        Ok(())
    }
}

/// Finds out what the field at the start of the input is, whatever its tag. Returns the answer and the rest of the input. If
/// the field has a row, the rest starts after the tag, otherwise after the value, or after the last of several unknown fields.
#[inline(never)]
fn other_field<'a, const REPEATS: bool>(
    table: &Table,
    input: &'a [u8],
    order: Order,
    depth: u32,
    noted: &mut Noted,
) -> Result<(Other<'a>, &'a [u8])> {
    let rest = table.pass_over(input);
    if rest.len() < input.len() {
        return Ok((Other::Skipped, rest));
    }
    let mut reader = Reader::new(input);
    let tag = reader.tag()?;
    if let Some(index) = table.numbers.get(tag.number())
        && some(table.rows.get(index))?.takes(tag)
    {
        return Ok((Other::Row(index, tag.value()), reader.rest()));
    }
    let left_out = table.left_out(tag.number()).filter(|row| row.takes_value(tag, reader));
    reader.skip(tag, depth)?;
    if let Some(row) = left_out {
        // The field clears an earlier field of its oneof.
        let replaced = row.oneof.filter(|oneof| !noted.oneofs.note(usize::from(*oneof)));
        return Ok((replaced.map_or(Other::Skipped, Other::Replaced), reader.rest()));
    }
    if !(table.extendable || order.unknown && table.keeps_unknown()) {
        return Ok((Other::Skipped, reader.rest()));
    }
    // Unknown fields that follow are returned together with this field.
    let mut rest = reader.rest();
    while !rest.is_empty() {
        let mut reader = Reader::new(rest);
        let tag = reader.tag()?;
        if table.numbers.get(tag.number()).is_some() || table.left_out(tag.number()).is_some() {
            break;
        }
        reader.skip(tag, depth)?;
        rest = reader.rest();
    }
    // If the message has two runs of unknown fields, one extension may be in both, and only an arena can merge it.
    if std::mem::replace(&mut noted.unknown, true) && table.extendable && !REPEATS {
        return Err(declined());
    }
    Ok((Other::Unknown(&input[..input.len() - rest.len()]), rest))
}

impl<'a> Object<'a> for WireView<'a> {
    type List = WireList<'a>;
    type Map = WireMap<'a>;

    #[inline]
    fn table(self) -> &'a Table {
        self.table
    }

    #[inline]
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        let (mut fields, mut noted) = (Fields::of(self)?, Noted::default());
        loop {
            match fields.next(&mut noted)? {
                Next::Field(row, _) if row.shape == Shape::Singular => {
                    fields.visit_single(row, self.state, visitor)?;
                }
                Next::Field(row, tag) => {
                    if let Some(value) = fields.several(row, tag, self.state)? {
                        visitor.field(row, Some(value))?;
                    }
                    fields.end(row, tag, self.state)?;
                }
                Next::Unknown(unknown) => visitor.unknown(self.table, unknown)?,
                Next::Replaced(_) => return Err(declined()),
                Next::End => break,
            }
        }
        for index in &self.table.required {
            if !noted.rows.has(*index) {
                visitor.field(&self.table.rows[usize::from(*index)], None)?;
            }
        }
        Ok(())
    }

    fn rows(self, each: EachRow<'_, 'a, Self>) -> Result<&'a [u8]> {
        let (mut fields, mut noted) = (Fields::of(self)?, Noted::default());
        let (mut rows, mut unknown) = (self.table.rows.iter(), &[][..]);
        loop {
            let (row, tag) = match fields.next(&mut noted)? {
                Next::Field(row, tag) => (row, tag),
                Next::Unknown(fields) => {
                    unknown = fields;
                    continue;
                }
                Next::Replaced(_) => return Err(declined()),
                Next::End => break,
            };
            loop {
                match some(rows.next())? {
                    before if before.index < row.index => each(before, None)?,
                    found if found.index == row.index => break,
                    // In the input, the field comes after a field with a greater row.
                    _ => return Err(declined()),
                }
            }
            if row.shape == Shape::Singular {
                let value = self.state.value(row, &mut fields.rest, fields.depth)?;
                let is_default = match value {
                    Field::Scalar(bits) => bits == 0,
                    Field::Text(text) => text.is_empty(),
                    _ => false,
                };
                each(row, Some(value).filter(|_| !(is_default && row.presence == Presence::Implicit)))?;
            } else {
                each(row, fields.several(row, tag, self.state)?)?;
                fields.end(row, tag, self.state)?;
            }
        }
        rows.try_for_each(|row| each(row, None))?;
        Ok(unknown)
    }
}

impl<'a> WireList<'a> {
    /// Visits elements with a length prefix: messages or texts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn elements(self, mut each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()> {
        let (row, mut input, mut index) = (self.row, self.input, 0);
        loop {
            each(index, some(len_prefixed(&mut input))?)?;
            index += 1;
            match after_tag(row, input) {
                Some(rest) => input = rest,
                None => break,
            }
        }
        self.state.set_end(self.input, input);
        self.state.take(row.width().cells(index))
    }

    /// Reads numbers that each have a tag, and gives them to `take`.
    fn tagged_numbers(self, take: &mut impl Numbers) -> Result<()> {
        let (row, mut input, mut count) = (self.row, self.input, 0);
        let mut more = true;
        take.bits(std::iter::from_fn(|| {
            let mut rest = more.then_some(input)?;
            let bits = scalar(row.kind, row, &mut rest)?;
            let next = again(row, self.tag, rest);
            (more, input, count) = (next.is_some(), next.unwrap_or(rest), count + 1);
            Some(bits)
        }))?;
        if more {
            return Err(declined());
        }
        self.state.set_end(self.input, input);
        self.state.take(row.width().cells(count))
    }
}

impl<'a> ObjectList<'a> for WireList<'a> {
    type Message = WireView<'a>;

    fn size_hint(self) -> usize {
        0
    }

    #[inline]
    fn messages(self, mut each: impl FnMut(usize, WireView<'a>) -> Result<()>) -> Result<()> {
        if self.row.kind != Kind::Message {
            return Err(declined());
        }
        let (table, state, depth) = (self.row.message()?, self.state, self.depth);
        self.elements(|index, fields| each(index, state.message(table, fields, depth)?))
    }

    #[inline]
    fn texts(self, each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()> {
        self.elements(each)
    }

    #[inline]
    fn numbers(self, take: &mut impl Numbers) -> Result<()> {
        if self.tag != 0 {
            return self.tagged_numbers(take);
        }
        let (row, mut rest) = (self.row, self.input);
        let width = match row.kind.wire_type() {
            WireType::Fixed64 => 8,
            WireType::Fixed32 => 4,
            _ => 1,
        };
        // A packed run has at most `rest.len() / width` numbers.
        self.state.take(row.width().cells(rest.len() / width))?;
        macro_rules! packed {
            () => {
                PackedNumbers { row, rest: &mut rest, of: PhantomData }
            };
        }
        match row.kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum => take.i32s(packed!())?,
            Kind::UInt32 | Kind::Fixed32 => take.u32s(packed!())?,
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => take.i64s(packed!())?,
            Kind::UInt64 | Kind::Fixed64 => take.u64s(packed!())?,
            Kind::Float => take.f32s(packed!())?,
            Kind::Double => take.f64s(packed!())?,
            Kind::Bool => take.bools(packed!())?,
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => return Err(declined()),
        }
        if rest.is_empty() { Ok(()) } else { Err(declined()) }
    }
}

impl<'a> WireMap<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(
        self,
        mut entry: &'a [u8],
        keys: &mut Keys<'a>,
    ) -> Result<(KeyRef<'a>, Field<'a, WireView<'a>>)> {
        let rows = self.row.map();
        entry = some(after_tag(&rows.key, entry))?;
        let key = if rows.key.kind == Kind::String {
            let key = some(len_prefixed(&mut entry))?;
            let text = some(crate::wire::utf8(key).ok())?;
            if !keys.note(EntryKey::Text(key.into())) {
                return Err(declined());
            }
            KeyRef::Str(text)
        } else {
            number_key(&rows.key, &mut entry, keys)?
        };
        let row = &rows.value;
        let value = match after_tag(row, entry) {
            Some(rest) => {
                entry = rest;
                // The entry is a level of nesting, too.
                self.state.value(row, &mut entry, self.depth.saturating_sub(1))?
            }
            // Some writers omit a value that is the default.
            None => match row.kind {
                Kind::Message | Kind::Group | Kind::Enum => return Err(declined()),
                Kind::String | Kind::Bytes => Field::Text(&[]),
                _ => Field::Scalar(0),
            },
        };
        if entry.is_empty() { Ok((key, value)) } else { Err(declined()) }
    }
}

/// Reads a key that is a number or a bool.
#[inline(never)]
fn number_key<'a>(row: &Row, entry: &mut &[u8], keys: &mut Keys<'_>) -> Result<KeyRef<'a>> {
    let bits = some(scalar(row.kind, row, entry))?;
    if keys.note(EntryKey::Number(bits)) { Ok(key_of(row.kind, bits)) } else { Err(declined()) }
}

impl<'a> ObjectMap<'a> for WireMap<'a> {
    type Message = WireView<'a>;

    fn size_hint(self) -> usize {
        0
    }

    #[inline]
    fn entries(
        self,
        mut each: impl FnMut(KeyRef<'a>, Field<'a, WireView<'a>>) -> Result<()>,
    ) -> Result<bool> {
        let (mut input, mut keys) = (self.input, Keys::default());
        self.state.take(MAP_CELLS as usize)?;
        loop {
            let entry = some(len_prefixed(&mut input))?;
            self.state.take(ENTRY_CELLS as usize)?;
            let (key, value) = self.entry(entry, &mut keys)?;
            each(key, value)?;
            match after_tag(self.row, input) {
                Some(rest) => input = rest,
                None => break,
            }
        }
        self.state.set_end(self.input, input);
        Ok(true)
    }
}
