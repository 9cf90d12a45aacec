//! Reads and writes frames of gRPC. A frame is a flag, a length of four bytes, and a message.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.

use bytes::{Buf, Bytes, BytesMut};

use crate::error::{Category, Error, Result};

/// How many bytes are reserved at most for the part of a message that is not yet received.
const AHEAD: usize = 64 << 10;

/// One message of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// True if the message is compressed. The header `grpc-encoding` names the compression.
    pub compressed: bool,
    /// The message.
    pub message: Bytes,
}

/// Returns the five bytes that precede a message that is not compressed.
///
/// ```
/// assert_eq!(tobu_transcode::frame_header(258)?, [0, 0, 0, 1, 2]);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
///
/// # Errors
/// The message is 4 GiB or longer.
pub fn frame_header(len: usize) -> Result<[u8; 5]> {
    let len = u32::try_from(len)
        .map_err(|_| Error::new(Category::TooLarge, format!("a message of {len} bytes has no frame")))?;
    let [a, b, c, d] = len.to_be_bytes();
    Ok([0, a, b, c, d])
}

/// Decodes frames from received chunks.
///
/// ```
/// use tobu_transcode::FrameDecoder;
///
/// let mut frames = FrameDecoder::new(1024);
/// frames.push(&b"\0\0\0\0\x02h"[..]);
/// assert_eq!(frames.next_frame()?, None);
/// frames.push(&b"i\0\0"[..]);
/// assert_eq!(frames.next_frame()?.unwrap().message, "hi");
/// assert_eq!(frames.finish().unwrap_err().to_string(), "the stream ends inside a frame");
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Debug)]
pub struct FrameDecoder {
    pieces: BytesMut,
    limit: usize,
    /// How many bytes are left of a message that is returned in pieces.
    left: usize,
    /// The category of the error for a message that is too long: an invalid response, or a request that is too large.
    too_long: Category,
}

/// A frame of Connect. Unlike a frame of gRPC, it may have any flags.
#[cfg(feature = "tower")]
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) flags: u8,
    pub(crate) content: Bytes,
}

impl FrameDecoder {
    /// Creates a decoder for messages of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        FrameDecoder { pieces: BytesMut::new(), limit, left: 0, too_long: Category::Response }
    }

    /// Adds a chunk.
    pub fn push(&mut self, mut piece: impl Buf) {
        while piece.has_remaining() {
            let chunk = piece.chunk();
            self.pieces.extend_from_slice(chunk);
            let len = chunk.len();
            piece.advance(len);
        }
    }

    /// Returns the next message, or `None` if it is not yet complete.
    ///
    /// # Errors
    /// The message is longer than the limit, or its flag is neither 0 nor 1.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        let Some((compressed, len)) = self.grpc_header()? else { return Ok(None) };
        let message = self.content(len)?;
        Ok(message.map(|message| Frame { compressed, message }))
    }

    /// Returns the message of the next frame, or `None` if it is not yet complete. `len` is its length.
    fn content(&mut self, len: usize) -> Result<Option<Bytes>> {
        self.check_len(len, self.limit)?;
        if self.pieces.len() - 5 < len {
            // A client could declare a length that it never sends. So only a little memory is reserved at a time.
            self.pieces.reserve((len + 5 - self.pieces.len()).min(AHEAD));
            return Ok(None);
        }
        self.pieces.advance(5);
        Ok(Some(self.pieces.split_to(len).freeze()))
    }

    /// Returns true if the next message is compressed, and the length of the message. Returns `None` if its header is not yet
    /// received.
    fn grpc_header(&self) -> Result<Option<(bool, usize)>> {
        match self.header() {
            Some((flag, _)) if flag > 1 => Err(Error::response(format!("a frame has the flag {flag}"))),
            header => Ok(header.map(|(flag, len)| (flag == 1, len))),
        }
    }

    /// Returns the flags and the length of the next frame, or `None` if they are not yet received.
    fn header(&self) -> Option<(u8, usize)> {
        let [flags, a, b, c, d, ..] = self.pieces[..] else { return None };
        Some((flags, u32::from_be_bytes([a, b, c, d]) as usize))
    }

    fn check_len(&self, len: usize, limit: usize) -> Result<()> {
        match len > limit {
            true => {
                let text = format!("a message of {len} bytes is longer than the limit of {limit} bytes");
                Err(Error::new(self.too_long, text))
            }
            false => Ok(()),
        }
    }

    /// Checks that the stream ends at the end of a frame.
    ///
    /// # Errors
    /// A frame is incomplete.
    pub fn finish(&self) -> Result<()> {
        match self.pieces.is_empty() && self.left == 0 {
            true => Ok(()),
            false => Err(Error::response("the stream ends inside a frame")),
        }
    }
}

#[cfg(feature = "tower")]
impl FrameDecoder {
    /// Creates a decoder for the envelopes of a request.
    pub(crate) fn of_request(limit: usize) -> Self {
        FrameDecoder { too_long: Category::TooLarge, ..Self::new(limit) }
    }

    /// Returns the next envelope, or `None` if it is not yet complete.
    ///
    /// # Errors
    /// The envelope is longer than the limit.
    pub(crate) fn next_envelope(&mut self) -> Result<Option<Envelope>> {
        let Some((flags, len)) = self.header() else { return Ok(None) };
        let content = self.content(len)?;
        Ok(content.map(|content| Envelope { flags, content }))
    }

    /// Decides how the next message is returned: in [pieces](Self::next_piece) if it is compressed or longer than `whole`, and
    /// otherwise [as a whole](Self::next_frame). Returns the decision, or `None` if the header is not yet received.
    ///
    /// # Errors
    /// The message is longer than `limit`, which applies only to this message, or its flag is neither 0 nor 1.
    pub(crate) fn begin(&mut self, whole: usize, limit: usize) -> Result<Option<Begun>> {
        let Some((compressed, len)) = self.grpc_header()? else { return Ok(None) };
        if !compressed && len <= whole {
            return Ok(Some(Begun::Whole));
        }
        self.check_len(len, limit)?;
        self.pieces.advance(5);
        self.left = len;
        Ok(Some(Begun::Pieces { compressed }))
    }

    /// Returns the next received bytes of a message that is returned in pieces, or `None` if there are no such bytes.
    pub(crate) fn next_piece(&mut self) -> Option<Bytes> {
        let len = self.left.min(self.pieces.len()).min(AHEAD);
        self.left -= len;
        (len > 0).then(|| self.pieces.split_to(len).freeze())
    }

    /// True if a message is returned in pieces, and some of its bytes are still to be returned.
    pub(crate) fn is_inside(&self) -> bool {
        self.left > 0
    }
}

/// Says how a message is returned.
#[cfg(feature = "tower")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// [`FrameDecoder::next_frame`] returns the message as a whole.
    Whole,
    /// [`FrameDecoder::next_piece`] returns the message in pieces.
    Pieces { compressed: bool },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A declared length reserves only a little memory before the bytes are received.
    #[test]
    fn room_is_made_for_what_comes() {
        let mut frames = FrameDecoder::new(1 << 30);
        frames.push(&[0, 0x3f, 0xff, 0xff, 0xff, 7][..]);
        assert_eq!(frames.next_frame().unwrap(), None);
        assert!(frames.pieces.capacity() <= 2 * AHEAD, "{}", frames.pieces.capacity());
        let mut frames = FrameDecoder::new(1 << 20);
        frames.push(&frame_header(1 << 20).unwrap()[..]);
        for _ in 0..16 {
            assert_eq!(frames.next_frame().unwrap(), None);
            frames.push(&[7; 1 << 16][..]);
        }
        let wanted = Frame { compressed: false, message: vec![7; 1 << 20].into() };
        assert_eq!(frames.next_frame().unwrap(), Some(wanted));
        frames.finish().unwrap();
    }
}
