//! Reads strings.

use crate::error::Result;
use crate::syntax::json::lex::Cursor;
use std::borrow::Cow;

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// Returns 64 bits in which the top bit of a byte is set if this byte of `word` is less than `n`. `n` is at most 0x80.
/// Above the first such byte, bits may be set by mistake.
#[inline]
fn below(word: u64, n: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(n)) & !word & HIGHS
}

/// Returns 64 bits in which the top bit of a byte is set if this byte of `word` ends a run of plain characters: a
/// quote, a backslash or a control character.
#[inline]
fn specials(word: u64, quote: u8) -> u64 {
    let quotes = word ^ (ONES * u64::from(quote));
    let slashes = word ^ (ONES * u64::from(b'\\'));
    below(word, 0x20) | below(quotes, 1) | below(slashes, 1)
}

/// The number of plain characters after which a string is read in blocks, because it is probably much longer.
const LONG: usize = 64;

/// Skips blocks of plain characters, and returns the rest of the text.
#[inline(never)]
fn skip_plain(mut text: &[u8]) -> &[u8] {
    let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    // Without an early exit from a block, the compiler turns the comparisons into vector instructions.
    while let Some((block, rest)) = text.split_first_chunk::<32>()
        && !block.iter().fold(false, |found, byte| found | is_special(*byte))
    {
        text = rest;
    }
    text
}

/// Returns the number of plain characters at the start of a text: up to a quote, a backslash, a control character, or
/// the end.
#[inline]
pub(crate) fn plain_len(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some((&chunk, after)) = rest.split_first_chunk::<8>() {
        let found = specials(u64::from_le_bytes(chunk), b'"');
        if found != 0 {
            return text.len() - rest.len() + found.trailing_zeros() as usize / 8;
        }
        rest = after;
        if text.len() - rest.len() == LONG {
            rest = skip_plain(rest);
        }
    }
    while let [byte, after @ ..] = rest
        && *byte >= 0x20
        && *byte != b'"'
        && *byte != b'\\'
    {
        rest = after;
    }
    text.len() - rest.len()
}

impl<'de> Cursor<'de> {
    /// Returns the position of the first byte from `at` on that is not a plain character of a string. Returns the end
    /// of the text if there is no such byte.
    #[inline]
    fn plain_end(&self, at: usize) -> usize {
        at + plain_len(self.bytes().get(at..).unwrap_or_default())
    }

    /// Reads the string whose opening quote is at the cursor. A string without escapes is a slice of the text.
    ///
    /// # Errors
    /// The string does not end, or has a control character or an invalid escape.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>> {
        let start = self.at + 1;
        let end = self.plain_end(start);
        match self.bytes().get(end) {
            Some(b'"') => {
                self.at = end + 1;
                Ok(Cow::Borrowed(&self.text[start..end]))
            }
            _ => self.escaped_string(start, end).map(Cow::Owned),
        }
    }

    /// Consumes the string at the cursor, if it has no escapes.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<&'de str> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let text = self.plain_string()?;
        self.at += text.len() + 2;
        Some(text)
    }

    /// Returns the string whose opening quote is at the cursor, if it has no escapes. The cursor does not move.
    #[inline]
    pub(crate) fn plain_string(&self) -> Option<&'de str> {
        let (start, end) = (self.at + 1, self.plain_end(self.at + 1));
        (self.bytes().get(end) == Some(&b'"')).then(|| &self.text[start..end])
    }

    /// Skips the string whose opening quote is at the cursor.
    ///
    /// # Errors
    /// Fails if [`string`](Self::string) would fail.
    pub(super) fn skip_string(&mut self) -> Result<()> {
        let mut end = self.plain_end(self.at + 1);
        while self.bytes().get(end) == Some(&b'\\') {
            end = self.plain_end(self.escape(end)?.1);
        }
        self.string_end(end)?;
        self.at = end + 1;
        Ok(())
    }

    /// Reads the rest of a string whose first plain run is from `start` to `end`.
    #[inline(never)]
    fn escaped_string(&mut self, start: usize, end: usize) -> Result<String> {
        let (mut run, mut end) = (start, end);
        // The string is allocated once, with the length of its JSON text, because it cannot be longer. The text ends at
        // the first plain run after which no escape follows.
        let mut close = end;
        while self.bytes().get(close) == Some(&b'\\') && close + 2 <= self.text.len() {
            close = self.plain_end(close + 2);
        }
        let mut string = String::with_capacity(close - start);
        while self.bytes().get(end) == Some(&b'\\') {
            string.push_str(&self.text[run..end]);
            let (c, after) = self.escape(end)?;
            string.push(c);
            (run, end) = (after, self.plain_end(after));
        }
        self.string_end(end)?;
        string.push_str(&self.text[run..end]);
        self.at = end + 1;
        Ok(string)
    }

    /// Checks that a string ends at a position.
    #[inline]
    fn string_end(&self, at: usize) -> Result<()> {
        match self.bytes().get(at) {
            Some(b'"') => Ok(()),
            Some(byte) => Err(self.error(at, format!("the control character {byte:#04x} in a string"))),
            None => Err(Cursor { at, ..*self }.unexpected("a closing `\"`")),
        }
    }

    /// Parses the escape at a position. Returns its character, and the position after it.
    fn escape(&self, at: usize) -> Result<(char, usize)> {
        let c = match self.bytes().get(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(at),
            Some(_) => return Err(self.error(at, "there is no such escape")),
            None => return Err(Cursor { at: at + 1, ..*self }.unexpected("the rest of an escape")),
        };
        Ok((c, at + 2))
    }

    /// Parses a `\u` escape, or two of them that form a surrogate pair. Returns the character, and the position after
    /// it.
    fn unicode(&self, at: usize) -> Result<(char, usize)> {
        let lone = || self.error(at, "half of a surrogate pair");
        let first = self.hex(at + 2)?;
        if let Some(c) = char::from_u32(first) {
            return Ok((c, at + 6));
        }
        if first >= 0xdc00 || self.bytes().get(at + 6..at + 8) != Some(b"\\u") {
            return Err(lone());
        }
        let second = self.hex(at + 8)?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(lone());
        }
        let c = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        Ok((c.ok_or_else(lone)?, at + 12))
    }

    fn hex(&self, at: usize) -> Result<u32> {
        let digits = self.bytes().get(at..at + 4).unwrap_or_default();
        let value =
            digits.iter().try_fold(0, |value, digit| Some(value << 4 | (*digit as char).to_digit(16)?));
        match value {
            Some(value) if digits.len() == 4 => Ok(value),
            _ => Err(self.error(at - 2, "an escape without its four hexadecimal digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Cow<'_, str>> {
        let mut cursor = Cursor::new(text);
        let read = cursor.string()?;
        assert_eq!(cursor.position(), text.len(), "{text}");
        let mut skipped = Cursor::new(text);
        skipped.skip_string()?;
        assert_eq!(skipped.position(), text.len(), "{text}");
        Ok(read)
    }

    #[test]
    fn a_special_character_is_found_wherever_it_is() {
        for len in 0..140 {
            for (at, special) in (0..len).flat_map(|at| ['"', '\\', '\u{1f}', '\0'].map(|c| (at, c))) {
                let mut text: Vec<char> = vec!['\u{7f}'; len];
                text[at] = special;
                let text: String = text.iter().collect();
                assert_eq!(Cursor::new(&text).plain_end(0), at, "{text:?}");
            }
            assert_eq!(Cursor::new(&"é".repeat(len)).plain_end(0), 2 * len);
        }
    }

    #[test]
    fn strings_without_escapes_are_borrowed() {
        assert!(matches!(
            read("\"plain, longer than one word\""),
            Ok(Cow::Borrowed("plain, longer than one word"))
        ));
        assert!(matches!(read("\"\""), Ok(Cow::Borrowed(""))));
        assert!(matches!(read("\"\u{7f}é\u{10ffff}\""), Ok(Cow::Borrowed("\u{7f}é\u{10ffff}"))));
    }

    #[test]
    fn escapes_are_read() {
        let rows = [
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""a\u00e9b""#, "aéb"),
            (r#""\u0000""#, "\0"),
            (r#""\uD83D\ude00!""#, "😀!"),
            (r#""\uffff""#, "\u{ffff}"),
        ];
        for (text, wanted) in rows {
            assert_eq!(read(text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_string_is_refused() {
        let rows = [
            (r#""\x""#, "there is no such escape (at line 1 column 2)"),
            (r#""\u12""#, "an escape without its four hexadecimal digits (at line 1 column 2)"),
            (r#""\u+123""#, "an escape without its four hexadecimal digits (at line 1 column 2)"),
            (r#""a\ud800""#, "half of a surrogate pair (at line 1 column 3)"),
            (r#""\ud800\u0041""#, "half of a surrogate pair (at line 1 column 2)"),
            (r#""\udc00\ud800""#, "half of a surrogate pair (at line 1 column 2)"),
            ("\"a\nb\"", "the control character 0x0a in a string (at line 1 column 3)"),
            ("\"\0\"", "the control character 0x00 in a string (at line 1 column 2)"),
            ("\"ab", "expected a closing `\"`, but the input ends (at line 1 column 4)"),
            ("\"\\", "expected the rest of an escape, but the input ends (at line 1 column 3)"),
        ];
        for (text, wanted) in rows {
            assert_eq!(Cursor::new(text).string().unwrap_err().to_string(), wanted, "{text}");
            assert_eq!(Cursor::new(text).skip_string().unwrap_err().to_string(), wanted, "{text}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_end_the_text() {
        for bytes in [&b"\"a\xff\""[..], b"\"a\xc0\xaf\"", b"\"a\xed\xa0\x80\"", b"\"a\xf5\x80\x80\x80\""] {
            let error = Cursor::of_bytes(bytes).string().unwrap_err();
            assert_eq!(error.to_string(), "invalid UTF-8 (at line 1 column 3)");
        }
    }
}
