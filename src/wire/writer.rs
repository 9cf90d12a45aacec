//! A growing buffer of wire bytes.

use super::Tag;
use super::buffer::Buffer;
use super::varint::{put_varint, varint_len};
use crate::error::{Error, LimitError, Result};

/// Bytes no longer than this are written without looking at how much there is already.
const LONG: usize = 4096;

/// A body longer than this is not moved when its length turns out to need more bytes: a patch is recorded.
const MOVE_UP_TO: usize = 4096;

/// Writes tags and values to the end of a byte vector.
///
/// A length-delimited region is opened before its length is known: one byte is reserved, and when the region turns
/// out longer, a short body is moved and a long one is noted as a patch. [`finish`](Self::finish) applies all patches in
/// one backward pass, so that no byte of a large message moves more than once.
///
/// ```
/// use tobu::wire::{Tag, WireType, Writer};
///
/// let mut writer = Writer::new();
/// writer.tag(Tag::new(1, WireType::Varint));
/// writer.varint(150);
/// let open = writer.open(Tag::new(2, WireType::Len));
/// writer.raw(b"hi");
/// writer.close(open);
/// assert_eq!(writer.finish()?, [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i']);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    buf: Buffer,
    /// Where the bytes of this writer start: what stood in the vector before is left alone.
    start: usize,
    /// Lengths to be put in by `finish`: the position of the reserved byte, and the final length.
    patches: Vec<(usize, u64)>,
    /// By how many bytes the patches so far will make the output longer.
    growth: usize,
    /// How many bytes were not written because there are too many: `finish` fails.
    lost: u64,
}

/// A length-delimited region that is being written; pass it to [`Writer::close`].
#[derive(Debug)]
#[must_use = "an open region has no length yet"]
pub struct Open {
    at: usize,
    growth: usize,
}

impl Writer {
    /// A writer with an empty buffer.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// A writer that appends to `buf`.
    #[inline(always)]
    pub fn append_to(buf: Vec<u8>) -> Self {
        Writer { start: buf.len(), buf: Buffer::new(buf), patches: Vec::new(), growth: 0, lost: 0 }
    }

    /// How many bytes were written, patches included.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.buf.len() - self.start + self.growth
    }

    /// True when nothing was written.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.buf.len() == self.start
    }

    /// Writes a tag.
    #[inline(always)]
    pub fn tag(&mut self, tag: Tag) {
        self.varint(u64::from(tag.value()));
    }

    /// Writes a varint in its shortest form.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        self.buf.put_varint(value);
    }

    /// Writes four bytes, little-endian.
    #[inline(always)]
    pub fn fixed32(&mut self, value: u32) {
        self.buf.put(value.to_le_bytes());
    }

    /// Writes eight bytes, little-endian.
    #[inline(always)]
    pub fn fixed64(&mut self, value: u64) {
        self.buf.put(value.to_le_bytes());
    }

    /// Writes a length and the bytes.
    #[inline(always)]
    pub fn len_prefixed(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes the first `len` of eight bytes.
    #[inline(always)]
    pub(crate) fn short(&mut self, bytes: [u8; 8], len: u8) {
        self.buf.put_short(bytes, len);
    }

    /// Writes the first `len` of eight bytes, seven at most, and a varint; likewise below.
    #[inline(always)]
    pub(crate) fn short_and_varint(&mut self, bytes: [u8; 8], len: u8, value: u64) {
        self.buf.put_short_and_varint(bytes, len, value);
    }

    #[inline(always)]
    pub(crate) fn short_and<const N: usize>(&mut self, bytes: [u8; 8], len: u8, then: [u8; N]) {
        self.buf.put_short_and(bytes, len, then);
    }

    #[inline(always)]
    pub(crate) fn short_and_len_prefixed(&mut self, bytes: [u8; 8], len: u8, then: &[u8]) {
        if then.len() > LONG {
            self.short(bytes, len);
            return self.len_prefixed(then);
        }
        self.buf.put_short_and_slice(bytes, len, then);
    }

    /// Writes bytes as they are.
    #[inline(always)]
    pub fn raw(&mut self, bytes: &[u8]) {
        if bytes.len() > LONG {
            return self.raw_long(bytes);
        }
        self.buf.put_slice(bytes);
    }

    /// Writes bytes unless they make the output longer than any reader accepts: then memory is not spent on them.
    #[inline(never)]
    fn raw_long(&mut self, bytes: &[u8]) {
        if self.lost > 0 || self.len().saturating_add(bytes.len()) > i32::MAX as usize {
            self.lost += bytes.len() as u64;
        } else {
            self.buf.put_slice(bytes);
        }
    }

    /// Makes room for `additional` more bytes.
    #[inline(always)]
    pub fn reserve(&mut self, additional: usize) {
        self.buf.vec().reserve(additional);
    }

    /// Writes `tag` and opens a length-delimited region.
    #[inline(always)]
    pub fn open(&mut self, tag: Tag) -> Open {
        self.tag(tag);
        self.open_len()
    }

    /// Opens a length-delimited region whose tag was written.
    #[inline(always)]
    pub fn open_len(&mut self) -> Open {
        let at = self.buf.len();
        self.buf.put([0]);
        Open { at, growth: self.growth }
    }

    /// Closes a length-delimited region: its length is known now.
    #[inline(always)]
    pub fn close(&mut self, open: Open) {
        let body = self.buf.len() - open.at - 1;
        if body < 0x80 && self.growth == open.growth {
            self.buf.vec()[open.at] = body as u8;
            return;
        }
        self.close_long(open, body);
    }

    #[inline(never)]
    fn close_long(&mut self, open: Open, body: usize) {
        let len = (body + (self.growth - open.growth)) as u64;
        let extra = varint_len(len) - 1;
        if body <= MOVE_UP_TO && self.growth == open.growth {
            let mut bytes = [0; 10];
            let n = put_varint(&mut bytes, len);
            let buf = self.buf.vec();
            buf.resize(buf.len() + extra, 0);
            buf.copy_within(open.at + 1..open.at + 1 + body, open.at + n);
            buf[open.at..open.at + n].copy_from_slice(&bytes[..n]);
        } else {
            // Patches are kept in the order of their positions: this one stands before those inside it.
            let inside = self.patches.partition_point(|(at, _)| *at < open.at);
            self.patches.insert(inside, (open.at, len));
            self.growth += extra;
        }
    }

    /// Finishes where `done`, else, and on an error, gives the buffer back as it was before this writer.
    #[inline]
    pub(crate) fn finish_or_truncate(self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        match done && self.is_plain() {
            true => (self.buf.into_vec(), Ok(())),
            false => self.patch_or_truncate(start, done),
        }
    }

    #[inline(never)]
    fn patch_or_truncate(self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        let fits = self.check();
        if done && fits.is_ok() {
            return (self.apply_patches(), Ok(()));
        }
        let mut buf = self.buf.into_vec();
        buf.truncate(start);
        (buf, fits)
    }

    /// Applies what is left to do and gives the buffer back.
    ///
    /// # Errors
    /// A length-delimited region, or the whole, is longer than `i32::MAX` bytes: no reader would accept it.
    #[inline]
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.is_plain() {
            return Ok(self.buf.into_vec());
        }
        self.check()?;
        Ok(self.apply_patches())
    }

    /// True when nothing is left to do.
    #[inline]
    fn is_plain(&self) -> bool {
        self.patches.is_empty() && self.lost == 0 && self.buf.len() - self.start <= i32::MAX as usize
    }

    fn check(&self) -> Result<()> {
        if let Some(&(_, len)) = self.patches.iter().find(|(_, len)| *len > i32::MAX as u64) {
            return Err(Error::limit(LimitError::Length(len)));
        }
        let len = self.len() as u64 + self.lost;
        if len > i32::MAX as u64 {
            return Err(Error::limit(LimitError::Length(len)));
        }
        Ok(())
    }

    fn apply_patches(self) -> Vec<u8> {
        let mut buf = self.buf.into_vec();
        let mut from = buf.len();
        buf.resize(from + self.growth, 0);
        let mut to = buf.len();
        for (at, len) in self.patches.into_iter().rev() {
            let body = at + 1..from;
            to -= body.len();
            buf.copy_within(body, to);
            let mut bytes = [0; 10];
            let n = put_varint(&mut bytes, len);
            to -= n;
            buf[to..to + n].copy_from_slice(&bytes[..n]);
            from = at;
        }
        buf
    }
}
