//! Writes JSON text: strings, numbers, and the layout of objects and lists.
//!
//! Every member and every element, except for entries of maps, is written with a comma before it. At the end of an object or
//! list, the printer replaces the first comma by the opening bracket. So the printer need not remember whether a comma is due.
//! This file is in layer 0 (see DESIGN.md), and does not know protobuf.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8259>.

mod float;
mod number;
mod string;

pub(crate) use crate::syntax::json::print::number::Numbers;
pub(crate) use crate::syntax::json::print::string::quoted;
use crate::wire::{Buffer, WriteCursor};
use base64::engine::general_purpose::STANDARD;
use base64::{EncodeSliceError, Engine as _};
use std::fmt;

/// JSON text at the end of a byte vector.
#[derive(Debug)]
pub(crate) struct Printer {
    buf: WriteCursor<Buffer>,
    pretty: bool,
    /// How many objects and lists are open, if the text is laid out in lines.
    indent: usize,
}

/// A position in the text to which [`Printer::rewind`] can go back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    len: usize,
    indent: usize,
}

/// The position of the bracket of an object or list that is being written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start(usize);

impl Printer {
    pub(crate) fn append_to(buf: Vec<u8>, pretty: bool) -> Self {
        Printer { buf: WriteCursor::of(buf), pretty, indent: 0 }
    }

    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.buf.into_vec()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len(&self) -> usize {
        self.buf.len()
    }

    /// Removes and returns the text that was printed from a position on.
    pub(crate) fn split_off(&mut self, at: usize) -> Vec<u8> {
        self.buf.with(|buffer| buffer.vec().split_off(at))
    }

    /// Returns the position of the current end of the text.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { len: self.len(), indent: self.indent }
    }

    /// Removes the text after a checkpoint.
    pub(crate) fn rewind(&mut self, to: Checkpoint) {
        self.buf.with(|buffer| buffer.vec().truncate(to.len));
        self.indent = to.indent;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn last(&self) -> Option<u8> {
        self.buf.last()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn open(&mut self) -> Start {
        if self.pretty {
            self.indent += 1;
        }
        Start(self.len())
    }

    /// Closes an object or list. `brackets` are its opening and its closing bracket.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn close(&mut self, start: Start, brackets: [u8; 2]) {
        if self.pretty {
            self.outdent(start);
        }
        if start.0 >= self.len() {
            return self.buf.put(brackets);
        }
        self.buf.set(start.0, brackets[0]);
        self.buf.put([brackets[1]]);
    }

    #[cold]
    fn outdent(&mut self, start: Start) {
        self.indent -= 1;
        if start.0 < self.len() {
            self.new_line();
        }
    }

    #[cold]
    fn new_line(&mut self) {
        let len = self.len() + 1 + self.indent * 2;
        self.buf.put([b'\n']);
        self.buf.with(|buffer| buffer.vec().resize(len, b' '));
    }

    /// Writes a prefix of a value, such as the start of a field in the text format. Returns false if the prefix is
    /// empty or too long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short_member(&mut self, key: ShortKey<'_>) -> bool {
        self.buf.put_key(key.bytes, key.len);
        key.len != 0
    }

    /// Writes the start of a member from the copy of a short key. The text must be on one line.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short_copy(&mut self, key: &ShortCopy) {
        self.buf.put_key(&key.bytes, key.len);
    }

    /// Writes the start of a member from its key: `,"name":`.
    pub(crate) fn member(&mut self, key: &[u8]) {
        if !self.pretty {
            return self.buf.put_slice(key);
        }
        self.buf.put([b',']);
        self.new_line();
        self.buf.put_slice(key.get(1..).unwrap_or_default());
        self.buf.put([b' ']);
    }

    /// Opens an object whose members are [entries](Self::entry).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn open_map(&mut self) {
        self.buf.put([b'{']);
        if self.pretty {
            self.indent += 1;
        }
    }

    /// Writes the start of an entry, whose key follows as a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(&mut self) {
        if self.last() != Some(b'{') {
            self.buf.put([b',']);
        }
        if self.pretty {
            self.new_line();
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn close_map(&mut self) {
        if self.pretty {
            self.indent -= 1;
            if self.last() != Some(b'{') {
                self.new_line();
            }
        }
        self.buf.put([b'}']);
    }

    /// Writes the start of an element of a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn element(&mut self) {
        self.buf.put([b',']);
        if self.pretty {
            self.new_line();
        }
    }

    /// Writes the colon after a key. If the key does not end with a quote, first writes its closing quote.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn colon(&mut self) {
        match self.last() {
            Some(b'"') => self.buf.put([b':']),
            _ => self.buf.put(*b"\":"),
        }
        if self.pretty {
            self.buf.put([b' ']);
        }
    }

    /// Writes bytes in quotes. For each byte, `written` has up to seven bytes to write, and their number in the eighth
    /// byte.
    pub(crate) fn each_byte(&mut self, bytes: &[u8], written: &[[u8; 8]; 256]) {
        self.buf.with_cursor(|mut cursor| {
            cursor.put([b'"']);
            for byte in bytes {
                let written = written[usize::from(*byte)];
                cursor.put_short(written, written[7]);
            }
            cursor.put([b'"']);
            cursor
        });
    }

    /// Writes text that is already JSON.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn raw(&mut self, text: &[u8]) {
        self.buf.put_slice(text);
    }

    /// Writes a few bytes that are already JSON.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn array<const SIZE: usize>(&mut self, text: [u8; SIZE]) {
        self.buf.put(text);
    }

    /// Writes a quote around a number. The quote after a key is written by [`colon`](Self::colon).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quote(&mut self) {
        self.buf.put([b'"']);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(&mut self, write: impl for<'b> FnOnce(Numbers<'b>) -> Numbers<'b>) {
        self.buf.with_cursor(|cursor| write(Numbers(cursor)).0);
    }

    /// True if elements have only a comma before them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_one_line(&self) -> bool {
        !self.pretty
    }

    /// Writes a string that needs no escape. `write` writes the content of the string.
    pub(crate) fn text(&mut self, write: impl FnOnce(&mut Self) -> fmt::Result) {
        self.buf.put([b'"']);
        let written = write(self);
        debug_assert!(written.is_ok(), "writing to memory does not fail");
        self.buf.put([b'"']);
    }

    /// Writes bytes as base64 with padding.
    pub(crate) fn base64(&mut self, bytes: &[u8]) {
        let start = self.len() + 1;
        let end = start + bytes.len().div_ceil(3) * 4;
        self.buf.with(|buffer| {
            let vec = buffer.vec();
            vec.resize(end + 1, b'"');
            let written = encode_base64(bytes, &mut vec[start..end]);
            debug_assert_eq!(written, Ok(end - start), "room for it was made");
        });
    }
}

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buf.put_slice(text.as_bytes());
        Ok(())
    }
}

/// If there are fewer bytes than this, they are encoded as base64 without looking up the engine.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const BASE64_LONG: usize = 64;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn encode_base64(bytes: &[u8], out: &mut [u8]) -> Result<usize, EncodeSliceError> {
    use base64::engine::{Simd, general_purpose::PAD};
    use std::sync::LazyLock;

    static ENGINE: LazyLock<Simd> = LazyLock::new(|| Simd::standard(PAD));
    match bytes.len() < BASE64_LONG {
        true => STANDARD.encode_slice(bytes, out),
        false => ENGINE.encode_slice(bytes, out),
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn encode_base64(bytes: &[u8], out: &mut [u8]) -> Result<usize, EncodeSliceError> {
    STANDARD.encode_slice(bytes, out)
}

/// The text before the value of a member, `,"name":`, or another prefix of a value.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    /// The first bytes of the key. `mask` selects the bytes that are compared at once.
    start: [u8; 32],
    mask: u128,
    /// The length of the key if `start` contains all of it; otherwise 0.
    short: u8,
    text: Box<[u8]>,
}

/// A key that is shorter than the number of bytes that are stored at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortKey<'k> {
    bytes: &'k [u8; 32],
    /// The length of the key; 0 if there is no key.
    len: u8,
}

#[derive(Debug)]
pub(crate) struct ShortCopy {
    bytes: [u8; 32],
    len: u8,
}

impl Default for Key {
    /// Creates an empty key, with which no text starts.
    fn default() -> Self {
        Key::mark(&[])
    }
}

impl Key {
    pub(crate) fn member(name: &str) -> Self {
        let mut printer = Printer::append_to(vec![b','], false);
        printer.string(name);
        printer.raw(b":");
        Key::mark(&printer.into_vec())
    }

    /// Creates a key from another prefix of a value.
    pub(crate) fn mark(text: &[u8]) -> Self {
        let (mut start, mut mask) = ([0; 32], [0; 16]);
        if text.is_empty() {
            // The mask makes all bytes of a text 0, and `start` is not 0, so no text starts with an empty key.
            start[1] = 1;
        }
        start.iter_mut().zip(text).for_each(|(start, byte)| *start = *byte);
        mask.iter_mut().zip(text).for_each(|(mask, _)| *mask = 0xff);
        let short = if text.len() < start.len() { text.len() as u8 } else { 0 };
        Key { start, mask: u128::from_le_bytes(mask), short, text: text.into() }
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the key if it is short, otherwise a key with the length 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short(&self) -> ShortKey<'_> {
        ShortKey { bytes: &self.start, len: self.short }
    }

    /// Returns a copy of the key, if it is short.
    pub(crate) fn short_copy(&self) -> Option<ShortCopy> {
        (self.short != 0).then_some(ShortCopy { bytes: self.start, len: self.short })
    }

    /// Returns the first 16 bytes of the key as an integer, with the first byte in the lowest bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn head(&self) -> u128 {
        self.start.first_chunk().map_or(0, |head| u128::from_le_bytes(*head))
    }

    /// Returns the length of the key, if `text` starts with the key. If `comma` is false, any byte may be in the
    /// position of the comma.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn starts(&self, text: &[u8], comma: bool) -> Option<usize> {
        let Some(head) = text.first_chunk::<16>() else { return self.starts_at_end(text, comma) };
        let mask = if comma { u128::MAX } else { !0xff };
        let same = (u128::from_le_bytes(*head) & self.mask ^ self.head()) & mask == 0;
        let rest = self.text.get(16..).unwrap_or_default();
        (same && (rest.is_empty() || text.get(16..self.text.len()) == Some(rest))).then_some(self.text.len())
    }

    /// Returns the rest of a text that starts with the key, or `None` for other texts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn strip<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        text.get(self.starts(text, true)?..)
    }

    /// Returns the length of the key, if `text` starts with the key. `text` has fewer bytes than are compared at once.
    #[inline(never)]
    fn starts_at_end(&self, text: &[u8], comma: bool) -> Option<usize> {
        let from = usize::from(!comma);
        let key = self.text.get(from..).filter(|key| !key.is_empty())?;
        text.get(from..)?.starts_with(key).then_some(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn print(write: impl FnOnce(&mut Printer)) -> String {
        let mut printer = Printer::append_to(Vec::new(), false);
        write(&mut printer);
        String::from_utf8(printer.into_vec()).unwrap()
    }

    #[test]
    fn texts_that_start_with_a_key() {
        let (short, long) = (Key::member("ab"), Key::member("a_name_of_more_than_16_bytes"));
        for rest in ["", "1", "12345678901234567890"] {
            for key in [&short, &long] {
                let text = [key.text(), rest.as_bytes()].concat();
                assert_eq!(key.strip(&text), Some(rest.as_bytes()));
                assert_eq!(key.starts(&text, true), Some(key.text().len()));
                let other = [b"{", &text[1..]].concat();
                assert_eq!(
                    (key.starts(&other, true), key.starts(&other, false)),
                    (None, Some(key.text().len()))
                );
                let other = [&text[..key.text().len() - 1], b";", rest.as_bytes()].concat();
                assert_eq!((key.starts(&other, true), key.starts(&other, false)), (None, None));
            }
            for none in [Key::default(), Key::mark(b"")] {
                for text in [rest.to_owned(), format!("\0\0\0{rest}"), format!("\0\x01{rest}")] {
                    let found = [true, false].map(|comma| none.starts(text.as_bytes(), comma));
                    assert_eq!(found, [None, None], "{text:?}");
                }
            }
        }
    }

    #[test]
    fn keys_of_every_length_are_printed_whole() {
        for len in 0..40 {
            let key = Key::member(&"n".repeat(len));
            let printed = print(|printer| match key.short_copy() {
                Some(copy) => printer.short_copy(&copy),
                None => printer.member(key.text()),
            });
            assert_eq!(printed.as_bytes(), key.text());
            assert_eq!(key.short_copy().is_some(), len + 4 < 32, "{len}");
        }
    }

    #[test]
    fn base64_of_every_rest() {
        let rows: [(&[u8], &str); 5] =
            [(b"", ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"\xff\xfe\xfd", "//79")];
        for (bytes, wanted) in rows {
            assert_eq!(print(|printer| printer.base64(bytes)), format!("\"{wanted}\""));
            let long = [&[0xfb; 300], bytes].concat();
            let wanted = format!("{}{wanted}", "+/v7".repeat(100));
            assert_eq!(print(|printer| printer.base64(&long)), format!("\"{wanted}\""));
        }
    }
}
