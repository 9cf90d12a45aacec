//! Methods that encode and decode parsed messages.

use crate::codec::json as json_codec;
use crate::codec::text as text_codec;
use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::parsed::{Parsed, Untyped};
use crate::message::{Message, described};
use crate::object::arena::content::Received;
use crate::object::arena::encode;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::{checked_len, sealed};
use crate::table::{Table, Tabled};
use crate::verbs::copy::copied;
use crate::verbs::delimited;
use crate::verbs::dynamic::decode_into;
use crate::wire::{Count, Writer};
use crate::{json, text};
use bytes::{Buf, BufMut, Bytes};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl<T: Message> Parsed<T> {
    /// Decodes a message. The bytes are copied once.
    ///
    /// ```
    /// # use tobu_schemas::library::v1::Book;
    /// use tobu::Parsed;
    ///
    /// let book = Parsed::<Book>::decode(b"\x0a\x04Dune")?;
    /// assert_eq!(book.get().title(), "Dune");
    ///
    /// let error = Parsed::<Book>::decode(b"\x0a\x05Dune").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "library.v1.Book.title: length of 5 bytes, but only 4 bytes are left (at byte 2)"
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes are malformed or exceed one of the default [`Limits`](crate::Limits), a required field is missing, or a string
    /// is not UTF-8, even if the schema does not require UTF-8.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::decode_with(bytes, DecodeOptions::new())
    }

    /// Decodes a message from shared bytes. Its strings and byte strings share the input, so nothing is copied.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes(bytes: Bytes) -> Result<Self> {
        Self::decode_bytes_with(bytes, DecodeOptions::new())
    }

    /// Decodes a message from all remaining bytes of a buffer. [`Bytes`] and similar buffers are shared. Other buffers are
    /// copied once.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_buf(buf: impl Buf) -> Result<Self> {
        Self::decode_buf_with(buf, DecodeOptions::new())
    }

    /// Decodes a message that has its length before it. The buffer advances past the message.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail, if the buffer has no complete length, or if it has fewer bytes than the
    /// length says.
    pub fn decode_length_delimited(buf: impl Buf) -> Result<Self> {
        let name = |error: crate::Error| error.in_message(T::shape().rust_name());
        Self::decode_buf(delimited(buf).map_err(name)?)
    }

    /// Decodes a message like [`decode`](Self::decode), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_with(bytes: &[u8], options: DecodeOptions) -> Result<Self> {
        Self::check_input(bytes.len(), options)?;
        Self::decode_checked(bytes.into(), options)
    }

    /// Decodes a message like [`decode_bytes`](Self::decode_bytes), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes_with(bytes: Bytes, options: DecodeOptions) -> Result<Self> {
        Self::check_input(bytes.len(), options)?;
        Self::decode_checked(Received::Shared(bytes), options)
    }

    /// Decodes a message like [`decode_buf`](Self::decode_buf), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_buf_with(mut buf: impl Buf, options: DecodeOptions) -> Result<Self> {
        let size = buf.remaining();
        Self::check_input(size, options)?;
        Self::decode_checked(Received::Shared(buf.copy_to_bytes(size)), options)
    }

    /// Decodes bytes whose number the caller has checked against the limit.
    #[inline]
    pub(crate) fn decode_checked(received: Received<'_>, options: DecodeOptions) -> Result<Self> {
        let mut message = Parsed::EMPTY;
        message.fill(received, options)?;
        Ok(message)
    }

    /// Returns the table with which the decoder checks all strings, even if the schema does not require UTF-8.
    ///
    /// # Errors
    /// The schema of the type is not valid.
    #[inline]
    fn table() -> Result<&'static Table> {
        Ok(described::<T>().descriptor()?.table()?.checked())
    }

    /// Checks the size of the input.
    ///
    /// # Errors
    /// The input is larger than the limit.
    pub(crate) fn check_input(size: usize, options: DecodeOptions) -> Result<()> {
        options.check_input(size).map_err(|error| match described::<T>().descriptor() {
            Ok(descriptor) => error.in_message(descriptor.full_name()),
            Err(_) => error,
        })
    }

    /// Decodes into an empty message, whose memory may come from a pool.
    #[inline]
    pub(crate) fn fill(&mut self, received: Received<'_>, options: DecodeOptions) -> Result<()> {
        self.filled(|arena| decode_into(arena, Self::table()?, received, &options))
    }

    /// Encodes the message.
    ///
    /// # Errors
    /// A required field has no value, messages nest deeper than 100 levels, or a length exceeds 2 GiB.
    pub fn encode_to_vec(&self) -> Result<Vec<u8>> {
        sealed::Encode::to_wire(self, &EncodeOptions::new())
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
    /// # Errors
    /// Fails if [`encode`](Self::encode) would fail.
    pub fn encode_length_delimited(&self, buf: &mut impl BufMut) -> Result<()> {
        EncodeOptions::new().to_buf_delimited(self, buf)
    }

    /// Returns the number of bytes of the encoded message.
    ///
    /// Counts the fields that are set even if a required field is missing. Returns 0 for a message that cannot be encoded,
    /// because it takes more than 2 GiB or is nested too deeply. To get an error for such a message, encode it or call
    /// [`tobu::encoded_len`](crate::encoded_len).
    pub fn encoded_len(&self) -> usize {
        EncodeOptions::len_or_zero(self)
    }

    /// Parses a message from ProtoJSON.
    ///
    /// ```
    /// # use tobu_schemas::library::v1::{Book, Genre};
    /// let book = tobu::Parsed::<Book>::from_json(r#"{"title": "Dune", "genre": "GENRE_FICTION"}"#)?;
    /// assert_eq!(book.get().genre(), Genre::FICTION);
    /// assert_eq!(book.to_text()?, "title: \"Dune\"\ngenre: GENRE_FICTION\n");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`json::from_str`] would fail.
    pub fn from_json(text: &str) -> Result<Self> {
        Self::from_json_with(text.as_bytes(), &json::Options::default())
    }

    /// Parses a message like [`from_json`](Self::from_json), from the bytes of a JSON text and with options.
    ///
    /// # Errors
    /// Fails if [`json::from_str`] would fail.
    pub fn from_json_with(text: &[u8], options: &json::Options) -> Result<Self> {
        DynamicMessage::from_json_with(described::<T>().descriptor()?, text, options)?.try_into()
    }

    /// Writes the message as ProtoJSON.
    ///
    /// # Errors
    /// Fails if [`json::to_string`] would fail.
    pub fn to_json(&self) -> Result<String> {
        json::to_string(self)
    }

    /// Parses a message from the text format.
    ///
    /// # Errors
    /// Fails if [`text::from_str`] would fail, or if a string is not UTF-8, even if the schema does not require UTF-8.
    pub fn from_text(text: &str) -> Result<Self> {
        Self::from_text_with(text.as_bytes(), &text::Options::default())
    }

    /// Parses a message like [`from_text`](Self::from_text), from the bytes of a text and with options.
    ///
    /// # Errors
    /// Fails if [`from_text`](Self::from_text) would fail.
    pub fn from_text_with(text: &[u8], options: &text::Options) -> Result<Self> {
        DynamicMessage::from_text_with(described::<T>().descriptor()?, text, options)?.try_into()
    }

    /// Writes the message in the text format.
    ///
    /// # Errors
    /// Fails if [`text::to_string`] would fail.
    pub fn to_text(&self) -> Result<String> {
        text::to_string(self)
    }

    /// Converts a message of the Rust type to a parsed message.
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::from_message`] would fail.
    pub fn from_message(message: &T) -> Result<Self>
    where
        T: Serialize,
    {
        DynamicMessage::from_message(message)?.try_into()
    }

    /// Converts the parsed message to the Rust type.
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::absorb`] would fail.
    pub fn to_message(&self) -> Result<T>
    where
        T: DeserializeOwned,
    {
        copied(self.arena(), Self::table()?)
    }
}

impl<T: Message> sealed::Encode for Parsed<T> {
    fn to_wire(&self, options: &EncodeOptions) -> Result<Vec<u8>> {
        // A message usually takes as many bytes as the input from which it was decoded. The last tag or varint is written as a
        // whole word, which needs a few bytes more.
        let mut bytes = Vec::with_capacity(self.arena().input().len() + 16);
        self.append_wire(options, &mut bytes)?;
        Ok(bytes)
    }

    fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        self.untyped().append_wire(options, buf)
    }

    fn wire_len(&self, options: &EncodeOptions) -> Result<usize> {
        self.untyped().wire_len(options)
    }

    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        self.untyped().append_json(options, buf)
    }

    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        self.untyped().append_text(options, buf)
    }
}

impl sealed::Encode for Untyped<'_> {
    fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        let start = buf.len();
        let mut writer = Writer::append_to(std::mem::take(buf));
        let written = writer.with_cursor(|cursor| encode::encode_at(self.0, cursor, *options));
        let whole;
        (*buf, whole) = writer.take_or_truncate(start, written.is_ok());
        written.and(whole).map_err(|error| error.in_message(&self.0.table.full_name))
    }

    fn wire_len(&self, options: &EncodeOptions) -> Result<usize> {
        let mut count = Count::default();
        let counted = encode::encode_at(self.0, &mut count, *options).and_then(|()| checked_len(count.0));
        counted.map_err(|error| error.in_message(&self.0.table.full_name))
    }

    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        json_codec::print(self.0.into(), options, buf)
    }

    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        text_codec::print(self.0.into(), options, text_codec::KNOWN, buf)
    }
}
