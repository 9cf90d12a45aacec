//! JSON text being written: strings, numbers, and the layout of objects and lists.
//!
//! Every member and every element is written with a comma before it; when the object or list is closed, the first of
//! these becomes its bracket. So nothing has to remember whether a comma is due. Layer 0: knows no protobuf.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8259>.

mod float;
mod number;

pub(crate) use self::number::Numbers;
use crate::wire::{Buffer, WriteCursor};
use base64::engine::general_purpose::STANDARD;
use base64::{EncodeSliceError, Engine as _};
use std::fmt;

/// JSON text, at the end of a byte vector.
#[derive(Debug)]
pub(crate) struct Printer {
    buf: WriteCursor<Buffer>,
    pretty: bool,
    /// How many objects and lists are open, where the text is laid out in lines.
    indent: usize,
}

/// An object or list that is being written: the position of its bracket.
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

    pub(crate) fn truncate(&mut self, len: usize) {
        self.buf.with(|buffer| buffer.vec().truncate(len));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn last(&self) -> Option<u8> {
        self.buf.last()
    }

    /// Opens an object or a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn open(&mut self) -> Start {
        if self.pretty {
            self.indent += 1;
        }
        Start(self.len())
    }

    /// Closes an object or list opened with these two brackets.
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

    /// The start of a member, where the text is one line, or another mark; false if it is too long for that, or none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short_member(&mut self, key: ShortKey<'_>) -> bool {
        self.buf.put_wide(key.bytes, key.len);
        key.len != 0
    }

    /// The start of a member, from its key: `,"name":`.
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

    /// The start of an entry, whose key follows as a value.
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

    /// The start of an element of a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn element(&mut self) {
        self.buf.put([b',']);
        if self.pretty {
            self.new_line();
        }
    }

    /// The colon between a key that was just written, in quotes or not, and its value.
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

    /// Bytes in quotes, for each of them up to seven others, and at the end how many.
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

    /// Text that is JSON already.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn raw(&mut self, text: &[u8]) {
        self.buf.put_slice(text);
    }

    /// The same of a few bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn array<const SIZE: usize>(&mut self, text: [u8; SIZE]) {
        self.buf.put(text);
    }

    /// A quote around a number; that after a key is [`colon`](Self::colon)'s to write.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quote(&mut self) {
        self.buf.put([b'"']);
    }

    /// Writes numbers, or one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(&mut self, write: impl for<'b> FnOnce(Numbers<'b>) -> Numbers<'b>) {
        self.buf.with_cursor(|cursor| write(Numbers(cursor)).0);
    }

    /// True if elements have only a comma before them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_one_line(&self) -> bool {
        !self.pretty
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quoted_word(&mut self, word: u64, len: u8) {
        self.numbers(|text| text.quoted_word(word, len));
    }

    /// A string that needs no escape, by a function that writes it.
    pub(crate) fn text(&mut self, write: impl FnOnce(&mut Self) -> fmt::Result) {
        self.buf.put([b'"']);
        let written = write(self);
        debug_assert!(written.is_ok(), "writing to memory does not fail");
        self.buf.put([b'"']);
    }

    /// Bytes as base64 with padding.
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

    /// A string.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string(&mut self, text: &str) {
        self.characters(text.as_bytes());
    }

    /// A string of bytes that are known to be UTF-8.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn characters(&mut self, text: &[u8]) {
        match word(text) {
            Some(word) if is_plain_word(word, text.len()) => self.quoted_word(word, text.len() as u8),
            None if is_plain(text) => self.buf.put_between(b'"', text),
            _ => self.escaped(text, |byte| ESCAPES[usize::from(byte & 0x7f)]),
        }
    }

    /// A string, if the bytes are one: valid UTF-8. Where they are not, nothing is written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn utf8(&mut self, text: &[u8]) -> bool {
        self.plain(text) || self.other_utf8(text)
    }

    /// A string, if it is ASCII that needs no escape. Where it is not, nothing is written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn plain(&mut self, text: &[u8]) -> bool {
        match word(text) {
            Some(word) if word & HIGHS == 0 && is_plain_word(word, text.len()) => {
                self.quoted_word(word, text.len() as u8);
                true
            }
            None if is_plain_ascii(text) => {
                self.buf.put_between(b'"', text);
                true
            }
            _ => false,
        }
    }

    #[inline(never)]
    fn other_utf8(&mut self, text: &[u8]) -> bool {
        let text = std::str::from_utf8(text);
        if let Ok(text) = text {
            self.string(text);
        }
        text.is_ok()
    }

    /// A string with characters that need an escape: up to seven bytes, and at the end how many.
    #[inline(never)]
    pub(crate) fn escaped(&mut self, text: &[u8], escape: impl Fn(u8) -> [u8; 8]) {
        self.buf.with_cursor(|mut cursor| {
            cursor.put([b'"']);
            let mut rest = text;
            while !rest.is_empty() {
                while let Some((next, after)) = rest.split_first_chunk() {
                    let next = u64::from_le_bytes(*next);
                    if escapes_in(next) != 0 {
                        break;
                    }
                    cursor.put(next.to_le_bytes());
                    rest = after;
                }
                // One of the next eight bytes needs an escape, or is past the end: bytes there are zero, as if they
                // needed one.
                let next = rest.first_chunk().map(|next| u64::from_le_bytes(*next)).or_else(|| word(rest));
                let next = next.unwrap_or_default();
                let plain = (escapes_in(next).trailing_zeros() as usize / 8).min(rest.len());
                cursor.put_short(next.to_le_bytes(), plain as u8);
                rest = &rest[plain..];
                if let Some((&byte, after)) = rest.split_first() {
                    let escape = escape(byte);
                    cursor.put_short(escape, escape[7]);
                    rest = after;
                }
            }
            cursor.put([b'"']);
            cursor
        });
    }
}

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buf.put_slice(text.as_bytes());
        Ok(())
    }
}

impl Start {}

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;

/// Short texts are encoded without looking up the engine.
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

/// A member's key with the text before and after it, `,"name":`, or another prefix of a value.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    /// The first bytes, and a mask of as many as are compared at once.
    start: [u8; 32],
    mask: u128,
    /// Its length, where `start` is all of it; else 0.
    short: u8,
    text: Box<[u8]>,
}

/// A key that is no longer than the bytes that are put down at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortKey<'k> {
    bytes: &'k [u8; 32],
    /// 0 if there is none.
    len: u8,
}

impl Default for Key {
    /// No key: no text starts with it.
    fn default() -> Self {
        Key::mark(&[])
    }
}

impl Key {
    /// The key of a member.
    pub(crate) fn member(name: &str) -> Self {
        let mut printer = Printer::append_to(vec![b','], false);
        printer.string(name);
        printer.raw(b":");
        Key::mark(&printer.into_vec())
    }

    /// Another prefix of a value.
    pub(crate) fn mark(text: &[u8]) -> Self {
        let (mut start, mut mask) = ([0; 32], [0; 16]);
        if text.is_empty() {
            // No text starts with an empty key: under the mask all bytes are 0.
            start[1] = 1;
        }
        start.iter_mut().zip(text).for_each(|(start, byte)| *start = *byte);
        mask.iter_mut().zip(text).for_each(|(mask, _)| *mask = 0xff);
        let short = if text.len() > start.len() { 0 } else { text.len() as u8 };
        Key { start, mask: u128::from_le_bytes(mask), short, text: text.into() }
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The key, if it is short.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short(&self) -> ShortKey<'_> {
        ShortKey { bytes: &self.start, len: self.short }
    }

    /// The first bytes, the first one lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn head(&self) -> u128 {
        self.start.first_chunk().map_or(0, |head| u128::from_le_bytes(*head))
    }

    /// How long the key is that `text` starts with; `comma` says whether the comma is there, too, or any other byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn starts(&self, text: &[u8], comma: bool) -> Option<usize> {
        let Some(head) = text.first_chunk::<16>() else { return self.starts_at_end(text, comma) };
        let mask = if comma { u128::MAX } else { !0xff };
        let same = (u128::from_le_bytes(*head) & self.mask ^ self.head()) & mask == 0;
        let rest = self.text.get(16..).unwrap_or_default();
        (same && (rest.is_empty() || text.get(16..self.text.len()) == Some(rest))).then_some(self.text.len())
    }

    /// What follows the key in a text that starts with it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn strip<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        text.get(self.starts(text, true)?..)
    }

    /// The same where the text ends soon.
    #[inline(never)]
    fn starts_at_end(&self, text: &[u8], comma: bool) -> Option<usize> {
        let from = usize::from(!comma);
        let key = self.text.get(from..).filter(|key| !key.is_empty())?;
        text.get(from..)?.starts_with(key).then_some(self.text.len())
    }
}

/// A string in its quotes.
pub(crate) fn quoted(text: &str) -> Box<[u8]> {
    let mut printer = Printer::append_to(Vec::new(), false);
    printer.string(text);
    printer.into_vec().into()
}

/// The escape of each byte that needs one; its length is the last byte.
const ESCAPES: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut control = 0;
    while control < 0x20 {
        let digit = b"0123456789abcdef"[control & 15];
        table[control] = [b'\\', b'u', b'0', b'0', b'0' + (control >> 4) as u8, digit, 0, 6];
        control += 1;
    }
    let short = [
        (0x08, b'b'),
        (b'\t', b't'),
        (b'\n', b'n'),
        (0x0c, b'f'),
        (b'\r', b'r'),
        (b'"', b'"'),
        (b'\\', b'\\'),
    ];
    let mut index = 0;
    while index < short.len() {
        let (byte, letter) = short[index];
        table[byte as usize] = [b'\\', letter, 0, 0, 0, 0, 0, 2];
        index += 1;
    }
    table
};

/// True when none of up to eight bytes needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_plain_word(word: u64, len: usize) -> bool {
    // The rest of the word is blank, and NUL needs an escape.
    let blank = (u64::MAX / 255 * u64::from(b' ')).checked_shl(8 * len as u32).unwrap_or(0);
    escapes_in(word | blank) == 0
}

/// True when no byte needs an escape, of eight or more.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_plain(text: &[u8]) -> bool {
    if text.len() >= 16 {
        return is_plain_long(text);
    }
    let ends = text.first_chunk::<8>().zip(text.last_chunk::<8>());
    ends.is_some_and(|(head, tail)| {
        (escapes_in(u64::from_le_bytes(*head)) | escapes_in(u64::from_le_bytes(*tail))) == 0
    })
}

/// Up to eight bytes, the first one lowest, with zeros after them; by loads that overlap, without a loop.
#[cfg_attr(not(debug_assertions), inline(always))]
fn word(text: &[u8]) -> Option<u64> {
    let len = text.len();
    match len {
        8 => text.first_chunk().map(|word| u64::from_le_bytes(*word)),
        9.. => None,
        4.. => {
            let (head, tail) = text.first_chunk().zip(text.last_chunk())?;
            let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
            Some(u64::from(head) | u64::from(tail) << (8 * (len - 4)))
        }
        1.. => {
            let (first, middle, last) = (text[0], text[len / 2], text[len - 1]);
            Some(u64::from(first) | u64::from(middle) << (8 * (len / 2)) | u64::from(last) << (8 * (len - 1)))
        }
        0 => Some(0),
    }
}

/// True when all bytes, of which there are eight or more, are ASCII and none needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_plain_ascii(text: &[u8]) -> bool {
    if text.len() >= 16 {
        return is_plain_ascii_long(text);
    }
    let ends = text.first_chunk::<8>().zip(text.last_chunk::<8>());
    ends.is_some_and(|(head, tail)| {
        let (head, tail) = (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
        escapes_in(head) | escapes_in(tail) | (head | tail) & HIGHS == 0
    })
}

#[inline]
fn is_plain_ascii_long(text: &[u8]) -> bool {
    // As signed numbers, bytes that are not ASCII are below the space, too.
    let special = |block: &[u8; 16]| {
        let is_special = |byte: u8| byte.cast_signed() < 0x20 || byte == b'"' || byte == b'\\';
        block.iter().fold(false, |found, &byte| found | is_special(byte))
    };
    let (blocks, _) = text.as_chunks::<16>();
    blocks.iter().all(|block| !special(block)) && text.last_chunk::<16>().is_none_or(|block| !special(block))
}

#[inline]
fn is_plain_long(text: &[u8]) -> bool {
    let (blocks, _) = text.as_chunks();
    blocks.iter().all(|block| !is_special(block)) && text.last_chunk().is_none_or(|block| !is_special(block))
}

/// True when a byte of a block needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_special(block: &[u8; 16]) -> bool {
    block.iter().fold(false, |found, &byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
}

/// Not zero when a byte of the word needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn escapes_in(word: u64) -> u64 {
    let below = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn print(write: impl FnOnce(&mut Printer)) -> String {
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
    fn every_character_at_every_place_of_strings_of_every_length() {
        let special: Vec<char> =
            (0..=0x100).filter_map(char::from_u32).chain(['\u{2028}', '\u{10ffff}']).collect();
        for len in 0..40 {
            for place in 0..len {
                for &c in &special {
                    let text: String = (0..len).map(|i| if i == place { c } else { 'a' }).collect();
                    let wanted = serde_json::to_string(&text).unwrap();
                    assert_eq!(print(|printer| printer.string(&text)), wanted);
                    assert_eq!(print(|printer| assert!(printer.utf8(text.as_bytes()))), wanted);
                }
            }
        }
        assert_eq!(print(|printer| printer.string("")), r#""""#);
        assert_eq!(print(|printer| printer.string("\"\"\u{1}\n")), r#""\"\"\u0001\n""#);
    }

    #[test]
    fn what_is_not_utf8_is_no_string() {
        for len in 0..40 {
            for place in 0..len {
                let mut text = vec![b'a'; len];
                text[place] = 0xff;
                assert_eq!(print(|printer| assert!(!printer.utf8(&text))), "");
            }
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
