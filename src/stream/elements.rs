//! Reads the elements of one repeated field of a message that is too large for memory, one after the other.

#[cfg(feature = "tokio")]
mod codec;
mod decoder;

#[cfg(feature = "tokio")]
pub use self::codec::ElementCodec;
pub use self::decoder::ElementDecoder;
use super::{Chunks, MessageReader};
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::message::Message;
use crate::options::DecodeOptions;
pub use decoder::{Element, FromElement};
use std::io::Read;
use std::marker::PhantomData;

/// An iterator over the elements of one repeated field of a message that is read from a stream. It ends with the
/// stream, or after the first error. Memory holds one element at a time, and about 64 KiB of the stream.
///
/// An element is a message of a Rust type, an [`Element`] of any kind, or the `Bytes` that encode it. For input in chunks use
/// [`ElementDecoder`], and for an array in a JSON text [`json::Elements`](crate::json::Elements).
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::{Book, Shelf};
/// use tobu::{MessageReader, Message};
///
/// let shelf = Shelf { name: "fiction".into(), books: vec![Book::default(); 3], ..Shelf::default() };
/// let file = tobu::to_vec(&shelf)?;
/// let reader = MessageReader::<_, Shelf>::new(&file[..]);
/// for book in reader.elements::<Book>("books")? {
///     assert_eq!(book?, Book::default());
/// }
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug)]
pub struct Elements<R, T = Element> {
    chunks: Chunks<R>,
    decoder: ElementDecoder,
    done: bool,
    element: PhantomData<fn() -> T>,
}

impl<R: Read, T: FromElement> Elements<R, T> {
    /// Creates an iterator over the elements of the field at `path`. `descriptor` describes the message.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::new`] would fail.
    pub fn new(inner: R, descriptor: &MessageDescriptor, path: &str) -> Result<Self> {
        Self::with_options(inner, descriptor, path, DecodeOptions::new())
    }

    /// Creates an iterator with options. The limits apply to each element, except for the depth, which applies to the
    /// whole message.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::new`] would fail.
    pub fn with_options(
        inner: R,
        descriptor: &MessageDescriptor,
        path: &str,
        options: DecodeOptions,
    ) -> Result<Self> {
        let decoder = ElementDecoder::with_options(descriptor, path, options)?;
        Ok(Elements { chunks: Chunks::new(inner), decoder, done: false, element: PhantomData })
    }

    fn read(&mut self) -> Result<Option<T>> {
        loop {
            if let Some(element) = self.decoder.next_element()? {
                return Ok(Some(element));
            }
            if self.decoder.is_finished() {
                return Ok(None);
            }
            match self.chunks.next()? {
                [] => self.decoder.finish(),
                chunk => self.decoder.push(chunk),
            }
        }
    }
}

impl<R: Read, T: FromElement> Iterator for Elements<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.done {
            return None;
        }
        let next = self.read().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

impl<R: Read, M: Message> MessageReader<R, M> {
    /// Reads the rest of the stream as one message, without a length before it, and returns the elements of the
    /// repeated field at a path.
    ///
    /// # Errors
    /// Fails if [`ElementDecoder::new`] would fail.
    pub fn elements<T: FromElement>(self, path: &str) -> Result<Elements<impl Read, T>> {
        let (rest, options) = self.into_rest();
        Elements::with_options(rest, &M::descriptor(), path, options)
    }
}
