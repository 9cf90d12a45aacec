//! The settings of described streams.

use super::frame::Compression;
use super::frame::Marker;
use crate::error::{Error, LimitError, Result};
use crate::options::{DecodeOptions, EncodeOptions};

/// Options for writing and reading described streams.
///
/// ```
/// use tobu::stream::described::{Options, Writer};
///
/// let options = Options::new().block_size(1 << 20);
/// let writer = Writer::with_options(Vec::new(), options);
/// # drop(writer);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) encode: EncodeOptions,
    pub(super) decode: DecodeOptions,
    pub(super) block_size: u32,
    pub(super) compression: Compression,
    pub(super) marker: Option<Marker>,
    pub(super) skip_damage: bool,
    pub(super) renamed: bool,
    max_block: u32,
    max_schema: u32,
    max_types: u32,
}

impl Options {
    /// Returns the default options: uncompressed blocks of 64 KiB, the defaults of the wire format, and limits of 64
    /// MiB per block, 4 MiB for descriptors, and 10,000 types.
    pub fn new() -> Self {
        Options {
            encode: EncodeOptions::new(),
            decode: DecodeOptions::new(),
            block_size: 64 << 10,
            compression: Compression::None,
            marker: None,
            skip_damage: false,
            renamed: false,
            max_block: 64 << 20,
            max_schema: 4 << 20,
            max_types: 10_000,
        }
    }

    /// Sets the options of encoding.
    #[must_use]
    pub fn encode(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// Sets the options of decoding. The limit of the input's size applies to each message.
    #[must_use]
    pub fn decode(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }

    /// Sets how many bytes of messages fill a block. A reader reads each block as a whole, so all messages of a damaged block
    /// are lost.
    #[must_use]
    pub fn block_size(mut self, bytes: u32) -> Self {
        self.block_size = bytes;
        self
    }

    /// Sets how blocks are compressed. A block that would not become smaller is written uncompressed.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the marker before each block, so that equal messages give equal streams.
    ///
    /// By default the marker is random. A sender who controls the content of messages and knows the marker could forge
    /// a block inside a message. A reader that searches for the next block after damage may accept this block.
    #[must_use]
    pub fn sync_marker(mut self, marker: [u8; 16]) -> Self {
        self.marker = Some(marker);
        self
    }

    /// After damage, continues at the next block instead of failing. [`Reader::left_out`](super::Reader::left_out)
    /// reports what was lost. At the end of a truncated stream, the reader still fails.
    #[must_use]
    pub fn skip_damage(mut self, yes: bool) -> Self {
        self.skip_damage = yes;
        self
    }

    /// Reads messages into Rust types with another full name, if their schemas are compatible.
    #[must_use]
    pub fn renamed(mut self, yes: bool) -> Self {
        self.renamed = yes;
        self
    }

    /// Sets the largest size of a block in bytes. The limit applies to both the stored block and the decompressed
    /// block. It is 64 MiB by default, and at most 2 GiB. A writer refuses messages that do not fit.
    #[must_use]
    pub fn max_block(mut self, bytes: u32) -> Self {
        self.max_block = bytes.min(i32::MAX as u32);
        self
    }

    /// Sets how many bytes all descriptors of a stream may have together. The default is 4 MiB. In memory, the
    /// descriptors can take up to 128 times this size.
    #[must_use]
    pub fn max_schema(mut self, bytes: u32) -> Self {
        self.max_schema = bytes;
        self
    }

    /// Sets the largest number of types that a stream may have. The default is 10,000.
    #[must_use]
    pub fn max_types(mut self, types: u32) -> Self {
        self.max_types = types;
        self
    }

    pub(super) fn check_block(&self, size: u64) -> Result<()> {
        check("block", size, self.max_block)
    }

    pub(super) fn check_schema(&self, size: u64) -> Result<()> {
        check("schema", size, self.max_schema)
    }

    pub(super) fn check_types(&self, count: u64) -> Result<()> {
        let limit = u64::from(self.max_types);
        match count <= limit {
            true => Ok(()),
            false => Err(Error::limit(LimitError::Types(limit))),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

fn check(what: &'static str, size: u64, limit: u32) -> Result<()> {
    let limit = u64::from(limit);
    match size <= limit {
        true => Ok(()),
        false => Err(Error::limit(LimitError::Part { what, size, limit })),
    }
}
