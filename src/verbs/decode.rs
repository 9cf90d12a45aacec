//! Decodes and encodes messages with options.

use std::cell::Cell;
use std::io::{Read, Write};

use bytes::buf::Take;
use bytes::{Buf, BufMut, Bytes};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::codec::wire::Mode;
use crate::error::{Error, LimitError, Result, WireError};
use crate::layout::{Member, ShapeFn};
use crate::message::dynamic::DynamicMessage;
use crate::message::projection::{Decoding, Projection};
use crate::message::{Merge, Message, described};
use crate::object::{RootMut, TypedMut, unmakable};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::Encode;
use crate::serde::{Input, Schema, read, read_direct};
use crate::table::Tabled;
use crate::wire::{Reader, put_varint};

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

    /// Decodes a message from shared bytes. Members of type [`Bytes`] share the input instead of copying it.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        self.whole().read_message(bytes, Some(bytes))
    }

    /// Decodes a message from all remaining bytes of a buffer. A buffer that is a single slice is not copied.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
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

    /// Decodes a message that has its length before it. The buffer advances past the message.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail, if the buffer has no complete length, or if it has fewer bytes
    /// than the length says.
    pub fn from_buf_delimited<T: Message + DeserializeOwned>(&self, buf: impl Buf) -> Result<T> {
        self.from_buf(delimited(buf)?)
    }

    /// Reads a stream to its end, or to the limit of the input, and decodes the bytes as one message.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail, or if reading fails.
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
    /// Required fields are not checked, because `bytes` may contain only some of the fields. On an error the message is
    /// unchanged, because all bytes are checked before the message is changed.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail for another reason than a missing required field.
    pub fn merge<'de, T: Message + Merge<'de>>(&self, message: &mut T, bytes: &'de [u8]) -> Result<()> {
        let part = self.partial(true).whole();
        let Some(mut scratch) = <T as Member>::empty() else { return Err(unmakable()) };
        part.fill(&mut scratch, bytes, None, Mode::Fresh)?;
        part.fill(message, bytes, None, Mode::Merge).map(drop)
    }

    /// Decodes into an existing message. Replaces the content of the message, and reuses its allocations if possible. On an
    /// error the message is empty, unless its type and its schema do not fit together.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        self.refill(message, bytes, None).map(drop)
    }

    /// Decodes shared bytes into an existing message, like [`from_slice_in_place`](Self::from_slice_in_place). Members of type
    /// [`Bytes`] share the input instead of copying it.
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
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_bytes_in_place<T: Message + for<'de> Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &Bytes,
    ) -> Result<()> {
        self.refill(message, bytes, Some(bytes)).map(drop)
    }

    /// Replaces the content of a message, and returns how much of the memory budget the message, with its sub-messages, takes.
    /// On an error the message is empty, unless the table of its type cannot be built.
    pub(crate) fn refill<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<u64> {
        self.whole().fill(message, bytes, shared, Mode::Refill)
    }

    /// Decodes a value of any type that serde can deserialize.
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

    /// Fills a message of any type. On an error with `Mode::Refill`, the message becomes empty, unless the table of its type
    /// cannot be built.
    #[inline(never)]
    fn fill_root(
        &self,
        mut message: RootMut<'_>,
        bytes: &[u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<u64> {
        let done = message.bare().and_then(|message| match self.projection {
            None => self.options.fill_object(message, bytes, shared, mode),
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

/// Reads the length at the start of a buffer, and returns the part of the buffer that has the message.
///
/// # Errors
/// The buffer has no complete length, or fewer bytes than the length says.
pub(crate) fn delimited<B: Buf>(mut buf: B) -> Result<Take<B>> {
    let start = buf.remaining();
    let wanted = take_varint(&mut buf)?;
    let left = buf.remaining();
    match usize::try_from(wanted) {
        Ok(size) if size <= left => Ok(buf.take(size)),
        _ => Err(Error::wire(WireError::Truncated { wanted, left: left as u64 }, start - left)),
    }
}

/// Reads the varint at the start of a buffer. The buffer advances past the varint.
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

impl EncodeOptions {
    /// Encodes a message.
    ///
    /// # Errors
    /// A required field has no value, messages nest too deep, a length exceeds 2 GiB, or the type and its schema do
    /// not fit together.
    #[inline]
    pub fn to_vec<M: Encode + ?Sized>(&self, message: &M) -> Result<Vec<u8>> {
        message.to_wire(self)
    }

    /// Encodes a message and appends it to a vector. On an error the vector is unchanged.
    ///
    /// # Errors
    /// Fails if [`to_vec`](Self::to_vec) would fail.
    #[inline]
    pub fn append<M: Encode + ?Sized>(&self, message: &M, bytes: &mut Vec<u8>) -> Result<()> {
        message.append_wire(self, bytes)
    }

    /// Encodes a message and writes it to a stream, without a length prefix.
    ///
    /// # Errors
    /// Fails if [`to_vec`](Self::to_vec) would fail, or if writing fails.
    pub fn to_writer<M: Encode + ?Sized>(&self, message: &M, mut writer: impl Write) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            Ok(writer.write_all(bytes)?)
        })
    }

    /// Encodes a message and appends it to a buffer. On an error the buffer is unchanged.
    ///
    /// # Errors
    /// Fails if [`to_vec`](Self::to_vec) would fail, or if the buffer has less room than the message takes.
    pub fn to_buf<M: Encode + ?Sized>(&self, message: &M, buf: &mut impl BufMut) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            put(buf, &[bytes])
        })
    }

    /// Encodes a message and appends it to a buffer, with its length as a varint before it. On an error the buffer is
    /// unchanged.
    ///
    /// # Errors
    /// Fails if [`to_buf`](Self::to_buf) would fail.
    pub fn to_buf_delimited<M: Encode + ?Sized>(&self, message: &M, buf: &mut impl BufMut) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            let mut length = [0; 10];
            let taken = put_varint(&mut length, bytes.len() as u64);
            put(buf, &[length.get(..taken).unwrap_or_default(), bytes])
        })
    }

    /// Returns the number of bytes that [`to_vec`](Self::to_vec) would return.
    ///
    /// # Errors
    /// Fails if [`to_vec`](Self::to_vec) would fail.
    pub fn encoded_len<M: Encode + ?Sized>(&self, message: &M) -> Result<usize> {
        message.wire_len(self)
    }

    /// Returns the encoded length of a message, for methods that cannot return an error. Required fields may be missing.
    /// Returns 0 for a message that cannot be encoded.
    pub(crate) fn len_or_zero<M: Encode + ?Sized>(message: &M) -> usize {
        EncodeOptions::new().partial(true).encoded_len(message).unwrap_or_default()
    }
}

/// Writes all slices to a buffer. If the buffer cannot hold all of them, writes nothing and fails.
fn put(buf: &mut impl BufMut, slices: &[&[u8]]) -> Result<()> {
    let (room, size) = (buf.remaining_mut(), slices.iter().map(|slice| slice.len()).sum());
    if room < size {
        return Err(Error::io(std::io::Error::new(
            std::io::ErrorKind::WriteZero,
            format!("the buffer has room for {room} bytes, but the message takes {size}"),
        )));
    }
    slices.iter().for_each(|slice| buf.put_slice(slice));
    Ok(())
}

/// The thread keeps a buffer of at most this capacity.
const KEPT: usize = 64 << 10;

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Runs `with` with an empty buffer. Reuses the buffer of the last call, if the thread has kept it.
///
/// A nested call, and a call while the thread ends, gets a new buffer.
pub(super) fn with_buffer<R>(with: impl FnOnce(&mut Vec<u8>) -> R) -> R {
    let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
    buffer.clear();
    let out = with(&mut buffer);
    if buffer.capacity() <= KEPT {
        let _ = BUFFER.try_with(|kept| kept.set(buffer));
    }
    out
}

/// [`DecodeOptions`] for some fields of a message, which a [`Projection`] selects.
#[derive(Clone, Copy, Debug)]
pub struct ProjectedOptions<'p>(Decoding<'p>, &'p Projection);

impl DecodeOptions {
    /// Returns options that decode only the fields that a [`Projection`] selects.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use tobu::prelude::*;
    /// use library::v1::Book;
    /// use tobu::{DecodeOptions, Message};
    ///
    /// let projection = Book::descriptor().project(&["title"])?;
    /// let book: Book = DecodeOptions::new().fields(&projection).from_slice(b"\x0a\x04Dune\x10\x9c\x03")?;
    /// assert_eq!(book, Book { title: "Dune".into(), ..Book::default() });
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn fields<'p>(&self, projection: &'p Projection) -> ProjectedOptions<'p> {
        ProjectedOptions(Decoding { options: *self, projection: Some(projection) }, projection)
    }
}

// The functions for Rust types that derive `Message` register the file of the type, because the projection is compared with the
// descriptor of the type. The projection may be from another copy of this file.
impl ProjectedOptions<'_> {
    /// Decodes the selected fields of a message.
    ///
    /// # Errors
    /// Fails if [`DecodeOptions::from_slice`] would fail, but not for errors in skipped fields. Also fails if the projection is
    /// for another message type.
    pub fn from_slice<'de, T: Message + Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        T::register();
        self.0.read_message(bytes, None)
    }

    /// Decodes the selected fields from shared bytes. Members of type [`Bytes`] share the input instead of copying it.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        T::register();
        self.0.read_message(bytes, Some(bytes))
    }

    /// Decodes the selected fields into an existing message. Replaces the whole content of the message, and reuses its
    /// allocations if possible. On an error the message is empty, unless its type and its schema do not fit together.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        T::register();
        self.0.fill(message, bytes, None, Mode::Refill).map(drop)
    }

    /// Decodes the selected fields into any type that serde can deserialize, like
    /// [`MessageDescriptorExt::decode`](crate::MessageDescriptorExt::decode).
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.0.read(Schema::Table(self.1.descriptor().table()?), bytes, None)
    }

    /// Decodes the selected fields into a dynamic message. The bytes are copied once.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn decode_dynamic(&self, bytes: &[u8]) -> Result<DynamicMessage> {
        let name = self.1.descriptor().full_name();
        // The size is checked before the bytes are copied.
        self.0.options.check_input(bytes.len()).map_err(|error| error.in_message(name))?;
        self.decode_dynamic_bytes(Bytes::copy_from_slice(bytes))
    }

    /// Decodes the selected fields of shared bytes into a dynamic message. Its strings and byte strings share the input, so
    /// nothing is copied.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn decode_dynamic_bytes(&self, bytes: Bytes) -> Result<DynamicMessage> {
        DynamicMessage::decode_projected(self.1, bytes, self.0.options)
    }
}

impl Projection {
    /// Decodes the selected fields into a dynamic message, with default options. [`DecodeOptions::fields`] is for other options
    /// and for Rust types.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # use tobu_schemas::library;
    /// # let descriptor = library::v1::Book::descriptor();
    /// let title = descriptor.project(&["title"])?;
    /// assert_eq!(title.decode(b"\x0a\x04Dune\x10\x9c\x03")?.encode_to_vec()?, b"\x0a\x04Dune");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::decode`] would fail, but not for errors in skipped fields.
    pub fn decode(&self, bytes: &[u8]) -> Result<DynamicMessage> {
        DecodeOptions::new().fields(self).decode_dynamic(bytes)
    }
}
