//! What comes compressed, piece by piece.

use std::io::{self, BufRead, Read};

use bytes::{Buf, Bytes, BytesMut};

use super::Encoding;
#[cfg(feature = "zstd")]
use super::zstd::Frames;
use crate::error::{Error, Result};

/// What is decompressed at a time at the most: so much comes of however few bytes before anybody looks at it.
const CHUNK: u64 = 64 << 10;

/// Takes pieces of what is compressed, and gives pieces of what it was.
pub(in super::super) struct Decoder {
    kind: Kind,
    /// Nothing came: no bytes are none of any encoding.
    is_empty: bool,
}

enum Kind {
    Identity(Bytes),
    Coded(Box<dyn Coded>),
}

/// A reader that says [`WouldBlock`](io::ErrorKind::WouldBlock) where it needs more of its input, and goes on when that is there.
pub(super) trait Coded: Read + Send {
    fn input(&mut self) -> &mut Input;
}

impl Decoder {
    /// A decoder that keeps `window` bytes at hand, if the sender wants them back later.
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

    /// Adds what came; the last piece must have been taken.
    pub(in super::super) fn push(&mut self, piece: Bytes) {
        self.is_empty &= piece.is_empty();
        match &mut self.kind {
            Kind::Identity(last) => *last = piece,
            Kind::Coded(coded) => coded.input().bytes.extend_from_slice(&piece),
        }
    }

    /// Nothing more comes.
    pub(in super::super) fn end(&mut self) {
        match &mut self.kind {
            Kind::Identity(_) => {}
            Kind::Coded(coded) => coded.input().is_over = true,
        }
    }

    /// The next piece of what there is.
    ///
    /// # Errors
    /// What came is malformed, or the end is there and it is not whole.
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

/// What a client is told: the words of a decoder are not for it, those of our own limits are.
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

/// What came and was not read.
#[derive(Default)]
pub(super) struct Input {
    pub(super) bytes: BytesMut,
    pub(super) is_over: bool,
}

impl Input {
    /// So many bytes, which stay.
    ///
    /// # Errors
    /// They are not there yet, or will not come.
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
