//! Methods that encode and decode dynamic messages.

use crate::codec::Source;
use crate::codec::json::{self as json_codec, ParseSettings};
use crate::codec::text::{self as text_codec, ParseSettings as TextSettings};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, LimitError, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::projection::Projection;
use crate::message::reflect::Reflect;
use crate::object::arena::content::Received;
use crate::object::arena::decode::Decoder;
use crate::object::arena::encode;
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, Input, MAX_CELLS, ROOT};
use crate::object::{Copying, copy};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::{checked_len, sealed};
use crate::table::{Table, Tabled};
use crate::verbs::delimited;
use crate::wire::{Count, Output, Writer};
use crate::{json, text};
use bytes::{Buf, BufMut, Bytes};

impl DynamicMessage {
    /// Decodes a message from the wire format. The bytes are copied once.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// assert_eq!(message.encode_to_vec()?, b"\x0a\x02hi");
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
    /// The bytes are malformed or exceed one of the default [`Limits`](crate::Limits), a required field is missing,
    /// or the schema has more fields than a codec can handle.
    pub fn decode(descriptor: &MessageDescriptor, bytes: &[u8]) -> Result<Self> {
        Self::decode_with(descriptor, bytes, DecodeOptions::new())
    }

    /// Decodes a message from shared bytes. Its strings and byte strings share the input, so nothing is copied.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes(descriptor: &MessageDescriptor, bytes: Bytes) -> Result<Self> {
        Self::decode_bytes_with(descriptor, bytes, DecodeOptions::new())
    }

    /// Decodes a message from all remaining bytes of a buffer. [`Bytes`] and similar buffers are shared. Other buffers are
    /// copied once.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// use bytes::Buf;
    ///
    /// let two = b"\x0a\x02".chain(&b"hi"[..]);
    /// let message = DynamicMessage::decode_buf(&StringValue::descriptor(), two)?;
    /// assert_eq!(message.encode_to_vec()?, b"\x0a\x02hi");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_buf(descriptor: &MessageDescriptor, mut buf: impl Buf) -> Result<Self> {
        let (options, size) = (DecodeOptions::new(), buf.remaining());
        // The size is checked before the bytes are copied.
        options.check_input(size).map_err(|error| error.in_message(descriptor.full_name()))?;
        Self::decode_bytes_with(descriptor, buf.copy_to_bytes(size), options)
    }

    /// Decodes a message that has its length before it. The buffer advances past the message.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let mut buf: &[u8] = b"\x04\x0a\x02hi\x00";
    /// let message = DynamicMessage::decode_length_delimited(&StringValue::descriptor(), &mut buf)?;
    /// assert_eq!(message.encode_to_vec()?, b"\x0a\x02hi");
    /// assert_eq!(buf, b"\x00");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail, if the buffer has no complete length, or if it has fewer bytes than the
    /// length says.
    pub fn decode_length_delimited(descriptor: &MessageDescriptor, buf: impl Buf) -> Result<Self> {
        Self::decode_buf(descriptor, delimited(buf)?)
    }

    /// Decodes a message like [`decode`](Self::decode), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_with(descriptor: &MessageDescriptor, bytes: &[u8], options: DecodeOptions) -> Result<Self> {
        // The size is checked before the bytes are copied.
        options.check_input(bytes.len()).map_err(|error| error.in_message(descriptor.full_name()))?;
        Self::decode_by(descriptor, descriptor.table()?, bytes.into(), options)
    }

    /// Decodes a message like [`decode_bytes`](Self::decode_bytes), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes_with(
        descriptor: &MessageDescriptor,
        bytes: Bytes,
        options: DecodeOptions,
    ) -> Result<Self> {
        options.check_input(bytes.len()).map_err(|error| error.in_message(descriptor.full_name()))?;
        Self::decode_by(descriptor, descriptor.table()?, Received::Shared(bytes), options)
    }

    pub(crate) fn decode_projected(
        projection: &Projection,
        bytes: Bytes,
        options: DecodeOptions,
    ) -> Result<Self> {
        let descriptor = projection.descriptor();
        let depth = options.max_depth();
        options
            .check_input(bytes.len())
            .and_then(|()| projection.check(&bytes, options))
            .map_err(|error| error.of_max_depth(depth).in_message(descriptor.full_name()))?;
        Self::decode_by(descriptor, projection.table()?, Received::Shared(bytes), options)
    }

    /// Decodes bytes whose number the caller has checked against the limit. `table` is the table of the message, a projection
    /// of this table, or the table that checks all strings.
    pub(super) fn decode_by(
        descriptor: &MessageDescriptor,
        table: &Table,
        received: Received<'_>,
        options: DecodeOptions,
    ) -> Result<Self> {
        let mut arena = Arena::EMPTY;
        decode_into(&mut arena, table, received, &options)?;
        Ok(Self::of(descriptor.clone(), arena))
    }

    /// Writes the fields that have rows in `table` as JSON. `table` is a projection.
    pub(crate) fn append_json_by(
        &self,
        table: &Table,
        options: &json::Options,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        json_codec::print(MessageAt::new(&self.arena, table, ROOT).into(), options, out)
    }

    /// Merges encoded fields into the message: scalars are replaced, messages are merged, lists and maps grow. On an
    /// error the message is unchanged.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let mut message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// message.merge(b"\x0a\x03you")?;
    /// assert_eq!(message.encode_to_vec()?, b"\x0a\x03you");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail, but does not check required fields.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        self.merge_with(bytes, DecodeOptions::new())
    }

    /// Merges fields like [`merge`](Self::merge), with options.
    ///
    /// # Errors
    /// Fails if [`merge`](Self::merge) would fail.
    pub fn merge_with(&mut self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        let decoded = Self::decode_with(&self.descriptor, bytes, options.partial(true))?;
        if decoded.replaces() {
            return self.merge_after_all(bytes, options);
        }
        self.tidy()?;
        // This is an upper bound for the cells of the arena, which grows while the fields are copied.
        let cells = 4 * (self.arena.cells.len() + decoded.arena.cells.len());
        if cells > MAX_CELLS || self.arena.more().text.len() + bytes.len() > i32::MAX as usize {
            let error = Error::limit(LimitError::Memory(4 * MAX_CELLS as u64));
            return Err(error.in_message(self.descriptor.full_name()));
        }
        let how = Copying { input: None, defaults: true };
        let (limits, _) = options.parts();
        copy(decoded.read(), &mut self.fill()?, how, limits.max_depth())
            .map_err(|error| error.in_message(decoded.descriptor.full_name()))
    }

    /// Merges by encoding the message, appending the new bytes, and decoding the whole. This is necessary if the new bytes set
    /// two fields of a oneof one after the other: the first field clears the old value of the second field. It is also
    /// necessary if a map key is not UTF-8, because such keys cannot be copied.
    #[cold]
    fn merge_after_all(&mut self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        let (limits, _) = options.parts();
        let mut all = self.encode_with(EncodeOptions::new().partial(true).limits(limits))?;
        all.extend_from_slice(bytes);
        let limits = limits.input(u64::MAX).memory(u64::MAX);
        *self = Self::decode_bytes_with(&self.descriptor, all.into(), options.limits(limits).partial(true))?;
        Ok(())
    }

    /// True if the encoded fields set several fields of one oneof one after the other, or have map keys that are not UTF-8.
    /// Merging this message then differs from merging the encoded fields.
    pub(crate) fn replaces(&self) -> bool {
        self.arena.replaces
    }

    /// Encodes the message.
    ///
    /// # Errors
    /// A required field has no value, messages nest deeper than 100 levels, or a length exceeds 2 GiB.
    pub fn encode_to_vec(&self) -> Result<Vec<u8>> {
        self.encode_with(EncodeOptions::new())
    }

    /// Encodes the message like [`encode_to_vec`](Self::encode_to_vec), with options.
    ///
    /// ```
    /// # use tobu::{Message, types::Struct};
    /// use tobu::{DynamicMessage, EncodeOptions};
    ///
    /// let message = DynamicMessage::from_json(&Struct::descriptor(), r#"{"b":true,"a":null}"#)?;
    /// let bytes = message.encode_with(EncodeOptions::new().deterministic(true))?;
    /// assert_eq!(bytes, b"\x0a\x07\x0a\x01a\x12\x02\x08\0\x0a\x07\x0a\x01b\x12\x02\x20\x01");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`encode_to_vec`](Self::encode_to_vec) would fail.
    pub fn encode_with(&self, options: EncodeOptions) -> Result<Vec<u8>> {
        let table = self.table();
        // The output is usually as long as the input. The last tag or varint is written as a whole word, which needs a few
        // bytes more.
        let size = match self.arena.input().len() {
            0 => table.learned_size(),
            input => input + 16,
        };
        let mut writer = Writer::append_to(Vec::with_capacity(size));
        writer.with_cursor(|cursor| self.write(table, cursor, options))?;
        let mut bytes = writer.take().map_err(|error| error.in_message(self.descriptor.full_name()))?;
        table.learn_size(bytes.len());
        if bytes.capacity() - bytes.len() > bytes.len().max(1024) {
            // Most of the input is not part of the message, because it was skipped or replaced.
            bytes.shrink_to_fit();
        }
        Ok(bytes)
    }

    /// Appends the encoded message to a buffer.
    ///
    /// # Errors
    /// Fails if [`encode_to_vec`](Self::encode_to_vec) would fail, or if the buffer has less room than the message takes.
    pub fn encode(&self, buf: &mut impl BufMut) -> Result<()> {
        EncodeOptions::new().to_buf(self, buf)
    }

    /// Appends the encoded message to a buffer, with its length before it.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// let mut buf = bytes::BytesMut::new();
    /// message.encode(&mut buf)?;
    /// message.encode_length_delimited(&mut buf)?;
    /// assert_eq!(buf[..], *b"\x0a\x02hi\x04\x0a\x02hi");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`encode`](Self::encode) would fail.
    pub fn encode_length_delimited(&self, buf: &mut impl BufMut) -> Result<()> {
        EncodeOptions::new().to_buf_delimited(self, buf)
    }

    /// Appends the encoded message to a vector. On an error the vector is unchanged.
    ///
    /// # Errors
    /// Fails if [`encode_to_vec`](Self::encode_to_vec) would fail.
    pub fn append(&self, bytes: &mut Vec<u8>, options: EncodeOptions) -> Result<()> {
        let start = bytes.len();
        let mut writer = Writer::append_to(std::mem::take(bytes));
        let written = writer.with_cursor(|cursor| self.write(self.table(), cursor, options));
        let whole;
        (*bytes, whole) = writer.take_or_truncate(start, written.is_ok());
        written.and(whole).map_err(|error| error.in_message(self.descriptor.full_name()))
    }

    /// Returns the number of bytes that [`encode_to_vec`](Self::encode_to_vec) would return.
    ///
    /// Counts the fields that are set even if a required field is missing. Returns 0 for a message that cannot be encoded,
    /// because it takes more than 2 GiB or is nested too deeply. To get an error for such a message, encode it or call
    /// [`tobu::encoded_len`](crate::encoded_len).
    pub fn encoded_len(&self) -> usize {
        EncodeOptions::len_or_zero(self)
    }

    /// Returns the number of bytes that [`encode_with`](Self::encode_with) would return.
    fn encoded_len_with(&self, options: EncodeOptions) -> Result<usize> {
        let mut count = Count::default();
        self.write(self.table(), &mut count, options)?;
        checked_len(count.0).map_err(|error| error.in_message(self.descriptor.full_name()))
    }

    fn write<O: Output>(&self, table: &Table, out: &mut O, options: EncodeOptions) -> Result<()> {
        let done = encode::encode(&self.arena, table, out, options);
        done.map_err(|error| error.in_message(self.descriptor.full_name()))
    }
}

/// Decodes bytes into an empty arena, and reuses the memory of the arena.
///
/// # Errors
/// Fails if [`DynamicMessage::decode`] would fail. The error names the message.
pub(super) fn decode_into(
    arena: &mut Arena,
    table: &Table,
    received: Received<'_>,
    options: &DecodeOptions,
) -> Result<()> {
    let (limits, partial) = options.parts();
    let (bytes, room) = match &received {
        Received::Small(bytes) => (*bytes, bytes.len()),
        Received::Shared(bytes) => (&**bytes, 0),
    };
    let max_memory = limits.max_memory(bytes.len() as u64);
    let mut decoder = Decoder::new(arena, table, bytes, room, max_memory, partial);
    if let Err(error) = decoder.whole(table, limits.max_depth()) {
        return Err(error.of_max_depth(limits.max_depth()).in_message(&table.full_name));
    }
    match received {
        Received::Small(bytes) => arena.copy_input(bytes),
        Received::Shared(bytes) => arena.input = Input::Shared(bytes),
    }
    Ok(())
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
    /// assert_eq!(book.to_json()?, r#"{"title":"Dune","genre":"GENRE_FICTION"}"#);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`json::from_str`] would fail.
    pub fn from_json(descriptor: &MessageDescriptor, text: &str) -> Result<Self> {
        Self::from_json_with(descriptor, text.as_bytes(), &json::Options::default())
    }

    /// Reads a message like [`from_json`](Self::from_json), from the bytes of a JSON text and with options.
    ///
    /// # Errors
    /// Fails if [`from_json`](Self::from_json) would fail.
    pub fn from_json_with(
        descriptor: &MessageDescriptor,
        text: &[u8],
        options: &json::Options,
    ) -> Result<Self> {
        let mut message = Self::new(descriptor)?;
        let settings = ParseSettings { options, borrowed: false, partial: options.partial };
        let parsed = json_codec::parse(message.fill()?.into(), Source::Bytes(text), settings);
        parsed.map_err(|error| error.in_message(descriptor.full_name()))?;
        message.compact_size = message.arena.size();
        Ok(message)
    }

    /// Writes the message as ProtoJSON. For other options, call [`json::Options::to_string`].
    ///
    /// # Errors
    /// Fails if [`json::to_string`] would fail.
    pub fn to_json(&self) -> Result<String> {
        json::Options::new().to_string(self)
    }
}

impl DynamicMessage {
    /// Reads a message of this type from the text format.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::DynamicMessage;
    ///
    /// let book = DynamicMessage::from_text(&descriptor, r#"title: "Dune" genre: GENRE_FICTION"#)?;
    /// assert_eq!(book.to_text()?, "title: \"Dune\"\ngenre: GENRE_FICTION\n");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`text::from_str`] would fail.
    pub fn from_text(descriptor: &MessageDescriptor, text: &str) -> Result<Self> {
        Self::from_text_with(descriptor, text.as_bytes(), &text::Options::default())
    }

    /// Reads a message like [`from_text`](Self::from_text), from the bytes of a text and with options.
    ///
    /// # Errors
    /// Fails if [`from_text`](Self::from_text) would fail.
    pub fn from_text_with(
        descriptor: &MessageDescriptor,
        text: &[u8],
        options: &text::Options,
    ) -> Result<Self> {
        let mut message = Self::new(descriptor)?;
        let settings = TextSettings { options, borrowed: false, partial: options.partial };
        let parsed = text_codec::parse(message.fill()?.into(), Source::Bytes(text), settings);
        let checked = parsed.and_then(|missing| text_codec::check(message.read().into(), missing));
        checked.map_err(|error| error.in_message(descriptor.full_name()))?;
        message.compact_size = message.arena.size();
        Ok(message)
    }

    /// Writes the message in the text format. For other options, call [`text::Options::to_string`].
    ///
    /// # Errors
    /// Fails if [`text::to_string`] would fail.
    pub fn to_text(&self) -> Result<String> {
        text::Options::new().to_string(self)
    }
}

impl sealed::Encode for DynamicMessage {
    fn to_wire(&self, options: &EncodeOptions) -> Result<Vec<u8>> {
        self.encode_with(*options)
    }

    fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        self.append(buf, *options)
    }

    fn wire_len(&self, options: &EncodeOptions) -> Result<usize> {
        self.encoded_len_with(*options)
    }

    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        json_codec::print(self.read().into(), options, buf)
    }

    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        text_codec::print(self.read().into(), options, text_codec::KNOWN, buf)
    }
}

impl sealed::Encode for dyn Reflect + '_ {
    fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        self.to_dynamic()?.append(buf, *options)
    }

    fn wire_len(&self, options: &EncodeOptions) -> Result<usize> {
        self.to_dynamic()?.encoded_len_with(*options)
    }

    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        self.to_dynamic()?.append_json(options, buf)
    }

    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        self.to_dynamic()?.append_text(options, buf)
    }
}
