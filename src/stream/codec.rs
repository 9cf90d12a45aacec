//! Reads and writes asynchronous streams in which each message comes after its length, for `tokio_util::codec`.
//!
//! Specification: <https://protobuf.dev/programming-guides/techniques/#streaming>.

use crate::descriptor::MessageDescriptor;
use crate::error::{Error, LimitError, Result, WireError};
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::Encode;
use crate::wire::Reader;
use bytes::{Buf, Bytes, BytesMut};
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use tokio_util::codec::{Decoder, Encoder};

/// The largest number of bytes that a length takes.
const LENGTH: usize = 10;

/// The size of the smallest message whose members of type [`Bytes`] share the buffer. Smaller messages are copied,
/// because a few bytes would keep the whole buffer alive.
const SHARED_FROM: usize = 1024;

/// A codec for [`tokio_util::codec`]. In the stream, each message comes after its length as a varint.
///
/// The codec reads messages of one Rust type, or [dynamic](Self::dynamic) messages of one descriptor. It writes any
/// message that is [`Encode`].
///
/// ```
/// # use tobu::types::StringValue;
/// use tobu::stream::MessageCodec;
/// use tokio_stream::StreamExt;
/// use tokio_util::codec::{Encoder, FramedRead};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), tobu::Error> {
/// let mut codec = MessageCodec::<StringValue>::new();
/// let mut buf = bytes::BytesMut::new();
/// codec.encode(StringValue::from("a"), &mut buf)?;
/// codec.encode(StringValue::from("b"), &mut buf)?;
/// assert_eq!(&buf[..], b"\x03\x0a\x01a\x03\x0a\x01b");
///
/// let mut messages = FramedRead::new(&buf[..], codec);
/// assert_eq!(messages.next().await.unwrap()?.value, "a");
/// assert_eq!(messages.next().await.unwrap()?.value, "b");
/// assert!(messages.next().await.is_none());
/// # Ok(())
/// # }
/// ```
///
/// The sender decides the length of a message. Therefore a message that is longer than the input limit in the
/// [`DecodeOptions`] is an error before the message is buffered. A malformed message is also an error, after which the
/// next message can be read. The path in an error starts with the index of the message. The position in an error counts
/// from the start of the stream.
pub struct MessageCodec<T> {
    encode: EncodeOptions,
    decode: DecodeOptions,
    /// The descriptor of dynamic messages, or `None` for Rust types.
    descriptor: Option<MessageDescriptor>,
    /// The offset of the next byte in the stream.
    offset: usize,
    index: usize,
    message: PhantomData<fn() -> T>,
}

impl<T: Message> MessageCodec<T> {
    /// Creates a codec of messages of a Rust type.
    pub fn new() -> Self {
        Self::of(None)
    }
}

impl<T: Message> Default for MessageCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl MessageCodec<DynamicMessage> {
    /// Creates a codec of messages of a descriptor.
    ///
    /// ```
    /// # use tobu::{Message, types::StringValue};
    /// use tobu::stream::MessageCodec;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut codec = MessageCodec::dynamic(&StringValue::descriptor());
    /// let mut buf = bytes::BytesMut::from(&b"\x03\x0a\x01a\x03"[..]);
    /// let message = codec.decode(&mut buf)?.unwrap();
    /// assert_eq!(message.get_by_name("value")?.as_str(), Some("a"));
    /// assert!(codec.decode(&mut buf)?.is_none(), "there is more to come");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn dynamic(descriptor: &MessageDescriptor) -> Self {
        Self::of(Some(descriptor.clone()))
    }
}

impl<T> MessageCodec<T> {
    fn of(descriptor: Option<MessageDescriptor>) -> Self {
        let (encode, decode) = (EncodeOptions::new(), DecodeOptions::new());
        MessageCodec { encode, decode, descriptor, offset: 0, index: 0, message: PhantomData }
    }

    /// Sets the options of encoding.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// Sets the options of decoding. The limit of the input's size applies to each message.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }

    /// Takes the next message out of the buffer, and decodes it. Returns `None` if the message is incomplete.
    fn take<V>(
        &mut self,
        src: &mut BytesMut,
        from_slice: impl FnOnce(&[u8]) -> Result<V>,
        from_bytes: impl FnOnce(Bytes) -> Result<V>,
    ) -> Result<Option<V>> {
        let index = self.index;
        let Some((size, start)) = self.size(src).map_err(|error| error.in_index(index))? else {
            return Ok(None);
        };
        if src.len() - start < size {
            return Ok(None);
        }
        src.advance(start);
        let position = self.offset + start;
        self.offset = position + size;
        self.index += 1;
        let bytes = src.split_to(size);
        let message = if size < SHARED_FROM { from_slice(&bytes) } else { from_bytes(bytes.freeze()) };
        // Positions count from the start of the stream.
        message.map(Some).map_err(|error| error.shift_bytes(position as u64).in_index(index))
    }

    /// Returns the size of the next message, and how many bytes its length takes. Returns `None` if the length is
    /// incomplete.
    fn size(&self, src: &[u8]) -> Result<Option<(usize, usize)>> {
        let src = src.get(..LENGTH).unwrap_or(src);
        if src.len() < LENGTH && src.iter().all(|byte| *byte >= 0x80) {
            return Ok(None);
        }
        let mut reader = Reader::new(src);
        let size = reader.varint().map_err(|_| Error::wire(WireError::VarintOverflow, self.offset))?;
        let limit = self.decode.max_input();
        match usize::try_from(size) {
            Ok(len) if size <= limit => Ok(Some((len, reader.position()))),
            _ => Err(Error::limit(LimitError::Input { size, limit }).at_byte(self.offset)),
        }
    }

    /// Handles the end of the stream when no complete message remains.
    ///
    /// # Errors
    /// A message is incomplete, or its length is malformed or above the limit.
    fn end<V>(&self, src: &[u8]) -> Result<Option<V>> {
        if src.is_empty() {
            return Ok(None);
        }
        let error = match self.size(src) {
            Ok(None) => Error::wire(WireError::TruncatedVarint, self.offset),
            Ok(Some((wanted, start))) => {
                let cause = WireError::Truncated { wanted: wanted as u64, left: (src.len() - start) as u64 };
                Error::wire(cause, self.offset + start)
            }
            Err(error) => error,
        };
        Err(error.in_index(self.index))
    }
}

impl<T: Message + DeserializeOwned> Decoder for MessageCodec<T> {
    type Item = T;
    type Error = Error;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<T>> {
        let options = self.decode;
        self.take(src, |bytes| options.from_slice(bytes), |bytes| options.from_bytes(&bytes))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<T>> {
        match self.decode(src)? {
            None => self.end(src),
            message => Ok(message),
        }
    }
}

impl Decoder for MessageCodec<DynamicMessage> {
    type Item = DynamicMessage;
    type Error = Error;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<DynamicMessage>> {
        let (Some(descriptor), options) = (self.descriptor.clone(), self.decode) else { return Ok(None) };
        self.take(
            src,
            |bytes| DynamicMessage::decode_with(&descriptor, bytes, options),
            |bytes| DynamicMessage::decode_bytes_with(&descriptor, bytes, options),
        )
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<DynamicMessage>> {
        match self.decode(src)? {
            None => self.end(src),
            message => Ok(message),
        }
    }
}

impl<T, M: Encode> Encoder<M> for MessageCodec<T> {
    type Error = Error;

    fn encode(&mut self, message: M, dst: &mut BytesMut) -> Result<()> {
        self.encode.to_buf_delimited(&message, dst)
    }
}

impl<T> Clone for MessageCodec<T> {
    fn clone(&self) -> Self {
        MessageCodec { descriptor: self.descriptor.clone(), message: PhantomData, ..*self }
    }
}

impl<T> fmt::Debug for MessageCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageCodec")
            .field("encode", &self.encode)
            .field("decode", &self.decode)
            .field("descriptor", &self.descriptor)
            .finish_non_exhaustive()
    }
}
