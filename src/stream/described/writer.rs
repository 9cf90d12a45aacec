//! Writes described streams.

use super::Options;
use super::frame::compress;
use super::frame::{Header, Kind, Marker, checksum, prefix};
use super::schema::Declared;
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::{Message, described};
use crate::serde::Schema;
use crate::serde::encode::append_wire;
use crate::table::Tabled;
use crate::wire::{put_varint, varint_len};
use serde::Serialize;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::io::Write;

/// Writes messages of any types to a self-describing stream.
///
/// Messages are gathered in blocks. [`flush`](Self::flush) writes the current block, and [`finish`](Self::finish) ends the
/// stream. If a writer is dropped before `finish`, messages that were gathered after the last block are lost, and the stream
/// counts as truncated.
///
/// ```
/// use tobu::stream::described::{Reader, Writer};
/// use tobu::{Deserialize, Message, Serialize};
///
/// #[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
/// #[tobu(package = "library.v1")]
/// struct Loan {
///     #[tobu(1)]
///     title: String,
/// }
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&Loan { title: "Dune".into() })?;
/// writer.finish()?;
/// let stream = writer.into_inner();
///
/// // Who reads needs no schema,
/// let mut reader = Reader::new(&stream[..]);
/// let entry = reader.next()?.expect("a message");
/// assert_eq!(entry.descriptor().full_name(), "library.v1.Loan");
/// assert_eq!(tobu::json::to_string(&entry.to_dynamic()?)?, r#"{"title":"Dune"}"#);
/// // but may have one.
/// assert_eq!(entry.read::<Loan>()?, Loan { title: "Dune".into() });
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Writer<W> {
    inner: W,
    options: Options,
    marker: Marker,
    declared: Declared,
    /// The number of types in the schema blocks that were written.
    types: u64,
    /// The number of messages in the blocks that were written.
    messages: u64,
    /// The content of the next block. `count` is the number of messages in this content.
    content: Vec<u8>,
    count: u32,
    /// How many bytes the length of the last message took.
    length: usize,
    compressed: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing has been written.
    New,
    Open,
    Finished,
    /// A write failed, and how much was written is unknown.
    Failed,
}

impl<W: Write> Writer<W> {
    /// Creates a writer to `inner`. The writer writes whole blocks, so `inner` need not be buffered.
    pub fn new(inner: W) -> Self {
        Self::with_options(inner, Options::new())
    }

    /// Creates a writer with options.
    pub fn with_options(inner: W, options: Options) -> Self {
        Writer {
            inner,
            marker: options.marker.unwrap_or_else(random_marker),
            options,
            declared: Declared::default(),
            types: 0,
            messages: 0,
            content: Vec::new(),
            count: 0,
            length: 1,
            compressed: Vec::new(),
            state: State::New,
        }
    }

    /// Writes one message. If the message cannot be encoded, writes nothing.
    ///
    /// # Errors
    /// Fails if [`to_writer`](crate::to_writer) would fail, if the stream is finished or already has another message type with
    /// this name, or if the descriptors or the message are larger than the limits.
    pub fn write<T: Message + Serialize>(&mut self, message: &T) -> Result<()> {
        let descriptor = described::<T>().descriptor()?;
        self.push(descriptor, |options, content| options.encode.append(message, content))
    }

    /// Writes one dynamic message.
    ///
    /// # Errors
    /// Fails if [`write`](Self::write) would fail.
    pub fn write_dynamic(&mut self, message: &DynamicMessage) -> Result<()> {
        self.push(message.descriptor(), |options, content| message.append(content, options.encode))
    }

    /// Writes any value that serde can serialize as a message of a schema.
    /// [`MessageDescriptorExt::encode`](crate::MessageDescriptorExt::encode) describes how.
    ///
    /// # Errors
    /// Fails if [`write`](Self::write) or [`MessageDescriptorExt::encode`](crate::MessageDescriptorExt::encode) would
    /// fail.
    pub fn write_value<T: Serialize + ?Sized>(
        &mut self,
        descriptor: &MessageDescriptor,
        value: &T,
    ) -> Result<()> {
        let schema = Schema::Table(descriptor.table()?);
        self.push(descriptor, |options, content| append_wire(schema, value, options.encode, content))
    }

    /// Declares a type before its first message, or a type that occurs only in fields of type `Any`.
    ///
    /// # Errors
    /// The stream is finished, has failed, or already has another message type with this name. Or the descriptors are larger
    /// than the limits.
    pub fn declare(&mut self, descriptor: &MessageDescriptor) -> Result<()> {
        self.check()?;
        self.declared.index(descriptor, &self.options).map(drop)
    }

    /// Writes the gathered messages as a block, and flushes the stream, so that a reader sees all messages that were written
    /// before.
    ///
    /// # Errors
    /// Writing fails or has failed before, or the stream is finished.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.begin()?;
        self.cut()?;
        Ok(self.inner.flush()?)
    }

    /// Writes the gathered messages and the end of the stream, and flushes the stream. After that, nothing can be
    /// written.
    ///
    /// # Errors
    /// Writing fails or has failed before.
    pub fn finish(&mut self) -> Result<()> {
        if self.state == State::Finished {
            return Ok(());
        }
        self.check()?;
        self.begin()?;
        self.cut()?;
        let counts = (self.messages, self.types as u32);
        self.put(Kind::End, counts, Vec::new())?;
        self.state = State::Finished;
        Ok(self.inner.flush()?)
    }

    /// Returns the stream. Messages that were not flushed are lost, and without [`finish`](Self::finish) the stream
    /// counts as truncated.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Returns the number of messages that were written.
    pub fn count(&self) -> u64 {
        self.messages + u64::from(self.count)
    }

    /// Adds a message to the block: the index of its type, its length and its bytes.
    #[inline]
    fn push(
        &mut self,
        descriptor: &MessageDescriptor,
        encode: impl FnOnce(&Options, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        self.check()?;
        let index = self.declared.index(descriptor, &self.options)?;
        let start = self.content.len();
        let done = self.put_message(index, encode);
        match done.and_then(|()| self.options.check_block((self.content.len() - start) as u64)) {
            Ok(()) => self.count += 1,
            Err(error) => {
                self.content.truncate(start);
                return Err(error);
            }
        }
        // A message that does not fit into the block begins another block.
        if start > 0 && self.options.check_block(self.content.len() as u64).is_err() {
            self.cut_at(start)?;
        }
        match self.content.len() >= self.options.block_size as usize || self.count == u32::MAX {
            true => self.cut(),
            false => Ok(()),
        }
    }

    #[inline]
    fn put_message(
        &mut self,
        index: u32,
        encode: impl FnOnce(&Options, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let content = &mut self.content;
        put(content, u64::from(index));
        // The length usually takes as many bytes as the length of the last message.
        let at = content.len();
        let body = at + self.length;
        content.resize(body, 0);
        encode(&self.options, content)?;
        let size = content.len() - body;
        let length = varint_len(size as u64);
        if length != self.length {
            content.resize(content.len() + length.saturating_sub(self.length), 0);
            content.copy_within(body..body + size, at + length);
            content.truncate(at + length + size);
            self.length = length;
        }
        let mut bytes = [0; 10];
        put_varint(&mut bytes, size as u64);
        content[at..at + length].copy_from_slice(&bytes[..length]);
        Ok(())
    }

    /// Writes the messages of the block except for the last one, which starts a new block.
    fn cut_at(&mut self, last: usize) -> Result<()> {
        let rest = self.content.split_off(last);
        self.count -= 1;
        self.cut()?;
        self.content = rest;
        self.count = 1;
        Ok(())
    }

    /// Writes the gathered data as blocks: first the new types, then the messages.
    fn cut(&mut self) -> Result<()> {
        self.begin()?;
        if !self.declared.pending.is_empty() {
            let types = std::mem::take(&mut self.declared.pending_types);
            let content = std::mem::take(&mut self.declared.pending);
            self.put(Kind::Schema, (self.types, types), content)?;
            self.types += u64::from(types);
        }
        if self.count > 0 {
            let content = std::mem::take(&mut self.content);
            self.content = self.put(Kind::Messages, (self.messages, self.count), content)?;
            self.content.clear();
            self.messages += u64::from(self.count);
            self.count = 0;
        }
        Ok(())
    }

    /// Writes the prefix, once.
    fn begin(&mut self) -> Result<()> {
        if self.state == State::New {
            self.state = State::Failed;
            self.inner.write_all(&prefix(self.marker))?;
            self.state = State::Open;
        }
        Ok(())
    }

    /// Writes a block, and returns the buffer of its content.
    fn put(&mut self, kind: Kind, (first, count): (u64, u32), content: Vec<u8>) -> Result<Vec<u8>> {
        self.state = State::Failed;
        let compression = compress(self.options.compression, &content, &mut self.compressed)?;
        let stored = if compression == 0 { &content } else { &self.compressed };
        let header = Header {
            kind,
            compression,
            stored: stored.len() as u32,
            length: content.len() as u32,
            first,
            count,
            sum: checksum(stored),
        };
        self.inner.write_all(&header.encode(self.marker))?;
        self.inner.write_all(stored)?;
        self.state = State::Open;
        Ok(content)
    }

    fn check(&self) -> Result<()> {
        let text = match self.state {
            State::New | State::Open => return Ok(()),
            State::Finished => "the stream is finished",
            State::Failed => "writing the stream has failed before",
        };
        Err(Error::io(std::io::Error::other(text)))
    }
}

/// Returns a marker that cannot be guessed. It comes from the random seed of the standard library's hash tables.
fn random_marker() -> Marker {
    let mut marker = Marker::default();
    marker[..8].copy_from_slice(&RandomState::new().hash_one(0).to_le_bytes());
    marker[8..].copy_from_slice(&RandomState::new().hash_one(1).to_le_bytes());
    marker
}

fn put(content: &mut Vec<u8>, value: u64) {
    let mut bytes = [0; 10];
    let length = put_varint(&mut bytes, value);
    content.extend_from_slice(&bytes[..length]);
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Writer { messages, count, state, .. } = self;
        let messages = messages + u64::from(*count);
        f.debug_struct("Writer").field("messages", &messages).field("state", state).finish_non_exhaustive()
    }
}
