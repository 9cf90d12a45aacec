//! Methods of [`Reflect`] that encode messages, and that merge encoded fields into messages.

use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::algebra::{Merging, in_place, merge_into};
use crate::message::reflect::{Reflect, ValueMut};
use crate::object::arena::view::MessageAt;
use crate::object::{Field, Object, ObjectAt};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::{json, text};
use bytes::BufMut;

impl<'a> dyn Reflect + 'a {
    /// Encodes the message, like [`to_vec`](crate::to_vec).
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let duration = Duration::new(1, 0);
    /// let message = duration.as_reflect();
    /// assert_eq!(message.encode_to_vec()?, [0x08, 0x01]);
    /// assert_eq!(message.to_json()?, "\"1s\"");
    /// assert_eq!(message.to_text()?, "seconds: 1\n");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    pub fn encode_to_vec(&self) -> Result<Vec<u8>> {
        EncodeOptions::new().to_vec(self)
    }

    /// Appends the encoded message to a buffer, like [`to_buf`](crate::to_buf).
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let (duration, mut buf) = (Duration::new(1, 0), Vec::new());
    /// let message = duration.as_reflect();
    /// message.encode(&mut buf)?;
    /// message.encode_length_delimited(&mut buf)?;
    /// assert_eq!(buf, [0x08, 0x01, 2, 0x08, 0x01]);
    /// assert_eq!(message.encoded_len(), 2);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_buf`](crate::to_buf) would fail.
    pub fn encode(&self, buf: &mut impl BufMut) -> Result<()> {
        EncodeOptions::new().to_buf(self, buf)
    }

    /// Appends the encoded message to a buffer, with its length before it, like [`to_buf_delimited`](crate::to_buf_delimited).
    ///
    /// # Errors
    /// Fails if [`to_buf`](crate::to_buf) would fail.
    pub fn encode_length_delimited(&self, buf: &mut impl BufMut) -> Result<()> {
        EncodeOptions::new().to_buf_delimited(self, buf)
    }

    /// Returns the number of bytes of the message in the wire format.
    ///
    /// Counts the fields that are set even if a required field is missing. Returns 0 for a message that cannot be encoded,
    /// because it takes more than 2 GiB or is nested too deeply. To get an error for such a message, encode it or call
    /// [`tobu::encoded_len`](crate::encoded_len).
    pub fn encoded_len(&self) -> usize {
        EncodeOptions::len_or_zero(self)
    }

    /// Merges encoded fields into the message, like [`merge`](crate::merge). If the bytes are not valid, the message is
    /// unchanged. Unknown fields are dropped if the Rust type has no member for them.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let mut duration = Duration::new(1, 5);
    /// duration.as_reflect_mut().merge(&[0x08, 0x00])?;
    /// assert_eq!(duration, Duration::new(0, 5));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::decode`] would fail, but does not check required fields. Also fails if a member of a typed
    /// message borrows and cannot be set. Then the fields before this member are already merged.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        let options = DecodeOptions::new().partial(true);
        let part = DynamicMessage::decode_with(&self.descriptor(), bytes, options)?;
        if !part.replaces() {
            return merge_part(self, &part);
        }
        let mut whole = self.to_dynamic()?;
        whole.merge_with(bytes, options)?;
        self.clear_all();
        merge_part(self, &whole)
    }

    /// Writes the message as ProtoJSON, like [`json::to_string`].
    ///
    /// # Errors
    /// Fails if [`json::to_string`] would fail.
    pub fn to_json(&self) -> Result<String> {
        json::Options::new().to_string(self)
    }

    /// Writes the message in the text format, like [`text::to_string`].
    ///
    /// # Errors
    /// Fails if [`text::to_string`] would fail.
    pub fn to_text(&self) -> Result<String> {
        text::Options::new().to_string(self)
    }

    /// Merges the fields of a JSON text into the message, like [`json::merge`]. If the text is not valid, the message is
    /// unchanged.
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
    /// Fails if [`json::from_str`] would fail, but does not check required fields. Also fails if a member of a typed message
    /// borrows and cannot be set. Then the fields before this member are already merged.
    pub fn merge_json(&mut self, text: &str, options: &json::Options) -> Result<()> {
        let partial = options.clone().partial(true);
        let part = DynamicMessage::from_json_with(&self.descriptor(), text.as_bytes(), &partial)?;
        merge_part(self, &part)
    }

    /// Merges the fields of a text in the text format into the message, like [`text::merge`]. If the text is not valid, the
    /// message is unchanged.
    ///
    /// ```
    /// use tobu::{Message, text, types::Duration};
    ///
    /// let mut duration = Duration::new(1, 0);
    /// duration.as_reflect_mut().merge_text("nanos: 5", &text::Options::new())?;
    /// assert_eq!(duration, Duration::new(1, 5));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`text::from_str`] would fail, but does not check required fields. Also fails if a member of a typed message
    /// borrows and cannot be set. Then the fields before this member are already merged.
    pub fn merge_text(&mut self, text: &str, options: &text::Options) -> Result<()> {
        let partial = options.clone().partial(true);
        let part = DynamicMessage::from_text_with(&self.descriptor(), text.as_bytes(), &partial)?;
        merge_part(self, &part)
    }
}

/// Merges `part`, which was decoded or parsed, into another message.
fn merge_part(into: &mut dyn Reflect, part: &DynamicMessage) -> Result<()> {
    merge_into(into, part, Merging::as_decoded())
        .map_err(|error| error.within_message(part.descriptor().full_name()))?;
    clear_defaults(into, part.read())
}

/// Clears the fields that occurred in the input with their default value. Such a field does not count as set in `part`, so
/// merging does not change it.
fn clear_defaults(into: &mut dyn Reflect, part: MessageAt<'_>) -> Result<()> {
    let descriptor = into.descriptor();
    for row in &part.table().rows {
        let field = || descriptor.field_by_number(row.number);
        match part.get_decoded(row)? {
            Some(Field::Scalar(_) | Field::Text(_)) if part.get(row)?.is_none() => {
                field().map_or(Ok(()), |field| into.clear(&field))?;
            }
            Some(Field::Message(message)) => {
                if let Some(field) = field() {
                    in_place(into, &field, |into| match into.get_mut(&field)? {
                        ValueMut::Message(mut inner) => clear_defaults(&mut *inner, message),
                        ValueMut::List(_) | ValueMut::Map(_) => Ok(()),
                    })?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
