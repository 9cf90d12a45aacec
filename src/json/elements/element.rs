//! Says which types the elements of a JSON array can have.

use super::ElementDecoder;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use serde::de::DeserializeOwned;

/// A type that elements of [`Elements`](super::Elements) can have: a message of a Rust type, or [`DynamicMessage`].
pub trait FromElement: FromDecoder {}

impl<T: FromDecoder> FromElement for T {}

/// A type that `ElementDecoder` can return.
pub trait FromDecoder: Sized {
    /// Returns the next element. `descriptor` is used only if the type does not have a fixed descriptor.
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
