//! Reads the elements of an array of a JSON text from a stream.

use super::ElementDecoder;
use super::element::FromElement;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::json::Options;
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use crate::stream::Chunks;
use serde::de::DeserializeOwned;
use std::io::Read;
use std::marker::PhantomData;

/// An iterator over the elements of an array of a JSON text that is read from a stream. The iterator ends at the end of the
/// text, or after the first error. It keeps one element in memory, and about 64 KiB of the stream.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::json::Elements;
///
/// let file = br#"{"name": "a", "books": [{"title": "Dune"}, {"title": "Emma"}]}"#;
/// let mut titles = Vec::new();
/// for book in Elements::<_, Book>::new(&file[..], "books") {
///     titles.push(book?.title);
/// }
/// assert_eq!(titles, ["Dune", "Emma"]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// If a text arrives in chunks, use [`ElementDecoder`]. Its documentation also says which parts of the text are validated. For
/// the wire format, use [`stream::Elements`](crate::stream::Elements).
#[derive(Debug)]
pub struct Elements<R, T> {
    chunks: Chunks<R>,
    decoder: ElementDecoder,
    /// The descriptor of dynamic messages, or `None` for Rust types.
    descriptor: Option<MessageDescriptor>,
    done: bool,
    element: PhantomData<fn() -> T>,
}

impl<R: Read, T: Message + DeserializeOwned> Elements<R, T> {
    /// Creates an iterator over the elements of the array at `path`. A path is a list of member names, joined by dots, from the
    /// outermost object to the array. With an empty path, the text itself is the array. If no member is at the path, or if the
    /// member is null, the iterator is empty.
    pub fn new(inner: R, path: &str) -> Self {
        Self::with_options(inner, path, Options::new())
    }

    /// Creates an iterator with options. The limits apply to each element. In the whole text, objects and arrays may be nested
    /// to twice the limit of the depth.
    pub fn with_options(inner: R, path: &str, options: Options) -> Self {
        Self::of(inner, path, options, None)
    }
}

impl<R: Read> Elements<R, DynamicMessage> {
    /// Creates an iterator over the elements of the array at `path`, as messages of a schema that is known at run time.
    ///
    /// ```
    /// # use tobu::{Message, types::StringValue};
    /// use tobu::json::Elements;
    ///
    /// let descriptor = StringValue::descriptor();
    /// for message in Elements::dynamic(&br#"["a", "a"]"#[..], &descriptor, "") {
    ///     assert_eq!(message?.get_by_name("value")?.as_str(), Some("a"));
    /// }
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn dynamic(inner: R, descriptor: &MessageDescriptor, path: &str) -> Self {
        Self::dynamic_with_options(inner, descriptor, path, Options::new())
    }

    /// Creates an iterator like [`dynamic`](Self::dynamic), with options. The limits apply to each element. In the whole text,
    /// objects and arrays may be nested to twice the limit of the depth.
    pub fn dynamic_with_options(
        inner: R,
        descriptor: &MessageDescriptor,
        path: &str,
        options: Options,
    ) -> Self {
        Self::of(inner, path, options, Some(descriptor.clone()))
    }
}

impl<R: Read, T> Elements<R, T> {
    fn of(inner: R, path: &str, options: Options, descriptor: Option<MessageDescriptor>) -> Self {
        let decoder = ElementDecoder::with_options(path, options);
        Elements { chunks: Chunks::new(inner), decoder, descriptor, done: false, element: PhantomData }
    }
}

impl<R: Read, T: FromElement> Elements<R, T> {
    fn read(&mut self) -> Result<Option<T>> {
        loop {
            if let Some(element) = T::next_of(&mut self.decoder, self.descriptor.as_ref())? {
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
