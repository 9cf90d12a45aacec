//! Decompresses the frames of Zstandard, block by block. A block is at most 128 KiB, also when it is decompressed.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8878>, and <https://www.rfc-editor.org/rfc/rfc9659> for HTTP.

mod block;
mod fse;

use std::io::{self, Read};

use bytes::Buf;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use self::block::Tables;
use super::decode::{Coded, Input};

/// The maximum size of a block, before and after decompression.
const BLOCK: usize = 128 << 10;

/// The largest window that HTTP allows.
const WINDOW: u64 = 8 << 20;

/// Decompresses a sequence of frames. Output is available when more bytes than the window were decompressed, or at the end of
/// a frame.
pub(super) struct Frames {
    input: Input,
    decoder: FrameDecoder,
    max_window: u64,
    state: State,
    /// The tables of the current frame.
    tables: Tables,
}

#[derive(Clone, Copy)]
enum State {
    Between,
    /// In a frame. `checked` is true if the frame ends with a checksum.
    Within {
        checked: bool,
    },
    /// In a skippable frame, with the number of bytes that are left of it.
    Skipping(usize),
}

impl Frames {
    /// Creates a decoder that accepts windows up to the limit of HTTP, or up to `window` bytes if this is more.
    pub(super) fn new(window: usize) -> Self {
        let (input, decoder) = (Input::default(), FrameDecoder::new());
        Frames {
            input,
            decoder,
            max_window: WINDOW.max(window as u64),
            state: State::Between,
            tables: Tables::default(),
        }
    }

    fn start(&mut self) -> io::Result<()> {
        let magic = u32::from_le_bytes(*self.input.first(4)?.first_chunk().unwrap_or(&[0; 4]));
        if magic & !0xf == 0x184d_2a50 {
            let length = *self.input.first(8)?.last_chunk().unwrap_or(&[0; 4]);
            self.state = State::Skipping(u32::from_le_bytes(length) as usize);
            self.input.bytes.advance(8);
            return Ok(());
        }
        if magic != 0xfd2f_b528 {
            return Err(malformed("this is not a frame"));
        }
        let head = Head::of(self.input.first(5)?[4]);
        let bytes = self.input.first(head.len)?;
        let window = head.window(bytes);
        if window > self.max_window {
            let max = self.max_window;
            let text = format!("a window of {window} bytes is over the limit of {max} bytes");
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        self.decoder.reset(bytes).map_err(malformed)?;
        self.tables = Tables::default();
        self.input.bytes.advance(head.len);
        self.state = State::Within { checked: head.checked };
        Ok(())
    }

    /// Decompresses the next block. Its `Block_Header` has three bytes: one bit that is set in the last block, two bits of a
    /// type, and the size.
    fn block(&mut self, checked: bool) -> io::Result<()> {
        let [a, b, c] = *self.input.first(3)?.first_chunk().unwrap_or(&[0; 3]);
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        if size > BLOCK {
            return Err(malformed(format!("a block of {size} bytes is over the limit of {BLOCK} bytes")));
        }
        // A block of type 1 is a run: one byte, which is repeated `size` times.
        let end = 3 + if kind == 1 { 1 } else { size };
        let len = end + if is_last && checked { 4 } else { 0 };
        let block = &self.input.first(len)?[3..end];
        if kind == 2 && self.tables.measure(block, BLOCK).is_none() {
            return Err(malformed("a block is malformed, or larger than a block may be"));
        }
        let block = self.input.bytes.split_to(len);
        self.decoder.decode_blocks(&block[..], BlockDecodingStrategy::UptoBlocks(1)).map_err(malformed)?;
        Ok(())
    }
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.state {
                State::Between if self.input.bytes.is_empty() && self.input.is_over => return Ok(0),
                State::Between => self.start()?,
                State::Skipping(0) => self.state = State::Between,
                State::Skipping(left) => {
                    self.input.first(1)?;
                    let count = left.min(self.input.bytes.len());
                    self.input.bytes.advance(count);
                    self.state = State::Skipping(left - count);
                }
                State::Within { .. } if self.decoder.can_collect() > 0 => return self.decoder.read(into),
                State::Within { checked: true }
                    if self.decoder.is_finished()
                        && self.decoder.get_checksum_from_data()
                            != self.decoder.get_calculated_checksum() =>
                {
                    return Err(malformed("the checksum does not match"));
                }
                State::Within { .. } if self.decoder.is_finished() => self.state = State::Between,
                State::Within { checked } => self.block(checked)?,
            }
        }
    }
}

impl Coded for Frames {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }
}

/// The layout of a frame header, which its `Frame_Header_Descriptor` determines. Positions include the magic number.
struct Head {
    len: usize,
    checked: bool,
    /// The position of the window descriptor. A frame without it has a window as large as its content.
    window: Option<usize>,
    /// The position of the content size, and how many bytes this number has.
    content: (usize, usize),
}

impl Head {
    fn of(descriptor: u8) -> Self {
        let is_single = descriptor >> 5 & 1 == 1;
        let window = (!is_single).then_some(5);
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let start = 5 + usize::from(!is_single) + dictionary;
        let content = match descriptor >> 6 {
            0 => usize::from(is_single),
            more => 1 << more,
        };
        Head { len: start + content, checked: descriptor >> 2 & 1 == 1, window, content: (start, content) }
    }

    fn window(&self, bytes: &[u8]) -> u64 {
        if let Some(at) = self.window {
            let (exponent, mantissa) = (u64::from(bytes[at] >> 3), u64::from(bytes[at] & 7));
            let base = 1 << (10 + exponent);
            return base + base / 8 * mantissa;
        }
        let (start, len) = self.content;
        let size = bytes[start..start + len].iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte));
        if len == 2 { size + 256 } else { size }
    }
}

fn malformed(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let line =
            |i: u32| format!("{} of {}: {}\n", i % 7, i % 1200 * (i % 1200) % 97, i % 1200 * 7919 % 109);
        (0..20_000).map(line).collect()
    }

    /// Decompresses all bytes.
    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut frames = Frames::new(0);
        frames.input.bytes.extend_from_slice(bytes);
        frames.input.is_over = true;
        let mut out = Vec::new();
        frames.read_to_end(&mut out)?;
        Ok(out)
    }

    /// Returns the sum of the measured sizes of all blocks of a frame.
    fn measured(bytes: &[u8]) -> usize {
        let (mut at, mut sum, mut tables) = (Head::of(bytes[4]).len, 0, Tables::default());
        loop {
            let header = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0]);
            let (kind, size) = (header >> 1 & 3, (header >> 3) as usize);
            let end = at + 3 + if kind == 1 { 1 } else { size };
            sum += match kind {
                2 => tables.measure(&bytes[at + 3..end], BLOCK).unwrap(),
                _ => size,
            };
            at = end;
            if header & 1 == 1 {
                return sum;
            }
        }
    }

    #[test]
    fn what_others_write() {
        let fast =
            ruzstd::encoding::compress_to_vec(text().as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
        // These files were written by the library of zstd, with the levels 1 and 19, and with checksums.
        let recorded = [
            &include_bytes!("../../../tests/zstd/level1.zst")[..],
            include_bytes!("../../../tests/zstd/level19.zst"),
        ];
        for bytes in recorded.into_iter().chain([&fast[..]]) {
            assert_eq!(measured(bytes), text().len());
            assert_eq!(read(bytes).unwrap(), text().as_bytes());
            // The input arrives byte by byte.
            let mut frames = Frames::new(0);
            let mut out = Vec::new();
            for byte in bytes {
                frames.input.bytes.extend_from_slice(&[*byte]);
                let more = frames.read_to_end(&mut out);
                assert_eq!(more.unwrap_err().kind(), io::ErrorKind::WouldBlock);
            }
            frames.input.is_over = true;
            frames.read_to_end(&mut out).unwrap();
            assert_eq!(out, text().as_bytes());
        }
    }

    /// Returns a frame with one compressed block, which has eight literals, and matches of 65,539 bytes and more.
    fn bomb(matches: u16) -> Vec<u8> {
        let mut block = b"\x40abcdefgh".to_vec();
        let [high, low] = matches.to_be_bytes();
        // All three tables have the mode for a single code.
        block.extend([128 + high, low, 0x54, 0, 0, 52]);
        block.extend(vec![0xff; 2 * usize::from(matches)]);
        block.push(1);
        let header = (block.len() as u32) << 3 | 2 << 1 | 1;
        [b"\x28\xb5\x2f\xfd\x00\x50", &header.to_le_bytes()[..3], &block].concat()
    }

    #[test]
    fn a_block_that_would_be_gigabytes_is_none() {
        let error = read(&bomb(30_000)).unwrap_err();
        assert_eq!(error.to_string(), "a block is malformed, or larger than a block may be");
        let mut tables = Tables::default();
        let block = &bomb(1)[9..];
        let size = 8 + 65_539 + 65_535;
        assert_eq!((tables.measure(block, size), tables.measure(block, size - 1)), (Some(size), None));
    }

    /// Broken input must give an error or the correct bytes, and never a panic.
    #[test]
    fn what_is_broken_stays_within_bounds() {
        let whole = include_bytes!("../../../tests/zstd/level19.zst");
        let text = text();
        for at in (0..whole.len()).step_by(61) {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1 << (at % 8);
            // Some bits have no meaning, so a change of them is not an error.
            if let Ok(out) = read(&bytes) {
                assert!(out == text.as_bytes(), "{at}");
            }
        }
    }
}
