//! gRPC's frames: a flag, a length of four bytes, a message.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.

use bytes::{Buf, Bytes, BytesMut};

use crate::error::{Category, Error, Result};

/// The most memory that is reserved for a message before it is received.
const AHEAD: usize = 64 << 10;

/// One message of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// True if the message is compressed, in the way that `grpc-encoding` names.
    pub compressed: bool,
    /// The message.
    pub message: Bytes,
}

/// Returns the five bytes before a message that is not compressed.
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
    /// The rest of a message that is returned in chunks.
    left: usize,
    /// The category of the error for a message that is too long: an invalid response, or a request that is too large.
    too_long: Category,
}

/// A frame of any flags: of Connect, not of gRPC.
#[cfg(feature = "tower")]
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) flags: u8,
    pub(crate) content: Bytes,
}

impl FrameDecoder {
    /// Creates a decoder of messages of up to `limit` bytes.
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

    /// Returns the next message, if it is complete.
    ///
    /// # Errors
    /// The message is longer than the limit, or its flag is neither 0 nor 1.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        let Some((compressed, len)) = self.grpc_header()? else { return Ok(None) };
        let message = self.content(len)?;
        Ok(message.map(|message| Frame { compressed, message }))
    }

    /// Returns the content of the next frame, of this length, if it is complete.
    fn content(&mut self, len: usize) -> Result<Option<Bytes>> {
        self.check_len(len, self.limit)?;
        if self.pieces.len() - 5 < len {
            // Memory is reserved up to the declared length, but only a little at a time.
            self.pieces.reserve((len + 5 - self.pieces.len()).min(AHEAD));
            return Ok(None);
        }
        self.pieces.advance(5);
        Ok(Some(self.pieces.split_to(len).freeze()))
    }

    /// Returns whether a message is compressed, and how long it is, if that was received.
    fn grpc_header(&self) -> Result<Option<(bool, usize)>> {
        match self.header() {
            Some((flag, _)) if flag > 1 => Err(Error::response(format!("a frame has the flag {flag}"))),
            header => Ok(header.map(|(flag, len)| (flag == 1, len))),
        }
    }

    /// Returns the flags and the length of the next frame, if they were received.
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

    /// Makes sure that the stream ends where a frame does.
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
    /// Creates a decoder of envelopes of a request.
    pub(crate) fn of_request(limit: usize) -> Self {
        FrameDecoder { too_long: Category::TooLarge, ..Self::new(limit) }
    }

    /// Returns the next envelope, if it is complete.
    ///
    /// # Errors
    /// It is longer than the limit.
    pub(crate) fn next_envelope(&mut self) -> Result<Option<Envelope>> {
        let Some((flags, len)) = self.header() else { return Ok(None) };
        let content = self.content(len)?;
        Ok(content.map(|content| Envelope { flags, content }))
    }

    /// Begins the next message: in [chunks](Self::next_piece) if it is compressed or longer than `whole`. Returns
    /// which.
    ///
    /// # Errors
    /// The message is longer than the limit, which is one for this message, or its flag is neither 0 nor 1.
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

    /// Some bytes of the message that was begun, if any were received.
    pub(crate) fn next_piece(&mut self) -> Option<Bytes> {
        let len = self.left.min(self.pieces.len()).min(AHEAD);
        self.left -= len;
        (len > 0).then(|| self.pieces.split_to(len).freeze())
    }

    /// True if a message was begun and is incomplete.
    pub(crate) fn is_inside(&self) -> bool {
        self.left > 0
    }
}

/// How a message is given.
#[cfg(feature = "tower")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// By [`FrameDecoder::next_frame`].
    Whole,
    /// By [`FrameDecoder::next_piece`].
    Pieces { compressed: bool },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A declared length takes no memory until the bytes are received.
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
