//! gRPC's frames: a flag, a length of four bytes, a message.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.

use bytes::{Buf, Bytes, BytesMut};

use crate::error::{Category, Error, Result};

/// The most room that is made for a message before it comes.
const AHEAD: usize = 64 << 10;

/// One message of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The message is compressed, in the way that `grpc-encoding` tells.
    pub compressed: bool,
    /// The message.
    pub message: Bytes,
}

/// The five bytes before a message that is not compressed.
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

/// Takes frames out of the pieces in which they come.
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
}

impl FrameDecoder {
    /// A decoder of messages of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        FrameDecoder { pieces: BytesMut::new(), limit }
    }

    /// Adds what came.
    pub fn push(&mut self, mut piece: impl Buf) {
        while piece.has_remaining() {
            let chunk = piece.chunk();
            self.pieces.extend_from_slice(chunk);
            let len = chunk.len();
            piece.advance(len);
        }
    }

    /// The next message, where all of it came.
    ///
    /// # Errors
    /// The message is longer than the limit, or its flag is neither 0 nor 1.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        let [flag, a, b, c, d, ..] = self.pieces[..] else { return Ok(None) };
        if flag > 1 {
            return Err(Error::response(format!("a frame has the flag {flag}")));
        }
        let len = u32::from_be_bytes([a, b, c, d]) as usize;
        if len > self.limit {
            let limit = self.limit;
            return Err(Error::response(format!(
                "a message of {len} bytes is longer than the limit of {limit} bytes"
            )));
        }
        if self.pieces.len() - 5 < len {
            // Room for what was announced, but no more at a time than little of it would bring.
            self.pieces.reserve((len + 5 - self.pieces.len()).min(AHEAD));
            return Ok(None);
        }
        self.pieces.advance(5);
        Ok(Some(Frame { compressed: flag == 1, message: self.pieces.split_to(len).freeze() }))
    }

    /// Makes sure that the stream ends where a frame does.
    ///
    /// # Errors
    /// There is a part of a frame.
    pub fn finish(&self) -> Result<()> {
        match self.pieces.is_empty() {
            true => Ok(()),
            false => Err(Error::response("the stream ends inside a frame")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is announced takes no memory until it comes.
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
