//! JSON text being written: strings, numbers, and the layout of objects and lists.
//!
//! Every member and every element is written with a comma before it; when the object or list is closed, the first of
//! these becomes its bracket. So nothing has to remember whether a comma is due. Layer 0: knows no protobuf.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8259>.

use crate::wire::Buffer;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// JSON text, at the end of a byte vector.
#[derive(Debug)]
pub(crate) struct Printer {
    buf: Buffer,
    pretty: bool,
    /// How many objects and lists are open, where the text is laid out in lines.
    indent: usize,
}

/// An object or list that is being written: where its bracket goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start(usize);

/// A place in the text to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    len: usize,
    indent: usize,
}

impl Printer {
    pub(crate) fn append_to(buf: Vec<u8>, pretty: bool) -> Self {
        Printer { buf: Buffer::new(buf), pretty, indent: 0 }
    }

    /// An empty text for an entry of a map that will be opened here.
    pub(crate) fn fork(&self) -> Self {
        Printer { buf: Buffer::new(Vec::new()), pretty: self.pretty, indent: self.indent + 1 }
    }

    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.buf.into_vec()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len(&self) -> usize {
        self.buf.len()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { len: self.len(), indent: self.indent }
    }

    /// Takes back what was written since the mark.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.buf.vec().truncate(mark.len);
        self.indent = mark.indent;
    }

    /// Where the text ends, as the start of something without brackets.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn here(&self) -> Start {
        Start(self.len())
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.buf.vec().truncate(len);
    }

    /// What was written since `start`.
    pub(crate) fn since(&mut self, start: usize) -> &[u8] {
        self.buf.vec().get(start..).unwrap_or_default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn last(&mut self) -> Option<u8> {
        self.buf.vec().last().copied()
    }

    /// Opens an object or a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn open(&mut self) -> Start {
        if self.pretty {
            self.indent += 1;
        }
        Start(self.len())
    }

    /// Closes what was opened: with two brackets.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn close(&mut self, start: Start, brackets: [u8; 2]) {
        if self.pretty {
            self.outdent(start);
        }
        match self.buf.vec().get_mut(start.0) {
            Some(comma) => {
                *comma = brackets[0];
                self.buf.put([brackets[1]]);
            }
            None => self.buf.put(brackets),
        }
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
        let len = self.len() + 1;
        let vec = self.buf.vec();
        vec.push(b'\n');
        vec.resize(len + self.indent * 2, b' ');
    }

    /// The start of a member, from its key as [`key`] makes it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member(&mut self, key: &[u8]) {
        if self.pretty {
            return self.pretty_member(key);
        }
        self.buf.put_slice(key);
    }

    #[cold]
    fn pretty_member(&mut self, key: &[u8]) {
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

    /// An entry that a fork wrote.
    pub(crate) fn append_entry(&mut self, piece: Self) {
        let piece = piece.into_vec();
        let comma = usize::from(self.last() == Some(b'{'));
        self.buf.put_slice(piece.get(comma..).unwrap_or_default());
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

    /// Text that is JSON already.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn raw(&mut self, text: &[u8]) {
        self.buf.put_slice(text);
    }

    /// The opening quote of a number or a bool that is a key; [`colon`](Self::colon) closes it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quote(&mut self) {
        self.buf.put([b'"']);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn bool(&mut self, value: bool) {
        self.buf.put_slice(if value { b"true" } else { b"false" });
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn integer(&mut self, value: impl itoa::Integer) {
        self.buf.put_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quoted_integer(&mut self, value: impl itoa::Integer) {
        self.buf.put([b'"']);
        self.buf.put_slice(itoa::Buffer::new().format(value).as_bytes());
        self.buf.put([b'"']);
    }

    /// A number that is finite, in the fewest digits that are read as the same number again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn float(&mut self, value: impl zmij::Float) {
        let mut digits = zmij::Buffer::new();
        let text = digits.format_finite(value).as_bytes();
        self.buf.put_slice(text.strip_suffix(b".0").unwrap_or(text));
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
        let vec = self.buf.vec();
        vec.push(b'"');
        vec.resize(end, b'"');
        let written = STANDARD.encode_slice(bytes, &mut vec[start..]);
        debug_assert_eq!(written.ok(), Some(end - start), "room for it was made");
        vec.push(b'"');
    }

    /// A string.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string(&mut self, text: &str) {
        let text = text.as_bytes();
        self.buf.put([b'"']);
        if is_plain(text) {
            self.buf.put_slice(text);
        } else {
            self.escaped(text);
        }
        self.buf.put([b'"']);
    }

    #[inline(never)]
    fn escaped(&mut self, text: &[u8]) {
        let mut plain = 0;
        for (i, &byte) in text.iter().enumerate() {
            let escape = ESCAPES[usize::from(byte)];
            if escape == 0 {
                continue;
            }
            self.buf.put_slice(&text[plain..i]);
            plain = i + 1;
            match escape {
                b'u' => {
                    let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble)];
                    self.buf.put([b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
                }
                short => self.buf.put([b'\\', short]),
            }
        }
        self.buf.put_slice(&text[plain..]);
    }
}

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buf.put_slice(text.as_bytes());
        Ok(())
    }
}

impl Start {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn position(self) -> usize {
        self.0
    }
}

/// A member's key with what comes before and after it: `,"name":`.
pub(crate) fn key(name: &str) -> Box<[u8]> {
    let mut printer = Printer::append_to(vec![b','], false);
    printer.string(name);
    printer.raw(b":");
    printer.into_vec().into()
}

/// A string in its quotes.
pub(crate) fn quoted(text: &str) -> Box<[u8]> {
    let mut printer = Printer::append_to(Vec::new(), false);
    printer.string(text);
    printer.into_vec().into()
}

/// What follows the backslash of each byte; 0 for those that stand for themselves.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[0x08] = b'b';
    table[b'\t' as usize] = b't';
    table[b'\n' as usize] = b'n';
    table[0x0c] = b'f';
    table[b'\r' as usize] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// True when no byte needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_plain(text: &[u8]) -> bool {
    match text.len() {
        // Both ends, which overlap: no loop for what is shorter than two words.
        16.. => is_plain_long(text),
        8.. => {
            let (head, tail) = (text.first_chunk::<8>(), text.last_chunk::<8>());
            head.zip(tail).is_some_and(|(head, tail)| {
                (escapes_in(u64::from_le_bytes(*head)) | escapes_in(u64::from_le_bytes(*tail))) == 0
            })
        }
        4.. => {
            let (head, tail) = (text.first_chunk::<4>(), text.last_chunk::<4>());
            head.zip(tail).is_some_and(|(head, tail)| {
                let word = u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << 32;
                escapes_in(word) == 0
            })
        }
        _ => text.iter().all(|byte| ESCAPES[usize::from(*byte)] == 0),
    }
}

#[inline]
fn is_plain_long(text: &[u8]) -> bool {
    let special = |block: &[u8; 16]| {
        block.iter().fold(false, |found, &byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
    };
    let (blocks, _) = text.as_chunks::<16>();
    blocks.iter().all(|block| !special(block)) && text.last_chunk::<16>().is_none_or(|block| !special(block))
}

/// Not zero when a byte of the word needs an escape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn escapes_in(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let below = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(write: impl FnOnce(&mut Printer)) -> String {
        let mut printer = Printer::append_to(Vec::new(), false);
        write(&mut printer);
        String::from_utf8(printer.into_vec()).unwrap()
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
                }
            }
        }
        assert_eq!(print(|printer| printer.string("")), r#""""#);
        assert_eq!(print(|printer| printer.string("\"\"\u{1}\n")), r#""\"\"\u0001\n""#);
    }

    #[test]
    fn floats() {
        let rows: [(f64, &str); 12] = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (100.0, "100"),
            (1e-7, "1e-7"),
            (1e15, "1000000000000000"),
            (1e21, "1e+21"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
        ];
        for (value, wanted) in rows {
            assert_eq!(print(|printer| printer.float(value)), wanted);
        }
        assert_eq!(print(|printer| printer.float(0.1f32)), "0.1");
        assert_eq!(print(|printer| printer.float(f32::MAX)), "3.4028235e+38");
        assert_eq!(print(|printer| printer.float(16_777_216f32)), "16777216");
    }

    #[test]
    fn base64_of_every_rest() {
        let rows: [(&[u8], &str); 5] =
            [(b"", ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"\xff\xfe\xfd", "//79")];
        for (bytes, wanted) in rows {
            assert_eq!(print(|printer| printer.base64(bytes)), format!("\"{wanted}\""));
        }
    }
}
