//! Outputs for encoded bytes. One output appends to a vector, and one only counts the bytes.
//!
//! # Safety
//! Each cursor that is passed to an output must be the last cursor, which the last call of this output returned. A region may
//! be closed only if it is the innermost open region.

use crate::error::{Error, LimitError, Result};
use crate::table::Part;
use crate::wire::{Patches, store_slice, store_varint, store_varint_inline, varint_len};

/// The maximum size of a message in bytes.
pub(super) const MAX: usize = i32::MAX as usize;

/// Strings of at most this length are written without a check of the total size.
pub(super) const LONG: usize = 4096;

const _: () = assert!(LONG < 1 << 14);

/// The number of bytes that [`Tail::room`] reserves in addition to the bytes that its caller needs. It is enough for a tag,
/// which is stored as a word of eight bytes, and a varint.
const SLACK: usize = 32;

/// The number of varints that are written after one check of the capacity.
pub(super) const CHUNK: usize = 32;

/// A tag that is ready to be written: its bytes in memory order, padded with zeros, and the number of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TagBytes {
    pub(super) word: u64,
    pub(super) len: u8,
}

/// A length-delimited region of a vector: a length prefix that is not yet written, and its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// The position of the bytes that are reserved for the length prefix.
    pub(super) at: usize,
    /// The number of reserved bytes, which is at most three.
    pub(super) width: usize,
}

/// An output that either writes encoded bytes or counts them.
pub(super) trait Output {
    /// The position of the next byte.
    type Cursor: Copy;
    /// A length-delimited region whose length is not known yet.
    type Region: Copy;

    unsafe fn tag(&mut self, at: Self::Cursor, tag: TagBytes) -> Self::Cursor;
    unsafe fn varint(&mut self, at: Self::Cursor, tag: TagBytes, value: u64) -> Self::Cursor;
    unsafe fn fixed<const N: usize>(
        &mut self,
        at: Self::Cursor,
        tag: TagBytes,
        bytes: [u8; N],
    ) -> Self::Cursor;
    /// Writes a tag, and a length prefix of less than 2^14.
    unsafe fn short_len(&mut self, at: Self::Cursor, tag: TagBytes, len: usize) -> Self::Cursor;
    /// Writes a tag, the length of `bytes`, and `bytes`.
    unsafe fn slice(&mut self, at: Self::Cursor, tag: TagBytes, bytes: &[u8]) -> Self::Cursor;
    /// Writes varints, which together take at most `bytes` bytes.
    unsafe fn varints(
        &mut self,
        at: Self::Cursor,
        bytes: usize,
        values: impl Iterator<Item = u64>,
    ) -> Self::Cursor;
    /// Writes a map entry whose key and value are strings of at most [`LONG`] bytes each. `tags` are the tags of the key and
    /// the value, which have one byte each.
    unsafe fn texts(
        &mut self,
        at: Self::Cursor,
        tag: TagBytes,
        tags: [u8; 2],
        texts: [&[u8]; 2],
    ) -> Self::Cursor;
    /// Writes leaves of a message with the function that is compiled for its type. Returns `None` if there is no such function,
    /// or if the output has too little capacity for the leaves.
    unsafe fn leaves(
        &mut self,
        part: &Part,
        base: *const u8,
        leaves: u64,
        at: Self::Cursor,
    ) -> Option<Self::Cursor>;
    /// Writes bytes unchanged.
    unsafe fn raw(&mut self, at: Self::Cursor, bytes: &[u8]) -> Self::Cursor;
    unsafe fn open(&mut self, at: Self::Cursor, tag: TagBytes, width: usize) -> (Self::Cursor, Self::Region);
    /// Closes a region. Returns the cursor, and the number of bytes that the length prefix takes (always 1 if the output only
    /// counts).
    unsafe fn close(&mut self, at: Self::Cursor, region: Self::Region) -> (Self::Cursor, usize);
}

/// Appends to a vector. The length of the vector is set only at the end.
pub(super) struct Tail<'b> {
    vec: &'b mut Vec<u8>,
    /// The length of the vector before the output begins.
    before: usize,
    start: *mut u8,
    /// The last address at which the allocation has at least [`SLACK`] more bytes.
    limit: usize,
    /// True if leaves are written step by step, and not with the compiled function of the message type. Only tests set this.
    #[cfg(test)]
    pub(super) by_steps: bool,
    /// The work for the end, if it consists of more than setting the length of the vector.
    late: Option<Box<Finishing>>,
}

/// The work that the output does at the end.
#[derive(Default)]
struct Finishing {
    patches: Patches,
    /// True if the output is longer than a message may be. Then the encoding fails, so the length prefixes do not matter.
    too_long: bool,
}

impl<'b> Tail<'b> {
    /// Creates an output that appends to `vec`, and reserves `room` bytes.
    pub(super) fn new(vec: &'b mut Vec<u8>, room: usize) -> Self {
        match vec.capacity() {
            // Allocating a new vector takes fewer instructions than growing an empty vector.
            0 => *vec = Vec::with_capacity(room),
            _ => vec.reserve(room),
        }
        let mut tail = Tail {
            before: vec.len(),
            limit: 0,
            start: vec.as_mut_ptr(),
            vec,
            #[cfg(test)]
            by_steps: false,
            late: None,
        };
        tail.set_limit();
        tail
    }

    fn set_limit(&mut self) {
        self.limit = (self.start.addr() + self.vec.capacity()).saturating_sub(SLACK);
    }

    pub(super) fn first(&self) -> *mut u8 {
        // SAFETY: the length of a vector is at most its capacity, so the cursor is within the allocation or at its end.
        unsafe { self.start.add(self.before) }
    }

    /// Returns the length that the vector would have if it ended at `at`, including the bytes before the message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len(&self, at: *mut u8) -> usize {
        at as usize - self.start as usize
    }

    /// Adds the written bytes to the vector. Returns the number of bytes, or `None` if the message is too long.
    #[inline]
    pub(super) unsafe fn finish(self, at: *mut u8) -> Option<usize> {
        let len = self.len(at);
        if self.written(len) > MAX || self.is_too_long() {
            return None;
        }
        let Tail { vec, before, late, .. } = self;
        // SAFETY: all bytes before `at` are initialized, and are within the allocation.
        unsafe { vec.set_len(len) };
        match late {
            None => Some(len - before),
            Some(late) => Some(Self::patch(vec, before, late.patches)),
        }
    }

    /// Inserts the length prefixes that were postponed, and returns the final number of bytes.
    #[cold]
    #[inline(never)]
    fn patch(vec: &mut Vec<u8>, before: usize, mut patches: Patches) -> usize {
        let mut whole = Whole { vec, before, done: false };
        patches.apply(whole.vec);
        whole.done = true;
        whole.vec.len() - before
    }

    /// True if the message is too long. If so, later bytes overwrite earlier ones.
    fn is_too_long(&self) -> bool {
        self.late.as_ref().is_some_and(|late| late.too_long)
    }

    #[cold]
    fn set_too_long(&mut self) {
        self.late.get_or_insert_default().too_long = true;
    }

    /// Returns the number of bytes of the message if the vector has the length `len`. The number includes the length prefixes
    /// that are not yet inserted.
    #[inline]
    fn written(&self, len: usize) -> usize {
        len - self.before + self.late.as_ref().map_or(0, |late| late.patches.growth())
    }

    /// Ensures that the vector can hold `bytes` bytes after `at`, and [`SLACK`] more. Returns the cursor, which differs from
    /// `at` if the vector had to grow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn room(&mut self, at: *mut u8, bytes: usize) -> *mut u8 {
        if at.addr() + bytes <= self.limit { at } else { self.grow(at, bytes + SLACK) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: *mut u8, bytes: usize) -> *mut u8 {
        let mut len = self.len(at);
        if self.is_too_long() || self.written(len) + bytes > MAX + LONG {
            self.set_too_long();
            len = self.before;
        }
        let vec = Whole { vec: self.vec, before: self.before, done: false };
        // SAFETY: all bytes before `at` are initialized, and are within the allocation. If `reserve` panics, the guard discards
        // them.
        unsafe { vec.vec.set_len(len) };
        vec.vec.reserve(bytes);
        drop(vec);
        self.start = self.vec.as_mut_ptr();
        self.set_limit();
        // SAFETY: `reserve` made the capacity at least `len + bytes`, and dropping the guard only shortens the vector. So the
        // new cursor is within the allocation.
        unsafe { self.start.add(len) }
    }

    /// Writes a slice. The slice may be so long that the message becomes too long.
    #[inline(never)]
    unsafe fn long(&mut self, at: *mut u8, bytes: &[u8]) -> *mut u8 {
        let len = self.written(self.len(at));
        if self.is_too_long() || len.saturating_add(bytes.len()) > MAX {
            self.set_too_long();
            return at;
        }
        let at = self.room(at, bytes.len());
        // SAFETY: `room` reserved `bytes.len()` bytes after `at`, and a borrowed slice cannot overlap a vector that is mutably
        // borrowed.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len());
            at.add(bytes.len())
        }
    }

    /// Writes a tag, a length prefix, and a slice. The slice may be so long that the message becomes too long.
    #[inline(never)]
    unsafe fn long_slice(&mut self, at: *mut u8, tag: TagBytes, bytes: &[u8]) -> *mut u8 {
        // SAFETY: the caller passes the cursor that the last call returned. `varint` reserves the bytes that it writes, and
        // `long` gets the cursor that `varint` returned.
        unsafe {
            let at = self.varint(at, tag, bytes.len() as u64);
            self.long(at, bytes)
        }
    }

    #[inline(never)]
    unsafe fn close_long(&mut self, at: *mut u8, region: Region) -> (*mut u8, usize) {
        if self.is_too_long() {
            return (at, region.width);
        }
        let body = self.len(at) - region.at - region.width;
        let len = body + self.late.as_ref().map_or(0, |late| late.patches.growth_after(region.at));
        let width = varint_len(len as u64);
        if width > region.width && body > LONG {
            self.late.get_or_insert_default().patches.add(region.at, region.width, len);
            return (at, width);
        }
        self.room(at, 0);
        if self.is_too_long() {
            return (self.first(), region.width);
        }
        // SAFETY: the region is before the cursor, and `room` reserved enough bytes for the rest of the length prefix. The
        // varint is first stored in a buffer that is as long as the longest varint, and then only its bytes are copied.
        unsafe {
            let to = self.start.add(region.at);
            if width != region.width {
                std::ptr::copy(to.add(region.width), to.add(width), body);
            }
            let mut bytes = [0; 10];
            store_varint(bytes.as_mut_ptr(), len as u64);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, width);
            (to.add(width + body), width)
        }
    }
}

/// A guard that discards the output when it is dropped, unless `done` is true.
struct Whole<'b> {
    vec: &'b mut Vec<u8>,
    before: usize,
    done: bool,
}

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.vec.truncate(self.before);
        }
    }
}

/// Stores a tag, and a length prefix of less than 2^14, at `at`. Returns the end of the length prefix.
///
/// # Safety
/// Ten bytes from `at` on can be written.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn put_short_len(at: *mut u8, tag: TagBytes, len: usize) -> *mut u8 {
    debug_assert!(len < 1 << 14);
    // SAFETY: the caller says that ten bytes can be written. The word of the tag takes eight bytes. The tag has at most five
    // bytes, so the two bytes of the length prefix are within the ten bytes, too.
    unsafe {
        at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
        let at = at.add(usize::from(tag.len));
        at.write(if len < 0x80 { len } else { len | 0x80 } as u8);
        // If the length takes one byte, the next write overwrites this second byte.
        at.add(1).write((len >> 7) as u8);
        at.add(1 + usize::from(len >= 0x80))
    }
}

/// Counts the bytes of two strings, each with a tag of one byte and a length prefix.
#[cfg_attr(not(debug_assertions), inline(always))]
fn texts_len(texts: [&[u8]; 2]) -> usize {
    texts.iter().map(|text| 2 + usize::from(text.len() >= 0x80) + text.len()).sum()
}

// SAFETY (for all functions here): `room` reserves space for all bytes that are stored, and the new cursor is after the stored
// bytes. A tag is stored as a word of eight bytes, so the bytes that are reserved for a length prefix are zero before the
// length is stored.
impl Output for Tail<'_> {
    type Cursor = *mut u8;
    type Region = Region;

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn tag(&mut self, at: *mut u8, tag: TagBytes) -> *mut u8 {
        let at = self.room(at, 0);
        // SAFETY: `room` returns a cursor with at least `SLACK` bytes of the allocation after it, which is more than the eight
        // bytes of the word. The new cursor is after the tag, which was written.
        unsafe {
            at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
            at.add(usize::from(tag.len))
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn varint(&mut self, at: *mut u8, tag: TagBytes, value: u64) -> *mut u8 {
        let at = self.room(at, 0);
        // SAFETY: `room` returns a cursor with at least `SLACK` bytes of the allocation after it. They are enough for the tag,
        // which has at most five bytes and is stored as a word of eight, and for a varint of ten bytes. The new cursor is after
        // the last byte that was written.
        unsafe {
            at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
            let at = at.add(usize::from(tag.len));
            at.add(store_varint(at, value))
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn fixed<const N: usize>(&mut self, at: *mut u8, tag: TagBytes, bytes: [u8; N]) -> *mut u8 {
        let at = self.room(at, 0);
        // SAFETY: `room` returns a cursor with at least `SLACK` bytes of the allocation after it. They are enough for the tag,
        // which has at most five bytes and is stored as a word of eight, and for `N` bytes, which are at most eight. The new
        // cursor is after the last byte that was written.
        unsafe {
            at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
            let at = at.add(usize::from(tag.len));
            at.cast::<[u8; N]>().write_unaligned(bytes);
            at.add(N)
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn short_len(&mut self, at: *mut u8, tag: TagBytes, len: usize) -> *mut u8 {
        let at = self.room(at, 0);
        // SAFETY: `room` returns a cursor with at least `SLACK` bytes of the allocation after it, and `put_short_len` needs
        // ten.
        unsafe { put_short_len(at, tag, len) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn slice(&mut self, at: *mut u8, tag: TagBytes, bytes: &[u8]) -> *mut u8 {
        // SAFETY: the caller passes the cursor that the last call returned. `room` returns a cursor with enough bytes after it
        // for the slice, and for `SLACK` bytes more. These are enough for the tag, which has at most five bytes and is stored
        // as a word of eight, and for a length prefix of ten bytes. A borrowed slice cannot overlap a vector that is mutably
        // borrowed.
        unsafe {
            if bytes.len() > LONG {
                return self.long_slice(at, tag, bytes);
            }
            let at = self.room(at, bytes.len());
            at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
            let at = at.add(usize::from(tag.len));
            let at = at.add(store_varint(at, bytes.len() as u64));
            store_slice(bytes, at);
            at.add(bytes.len())
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn varints(&mut self, at: *mut u8, bytes: usize, values: impl Iterator<Item = u64>) -> *mut u8 {
        // The last varint is stored as a whole word, even if it is short. So the loop may write to the `SLACK` bytes after it.
        let mut at = self.room(at, bytes);
        for value in values {
            // SAFETY: the caller says that all values together take at most `bytes` bytes. `room` reserved these bytes and
            // `SLACK` bytes more, so at least ten bytes can be written at each cursor. The new cursor is after the last byte
            // that was written.
            unsafe { at = at.add(store_varint_inline(at, value)) };
        }
        at
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn texts(&mut self, at: *mut u8, tag: TagBytes, tags: [u8; 2], texts: [&[u8]; 2]) -> *mut u8 {
        let len = texts_len(texts);
        let at = self.room(at, len);
        // SAFETY: `room` returns a cursor with enough bytes after it for both strings with their tags and length prefixes, and
        // for `SLACK` bytes more. `put_short_len` needs ten of these. No string is longer than `LONG`, so two bytes are enough
        // for its length prefix. No string overlaps a vector that is mutably borrowed.
        unsafe {
            let mut at = put_short_len(at, tag, len);
            for (tag, text) in tags.into_iter().zip(texts) {
                at.write(tag);
                at = match text.len() {
                    len @ ..0x80 => {
                        at.add(1).write(len as u8);
                        at.add(2)
                    }
                    len => {
                        at.add(1).cast::<[u8; 2]>().write_unaligned([len as u8 | 0x80, (len >> 7) as u8]);
                        at.add(3)
                    }
                };
                store_slice(text, at);
                at = at.add(text.len());
            }
            at
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn leaves(&mut self, part: &Part, base: *const u8, leaves: u64, at: *mut u8) -> Option<*mut u8> {
        #[cfg(test)]
        if self.by_steps {
            return None;
        }
        let write = part.write?;
        // `part.leaf_room` is enough space for all leaves of the part.
        let limit = (self.limit + SLACK).wrapping_sub(part.leaf_room);
        if at.addr() > limit {
            return None;
        }
        // SAFETY: `write` is the function that was compiled for the type of the struct at `base`. From every address up to
        // `limit` on, the allocation has enough space for all leaves of the part.
        let end = unsafe { write(base, part.masks, leaves, at, limit) };
        if end.is_null() { None } else { Some(end) }
    }

    #[inline(never)]
    unsafe fn raw(&mut self, at: *mut u8, bytes: &[u8]) -> *mut u8 {
        // SAFETY: the caller passes the cursor that the last call returned, and `room` returns a cursor with enough space after
        // it for the bytes. The bytes cannot overlap a vector that is mutably borrowed.
        unsafe {
            if bytes.len() > LONG {
                return self.long(at, bytes);
            }
            let at = self.room(at, bytes.len());
            store_slice(bytes, at);
            at.add(bytes.len())
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn open(&mut self, at: *mut u8, tag: TagBytes, width: usize) -> (*mut u8, Region) {
        let at = self.room(at, 0);
        // SAFETY: `room` returns a cursor with at least `SLACK` bytes of the allocation after it. The word of the tag takes
        // eight of them. They cover the tag, which has at most five bytes, and the bytes that are reserved for the length
        // prefix, which are at most three. So the reserved bytes are zero until the length prefix is written.
        unsafe {
            at.cast::<[u8; 8]>().write_unaligned(tag.word.to_le_bytes());
            let at = at.add(usize::from(tag.len));
            (at.add(width), Region { at: self.len(at), width })
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn close(&mut self, at: *mut u8, region: Region) -> (*mut u8, usize) {
        let begin = region.at + region.width;
        let body = self.len(at).wrapping_sub(begin);
        if body < 0x80 && region.width == 1 {
            // SAFETY: the region is within the allocation, even if the message is too long and later bytes overwrite earlier
            // ones.
            unsafe { self.start.add(region.at).write(body as u8) };
            return (at, 1);
        }
        // SAFETY: the caller passes the cursor that the last call returned, and the innermost open region, which is all that
        // `close_long` requires.
        unsafe { self.close_long(at, region) }
    }
}

/// An output that counts bytes, and does not write them.
pub(super) struct Count;

impl Count {
    /// Returns `count`, or an error if `count` exceeds the limit.
    pub(super) fn finish(count: u64) -> Result<usize> {
        match usize::try_from(count) {
            Ok(len) if len <= MAX => Ok(len),
            _ => Err(Error::limit(LimitError::Length(count))),
        }
    }
}

impl Output for Count {
    type Cursor = u64;
    type Region = u64;

    #[inline]
    unsafe fn tag(&mut self, at: u64, tag: TagBytes) -> u64 {
        at + u64::from(tag.len)
    }

    #[inline]
    unsafe fn varint(&mut self, at: u64, tag: TagBytes, value: u64) -> u64 {
        at + u64::from(tag.len) + varint_len(value) as u64
    }

    #[inline]
    unsafe fn fixed<const N: usize>(&mut self, at: u64, tag: TagBytes, _: [u8; N]) -> u64 {
        at + u64::from(tag.len) + N as u64
    }

    #[inline]
    unsafe fn short_len(&mut self, at: u64, tag: TagBytes, len: usize) -> u64 {
        at + u64::from(tag.len) + varint_len(len as u64) as u64
    }

    #[inline]
    unsafe fn slice(&mut self, at: u64, tag: TagBytes, bytes: &[u8]) -> u64 {
        at + u64::from(tag.len) + (varint_len(bytes.len() as u64) + bytes.len()) as u64
    }

    #[inline]
    unsafe fn varints(&mut self, at: u64, _: usize, values: impl Iterator<Item = u64>) -> u64 {
        at + values.map(|value| varint_len(value) as u64).sum::<u64>()
    }

    #[inline]
    unsafe fn texts(&mut self, at: u64, tag: TagBytes, _: [u8; 2], texts: [&[u8]; 2]) -> u64 {
        let len = texts_len(texts) as u64;
        at + u64::from(tag.len) + varint_len(len) as u64 + len
    }

    #[inline]
    unsafe fn leaves(&mut self, _: &Part, _: *const u8, _: u64, _: u64) -> Option<u64> {
        None
    }

    #[inline]
    unsafe fn raw(&mut self, at: u64, bytes: &[u8]) -> u64 {
        at + bytes.len() as u64
    }

    #[inline]
    unsafe fn open(&mut self, at: u64, tag: TagBytes, _: usize) -> (u64, u64) {
        let at = at + u64::from(tag.len);
        (at, at)
    }

    #[inline]
    unsafe fn close(&mut self, at: u64, begin: u64) -> (u64, usize) {
        (at + varint_len(at - begin) as u64, 1)
    }
}
