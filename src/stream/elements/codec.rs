//! Reads the elements of a repeated field of a message from an asynchronous stream, for `tokio_util::codec`.

use super::{Element, ElementDecoder, FromElement};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::options::DecodeOptions;
use bytes::BytesMut;
use std::marker::PhantomData;
use tokio_util::codec::Decoder;

/// A decoder for [`tokio_util::codec`]. It reads a message from an asynchronous stream, and returns the elements of one
/// of its repeated fields. For blocking streams, use [`Elements`](super::Elements).
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::{Book, Shelf};
/// use tobu::{Message, stream::ElementCodec};
/// use tokio_stream::StreamExt;
/// use tokio_util::codec::FramedRead;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), tobu::Error> {
/// let books = ["Dune", "Emma"].map(|title| Book { title: title.into(), ..Book::default() });
/// let file = Shelf { books: books.into(), ..Shelf::default() }.encode_to_vec()?;
///
/// let input = &file[..]; // Any `tokio::io::AsyncRead`.
/// let mut books = FramedRead::new(input, ElementCodec::<Book>::new(&Shelf::descriptor(), "books")?);
/// let mut titles = Vec::new();
/// while let Some(book) = books.next().await {
///     titles.push(book?.title);
/// }
/// assert_eq!(titles, ["Dune", "Emma"]);
/// # Ok(())
/// # }
/// ```
///
/// An error in the message ends the stream. [`ElementDecoder`] says what counts as an element.
#[derive(Debug)]
pub struct ElementCodec<T = Element> {
    decoder: ElementDecoder,
    element: PhantomData<fn() -> T>,
}

impl<T: FromElement> ElementCodec<T> {
    /// Creates a codec for the elements of the field at `path`. A path is a list of field names joined by dots. Each
    /// name is the name in the schema or the JSON name.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::new`] would fail.
    pub fn new(descriptor: &MessageDescriptor, path: &str) -> Result<Self> {
        Self::with_options(descriptor, path, DecodeOptions::new())
    }

    /// Creates a codec with options. The limits apply to each element, except for the depth, which applies to the whole
    /// message.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::new`] would fail.
    pub fn with_options(descriptor: &MessageDescriptor, path: &str, options: DecodeOptions) -> Result<Self> {
        let decoder = ElementDecoder::with_options(descriptor, path, options)?;
        Ok(ElementCodec { decoder, element: PhantomData })
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
        self.decoder.next_element()
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<T>> {
        if !src.is_empty() {
            self.decoder.push(src);
            src.clear();
        }
        self.decoder.finish();
        self.decoder.next_element()
    }
}
