//! A byte vector to which values are appended by stores of whole words.
//!
//! This module uses `unsafe`, because then a tag or a varint takes one check of the capacity and one or two stores. `Vec` would
//! check and copy byte by byte.

#![allow(unsafe_code)]

/// A byte vector, with `notes`: other state of the writer that owns the buffer.
#[derive(Debug, Default)]
pub struct Buffer<N = ()> {
    vec: Vec<u8>,
    /// The address of the end of the allocation, while there is a [`WriteCursor`].
    limit: usize,
    pub(super) notes: N,
}

/// The write cursor of a borrowed [`Buffer`]. The cursor is a separate value, so that the position stays in a register
/// from one write to the next.
///
/// `commit` adds the written bytes to the buffer. Without `commit`, they are lost.
pub type CursorMut<'b, N = ()> = WriteCursor<&'b mut Buffer<N>>;

/// The position after the last byte of a buffer. The cursor owns the buffer, or borrows it as a [`CursorMut`].
///
/// If a function that borrowed the cursor panics, the cursor must not be used again, because the buffer may have moved.
/// No code of the crate continues writing after a panic.
#[derive(Debug)]
pub struct WriteCursor<B> {
    buffer: B,
    /// The position of the next byte. It is within the allocation of the vector or at its end, and not before the
    /// vector's length. All bytes of the allocation before this position are initialized.
    next: *mut u8,
}

// SAFETY: a cursor owns its buffer or is the only borrow of it, and `next` points into the allocation of this buffer. So
// no other thread has access to these bytes after the cursor is sent.
unsafe impl<B: Send> Send for WriteCursor<B> {}

/// How a cursor holds its buffer: by value or by reference.
pub trait Hold {
    type Notes;

    fn held(&self) -> &Buffer<Self::Notes>;
    fn hold(&mut self) -> &mut Buffer<Self::Notes>;
}

impl<N> Hold for Buffer<N> {
    type Notes = N;

    #[inline]
    fn held(&self) -> &Buffer<N> {
        self
    }

    #[inline]
    fn hold(&mut self) -> &mut Buffer<N> {
        self
    }
}

impl<N> Hold for &mut Buffer<N> {
    type Notes = N;

    #[inline]
    fn held(&self) -> &Buffer<N> {
        self
    }

    #[inline]
    fn hold(&mut self) -> &mut Buffer<N> {
        self
    }
}

impl<N> Buffer<N> {
    #[inline]
    pub(crate) fn new(vec: Vec<u8>, notes: N) -> Self {
        Buffer { vec, limit: 0, notes }
    }

    #[inline]
    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.vec
    }

    #[inline]
    #[doc(hidden)]
    pub fn vec(&mut self) -> &mut Vec<u8> {
        &mut self.vec
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.vec.len()
    }

    #[inline]
    pub(crate) fn cursor(&mut self) -> CursorMut<'_, N> {
        CursorMut { next: self.end(), buffer: self }
    }

    /// Returns the end of the bytes. Also sets `limit` to the end of the allocation.
    #[inline]
    fn end(&mut self) -> *mut u8 {
        let start = self.vec.as_mut_ptr();
        self.limit = start as usize + self.vec.capacity();
        // SAFETY: the length of a vector is at most its capacity, so the pointer stays within the allocation.
        unsafe { start.add(self.vec.len()) }
    }

    /// Sets the length of the vector, so that its bytes end at `end`.
    ///
    /// # Safety
    /// `end` is the `next` of a [`WriteCursor`] of this buffer.
    #[inline]
    unsafe fn commit(&mut self, end: *mut u8) {
        // SAFETY: the caller says that `end` is the `next` of a cursor of this buffer. So it is within the allocation, and
        // all bytes before it are initialized.
        unsafe {
            let len = end.offset_from_unsigned(self.vec.as_mut_ptr());
            self.vec.set_len(len);
        }
    }

    /// Makes room for `additional` bytes after `end`. Returns the end of the bytes, which may have moved.
    ///
    /// # Safety
    /// `end` is the `next` of a [`WriteCursor`] of this buffer.
    #[cold]
    #[inline(never)]
    unsafe fn grow(&mut self, end: *mut u8, additional: usize) -> *mut u8 {
        // SAFETY: the caller says that `end` is the `next` of a cursor of this buffer, as `commit` requires.
        unsafe { self.commit(end) };
        self.vec.reserve(additional);
        self.end()
    }

    /// Makes room after `end`, and appends the first `len` of eight bytes and a varint. Returns the new end. The function is
    /// not inlined, so that a caller with enough room saves no registers.
    ///
    /// # Safety
    /// `end` is the `next` of a [`WriteCursor`] of this buffer, and `len` is at most seven.
    #[cold]
    #[inline(never)]
    unsafe fn grow_and_put_varint(
        &mut self,
        end: *mut u8,
        bytes: [u8; 8],
        len: usize,
        value: u64,
    ) -> *mut u8 {
        // SAFETY: the caller says that `end` is the `next` of a cursor of this buffer, as `grow` requires. `grow` makes
        // room for eighteen bytes at `next`, as `put_short_and_varint` requires.
        unsafe {
            let next = self.grow(end, 8 + 10);
            put_short_and_varint(next, bytes, len, value)
        }
    }
}

impl WriteCursor<Buffer> {
    /// Creates a cursor at the end of a vector.
    #[inline]
    #[doc(hidden)]
    pub fn of(vec: Vec<u8>) -> Self {
        let mut buffer = Buffer::new(vec, ());
        WriteCursor { next: buffer.end(), buffer }
    }

    #[inline]
    #[doc(hidden)]
    pub fn into_vec(mut self) -> Vec<u8> {
        self.with(|_| {});
        self.buffer.into_vec()
    }

    /// Calls a function that writes with a cursor of this buffer. The function must return the cursor.
    ///
    /// # Panics
    /// If the function returns the cursor of another buffer.
    #[inline]
    #[doc(hidden)]
    pub fn with_cursor(&mut self, write: impl for<'b> FnOnce(CursorMut<'b>) -> CursorMut<'b>) {
        let own: *const Buffer = &raw const self.buffer;
        let cursor = write(WriteCursor { buffer: &mut self.buffer, next: self.next });
        // The cursor of another buffer points into another allocation.
        assert!(std::ptr::eq(own, cursor.buffer));
        self.next = cursor.next;
    }
}

impl<N> CursorMut<'_, N> {
    /// Adds the written bytes to the buffer.
    #[inline]
    pub(crate) fn commit(self) {
        // SAFETY: `self.next` is the `next` of a cursor of this buffer, as `Buffer::commit` requires.
        unsafe { self.buffer.commit(self.next) };
    }

    /// Lends the cursor to code that may panic. When the code returns or panics, this cursor moves to the end of the
    /// committed bytes.
    #[inline]
    pub(super) fn lend<R>(&mut self, write: impl FnOnce(CursorMut<'_, N>) -> R) -> R {
        struct Back<'a, 'b, N>(&'a mut CursorMut<'b, N>);

        impl<N> Drop for Back<'_, '_, N> {
            #[inline]
            fn drop(&mut self) {
                self.0.next = self.0.buffer.end();
            }
        }

        // SAFETY: `self.next` is the `next` of a cursor of this buffer, as `commit` requires.
        unsafe { self.buffer.commit(self.next) };
        let back = Back(self);
        write(back.0.buffer.cursor())
    }
}

impl<B: Hold> WriteCursor<B> {
    /// Returns the number of bytes, including the bytes that are not committed.
    #[inline]
    #[doc(hidden)]
    #[allow(clippy::len_without_is_empty, reason = "no encoder asks whether nothing was written")]
    pub fn len(&self) -> usize {
        self.next as usize - self.buffer.held().vec.as_ptr() as usize
    }

    /// Returns the last byte, committed or not.
    #[inline]
    #[doc(hidden)]
    pub fn last(&self) -> Option<u8> {
        // SAFETY: the pointer is read only if there are bytes. Then the byte before `next` is within the allocation, and
        // initialized.
        (self.len() > 0).then(|| unsafe { self.next.sub(1).read() })
    }

    #[inline]
    pub(super) fn notes(&mut self) -> &mut B::Notes {
        &mut self.buffer.hold().notes
    }

    /// Calls a function that changes the buffer, and returns its result.
    #[inline]
    #[doc(hidden)]
    pub fn with<R>(&mut self, change: impl FnOnce(&mut Buffer<B::Notes>) -> R) -> R {
        let buffer = self.buffer.hold();
        // SAFETY: `self.next` is the `next` of a cursor of this buffer, as `commit` requires.
        unsafe { buffer.commit(self.next) };
        let out = change(buffer);
        self.next = buffer.end();
        out
    }

    /// Replaces a byte that was written before.
    #[inline]
    #[doc(hidden)]
    pub fn set(&mut self, at: usize, byte: u8) {
        assert!(at < self.len());
        // SAFETY: the assertion checks that the byte is before the end, so it is within the allocation.
        unsafe { self.buffer.hold().vec.as_mut_ptr().add(at).write(byte) };
    }

    /// Makes room for `additional` bytes, and returns the position of the next byte. At least `additional` bytes of the
    /// allocation begin there.
    #[inline]
    fn reserve(&mut self, additional: usize) -> *mut u8 {
        let buffer = self.buffer.hold();
        if buffer.limit - (self.next as usize) < additional {
            // SAFETY: `self.next` is the `next` of a cursor of this buffer, as `grow` requires.
            self.next = unsafe { buffer.grow(self.next, additional) };
        }
        self.next
    }

    /// Appends the first `len` of eight bytes.
    #[inline]
    #[doc(hidden)]
    pub fn put_short(&mut self, bytes: [u8; 8], len: u8) {
        self.put_wide(&bytes, len);
    }

    /// Appends the lowest bytes of each word in turn. The second member of each pair is how many bytes of the word are
    /// appended, at most eight.
    #[inline]
    #[doc(hidden)]
    pub fn put_words<const N: usize>(&mut self, words: [(u64, u8); N]) {
        let mut next = self.reserve(8 * N);
        for (word, len) in words {
            // SAFETY: `reserve` made room for eight bytes for each word, and each word takes at most eight.
            unsafe {
                next.cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
                next = next.add(usize::from(len).min(8));
            }
        }
        self.next = next;
    }

    /// Appends the first `len` of eight bytes, at most seven, and an array.
    #[inline]
    #[doc(hidden)]
    pub fn put_short_and<const SIZE: usize>(&mut self, bytes: [u8; 8], len: u8, then: [u8; SIZE]) {
        let len = usize::from(len & 7);
        let next = self.reserve(8 + SIZE);
        // SAFETY: `reserve` made room for `8 + SIZE` bytes. The first store takes 8 of them, the second ends at
        // `len + SIZE`, and `len` is at most 7. All bytes before the new end are written.
        unsafe {
            next.cast::<[u8; 8]>().write_unaligned(bytes);
            next.add(len).cast::<[u8; SIZE]>().write_unaligned(then);
            self.next = next.add(len + SIZE);
        }
    }

    /// Appends the first `len` of eight bytes, at most seven, and a varint.
    #[inline]
    #[doc(hidden)]
    pub fn put_short_and_varint(&mut self, bytes: [u8; 8], len: u8, value: u64) {
        let len = usize::from(len & 7);
        let buffer = self.buffer.hold();
        // SAFETY: `self.next` is the `next` of a cursor of this buffer, and `len` is at most seven, as
        // `grow_and_put_varint` requires. `put_short_and_varint` is called only if there is room for eighteen bytes.
        self.next = unsafe {
            match buffer.limit - (self.next as usize) < 8 + 10 {
                true => buffer.grow_and_put_varint(self.next, bytes, len, value),
                false => put_short_and_varint(self.next, bytes, len, value),
            }
        };
    }

    /// Appends the first `len` of eight bytes, at most seven, the length of a slice as a varint, and the slice. A short
    /// slice is copied inline, so that no registers are saved for a call.
    #[inline]
    #[doc(hidden)]
    pub fn put_short_and_slice(&mut self, bytes: [u8; 8], len: u8, slice: &[u8]) {
        let room = self.buffer.held().limit - (self.next as usize);
        if slice.len() > SHORT || room < 8 + 1 + SHORT {
            return self.put_short_and_any_slice(bytes, len, slice);
        }
        let len = usize::from(len & 7);
        // SAFETY: the check above makes sure that there is room for eight bytes, one more and the slice. The slice cannot
        // overlap the allocation, because the allocation is borrowed mutably. The stores are contiguous, so all bytes
        // before the new end are written.
        unsafe {
            self.next.cast::<[u8; 8]>().write_unaligned(bytes);
            self.next.add(len).write(slice.len() as u8);
            copy(slice, self.next.add(len + 1));
            self.next = self.next.add(len + 1 + slice.len());
        }
    }

    /// Appends the first `len` of eight bytes, the length of a slice as a varint, and the slice. The slice may have any
    /// length. Makes room if necessary.
    #[inline(never)]
    fn put_short_and_any_slice(&mut self, bytes: [u8; 8], len: u8, slice: &[u8]) {
        let len = usize::from(len & 7);
        let next = self.reserve(8 + 10 + slice.len());
        // SAFETY: `reserve` made room for eight bytes, ten more and the slice. The slice cannot overlap the allocation,
        // because the allocation is borrowed mutably. The stores are contiguous, so all bytes before the new end are
        // written.
        unsafe {
            next.cast::<[u8; 8]>().write_unaligned(bytes);
            let n = len + put_varint(next.add(len), slice.len() as u64);
            copy(slice, next.add(n));
            self.next = next.add(n + slice.len());
        }
    }

    /// Appends the first `len` bytes of an array.
    #[inline]
    #[doc(hidden)]
    pub fn put_wide<const SIZE: usize>(&mut self, bytes: &[u8; SIZE], len: u8) {
        let len = usize::from(len).min(SIZE);
        let next = self.reserve(SIZE);
        // SAFETY: `reserve` made room for `SIZE` bytes. All of them are written, and the new end is not after them.
        unsafe {
            next.cast::<[u8; SIZE]>().write_unaligned(*bytes);
            self.next = next.add(len);
        }
    }

    /// Appends the first bytes of an array, `len` modulo 32 of them.
    #[inline]
    #[doc(hidden)]
    pub fn put_key(&mut self, bytes: &[u8; 32], len: u8) {
        debug_assert!(len < 32, "a key of {len} bytes");
        self.put_wide(bytes, len % 32);
    }

    /// Appends an array.
    #[inline]
    #[doc(hidden)]
    pub fn put<const SIZE: usize>(&mut self, bytes: [u8; SIZE]) {
        self.put_wide(&bytes, SIZE as u8);
    }

    /// Appends a varint.
    #[inline]
    #[doc(hidden)]
    pub fn put_varint(&mut self, value: u64) {
        let next = self.reserve(10);
        // SAFETY: `reserve` made room for ten bytes, as `put_varint_inline` requires. The new end is after the bytes that
        // it stored.
        unsafe {
            let n = put_varint_inline(next, value);
            self.next = next.add(n);
        }
    }

    /// Appends a slice, with `byte` before and after the slice.
    #[inline]
    #[doc(hidden)]
    pub fn put_between(&mut self, byte: u8, slice: &[u8]) {
        let next = self.reserve(slice.len() + 2);
        // SAFETY: `reserve` made room for the slice and for a byte on either side. The slice cannot overlap the allocation,
        // because the allocation is borrowed mutably. All bytes before the new end are written.
        unsafe {
            next.write(byte);
            copy(slice, next.add(1));
            next.add(1 + slice.len()).write(byte);
            self.next = next.add(slice.len() + 2);
        }
    }

    /// Appends the first `len` of eight bytes, with `byte` before and after them.
    #[inline]
    #[doc(hidden)]
    pub fn put_short_between(&mut self, byte: u8, bytes: [u8; 8], len: usize) {
        let len = len.min(8);
        let next = self.reserve(10);
        // SAFETY: `reserve` made room for eight bytes and for a byte on either side. All bytes before the new end are
        // written.
        unsafe {
            next.write(byte);
            next.add(1).cast::<[u8; 8]>().write_unaligned(bytes);
            next.add(1 + len).write(byte);
            self.next = next.add(len + 2);
        }
    }

    /// Appends `len` bytes with `byte` before and after them. `head` has the first `N` of the bytes, and `tail` the last
    /// `N`. `len` is between `N` and twice `N`.
    #[inline]
    #[doc(hidden)]
    pub fn put_ends_between<const N: usize>(&mut self, byte: u8, [head, tail]: [[u8; N]; 2], len: usize) {
        let len = len.clamp(N, 2 * N);
        let next = self.reserve(2 * N + 2);
        // SAFETY: `reserve` made room for `2 * N` bytes and for a byte on either side, and `len` is at most `2 * N`. Both
        // arrays lie within the `len` bytes and cover them, so all bytes before the new end are written.
        unsafe {
            next.write(byte);
            next.add(1).cast::<[u8; N]>().write_unaligned(head);
            next.add(1 + len - N).cast::<[u8; N]>().write_unaligned(tail);
            next.add(1 + len).write(byte);
            self.next = next.add(len + 2);
        }
    }

    /// Appends a slice. A short slice is copied inline.
    #[inline]
    #[doc(hidden)]
    pub fn put_slice(&mut self, bytes: &[u8]) {
        let next = self.reserve(bytes.len());
        // SAFETY: `reserve` made room for the slice. The slice cannot overlap the allocation, because the allocation is
        // borrowed mutably. All bytes before the new end are written.
        unsafe {
            copy(bytes, next);
            self.next = next.add(bytes.len());
        }
    }
}

/// Stores the first `len` of eight bytes, and a varint. Returns the end.
///
/// # Safety
/// There is room for eighteen bytes at `to`, and `len` is at most seven.
#[inline]
unsafe fn put_short_and_varint(to: *mut u8, bytes: [u8; 8], len: usize, value: u64) -> *mut u8 {
    // SAFETY: the caller says that there is room for eighteen bytes. The first store takes eight, and the varint takes at
    // most ten from `len` on, which is at most seven.
    unsafe {
        to.cast::<[u8; 8]>().write_unaligned(bytes);
        let n = put_varint(to.add(len), value);
        to.add(len + n)
    }
}

/// Stores a varint and returns how many bytes it takes.
///
/// # Safety
/// There is room for ten bytes at `to`.
#[inline]
pub unsafe fn put_varint(to: *mut u8, value: u64) -> usize {
    /// This function is not inlined, because it would be most of the code of many callers.
    #[inline(never)]
    unsafe fn put_long(to: *mut u8, value: u64) -> usize {
        // SAFETY: the only caller is `put_varint`. Its own caller says that there is room for ten bytes at `to`.
        unsafe { put_varint_inline(to, value) }
    }
    // SAFETY: the caller says that there is room for ten bytes.
    unsafe {
        if value < 0x80 {
            to.write(value as u8);
            return 1;
        }
        put_long(to, value)
    }
}

/// Stores a varint and returns how many bytes it takes. This function is inlined, for use in loops.
///
/// # Safety
/// There is room for ten bytes at `to`.
#[inline]
pub unsafe fn put_varint_inline(to: *mut u8, value: u64) -> usize {
    // SAFETY: the caller says that there is room for ten bytes. Each store takes one, two or eight of them, and
    // `put_wide_varint` requires ten.
    unsafe {
        if value < 0x80 {
            to.write(value as u8);
            return 1;
        }
        if value < 1 << 14 {
            let word = (value & 0x7f | 0x80 | value << 1 & 0x7f00) as u16;
            to.cast::<[u8; 2]>().write_unaligned(word.to_le_bytes());
            return 2;
        }
        if value < 1 << 56 {
            let (word, len) = spread(value);
            to.cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
            return len;
        }
        put_wide_varint(to, value)
    }
}

/// Encodes a varint of two to eight bytes. Returns its bytes in a word, and their count. Each of the three steps splits
/// all parts of the word in two, so that at last each byte has a group of seven bits.
#[inline]
fn spread(value: u64) -> (u64, usize) {
    let len = (70 - (value | 1).leading_zeros() as usize) / 7;
    let mut word = value;
    word = word & 0x0fff_ffff | (word & 0x00ff_ffff_f000_0000) << 4;
    word = word & 0x0000_3fff_0000_3fff | (word & 0x0fff_c000_0fff_c000) << 2;
    word = word & 0x007f_007f_007f_007f | (word & 0x3f80_3f80_3f80_3f80) << 1;
    // Each byte except the last has the continuation bit.
    (word | 0x8080_8080_8080_8080 & ((1 << (8 * (len - 1))) - 1), len)
}

/// Stores a varint of nine or ten bytes, and returns how many bytes it takes.
///
/// # Safety
/// There is room for ten bytes at `to`.
#[inline(never)]
unsafe fn put_wide_varint(to: *mut u8, value: u64) -> usize {
    let low = spread(value & 0x00ff_ffff_ffff_ffff).0 | 0x8080_8080_8080_8080;
    // SAFETY: the caller says that there is room for ten bytes, and the stores take the first eight, the ninth and the
    // tenth.
    unsafe {
        to.cast::<[u8; 8]>().write_unaligned(low.to_le_bytes());
        let high = (value >> 56) as u8;
        if high < 0x80 {
            to.add(8).write(high);
            return 9;
        }
        to.add(8).write(high);
        to.add(9).write(1);
        10
    }
}

/// The longest slice that [`copy`] copies inline.
pub const SHORT: usize = 32;

/// Copies a slice. A short slice is copied inline.
///
/// # Safety
/// There is room for the slice at `to`, and the slice does not overlap this room.
#[inline]
pub unsafe fn copy(bytes: &[u8], to: *mut u8) {
    let (from, len) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the caller says that there is room for `len` bytes at `to`, and that the slice does not overlap it. In the
    // case of 8 to 32 bytes, each word of 8 bytes begins at `len - 8` or before. In the case of 1 to 3 bytes, each byte
    // is at `len - 1` or before. The case of 4 to 7 bytes keeps the contract of `halves`.
    unsafe {
        match len {
            8..=SHORT => {
                // Four overlapping words need no branch on the length. Such a branch would be hard to predict.
                let (second, third, last) = ((len - 8).min(8), len.max(16) - 16, len - 8);
                let word = |at| from.add(at).cast::<[u8; 8]>().read_unaligned();
                let words = (word(0), word(second), word(third), word(last));
                to.cast::<[u8; 8]>().write_unaligned(words.0);
                to.add(second).cast::<[u8; 8]>().write_unaligned(words.1);
                to.add(third).cast::<[u8; 8]>().write_unaligned(words.2);
                to.add(last).cast::<[u8; 8]>().write_unaligned(words.3);
            }
            0 => {}
            1..=3 => {
                let (first, middle, last) = (from.read(), from.add(len / 2).read(), from.add(len - 1).read());
                to.write(first);
                to.add(len / 2).write(middle);
                to.add(len - 1).write(last);
            }
            4..=7 => halves::<4>(from, to, len),
            _ => std::ptr::copy_nonoverlapping(from, to, len),
        }
    }
}

/// Copies `len` bytes as two arrays of `N` bytes. The arrays may overlap each other.
///
/// # Safety
/// `len` is from `N` to twice `N`. There are `len` bytes at `from` and room for `len` bytes at `to`, without overlap.
#[inline]
unsafe fn halves<const N: usize>(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller says that there are `len` bytes at `from` and at `to`, and that `len` is at least `N`. So both
    // arrays are within these bytes.
    unsafe {
        let tail = from.add(len - N).cast::<[u8; N]>().read_unaligned();
        to.cast::<[u8; N]>().write_unaligned(from.cast::<[u8; N]>().read_unaligned());
        to.add(len - N).cast::<[u8; N]>().write_unaligned(tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(buffer: &mut Buffer, write: impl FnOnce(&mut CursorMut<'_>)) {
        let mut cursor = buffer.cursor();
        write(&mut cursor);
        cursor.commit();
    }

    #[test]
    fn every_length_and_every_bit_width_from_an_empty_vector_on() {
        let text: Vec<u8> = (0..=255).collect();
        for len in 0..=text.len() {
            // Without spare capacity, each write must reserve.
            let mut buffer = Buffer::new(Vec::new(), ());
            put(&mut buffer, |cursor| cursor.put_slice(&text[..len]));
            buffer.vec().shrink_to_fit();
            let (short, n, rest) = ([1, 2, 3, 4, 5, 6, 7, 8], (len % 9) as u8, &text[text.len() - len..]);
            let (m, tag) = ((len % 8) as u8, &short[..len % 8]);
            let head = &short[..len % 9];
            put(&mut buffer, |cursor| cursor.put_short(short, n));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_slice(rest));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_short_and(short, m, [9, 8, 7]));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_short_and_varint(short, m, u64::MAX));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_short_and_slice(short, m, rest));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| {
                cursor.put_wide::<16>(&std::array::from_fn(|i| i as u8), (len % 17) as u8)
            });
            buffer.vec().shrink_to_fit();
            let key = std::array::from_fn(|i| i as u8);
            put(&mut buffer, |cursor| cursor.put_key(&key, (len % 32) as u8));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_between(b'|', rest));
            buffer.vec().shrink_to_fit();
            put(&mut buffer, |cursor| cursor.put_short_between(b'|', short, usize::from(n)));
            buffer.vec().shrink_to_fit();
            let ends = [[1, 2, 3], [4, 5, 6]];
            put(&mut buffer, |cursor| cursor.put_ends_between(b'|', ends, 3 + len % 4));
            buffer.vec().shrink_to_fit();
            let word = u64::from_le_bytes(short);
            put(&mut buffer, |cursor| {
                cursor.put_words([(word, n), (word, 0), (word, 8), (word, m), (word, 99)])
            });
            let mut prefix = [0; 10];
            let prefix_len = super::super::put_varint(&mut prefix, len as u64);
            let most = [&[0xff; 9][..], &[1]].concat();
            let tagged = [tag, &[9, 8, 7], tag, &most, tag, &prefix[..prefix_len], rest].concat();
            let words = [head, &short, &short[..usize::from(m)], &short].concat();
            let ends = [&[1, 2, 3][..len % 4], &[4, 5, 6]].concat();
            let between = [b"|", rest, b"||", head, b"||", &ends, b"|"].concat();
            let wide = &text[..len % 17];
            let parts = [&text[..len], head, rest, &tagged, wide, &key[..len % 32], &between, &words];
            assert_eq!(buffer.into_vec(), parts.concat(), "{len}");
        }
        for bits in 0..64 {
            for value in [1u64 << bits, (1u64 << bits) - 1, u64::MAX >> bits] {
                let mut buffer = Buffer::new(Vec::new(), ());
                put(&mut buffer, |cursor| cursor.put_varint(value));
                let mut wanted = [0; 10];
                let len = super::super::put_varint(&mut wanted, value);
                assert_eq!(buffer.into_vec(), wanted[..len], "{value}");
            }
        }
    }

    #[test]
    fn a_slice_finds_all_room_or_just_not_enough() {
        let text: Vec<u8> = (0..=40).collect();
        for (room, len) in (30..=60).flat_map(|room| (0..=40).map(move |len| (room, len))) {
            for tag in 0..8u8 {
                let mut buffer = Buffer::new(Vec::with_capacity(room), ());
                put(&mut buffer, |cursor| {
                    cursor.put_short_and_slice([1, 2, 3, 4, 5, 6, 7, 8], tag, &text[..len])
                });
                let wanted =
                    [&[1, 2, 3, 4, 5, 6, 7][..usize::from(tag)], &[len as u8], &text[..len]].concat();
                assert_eq!(buffer.into_vec(), wanted, "{room} {len} {tag}");
            }
        }
    }

    #[test]
    fn an_end_of_its_own_knows_what_is_not_settled_yet() {
        let mut cursor = WriteCursor::of(Vec::new());
        assert_eq!((cursor.len(), cursor.last()), (0, None));
        let mut wanted = Vec::new();
        for round in 0..200u8 {
            cursor.with_cursor(|mut cursor| {
                cursor.put_slice(&[round; 3]);
                cursor.put([round ^ 0xff]);
                cursor
            });
            wanted.extend([round, round, round, round ^ 0xff]);
            assert_eq!((cursor.len(), cursor.last()), (wanted.len(), wanted.last().copied()));
            let at = wanted.len() / 2;
            cursor.set(at, 7);
            wanted[at] = 7;
            if round % 8 == 0 {
                cursor.with(|buffer| assert_eq!(buffer.vec, wanted));
                cursor.with(|buffer| {
                    buffer.vec().pop();
                    buffer.vec().shrink_to_fit();
                });
                wanted.pop();
            }
        }
        assert_eq!(cursor.into_vec(), wanted);
        // The bytes of the vector stay.
        let mut cursor = WriteCursor::of(b"before ".to_vec());
        cursor.put_short(*b"after   ", 5);
        assert_eq!(cursor.into_vec(), b"before after");
    }
}
