//! Zstandard's frames, block by block: a block is from four bytes to 128 KiB, for any decompressed size.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8878>, and <https://www.rfc-editor.org/rfc/rfc9659> for HTTP.

mod block;
mod fse;

use std::io::{self, Read};

use bytes::Buf;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use self::block::Tables;
use super::decode::{Coded, Input};

/// The most bytes of a block, and the most that it becomes.
const BLOCK: usize = 128 << 10;

/// The largest window of HTTP.
const WINDOW: u64 = 8 << 20;

/// Reads frames one after the other. Output is available once more than the window was decompressed, or at the
/// end of a frame.
pub(super) struct Frames {
    input: Input,
    decoder: FrameDecoder,
    max_window: u64,
    state: State,
    /// Those of the frame.
    tables: Tables,
}

#[derive(Clone, Copy)]
enum State {
    Between,
    /// In a frame, which may end with a checksum.
    Within {
        checked: bool,
    },
    /// In a skippable frame; this many bytes are left of it.
    Skipping(usize),
}

impl Frames {
    /// Takes windows of HTTP, or of this size if it is larger.
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
            return Err(malformed("this is no frame"));
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

    /// `Block_Header` is three bytes: whether it is the last one, two bits of a type, a size.
    fn block(&mut self, checked: bool) -> io::Result<()> {
        let [a, b, c] = *self.input.first(3)?.first_chunk().unwrap_or(&[0; 3]);
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        if size > BLOCK {
            return Err(malformed(format!("a block of {size} bytes is over the limit of {BLOCK} bytes")));
        }
        // A run is one byte, repeated.
        let end = 3 + if kind == 1 { 1 } else { size };
        let len = end + if is_last && checked { 4 } else { 0 };
        let block = &self.input.first(len)?[3..end];
        if kind == 2 && self.tables.measure(block, BLOCK).is_none() {
            return Err(malformed("a block is malformed, or more than a block may be"));
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
                    return Err(malformed("the checksum is another one"));
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

/// The sizes of a frame header, including the magic number, from its `Frame_Header_Descriptor`.
struct Head {
    len: usize,
    checked: bool,
    /// Where the window's descriptor is; a frame without one has its content as the window.
    window: Option<usize>,
    /// Where the size of the content is, and how many bytes it has.
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

    /// Returns the sizes of the blocks of one frame, as they are measured.
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
        // By the library of zstd, of its levels 1 and 19, with checksums.
        let recorded = [
            &include_bytes!("../../../tests/zstd/level1.zst")[..],
            include_bytes!("../../../tests/zstd/level19.zst"),
        ];
        for bytes in recorded.into_iter().chain([&fast[..]]) {
            assert_eq!(measured(bytes), text().len());
            assert_eq!(read(bytes).unwrap(), text().as_bytes());
            // Byte by byte.
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

    /// Returns a frame of one compressed block: eight literals, and matches of 65,539 bytes and more.
    fn bomb(matches: u16) -> Vec<u8> {
        let mut block = b"\x40abcdefgh".to_vec();
        let [high, low] = matches.to_be_bytes();
        // One code of each kind, without a table.
        block.extend([128 + high, low, 0x54, 0, 0, 52]);
        block.extend(vec![0xff; 2 * usize::from(matches)]);
        block.push(1);
        let header = (block.len() as u32) << 3 | 2 << 1 | 1;
        [b"\x28\xb5\x2f\xfd\x00\x50", &header.to_le_bytes()[..3], &block].concat()
    }

    #[test]
    fn a_block_that_would_be_gigabytes_is_none() {
        let error = read(&bomb(30_000)).unwrap_err();
        assert_eq!(error.to_string(), "a block is malformed, or more than a block may be");
        let mut tables = Tables::default();
        let block = &bomb(1)[9..];
        let size = 8 + 65_539 + 65_535;
        assert_eq!((tables.measure(block, size), tables.measure(block, size - 1)), (Some(size), None));
    }

    /// Broken input gives an error or bytes within bounds, never a panic.
    #[test]
    fn what_is_broken_stays_within_bounds() {
        let whole = include_bytes!("../../../tests/zstd/level19.zst");
        let text = text();
        for at in (0..whole.len()).step_by(61) {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1 << (at % 8);
            // There are bits that say nothing.
            if let Ok(out) = read(&bytes) {
                assert!(out == text.as_bytes(), "{at}");
            }
        }
    }
}
