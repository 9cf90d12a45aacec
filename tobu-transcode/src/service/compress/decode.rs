//! Decompresses input chunk by chunk.

use std::io::{self, BufRead, Read};

use bytes::{Buf, Bytes, BytesMut};

use super::Encoding;
#[cfg(feature = "zstd")]
use super::zstd::Frames;
use crate::error::{Error, Result};

/// How many bytes are decompressed at most before the caller checks a limit, because a few compressed bytes can expand to
/// many.
const CHUNK: u64 = 64 << 10;

/// Takes chunks of compressed bytes, and returns chunks of decompressed bytes.
pub(in super::super) struct Decoder {
    kind: Kind,
    /// True as long as nothing was received. In every compression, empty input means empty output.
    is_empty: bool,
}

enum Kind {
    Identity(Bytes),
    Coded(Box<dyn Coded>),
}

/// A reader that returns [`WouldBlock`](io::ErrorKind::WouldBlock) if it needs more input. When more input is available, it
/// continues.
pub(super) trait Coded: Read + Send {
    fn input(&mut self) -> &mut Input;
}

impl Decoder {
    /// Creates a decoder. The window of a zstd frame may have up to 8 MiB, or up to `window` bytes if `window` is larger.
    pub(in super::super) fn new(encoding: Encoding, window: usize) -> Self {
        let kind = match encoding {
            Encoding::Identity => Kind::Identity(Bytes::new()),
            #[cfg(feature = "gzip")]
            Encoding::Gzip => Kind::Coded(Box::new(flate2::bufread::MultiGzDecoder::new(Input::default()))),
            #[cfg(feature = "zstd")]
            Encoding::Zstd => Kind::Coded(Box::new(Frames::new(window))),
        };
        Decoder { kind, is_empty: true }
    }

    /// Adds a chunk. Before this, the caller must have taken all output with `next`.
    pub(in super::super) fn push(&mut self, piece: Bytes) {
        self.is_empty &= piece.is_empty();
        match &mut self.kind {
            Kind::Identity(last) => *last = piece,
            Kind::Coded(coded) => coded.input().bytes.extend_from_slice(&piece),
        }
    }

    /// Records that the input is complete.
    pub(in super::super) fn end(&mut self) {
        match &mut self.kind {
            Kind::Identity(_) => {}
            Kind::Coded(coded) => coded.input().is_over = true,
        }
    }

    /// Returns the next chunk of the available output, or `None` if more input is needed or the output has ended.
    ///
    /// # Errors
    /// The input is malformed, or it ended too early.
    pub(in super::super) fn next(&mut self) -> Result<Option<Bytes>> {
        let piece = match &mut self.kind {
            Kind::Identity(piece) => std::mem::take(piece),
            Kind::Coded(_) if self.is_empty => return Ok(None),
            Kind::Coded(coded) => {
                let mut out = Vec::new();
                match coded.as_mut().take(CHUNK).read_to_end(&mut out) {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(wrong(error)),
                    _ => out.into(),
                }
            }
        };
        Ok((!piece.is_empty()).then_some(piece))
    }
}

/// Converts an error of a decoder to the error for the client. Only an error about a limit of this crate shows its text.
fn wrong(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::Unsupported => Error::argument(format!("the compressed body: {error}")),
        _ => Error::argument("the compressed body is malformed").caused_by(error),
    }
}

#[cfg(feature = "gzip")]
impl Coded for flate2::bufread::MultiGzDecoder<Input> {
    fn input(&mut self) -> &mut Input {
        self.get_mut()
    }
}

/// Input that was received and not yet read.
#[derive(Default)]
pub(super) struct Input {
    pub(super) bytes: BytesMut,
    pub(super) is_over: bool,
}

impl Input {
    /// Returns the first `count` bytes, without consuming them.
    ///
    /// # Errors
    /// The bytes are not yet received, or the input ends before them.
    pub(super) fn first(&self, count: usize) -> io::Result<&[u8]> {
        match (self.bytes.get(..count), self.is_over) {
            (Some(bytes), _) => Ok(bytes),
            (None, false) => Err(io::ErrorKind::WouldBlock.into()),
            (None, true) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.bytes.is_empty() && !self.is_over {
            true => Err(io::ErrorKind::WouldBlock.into()),
            false => Ok(&self.bytes),
        }
    }

    fn consume(&mut self, count: usize) {
        self.bytes.advance(count);
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
