//! The output of encoders: bytes, or only their count.

use super::{CursorMut, Open, varint_len};

/// A target of an encoder.
pub trait Output: Sized {
    /// A region after its length.
    type Open;

    /// Writes bytes unchanged.
    fn raw(&mut self, bytes: &[u8]);
    /// The first `len` bytes of a tag.
    fn tag(&mut self, tag: [u8; 8], len: u8);
    /// A varint.
    fn varint(&mut self, value: u64);
    /// Four bytes.
    fn fixed32(&mut self, value: u32);
    /// Eight bytes.
    fn fixed64(&mut self, value: u64);
    /// The first `len` bytes of a tag, and a varint. The next methods also write a tag first.
    fn tagged_varint(&mut self, tag: [u8; 8], len: u8, value: u64);
    /// Four bytes.
    fn tagged_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32);
    /// Eight bytes.
    fn tagged_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64);
    /// A length, and bytes.
    fn tagged_bytes(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]);
    /// Begins a region, whose length is written before it.
    fn open(&mut self, tag: [u8; 8], len: u8) -> Self::Open;
    /// Begins a region whose length is guessed to be that of the region that was closed last.
    fn open_again(&mut self, tag: [u8; 8], len: u8) -> Self::Open;
    /// Ends the region.
    fn close(&mut self, open: Self::Open);
    /// Makes room for more bytes.
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
