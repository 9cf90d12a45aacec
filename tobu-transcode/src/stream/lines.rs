//! JSON values, one a line.
//!
//! Specification: <https://github.com/ndjson/ndjson-spec>.

use bytes::{Buf, Bytes, BytesMut};

use crate::error::{Category, Error, Result};

/// Decodes lines from received chunks; empty ones are skipped.
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
    /// Up to this offset there is no end of a line.
    searched: usize,
    limit: usize,
    /// Where values end that are not one a line.
    value: Option<Value>,
}

/// The start of a JSON value, up to where it was searched.
#[derive(Debug, Default)]
struct Value {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// A number or a word.
    is_bare: bool,
}

impl LineDecoder {
    /// A decoder of lines of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        LineDecoder { pieces: BytesMut::new(), searched: 0, limit, value: None }
    }

    /// A decoder of JSON values of up to `limit` bytes, one after the other, with or without ends of lines in them or between
    /// them. Text that is not JSON ends somewhere.
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

    /// Adds a chunk.
    pub fn push(&mut self, piece: &[u8]) {
        self.pieces.extend_from_slice(piece);
    }

    /// The next line, if it is complete.
    ///
    /// # Errors
    /// The line is longer than the limit.
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
        let value = self.value.get_or_insert_default();
        if self.searched == 0 {
            let blank = self.pieces.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.pieces.advance(blank);
        }
        let rest = &self.pieces[self.searched..];
        let end = rest.iter().enumerate().find_map(|(at, byte)| Some(at + value.end_at(*byte)?));
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
        Ok(Some(self.pieces.split_to(len).freeze()))
    }

    /// The text after the last end of a line, if there is any.
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
    /// Takes the next byte; where the value ends, seen from it: before it, or after it.
    fn end_at(&mut self, byte: u8) -> Option<usize> {
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
        let ends_bare = byte.is_ascii_whitespace() || b"{[\"".contains(&byte);
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
