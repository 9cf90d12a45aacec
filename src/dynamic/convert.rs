//! Between dynamic messages and Rust types, in one pass, with no bytes in between.

use super::DynamicMessage;
use super::arena::{Arena, ROOT};
use super::sink::Filler;
use super::source::Walker;
use crate::de::{Decoder, MessageDeserializer, STACK};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::member::sharing;
use crate::message::{Message, plans};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::plan::MessagePlan;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

impl DynamicMessage {
    /// Converts a message of a Rust type.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, types::StringValue};
    /// let message = DynamicMessage::from_message(&StringValue::from("hi"))?;
    /// assert_eq!(message.encode()?, b"\x0a\x02hi");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The type and its schema do not fit together, or messages nest deeper than 100 levels. Required fields are not
    /// asked for.
    pub fn from_message<T: Message + Serialize>(message: &T) -> Result<Self> {
        let bound = plans::<T>()?;
        let descriptor = T::shape().descriptor()?;
        let own = descriptor.plans()?;
        let arena = Arena::new(own.root(), Bytes::new(), 0);
        let mut sink = Filler::<true>::new(arena, own, u64::MAX);
        EncodeOptions::new().partial(true).context(bound).write(&mut sink, message)?;
        Ok(Self::of(descriptor.clone(), sink.finish()))
    }

    /// Converts to a Rust type of the same message.
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
    /// The type is another message, its schema in another pool does not fit, or messages nest deeper than 100 levels.
    /// Required fields are not asked for.
    pub fn absorb<T: Message + DeserializeOwned>(self) -> Result<T> {
        let bound = plans::<T>()?;
        let root = bound.root();
        if !root.descriptor.is(&self.descriptor) {
            return self.converted(root)?.absorb();
        }
        let depth = Limits::default().max_depth();
        let mut decoder = Decoder {
            source: Walker::new(&self.arena, self.plans()?, ROOT, false),
            set: bound,
            depth,
            max_depth: depth,
            memory: u64::MAX,
            max_memory: u64::MAX,
            stack: STACK,
            partial: true,
        };
        let read = || T::deserialize(MessageDeserializer { decoder: &mut decoder, plan: root });
        sharing(&self.arena.input, read).map_err(|error| error.in_message(&root.full_name))
    }

    /// The same message in another pool.
    #[cold]
    pub(super) fn converted(&self, target: &MessagePlan) -> Result<DynamicMessage> {
        if self.descriptor.full_name() != &*target.full_name {
            let message = format!("the dynamic message is a {}", self.descriptor.full_name());
            return Err(Error::ty(message).in_message(&target.full_name));
        }
        let Some(descriptor) = target.descriptor.upgrade() else {
            return Err(Error::schema("the schema is gone").in_message(&target.full_name));
        };
        let bytes = self.encode_with(EncodeOptions::new().partial(true))?;
        DynamicMessage::decode_bytes_with(&descriptor, bytes.into(), DecodeOptions::new().partial(true))
    }
}
