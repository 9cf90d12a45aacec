//! One message of a described stream.

use super::Options;
use crate::MessageDescriptorExt;
use crate::descriptor::{MessageDescriptor, find_breaking};
use crate::error::{Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::{Message, described};
use serde::Deserialize;
use std::cell::RefCell;
use std::fmt;

pub(super) struct Type {
    descriptor: MessageDescriptor,
    /// The Rust types with which this type was compared. Each has the reason why messages of this type cannot be read into it,
    /// or `None` if they can.
    compared: RefCell<Vec<(MessageDescriptor, Option<Box<str>>)>>,
}

impl Type {
    pub(super) fn new(descriptor: MessageDescriptor) -> Self {
        Type { descriptor, compared: RefCell::default() }
    }

    pub(super) fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Checks that messages of this type can be read as messages of the type `reader`.
    fn check(&self, reader: &MessageDescriptor) -> Result<()> {
        let mut compared = self.compared.borrow_mut();
        let known = compared.iter().position(|(message, _)| message == reader);
        let known = known.unwrap_or_else(|| {
            compared.push((reader.clone(), find_breaking(&self.descriptor, reader).map(Into::into)));
            compared.len() - 1
        });
        match &compared[known].1 {
            None => Ok(()),
            Some(why) => {
                let text = format!("the message of the stream is not compatible: {why}");
                Err(Error::ty(text).in_message(reader.full_name()))
            }
        }
    }
}

/// An encoded message of a stream. You can decode the message several times, or not at all.
#[derive(Clone, Copy)]
pub struct Entry<'r> {
    ty: &'r Type,
    number: u64,
    bytes: &'r [u8],
    options: &'r Options,
}

impl<'r> Entry<'r> {
    pub(super) fn new(ty: &'r Type, number: u64, bytes: &'r [u8], options: &'r Options) -> Self {
        Entry { ty, number, bytes, options }
    }

    /// Returns the message type, as the stream declares it.
    pub fn descriptor(&self) -> &'r MessageDescriptor {
        &self.ty.descriptor
    }

    /// Returns the number of the message in the stream, from zero. Messages that were skipped count, too.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the encoded message.
    pub fn bytes(&self) -> &'r [u8] {
        self.bytes
    }

    /// Decodes the message by the schema of the stream. This works for any type of message.
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::decode`] would fail.
    pub fn to_dynamic(&self) -> Result<DynamicMessage> {
        DynamicMessage::decode_with(&self.ty.descriptor, self.bytes, self.options.decode)
    }

    /// Decodes the message into a Rust type with the same full name. The type may have another schema: fields that its
    /// schema does not have become unknown fields. The first call for a type checks whether the schemas are
    /// [compatible](crate::descriptor::compare).
    ///
    /// # Errors
    /// The type is another message, unless [`Options::renamed`] allows this. Or the schemas are not compatible: the
    /// message could not be read, or would change its meaning. Also the errors of [`from_slice`](crate::from_slice).
    pub fn read<T: Message + Deserialize<'r>>(&self) -> Result<T> {
        let reader = described::<T>().descriptor()?;
        if !self.options.renamed && reader.full_name() != self.ty.descriptor.full_name() {
            let text = format!("the message of the stream is a {}", self.ty.descriptor.full_name());
            return Err(Error::ty(text).in_message(reader.full_name()));
        }
        self.ty.check(reader)?;
        self.options.decode.from_slice(self.bytes)
    }

    /// Decodes the message into any type that serde can deserialize. The fields have their names in the stream's
    /// schema, as for [`MessageDescriptorExt::decode`].
    ///
    /// ```
    /// # use tobu::stream::described::{Reader, Writer};
    /// # let mut writer = Writer::new(Vec::new());
    /// # writer.write(&tobu::types::Duration::new(1, 0))?;
    /// # writer.finish()?;
    /// # let stream = writer.into_inner();
    /// let mut reader = Reader::new(&stream[..]);
    /// let entry = reader.next()?.unwrap();
    /// let tree: serde_json::Value = entry.decode()?;
    /// assert_eq!(tree, serde_json::json!({"seconds": 1}));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`MessageDescriptorExt::decode`] would fail.
    pub fn decode<T: Deserialize<'r>>(&self) -> Result<T> {
        self.ty.descriptor.decode_with(self.bytes, self.options.decode)
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ty, size) = (self.ty.descriptor.full_name(), self.bytes.len());
        f.debug_struct("Entry").field("number", &self.number).field("type", &ty).field("size", &size).finish()
    }
}
