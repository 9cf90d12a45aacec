//! Reads described streams.

use std::fmt;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::DeserializeOwned;

use crate::descriptor::{MessageDescriptor, Pool};
use crate::error::{Category, Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::{Message, described};
use crate::stream::described::Options;
use crate::stream::described::entry::{Entry, Type};
use crate::stream::described::frame::{
    Fault, HEADER, Header, Kind, MARKER, Marker, PREFIX, checksum, decompress, read_prefix,
};
use crate::stream::described::schema::Known;
use crate::stream::described::source::Source;
use crate::wire;

/// Reads a stream of messages of any types. The descriptors of the types come from the stream.
///
/// The reader reads each block as a whole, and returns its messages if its checksum is right. It reads no byte beyond
/// the end of the stream, so other data may follow the stream. However, after damage the reader scans for the next
/// block, and may then read beyond the end.
///
/// ```
/// # use tobu::stream::described::{Reader, Writer};
/// # use tobu::types::{Duration, StringValue};
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&StringValue::from("a"))?;
/// writer.write(&Duration::new(1, 0))?;
/// writer.finish()?;
/// let stream = writer.into_inner();
///
/// let mut reader = Reader::new(&stream[..]);
/// while let Some(entry) = reader.next()? {
///     match entry.descriptor().full_name() {
///         "google.protobuf.Duration" => assert_eq!(entry.read::<Duration>()?.seconds, 1),
///         _ => println!("{:?}", entry.to_dynamic()?),
///     }
/// }
/// assert_eq!(reader.count(), 2);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Reader<R> {
    source: Source<R>,
    options: Options,
    marker: Option<Marker>,
    known: Known,
    block: Block,
    /// The decompressed content of a block.
    plain: Vec<u8>,
    /// The number of the next message of the stream.
    next: u64,
    count: u64,
    left_out: LeftOut,
    state: State,
    cut_off: bool,
    /// True if blocks may be missing: after damage, the next block need not continue with the next message.
    gap: bool,
    /// True if types may be missing, because their blocks were skipped after damage.
    incomplete: bool,
    /// The end of the bytes that belong to a block with a wrong checksum. The scan for a block searches these bytes
    /// only once.
    tried: u64,
}

/// The unread part of a block.
#[derive(Default)]
struct Block {
    /// The size of the block in the source. Its bytes are consumed when the block ends.
    size: usize,
    /// The range of the unread content, in the source or in `plain`.
    content: Range<usize>,
    is_plain: bool,
    /// How many messages are unread.
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Ended,
    /// No block can be read at the position of the source. The next block begins at least this number of bytes later.
    Failed(usize),
    /// No block follows.
    Over,
}

/// The amounts of data that were skipped after damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of skipped bytes.
    pub bytes: u64,
    /// The number of skipped messages. Messages in skipped bytes count only if a later block shows their number.
    pub messages: u64,
}

enum Trouble {
    /// The bytes are damaged, but a block may follow.
    Damage(Error),
    Other(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Other(error)
    }
}

impl<R: Read> Reader<R> {
    /// Creates a reader of `inner`. The reader reads whole blocks, so `inner` need not be buffered.
    pub fn new(inner: R) -> Self {
        Self::with_options(inner, Options::new())
    }

    /// Creates a reader with options.
    pub fn with_options(inner: R, options: Options) -> Self {
        Reader {
            source: Source::new(inner),
            options,
            marker: None,
            known: Known::default(),
            block: Block::default(),
            plain: Vec::new(),
            next: 0,
            count: 0,
            left_out: LeftOut::default(),
            state: State::Open,
            cut_off: false,
            gap: false,
            incomplete: false,
            tried: 0,
        }
    }

    /// Returns the next message, which is not decoded yet. Returns `None` at the end of the stream.
    ///
    /// # Errors
    /// Reading fails; the stream is damaged, truncated or exceeds a limit; or its descriptors are not valid. If the reader
    /// cannot continue after an error, it returns the error again until [`resync`](Self::resync) has found another block.
    #[allow(clippy::should_implement_trait, reason = "an entry borrows from its reader")]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>> {
        loop {
            match self.step() {
                Ok(None) => return Ok(None),
                Ok(Some((index, content))) => {
                    self.count += 1;
                    let number = self.next - 1;
                    let known = self.known.types[index].as_ref();
                    let entry =
                        known.map(|ty| Entry::new(ty, number, &self.at_hand()[content], &self.options));
                    return Ok(entry);
                }
                Err(Trouble::Damage(_)) if self.options.skip_damage && self.marker.is_some() => {
                    self.resync()?;
                }
                Err(Trouble::Damage(error) | Trouble::Other(error)) => return Err(error),
            }
        }
    }

    /// Skips unreadable bytes up to the next block. Returns false if there is no next block. Does nothing if `next` did not
    /// fail before, or can continue.
    ///
    /// ```
    /// # use tobu::stream::described::{Options, Reader, Writer};
    /// # use tobu::types::StringValue;
    /// let mut writer = Writer::with_options(Vec::new(), Options::new().block_size(1));
    /// for text in ["a", "b", "c"] {
    ///     writer.write(&StringValue::from(text))?;
    /// }
    /// writer.finish()?;
    /// let mut stream = writer.into_inner();
    /// let b = stream.windows(3).rposition(|bytes| bytes == b"\x0a\x01b").unwrap();
    /// stream[b + 2] = b'?';
    ///
    /// let mut reader = Reader::new(&stream[..]);
    /// assert_eq!(reader.next()?.unwrap().read::<StringValue>()?, StringValue::from("a"));
    /// let error = reader.next().unwrap_err();
    /// assert!(error.to_string().starts_with("a block is damaged (at byte "));
    /// assert!(reader.resync()?);
    /// assert_eq!(reader.next()?.unwrap().read::<StringValue>()?, StringValue::from("c"));
    /// assert_eq!((reader.left_out().bytes, reader.left_out().messages), (53, 1));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Reading fails, or the prefix of the stream could not be read. Without the prefix, no block can be found.
    pub fn resync(&mut self) -> Result<bool> {
        let State::Failed(skip) = self.state else { return Ok(self.state != State::Over) };
        let Some(marker) = self.marker else {
            return Err(self.error("the prefix of the stream is damaged, so no block can be found"));
        };
        let skip = skip.min(self.source.bytes().len());
        self.source.consume(skip);
        self.left_out.bytes += skip as u64;
        // If reading fails, the counts of skipped data must not be lost.
        self.state = State::Failed(0);
        let (bytes, found) = self.source.seek(marker)?;
        self.left_out.bytes += bytes;
        (self.gap, self.incomplete) = (true, true);
        self.state = if found { State::Open } else { State::Over };
        self.cut_off = !found;
        Ok(found)
    }

    /// Returns the types that the stream has declared so far, in the order of their indices. A type is `None` if its
    /// declaration was in a skipped block.
    pub fn types(&self) -> impl ExactSizeIterator<Item = Option<&MessageDescriptor>> {
        self.known.types.iter().map(|ty| ty.as_ref().map(Type::descriptor))
    }

    /// Returns the pool of the types that the stream has declared so far.
    pub fn pool(&self) -> &Pool {
        &self.known.pool
    }

    /// Returns the number of messages that were returned.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the amounts of data that were skipped after damage.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// True if the stream has ended without its end block.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// Returns the stream. If the stream was read completely, its position is after the end block.
    pub fn into_inner(self) -> R {
        self.source.into_inner()
    }

    /// Returns the index of the next message's type, and the position of the message in the content of its block. Returns
    /// `None` at the end of the stream.
    fn step(&mut self) -> Result<Option<(usize, Range<usize>)>, Trouble> {
        while self.block.count == 0 {
            if self.state == State::Ended {
                return Ok(None);
            }
            self.finish_block()?;
            self.open_block()?;
        }
        let Some((index, content)) = frame(&self.at_hand()[self.block.content.clone()]) else {
            return Err(self.drop_block("a message does not fit into its block"));
        };
        let start = self.block.content.start;
        let content = start + content.start..start + content.end;
        self.block.content.start = content.end;
        self.block.count -= 1;
        self.next += 1;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        if self.known.types.get(index).is_some_and(Option::is_some) {
            return Ok(Some((index, content)));
        }
        let text = format!("message {} is of type {index}, which was not declared", self.next - 1);
        self.left_out.messages += 1;
        Err(Trouble::Damage(self.error(text)))
    }

    /// Consumes a block whose messages were read.
    fn finish_block(&mut self) -> Result<(), Trouble> {
        if !self.block.content.is_empty() {
            return Err(self.drop_block("a block goes on after its last message"));
        }
        let block = std::mem::take(&mut self.block);
        self.source.consume(block.size);
        Ok(())
    }

    /// Skips the rest of a block whose checksum is right, but whose content is not valid.
    #[cold]
    fn drop_block(&mut self, text: &'static str) -> Trouble {
        let error = self.error(text);
        let block = std::mem::take(&mut self.block);
        self.next += u64::from(block.count);
        self.left_out.messages += u64::from(block.count);
        self.left_out.bytes += block.content.len() as u64;
        self.source.consume(block.size);
        Trouble::Damage(error)
    }

    /// Reads the next block. Fails if no whole block follows.
    fn open_block(&mut self) -> Result<(), Trouble> {
        let marker = match self.marker {
            Some(marker) => marker,
            None => self.prefix()?,
        };
        if !self.source.fill(HEADER)? {
            return Err(self.end_early());
        }
        if self.source.bytes()[..MARKER] != marker {
            return Err(
                self.fail(1, Fault::Damaged("there is no block at the position where a block should begin"))
            );
        }
        let header = match self.source.header() {
            Ok(header) => header,
            Err(fault) => return Err(self.fail(1, fault)),
        };
        let size = HEADER + header.stored as usize;
        let limits = [header.stored, header.length].map(|size| self.options.check_block(u64::from(size)));
        for checked in limits {
            checked.map_err(|error| self.refuse(HEADER, error))?;
        }
        if !self.source.fill(size)? {
            return Err(self.end_early());
        }
        if checksum(&self.source.bytes()[HEADER..size]) != header.sum {
            // If bytes are missing, the range of this block may contain other blocks, so the scan searches the range. A damaged
            // block in such a range is skipped as a whole, so that no byte is searched twice.
            let is_first = self.source.offset() >= self.tried;
            self.tried = self.tried.max(self.source.offset() + size as u64);
            let skip = if is_first { MARKER } else { size };
            return Err(self.fail(skip, Fault::Damaged("a block is damaged")));
        }
        self.state = State::Open;
        match self.content(header) {
            Ok(()) => self.take(header, size),
            Err(fault) => Err(self.fail(size, fault)),
        }
    }

    fn prefix(&mut self) -> Result<Marker, Trouble> {
        if !self.source.fill(PREFIX)? {
            return Err(self.end_early());
        }
        let mut prefix = [0; PREFIX];
        prefix.copy_from_slice(&self.source.bytes()[..PREFIX]);
        let marker = read_prefix(prefix).map_err(|fault| self.fail(0, fault))?;
        self.source.consume(PREFIX);
        self.marker = Some(marker);
        Ok(marker)
    }

    /// Returns the bytes that contain the content of the block.
    fn at_hand(&self) -> &[u8] {
        if self.block.is_plain { &self.plain } else { self.source.bytes() }
    }

    /// Reads and decompresses the content of a block.
    fn content(&mut self, header: Header) -> Result<(), Fault> {
        let size = HEADER + header.stored as usize;
        self.block = Block { is_plain: header.compression != 0, ..Block::default() };
        match self.block.is_plain {
            true => {
                let stored = &self.source.bytes()[HEADER..size];
                decompress(header.compression, stored, header.length as usize, &mut self.plain)?;
                self.block.content = 0..self.plain.len();
            }
            false if header.length != header.stored => {
                return Err(Fault::Damaged("a block has two lengths"));
            }
            false => self.block.content = HEADER..size,
        }
        Ok(())
    }

    /// Processes a block by its kind. The content of the block is available.
    fn take(&mut self, header: Header, size: usize) -> Result<(), Trouble> {
        let content = std::mem::take(&mut self.block.content);
        let types = self.known.types.len() as u64;
        let (first, expected) = match header.kind {
            Kind::Schema => (header.first, types),
            Kind::Messages | Kind::End => (header.first, self.next),
            Kind::Ancillary => (0, 0),
        };
        if first < expected || first.checked_add(u64::from(header.count)).is_none() {
            return Err(self.fail(size, Fault::Damaged("a block stands where it does not belong")));
        }
        let allowed = if header.kind == Kind::Schema { self.incomplete } else { self.gap };
        if first > expected && !allowed {
            // The block itself is valid, so `resync` finds this block again.
            return Err(self.fail(0, Fault::Damaged("blocks are missing before this one")));
        }
        match header.kind {
            Kind::Schema => {
                let source = if self.block.is_plain { &self.plain[..] } else { self.source.bytes() };
                let added = self.known.add(first, header.count, &source[content], &self.options);
                added.map_err(|error| self.refuse(size, error))?;
            }
            Kind::Messages => {
                self.block = Block { size, content, count: header.count, ..std::mem::take(&mut self.block) };
            }
            Kind::End if u64::from(header.count) != types && !self.incomplete => {
                return Err(self.fail(0, Fault::Damaged("types are missing before the end")));
            }
            Kind::End => self.state = State::Ended,
            Kind::Ancillary => {}
        }
        if matches!(header.kind, Kind::Messages | Kind::End) {
            self.left_out.messages += first - expected;
            self.next = first;
            self.gap = false;
        }
        if self.block.count == 0 {
            self.block.size = size;
        }
        Ok(())
    }

    /// Returns the error for a stream that ends too early.
    #[cold]
    fn end_early(&mut self) -> Trouble {
        let text = format!("the stream is cut off after {} whole messages", self.count);
        let error = self.error(text);
        self.cut_off = true;
        // If bytes before them are missing, the remaining bytes may contain whole blocks.
        match self.source.bytes().len() {
            left if left < HEADER + MARKER || self.marker.is_none() => {
                self.state = State::Over;
                Trouble::Other(error)
            }
            _ => {
                self.state = State::Failed(MARKER);
                Trouble::Damage(error)
            }
        }
    }

    #[cold]
    fn fail(&mut self, skip: usize, fault: Fault) -> Trouble {
        self.block = Block::default();
        self.state = State::Failed(skip);
        match fault {
            Fault::Damaged(text) => Trouble::Damage(self.error(text)),
            Fault::Unknown(text) => Trouble::Other(self.error(text)),
        }
    }

    /// Returns the error for an undamaged block that is rejected.
    #[cold]
    fn refuse(&mut self, skip: usize, error: Error) -> Trouble {
        self.block = Block::default();
        self.state = State::Failed(skip);
        let error = error.nowhere().at_byte(self.source.offset() as usize);
        match self.incomplete && error.category() == Category::Schema {
            // The block may need declarations from skipped blocks.
            true => Trouble::Damage(error),
            false => Trouble::Other(error),
        }
    }

    #[cold]
    fn error(&self, text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        Error::syntax(text).at_byte(self.source.offset() as usize)
    }
}

/// Reads a message of a block. Returns the index of its type, and the range of its bytes.
#[inline]
fn frame(content: &[u8]) -> Option<(u64, Range<usize>)> {
    let mut reader = wire::Reader::new(content);
    let index = reader.varint().ok()?;
    let bytes = reader.len_prefixed().ok()?;
    let end = reader.position();
    Some((index, end - bytes.len()..end))
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reader { count, left_out, state, .. } = self;
        f.debug_struct("Reader")
            .field("count", count)
            .field("left_out", left_out)
            .field("state", state)
            .finish_non_exhaustive()
    }
}

impl<R: Read> Reader<R> {
    /// Returns an iterator over the messages of one Rust type, by its full name. All other messages are skipped.
    ///
    /// ```
    /// # use tobu::stream::described::{Reader, Writer};
    /// # use tobu::types::{Duration, StringValue};
    /// # let mut writer = Writer::new(Vec::new());
    /// # writer.write(&StringValue::from("a"))?;
    /// # writer.write(&Duration::new(1, 0))?;
    /// # writer.finish()?;
    /// # let stream = writer.into_inner();
    /// let mut reader = Reader::new(&stream[..]);
    /// let durations: Vec<Duration> = reader.messages().collect::<Result<_, _>>()?;
    /// assert_eq!(durations, [Duration::new(1, 0)]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn messages<T: Message + DeserializeOwned>(&mut self) -> Messages<'_, R, T> {
        Messages { reader: Some(self), message: PhantomData }
    }

    /// Returns an iterator over all messages.
    pub fn dynamic_messages(&mut self) -> DynamicMessages<'_, R> {
        DynamicMessages { reader: Some(self) }
    }
}

/// An iterator over the messages of one type. It ends with the stream, or after the first error. [`Reader::messages`]
/// returns this iterator.
#[derive(Debug)]
pub struct Messages<'r, R, T> {
    reader: Option<&'r mut Reader<R>>,
    message: PhantomData<fn() -> T>,
}

/// An iterator over all messages. It ends with the stream, or after the first error. [`Reader::dynamic_messages`]
/// returns this iterator.
#[derive(Debug)]
pub struct DynamicMessages<'r, R> {
    reader: Option<&'r mut Reader<R>>,
}

impl<R: Read, T: Message + DeserializeOwned> Messages<'_, R, T> {
    fn read(reader: &mut Reader<R>) -> Result<Option<T>> {
        let wanted = described::<T>().descriptor()?;
        while let Some(entry) = reader.next()? {
            if entry.descriptor().full_name() == wanted.full_name() {
                return entry.read().map(Some);
            }
        }
        Ok(None)
    }
}

impl<R: Read, T: Message + DeserializeOwned> Iterator for Messages<'_, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let next = Self::read(self.reader.as_mut()?).transpose();
        if !matches!(next, Some(Ok(_))) {
            self.reader = None;
        }
        next
    }
}

impl<R: Read> Iterator for DynamicMessages<'_, R> {
    type Item = Result<DynamicMessage>;

    fn next(&mut self) -> Option<Result<DynamicMessage>> {
        let entry = self.reader.as_mut()?.next();
        let next = entry.and_then(|entry| entry.map(|entry| entry.to_dynamic()).transpose()).transpose();
        if !matches!(next, Some(Ok(_))) {
            self.reader = None;
        }
        next
    }
}
