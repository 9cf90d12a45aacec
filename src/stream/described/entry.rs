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

/// A type of a stream.
pub(super) struct Type {
    descriptor: MessageDescriptor,
    /// The Rust types that it was compared with, and why it cannot be read into them.
    compared: RefCell<Vec<(MessageDescriptor, Option<Box<str>>)>>,
}

impl Type {
    pub(super) fn new(descriptor: MessageDescriptor) -> Self {
        Type { descriptor, compared: RefCell::default() }
    }

    pub(super) fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Fails if messages of this type cannot be read as messages of the other type.
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

/// A message of a stream, not decoded yet. It can be decoded several times, or not at all.
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

    /// The message type, as the stream declares it.
    pub fn descriptor(&self) -> &'r MessageDescriptor {
        &self.ty.descriptor
    }

    /// The number of the message in the stream, from zero; messages that were skipped count.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The encoded message.
    pub fn bytes(&self) -> &'r [u8] {
        self.bytes
    }

    /// Decodes the message by the schema of the stream, for any type.
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::decode`] would fail.
    pub fn to_dynamic(&self) -> Result<DynamicMessage> {
        DynamicMessage::decode_with(&self.ty.descriptor, self.bytes, self.options.decode)
    }

    /// Decodes the message into a Rust type of the same full name, whose own schema may differ: fields that it does
    /// not have become its unknown fields. Whether the schemas are [compatible](crate::descriptor::compare) is
    /// checked once.
    ///
    /// # Errors
    /// The type is another message, unless [`Options::renamed`] allows it; or the schemas differ so that the message
    /// could not be read, or would change its meaning. Also the errors of [`from_slice`](crate::from_slice).
    pub fn read<T: Message + Deserialize<'r>>(&self) -> Result<T> {
        let reader = described::<T>().descriptor()?;
        if !self.options.renamed && reader.full_name() != self.ty.descriptor.full_name() {
            let text = format!("the message of the stream is a {}", self.ty.descriptor.full_name());
            return Err(Error::ty(text).in_message(reader.full_name()));
        }
        self.ty.check(reader)?;
        self.options.decode.from_slice(self.bytes)
    }

    /// Decodes the message into any type that serde can deserialize, by the names of the stream's schema, as
    /// [`MessageDescriptorExt::decode`] does.
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
