//! Sources of encoded messages, and an iterator of their batches.

use crate::batcher::Batcher;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
use std::io::{ErrorKind, Read};
use tobu::descriptor::find_breaking;
use tobu::stream::described;
use tobu::{Elements, Error, Limits, MessageDescriptor, Result};
use tobu_schema::error::{LimitError, WireError};

/// A source that returns encoded messages one by one.
///
/// ```
/// use tobu_arrow::source::{Delimited, Source};
///
/// let mut messages = Delimited::new(&b"\x02\x08\x05\x00"[..]);
/// assert_eq!(messages.next()?.unwrap().bytes(), b"\x08\x05");
/// let last = messages.next()?.unwrap();
/// assert_eq!((last.bytes(), last.position()), (&b""[..], Some(4)));
/// assert!(messages.next()?.is_none());
/// # Ok::<(), tobu::Error>(())
/// ```
pub trait Source {
    /// Returns the next message, or `None` after the last message.
    ///
    /// # Errors
    /// The input does not show where the next message begins or ends.
    fn next(&mut self) -> Result<Option<Encoded<'_>>>;
}

/// An encoded message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded<'a> {
    bytes: &'a [u8],
    position: Option<u64>,
}

impl<'a> Encoded<'a> {
    /// Creates a message from its bytes and, if it is known, the position of its first byte in the input.
    pub fn new(bytes: &'a [u8], position: Option<u64>) -> Self {
        Encoded { bytes, position }
    }

    /// Returns the bytes of the message, without a length.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the position of the message in its input, if it is known.
    pub fn position(&self) -> Option<u64> {
        self.position
    }
}

/// An iterator of record batches with the messages of a [`Source`]. An error of the source ends the iterator. An error of a
/// message ends it, too, unless bad messages are [skipped](Batcher::skip_bad). Before the iterator ends, it returns the rows
/// before the error, and then the error.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
/// use tobu_arrow::source::{Batches, Delimited};
/// use tobu_arrow::{Batcher, Columns};
///
/// let columns = Columns::new(&Book::descriptor())?;
/// let file = b"\x06\x0a\x04Dune\x06\x0a\x04Emma\x09";
/// let mut batches = Batches::new(Batcher::new(&columns), Delimited::new(&file[..]));
/// assert_eq!(batches.next().unwrap()?.num_rows(), 2);
/// let error = batches.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "length of 9 bytes, but only 0 bytes are left (at byte 15)");
/// assert!(batches.next().is_none());
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct Batches<S> {
    batcher: Batcher,
    source: S,
    state: State,
}

#[derive(Debug)]
enum State {
    Running,
    Failed(Error),
    Done,
}

impl<S: Source> Batches<S> {
    /// Creates an iterator of the batches that `batcher` makes from the messages of `source`.
    pub fn new(batcher: Batcher, source: S) -> Self {
        Batches { batcher, source, state: State::Running }
    }

    /// Returns the batcher, which has the bad messages.
    pub fn batcher(&mut self) -> &mut Batcher {
        &mut self.batcher
    }

    /// Returns the source.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Converts the iterator to a [`RecordBatchReader`]. Its errors are [external errors](ArrowError::ExternalError).
    pub fn into_reader(self) -> Reader<S> {
        Reader(self)
    }

    fn read(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(message) = self.source.next()? {
            let pushed = match message.position {
                Some(position) => self.batcher.push_at(message.bytes, position),
                None => self.batcher.push(message.bytes),
            };
            if let Some(batch) = pushed? {
                return Ok(Some(batch));
            }
        }
        self.state = State::Done;
        self.batcher.finish()
    }
}

impl<S: Source> Iterator for Batches<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if let State::Running = self.state {
            match self.read() {
                Ok(Some(batch)) => return Some(Ok(batch)),
                Ok(None) => return None,
                Err(error) => self.state = State::Failed(error),
            }
        }
        match self.batcher.finish() {
            Ok(Some(batch)) => return Some(Ok(batch)),
            Ok(None) => {}
            Err(error) => self.state = State::Failed(error),
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Failed(error) => Some(Err(error)),
            _ => None,
        }
    }
}

/// [`Batches`] in the form of a [`RecordBatchReader`].
#[derive(Debug)]
pub struct Reader<S>(Batches<S>);

impl<S: Source> Iterator for Reader<S> {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl<S: Source> RecordBatchReader for Reader<S> {
    fn schema(&self) -> SchemaRef {
        self.0.batcher.columns().schema()
    }
}

/// A source whose messages are the items of an iterator of byte slices.
///
/// ```
/// use tobu_arrow::source::{Slices, Source};
///
/// let mut messages = Slices::new([b"\x08\x01", b"\x08\x02"]);
/// assert_eq!(messages.next()?.unwrap().bytes(), b"\x08\x01");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct Slices<I: Iterator> {
    items: I,
    item: Option<I::Item>,
}

impl<I: Iterator<Item: AsRef<[u8]>>> Slices<I> {
    /// Creates a source from an iterator of byte slices.
    pub fn new(items: impl IntoIterator<IntoIter = I>) -> Self {
        Slices { items: items.into_iter(), item: None }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>> Source for Slices<I> {
    fn next(&mut self) -> Result<Option<Encoded<'_>>> {
        self.item = self.items.next();
        Ok(self.item.as_ref().map(|item| Encoded::new(item.as_ref(), None)))
    }
}

/// A source of messages that have their length before them, as a varint. [`MessageWriter`](tobu::MessageWriter) writes this
/// form.
#[derive(Debug)]
pub struct Delimited<R>(Input<R>);

impl<R: Read> Delimited<R> {
    /// Creates a source that reads a stream. Each message may have up to 2 GiB.
    pub fn new(inner: R) -> Self {
        Delimited(Input::new(inner, 0))
    }

    /// Creates a source that reads a stream. The stream is the part of a larger input that begins at `position`. Positions in
    /// errors are positions in the larger input.
    pub fn at(inner: R, position: u64) -> Self {
        Delimited(Input::new(inner, position))
    }

    /// Sets the limits. Only the maximum size of a message applies.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limit = limits.max_input();
        self
    }

    /// Returns the position of the length before the next message.
    pub fn position(&self) -> u64 {
        self.0.position
    }
}

impl<R: Read> Source for Delimited<R> {
    fn next(&mut self) -> Result<Option<Encoded<'_>>> {
        match self.0.varint()? {
            Some((start, length)) => self.0.message(start, length).map(Some),
            None => Ok(None),
        }
    }
}

/// A source of messages that have their length before them, in four bytes. The first byte is the highest.
///
/// ```
/// use tobu_arrow::source::{LengthPrefixed, Source};
///
/// let mut messages = LengthPrefixed::new(&b"\0\0\0\x02\x08\x05"[..]);
/// assert_eq!(messages.next()?.unwrap().bytes(), b"\x08\x05");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct LengthPrefixed<R> {
    input: Input<R>,
    is_little: bool,
}

impl<R: Read> LengthPrefixed<R> {
    /// Creates a source that reads a stream. Each message may have up to 2 GiB.
    pub fn new(inner: R) -> Self {
        LengthPrefixed { input: Input::new(inner, 0), is_little: false }
    }

    /// Expects the lowest byte of each length first.
    #[must_use]
    pub fn little_endian(self) -> Self {
        LengthPrefixed { is_little: true, ..self }
    }

    /// Sets the limits. Only the maximum size of a message applies.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.input.limit = limits.max_input();
        self
    }
}

impl<R: Read> Source for LengthPrefixed<R> {
    fn next(&mut self) -> Result<Option<Encoded<'_>>> {
        let start = self.input.position;
        let left = self.input.fill(4)?;
        if left == 0 {
            return Ok(None);
        }
        let Some(&bytes) = self.input.rest().first_chunk::<4>() else {
            return Err(truncated(4, left, start));
        };
        self.input.advance(4);
        let length = if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        self.input.message(start, length.into()).map(Some)
    }
}

/// A source of the messages of one type in a [described stream](tobu::stream::described). Messages of other types are skipped.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::{Book, Loan};
/// use tobu::stream::described::{Reader, Writer};
/// use tobu_arrow::source::{Batches, Described};
/// use tobu_arrow::{Batcher, Columns};
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&Book { title: "Dune".into(), ..Book::default() })?;
/// writer.write(&Loan { reader: "Ann".into(), ..Loan::default() })?;
/// writer.finish()?;
/// let stream = writer.into_inner();
///
/// // The type is described by the stream.
/// let books = Described::new(Reader::new(&stream[..]), "library.v1.Book")?;
/// let columns = Columns::new(books.descriptor())?;
/// let mut batches = Batches::new(Batcher::new(&columns), books);
/// assert_eq!(batches.next().unwrap()?.num_rows(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct Described<R> {
    reader: described::Reader<R>,
    descriptor: MessageDescriptor,
    /// The descriptor of the last message. It is compatible with `descriptor`.
    checked: MessageDescriptor,
    message: Vec<u8>,
    /// True until `next` returns the first message, if `new` has read this message to find its descriptor.
    is_first: bool,
}

impl<R: Read> Described<R> {
    /// Creates a source for the type with this full name. The stream must describe the type: the source uses the descriptor of
    /// the first message of the type.
    ///
    /// # Errors
    /// The stream cannot be read up to the first message of the type, or has no message of the type.
    pub fn new(mut reader: described::Reader<R>, name: &str) -> Result<Self> {
        while let Some(entry) = reader.next()? {
            if entry.descriptor().full_name() == name {
                let (descriptor, message) = (entry.descriptor().clone(), entry.bytes().to_vec());
                return Ok(Described {
                    reader,
                    checked: descriptor.clone(),
                    descriptor,
                    message,
                    is_first: true,
                });
            }
        }
        Err(Error::schema(format!("the stream has no message {name}")))
    }

    /// Creates a source for a type whose descriptor is known. The messages in the stream may have been written with an older or
    /// newer descriptor, if the two descriptors are compatible.
    pub fn known(reader: described::Reader<R>, descriptor: &MessageDescriptor) -> Self {
        let (descriptor, checked) = (descriptor.clone(), descriptor.clone());
        Described { reader, descriptor, checked, message: Vec::new(), is_first: false }
    }

    /// Returns the message type.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Returns the reader of the stream, which counts damaged parts.
    pub fn reader(&self) -> &described::Reader<R> {
        &self.reader
    }

    /// Reads the next message of the type. Returns false at the end of the stream.
    fn advance(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.is_first) {
            return Ok(true);
        }
        while let Some(entry) = self.reader.next()? {
            let descriptor = entry.descriptor();
            if descriptor.full_name() != self.descriptor.full_name() {
                continue;
            }
            if *descriptor != self.checked {
                if let Some(difference) = find_breaking(descriptor, &self.descriptor) {
                    return Err(Error::schema(difference).in_message(self.descriptor.full_name()));
                }
                self.checked = descriptor.clone();
            }
            self.message.clear();
            self.message.extend_from_slice(entry.bytes());
            return Ok(true);
        }
        Ok(false)
    }
}

impl<R: Read> Source for Described<R> {
    fn next(&mut self) -> Result<Option<Encoded<'_>>> {
        Ok(self.advance()?.then(|| Encoded::new(&self.message, None)))
    }
}

/// A source of the elements of one repeated message field. It reads a message that may be too large for memory.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Shelf;
/// use tobu::Message;
/// use tobu_arrow::source::{Batches, ElementsOf};
/// use tobu_arrow::{Batcher, Columns};
///
/// let file = b"\x0a\x01A\x1a\x06\x0a\x04Dune\x1a\x06\x0a\x04Emma";
/// let books = ElementsOf::new(&file[..], &Shelf::descriptor(), "books")?;
/// let columns = Columns::new(books.descriptor())?;
/// let mut batches = Batches::new(Batcher::new(&columns), books);
/// assert_eq!(batches.next().unwrap()?.num_rows(), 2);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct ElementsOf<R> {
    elements: Elements<R, Bytes>,
    descriptor: MessageDescriptor,
    element: Bytes,
}

impl<R: Read> ElementsOf<R> {
    /// Creates a source for the field at a path. The path may lead through single messages.
    ///
    /// # Errors
    /// The path does not lead to a repeated message field or a map.
    pub fn new(inner: R, message: &MessageDescriptor, path: &str) -> Result<Self> {
        let elements = Elements::new(inner, message, path)?;
        let mut field = None;
        let mut within = Some(message.clone());
        for name in path.split('.') {
            field = within
                .as_ref()
                .and_then(|message| message.field_by_name(name).or_else(|| message.field_by_json_name(name)));
            within = field.as_ref().and_then(|field| field.message_type());
        }
        match within {
            Some(descriptor) => Ok(ElementsOf { elements, descriptor, element: Bytes::new() }),
            None => {
                let name = field.map_or_else(|| path.to_owned(), |field| field.full_name().to_owned());
                Err(Error::schema(format!("the elements of {name} are not messages")))
            }
        }
    }

    /// Returns the message type of the elements. For a map, this is the type of its entries.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }
}

impl<R: Read> Source for ElementsOf<R> {
    fn next(&mut self) -> Result<Option<Encoded<'_>>> {
        match self.elements.next().transpose()? {
            Some(element) => {
                self.element = element;
                Ok(Some(Encoded::new(&self.element, None)))
            }
            None => Ok(None),
        }
    }
}

/// A stream with a buffer for the next bytes.
#[derive(Debug)]
struct Input<R> {
    inner: R,
    buffer: Vec<u8>,
    /// The range of the buffer that is not yet consumed.
    start: usize,
    end: usize,
    /// The position of the start of this range in the stream.
    position: u64,
    limit: u64,
}

const BUFFER: usize = 256 << 10;

impl<R: Read> Input<R> {
    fn new(inner: R, position: u64) -> Self {
        let limit = Limits::default().max_input();
        Input { inner, buffer: Vec::new(), start: 0, end: 0, position, limit }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn advance(&mut self, count: usize) {
        self.start += count;
        self.position += count as u64;
    }

    /// Reads until the buffer has `wanted` bytes, or the stream ends, and returns the number of bytes in the buffer. The buffer
    /// grows while bytes are read, so a wrong length cannot reserve much memory.
    fn fill(&mut self, wanted: usize) -> Result<usize> {
        while self.end - self.start < wanted {
            if self.end == self.buffer.len() || self.start > 0 && self.start == self.end {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
                if self.end == self.buffer.len() {
                    let len = (2 * self.buffer.len()).max(BUFFER);
                    self.buffer.resize(len, 0);
                }
            }
            match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.end - self.start)
    }

    /// Reads a length, and returns its position and its value. Returns `None` at the end of the stream.
    fn varint(&mut self) -> Result<Option<(u64, u64)>> {
        let start = self.position;
        let mut length = 0u64;
        for index in 0..10 {
            if self.start == self.end && self.fill(1)? == 0 {
                return match index {
                    0 => Ok(None),
                    _ => Err(Error::wire(WireError::TruncatedVarint, start as usize)),
                };
            }
            let byte = self.buffer[self.start];
            self.advance(1);
            if index == 9 && byte > 1 {
                break;
            }
            length |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok(Some((start, length)));
            }
        }
        Err(Error::wire(WireError::VarintOverflow, start as usize))
    }

    /// Reads a message of `length` bytes. `start` is the position of its length.
    fn message(&mut self, start: u64, length: u64) -> Result<Encoded<'_>> {
        if length > self.limit {
            let error = LimitError::Input { size: length, limit: self.limit };
            return Err(Error::limit(error).at_byte(start as usize));
        }
        let (wanted, position) = (length as usize, self.position);
        let left = self.fill(wanted)?;
        if left < wanted {
            return Err(truncated(length, left, position));
        }
        let from = self.start;
        self.advance(wanted);
        Ok(Encoded::new(&self.buffer[from..from + wanted], Some(position)))
    }
}

#[cold]
fn truncated(wanted: u64, left: usize, at: u64) -> Error {
    Error::wire(WireError::Truncated { wanted, left: left as u64 }, at as usize)
}
