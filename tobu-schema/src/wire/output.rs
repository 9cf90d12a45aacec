//! The outputs of encoders: a writer of bytes, and a counter of bytes.

use super::{CursorMut, Open, varint_len};

/// An output of an encoder.
pub trait Output: Sized {
    /// The state of a region that was opened and not yet closed. A region is a run of bytes with a length prefix.
    type Open;

    /// Writes bytes unchanged.
    fn raw(&mut self, bytes: &[u8]);
    /// Writes a tag: the first `len` bytes of `tag`.
    fn tag(&mut self, tag: [u8; 8], len: u8);
    /// Writes a varint.
    fn varint(&mut self, value: u64);
    /// Writes four bytes.
    fn fixed32(&mut self, value: u32);
    /// Writes eight bytes.
    fn fixed64(&mut self, value: u64);
    /// Writes a tag (the first `len` bytes of `tag`) and a varint.
    fn tagged_varint(&mut self, tag: [u8; 8], len: u8, value: u64);
    /// Writes a tag and four bytes.
    fn tagged_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32);
    /// Writes a tag and eight bytes.
    fn tagged_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64);
    /// Writes a tag, the length of `bytes` and the bytes.
    fn tagged_bytes(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]);
    /// Writes a tag and begins a region. The length of the region will be written before its bytes.
    fn open(&mut self, tag: [u8; 8], len: u8) -> Self::Open;
    /// Writes a tag and begins a region, which probably has about as many bytes as the region that was closed last.
    fn open_again(&mut self, tag: [u8; 8], len: u8) -> Self::Open;
    /// Ends a region.
    fn close(&mut self, open: Self::Open);
    /// Makes room for `bytes` more bytes.
    fn reserve(&mut self, bytes: usize);
}

impl Output for CursorMut<'_> {
    type Open = Open;

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        CursorMut::raw(self, bytes);
    }

    #[inline]
    fn tag(&mut self, tag: [u8; 8], len: u8) {
        self.short(tag, len);
    }

    #[inline]
    fn varint(&mut self, value: u64) {
        CursorMut::varint(self, value);
    }

    #[inline]
    fn fixed32(&mut self, value: u32) {
        CursorMut::fixed32(self, value);
    }

    #[inline]
    fn fixed64(&mut self, value: u64) {
        CursorMut::fixed64(self, value);
    }

    #[inline]
    fn tagged_varint(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.short_and_varint(tag, len, value);
    }

    #[inline]
    fn tagged_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32) {
        self.short_and(tag, len, value.to_le_bytes());
    }

    #[inline]
    fn tagged_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.short_and(tag, len, value.to_le_bytes());
    }

    #[inline]
    fn tagged_bytes(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]) {
        self.short_and_len_prefixed(tag, len, bytes);
    }

    #[inline]
    fn open(&mut self, tag: [u8; 8], len: u8) -> Open {
        self.short_and_open(tag, len)
    }

    #[inline]
    fn open_again(&mut self, tag: [u8; 8], len: u8) -> Open {
        self.short_and_open_again(tag, len)
    }

    #[inline]
    fn close(&mut self, open: Open) {
        CursorMut::close(self, open);
    }

    #[inline]
    fn reserve(&mut self, bytes: usize) {
        CursorMut::reserve(self, bytes);
    }
}

/// Counts the bytes that a writer would write.
#[derive(Debug, Default)]
pub struct Count(pub u64);

impl Output for Count {
    type Open = u64;

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }

    #[inline]
    fn tag(&mut self, _: [u8; 8], len: u8) {
        self.0 += u64::from(len);
    }

    #[inline]
    fn varint(&mut self, value: u64) {
        self.0 += varint_len(value) as u64;
    }

    #[inline]
    fn fixed32(&mut self, _: u32) {
        self.0 += 4;
    }

    #[inline]
    fn fixed64(&mut self, _: u64) {
        self.0 += 8;
    }

    #[inline]
    fn tagged_varint(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.tag(tag, len);
        self.varint(value);
    }

    #[inline]
    fn tagged_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32) {
        self.tag(tag, len);
        self.fixed32(value);
    }

    #[inline]
    fn tagged_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.tag(tag, len);
        self.fixed64(value);
    }

    #[inline]
    fn tagged_bytes(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]) {
        self.tagged_varint(tag, len, bytes.len() as u64);
        self.raw(bytes);
    }

    #[inline]
    fn open(&mut self, tag: [u8; 8], len: u8) -> u64 {
        self.tag(tag, len);
        self.0
    }

    #[inline]
    fn open_again(&mut self, tag: [u8; 8], len: u8) -> u64 {
        self.open(tag, len)
    }

    #[inline]
    fn close(&mut self, open: u64) {
        self.0 += varint_len(self.0 - open) as u64;
    }

    #[inline]
    fn reserve(&mut self, _: usize) {}
}
