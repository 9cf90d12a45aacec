//! Reads the elements of one array of a JSON text, one after the other. The text may be too large for memory.

#[cfg(feature = "tokio")]
mod codec;
mod element;
mod reader;
mod scan;

#[cfg(feature = "tokio")]
pub use self::codec::ElementCodec;
pub use self::element::FromElement;
pub use self::reader::Elements;
use self::scan::{Found, Scanner};
use super::Options;
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, LimitError, Result};
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use serde::de::DeserializeOwned;

/// A decoder for the elements of one array of a JSON text that arrives in chunks. It reads each element as a separate message,
/// and keeps only the incomplete element in memory. For streams, use [`Elements`].
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::json::ElementDecoder;
///
/// let mut books = ElementDecoder::new("shelf.books");
/// let mut titles = Vec::new();
/// let text = r#"{"name": "a", "shelf": {"books": [{"title": "Dune"}, {"title": "Emma"}]}}"#;
/// for chunk in text.as_bytes().chunks(3) {
///     books.push(chunk);
///     while let Some(book) = books.next_message::<Book>()? {
///         titles.push(book.title);
///     }
/// }
/// books.finish();
/// assert!(books.next_message::<Book>()?.is_none() && books.is_finished());
/// assert_eq!(titles, ["Dune", "Emma"]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The decoder skips the text around the array. It validates the structure of this text, the numbers and literals, and the
/// escapes and control characters in strings. It does not validate UTF-8, surrogate pairs and duplicate names, except for names
/// on the path. A number may have at most 4,096 characters. Lines and columns of errors refer to the whole text.
#[derive(Debug)]
pub struct ElementDecoder {
    options: Options,
    scanner: Scanner,
    /// Input that was received and is not yet scanned.
    chunk: Vec<u8>,
    at: usize,
    /// The part of an element that has been received.
    element: Vec<u8>,
    ended: bool,
    failed: bool,
}

impl ElementDecoder {
    /// Creates a decoder for the elements of the array at `path`. A path is a list of member names, joined by dots, from the
    /// outermost object to the array. With an empty path, the text itself is the array. If no member is at the path, or if the
    /// member is null, the decoder finds no elements.
    pub fn new(path: &str) -> Self {
        Self::with_options(path, Options::new())
    }

    /// Creates a decoder with options. The limits apply to each element. In the whole text, objects and arrays may be nested to
    /// twice the limit of the depth.
    pub fn with_options(path: &str, options: Options) -> Self {
        let names = path.split('.').filter(|_| !path.is_empty()).map(Into::into).collect();
        let scanner = Scanner::new(names, options.limits.max_depth());
        ElementDecoder {
            options,
            scanner,
            chunk: Vec::new(),
            at: 0,
            element: Vec::new(),
            ended: false,
            failed: false,
        }
    }

    /// Adds a chunk of the text.
    pub fn push(&mut self, chunk: &[u8]) {
        self.chunk.drain(..self.at);
        self.at = 0;
        self.chunk.extend_from_slice(chunk);
    }

    /// Marks the end of the text.
    pub fn finish(&mut self) {
        self.ended = true;
    }

    /// True if the whole text was read, or if an error was found.
    pub fn is_finished(&self) -> bool {
        self.failed || self.ended && self.at == self.chunk.len() && self.scanner.is_done()
    }

    /// Returns the next element as a message of a Rust type. Returns `None` if more input is needed, and at the end.
    ///
    /// # Errors
    /// The text or the element is malformed, or exceeds a limit. After an error, there are no more elements.
    pub fn next_message<T: Message + DeserializeOwned>(&mut self) -> Result<Option<T>> {
        self.next(|options, text| options.from_slice(text))
    }

    /// Returns the next element as a message of a schema that is known at run time. Returns `None` if more input is needed, and
    /// at the end.
    ///
    /// # Errors
    /// Fails if [`next_message`](Self::next_message) would fail.
    pub fn next_dynamic(&mut self, descriptor: &MessageDescriptor) -> Result<Option<DynamicMessage>> {
        self.next(|options, text| DynamicMessage::from_json_with(descriptor, text, options))
    }

    fn next<T>(&mut self, read: impl FnOnce(&Options, &[u8]) -> Result<T>) -> Result<Option<T>> {
        if self.failed {
            return Ok(None);
        }
        let done = self.gather().and_then(|whole| {
            if !whole {
                return Ok(None);
            }
            let (line, column) = self.scanner.start();
            let read = read(&self.options, &self.element);
            read.map(Some).map_err(|error| error.shift_lines(line, column))
        });
        match done {
            Ok(Some(_)) => self.element.clear(),
            Ok(None) => {}
            Err(_) => self.failed = true,
        }
        done
    }

    /// Collects the next element. Returns false if more input is needed, or if there are no more elements.
    fn gather(&mut self) -> Result<bool> {
        while let Some(&byte) = self.chunk.get(self.at) {
            match self.scanner.next(byte)? {
                Found::Around => self.at += 1,
                Found::Element => {
                    self.at += 1;
                    self.element.push(byte);
                    let (size, limit) = (self.element.len() as u64, self.options.limits.max_input());
                    if size > limit {
                        let (line, column) = self.scanner.start();
                        return Err(Error::limit(LimitError::Input { size, limit }).at_line(line, column));
                    }
                }
                Found::LastOfElement => {
                    self.at += 1;
                    self.element.push(byte);
                    return Ok(true);
                }
                // The byte does not belong to the element, and is scanned again.
                Found::EndOfElement => return Ok(true),
            }
        }
        if self.ended {
            self.scanner.end()?;
        }
        Ok(false)
    }
}
