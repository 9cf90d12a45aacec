//! The public functions of the wire format, with default options.

pub(crate) mod copy;

pub(crate) mod dynamic;
mod parsed;

mod decode;
mod descriptor;
mod reflect;

pub(crate) use self::decode::delimited;
pub use self::descriptor::{ExtensionDescriptorExt, MessageDescriptorExt, OptionsExt};
use crate::error::Result;
use crate::message::projection::Decoding;
use crate::message::{Merge, Message};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::Encode;
use bytes::{Buf, BufMut, Bytes};
pub use decode::ProjectedOptions;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};

/// Encodes a message to the wire format.
///
/// ```
/// # use tobu::{Message, Serialize};
/// #[derive(Message, Serialize)]
/// struct Point {
///     #[tobu(1, sint32)]
///     x: i32,
///     #[tobu(2, sint32)]
///     y: i32,
/// }
///
/// assert_eq!(tobu::to_vec(&Point { x: -1, y: 0 })?, [0x08, 0x01]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// A required field has no value, messages nest deeper than 100 levels, a length exceeds 2 GiB, or the type and its
/// schema do not fit together.
#[inline]
pub fn to_vec<M: Encode + ?Sized>(message: &M) -> Result<Vec<u8>> {
    message.to_wire(const { &EncodeOptions::DEFAULT })
}

/// Encodes a message and writes it to a stream, without a length prefix.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut file = Vec::new();
/// tobu::to_writer(&StringValue::from("hi"), &mut file)?;
/// assert_eq!(file, b"\x0a\x02hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The function calls the writer once, with `write_all`. Like [`to_buf`], it encodes into a buffer that the thread keeps. To
/// write many messages to one stream, use [`MessageWriter`](crate::MessageWriter).
///
/// # Errors
/// Fails if [`to_vec`] would fail, or if writing fails.
pub fn to_writer<M: Encode + ?Sized>(message: &M, writer: impl Write) -> Result<()> {
    EncodeOptions::new().to_writer(message, writer)
}

/// Encodes a message and appends it to a buffer. On an error the buffer is unchanged.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut buf = bytes::BytesMut::new();
/// tobu::to_buf(&StringValue::from("hi"), &mut buf)?;
/// assert_eq!(&buf[..], b"\x0a\x02hi");
///
/// let mut small = [0; 3];
/// let error = tobu::to_buf(&StringValue::from("hi"), &mut &mut small[..]).unwrap_err();
/// assert_eq!(error.to_string(), "the buffer has room for 3 bytes, but the message takes 4");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The message is encoded into a buffer that the thread keeps, and then copied to `buf`. Memory is allocated only if one of
/// these buffers grows. The thread does not keep a buffer of more than 64 KiB. To encode into a `Vec<u8>` without the copy, use
/// [`EncodeOptions::append`].
///
/// # Errors
/// Fails if [`to_vec`] would fail, or if the buffer has less room than the message takes.
pub fn to_buf<M: Encode + ?Sized>(message: &M, buf: &mut impl BufMut) -> Result<()> {
    EncodeOptions::new().to_buf(message, buf)
}

/// Encodes a message and appends it to a buffer, with its length as a varint before it. On an error the buffer is unchanged.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut buf = Vec::new();
/// tobu::to_buf_delimited(&StringValue::from("hi"), &mut buf)?;
/// assert_eq!(buf, b"\x04\x0a\x02hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// To write many messages to a stream, use [`MessageWriter`](crate::MessageWriter).
///
/// Specification: <https://protobuf.dev/programming-guides/techniques/#streaming>.
///
/// # Errors
/// Fails if [`to_buf`] would fail.
pub fn to_buf_delimited<M: Encode + ?Sized>(message: &M, buf: &mut impl BufMut) -> Result<()> {
    EncodeOptions::new().to_buf_delimited(message, buf)
}

/// Returns the number of bytes of a message in the wire format.
///
/// ```
/// # use tobu::types::StringValue;
/// assert_eq!(tobu::encoded_len(&StringValue::from("hi"))?, 4);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_vec`] would fail.
pub fn encoded_len<M: Encode + ?Sized>(message: &M) -> Result<usize> {
    EncodeOptions::new().encoded_len(message)
}

/// Decodes a message from the wire format. Members such as `&str` borrow from `bytes`.
///
/// ```
/// # use tobu::{Deserialize, Message};
/// #[derive(Debug, PartialEq, Message, Deserialize)]
/// struct Tag<'a> {
///     #[tobu(1)]
///     name: &'a str,
/// }
///
/// assert_eq!(tobu::from_slice::<Tag>(b"\x0a\x03new")?, Tag { name: "new" });
///
/// let error = tobu::from_slice::<Tag>(b"\x0a\x03ne").unwrap_err();
/// assert_eq!(error.to_string(), "Tag.name: length of 3 bytes, but only 2 bytes are left (at byte 2)");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The bytes are malformed or exceed one of the default [`Limits`](crate::Limits), a required field is missing, or the
/// type and its schema do not fit together.
#[inline]
pub fn from_slice<'de, T: Message + Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Decoding::DEFAULT.read_message(bytes, None)
}

/// Decodes a message from shared bytes. Members of type [`Bytes`] share the input instead of copying it.
///
/// ```
/// # use tobu::{Deserialize, Message};
/// #[derive(Message, Deserialize)]
/// struct Picture {
///     #[tobu(1)]
///     pixels: bytes::Bytes,
/// }
///
/// let input = bytes::Bytes::from_static(b"\x0a\x03rgb");
/// let picture: Picture = tobu::from_bytes(&input)?;
/// assert_eq!(picture.pixels.as_ptr(), input[2..].as_ptr(), "nothing was copied");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail.
pub fn from_bytes<T: Message + DeserializeOwned>(bytes: &Bytes) -> Result<T> {
    DecodeOptions::new().from_bytes(bytes)
}

/// Decodes a message from all remaining bytes of a buffer.
///
/// ```
/// use bytes::Buf;
/// # use tobu::types::StringValue;
/// let two = b"\x0a\x01".chain(&b"h"[..]);
/// assert_eq!(tobu::from_buf::<StringValue>(two)?.value, "h");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A buffer that is a single slice is not copied.
///
/// # Errors
/// Fails if [`from_slice`] would fail.
pub fn from_buf<T: Message + DeserializeOwned>(buf: impl Buf) -> Result<T> {
    DecodeOptions::new().from_buf(buf)
}

/// Decodes a message that has its length before it, as [`to_buf_delimited`] writes it. The buffer advances past the message.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut buf: &[u8] = b"\x03\x0a\x01h\x00";
/// assert_eq!(tobu::from_buf_delimited::<StringValue>(&mut buf)?.value, "h");
/// assert_eq!(tobu::from_buf_delimited::<StringValue>(&mut buf)?.value, "");
/// assert_eq!(buf, b"");
///
/// let error = tobu::from_buf_delimited::<StringValue>(&b"\x03\x0a"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "length of 3 bytes, but only 1 bytes are left (at byte 1)");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail, if the buffer has no complete length, or if it has fewer bytes than the length says.
pub fn from_buf_delimited<T: Message + DeserializeOwned>(buf: impl Buf) -> Result<T> {
    DecodeOptions::new().from_buf_delimited(buf)
}

/// Reads a stream to its end and decodes the bytes as one message.
///
/// ```
/// # use tobu::types::StringValue;
/// let file: &[u8] = b"\x0a\x02hi";
/// assert_eq!(tobu::from_reader::<StringValue>(file)?.value, "hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail, or if reading fails.
pub fn from_reader<T: Message + DeserializeOwned>(reader: impl Read) -> Result<T> {
    DecodeOptions::new().from_reader(reader)
}

/// Decodes into an existing message. Replaces the content of the message, and reuses its allocations if possible. On an error
/// the message is empty, unless its type and its schema do not fit together.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut message = StringValue::from("something long");
/// tobu::from_slice_in_place(&mut message, b"\x0a\x02hi")?;
/// assert_eq!(message.value, "hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail.
pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(message: &mut T, bytes: &'de [u8]) -> Result<()> {
    DecodeOptions::new().from_slice_in_place(message, bytes)
}

/// Merges encoded fields into a message: scalars are replaced, messages are merged, lists and maps grow. On an error
/// the message is unchanged.
///
/// ```
/// # use tobu::{Deserialize, Message};
/// #[derive(Debug, PartialEq, Message, Deserialize)]
/// struct Cart {
///     #[tobu(1)]
///     owner: String,
///     #[tobu(2)]
///     items: Vec<u32>,
/// }
///
/// let mut cart = Cart { owner: "ann".into(), items: vec![1] };
/// tobu::merge(&mut cart, b"\x10\x02\x10\x03")?;
/// assert_eq!(cart, Cart { owner: "ann".into(), items: vec![1, 2, 3] });
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/encoding/#last-one-wins>.
///
/// # Errors
/// Fails if [`from_slice`] would fail, but does not check required fields.
pub fn merge<'de, T: Message + Merge<'de>>(message: &mut T, bytes: &'de [u8]) -> Result<()> {
    DecodeOptions::new().merge(message, bytes)
}
