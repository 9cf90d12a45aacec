//! Decoding where the defaults do not serve.

use crate::codec::wire::Mode;
use crate::error::{Error, LimitError, Result, WireError};
use crate::layout::{Member, ShapeFn};
use crate::message::{Merge, Message, described};
use crate::object::{RootMut, TypedMut, unmakable};
use crate::options::DecodeOptions;
use crate::projection::Decoding;
use crate::serde::{Input, Schema, read, read_direct};
use crate::wire::Reader;
use bytes::buf::Take;
use bytes::{Buf, Bytes};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::Read;

impl DecodeOptions {
    /// Decodes a message.
    ///
    /// # Errors
    /// The bytes are malformed or exceed a limit, a required field is missing, or the type and its schema do not fit
    /// together.
    #[inline]
    pub fn from_slice<'de, T: Message + Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.whole().read_message(bytes, None)
    }

    /// Decodes a message from shared bytes: members of type [`Bytes`] share them instead of copying.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        self.whole().read_message(bytes, Some(bytes))
    }

    /// Decodes a message from all that is left in a buffer. One that is a single slice is not copied.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_buf<T: Message + DeserializeOwned>(&self, mut buf: impl Buf) -> Result<T> {
        let size = buf.remaining();
        self.check_input(size).map_err(|error| self.whole().name(error, Some(T::shape)))?;
        if buf.chunk().len() < size {
            return self.from_slice(&buf.copy_to_bytes(size));
        }
        let decoded = self.from_slice(buf.chunk());
        buf.advance(size);
        decoded
    }

    /// Decodes a message preceded by its length; the buffer advances past it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), and when the buffer has no whole length, or fewer bytes than it says.
    pub fn from_buf_delimited<T: Message + DeserializeOwned>(&self, buf: impl Buf) -> Result<T> {
        self.from_buf(delimited(buf)?)
    }

    /// Reads a stream to its end, or to the limit of the input, and decodes the bytes as one message.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), and when reading fails.
    pub fn from_reader<T: Message + DeserializeOwned>(&self, reader: impl Read) -> Result<T> {
        let (mut bytes, limit) = (Vec::new(), self.max_input());
        let size = reader.take(limit + 1).read_to_end(&mut bytes)? as u64;
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        self.from_slice(&bytes)
    }

    /// Merges the fields in `bytes` into a message: scalars are replaced, messages are merged, lists and maps grow.
    ///
    /// Required fields are not checked, since the bytes may hold only some of the fields. On an error the message
    /// is unchanged: the bytes are validated first.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn merge<'de, T: Message + Merge<'de>>(&self, message: &mut T, bytes: &'de [u8]) -> Result<()> {
        let part = self.partial(true).whole();
        let Some(mut scratch) = <T as Member>::empty() else { return Err(unmakable()) };
        part.fill(&mut scratch, bytes, None, Mode::Fresh)?;
        part.fill(message, bytes, None, Mode::Merge).map(drop)
    }

    /// Decodes into a used message: its content is replaced, and its allocations are reused where possible. On
    /// an error the message is empty.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        self.refill(message, bytes, None).map(drop)
    }

    /// As [`from_slice_in_place`](Self::from_slice_in_place), from shared bytes: members of type [`Bytes`] share them
    /// instead of copying.
    ///
    /// ```
    /// use tobu::{DecodeOptions, types::BytesValue};
    ///
    /// let mut message = BytesValue::default();
    /// DecodeOptions::new().from_bytes_in_place(&mut message, &b"\x0a\x02hi"[..].into())?;
    /// assert_eq!(message.value, b"hi"[..]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_bytes_in_place<T: Message + for<'de> Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &Bytes,
    ) -> Result<()> {
        self.refill(message, bytes, Some(bytes)).map(drop)
    }

    /// Replaces the content of a message, and returns how many bytes its structs take of the memory budget. On an error
    /// the message is empty.
    pub(crate) fn refill<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<u64> {
        self.whole().fill(message, bytes, shared, Mode::Refill)
    }

    /// Decodes a value.
    #[inline]
    pub(crate) fn read<'de, T: Deserialize<'de>>(
        &self,
        schema: Schema<'_>,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<T> {
        self.whole().read(schema, bytes, shared)
    }
}

impl Decoding<'_> {
    pub(super) fn fill<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<u64> {
        self.fill_root(RootMut::of(message), bytes, shared, mode)
    }

    /// The same of any type. A message to refill is empty after an error, unless its type has no table.
    #[inline(never)]
    fn fill_root(
        &self,
        mut message: RootMut<'_>,
        bytes: &[u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<u64> {
        let done = message.bare().and_then(|message| match self.projection {
            None => self.options.fill_object_inline(message, bytes, shared, mode),
            Some(_) => self.fill_object(message, bytes, shared, mode),
        });
        done.map_err(|error| {
            if mode == Mode::Refill
                && let Ok(mut message) = message.bare()
            {
                message.clear_all();
            }
            self.name(error, message.shape_fn())
        })
    }

    #[inline]
    pub(super) fn read_message<'de, T: Message + Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<T> {
        if T::DIRECT {
            return read_direct(|message| {
                self.fill_root(RootMut::of(message), bytes, shared, Mode::Fresh).map(drop)
            });
        }
        self.read(Schema::Shape(described::<T>()), bytes, shared)
    }

    /// Decodes a value.
    #[inline]
    pub(super) fn read<'de, T: Deserialize<'de>>(
        &self,
        schema: Schema<'_>,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<T> {
        let mut fill =
            |message: TypedMut<'_, '_>| self.fill_object(message, bytes, shared, Mode::Fresh).map(drop);
        let mut read = read(schema, Input::Wire(bytes, *self), &mut fill);
        if let Err(error) = &mut read {
            error.amend(|error| schema.name(error.of_max_depth(self.options.max_depth())));
        }
        read
    }

    #[cold]
    fn name(&self, error: Error, shape: Option<ShapeFn>) -> Error {
        Schema::name_of_root(error.of_max_depth(self.options.max_depth()), shape)
    }
}

/// The message at the start of a buffer, preceded by its length.
///
/// # Errors
/// The buffer has no whole length, or fewer bytes than it says.
pub(crate) fn delimited<B: Buf>(mut buf: B) -> Result<Take<B>> {
    let start = buf.remaining();
    let wanted = take_varint(&mut buf)?;
    let left = buf.remaining();
    match usize::try_from(wanted) {
        Ok(size) if size <= left => Ok(buf.take(size)),
        _ => Err(Error::wire(WireError::Truncated { wanted, left: left as u64 }, start - left)),
    }
}

/// The varint at the start of a buffer, which advances past it.
fn take_varint(buf: &mut impl Buf) -> Result<u64> {
    let (mut bytes, mut len) = ([0; 10], 0);
    for byte in &mut bytes {
        if !buf.has_remaining() {
            break;
        }
        *byte = buf.get_u8();
        len += 1;
        if *byte < 0x80 {
            break;
        }
    }
    Reader::new(bytes.get(..len).unwrap_or_default()).varint()
}
