//! The state of the decoder. It consists of the message that the decoder reads, a stack of frames (messages that wait until one
//! of their fields is read), and the proto values that conversions have not yet converted.

use crate::layout::Opened;
use crate::object::TypedMut;
use crate::table::{Row, Table};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::LazyLock;

/// What the decoder knows about the message that it is reading.
#[derive(Clone, Copy)]
pub(super) struct State<'t> {
    pub(super) table: &'t Table,
    pub(super) base: *mut u8,
    pub(super) end: *const u8,
    /// The field number, if the message is a group; otherwise 0.
    pub(super) group: u32,
    /// The bits ([`Row::bit`]) of the fields that the decoder has read.
    pub(super) seen: u64,
    /// The bits ([`Row::bit`]) of the members that hold old values, which no field has replaced yet.
    pub(super) pending: u64,
    /// The row of the field that is expected next. While a field is read, this is the row of this field.
    pub(super) row: &'t Row,
}

impl<'t> State<'t> {
    /// Returns the state at the start of the message at `base`, which ends at `end`.
    #[inline]
    pub(super) fn of(table: &'t Table, base: *mut u8, end: *const u8, pending: u64) -> Self {
        State { table, base, end, group: 0, seen: 0, pending, row: first(table) }
    }

    /// Returns a mutable view of the message.
    ///
    /// # Safety
    /// `self.table` describes the struct at `self.base`, to which nothing else refers. If borrowed strings are stored through
    /// the view, their input outlives the struct.
    pub(super) unsafe fn message(&self) -> TypedMut<'_, 't> {
        // SAFETY: the caller promises what [`TypedMut::new`] requires: the table describes the struct, nothing else refers to
        // the struct, and the input of borrowed strings outlives it.
        unsafe { TypedMut::new(self.base, self.table) }
    }
}

/// A message that waits until the decoder has read one of its fields. The field is a message, too.
#[derive(Clone, Copy)]
pub(super) struct Frame<'t, 'i> {
    /// The state of the waiting message. `state.row` is the row of the field for which it waits.
    pub(super) state: State<'t>,
    /// For a list: the number of elements that were appended in advance and are not yet read.
    pub(super) left: u32,
    /// For a list: the number of bytes from one element to the next.
    pub(super) stride: usize,
    /// For a list: the number of next elements that hold old values, which the decoder reuses.
    pub(super) reused: u32,
    /// For a list: the index of the element that is being read.
    pub(super) index: u32,
    /// For a map: the bytes of the entry that is being read, starting at the key.
    pub(super) key: Option<&'i [u8]>,
}

impl<'t> Frame<'t, '_> {
    /// Returns the frame of a message that waits for one value of the field `state.row`.
    #[inline]
    pub(super) fn of(state: State<'t>) -> Self {
        Frame { state, left: 0, stride: 0, reused: 0, index: 0, key: None }
    }

    /// Returns the number of levels of nesting between the message and its field: two for a map, because the entry is a
    /// message, too; otherwise one.
    #[inline]
    pub(super) fn levels(&self) -> u32 {
        1 + u32::from(self.key.is_some())
    }
}

/// A proto value that is being decoded for a member with a conversion.
pub(super) struct Making<'t> {
    /// The address of the struct that has the member.
    pub(super) base: *mut u8,
    /// The table of that struct. A struct may lie at the address of the struct that contains it, so the address alone
    /// does not identify a struct. The table does, because no struct contains a struct of its own type inline.
    pub(super) table: &'t Table,
    pub(super) row: &'t Row,
    pub(super) opened: Opened,
    /// The position in the input at which the last occurrence of the field ends, for errors.
    pub(super) end: usize,
}

impl Making<'_> {
    /// True if the member belongs to the struct that the decoder fills in this state.
    pub(super) fn belongs_to(&self, state: &State<'_>) -> bool {
        self.base == state.base && ptr::eq(self.table, state.table)
    }
}

/// The row that stands for a missing row, for example in a message without fields. No tag matches it.
static NO_ROW: LazyLock<Row> = LazyLock::new(Row::none);

/// Returns the row of the field that the decoder expects first.
#[inline]
pub(super) fn first(table: &Table) -> &Row {
    row_at(table, 0)
}

/// Returns the row of the field that the decoder expects after the field `row`.
#[inline]
pub(super) fn next<'t>(table: &'t Table, row: &Row) -> &'t Row {
    row_at(table, row.next)
}

#[inline]
fn row_at(table: &Table, index: u16) -> &Row {
    match table.rows.get(usize::from(index)) {
        Some(row) => row,
        None => no_row(),
    }
}

/// Returns [`NO_ROW`]. This is a separate function, because tables with rows rarely need it.
#[cold]
fn no_row() -> &'static Row {
    &NO_ROW
}

/// The number of frames that the stack can hold without an allocation.
const INLINE: usize = 6;

/// The stack of frames. The innermost frame is the last one.
pub(super) struct Frames<'t, 'i> {
    len: usize,
    inline: [MaybeUninit<Frame<'t, 'i>>; INLINE],
    more: Vec<Frame<'t, 'i>>,
}

impl<'t, 'i> Frames<'t, 'i> {
    #[inline]
    pub(super) fn new() -> Self {
        Frames { len: 0, inline: [const { MaybeUninit::uninit() }; INLINE], more: Vec::new() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, frame: Frame<'t, 'i>) {
        match self.inline.get_mut(self.len) {
            Some(slot) => {
                slot.write(frame);
            }
            None => self.push_more(frame),
        }
        self.len += 1;
    }

    #[inline(never)]
    fn push_more(&mut self, frame: Frame<'t, 'i>) {
        self.more.push(frame);
    }

    /// Returns the innermost frame.
    ///
    /// # Safety
    /// There is a frame.
    #[inline]
    pub(super) unsafe fn last(&mut self) -> &mut Frame<'t, 'i> {
        debug_assert!(self.len > 0);
        // SAFETY: the caller says that there is a frame, so `self.len - 1` is the index of the innermost frame. `push` has
        // written all frames with an index below `self.len`: the first `INLINE` frames to `inline`, and all others to `more`.
        unsafe {
            match self.len - 1 {
                index if index < INLINE => self.inline.get_unchecked_mut(index).assume_init_mut(),
                index => self.more.get_unchecked_mut(index - INLINE),
            }
        }
    }

    /// Removes the innermost frame, and returns it.
    ///
    /// # Safety
    /// There is a frame.
    #[inline]
    pub(super) unsafe fn pop(&mut self) -> Frame<'t, 'i> {
        // SAFETY: the caller says that there is a frame, which is all that `last` requires.
        let frame = unsafe { *self.last() };
        if self.len > INLINE {
            self.more.pop();
        }
        self.len -= 1;
        frame
    }
}
