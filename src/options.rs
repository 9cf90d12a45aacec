//! Encoding and decoding where the defaults do not serve.

use crate::de::{Decoder, MessageDeserializer, STACK, Wire as Source};
use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::member::{Merge, sharing};
use crate::message::{Message, plans};
use crate::plan::{MessagePlan, PlanSet};
use crate::ser::{Context, Count, Wire};
use crate::wire::Writer;
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
        let plans = plans::<T>()?;
        let bytes = self.encode(plans, message, Vec::with_capacity(plans.learned_size()))?;
        plans.learn_size(bytes.len());
        Ok(bytes)
    }

    /// Appends an encoded message to a vector; on an error the vector is as it was.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn append<T: Message + Serialize>(&self, message: &T, bytes: &mut Vec<u8>) -> Result<()> {
        let plans = plans::<T>()?;
        let start = bytes.len();
        let mut writer = Writer::append_to(std::mem::take(bytes));
        let written = self.context(plans).write(Wire(writer.tip()), message);
        let whole;
        (*bytes, whole) = writer.take_or_truncate(start, written.is_ok());
        written.and(whole.map_err(|error| error.in_message(&plans.root().full_name)))
    }

    /// The number of bytes that [`to_vec`](Self::to_vec) would give.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn encoded_len<T: Message + Serialize>(&self, message: &T) -> Result<usize> {
        let plans = plans::<T>()?;
        let mut sink = Wire(Count::default());
        self.context(plans).write(&mut sink, message)?;
        match usize::try_from(sink.0.0) {
            Ok(len) if len <= i32::MAX as usize => Ok(len),
            _ => Err(Error::limit(LimitError::Length(sink.0.0))),
        }
    }

    #[inline]
    pub(crate) fn encode<T: Serialize + ?Sized>(
        &self,
        set: &PlanSet,
        value: &T,
        buf: Vec<u8>,
    ) -> Result<Vec<u8>> {
        let mut writer = Writer::append_to(buf);
        self.context(set).write(Wire(writer.tip()), value)?;
        writer.take()
    }

    /// The limits, whether map entries are sorted, whether required fields may be missing.
    pub(crate) fn parts(&self) -> (Limits, bool, bool) {
        (self.limits, self.deterministic, self.partial)
    }

    #[inline]
    pub(crate) fn context<'p>(&self, set: &'p PlanSet) -> Context<'p> {
        let EncodeOptions { deterministic, partial, .. } = *self;
        Context { set, max_depth: self.limits.max_depth(), deterministic, partial, defaults: false }
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
        self.decode(plans::<T>()?, bytes)
    }

    /// Decodes a message from shared bytes: members of type [`Bytes`] share them instead of copying.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        sharing(bytes, || self.from_slice(bytes))
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
        let plans = plans::<T>()?;
        let part = self.partial(true);
        part.fill(plans, bytes, false, &mut T::empty())?;
        part.fill(plans, bytes, false, message)
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
        let plans = plans::<T>()?;
        let mut done = self.refill(plans, bytes, false, message);
        if matches!(&done, Err(error) if error.is_regroup()) {
            done = self.refill(plans, bytes, true, message);
        }
        if done.is_err() {
            message.clear();
        }
        done
    }

    /// Decodes a value, streaming at first, and grouped where the value cannot take the fields as they come.
    #[inline]
    pub(crate) fn decode<'de, T: Deserialize<'de>>(&self, set: &PlanSet, bytes: &'de [u8]) -> Result<T> {
        match self.read(set, bytes, false, |from| T::deserialize(from)) {
            Ok(value) => Ok(value),
            Err(error) => self.decode_again(set, bytes, error),
        }
    }

    #[cold]
    #[inline(never)]
    fn decode_again<'de, T: Deserialize<'de>>(
        &self,
        set: &PlanSet,
        bytes: &'de [u8],
        error: Error,
    ) -> Result<T> {
        match error.is_regroup() {
            true => self.run(set, bytes, true, |from| T::deserialize(from)),
            false => Err(self.tell_message(error, set.root())),
        }
    }

    fn fill<'de, T: Merge<'de>>(
        &self,
        set: &PlanSet,
        bytes: &'de [u8],
        grouped: bool,
        into: &mut T,
    ) -> Result<()> {
        self.run(set, bytes, grouped, |deserializer| into.merge(deserializer))
    }

    fn refill<'de, T: Merge<'de>>(
        &self,
        set: &PlanSet,
        bytes: &'de [u8],
        grouped: bool,
        into: &mut T,
    ) -> Result<()> {
        self.run(set, bytes, grouped, |deserializer| into.refill(&mut 0, deserializer))
    }

    #[inline]
    fn run<'de, T>(
        &self,
        set: &PlanSet,
        bytes: &'de [u8],
        grouped: bool,
        read: impl FnOnce(MessageDeserializer<'_, '_, Source<'de>>) -> Result<T>,
    ) -> Result<T> {
        self.read(set, bytes, grouped, read).map_err(|error| self.tell_message(error, set.root()))
    }

    #[inline]
    fn read<'de, T>(
        &self,
        set: &PlanSet,
        bytes: &'de [u8],
        grouped: bool,
        read: impl FnOnce(MessageDeserializer<'_, '_, Source<'de>>) -> Result<T>,
    ) -> Result<T> {
        self.check_input(bytes.len())?;
        let mut decoder = self.decoder(set, bytes, grouped);
        read(MessageDeserializer { decoder: &mut decoder, plan: set.root() })
    }

    #[cold]
    #[inline(never)]
    fn tell_message(&self, error: Error, plan: &MessagePlan) -> Error {
        error.of_max_depth(self.limits.max_depth()).in_message(&plan.full_name)
    }

    #[inline]
    pub(crate) fn decoder<'de, 'p>(
        &self,
        set: &'p PlanSet,
        bytes: &'de [u8],
        grouped: bool,
    ) -> Decoder<'p, Source<'de>> {
        let (depth, memory) = (self.limits.max_depth(), self.limits.max_memory(bytes.len() as u64));
        Decoder {
            source: Source::new(bytes, grouped),
            set,
            depth,
            max_depth: depth,
            memory,
            max_memory: memory,
            stack: STACK,
            partial: self.partial,
        }
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
