//! How the contents of blocks are compressed.

use super::frame::Fault;
#[cfg(feature = "gzip")]
use std::io::{Read, Write};

/// How the blocks of a stream are compressed; the features of the crate decide which are available. The format reserves a
/// number for zstd, which no version of this crate writes or reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// By gzip, with the feature `gzip`.
    #[cfg(feature = "gzip")]
    Gzip,
}

const GZIP: u8 = 1;
/// Reserved by the format.
const ZSTD: u8 = 2;

/// Compresses a content; returns the number of how it was, 0 where `out` is not used because it is not
/// smaller.
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

/// Decompresses a block that says how it was compressed and how many bytes it becomes; no more than that are made.
pub(super) fn decompress(how: u8, stored: &[u8], length: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    out.clear();
    match how {
        #[cfg(feature = "gzip")]
        GZIP => {
            let decoder = flate2::read::GzDecoder::new(stored);
            // One more than there may be, to see that there is none.
            let read = decoder.take(length as u64 + 1).read_to_end(out);
            match read.is_ok() && out.len() == length {
                true => Ok(()),
                false => {
                    Err(Fault::Damaged("a block cannot be decompressed, or not to what its header says"))
                }
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
