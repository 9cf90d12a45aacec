//! A byte vector that is written by whole words.
//!
//! The one place of the wire layer with `unsafe`: a tag or a varint is put down by one capacity check and one or two
//! stores, where `Vec` checks and copies byte by byte.

/// A byte vector.
#[derive(Debug, Default)]
pub(crate) struct Buffer(Vec<u8>);

impl Buffer {
    #[inline(always)]
    pub(crate) fn new(vec: Vec<u8>) -> Self {
        Buffer(vec)
    }

    #[inline(always)]
    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.0
    }

    #[inline(always)]
    pub(crate) fn vec(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Where the next byte goes; at least `additional` bytes from there on are part of the allocation.
    #[inline(always)]
    fn end(&mut self, additional: usize) -> *mut u8 {
        if self.0.capacity() - self.0.len() < additional {
            self.grow(additional);
        }
        // SAFETY: the length is never more than the capacity, so the pointer stays inside the allocation, or is one
        // past its end.
        unsafe { self.0.as_mut_ptr().add(self.0.len()) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) {
        self.0.reserve(additional);
    }

    /// Appends the first `len` of eight bytes.
    #[inline(always)]
    pub(crate) fn put_short(&mut self, bytes: [u8; 8], len: u8) {
        let len = usize::from(len).min(8);
        let end = self.end(8);
        // SAFETY: `end` gave room for eight bytes, which do not overlap an array on the stack; the new length covers
        // at most those eight, all of them written.
        unsafe {
            end.cast::<[u8; 8]>().write_unaligned(bytes);
            self.0.set_len(self.0.len() + len);
        }
    }

    /// Appends the first `len` of sixteen bytes.
    #[inline(always)]
    pub(crate) fn put_wide(&mut self, bytes: [u8; 16], len: u8) {
        let len = usize::from(len).min(16);
        let end = self.end(16);
        // SAFETY: `end` gave room for sixteen bytes, which do not overlap an array on the stack; the new length covers
        // at most those sixteen, all of them written.
        unsafe {
            end.cast::<[u8; 16]>().write_unaligned(bytes);
            self.0.set_len(self.0.len() + len);
        }
    }

    /// Appends an array.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        let end = self.end(N);
        // SAFETY: `end` gave room for `N` bytes, and the new length covers those, all of them written.
        unsafe {
            end.cast::<[u8; N]>().write_unaligned(bytes);
            self.0.set_len(self.0.len() + N);
        }
    }

    /// Appends a varint.
    #[inline(always)]
    pub(crate) fn put_varint(&mut self, mut value: u64) {
        let end = self.end(10);
        let mut n = 0;
        // SAFETY: `end` gave room for ten bytes; 64 bits make at most ten groups of seven, so that `n` is below ten at
        // each store, and the new length covers just the bytes that were stored.
        unsafe {
            while value >= 0x80 {
                end.add(n).write(value as u8 | 0x80);
                value >>= 7;
                n += 1;
            }
            end.add(n).write(value as u8);
            self.0.set_len(self.0.len() + n + 1);
        }
    }

    /// Appends a slice; short ones without a call.
    #[inline(always)]
    pub(crate) fn put_slice(&mut self, bytes: &[u8]) {
        let end = self.end(bytes.len());
        // SAFETY: `end` gave room for the slice, which cannot overlap an allocation that is borrowed mutably; in the
        // short case both halves lie within the slice and within that room, and together they cover it.
        unsafe {
            let (from, len) = (bytes.as_ptr(), bytes.len());
            match len {
                16..=32 => {
                    let tail = from.add(len - 16).cast::<[u8; 16]>().read_unaligned();
                    end.cast::<[u8; 16]>().write_unaligned(from.cast::<[u8; 16]>().read_unaligned());
                    end.add(len - 16).cast::<[u8; 16]>().write_unaligned(tail);
                }
                8..=15 => {
                    let tail = from.add(len - 8).cast::<[u8; 8]>().read_unaligned();
                    end.cast::<[u8; 8]>().write_unaligned(from.cast::<[u8; 8]>().read_unaligned());
                    end.add(len - 8).cast::<[u8; 8]>().write_unaligned(tail);
                }
                _ => std::ptr::copy_nonoverlapping(from, end, len),
            }
            self.0.set_len(self.0.len() + len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_and_every_bit_width_from_an_empty_vector_on() {
        let text: Vec<u8> = (0..=255).collect();
        for len in 0..=text.len() {
            // Exactly as much capacity as is there already: each write has to make its own room.
            let mut buffer = Buffer::new(Vec::new());
            buffer.put_slice(&text[..len]);
            buffer.vec().shrink_to_fit();
            buffer.put_short([1, 2, 3, 4, 5, 6, 7, 8], (len % 9) as u8);
            buffer.vec().shrink_to_fit();
            buffer.put_wide(std::array::from_fn(|i| i as u8), (len % 17) as u8);
            buffer.vec().shrink_to_fit();
            buffer.put_slice(&text[text.len() - len..]);
            let short = [1, 2, 3, 4, 5, 6, 7, 8];
            let wanted =
                [&text[..len], &short[..len % 9], &text[..len % 17], &text[text.len() - len..]].concat();
            assert_eq!(buffer.into_vec(), wanted, "{len}");
        }
        for bits in 0..64 {
            for value in [1u64 << bits, (1u64 << bits) - 1, u64::MAX >> bits] {
                let mut buffer = Buffer::new(Vec::new());
                buffer.put_varint(value);
                let mut wanted = [0; 10];
                let len = super::super::put_varint(&mut wanted, value);
                assert_eq!(buffer.into_vec(), wanted[..len], "{value}");
            }
        }
    }
}
