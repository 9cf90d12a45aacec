//! Begins and ends a record.

use crate::error::{Error, LimitError, Result};
use crate::message::dynamic::encoder::selection::Selection;
use crate::object::wire::sort::Sorter;
use crate::table::Table;
use crate::wire::{CursorMut, Open, Reader};
use std::fmt;

/// A record that an [`Encoder`](super::Encoder) writes, or a message inside one.
///
/// Each field is put at most once, and at most one field of each oneof. [`finish`](Self::finish) returns the first error, so
/// putting values needs no `?`. Errors are, for example, a field that is put a second time, the handle of a field of another
/// message, or a number that a closed enum does not have.
///
/// If a record is dropped before it is finished, the output is unchanged. If a record is passed to `mem::forget`, the output is
/// lost.
pub struct Record<'r> {
    pub(super) cursor: CursorMut<'r>,
    /// The fields that can still be put: a bit for each row.
    pub(super) open: &'r mut [u64],
    pub(super) enabled: &'r [u64],
    /// The address of the table, which identifies the message type.
    pub(super) message: usize,
    /// The index of the row that was put last.
    pub(super) last: u16,
    pub(super) is_unsorted: bool,
    /// How many more levels messages may nest.
    pub(super) depth: u32,
    pub(super) table: &'r Table,
    pub(super) selection: Option<&'r Selection>,
    pub(super) state: &'r mut State,
    /// Memory for the bits of nested messages. `taken` is the number of words that the open messages use.
    pub(super) rest: &'r mut [u64],
    pub(super) taken: usize,
    pub(super) root: Option<Root<'r>>,
}

/// The state that all messages of a record share.
#[derive(Default)]
pub(super) struct State {
    pub(super) error: Option<Error>,
    /// The number of values that were begun and not ended: they are still being written, or writing them panicked.
    pub(super) unended: u32,
    pub(super) is_unsorted: bool,
    pub(super) partial: bool,
    pub(super) max_depth: u32,
    /// The largest number of words that the bits of all open messages took.
    pub(super) words: usize,
}

/// The destination of the outermost message.
pub(super) struct Root<'r> {
    pub(super) out: &'r mut Vec<u8>,
    pub(super) start: usize,
    pub(super) length: Option<Open>,
    pub(super) is_delimited: bool,
    /// Sorts the fields, if required.
    pub(super) sorter: Option<&'r mut Sorter>,
}

impl State {
    /// Prepares for a record whose outermost message takes `words` words of bits.
    #[inline]
    pub(super) fn begin(&mut self, partial: bool, max_depth: u32, words: usize) {
        (self.unended, self.is_unsorted, self.partial, self.max_depth) = (0, false, partial, max_depth);
        self.error = (max_depth == 0).then(|| Error::limit(LimitError::Depth(0)));
        self.words = self.words.max(words);
    }
}

impl Record<'_> {
    /// Ends the record, and appends it to the output.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let title = encoder.field::<str>("title")?;
    /// let mut out = b"before".to_vec();
    /// let mut record = encoder.record(&mut out);
    /// record.put(&title, "Dune");
    /// record.put(&title, "Emma");
    /// let error = record.finish().unwrap_err();
    /// assert_eq!(error.to_string(), "library.v1.Book.title: the field is put a second time");
    /// assert_eq!(out, b"before");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value was wrong or incomplete, a required field was not put, messages nest too deeply, or the record is longer than 2
    /// GiB. The output is then unchanged.
    #[inline]
    pub fn finish(mut self) -> Result<()> {
        let mut root = self.root.take().expect("only the outermost record is anyone's own");
        self.end();
        if self.state.unended != 0 && self.state.error.is_none() {
            self.state.error =
                Some(Error::ty("a value is incomplete, because the code that wrote it panicked"));
        }
        let is_good = self.state.error.is_none();
        if let Some(open) = root.length.take()
            && is_good
        {
            self.cursor.close(open);
        }
        let whole;
        (*root.out, whole) = self.cursor.take_or_truncate(root.start, is_good);
        if is_good && whole.is_ok() && !(self.state.is_unsorted && root.sorter.is_some()) {
            return Ok(());
        }
        self.finish_slow(root, whole)
    }

    #[cold]
    #[inline(never)]
    fn finish_slow(&mut self, root: Root<'_>, whole: Result<()>) -> Result<()> {
        let done = match (self.state.error.take(), root.sorter) {
            (Some(error), _) => Err(error),
            (None, Some(sorter)) if whole.is_ok() => {
                let mut bytes = &mut root.out[root.start..];
                if root.is_delimited {
                    let mut reader = Reader::new(bytes);
                    reader.varint()?;
                    let length = reader.position();
                    bytes = &mut bytes[length..];
                }
                sorter.sort(self.table, bytes)
            }
            (None, _) => whole,
        };
        done.map_err(|error| error.in_message(&self.table.full_name))
    }

    /// Ends a message: checks its required fields, and adds the bytes that were written through its cursor to the writer.
    #[inline]
    pub(super) fn end(&mut self) {
        if !self.table.required.is_empty() && !self.state.partial {
            self.check_required();
        }
        self.state.is_unsorted |= self.is_unsorted;
        self.cursor.flush();
    }

    #[cold]
    #[inline(never)]
    fn check_required(&mut self) {
        let is_put = |index: u16| {
            let word = usize::from(index >> 6);
            (self.enabled[word] & !self.open[word]) >> (index & 63) & 1 != 0
        };
        if let Some(&index) = self.table.required.iter().find(|&&index| !is_put(index)) {
            self.fail(Error::required(&self.table.rows[usize::from(index)].name));
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn too_deep(&mut self) {
        self.fail(Error::limit(LimitError::Depth(self.state.max_depth)));
    }

    /// Stores an error for `finish`, unless an earlier error is stored.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, error: Error) {
        self.state.error.get_or_insert(error);
    }
}

impl Drop for Record<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(root) = self.root.take() {
            *root.out = self.cursor.take_or_truncate(root.start, false).0;
        }
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Record").field(&self.table.full_name).finish()
    }
}
