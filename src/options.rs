//! Encoding and decoding where the defaults do not serve.

use crate::codec::wire::{self, Mode, Settings};
use crate::error::{Error, LimitError, Result};
use crate::layout::{Member, MessageShape};
use crate::limits::Limits;
use crate::message::{Merge, Message};
use crate::object::{TypedMut, unmakable};
use crate::serde::{Input, Schema, Written, read, write};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// How messages are encoded to the wire format.
///
/// ```
/// use tobu::{EncodeOptions, Message, Serialize};
/// use std::collections::HashMap;
///
/// #[derive(Message, Serialize)]
/// struct Stock {
///     #[tobu(1)]
///     copies: HashMap<String, u32>,
/// }
///
/// let stock = Stock { copies: HashMap::from([("b".into(), 2), ("a".into(), 1)]) };
/// let bytes = EncodeOptions::new().deterministic(true).to_vec(&stock)?;
/// assert_eq!(bytes, b"\x0a\x05\x0a\x01a\x10\x01\x0a\x05\x0a\x01b\x10\x02");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodeOptions {
    limits: Limits,
    deterministic: bool,
    partial: bool,
}

impl EncodeOptions {
    /// The defaults: [`Limits::default`], map entries in any order, required fields are required.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes map entries in the order of their keys, so that equal messages give equal bytes.
    #[must_use]
    pub fn deterministic(mut self, yes: bool) -> Self {
        self.deterministic = yes;
        self
    }

    /// Lets required fields be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Sets the limits; only the depth matters here.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Encodes a message.
    ///
    /// # Errors
    /// A required field has no value, messages nest too deep, a length goes past 2 GiB, or the type and its schema do
    /// not fit together.
    #[inline]
    pub fn to_vec<T: Message + Serialize>(&self, message: &T) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.append_value(message, Schema::Shape(T::shape()), &mut bytes)?;
        Ok(bytes)
    }

    /// Appends an encoded message to a vector; on an error the vector is as it was.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append<T: Message + Serialize>(&self, message: &T, bytes: &mut Vec<u8>) -> Result<()> {
        self.append_value(message, Schema::Shape(T::shape()), bytes)
    }

    /// The number of bytes that [`to_vec`](Self::to_vec) would give.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn encoded_len<T: Message + Serialize>(&self, message: &T) -> Result<usize> {
        let mut size = 0;
        let schema = Schema::Shape(T::shape());
        let done = write(message, schema, *self, &mut |message| {
            size = match message {
                Written::Typed(message) => wire::encoded_len(message, self.settings())? as u64,
                Written::Arena(message, table) => message.encoded_len(table, *self)?,
            };
            Ok(())
        });
        done.map_err(|error| schema.name(error))?;
        match usize::try_from(size) {
            Ok(len) if len <= i32::MAX as usize => Ok(len),
            _ => Err(schema.name(Error::limit(LimitError::Length(size)))),
        }
    }

    /// Appends an encoded value to a vector, which is as it was where that fails.
    #[inline]
    pub(crate) fn append_value<T: Serialize + ?Sized>(
        &self,
        value: &T,
        schema: Schema<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let done = write(value, schema, *self, &mut |message| match message {
            Written::Typed(message) => wire::encode(message, self.settings(), bytes),
            Written::Arena(message, table) => message.encode(table, *self, bytes),
        });
        done.map_err(|error| schema.name(error))
    }

    pub(crate) fn settings(&self) -> Settings {
        let EncodeOptions { limits, deterministic, partial } = *self;
        Settings { max_depth: limits.max_depth(), deterministic, partial }
    }

    /// The limits, whether map entries are sorted, whether required fields may be missing.
    pub(crate) fn parts(&self) -> (Limits, bool, bool) {
        (self.limits, self.deterministic, self.partial)
    }
}

/// How messages are decoded from the wire format.
///
/// ```
/// use tobu::{DecodeOptions, Deserialize, Limits, Message};
///
/// #[derive(Debug, Message, Deserialize)]
/// struct Note {
///     #[tobu(1)]
///     text: String,
/// }
///
/// let options = DecodeOptions::new().limits(Limits::default().input(4));
/// let error = options.from_slice::<Note>(b"\x0a\x03hey").unwrap_err();
/// assert_eq!(error.to_string(), "Note: input of 5 bytes is larger than the limit of 4 bytes");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DecodeOptions {
    limits: Limits,
    partial: bool,
}

impl DecodeOptions {
    /// The defaults: [`Limits::default`], required fields are required.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets required fields be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Decodes a message.
    ///
    /// # Errors
    /// The bytes are malformed or go past a limit, a required field is missing, or the type and its schema do not fit
    /// together.
    #[inline]
    pub fn from_slice<'de, T: Message + Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.read(Schema::Shape(T::shape()), bytes, None)
    }

    /// Decodes a message from shared bytes: members of type [`Bytes`] share them instead of copying.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        self.read(Schema::Shape(T::shape()), bytes, Some(bytes))
    }

    /// Reads a stream to its end, or to the limit of the input, and decodes what it gave as one message.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), and when reading fails.
    pub fn from_reader<T: Message + DeserializeOwned>(&self, reader: impl Read) -> Result<T> {
        let (mut bytes, limit) = (Vec::new(), self.limits.max_input());
        let size = reader.take(limit + 1).read_to_end(&mut bytes)? as u64;
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        self.from_slice(&bytes)
    }

    /// Merges the fields in `bytes` into a message: scalars are replaced, messages are merged, lists and maps grow.
    ///
    /// The bytes are a part of a message: required fields are not asked for. On an error the message is as it was:
    /// the bytes are checked before it is touched.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn merge<'de, T: Message + Merge<'de>>(&self, message: &mut T, bytes: &'de [u8]) -> Result<()> {
        let part = self.partial(true);
        let Some(mut scratch) = <T as Member>::empty() else { return Err(unmakable()) };
        part.fill(&mut scratch, bytes, Mode::Fresh)?;
        part.fill(message, bytes, Mode::Merge)
    }

    /// Decodes into a message that was used before: its content goes, its allocations are used again where that
    /// helps. On an error the message is empty.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        let done = self.fill(message, bytes, Mode::Refill);
        if done.is_err() {
            TypedMut::of(message)?.clear_all();
        }
        done
    }

    fn fill<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
        mode: Mode,
    ) -> Result<()> {
        self.fill_object(TypedMut::of(message)?, bytes, None, mode)
            .map_err(|error| self.name(error, T::shape()))
    }

    /// Decodes into an object. Types that borrow are filled under the lifetime of the bytes by the callers.
    pub(crate) fn fill_object(
        &self,
        message: TypedMut<'_, '_>,
        bytes: &[u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<()> {
        self.check_input(bytes.len())?;
        let input = wire::Input { bytes, shared, limits: self.limits, partial: self.partial };
        wire::decode(message, input, mode)
    }

    /// Decodes a value.
    #[inline]
    pub(crate) fn read<'de, T: Deserialize<'de>>(
        &self,
        schema: Schema<'_>,
        bytes: &'de [u8],
        shared: Option<&Bytes>,
    ) -> Result<T> {
        let mut fill = |message: TypedMut<'_, '_>| self.fill_object(message, bytes, shared, Mode::Fresh);
        match read(schema, Input::Wire(bytes, *self), &mut fill) {
            Ok(value) => Ok(value),
            Err(error) => Err(schema.name(error.of_max_depth(self.limits.max_depth()))),
        }
    }

    #[cold]
    fn name(&self, error: Error, shape: &'static MessageShape) -> Error {
        Schema::Shape(shape).name(error.of_max_depth(self.limits.max_depth()))
    }

    /// The limits, and whether required fields may be missing.
    pub(crate) fn parts(&self) -> (Limits, bool) {
        (self.limits, self.partial)
    }

    /// Fails when an input is larger than the limit.
    #[inline]
    pub(crate) fn check_input(&self, size: usize) -> Result<()> {
        let (size, limit) = (size as u64, self.limits.max_input());
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        Ok(())
    }

    pub(crate) fn max_input(&self) -> u64 {
        self.limits.max_input()
    }
}
