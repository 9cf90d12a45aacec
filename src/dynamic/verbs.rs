//! The verbs of the wire format.

use super::arena::{Arena, MAX_WORDS, ROOT, message_words};
use super::sink::Filler;
use super::source::Walker;
use super::{DynamicMessage, decode, encode};
use crate::de::{Source, Wire};
use crate::descriptor::MessageDescriptor;
use crate::encode::sealed;
use crate::error::{Category, Error, LimitError, Result};
use crate::json::{self, lex::Cursor};
use crate::limits::Limits;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::plan::PlanSet;
use crate::reflect::Reflect;
use crate::relay::Relay;
use crate::ser::{self, Count, Output, Sink};
use crate::wire::Writer;
use bytes::Bytes;

impl DynamicMessage {
    /// Decodes a message from the wire format; the bytes are copied once.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// assert_eq!(message.encode()?, b"\x0a\x02hi");
    ///
    /// let error = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02h").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "google.protobuf.StringValue.value: length of 2 bytes, but only 1 bytes are left (at byte 2)"
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes are malformed or go past one of the default [`Limits`], a required field is missing, or the schema is
    /// larger than a codec can take.
    pub fn decode(descriptor: &MessageDescriptor, bytes: &[u8]) -> Result<Self> {
        Self::decode_with(descriptor, bytes, DecodeOptions::new())
    }

    /// Decodes a message from shared bytes: its strings and bytes stay there, nothing is copied.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_bytes(descriptor: &MessageDescriptor, bytes: Bytes) -> Result<Self> {
        Self::decode_bytes_with(descriptor, bytes, DecodeOptions::new())
    }

    /// [`decode`](Self::decode) with options.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_with(descriptor: &MessageDescriptor, bytes: &[u8], options: DecodeOptions) -> Result<Self> {
        // Before they are copied.
        options.check_input(bytes.len()).map_err(|error| error.in_message(descriptor.full_name()))?;
        Self::decode_bytes_with(descriptor, Bytes::copy_from_slice(bytes), options)
    }

    /// [`decode_bytes`](Self::decode_bytes) with options.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_bytes_with(
        descriptor: &MessageDescriptor,
        bytes: Bytes,
        options: DecodeOptions,
    ) -> Result<Self> {
        options.check_input(bytes.len()).map_err(|error| error.in_message(descriptor.full_name()))?;
        let (limits, partial) = options.parts();
        let plans = descriptor.plans()?;
        let memory = limits.max_memory(bytes.len() as u64);
        let arena = match decode::decode(plans, &bytes, limits.max_depth(), memory, partial) {
            Ok(mut arena) => {
                plans.learn_words(bytes.len(), arena.words.len() - root_words(plans));
                arena.input = bytes;
                arena
            }
            // It may be in another piece of its message.
            Err(error) if error.category() == Category::Required => {
                let arena = Arena::new(plans.root(), bytes.clone(), 0);
                fill(plans, arena, &mut Wire::new(&bytes, true), limits, memory, partial)?
            }
            Err(error) => {
                return Err(error.of_max_depth(limits.max_depth()).in_message(descriptor.full_name()));
            }
        };
        Ok(Self::of(descriptor.clone(), arena))
    }

    /// Decodes a message from any format.
    pub(crate) fn decode_from<'de, S: Source<'de>>(
        descriptor: &MessageDescriptor,
        source: &mut S,
        input: u64,
        limits: Limits,
        partial: bool,
    ) -> Result<Self> {
        let plans = descriptor.plans()?;
        let arena = Arena::new(plans.root(), Bytes::new(), 0);
        let arena = fill(plans, arena, source, limits, limits.max_memory(input), partial)?;
        Ok(Self::of(descriptor.clone(), arena))
    }

    /// Merges encoded fields into the message: scalars are replaced, messages are merged, lists and maps grow. On an
    /// error the message is as it was.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let mut message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// message.merge(b"\x0a\x03you")?;
    /// assert_eq!(message.encode()?, b"\x0a\x03you");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode); required fields are not asked for.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        self.merge_with(bytes, DecodeOptions::new())
    }

    /// [`merge`](Self::merge) with options.
    ///
    /// # Errors
    /// As [`merge`](Self::merge).
    pub fn merge_with(&mut self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        let part = Self::decode_with(&self.descriptor, bytes, options.partial(true))?;
        self.tidy()?;
        // Whatever it takes to grow, there will be room for it.
        let words = 4 * (self.arena.words.len() + part.arena.words.len());
        if words > MAX_WORDS || self.arena.more().text.len() + bytes.len() > i32::MAX as usize {
            let error = Error::limit(LimitError::Memory(8 * MAX_WORDS as u64));
            return Err(error.in_message(self.descriptor.full_name()));
        }
        let plans = self.descriptor.plans()?;
        let arena = std::mem::take(&mut self.arena);
        let mut sink = Filler::<false>::new(arena, plans, u64::MAX);
        let (limits, _) = options.parts();
        let done = relay(plans, &mut Wire::new(bytes, false), &mut sink, limits, true, false);
        self.arena = sink.finish();
        done
    }

    /// Encodes the message.
    ///
    /// # Errors
    /// A required field has no value, messages nest deeper than 100 levels, or a length goes past 2 GiB.
    pub fn encode(&self) -> Result<Vec<u8>> {
        self.encode_with(EncodeOptions::new())
    }

    /// [`encode`](Self::encode) with options.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_with(&self, options: EncodeOptions) -> Result<Vec<u8>> {
        let plans = self.plans()?;
        // It mostly takes as much as it was decoded from, and a tag or varint at the end is put down as a whole.
        let size = match self.arena.input.len() {
            0 => plans.learned_size(),
            input => input + 16,
        };
        let mut writer = Writer::append_to(Vec::with_capacity(size));
        writer.at_tip(|tip| self.write(tip, options))?;
        let bytes = writer.take().map_err(|error| error.in_message(self.descriptor.full_name()))?;
        plans.learn_size(bytes.len());
        Ok(bytes)
    }

    /// Appends the encoded message to a vector; on an error the vector is as it was.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn append(&self, bytes: &mut Vec<u8>, options: EncodeOptions) -> Result<()> {
        let start = bytes.len();
        let mut writer = Writer::append_to(std::mem::take(bytes));
        let written = writer.at_tip(|tip| self.write(tip, options));
        let whole;
        (*bytes, whole) = writer.take_or_truncate(start, written.is_ok());
        written.and(whole).map_err(|error| error.in_message(self.descriptor.full_name()))
    }

    /// The number of bytes that [`encode`](Self::encode) would give.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encoded_len(&self) -> Result<usize> {
        let mut count = Count::default();
        self.write(&mut count, EncodeOptions::new())?;
        match usize::try_from(count.0) {
            Ok(len) if len <= i32::MAX as usize => Ok(len),
            _ => {
                let error = Error::limit(LimitError::Length(count.0));
                Err(error.in_message(self.descriptor.full_name()))
            }
        }
    }

    fn write<O: Output>(&self, out: &mut O, options: EncodeOptions) -> Result<()> {
        let done = encode::encode(&self.arena, self.plans()?, out, options);
        done.map_err(|error| error.in_message(self.descriptor.full_name()))
    }
}

impl DynamicMessage {
    /// Reads a message of this type from JSON.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::DynamicMessage;
    ///
    /// let book = DynamicMessage::from_json(&descriptor, r#"{"title": "Dune", "genre": "GENRE_FICTION"}"#)?;
    /// assert_eq!(tobu::json::to_string(&book)?, r#"{"title":"Dune","genre":"GENRE_FICTION"}"#);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`json::from_str`].
    pub fn from_json(descriptor: &MessageDescriptor, text: &str) -> Result<Self> {
        Self::from_json_with(descriptor, text.as_bytes(), &json::Options::default())
    }

    /// [`from_json`](Self::from_json) of the bytes of a text, with options.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json).
    pub fn from_json_with(
        descriptor: &MessageDescriptor,
        text: &[u8],
        options: &json::Options,
    ) -> Result<Self> {
        let size = text.len();
        let read = options.source(Cursor::of_bytes(text), size).and_then(|mut source| {
            let message =
                Self::decode_from(descriptor, &mut source, size as u64, options.limits, options.partial)?;
            source.finish()?;
            Ok(message)
        });
        read.map_err(|error| error.in_message(descriptor.full_name()))
    }
}

impl<'a> dyn Reflect + 'a {
    /// Merges the fields of a JSON text into the message, as [`json::merge`] does; on an error of the
    /// text the message is as it was.
    ///
    /// ```
    /// use tobu::Message;
    ///
    /// let mut flag = tobu::types::BoolValue::new(false);
    /// flag.as_reflect_mut().merge_json("true", &tobu::json::Options::new())?;
    /// assert!(flag.value);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`json::from_str`], but required fields are not asked for; and when a member of a typed
    /// message borrows and cannot be set.
    pub fn merge_json(&mut self, text: &str, options: &json::Options) -> Result<()> {
        let part = options.clone().partial(true);
        self.merge_from(&DynamicMessage::from_json_with(&self.descriptor(), text.as_bytes(), &part)?)
    }
}

impl sealed::Encode for DynamicMessage {
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        let plans = self.plans()?;
        let start = buf.len();
        let mut out = std::mem::take(buf);
        out.reserve(plans.learned_json_size());
        let mut sink = ser::Json::append_to(out, options);
        let mut walker = Walker::new(&self.arena, plans, ROOT, options.deterministic);
        let done =
            relay(plans, &mut walker, &mut sink, options.limits, options.partial, options.emit_defaults);
        *buf = sink.out.into_vec();
        match done {
            Ok(()) => plans.learn_json_size(buf.len() - start),
            Err(_) => buf.truncate(start),
        }
        done
    }
}

impl sealed::Encode for dyn Reflect + '_ {
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        self.to_dynamic()?.append_json(options, buf)
    }
}

/// How many words an arena has from the start.
fn root_words(plans: &PlanSet) -> usize {
    ROOT as usize + message_words(plans.root())
}

fn fill<'de, S: Source<'de>>(
    plans: &PlanSet,
    arena: Arena,
    source: &mut S,
    limits: Limits,
    memory: u64,
    partial: bool,
) -> Result<Arena> {
    let mut sink = Filler::<false>::new(arena, plans, memory);
    relay(plans, source, &mut sink, limits, partial, false)?;
    Ok(sink.finish())
}

fn relay<'de, S: Source<'de>, K: Sink>(
    plans: &PlanSet,
    source: &mut S,
    sink: &mut K,
    limits: Limits,
    partial: bool,
    defaults: bool,
) -> Result<()> {
    let depth = limits.max_depth();
    let mut relay = Relay { source, sink, set: plans, depth, max_depth: depth, partial, defaults };
    let done = relay.message(None, plans.root());
    done.map_err(|error| error.of_max_depth(depth).in_message(&plans.root().full_name))
}
