//! Functions that read JSON.

use super::Options;
use crate::codec::Source;
use crate::codec::json::{ParseSettings, parse};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, LimitError, Result};
use crate::layout::Member;
use crate::message::{Merge, Message, described};
use crate::object::{RootMut, TypedMut, unmakable};
use crate::serde::{Input, Schema, read, read_direct};
use crate::table::Tabled;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::Read;

/// Reads a message from canonical JSON. Members such as `&str` borrow strings without escapes from the text.
///
/// ```
/// # use tobu::{Deserialize, Message};
/// #[derive(Debug, PartialEq, Message, Deserialize)]
/// struct Tag<'a> {
///     #[tobu(1)]
///     name: &'a str,
///     #[tobu(2)]
///     use_count: i64,
/// }
///
/// let tag = Tag { name: "new", use_count: 3 };
/// assert_eq!(tobu::json::from_str::<Tag>(r#"{"name": "new", "useCount": "3"}"#)?, tag);
/// assert_eq!(tobu::json::from_str::<Tag>(r#"{"use_count": 3e0, "name": "new"}"#)?, tag);
///
/// let error = tobu::json::from_str::<Tag>(r#"{"useCount": 0.5}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Tag.use_count: the field is an int64, but 0.5 is not an integer (at line 1 column 14)",
/// );
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/json/>.
///
/// # Errors
/// The text is malformed, or exceeds one of the default [`Limits`](crate::Limits). The text has an unknown field, an unknown
/// name of an enum value, a field twice, or a value that its field cannot hold. A required field is missing, the type of an
/// `Any` is not known, or the type and its schema do not fit together.
#[inline]
pub fn from_str<'de, T: Message + Deserialize<'de>>(text: &'de str) -> Result<T> {
    Options::new().from_str(text)
}

/// Reads a message from the bytes of a JSON text.
///
/// ```
/// # use tobu::types::Duration;
/// assert_eq!(tobu::json::from_slice::<Duration>(b"\"1.5s\"")?, Duration::new(1, 500_000_000));
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_str`] would fail, or if the bytes are not UTF-8.
#[inline]
pub fn from_slice<'de, T: Message + Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end, and parses the text as one message.
///
/// ```
/// # use tobu::types::StringValue;
/// let file: &[u8] = b"\"hi\"\n";
/// assert_eq!(tobu::json::from_reader::<StringValue>(file)?.value, "hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail, or if reading fails.
pub fn from_reader<T: Message + DeserializeOwned>(reader: impl Read) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Reads a message from JSON into an existing message. The new content replaces the old one, and allocations are reused where
/// possible. After an error, the message is empty.
///
/// ```
/// # use tobu::types::StringValue;
/// let mut message = StringValue::from("something long");
/// tobu::json::from_str_in_place(&mut message, "\"hi\"")?;
/// assert_eq!(message.value, "hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_str`] would fail.
pub fn from_str_in_place<'de, T: Message + Merge<'de>>(message: &mut T, text: &'de str) -> Result<()> {
    Options::new().from_str_in_place(message, text)
}

/// Reads a message from the bytes of a JSON text into an existing message, like [`from_str_in_place`].
///
/// # Errors
/// Fails if [`from_slice`] would fail.
pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(message: &mut T, bytes: &'de [u8]) -> Result<()> {
    Options::new().from_slice_in_place(message, bytes)
}

/// Merges the fields of a JSON text into a message, as [`tobu::merge`](crate::merge) merges encoded fields. Numbers and strings
/// are replaced, messages are merged, and lists and maps grow. Fields that are `null` or absent stay unchanged. After an error,
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
/// tobu::json::merge(&mut cart, r#"{"items": [2, 3], "owner": null}"#)?;
/// assert_eq!(cart, Cart { owner: "ann".into(), items: vec![1, 2, 3] });
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_str`] would fail, except that required fields may be missing.
pub fn merge<'de, T: Message + Merge<'de>>(message: &mut T, text: &'de str) -> Result<()> {
    Options::new().merge(message, text)
}

impl Options {
    /// Reads a message from a text.
    ///
    /// ```
    /// use tobu::json::Options;
    /// use tobu::types::Duration;
    /// # use tobu::{Deserialize, Message};
    /// #[derive(Debug, Message, Deserialize)]
    /// struct Job {
    ///     #[tobu(1)]
    ///     name: String,
    /// }
    ///
    /// let text = r#"{"name": "sweep", "retries": 3}"#;
    /// let error = Options::new().from_str::<Job>(text).unwrap_err();
    /// assert_eq!(error.to_string(), "Job: unknown field \"retries\" (at line 1 column 19)");
    /// assert_eq!(Options::new().ignore_unknown(true).from_str::<Job>(text)?.name, "sweep");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`json::from_str`](from_str) would fail with these options.
    #[inline]
    pub fn from_str<'de, T: Message + Deserialize<'de>>(&self, text: &'de str) -> Result<T> {
        self.read_message(Source::Text(text))
    }

    /// Reads a message from the bytes of a text.
    ///
    /// # Errors
    /// Fails if [`from_str`](Self::from_str) would fail, or if the bytes are not UTF-8.
    #[inline]
    pub fn from_slice<'de, T: Message + Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.read_message(Source::Bytes(bytes))
    }

    /// Reads a stream to its end, or to the limit of the input, and parses the text as one message.
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail, or if reading fails.
    pub fn from_reader<T: Message + DeserializeOwned>(&self, reader: impl Read) -> Result<T> {
        let (mut bytes, limit) = (Vec::new(), self.limits.max_input());
        let size = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64;
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        self.from_slice(&bytes)
    }

    /// Reads a message from JSON into an existing message. The new content replaces the old one, and allocations are reused
    /// where possible. After an error, the message is empty.
    ///
    /// # Errors
    /// Fails if [`from_str`](Self::from_str) would fail.
    pub fn from_str_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        text: &'de str,
    ) -> Result<()> {
        self.in_place(message, Source::Text(text))
    }

    /// Reads a message from the bytes of a JSON text into an existing message, like
    /// [`from_str_in_place`](Self::from_str_in_place).
    ///
    /// # Errors
    /// Fails if [`from_slice`](Self::from_slice) would fail.
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        self.in_place(message, Source::Bytes(bytes))
    }

    /// Merges the fields of a JSON text into a message, like [`json::merge`](merge).
    ///
    /// # Errors
    /// Fails if [`from_str`](Self::from_str) would fail, except that required fields may be missing.
    pub fn merge<'de, T: Message + Merge<'de>>(&self, message: &mut T, text: &'de str) -> Result<()> {
        let part = self.clone().partial(true);
        // The text is validated before the message is changed.
        let Some(mut scratch) = <T as Member>::empty() else { return Err(unmakable()) };
        part.fill(TypedMut::of(&mut scratch)?, Source::Text(text))?;
        part.fill(TypedMut::of(message)?, Source::Text(text))
    }

    fn in_place<'de, T: Message + Merge<'de>>(&self, message: &mut T, source: Source<'de>) -> Result<()> {
        TypedMut::of(message)?.clear_all();
        let done = self.fill(TypedMut::of(message)?, source);
        if done.is_err() {
            TypedMut::of(message)?.clear_all();
        }
        done
    }

    /// Merges a JSON text into a message. If a type borrows from the text, the caller ensures that the text outlives the
    /// message.
    fn fill(&self, message: TypedMut<'_, '_>, source: Source<'_>) -> Result<()> {
        parse(message.into(), source, ParseSettings { options: self, borrowed: true, partial: self.partial })
    }

    #[inline]
    fn read_message<'de, T: Message + Deserialize<'de>>(&self, source: Source<'de>) -> Result<T> {
        if T::DIRECT {
            return read_direct(|message| self.fill_root(RootMut::of(message), T::register, source));
        }
        self.read(Schema::Shape(described::<T>()), source)
    }

    /// Fills a message of any type with tobu's derive. `register` registers the .proto file of the type.
    #[inline(never)]
    fn fill_root(&self, message: RootMut<'_>, register: fn(), source: Source<'_>) -> Result<()> {
        let shape = message.shape_fn();
        let done = message.described(register).and_then(|message| self.fill(message, source));
        done.map_err(|error| Schema::name_of_root(error.of_max_depth(self.limits.max_depth()), shape))
    }

    /// Reads a value of any type that implements serde's `Deserialize`.
    pub(crate) fn read<'de, T: Deserialize<'de>>(
        &self,
        schema: Schema<'_>,
        source: Source<'de>,
    ) -> Result<T> {
        let mut fill = |message: TypedMut<'_, '_>| self.fill(message, source);
        match read(schema, Input::Json(source.bytes(), self), &mut fill) {
            Ok(value) => Ok(value),
            Err(error) => Err(schema.name(error.of_max_depth(self.limits.max_depth()))),
        }
    }
}

/// Reads a message of a descriptor into any type that implements serde's `Deserialize`.
pub(crate) fn decode<'de, T: Deserialize<'de>>(
    descriptor: &MessageDescriptor,
    text: &'de str,
    options: &Options,
) -> Result<T> {
    options.read(Schema::Table(descriptor.table()?), Source::Text(text))
}
