//! Functions that read the text format.

use super::Options;
use crate::codec::Source;
use crate::codec::text::{ParseSettings, check, parse};
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

/// Reads a message from text. Members such as `&str` borrow from the text if the string has no escapes.
///
/// ```
/// # use tobu::{Deserialize, Message};
/// #[derive(Debug, PartialEq, Message, Deserialize)]
/// struct Tag<'a> {
///     #[tobu(1)]
///     name: &'a str,
///     #[tobu(2)]
///     counts: Vec<i64>,
/// }
///
/// let tag = Tag { name: "new", counts: vec![3, 255] };
/// assert_eq!(tobu::text::from_str::<Tag>(r#"name: "new" counts: [3, 0xff]"#)?, tag);
/// assert_eq!(tobu::text::from_str::<Tag>("counts: 3; counts: 0377; name: 'new'")?, tag);
///
/// let error = tobu::text::from_str::<Tag>("counts: 1\ncounts: 0.5").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Tag.counts[1]: the field is an int64, but 0.5 is not an integer (at line 2 column 9)",
/// );
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.
///
/// # Errors
/// The text is malformed, or exceeds one of the default [`Limits`](crate::Limits). The text names a field or an enum value that
/// the schema does not have, or has a value that its field cannot hold. The text has a singular field twice, or two fields of a
/// oneof. A required field is missing, the type of an `Any` is not known, or the type and its schema do not fit together.
#[inline]
pub fn from_str<'de, T: Message + Deserialize<'de>>(text: &'de str) -> Result<T> {
    Options::new().from_str(text)
}

/// Reads a message from the bytes of a text.
///
/// ```
/// # use tobu::types::Duration;
/// assert_eq!(tobu::text::from_slice::<Duration>(b"seconds: 1")?, Duration::new(1, 0));
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_str`] would fail, or if a string is not UTF-8.
#[inline]
pub fn from_slice<'de, T: Message + Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end and parses the text as one message.
///
/// ```
/// # use tobu::types::StringValue;
/// let file: &[u8] = b"value: 'hi'\n";
/// assert_eq!(tobu::text::from_reader::<StringValue>(file)?.value, "hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_slice`] would fail, or if reading fails.
pub fn from_reader<T: Message + DeserializeOwned>(reader: impl Read) -> Result<T> {
    Options::new().from_reader(reader)
}

/// Merges the fields of a text into a message, as [`tobu::merge`](crate::merge) does for encoded fields: scalars are replaced,
/// messages are merged, lists and maps grow. On an error the message is unchanged.
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
/// tobu::text::merge(&mut cart, "items: [2, 3]")?;
/// assert_eq!(cart, Cart { owner: "ann".into(), items: vec![1, 2, 3] });
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`from_str`] would fail, but does not check required fields.
pub fn merge<'de, T: Message + Merge<'de>>(message: &mut T, text: &'de str) -> Result<()> {
    Options::new().merge(message, text)
}

impl Options {
    /// Reads a message from a text.
    ///
    /// ```
    /// use tobu::text::Options;
    /// # use tobu::{Deserialize, Message};
    /// #[derive(Debug, Message, Deserialize)]
    /// struct Job {
    ///     #[tobu(1)]
    ///     name: String,
    /// }
    ///
    /// let text = "name: 'sweep' retries: 3";
    /// let error = Options::new().from_str::<Job>(text).unwrap_err();
    /// assert_eq!(error.to_string(), "Job: unknown field \"retries\" (at line 1 column 15)");
    /// assert_eq!(Options::new().ignore_unknown(true).from_str::<Job>(text)?.name, "sweep");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`text::from_str`](from_str) would fail with these options.
    #[inline]
    pub fn from_str<'de, T: Message + Deserialize<'de>>(&self, text: &'de str) -> Result<T> {
        self.read_message(Source::Text(text))
    }

    /// Reads a message from the bytes of a text.
    ///
    /// # Errors
    /// Fails if [`from_str`](Self::from_str) would fail, or if a string is not UTF-8.
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

    /// Merges the fields of a text into a message, as [`text::merge`](merge) does.
    ///
    /// # Errors
    /// Fails if [`from_str`](Self::from_str) would fail, but does not check required fields.
    pub fn merge<'de, T: Message + Merge<'de>>(&self, message: &mut T, text: &'de str) -> Result<()> {
        let part = self.clone().partial(true);
        // The text is validated before the message is changed.
        let Some(mut scratch) = <T as Member>::empty() else { return Err(unmakable()) };
        part.fill(TypedMut::of(&mut scratch)?, Source::Text(text))?;
        part.fill(TypedMut::of(message)?, Source::Text(text))
    }

    #[inline]
    fn read_message<'de, T: Message + Deserialize<'de>>(&self, source: Source<'de>) -> Result<T> {
        if T::DIRECT {
            return read_direct(|message| self.fill_root(RootMut::of(message), T::register, source));
        }
        self.read(Schema::Shape(described::<T>()), source)
    }

    /// Reads a value of any type that implements `Deserialize`.
    fn read<'de, T: Deserialize<'de>>(&self, schema: Schema<'_>, source: Source<'de>) -> Result<T> {
        let mut fill = |message: TypedMut<'_, '_>| self.fill(message, source);
        read(schema, Input::Text(source.bytes(), self), &mut fill)
            .map_err(|error| schema.name(error.of_max_depth(self.limits.max_depth())))
    }

    /// Fills a message whose Rust type has tobu's derives. `register` registers the file of the type.
    #[inline(never)]
    fn fill_root(&self, message: RootMut<'_>, register: fn(), source: Source<'_>) -> Result<()> {
        let shape = message.shape_fn();
        let done = message.described(register).and_then(|message| self.fill(message, source));
        done.map_err(|error| Schema::name_of_root(error.of_max_depth(self.limits.max_depth()), shape))
    }

    /// Merges a text into a message. If the type of the message borrows, the caller ensures that it borrows for the lifetime of
    /// the text.
    fn fill(&self, mut message: TypedMut<'_, '_>, source: Source<'_>) -> Result<()> {
        let settings = ParseSettings { options: self, borrowed: true, partial: self.partial };
        let missing = parse(message.reborrow().into(), source, settings)?;
        check(message.read().into(), missing)
    }
}

/// Reads a message of the type `descriptor` into any type that serde can deserialize.
pub(crate) fn decode<'de, T: Deserialize<'de>>(
    descriptor: &MessageDescriptor,
    text: &'de str,
    options: &Options,
) -> Result<T> {
    let schema = Schema::Table(descriptor.table()?);
    let mut fill = |message: TypedMut<'_, '_>| options.fill(message, Source::Text(text));
    match read(schema, Input::Text(text.as_bytes(), options), &mut fill) {
        Ok(value) => Ok(value),
        Err(error) => Err(schema.name(error.of_max_depth(options.limits.max_depth()))),
    }
}
