//! Collects messages into record batches.

use crate::bad::{Bad, BadList};
use crate::columns::Columns;
use crate::finish;
use crate::sink::{Halt, Store};
use arrow_array::RecordBatch;
use std::fmt;
use tobu::{Error, Result};
use tobu_schema::error::LimitError;

/// Puts messages into columns, and returns a [`RecordBatch`] when the columns reach the maximum number of rows or bytes.
///
/// Each message becomes a row. A message that cannot be read adds nothing to the batch: [`push`](Self::push) returns the error,
/// or skips the message if you call [`skip_bad`](Self::skip_bad).
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
/// use tobu_arrow::{Batcher, Columns};
///
/// let columns = Columns::new(&Book::descriptor())?;
/// let mut batcher = Batcher::new(&columns).rows(2).skip_bad(10);
/// let mut batches = Vec::new();
/// for message in [&b"\x0a\x04Dune"[..], b"\x0a\x09cut", b"\x0a\x04Emma", b"\x0a\x04Ulla"] {
///     batches.extend(batcher.push(message)?);
/// }
/// batches.extend(batcher.finish()?);
///
/// assert_eq!(batches.iter().map(|batch| batch.num_rows()).collect::<Vec<_>>(), [2, 1]);
/// let bad = batcher.take_bad();
/// assert_eq!((batcher.bad_count(), bad[0].number()), (1, 1));
/// let text = "library.v1.Book.title: length of 9 bytes, but only 3 bytes are left (at byte 2)";
/// assert_eq!(bad[0].error().to_string(), text);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Batcher {
    columns: Columns,
    store: Store,
    rows: usize,
    count: u64,
    /// The bad messages, if they are skipped.
    bad: Option<BadList>,
    /// A full batch that could not be returned, because `push` returned an error. The next call returns it.
    waiting: Option<RecordBatch>,
}

impl Batcher {
    /// Creates a batcher whose batches have at most 8,192 rows and 64 MiB.
    pub fn new(columns: &Columns) -> Self {
        Batcher {
            columns: columns.clone(),
            store: Store::new(columns, 64 << 20),
            rows: 8192,
            count: 0,
            bad: None,
            waiting: None,
        }
    }

    /// Sets the maximum number of rows of a batch. The minimum is one.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        // The offsets of an Arrow list have 31 bits.
        Batcher { rows: rows.clamp(1, i32::MAX as usize), ..self }
    }

    /// Sets the maximum number of bytes that the columns of a batch take, up to 2 GiB. A single message that takes more bytes
    /// is a bad message.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.store.most_bytes = bytes.min(i32::MAX as usize);
        self
    }

    /// Skips messages that cannot be read. All of them are counted. The first `keep` messages, up to 64 MiB, are kept for
    /// [`take_bad`](Self::take_bad).
    #[must_use]
    pub fn skip_bad(self, keep: usize) -> Self {
        Batcher { bad: Some(BadList::new(keep, 64 << 20)), ..self }
    }

    /// Returns the columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the number of rows that the batch has so far.
    pub fn len(&self) -> usize {
        self.store.rows[0]
    }

    /// True if the batch has no rows yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of messages that were skipped.
    pub fn bad_count(&self) -> u64 {
        self.bad.as_ref().map_or(0, |bad| bad.count)
    }

    /// Returns the messages that were skipped and kept since the last call.
    pub fn take_bad(&mut self) -> Vec<Bad> {
        self.bad.as_mut().map(BadList::take).unwrap_or_default()
    }

    /// Adds an encoded message. Returns a batch if the message fills the batch, or if the message did not fit into the batch
    /// and was put into the next one. Also returns a batch that an earlier call did not return because of an error.
    ///
    /// # Errors
    /// Unless bad messages are skipped, fails if the message cannot be read, or takes more bytes than a batch may have. The
    /// message is then in no batch. Also fails if [`finish`](Self::finish) would fail.
    pub fn push(&mut self, message: &[u8]) -> Result<Option<RecordBatch>> {
        self.push_from(message, None)
    }

    /// Adds an encoded message like [`push`](Self::push). `position` is the position of the message in its input. The positions
    /// in errors are then positions in this input.
    ///
    /// # Errors
    /// Fails if [`push`](Self::push) would fail.
    pub fn push_at(&mut self, message: &[u8], position: u64) -> Result<Option<RecordBatch>> {
        self.push_from(message, Some(position))
    }

    fn push_from(&mut self, message: &[u8], position: Option<u64>) -> Result<Option<RecordBatch>> {
        let number = self.count;
        self.count += 1;
        let mut full = self.waiting.take();
        let mut added = self.add(message);
        if let Err(None) = added
            && !self.is_empty()
        {
            full = self.batch()?;
            added = self.add(message);
        }
        if let Err(error) = added {
            let error = error.unwrap_or_else(|| {
                let limit = Error::limit(LimitError::Memory(self.store.most_bytes as u64));
                limit.in_message(self.columns.0.descriptor.full_name())
            });
            let error = error.shift_bytes(position.unwrap_or(0));
            let Some(bad) = &mut self.bad else {
                self.waiting = full;
                return Err(error);
            };
            bad.add(Bad::new(number, position, error), message);
        }
        if self.store.rows[0] >= self.rows { self.batch() } else { Ok(full) }
    }

    /// Returns the last batch, with the messages that are not yet in a batch. Returns `None` if no messages are left.
    ///
    /// # Errors
    /// The Arrow arrays cannot be made, because a value is not valid for its type.
    pub fn finish(&mut self) -> Result<Option<RecordBatch>> {
        match self.waiting.take() {
            Some(batch) => Ok(Some(batch)),
            None => self.batch(),
        }
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        if self.is_empty() {
            return Ok(None);
        }
        let made = finish::batch(&self.columns.0, &mut self.store);
        made.map(Some).map_err(|error| Error::ty(error.to_string()))
    }

    /// Adds a message. Returns `Err(None)` if the message does not fit into the batch.
    fn add(&mut self, message: &[u8]) -> Result<(), Option<Error>> {
        self.store.is_plain = false;
        match self.read(message) {
            Err(Left::Halt(Halt::Odd)) => {}
            Err(Left::Halt(Halt::Full)) => return Err(None),
            Err(Left::Error(error)) => return Err(Some(error)),
            Ok(()) => return Ok(()),
        }
        let columns = &self.columns.0;
        let plain = columns.plan.normalize(message, columns.options.decode).map_err(Some)?;
        self.store.is_plain = true;
        match self.read(&plain) {
            Err(Left::Halt(Halt::Odd)) => {
                let error = Error::ty("an extension is in several parts, which columns do not merge");
                Err(Some(error.in_message(self.columns.0.descriptor.full_name())))
            }
            Err(Left::Halt(Halt::Full)) => Err(None),
            // A position in the newly encoded message means nothing to the caller.
            Err(Left::Error(error)) => Err(Some(error.nowhere())),
            Ok(()) => Ok(()),
        }
    }

    fn read(&mut self, message: &[u8]) -> Result<(), Left> {
        let (columns, store) = (&self.columns.0, &mut self.store);
        let (rows, bytes) = (store.rows[0], store.bytes);
        store.begin_row(message.len(), columns.cost);
        let left = match store.halt {
            Some(halt) => Left::Halt(halt),
            None => match columns.plan.read_with(message, store, columns.options.decode) {
                Ok(true) if !store.has_twin_keys() => return Ok(()),
                Ok(_) => Left::Halt(store.halt.unwrap_or(Halt::Odd)),
                Err(error) => Left::Error(error),
            },
        };
        store.truncate(rows, bytes);
        Err(left)
    }
}

/// The reason why a message was not added.
enum Left {
    Halt(Halt),
    Error(Error),
}

impl fmt::Debug for Batcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut batcher = f.debug_struct("Batcher");
        batcher.field("of", &self.columns.0.descriptor.full_name()).field("rows", &self.len());
        batcher.field("bad", &self.bad_count()).finish()
    }
}
