//! Stores the values of one field of a plan until they become an Arrow array.

use arrow_array::types::ByteViewType;
use arrow_array::{ArrowPrimitiveType, BooleanArray, GenericByteViewArray, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use std::mem::take;

/// The values of one field of the plan. A space is a sequence of rows: one row for each message, or for each element of one
/// list.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The space of the values. For a repeated field, this is the space of its elements.
    pub(crate) space: u32,
    /// Where the elements or entries of each row begin, if the field is repeated.
    pub(crate) list: Option<List>,
    pub(crate) values: Values,
    pub(crate) special: Special,
    /// True if the column has strings, which must be UTF-8.
    pub(crate) is_text: bool,
}

/// The values of a slot, in a variant for each way to store them. Floating-point numbers are stored as their bits.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// The slot has no values of its own: the slots of the inner fields have them.
    Inside,
    /// The presence of messages that may be absent.
    Struct(Presence),
    Bit(Fixed<bool>),
    Half(Fixed<u32>),
    Word(Fixed<u64>),
    Text(Text),
    View(View),
}

/// The kinds of message types that are stored as a single value.
#[derive(Clone, Debug)]
pub(crate) enum Special {
    None,
    Timestamp,
    Duration,
    /// A message with one field, whose number is 1. The variant has the type of this field.
    Wrapper(tobu::descriptor::Type),
    /// A message that is stored as JSON.
    Json(tobu::MessageDescriptor),
    /// A message that is stored as its encoded bytes.
    Raw,
}

/// The runs of rows of a column that have no value, each as its start and end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps(Vec<(u32, u32)>);

impl Gaps {
    fn add(&mut self, from: usize, to: usize) {
        self.0.push((from as u32, to as u32));
    }

    fn truncate(&mut self, len: usize) {
        while let Some((from, to)) = self.0.last_mut() {
            if *to as usize <= len {
                return;
            }
            if (*from as usize) < len {
                *to = len as u32;
                return;
            }
            self.0.pop();
        }
    }

    fn nulls(&mut self, len: usize) -> Option<NullBuffer> {
        if self.0.is_empty() {
            return None;
        }
        let (mut bits, mut at) = (BooleanBufferBuilder::new(len), 0);
        for (from, to) in self.0.drain(..) {
            bits.append_n(from as usize - at, true);
            bits.append_n((to - from) as usize, false);
            at = to as usize;
        }
        bits.append_n(len - at, true);
        Some(NullBuffer::new(bits.finish()))
    }
}

/// Values of a fixed width.
#[derive(Clone, Debug)]
pub(crate) struct Fixed<T> {
    pub(crate) values: Vec<T>,
    /// The value that is stored in place of an absent value.
    pub(crate) fill: T,
    /// True if an absent value is null.
    pub(crate) is_nullable: bool,
    pub(crate) gaps: Gaps,
}

impl<T: Copy> Fixed<T> {
    pub(crate) fn new(fill: T, is_nullable: bool) -> Self {
        Fixed { values: Vec::new(), fill, is_nullable, gaps: Gaps::default() }
    }

    /// Sets the value of the last of `rows` rows. An earlier value of this row is replaced.
    #[inline(always)]
    pub(crate) fn put(&mut self, rows: usize, value: T) {
        if self.values.len() + 1 != rows {
            self.go_to(rows - 1);
        }
        self.values.push(value);
    }

    #[cold]
    #[inline(never)]
    fn go_to(&mut self, rows: usize) {
        self.truncate(rows);
        self.pad(rows);
    }

    fn pad(&mut self, rows: usize) {
        let len = self.values.len();
        if len < rows {
            if self.is_nullable {
                self.gaps.add(len, rows);
            }
            self.values.resize(rows, self.fill);
        }
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.gaps.truncate(rows);
    }

    /// Returns the values of all rows and their nulls, and empties the column.
    pub(crate) fn take(&mut self, rows: usize) -> (Vec<T>, Option<NullBuffer>) {
        self.pad(rows);
        let next = Vec::with_capacity(rows);
        (std::mem::replace(&mut self.values, next), self.gaps.nulls(rows))
    }
}

impl Fixed<u64> {
    pub(crate) fn array<T: ArrowPrimitiveType>(&mut self, rows: usize) -> PrimitiveArray<T> {
        let (values, nulls) = self.take(rows);
        PrimitiveArray::new(ScalarBuffer::from(Buffer::from_vec(values)), nulls)
    }
}

impl Fixed<u32> {
    pub(crate) fn array<T: ArrowPrimitiveType>(&mut self, rows: usize) -> PrimitiveArray<T> {
        let (values, nulls) = self.take(rows);
        PrimitiveArray::new(ScalarBuffer::from(Buffer::from_vec(values)), nulls)
    }
}

impl Fixed<bool> {
    pub(crate) fn array(&mut self, rows: usize) -> BooleanArray {
        let (values, nulls) = self.take(rows);
        BooleanArray::new(BooleanBuffer::from(values), nulls)
    }
}

/// Strings or byte strings, one after the other in one buffer.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// The start of each string, and the end of the last string.
    pub(crate) offsets: Vec<i32>,
    pub(crate) is_nullable: bool,
    pub(crate) gaps: Gaps,
}

impl Text {
    pub(crate) fn new(is_nullable: bool) -> Self {
        Text { bytes: Vec::new(), offsets: vec![0], is_nullable, gaps: Gaps::default() }
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, rows: usize, value: &[u8]) {
        if self.offsets.len() != rows {
            self.go_to(rows - 1);
        }
        self.bytes.extend_from_slice(value);
        self.offsets.push(self.bytes.len() as i32);
    }

    #[cold]
    #[inline(never)]
    fn go_to(&mut self, rows: usize) {
        self.truncate(rows);
        self.pad(rows);
    }

    fn pad(&mut self, rows: usize) {
        let len = self.offsets.len() - 1;
        if len < rows {
            if self.is_nullable {
                self.gaps.add(len, rows);
            }
            self.offsets.resize(rows + 1, self.bytes.len() as i32);
        }
    }

    fn truncate(&mut self, rows: usize) {
        if self.offsets.len() > rows + 1 {
            self.offsets.truncate(rows + 1);
            self.bytes.truncate(self.offsets[rows] as usize);
        }
        self.gaps.truncate(rows);
    }

    pub(crate) fn take(&mut self, rows: usize) -> (OffsetBuffer<i32>, Buffer, Option<NullBuffer>) {
        self.pad(rows);
        let (mut offsets, bytes) = (Vec::with_capacity(rows + 1), Vec::with_capacity(self.bytes.len()));
        offsets.push(0);
        let offsets = std::mem::replace(&mut self.offsets, offsets);
        let bytes = std::mem::replace(&mut self.bytes, bytes);
        (OffsetBuffer::new(offsets.into()), Buffer::from_vec(bytes), self.gaps.nulls(rows))
    }

    fn get(&self, row: usize) -> &[u8] {
        &self.bytes[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}

/// Strings or byte strings as views. A short string lies inside its view.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// One view for each row, in the layout of Arrow. The bytes of long strings lie in `bytes`.
    views: Vec<u128>,
    /// The bytes of long strings, in the order of the rows. This is the only buffer of the array.
    bytes: Vec<u8>,
    is_nullable: bool,
    gaps: Gaps,
}

/// The maximum length of a string that lies inside its view.
const SHORT: usize = 12;

impl View {
    pub(crate) fn new(is_nullable: bool) -> Self {
        View { views: Vec::new(), bytes: Vec::new(), is_nullable, gaps: Gaps::default() }
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, rows: usize, value: &[u8]) {
        if self.views.len() + 1 != rows {
            self.go_to(rows - 1);
        }
        let mut view = [0; 16];
        view[..4].copy_from_slice(&(value.len() as u32).to_le_bytes());
        if value.len() <= SHORT {
            view[4..4 + value.len()].copy_from_slice(value);
        } else {
            // The view of a long string has the first four bytes, the number of the buffer, and the position in the buffer.
            view[4..8].copy_from_slice(&value[..4]);
            view[12..].copy_from_slice(&(self.bytes.len() as u32).to_le_bytes());
            self.bytes.extend_from_slice(value);
        }
        self.views.push(u128::from_le_bytes(view));
    }

    #[cold]
    #[inline(never)]
    fn go_to(&mut self, rows: usize) {
        self.truncate(rows);
        self.pad(rows);
    }

    fn pad(&mut self, rows: usize) {
        let len = self.views.len();
        if len < rows {
            if self.is_nullable {
                self.gaps.add(len, rows);
            }
            self.views.resize(rows, 0);
        }
    }

    fn truncate(&mut self, rows: usize) {
        for view in self.views.get(rows..).unwrap_or_default() {
            if *view as u32 as usize > SHORT {
                // The long strings lie in the order of the rows, so the bytes from this string on are removed.
                self.bytes.truncate((view >> 96) as usize);
                break;
            }
        }
        self.views.truncate(rows);
        self.gaps.truncate(rows);
    }

    /// Makes the array of all rows, and empties the column.
    ///
    /// # Errors
    /// The values are not valid for the type `T`.
    pub(crate) fn array<T: ByteViewType + ?Sized>(
        &mut self,
        rows: usize,
    ) -> Result<GenericByteViewArray<T>, ArrowError> {
        self.pad(rows);
        let views = std::mem::replace(&mut self.views, Vec::with_capacity(rows));
        let buffers: Vec<Buffer> = match self.bytes.is_empty() {
            true => Vec::new(),
            false => vec![Buffer::from_vec(take(&mut self.bytes))],
        };
        GenericByteViewArray::try_new(views.into(), buffers, self.gaps.nulls(rows))
    }

    fn get(&self, row: usize) -> Vec<u8> {
        let view = self.views[row];
        let len = view as u32 as usize;
        match len <= SHORT {
            true => view.to_le_bytes()[4..4 + len].to_vec(),
            false => self.bytes[(view >> 96) as usize..][..len].to_vec(),
        }
    }
}

/// The rows in which a message is present.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence {
    len: usize,
    gaps: Gaps,
}

impl Presence {
    /// Records that a message is present in the last of `rows` rows. May be called several times for a row.
    #[inline(always)]
    pub(crate) fn set(&mut self, rows: usize) {
        if self.len + 1 < rows {
            self.gaps.add(self.len, rows - 1);
        }
        self.len = rows;
    }

    pub(crate) fn take(&mut self, rows: usize) -> Option<NullBuffer> {
        self.set(rows + 1);
        self.len = 0;
        self.gaps.nulls(rows)
    }
}

/// Says which elements of a list, or entries of a map, belong to which row.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// The space whose rows have a list or a map.
    pub(crate) parent: u32,
    /// The space of the elements or entries.
    pub(crate) child: u32,
    /// The number of bytes that the columns take for an element.
    pub(crate) cost: usize,
    /// For each row, the number of elements in the rows before it.
    pub(crate) starts: Vec<i32>,
    /// For a map, the index of the slot for the keys.
    pub(crate) keys: Option<u32>,
    /// For a map, the number of rows whose keys are already checked for duplicates.
    checked: usize,
}

impl List {
    pub(crate) fn new(parent: u32, child: u32) -> Self {
        List { parent, child, cost: 0, starts: Vec::new(), keys: None, checked: 0 }
    }

    /// Adds `count` elements to the last row.
    #[inline(always)]
    pub(crate) fn open(&mut self, rows: &mut [usize], count: usize) {
        let (parent, child) = (rows[self.parent as usize], &mut rows[self.child as usize]);
        if self.starts.len() < parent {
            self.begin(parent, *child);
        }
        *child += count;
    }

    #[inline]
    fn begin(&mut self, parent: usize, child: usize) {
        if self.starts.len() + 1 == parent {
            self.starts.push(child as i32);
        } else {
            self.starts.resize(parent, child as i32);
        }
    }

    pub(crate) fn take(&mut self, rows: &[usize]) -> OffsetBuffer<i32> {
        let (parent, child) = (rows[self.parent as usize], rows[self.child as usize] as i32);
        self.starts.resize(parent, child);
        self.starts.push(child);
        self.checked = 0;
        let next = Vec::with_capacity(parent + 1);
        OffsetBuffer::new(std::mem::replace(&mut self.starts, next).into())
    }

    /// Removes the elements of rows that the parent no longer has, and sets the number of rows in the child space.
    pub(crate) fn truncate(&mut self, rows: &mut [usize]) {
        let parent = rows[self.parent as usize];
        if let Some(start) = self.starts.get(parent) {
            rows[self.child as usize] = *start as usize;
            self.starts.truncate(parent);
        }
        self.checked = self.checked.min(parent);
    }

    /// For each row that no earlier call returned, returns the range of its elements.
    pub(crate) fn unchecked(&mut self, rows: &[usize]) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let (from, end) = (self.checked, rows[self.child as usize]);
        self.checked = self.starts.len();
        (from..self.starts.len()).map(move |row| {
            (self.starts[row] as usize, self.starts.get(row + 1).map_or(end, |next| *next as usize))
        })
    }
}

impl Values {
    pub(crate) fn has(&self, rows: usize) -> bool {
        match self {
            Values::Inside => false,
            Values::Struct(presence) => presence.len == rows,
            Values::Bit(fixed) => fixed.values.len() == rows,
            Values::Half(fixed) => fixed.values.len() == rows,
            Values::Word(fixed) => fixed.values.len() == rows,
            Values::Text(text) => text.offsets.len() > rows,
            Values::View(view) => view.views.len() == rows,
        }
    }

    /// Removes the values after the first `rows` rows.
    pub(crate) fn truncate(&mut self, rows: usize) {
        match self {
            Values::Inside => {}
            Values::Struct(presence) => {
                presence.len = presence.len.min(rows);
                presence.gaps.truncate(rows);
            }
            Values::Bit(fixed) => fixed.truncate(rows),
            Values::Half(fixed) => fixed.truncate(rows),
            Values::Word(fixed) => fixed.truncate(rows),
            Values::Text(text) => text.truncate(rows),
            Values::View(view) => view.truncate(rows),
        }
    }

    /// True if two of the rows from `from` to `to` have equal values.
    pub(crate) fn has_twins(&self, from: usize, to: usize) -> bool {
        match self {
            Values::Bit(fixed) => twins(from, to, |row| fixed.values[row]),
            Values::Half(fixed) => twins(from, to, |row| fixed.values[row]),
            Values::Word(fixed) => twins(from, to, |row| fixed.values[row]),
            Values::Text(text) => twins(from, to, |row| text.get(row)),
            Values::View(view) => twins(from, to, |row| view.get(row)),
            Values::Inside | Values::Struct(_) => false,
        }
    }
}

/// The maximum number of rows whose values are compared in pairs. More values are sorted.
const FEW: usize = 8;

fn twins<T: Ord>(from: usize, to: usize, value: impl Fn(usize) -> T) -> bool {
    if to - from <= FEW {
        return (from..to).any(|row| (from..row).any(|other| value(row) == value(other)));
    }
    let mut sorted: Vec<T> = (from..to).map(value).collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
