//! Functions that write the text format.

use super::Options;
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::serde::Schema;
use crate::serde::encode::{Encode, append_text};
use crate::table::Tabled;
use crate::wire::into_utf8;
use serde::Serialize;
use std::io::Write;

/// Writes a message as text: each field on its own line, inner fields indented by two spaces.
///
/// ```
/// # use tobu::{Message, Serialize};
/// #[derive(Message, Serialize)]
/// struct Account {
///     #[tobu(1)]
///     owner: String,
///     #[tobu(2)]
///     limits: Vec<i64>,
/// }
///
/// let account = Account { owner: "Ann".into(), limits: vec![-5, 5] };
/// assert_eq!(tobu::text::to_string(&account)?, "owner: \"Ann\"\nlimits: -5\nlimits: 5\n");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.
///
/// # Errors
/// A required field has no value, messages nest deeper than 100 levels, a string that must be UTF-8 is not, or the type and its
/// schema do not fit together.
pub fn to_string<M: Encode + ?Sized>(message: &M) -> Result<String> {
    Options::default().to_string(message)
}

/// Writes a message as text into a byte vector.
///
/// ```
/// # use tobu::types::BoolValue;
/// assert_eq!(tobu::text::to_vec(&BoolValue::new(true))?, b"value: true\n");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_string`] would fail.
pub fn to_vec<M: Encode + ?Sized>(message: &M) -> Result<Vec<u8>> {
    Options::default().to_vec(message)
}

/// Writes a message as text to a stream. If the message cannot be written as text, nothing is written to the stream.
///
/// ```
/// # use tobu::types::Duration;
/// let mut file = Vec::new();
/// tobu::text::to_writer(&Duration::new(1, 500), &mut file)?;
/// assert_eq!(file, b"seconds: 1\nnanos: 500\n");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_string`] would fail, or if writing fails.
pub fn to_writer<M: Encode + ?Sized>(message: &M, writer: impl Write) -> Result<()> {
    Options::default().to_writer(message, writer)
}

impl Options {
    /// Writes a message as text.
    ///
    /// ```
    /// use tobu::text::Options;
    /// use tobu::types::{Any, Duration};
    ///
    /// let options = Options::new().one_line(true);
    /// let any = Any::pack(&Duration::new(5, 0))?;
    /// assert_eq!(options.to_string(&any)?, "[type.googleapis.com/google.protobuf.Duration] { seconds: 5 }");
    /// assert_eq!(
    ///     options.expand_any(false).to_string(&any)?,
    ///     r#"type_url: "type.googleapis.com/google.protobuf.Duration" value: "\010\005""#,
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn to_string<M: Encode + ?Sized>(&self, message: &M) -> Result<String> {
        text(self.to_vec(message)?)
    }

    /// Writes a message as text into a byte vector.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn to_vec<M: Encode + ?Sized>(&self, message: &M) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        message.append_text(self, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends a message as text to a vector. On an error the vector is unchanged.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn append<M: Encode + ?Sized>(&self, message: &M, bytes: &mut Vec<u8>) -> Result<()> {
        message.append_text(self, bytes)
    }

    /// Writes a message as text to a stream. If the message cannot be written as text, nothing is written to the stream.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail, or if writing fails.
    pub fn to_writer<M: Encode + ?Sized>(&self, message: &M, mut writer: impl Write) -> Result<()> {
        Ok(writer.write_all(&self.to_vec(message)?)?)
    }
}

/// Writes a value as a message of the type `descriptor`. The value may have any type that serde can serialize.
pub(crate) fn encode<T: Serialize + ?Sized>(
    descriptor: &MessageDescriptor,
    value: &T,
    options: &Options,
) -> Result<String> {
    let mut bytes = Vec::new();
    append_text(Schema::Table(descriptor.table()?), value, options, &mut bytes)?;
    text(bytes)
}

/// Converts the printed bytes to a string. They are UTF-8, because the printer escapes or rejects a string that is not UTF-8.
fn text(bytes: Vec<u8>) -> Result<String> {
    into_utf8(bytes).map_err(|_| Error::ty("the text is not valid UTF-8"))
}
