//! The framing bytes of a stream: its prefix and the headers of its blocks. All numbers are little-endian.

use std::ops::Range;

#[cfg(feature = "gzip")]
use std::io::{Read, Write};

/// The magic number: the first bytes of a stream. The first byte is not text. The line breaks show whether a program
/// has copied the stream as text.
const MAGIC: [u8; 8] = *b"\x89TOBU\r\n\x1a";

const VERSION: u8 = 1;

/// The size of a prefix in bytes: the magic number, the version, three zeros, the sync marker, and their checksum.
pub(super) const PREFIX: usize = 32;

/// The size of the header of a block in bytes.
pub(super) const HEADER: usize = 48;

/// The first bytes of each block. They differ from stream to stream.
pub(super) type Marker = [u8; 16];

/// The size of a sync marker in bytes.
pub(super) const MARKER: usize = 16;

/// The lowest number of the kinds of blocks that readers skip if they do not know them.
const ANCILLARY: u8 = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Schema,
    Messages,
    End,
    /// A block that readers skip.
    Ancillary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) compression: u8,
    /// The size of the stored content in bytes.
    pub(super) stored: u32,
    /// The size of the content in bytes after decompression.
    pub(super) length: u32,
    /// The number of types or messages in earlier blocks. In the end block, the number of all messages.
    pub(super) first: u64,
    /// The number of types or messages in this block. In the end block, the number of all types.
    pub(super) count: u32,
    /// The checksum of the stored content.
    pub(super) sum: u32,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Damaged(&'static str),
    /// The bytes have a version, a kind of block or an option that is not supported.
    Unknown(String),
}

pub(super) fn prefix(marker: Marker) -> [u8; PREFIX] {
    let mut bytes = [0; PREFIX];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8] = VERSION;
    bytes[12..28].copy_from_slice(&marker);
    seal(&mut bytes);
    bytes
}

/// Returns the marker in a prefix, or the error in the prefix.
pub(super) fn read_prefix(bytes: [u8; PREFIX]) -> Result<Marker, Fault> {
    if bytes[..8] != MAGIC {
        return Err(Fault::Damaged("this is not a described stream"));
    }
    if !is_sealed(&bytes) {
        return Err(Fault::Damaged("the prefix of the stream is damaged"));
    }
    if bytes[8..12] != [VERSION, 0, 0, 0] {
        return Err(Fault::Unknown(format!("version {} of described streams is not supported", bytes[8])));
    }
    Ok(array(&bytes, 12..28))
}

impl Header {
    pub(super) fn encode(&self, marker: Marker) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..MARKER].copy_from_slice(&marker);
        bytes[16] = match self.kind {
            Kind::Schema => 1,
            Kind::Messages => 2,
            Kind::End => 3,
            Kind::Ancillary => ANCILLARY,
        };
        bytes[17] = self.compression;
        bytes[20..24].copy_from_slice(&self.stored.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.length.to_le_bytes());
        bytes[28..36].copy_from_slice(&self.first.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.count.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.sum.to_le_bytes());
        seal(&mut bytes);
        bytes
    }

    /// Reads the header of a block whose marker is right. Returns an error if the header is not valid.
    pub(super) fn read(bytes: [u8; HEADER]) -> Result<Self, Fault> {
        if !is_sealed(&bytes) {
            return Err(Fault::Damaged("the header of a block is damaged"));
        }
        let kind = match bytes[16] {
            1 => Kind::Schema,
            2 => Kind::Messages,
            3 => Kind::End,
            ANCILLARY.. => Kind::Ancillary,
            kind => return Err(Fault::Unknown(format!("blocks of kind {kind} are not supported"))),
        };
        let flags = u16::from_le_bytes(array(&bytes, 18..20));
        if flags != 0 {
            return Err(Fault::Unknown(format!("flags {flags:#x} of a block are not supported")));
        }
        Ok(Header {
            kind,
            compression: bytes[17],
            stored: u32::from_le_bytes(array(&bytes, 20..24)),
            length: u32::from_le_bytes(array(&bytes, 24..28)),
            first: u64::from_le_bytes(array(&bytes, 28..36)),
            count: u32::from_le_bytes(array(&bytes, 36..40)),
            sum: u32::from_le_bytes(array(&bytes, 40..44)),
        })
    }
}

/// Returns the checksum of the format: CRC-32C.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}

/// Stores a checksum in the last four bytes. The checksum covers all bytes before them.
fn seal(bytes: &mut [u8]) {
    let (all, sum) = bytes.split_at_mut(bytes.len() - 4);
    sum.copy_from_slice(&checksum(all).to_le_bytes());
}

fn is_sealed(bytes: &[u8]) -> bool {
    let (all, sum) = bytes.split_at(bytes.len() - 4);
    *sum == checksum(all).to_le_bytes()
}

fn array<const N: usize>(bytes: &[u8], range: Range<usize>) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[range]);
    array
}

/// How the blocks of a stream are compressed. The features of the crate decide which methods are available. The
/// format reserves a number for zstd, which no version of this crate reads or writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// Compression by gzip, with the feature `gzip`.
    #[cfg(feature = "gzip")]
    Gzip,
}

const GZIP: u8 = 1;

/// The number that the format reserves for zstd.
const ZSTD: u8 = 2;

/// Compresses the content of a block into `out`. Returns the number of the method. Returns 0 if the caller must store the
/// content without compression, because no method is set or the result is not smaller.
pub(super) fn compress(compression: Compression, content: &[u8], out: &mut Vec<u8>) -> std::io::Result<u8> {
    out.clear();
    match compression {
        _ if content.is_empty() => Ok(0),
        Compression::None => Ok(0),
        #[cfg(feature = "gzip")]
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(&mut *out, flate2::Compression::default());
            encoder.write_all(content)?;
            encoder.finish()?;
            Ok(if out.len() < content.len() { GZIP } else { 0 })
        }
    }
}

/// Decompresses a block. `how` is the number of the method, and `length` is the size after decompression. Both come
/// from the header. Decompresses at most `length + 1` bytes.
pub(super) fn decompress(how: u8, stored: &[u8], length: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    out.clear();
    match how {
        #[cfg(feature = "gzip")]
        GZIP => {
            let decoder = flate2::read::GzDecoder::new(stored);
            // One byte more than `length` is read, to detect excess content.
            let read = decoder.take(length as u64 + 1).read_to_end(out);
            match read.is_ok() && out.len() == length {
                true => Ok(()),
                false => Err(Fault::Damaged(
                    "a block cannot be decompressed, or its size is not the size in its header",
                )),
            }
        }
        _ => {
            let _ = (stored, length);
            Err(Fault::Unknown(match how {
                GZIP => "a block is compressed by gzip, for which the feature `gzip` is needed".to_owned(),
                ZSTD => "compression 2 of a block is reserved for zstd, which is not supported".to_owned(),
                _ => format!("compression {how} of a block is not supported"),
            }))
        }
    }
}
