//! Streams of messages of one type, each after its length.
//!
//! Specification: <https://protobuf.dev/programming-guides/techniques/#streaming>.

use crate::encode::Encode;
use crate::error::{Error, LimitError, Result, WireError};
use crate::message::Message;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::wire::Writer;
use serde::de::DeserializeOwned;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::marker::PhantomData;

/// Writes messages to a stream, each after its length as a varint.
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
    /// A writer of messages to `inner`; give it a buffered one where writes are costly.
    pub fn new(inner: W) -> Self {
        Self::with_options(inner, EncodeOptions::new())
    }

    /// A writer with options.
    pub fn with_options(inner: W, options: EncodeOptions) -> Self {
        MessageWriter { inner, options, buf: Vec::new() }
    }

    /// Writes one message; nothing is written when it cannot be encoded.
    ///
    /// # Errors
    /// As [`to_writer`](crate::to_writer).
    pub fn write<M: Encode + ?Sized>(&mut self, message: &M) -> Result<()> {
        let mut bytes = std::mem::take(&mut self.buf);
        bytes.clear();
        let encoded = self.options.append(message, &mut bytes);
        let written = encoded.and_then(|()| {
            let mut length = Writer::new();
            length.varint(bytes.len() as u64);
            self.inner.write_all(&length.finish()?)?;
            Ok(self.inner.write_all(&bytes)?)
        });
        self.buf = bytes;
        written
    }

    /// Flushes the stream.
    ///
    /// # Errors
    /// Flushing fails.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.inner.flush()?)
    }

    /// The stream.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

/// Reads messages from a stream, each after its length as a varint: an iterator that ends with the stream, or after
/// the first error.
#[derive(Debug)]
pub struct MessageReader<R, T> {
    pub(super) inner: BufReader<R>,
    pub(super) options: DecodeOptions,
    buf: Vec<u8>,
    /// Offset in the stream of the next byte.
    offset: usize,
    done: bool,
    message: PhantomData<fn() -> T>,
}

impl<R: Read, T: Message + DeserializeOwned> MessageReader<R, T> {
    /// A reader of messages from `inner`, which it buffers.
    pub fn new(inner: R) -> Self {
        Self::with_options(inner, DecodeOptions::new())
    }

    /// A reader with options; the limit of the input's size is that of each message.
    pub fn with_options(inner: R, options: DecodeOptions) -> Self {
        let inner = BufReader::new(inner);
        MessageReader { inner, options, buf: Vec::new(), offset: 0, done: false, message: PhantomData }
    }

    /// Reads one message; `None` when the stream ends before it.
    fn read(&mut self) -> Result<Option<T>> {
        let start = self.offset;
        let Some(size) = self.length()? else { return Ok(None) };
        let limit = self.options.max_input();
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }).at_byte(start));
        }
        self.buf.clear();
        let left = (&mut self.inner).take(size).read_to_end(&mut self.buf)? as u64;
        if left < size {
            return Err(Error::wire(WireError::Truncated { wanted: size, left }, self.offset));
        }
        self.offset += self.buf.len();
        self.options.from_slice(&self.buf).map(Some)
    }

    fn length(&mut self) -> Result<Option<u64>> {
        let (mut length, start) = (0u64, self.offset);
        for i in 0..10 {
            let mut byte = [0];
            match self.inner.read_exact(&mut byte) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof && i == 0 => return Ok(None),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Err(Error::wire(WireError::TruncatedVarint, start));
                }
                Err(error) => return Err(error.into()),
            }
            self.offset += 1;
            if i == 9 && byte[0] > 1 {
                break;
            }
            length |= u64::from(byte[0] & 0x7f) << (7 * i);
            if byte[0] < 0x80 {
                return Ok(Some(length));
            }
        }
        Err(Error::wire(WireError::VarintOverflow, start))
    }
}

impl<R: Read, T: Message + DeserializeOwned> Iterator for MessageReader<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.done {
            return None;
        }
        let next = self.read().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}
