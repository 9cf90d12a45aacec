//! Reads and writes streams in which each message comes after its length.
//!
//! Specification: <https://protobuf.dev/programming-guides/techniques/#streaming>.

use super::frames::Frames;
use crate::descriptor::MessageDescriptor;
use crate::error::{Category, Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::{Merge, Message};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::Encode;
use crate::wire::put_varint;
use serde::Deserialize;
use serde::de::DeserializeOwned;
#[cfg(feature = "streams")]
use std::io::BufReader;
use std::io::{Read, Write};
use std::marker::PhantomData;

/// The largest number of bytes that a length takes.
const LENGTH: usize = 10;

/// Writes messages to a stream, each after its length as a varint. A message can be typed, dynamic, or a `dyn Reflect`.
///
/// ```
/// use tobu::{Deserialize, Message, MessageReader, MessageWriter, Serialize};
///
/// #[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
/// struct Line {
///     #[tobu(1)]
///     text: String,
/// }
///
/// let mut writer = MessageWriter::new(Vec::new());
/// for text in ["a", "", "b"] {
///     writer.write(&Line { text: text.into() })?;
/// }
/// let stream = writer.into_inner();
/// assert_eq!(stream, b"\x03\x0a\x01a\x00\x03\x0a\x01b");
///
/// let lines: Vec<Line> = MessageReader::new(&stream[..]).collect::<Result<_, _>>()?;
/// assert_eq!(lines[2].text, "b");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct MessageWriter<W> {
    inner: W,
    options: EncodeOptions,
    buf: Vec<u8>,
}

impl<W: Write> MessageWriter<W> {
    /// Creates a writer of messages to `inner`. The writer calls `write_all` once per message, so use a buffered
    /// `inner` if writes are costly.
    pub fn new(inner: W) -> Self {
        Self::with_options(inner, EncodeOptions::new())
    }

    /// Creates a writer with options.
    pub fn with_options(inner: W, options: EncodeOptions) -> Self {
        MessageWriter { inner, options, buf: Vec::new() }
    }

    /// Writes one message. If the message cannot be encoded, writes nothing.
    ///
    /// # Errors
    /// Fails if [`to_writer`](crate::to_writer) would fail.
    pub fn write<M: Encode + ?Sized>(&mut self, message: &M) -> Result<()> {
        self.buf.clear();
        self.buf.resize(LENGTH, 0);
        self.options.append(message, &mut self.buf)?;
        let mut length = [0; LENGTH];
        let taken = put_varint(&mut length, (self.buf.len() - LENGTH) as u64);
        let start = LENGTH - taken;
        self.buf[start..LENGTH].copy_from_slice(&length[..taken]);
        Ok(self.inner.write_all(&self.buf[start..])?)
    }

    /// Flushes the stream.
    ///
    /// # Errors
    /// Flushing fails.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.inner.flush()?)
    }
}

impl<W> MessageWriter<W> {
    /// Returns a reference to the stream.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns a mutable reference to the stream. Bytes that you write to it come between two messages.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the stream.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

/// Reads messages from a stream, each after its length as a varint. The reader is an iterator that ends with the
/// stream, or after the first error.
///
/// The messages have a Rust type, or are [dynamic](Self::dynamic) messages of a descriptor.
/// [`read_into`](Self::read_into) reuses one message, [`next_view`](Self::next_view) returns messages that borrow from
/// the buffer of the reader, and [`next_bytes`](Self::next_bytes) returns encoded messages. After an error, all of
/// these methods report the end of the stream. The path in an error starts with the index of the message. The position
/// in an error counts from the start of the stream.
///
/// ```
/// # use tobu::types::StringValue;
/// use tobu::MessageReader;
///
/// let stream = b"\x03\x0a\x01a\x00\x03\x0a\x01";
/// let mut reader = MessageReader::<_, StringValue>::new(&stream[..]);
/// assert_eq!(reader.next().unwrap()?.value, "a");
/// assert_eq!(reader.next().unwrap()?.value, "");
/// let error = reader.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "[2]: length of 3 bytes, but only 2 bytes are left (at byte 6)");
/// assert!(reader.next().is_none());
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct MessageReader<R, T> {
    frames: Frames<R>,
    options: DecodeOptions,
    index: usize,
    /// True if there was an error, or the stream ended.
    done: bool,
    /// The descriptor of dynamic messages, or `None` for Rust types.
    descriptor: Option<MessageDescriptor>,
    message: PhantomData<fn() -> T>,
}

impl<R: Read, T: Message> MessageReader<R, T> {
    /// Creates a reader of messages from `inner`, which the reader buffers.
    pub fn new(inner: R) -> Self {
        Self::with_options(inner, DecodeOptions::new())
    }

    /// Creates a reader with options. The limit of the input's size applies to each message.
    pub fn with_options(inner: R, options: DecodeOptions) -> Self {
        Self::of(inner, options, None)
    }

    /// Reads the next message into `message`: replaces its content, and reuses its allocations where possible. Returns
    /// false if the stream has ended; the message is then unchanged. If the bytes are malformed, the message is empty
    /// after the error.
    ///
    /// ```
    /// # use tobu::types::StringValue;
    /// use tobu::MessageReader;
    ///
    /// let mut reader = MessageReader::new(&b"\x03\x0a\x01a\x04\x0a\x02bc"[..]);
    /// let (mut message, mut all) = (StringValue::default(), String::new());
    /// while reader.read_into(&mut message)? {
    ///     all += &message.value;
    /// }
    /// assert_eq!(all, "abc");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`from_slice`](crate::from_slice) would fail, if reading fails, or if the stream ends inside a
    /// message.
    pub fn read_into(&mut self, message: &mut T) -> Result<bool>
    where
        T: for<'de> Merge<'de>,
    {
        let options = self.options;
        self.next_with(|bytes| options.from_slice_in_place(message, bytes)).map(|read| read.is_some())
    }
}

impl<R: Read> MessageReader<R, DynamicMessage> {
    /// Creates a reader of messages of a descriptor from `inner`, which the reader buffers.
    ///
    /// ```
    /// # use tobu::{Message, types::StringValue};
    /// use tobu::MessageReader;
    ///
    /// let descriptor = StringValue::descriptor();
    /// for message in MessageReader::dynamic(&b"\x03\x0a\x01a"[..], &descriptor) {
    ///     assert_eq!(message?.get_by_name("value")?.as_str(), Some("a"));
    /// }
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn dynamic(inner: R, descriptor: &MessageDescriptor) -> Self {
        Self::dynamic_with_options(inner, descriptor, DecodeOptions::new())
    }

    /// Creates a reader of messages of a descriptor, with options. The limit of the input's size applies to each
    /// message.
    pub fn dynamic_with_options(inner: R, descriptor: &MessageDescriptor, options: DecodeOptions) -> Self {
        Self::of(inner, options, Some(descriptor.clone()))
    }
}

impl<R: Read, T> MessageReader<R, T> {
    fn of(inner: R, options: DecodeOptions, descriptor: Option<MessageDescriptor>) -> Self {
        let frames = Frames::new(inner);
        MessageReader { frames, options, index: 0, done: false, descriptor, message: PhantomData }
    }

    /// Returns the bytes of the next message, in the buffer of the reader. Returns `None` if the stream has ended.
    ///
    /// ```
    /// # use tobu::types::StringValue;
    /// use tobu::MessageReader;
    ///
    /// let mut reader = MessageReader::<_, StringValue>::new(&b"\x03\x0a\x01a\x00"[..]);
    /// assert_eq!(reader.next_bytes()?, Some(&b"\x0a\x01a"[..]));
    /// assert_eq!(reader.next_bytes()?, Some(&b""[..]));
    /// assert_eq!(reader.next_bytes()?, None);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Reading fails, the length of the message is malformed or above the limit, or the stream ends inside the message.
    pub fn next_bytes(&mut self) -> Result<Option<&[u8]>> {
        self.next_with(Ok)
    }

    /// Returns the next message, which borrows from the buffer of the reader until another message is read. Returns
    /// `None` if the stream has ended.
    ///
    /// ```
    /// use tobu::{Deserialize, Message, MessageReader};
    ///
    /// #[derive(Message, Deserialize)]
    /// struct Line<'a> {
    ///     #[tobu(1)]
    ///     text: &'a str,
    /// }
    ///
    /// let mut reader = MessageReader::<_, Line<'_>>::new(&b"\x03\x0a\x01a\x04\x0a\x02bc"[..]);
    /// let mut all = String::new();
    /// while let Some(line) = reader.next_view::<Line<'_>>()? {
    ///     all += line.text;
    /// }
    /// assert_eq!(all, "abc");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`from_slice`](crate::from_slice) would fail, if reading fails, or if the stream ends inside a
    /// message.
    pub fn next_view<'a, V: Message + Deserialize<'a>>(&'a mut self) -> Result<Option<V>> {
        let options = self.options;
        self.next_with(|bytes| options.from_slice(bytes))
    }

    /// Decodes the bytes of the next message. Returns `None` at the end of the stream, and after an error.
    fn next_with<'a, V>(&'a mut self, decode: impl FnOnce(&'a [u8]) -> Result<V>) -> Result<Option<V>> {
        if self.done {
            return Ok(None);
        }
        let (index, next) = (self.index, self.frames.next(self.options.max_input()));
        let next = match next {
            // Positions count from the start of the stream.
            Ok(Some((bytes, start))) => decode(bytes).map(Some).map_err(|error| error.shift_bytes(start)),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        self.index += 1;
        self.done = !matches!(next, Ok(Some(_)));
        next.map_err(|error| of_message(index, error))
    }

    /// Returns the rest of the stream, and the options.
    #[cfg(feature = "streams")]
    pub(super) fn into_rest(self) -> (BufReader<R>, DecodeOptions) {
        (self.frames.into_rest(), self.options)
    }
}

/// Adds the index of the message to an error, unless the stream itself failed.
#[cold]
pub(super) fn of_message(index: usize, error: Error) -> Error {
    if error.category() == Category::Io { error } else { error.in_index(index) }
}

impl<R, T> MessageReader<R, T> {
    /// Returns a reference to the stream. The reader may have read more than the returned messages. The rest of the
    /// bytes that it has read is in [`buffer`](Self::buffer).
    pub fn get_ref(&self) -> &R {
        self.frames.inner().get_ref()
    }

    /// Returns a mutable reference to the stream. If you read bytes from the stream directly, the reader misses these
    /// bytes.
    pub fn get_mut(&mut self) -> &mut R {
        self.frames.inner_mut().get_mut()
    }

    /// Returns the bytes that were read from the stream after the last message that was returned.
    ///
    /// ```
    /// # use tobu::types::StringValue;
    /// use tobu::MessageReader;
    ///
    /// let mut reader = MessageReader::<_, StringValue>::new(&b"\x03\x0a\x01a\x00"[..]);
    /// assert_eq!(reader.next().unwrap()?.value, "a");
    /// assert_eq!(reader.buffer(), b"\x00");
    /// assert_eq!(reader.into_inner(), b"");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn buffer(&self) -> &[u8] {
        self.frames.buffer()
    }

    /// Returns the stream, without the bytes in [`buffer`](Self::buffer).
    pub fn into_inner(self) -> R {
        self.frames.into_inner()
    }
}

/// The types of a reader's items. The trait allows a single impl of `Iterator`, so the compiler can infer the type of
/// the items.
pub trait FromReader: Sized {
    /// Returns the next message, or `None` if the stream has ended.
    ///
    /// # Errors
    /// Fails if [`MessageReader::next_view`] would fail.
    fn next_from<R: Read>(reader: &mut MessageReader<R, Self>) -> Result<Option<Self>>;
}

impl<T: Message + DeserializeOwned> FromReader for T {
    fn next_from<R: Read>(reader: &mut MessageReader<R, Self>) -> Result<Option<Self>> {
        reader.next_view()
    }
}

impl FromReader for DynamicMessage {
    fn next_from<R: Read>(reader: &mut MessageReader<R, Self>) -> Result<Option<Self>> {
        let (Some(descriptor), options) = (reader.descriptor.clone(), reader.options) else {
            return Ok(None);
        };
        reader.next_with(|bytes| DynamicMessage::decode_with(&descriptor, bytes, options))
    }
}

impl<R: Read, T: FromReader> Iterator for MessageReader<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        T::next_from(self).transpose()
    }
}
