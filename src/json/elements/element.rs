//! The types that elements of a JSON array can have.

use super::ElementDecoder;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use serde::de::DeserializeOwned;

/// The types of the elements of [`Elements`](super::Elements): messages of Rust types, and [`DynamicMessage`].
pub trait FromElement: FromDecoder {}

impl<T: FromDecoder> FromElement for T {}

/// A type for which a decoder has a method.
pub trait FromDecoder: Sized {
    /// The next element. The descriptor is used if the type alone does not determine it.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::next_message`] would fail.
    fn next_of(decoder: &mut ElementDecoder, descriptor: Option<&MessageDescriptor>) -> Result<Option<Self>>;
}

impl<T: Message + DeserializeOwned> FromDecoder for T {
    fn next_of(decoder: &mut ElementDecoder, _: Option<&MessageDescriptor>) -> Result<Option<Self>> {
        decoder.next_message()
    }
}

impl FromDecoder for DynamicMessage {
    fn next_of(decoder: &mut ElementDecoder, descriptor: Option<&MessageDescriptor>) -> Result<Option<Self>> {
        descriptor.map_or(Ok(None), |descriptor| decoder.next_dynamic(descriptor))
    }
}
