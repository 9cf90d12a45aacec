//! Writes wire bytes to a growing buffer.

use super::Tag;
use super::buffer::{self, Buffer};
use super::patch::Patches;
use super::varint::put_varint;
use crate::error::{Error, LimitError, Result};

/// Slices no longer than this are written without a check of the total size.
const LONG: usize = 4096;

/// The longest body that is moved when its length needs more bytes than were reserved. For a longer body, a patch is
/// recorded.
const MOVE_UP_TO: usize = 4096;

/// Writes tags and values to the end of a byte vector.
///
/// The length of a region is not known when the region is opened, so one byte is reserved. If the length takes more bytes,
/// the body of the region must move. A short body moves at once. For a long body, the writer records a patch.
/// [`finish`](Self::finish) applies all patches in one backward pass, so that they move no byte more than once.
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
    buf: Buffer<Notes>,
}

/// The work that is left for `finish`.
#[derive(Debug, Default)]
struct Finishing {
    patches: Patches,
    /// How many bytes were omitted, because the output is too long. If there are any, `finish` fails.
    lost: u64,
}

/// The state of a writer, in addition to its bytes.
#[derive(Debug, Default)]
struct Notes {
    /// The position in the vector at which the bytes of this writer start. The bytes before it stay unchanged.
    start: usize,
    /// `None` for most messages.
    late: Option<Box<Finishing>>,
    /// True if the length of the region that was closed last takes two bytes.
    wide: bool,
}

impl Notes {
    #[inline]
    fn growth(&self) -> usize {
        self.late.as_ref().map_or(0, |late| late.patches.growth())
    }

    #[inline]
    fn lost(&self) -> u64 {
        self.late.as_ref().map_or(0, |late| late.lost)
    }
}

/// The write cursor of a [`Writer`]. The cursor is a separate value, so that the position stays in a register from one
/// write to the next.
///
/// Bytes that are written with the cursor are lost, unless `commit` adds them to the writer.
#[derive(Debug)]
pub struct CursorMut<'w> {
    buf: buffer::CursorMut<'w, Notes>,
}

/// A length-delimited region that is being written. [`Writer::close`] closes it.
#[derive(Debug)]
#[must_use = "an open region has no length yet"]
pub struct Open {
    at: usize,
    /// How many bytes are reserved for the length: one or two.
    reserved: usize,
}

impl Writer {
    /// Creates a writer with an empty buffer.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a writer that appends to `buf`.
    #[inline]
    pub fn append_to(buf: Vec<u8>) -> Self {
        let notes = Notes { start: buf.len(), ..Notes::default() };
        Writer { buf: Buffer::new(buf, notes) }
    }

    /// Restarts the writer at the end of `buf`, and reuses the allocation for patches.
    #[inline]
    #[doc(hidden)]
    pub fn restart(&mut self, buf: Vec<u8>) {
        self.buf.notes.start = buf.len();
        if let Some(late) = &mut self.buf.notes.late {
            late.patches.clear();
            late.lost = 0;
        }
        *self.buf.vec() = buf;
    }

    /// Returns the number of written bytes, including the bytes that patches will add.
    #[inline]
    pub fn len(&self) -> usize {
        self.buf.written()
    }

    /// True if nothing was written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.buf.len() == self.buf.notes.start
    }

    /// Returns a write cursor at the end.
    #[inline]
    #[doc(hidden)]
    pub fn cursor(&mut self) -> CursorMut<'_> {
        CursorMut { buf: self.buf.cursor() }
    }

    /// Returns all bytes of the vector, including the bytes from before this writer. Patches are not applied.
    #[doc(hidden)]
    pub fn bytes(&mut self) -> &[u8] {
        self.buf.vec()
    }

    /// Applies the patches from `position` on, and returns the bytes from there on. The caller may reorder these bytes.
    #[doc(hidden)]
    pub fn complete(&mut self, position: usize) -> &mut [u8] {
        let mut late = self.buf.notes.late.take();
        if let Some(late) = &mut late {
            late.patches.apply_from(position, self.buf.vec());
        }
        self.buf.notes.late = late;
        &mut self.buf.vec()[position..]
    }

    /// Returns the number of bytes in the vector, which is the position of the next byte.
    #[inline]
    #[doc(hidden)]
    pub fn position(&self) -> usize {
        self.buf.len()
    }

    /// Removes the bytes from `position` on. A region that was open at this position must still be open.
    #[doc(hidden)]
    pub fn truncate(&mut self, position: usize) {
        self.buf.vec().truncate(position);
        if let Some(late) = &mut self.buf.notes.late {
            late.patches.truncate(position);
        }
    }

    /// Calls a function that writes with a write cursor, and commits the bytes.
    #[inline]
    #[doc(hidden)]
    pub fn with_cursor<R>(&mut self, write: impl FnOnce(&mut CursorMut<'_>) -> R) -> R {
        let mut cursor = self.cursor();
        let out = write(&mut cursor);
        cursor.commit();
        out
    }

    /// Writes a tag.
    #[inline]
    pub fn tag(&mut self, tag: Tag) {
        self.varint(u64::from(tag.value()));
    }

    /// Writes a varint in its shortest form.
    #[inline]
    pub fn varint(&mut self, value: u64) {
        self.with_cursor(|cursor| cursor.varint(value));
    }

    /// Writes four bytes, little-endian.
    #[inline]
    pub fn fixed32(&mut self, value: u32) {
        self.with_cursor(|cursor| cursor.fixed32(value));
    }

    /// Writes eight bytes, little-endian.
    #[inline]
    pub fn fixed64(&mut self, value: u64) {
        self.with_cursor(|cursor| cursor.fixed64(value));
    }

    /// Writes the length of `bytes`, and the bytes.
    #[inline]
    pub fn len_prefixed(&mut self, bytes: &[u8]) {
        self.with_cursor(|cursor| cursor.len_prefixed(bytes));
    }

    /// Writes raw bytes.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.with_cursor(|cursor| cursor.raw(bytes));
    }

    /// Makes room for `additional` more bytes.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        self.buf.vec().reserve(additional);
    }

    /// Writes `tag` and opens a length-delimited region.
    #[inline]
    pub fn open(&mut self, tag: Tag) -> Open {
        self.tag(tag);
        self.with_cursor(|cursor| cursor.open())
    }

    /// Opens a length-delimited region. The caller has already written the tag.
    #[inline]
    pub fn open_len(&mut self) -> Open {
        self.with_cursor(|cursor| cursor.open())
    }

    /// Closes a length-delimited region, whose length is now known.
    #[inline]
    pub fn close(&mut self, open: Open) {
        self.with_cursor(|cursor| cursor.close(open));
    }

    /// Returns the finished buffer, as [`finish`](Self::finish) does, if `done` is true. If `done` is false, or on an error,
    /// returns the buffer truncated to `start` bytes.
    #[inline]
    #[doc(hidden)]
    pub fn take_or_truncate(&mut self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        self.buf.take_or_truncate(start, done)
    }

    /// Applies the patches and returns the buffer.
    ///
    /// # Errors
    /// A length-delimited region, or the whole output, is longer than `i32::MAX` bytes. No reader would accept this.
    #[inline]
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.take()
    }

    /// Does the same as [`finish`](Self::finish) without moving the writer, because a move of memory that was just stored word
    /// by word is slow.
    #[inline]
    #[doc(hidden)]
    pub fn take(&mut self) -> Result<Vec<u8>> {
        match self.buf.is_plain() {
            true => Ok(std::mem::take(self.buf.vec())),
            false => self.finish_patched(),
        }
    }

    #[cold]
    #[inline(never)]
    fn finish_patched(&mut self) -> Result<Vec<u8>> {
        self.buf.check()?;
        Ok(self.buf.apply_patches())
    }
}

impl Buffer<Notes> {
    #[inline]
    fn written(&self) -> usize {
        self.len() - self.notes.start + self.notes.growth()
    }

    #[inline]
    fn take_or_truncate(&mut self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        match done && self.is_plain() {
            true => (std::mem::take(self.vec()), Ok(())),
            false => self.patch_or_truncate(start, done),
        }
    }

    #[inline(never)]
    fn patch_or_truncate(&mut self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        let fits = self.check();
        if done && fits.is_ok() {
            return (self.apply_patches(), Ok(()));
        }
        let mut buf = std::mem::take(self.vec());
        buf.truncate(start);
        (buf, fits)
    }

    /// True if no work is left for `finish`, and the output is not too long.
    #[inline]
    fn is_plain(&self) -> bool {
        self.notes.late.as_deref().is_none_or(|late| late.patches.is_empty() && late.lost == 0)
            && self.len() - self.notes.start <= i32::MAX as usize
    }

    fn check(&self) -> Result<()> {
        if let Some(len) = self.notes.late.as_ref().and_then(|late| late.patches.above(i32::MAX as usize)) {
            return Err(Error::limit(LimitError::Length(len as u64)));
        }
        let len = self.written() as u64 + self.notes.lost();
        if len > i32::MAX as u64 {
            return Err(Error::limit(LimitError::Length(len)));
        }
        Ok(())
    }

    fn apply_patches(&mut self) -> Vec<u8> {
        let mut buf = std::mem::take(self.vec());
        if let Some(late) = &mut self.notes.late {
            late.patches.apply(&mut buf);
            late.lost = 0;
        }
        buf
    }
}

impl CursorMut<'_> {
    /// Adds the written bytes to the writer.
    #[inline]
    pub(crate) fn commit(self) {
        self.buf.commit();
    }

    /// Adds the written bytes to the writer. The cursor can be used again.
    #[inline]
    #[doc(hidden)]
    pub fn flush(&mut self) {
        self.buf.with(|_| {});
    }

    /// Calls [`Writer::take_or_truncate`] for the writer of this cursor.
    #[inline]
    #[doc(hidden)]
    pub fn take_or_truncate(&mut self, start: usize, done: bool) -> (Vec<u8>, Result<()>) {
        self.buf.with(|buf| buf.take_or_truncate(start, done))
    }

    /// Lends the cursor to code that may panic. Bytes that the code does not commit are lost.
    #[inline]
    #[doc(hidden)]
    pub fn lend<R>(&mut self, write: impl FnOnce(CursorMut<'_>) -> R) -> R {
        self.buf.lend(|buf| write(CursorMut { buf }))
    }

    #[inline]
    #[doc(hidden)]
    pub fn varint(&mut self, value: u64) {
        self.buf.put_varint(value);
    }

    #[inline]
    #[doc(hidden)]
    pub fn fixed32(&mut self, value: u32) {
        self.buf.put(value.to_le_bytes());
    }

    #[inline]
    #[doc(hidden)]
    pub fn fixed64(&mut self, value: u64) {
        self.buf.put(value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn len_prefixed(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes the first `len` of eight bytes.
    #[inline]
    #[doc(hidden)]
    pub fn short(&mut self, bytes: [u8; 8], len: u8) {
        self.buf.put_short(bytes, len);
    }

    /// Writes the first `len` of eight bytes, at most seven, and a varint. The methods below whose names begin with
    /// `short_and` also write the first `len` of eight bytes before the value.
    #[inline]
    #[doc(hidden)]
    pub fn short_and_varint(&mut self, bytes: [u8; 8], len: u8, value: u64) {
        self.buf.put_short_and_varint(bytes, len, value);
    }

    #[inline]
    #[doc(hidden)]
    pub fn short_and<const N: usize>(&mut self, bytes: [u8; 8], len: u8, then: [u8; N]) {
        self.buf.put_short_and(bytes, len, then);
    }

    #[inline]
    #[doc(hidden)]
    pub fn short_and_len_prefixed(&mut self, bytes: [u8; 8], len: u8, then: &[u8]) {
        if then.len() > LONG {
            self.short(bytes, len);
            return self.len_prefixed(then);
        }
        self.buf.put_short_and_slice(bytes, len, then);
    }

    #[inline]
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        if bytes.len() > LONG {
            return self.buf.with(|buf| raw_long(buf, bytes));
        }
        self.buf.put_slice(bytes);
    }

    #[inline]
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.buf.with(|buf| buf.vec().reserve(additional));
    }

    /// Opens a length-delimited region. The caller has already written the tag.
    #[inline]
    pub(crate) fn open(&mut self) -> Open {
        let at = self.buf.len();
        self.buf.put([0]);
        Open { at, reserved: 1 }
    }

    /// Writes the first `len` of eight bytes, at most seven, and opens a length-delimited region.
    #[inline]
    #[doc(hidden)]
    pub fn short_and_open(&mut self, bytes: [u8; 8], len: u8) -> Open {
        self.short_and(bytes, len, [0]);
        Open { at: self.buf.len() - 1, reserved: 1 }
    }

    /// Writes the first `len` of eight bytes, at most seven, and opens a length-delimited region. Reserves two bytes for
    /// the length if the length of the region that was closed last takes two bytes, and otherwise one byte.
    #[inline]
    #[doc(hidden)]
    pub fn short_and_open_again(&mut self, bytes: [u8; 8], len: u8) -> Open {
        if !self.buf.notes().wide {
            return self.short_and_open(bytes, len);
        }
        self.short_and(bytes, len, [0, 0]);
        Open { at: self.buf.len() - 2, reserved: 2 }
    }

    /// Closes a length-delimited region.
    #[inline]
    #[doc(hidden)]
    pub fn close(&mut self, open: Open) {
        let body = self.buf.len() - open.at - open.reserved;
        // Patches are recorded only for bodies that are longer than this, so no patch is inside the body.
        if open.reserved == 1 && body < 0x80 {
            self.buf.set(open.at, body as u8);
            self.buf.notes().wide = false;
            return;
        }
        self.buf.with(|buf| close_long(buf, open, body));
    }
}

/// Writes a long slice. If the output becomes longer than any reader accepts, only counts the bytes, so that they take no
/// memory.
#[inline(never)]
fn raw_long(buf: &mut Buffer<Notes>, bytes: &[u8]) {
    let len = buf.written();
    if buf.notes.lost() > 0 || len.saturating_add(bytes.len()) > i32::MAX as usize {
        buf.notes.late.get_or_insert_default().lost += bytes.len() as u64;
    } else {
        buf.vec().extend_from_slice(bytes);
    }
}

#[inline(never)]
fn close_long(buf: &mut Buffer<Notes>, Open { at, reserved }: Open, body: usize) {
    buf.notes.wide = (0x80..0x4000).contains(&body);
    if body <= MOVE_UP_TO {
        if buf.notes.wide && reserved == 2 {
            return buf.vec()[at..at + 2].copy_from_slice(&[body as u8 | 0x80, (body >> 7) as u8]);
        }
        // Patches are recorded only for longer bodies, so no patch is inside this body.
        let mut bytes = [0; 10];
        let n = put_varint(&mut bytes, body as u64);
        let buf = buf.vec();
        if n > reserved {
            buf.resize(buf.len() + n - reserved, 0);
        }
        if n != reserved {
            buf.copy_within(at + reserved..at + reserved + body, at + n);
            buf.truncate(at + n + body);
        }
        buf[at..at + n].copy_from_slice(&bytes[..n]);
        return;
    }
    let len = body + buf.notes.late.as_ref().map_or(0, |late| late.patches.growth_after(at));
    let mut bytes = [0; 10];
    let n = put_varint(&mut bytes, len as u64);
    if n == reserved {
        return buf.vec()[at..at + n].copy_from_slice(&bytes[..n]);
    }
    buf.notes.late.get_or_insert_default().patches.add(at, reserved, len);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A region that contains bytes, or two regions with bytes between them.
    #[derive(Clone, Debug)]
    enum Region {
        Bytes(usize),
        Around(usize, Box<[Region; 2]>),
    }

    impl Region {
        fn write(&self, cursor: &mut CursorMut<'_>, again: bool) {
            let tag = [0x12, 0, 0, 0, 0, 0, 0, 0];
            let open =
                if again { cursor.short_and_open_again(tag, 1) } else { cursor.short_and_open(tag, 1) };
            match self {
                Region::Bytes(len) => cursor.raw(&vec![7; *len]),
                Region::Around(len, parts) => {
                    let [first, second] = &**parts;
                    first.write(cursor, again);
                    cursor.raw(&vec![7; *len]);
                    second.write(cursor, true);
                }
            }
            cursor.close(open);
        }

        /// Encodes the region from the inside out, without a writer.
        fn plain(&self) -> Vec<u8> {
            let body = match self {
                Region::Bytes(len) => vec![7; *len],
                Region::Around(len, parts) => [parts[0].plain(), vec![7; *len], parts[1].plain()].concat(),
            };
            let mut length = [0; 10];
            let n = put_varint(&mut length, body.len() as u64);
            [&[0x12], &length[..n], &body].concat()
        }
    }

    #[test]
    fn lengths_are_canonical_whatever_was_guessed() {
        let edges = [0x80, MOVE_UP_TO, 0x4000].map(|edge| edge - 4..edge + 3);
        let lengths: Vec<usize> = edges.into_iter().flatten().chain([0, 1, 5000]).collect();
        for (at, &len) in lengths.iter().enumerate() {
            for &other in &lengths[at % 4..] {
                // The length of each region is the guess for the next region.
                let (one, two) = (Region::Bytes(len), Region::Bytes(other));
                let both = Region::Around(3, Box::new([one.clone(), two.clone()]));
                let gap = Region::Around(len.min(0x4000) / 2, Box::new([two.clone(), both.clone()]));
                let regions = [one, two, both, gap];
                let mut writer = Writer::append_to(b"before".to_vec());
                writer.with_cursor(|cursor| regions.iter().for_each(|region| region.write(cursor, true)));
                let wanted = regions.iter().flat_map(Region::plain).collect::<Vec<u8>>();
                assert_eq!(writer.len(), wanted.len());
                let written = writer.finish().unwrap();
                assert!(written.strip_prefix(b"before").unwrap() == wanted, "{len} {other}");
            }
        }
    }

    #[test]
    fn what_is_written_is_taken_back_and_completed() {
        let tag = |number| Tag::new(number, crate::wire::WireType::Len);
        let long = vec![7; 5000];
        let mut writer = Writer::append_to(b"before".to_vec());
        let outer = writer.open(tag(1));
        let start = writer.position();
        for number in [3, 2] {
            let open = writer.open(tag(number));
            writer.len_prefixed(&long);
            writer.close(open);
        }
        let kept = writer.position();
        let open = writer.open(tag(4));
        writer.len_prefixed(&long);
        writer.close(open);
        writer.truncate(kept);
        let fields = writer.complete(start);
        assert_eq!((fields.len(), fields[0], fields[5005]), (2 * 5005, 0x1a, 0x12));
        fields.rotate_left(5005);
        writer.close(outer);
        let part = |number| [&[number, 0x8a, 0x27, 0x88, 0x27][..], &long].concat();
        let wanted = [&b"before\x0a\x9a\x4e"[..], &part(0x12), &part(0x1a)].concat();
        assert_eq!(writer.finish().unwrap(), wanted);
    }
}
