//! Reads the JSON values of a stream of requests: lines, concatenated values, or the elements of an array.
//!
//! Specification: <https://github.com/ndjson/ndjson-spec>.

use bytes::{Buf, Bytes, BytesMut};

use crate::error::{Category, Error, Result};

/// Decodes lines, or JSON values in another [form](Self::values), from received chunks. Blank lines are skipped.
///
/// ```
/// use tobu_transcode::LineDecoder;
///
/// let mut lines = LineDecoder::new(1024);
/// lines.push(b"{\"a\":1}\r\n\n{\"a\"");
/// assert_eq!(lines.next_line()?.unwrap(), "{\"a\":1}");
/// assert_eq!(lines.next_line()?, None);
/// lines.push(b":2}");
/// assert_eq!(lines.next_line()?, None);
/// // The last line needs no end.
/// assert_eq!(lines.finish().unwrap(), "{\"a\":2}");
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Debug)]
pub struct LineDecoder {
    pieces: BytesMut,
    /// How many bytes were searched without finding the end of a line or a value.
    searched: usize,
    limit: usize,
    /// `None` if each line is a value.
    value: Option<Value>,
    /// `None` if the values are not the elements of an array.
    array: Option<Array>,
}

/// The last token of an array that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Array {
    Nothing,
    Bracket,
    Element,
    Comma,
    End,
}

/// The state of the search for the end of a JSON value.
#[derive(Debug, Default)]
struct Value {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// True in a number, or in a word such as `true`.
    is_bare: bool,
}

impl LineDecoder {
    /// Creates a decoder for lines of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        LineDecoder { pieces: BytesMut::new(), searched: 0, limit, value: None, array: None }
    }

    /// Creates a decoder for concatenated JSON values of up to `limit` bytes each. Line ends between and inside the values
    /// are optional. If the text is not JSON, it is not defined where a value ends.
    ///
    /// ```
    /// let mut values = tobu_transcode::LineDecoder::values(1024);
    /// values.push(b"{\"a\":\n\"}\"}{} 1 {");
    /// assert_eq!(values.next_line()?.unwrap(), "{\"a\":\n\"}\"}");
    /// assert_eq!(values.next_line()?.unwrap(), "{}");
    /// assert_eq!(values.next_line()?.unwrap(), "1");
    /// assert_eq!(values.next_line()?, None);
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    pub fn values(limit: usize) -> Self {
        LineDecoder { value: Some(Value::default()), ..Self::new(limit) }
    }

    /// Creates a decoder for the elements of a JSON array, of up to `limit` bytes each. Empty input counts as an empty array.
    ///
    /// ```
    /// let mut values = tobu_transcode::LineDecoder::array(1024);
    /// values.push(b" [{\"a\":1},\n");
    /// assert_eq!(values.next_line()?.unwrap(), "{\"a\":1}");
    /// assert_eq!(values.next_line()?, None);
    /// assert_eq!(values.check_end().unwrap_err().to_string(), "the JSON array does not end");
    /// values.push(b"{}]");
    /// assert_eq!(values.next_line()?.unwrap(), "{}");
    /// assert_eq!(values.next_line()?, None);
    /// values.check_end()?;
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    pub fn array(limit: usize) -> Self {
        LineDecoder { array: Some(Array::Nothing), ..Self::values(limit) }
    }

    /// Checks that an [array](Self::array) has ended, or has not begun. Streams of other forms may end after any value.
    ///
    /// # Errors
    /// The end of the array is missing.
    pub fn check_end(&self) -> Result<()> {
        match self.array {
            None | Some(Array::Nothing | Array::End) => Ok(()),
            Some(_) => Err(Error::argument("the JSON array does not end")),
        }
    }

    /// Adds a chunk.
    pub fn push(&mut self, piece: &[u8]) {
        self.pieces.extend_from_slice(piece);
    }

    /// Returns the next line or value, or `None` if it is not yet complete.
    ///
    /// # Errors
    /// The line or value is longer than the limit, or an array was expected and the text is not an array.
    pub fn next_line(&mut self) -> Result<Option<Bytes>> {
        if self.value.is_some() {
            return self.next_value();
        }
        while let Some(end) = memchr::memchr(b'\n', &self.pieces[self.searched..]) {
            let line = self.pieces.split_to(self.searched + end);
            self.pieces.advance(1);
            self.searched = 0;
            if line.len() > self.limit {
                return Err(self.too_long());
            }
            if !is_blank(&line) {
                return Ok(Some(without_return(line)));
            }
        }
        self.searched = self.pieces.len();
        match self.searched > self.limit {
            true => Err(self.too_long()),
            false => Ok(None),
        }
    }

    fn next_value(&mut self) -> Result<Option<Bytes>> {
        if self.searched == 0 && !self.begin_value()? {
            return Ok(None);
        }
        let value = self.value.get_or_insert_default();
        let rest = &self.pieces[self.searched..];
        let is_element = self.array.is_some();
        let end = rest.iter().enumerate().find_map(|(at, byte)| Some(at + value.end_at(*byte, is_element)?));
        let len = self.searched + end.unwrap_or(rest.len());
        if len > self.limit {
            return Err(self.too_long());
        }
        if end.is_none() {
            self.searched = len;
            return Ok(None);
        }
        self.searched = 0;
        self.value = Some(Value::default());
        self.array = self.array.map(|_| Array::Element);
        Ok(Some(self.pieces.split_to(len).freeze()))
    }

    /// Skips white space, and in an array brackets and commas, before a value. Returns false if no value is received yet.
    ///
    /// # Errors
    /// An array was expected, and the text is not an array.
    fn begin_value(&mut self) -> Result<bool> {
        loop {
            let blank = self.pieces.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.pieces.advance(blank);
            let (Some(array), Some(&byte)) = (self.array, self.pieces.first()) else {
                return Ok(self.array.is_none() || !self.pieces.is_empty());
            };
            self.array = Some(match (array, byte) {
                (Array::Nothing, b'[') => Array::Bracket,
                (Array::Bracket | Array::Element, b']') => Array::End,
                (Array::Element, b',') => Array::Comma,
                (Array::Bracket | Array::Comma, b'{' | b'"' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'[') => {
                    return Ok(true);
                }
                _ => {
                    let byte = char::from(byte).escape_default();
                    return Err(Error::argument(format!(
                        "the stream is not a JSON array: there is `{byte}`"
                    )));
                }
            });
            self.pieces.advance(1);
        }
    }

    /// Returns the bytes after the last complete line or value, or `None` if they are blank.
    pub fn finish(&mut self) -> Option<Bytes> {
        self.searched = 0;
        let line = self.pieces.split();
        (!is_blank(&line)).then(|| without_return(line))
    }

    fn too_long(&self) -> Error {
        let (limit, what) = (self.limit, if self.value.is_some() { "value" } else { "line" });
        Error::new(Category::TooLarge, format!("a {what} is longer than the limit of {limit} bytes"))
    }
}

impl Value {
    /// Takes the next byte. If the value ends, returns 0 if it ends before this byte, or 1 if it ends after this byte.
    fn end_at(&mut self, byte: u8, is_element: bool) -> Option<usize> {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_string = false;
                    return (self.depth == 0).then_some(1);
                }
                _ => {}
            }
            return None;
        }
        let ends_bare =
            byte.is_ascii_whitespace() || b"{[\"".contains(&byte) || is_element && b",]".contains(&byte);
        match byte {
            _ if self.is_bare && ends_bare => return Some(0),
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return (self.depth == 0).then_some(1);
            }
            _ => self.is_bare = self.depth == 0,
        }
        None
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn without_return(mut line: BytesMut) -> Bytes {
    if line.last() == Some(&b'\r') {
        line.truncate(line.len() - 1);
    }
    line.freeze()
}
