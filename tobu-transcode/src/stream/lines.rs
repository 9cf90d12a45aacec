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
}

impl LineDecoder {
    /// A decoder of lines of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        LineDecoder { pieces: BytesMut::new(), searched: 0, limit }
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

    /// The text after the last end of a line, if there is any.
    pub fn finish(&mut self) -> Option<Bytes> {
        self.searched = 0;
        let line = self.pieces.split();
        (!is_blank(&line)).then(|| without_return(line))
    }

    fn too_long(&self) -> Error {
        let limit = self.limit;
        Error::new(Category::TooLarge, format!("a line is longer than the limit of {limit} bytes"))
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

fn without_return(mut line: BytesMut) -> Bytes {
    if line.last() == Some(&b'\r') {
        line.truncate(line.len() - 1);
    }
    line.freeze()
}
