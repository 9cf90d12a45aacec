//! Functions that write JSON.

use super::Options;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::serde::Schema;
use crate::serde::encode::{Encode, json_string};
use crate::table::Tabled;
use serde::Serialize;
use std::io::Write;

/// Writes a message as JSON.
///
/// ```
/// # use tobu::{Message, Serialize};
/// #[derive(Message, Serialize)]
/// struct Account {
///     #[tobu(1)]
///     owner_name: String,
///     #[tobu(2)]
///     balance: i64,
/// }
///
/// let account = Account { owner_name: "Ann".into(), balance: -5 };
/// assert_eq!(tobu::json::to_string(&account)?, r#"{"ownerName":"Ann","balance":"-5"}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// A required field has no value, messages are nested deeper than 100 levels, or the type and its schema do not fit together. A
/// value has no JSON form, for example a timestamp out of range, a field mask that does not round-trip, or an `Any` of an
/// unknown type.
pub fn to_string<M: Encode + ?Sized>(message: &M) -> Result<String> {
    Options::default().to_string(message)
}

/// Writes a message as JSON of several lines, indented by two spaces.
///
/// ```
/// # use tobu::types::{Duration, Struct, Value};
/// let settings: Struct = [("depth", Value::from(3)), ("names", Value::from(["a"]))].into_iter().collect();
/// assert_eq!(
///     tobu::json::to_string_pretty(&settings)?,
///     "{\n  \"depth\": 3,\n  \"names\": [\n    \"a\"\n  ]\n}"
/// );
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_string`] would fail.
pub fn to_string_pretty<M: Encode + ?Sized>(message: &M) -> Result<String> {
    Options::default().pretty(true).to_string(message)
}

/// Writes a message as JSON to bytes.
///
/// ```
/// # use tobu::types::BoolValue;
/// assert_eq!(tobu::json::to_vec(&BoolValue::new(true))?, b"true");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_string`] would fail.
pub fn to_vec<M: Encode + ?Sized>(message: &M) -> Result<Vec<u8>> {
    Options::default().to_vec(message)
}

/// Writes a message as JSON to a stream. If the message has an error, nothing is written.
///
/// ```
/// # use tobu::types::Duration;
/// let mut file = Vec::new();
/// tobu::json::to_writer(&Duration::new(1, 500_000_000), &mut file)?;
/// assert_eq!(file, b"\"1.500s\"");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`to_string`] would fail, or if writing fails.
pub fn to_writer<M: Encode + ?Sized>(message: &M, writer: impl Write) -> Result<()> {
    Options::default().to_writer(message, writer)
}

impl Options {
    /// Writes a message as JSON.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn to_string<M: Encode + ?Sized>(&self, message: &M) -> Result<String> {
        message.to_json(self)
    }

    /// Writes a message as JSON to bytes.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn to_vec<M: Encode + ?Sized>(&self, message: &M) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        message.append_json(self, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends a message as JSON to a vector. After an error, the vector is unchanged.
    ///
    /// ```
    /// use tobu::json;
    /// use tobu::types::Duration;
    ///
    /// let mut line = b"event: ".to_vec();
    /// json::Options::new().append(&Duration::new(1, 0), &mut line)?;
    /// assert_eq!(line, b"event: \"1s\"");
    ///
    /// let error = json::Options::new().append(&Duration::new(1, -1), &mut line).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "google.protobuf.Duration: 1 seconds and -1 nanoseconds of a duration have different signs"
    /// );
    /// assert_eq!(line, b"event: \"1s\"");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail.
    pub fn append<M: Encode + ?Sized>(&self, message: &M, bytes: &mut Vec<u8>) -> Result<()> {
        message.append_json(self, bytes)
    }

    /// Writes a message as JSON to a stream. If the message has an error, nothing is written.
    ///
    /// # Errors
    /// Fails if [`to_string`] would fail, or if writing fails.
    pub fn to_writer<M: Encode + ?Sized>(&self, message: &M, mut writer: impl Write) -> Result<()> {
        Ok(writer.write_all(&self.to_vec(message)?)?)
    }
}

/// Writes any value that implements serde's `Serialize`, as the message of a descriptor.
pub(crate) fn encode<T: Serialize + ?Sized>(
    descriptor: &MessageDescriptor,
    value: &T,
    options: &Options,
) -> Result<String> {
    json_string(Schema::Table(descriptor.table()?), value, options)
}
