//! Reads the elements of an array of a JSON text from an asynchronous stream, for `tokio_util::codec`.

use super::ElementDecoder;
use super::element::FromElement;
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::json::Options;
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use bytes::BytesMut;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use tokio_util::codec::Decoder;

/// A decoder for [`tokio_util::codec`]. It reads a JSON text from an asynchronous stream, and yields the elements of one array
/// of this text. For blocking streams, use [`Elements`](super::Elements).
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::json::ElementCodec;
/// use tokio_stream::StreamExt;
/// use tokio_util::codec::FramedRead;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), tobu::Error> {
/// let input = &br#"{"books": [{"title": "Dune"}, {"title": "Emma"}]}"#[..]; // Any `tokio::io::AsyncRead`.
/// let mut books = FramedRead::new(input, ElementCodec::<Book>::new("books"));
/// let mut titles = Vec::new();
/// while let Some(book) = books.next().await {
///     titles.push(book?.title);
/// }
/// assert_eq!(titles, ["Dune", "Emma"]);
/// # Ok(())
/// # }
/// ```
///
/// An error in the text ends the stream.
#[derive(Debug)]
pub struct ElementCodec<T> {
    decoder: ElementDecoder,
    /// The descriptor of dynamic messages, or `None` for Rust types.
    descriptor: Option<MessageDescriptor>,
    element: PhantomData<fn() -> T>,
}

impl<T: Message + DeserializeOwned> ElementCodec<T> {
    /// Creates a codec for the elements of the array at `path`. [`ElementDecoder::new`] says what a path is.
    pub fn new(path: &str) -> Self {
        Self::with_options(path, Options::new())
    }

    /// Creates a codec with options. The limits apply to each element. In the whole text, objects and arrays may be nested to
    /// twice the limit of the depth.
    pub fn with_options(path: &str, options: Options) -> Self {
        Self::of(path, options, None)
    }
}

impl ElementCodec<DynamicMessage> {
    /// Creates a codec for elements that are messages of a schema that is known at run time.
    ///
    /// ```
    /// # use tobu::{Message, types::StringValue};
    /// use tobu::json::ElementCodec;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut codec = ElementCodec::dynamic(&StringValue::descriptor(), "");
    /// let mut buf = bytes::BytesMut::from(&b"[\"a\", "[..]);
    /// let message = codec.decode(&mut buf)?.unwrap();
    /// assert_eq!(message.get_by_name("value")?.as_str(), Some("a"));
    /// assert!(codec.decode(&mut buf)?.is_none(), "there is more to come");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn dynamic(descriptor: &MessageDescriptor, path: &str) -> Self {
        Self::dynamic_with_options(descriptor, path, Options::new())
    }

    /// Creates a codec like [`dynamic`](Self::dynamic), with options. The limits apply to each element. In the whole text,
    /// objects and arrays may be nested to twice the limit of the depth.
    pub fn dynamic_with_options(descriptor: &MessageDescriptor, path: &str, options: Options) -> Self {
        Self::of(path, options, Some(descriptor.clone()))
    }
}

impl<T> ElementCodec<T> {
    fn of(path: &str, options: Options, descriptor: Option<MessageDescriptor>) -> Self {
        let decoder = ElementDecoder::with_options(path, options);
        ElementCodec { decoder, descriptor, element: PhantomData }
    }
}

impl<T: FromElement> Decoder for ElementCodec<T> {
    type Item = T;
    type Error = Error;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<T>> {
        if !src.is_empty() {
            self.decoder.push(src);
            src.clear();
        }
        T::next_of(&mut self.decoder, self.descriptor.as_ref())
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<T>> {
        if !src.is_empty() {
            self.decoder.push(src);
            src.clear();
        }
        self.decoder.finish();
        T::next_of(&mut self.decoder, self.descriptor.as_ref())
    }
}
