//! Converts between dynamic messages and Rust types, without encoding them.

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::message::dynamic::{DynamicMessage, Written};
use crate::message::{Message, described};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, ROOT};
use crate::object::{Copying, TypedMut, copy};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::{Input, Schema, read, write};
use crate::table::{Table, Tabled};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl DynamicMessage {
    /// Converts a message of a Rust type to a dynamic message.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, types::StringValue};
    /// let message = DynamicMessage::from_message(&StringValue::from("hi"))?;
    /// assert_eq!(message.encode_to_vec()?, b"\x0a\x02hi");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The type and its schema do not fit together, or messages nest deeper than 100 levels. Required fields are not
    /// checked.
    pub fn from_message<T: Message + Serialize>(message: &T) -> Result<Self> {
        let descriptor = described::<T>().descriptor()?;
        let mut dynamic = Self::new(descriptor)?;
        let options = EncodeOptions::new().partial(true);
        let schema = Schema::Shape(described::<T>());
        let how = Copying { input: None, defaults: false };
        let depth = Limits::default().max_depth();
        let mut written = Written::new(options);
        let done = write(message, schema, &mut written, &mut |message| {
            copy(message, &mut dynamic.fill()?, how, depth)
        });
        let done = done.and_then(|()| match written.is_begun() {
            true => {
                dynamic.arena = written.build(schema.table()?)?.into_arena();
                Ok(())
            }
            false => Ok(()),
        });
        done.map_err(|error| schema.name(error.of_max_depth(depth)))?;
        dynamic.compact_size = dynamic.arena.size();
        Ok(dynamic)
    }

    /// Converts the dynamic message to a Rust type for the same message type.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// assert_eq!(message.absorb::<StringValue>()?.value, "hi");
    ///
    /// let message = DynamicMessage::decode(&StringValue::descriptor(), b"\x0a\x02hi")?;
    /// let error = message.absorb::<tobu::types::BytesValue>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "google.protobuf.BytesValue: the dynamic message is a google.protobuf.StringValue"
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The Rust type is for another message type, its schema is from another pool and does not fit, or messages nest deeper
    /// than 100 levels. Required fields are not checked.
    pub fn absorb<T: Message + DeserializeOwned>(self) -> Result<T> {
        self.copied()
    }

    /// Converts the message to a Rust type like [`absorb`](Self::absorb), but does not consume the message.
    pub(crate) fn copied<T: Message + DeserializeOwned>(&self) -> Result<T> {
        let descriptor = described::<T>().descriptor()?;
        if *descriptor != self.descriptor {
            return self.converted(descriptor.table()?)?.absorb();
        }
        copied(&self.arena, self.table())
    }

    /// Converts the message to the same message type in another pool.
    #[cold]
    pub(crate) fn converted(&self, target: &Table) -> Result<DynamicMessage> {
        if self.descriptor.full_name() != &*target.full_name {
            let message = format!("the dynamic message is a {}", self.descriptor.full_name());
            return Err(Error::ty(message).in_message(&target.full_name));
        }
        let Some(descriptor) = target.descriptor() else {
            return Err(Error::schema("the schema is gone").in_message(&target.full_name));
        };
        let bytes = self.encode_with(EncodeOptions::new().partial(true))?;
        DynamicMessage::decode_bytes_with(&descriptor, bytes.into(), DecodeOptions::new().partial(true))
    }
}

/// Converts the message in an arena to its Rust type.
///
/// # Errors
/// Fails if [`DynamicMessage::absorb`] would fail.
pub(super) fn copied<T: Message + DeserializeOwned>(arena: &Arena, table: &Table) -> Result<T> {
    let schema = Schema::Shape(described::<T>());
    let depth = Limits::default().max_depth();
    let how = Copying { input: Some(arena.shared_input()), defaults: false };
    let from = MessageAt::new(arena, table, ROOT);
    let mut fill = |mut message: TypedMut<'_, '_>| copy(from, &mut message, how, depth);
    let read = read(schema, Input::Arena(arena), &mut fill);
    read.map_err(|error| schema.name(error.of_max_depth(depth)))
}
