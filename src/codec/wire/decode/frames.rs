//! The state of the interpreter, the stack of messages that wait for one of their fields, and proto values for conversions.

use crate::layout::Opened;
use crate::object::TypedMut;
use crate::table::{Row, Table};
use std::mem::MaybeUninit;
use std::sync::LazyLock;

/// The interpreter's state for the message that it reads.
#[derive(Clone, Copy)]
pub(super) struct State<'t> {
    pub(super) table: &'t Table,
    /// The address of the struct.
    pub(super) base: *mut u8,
    pub(super) end: *const u8,
    /// The field number, if the message is a group; otherwise 0.
    pub(super) group: u32,
    /// Which messages and required fields were seen, by their bits.
    pub(super) seen: u64,
    /// Which members hold old values that no field has replaced yet, by their bits.
    pub(super) pending: u64,
    /// The expected row; after a field was found, its own row.
    pub(super) row: &'t Row,
}

impl<'t> State<'t> {
    /// The state at the start of a message.
    #[inline]
    pub(super) fn of(table: &'t Table, base: *mut u8, end: *const u8, pending: u64) -> Self {
        State { table, base, end, group: 0, seen: 0, pending, row: first(table) }
    }

    /// The message.
    ///
    /// # Safety
    /// The table is that of the struct at the address, and nothing else refers to it.
    pub(super) unsafe fn message(&self) -> TypedMut<'_, 't> {
        // SAFETY: the caller says that the table is that of the struct at the address, and that nothing else refers to
        // it. The view borrows the state, and asks for no more.
        unsafe { TypedMut::new(self.base, self.table) }
    }
}

/// A message that waits for one of its fields, which is a message.
#[derive(Clone, Copy)]
pub(super) struct Frame<'t, 'i> {
    /// The state of the message; its row is the field.
    pub(super) state: State<'t>,
    /// For a list: how many elements that the list already has are still to be read, and the bytes from one to the
    /// next.
    pub(super) left: u32,
    pub(super) stride: usize,
    /// How many of the next elements hold old values, which are reused.
    pub(super) reused: u32,
    /// The index of the element.
    pub(super) index: u32,
    /// If the frame is a map: the entry from its key on.
    pub(super) key: Option<&'i [u8]>,
}

impl<'t> Frame<'t, '_> {
    /// The frame of a message that waits for the only value of a field, its row.
    #[inline]
    pub(super) fn of(state: State<'t>) -> Self {
        Frame { state, left: 0, stride: 0, reused: 0, index: 0, key: None }
    }

    /// How many levels above its field the message is: a map entry is one more.
    #[inline]
    pub(super) fn levels(&self) -> u32 {
        1 + u32::from(self.key.is_some())
    }
}

/// A proto value that is being decoded.
pub(super) struct Making<'t> {
    /// The address of the struct that has the member.
    pub(super) base: *mut u8,
    pub(super) row: &'t Row,
    pub(super) opened: Opened,
    /// The end of its last occurrence in the input.
    pub(super) end: usize,
}

/// The first row of a message without fields; it matches no tag.
static NO_ROW: LazyLock<Row> = LazyLock::new(Row::none);

/// The row that is expected first.
#[inline]
pub(super) fn first(table: &Table) -> &Row {
    row_at(table, 0)
}

/// The row that is expected after a row of the table.
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

/// A separate function, because it is not called for tables that have rows.
#[cold]
fn no_row() -> &'static Row {
    &NO_ROW
}

/// How many frames fit without an allocation.
const INLINE: usize = 6;

/// The stack of frames, the innermost last.
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

    /// The innermost frame.
    ///
    /// # Safety
    /// There is a frame.
    #[inline]
    pub(super) unsafe fn last(&mut self) -> &mut Frame<'t, 'i> {
        debug_assert!(self.len > 0);
        // SAFETY: there is a frame, and those up to the length are written: inline ones before any other.
        unsafe {
            match self.len - 1 {
                index if index < INLINE => self.inline.get_unchecked_mut(index).assume_init_mut(),
                index => self.more.get_unchecked_mut(index - INLINE),
            }
        }
    }

    /// Removes the innermost frame and returns it.
    ///
    /// # Safety
    /// There is a frame.
    #[inline]
    pub(super) unsafe fn pop(&mut self) -> Frame<'t, 'i> {
        // SAFETY: the caller says that there is a frame, which is all that `last` asks for.
        let frame = unsafe { *self.last() };
        if self.len > INLINE {
            self.more.pop();
        }
        self.len -= 1;
        frame
    }
}
