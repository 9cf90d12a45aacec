//! Reads the strings of the text format.

use crate::error::{Error, Result};
use crate::syntax::json::lex as json;
use crate::syntax::text::lex::{Cursor, next_line};
use std::borrow::Cow;

impl<'i> Cursor<'i> {
    /// Consumes the string at the cursor and everything up to the next token. The input must be UTF-8. The string must be in
    /// double quotes, without escapes and control characters, and no other string may follow it. Otherwise returns `None` and
    /// the cursor does not move.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<&'i str> {
        let (text, start) = (self.utf8?, self.position() + 1);
        let [b'"', content @ ..] = self.rest else { return None };
        let len = json::plain_len(content);
        let [b'"', after @ ..] = content.get(len..)? else { return None };
        let content = text.get(start..start + len)?;
        let after = next_line(after);
        match after.first() {
            // Quotes, white space and `#` are all less than `,`, so no other string follows here.
            Some(b','..) => self.rest = after,
            _ => self.rest = self.no_string(after)?,
        }
        Some(content)
    }

    /// Returns the text from the next token on, or `None` if that token is a string.
    #[inline(never)]
    fn no_string(&self, rest: &'i [u8]) -> Option<&'i [u8]> {
        let mut next = self.at(rest);
        (!matches!(next.token(), Some(b'"' | b'\''))).then_some(next.rest)
    }

    /// Consumes the adjacent strings at the cursor, and returns their concatenation.
    ///
    /// # Errors
    /// A string does not end on its line, or has an invalid escape.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#string>.
    pub(crate) fn strings(&mut self) -> Result<Cow<'i, [u8]>> {
        let mut text = Vec::new();
        Ok(match self.strings_with(&mut text)? {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(text),
        })
    }

    /// Consumes the adjacent strings at the cursor. Returns one string without escapes as a slice of the input. Otherwise
    /// appends the bytes of all strings to `text` and returns `None`.
    ///
    /// # Errors
    /// Fails if [`strings`](Self::strings) would fail.
    pub(crate) fn strings_with(&mut self, text: &mut Vec<u8>) -> Result<Option<&'i [u8]>> {
        let (start, quote) = (self.position(), self.rest[0]);
        self.bump();
        let (plain, rest) = self.rest.split_at(plain_len(self.rest, quote));
        self.rest = rest;
        let mut is_plain = self.peek() == Some(quote);
        if is_plain {
            self.bump();
        } else {
            text.extend_from_slice(plain);
            self.rest_of_string(start, quote, text)?;
        }
        while let Some(quote @ (b'"' | b'\'')) = self.token_after_line() {
            if std::mem::take(&mut is_plain) {
                text.extend_from_slice(plain);
            }
            let start = self.position();
            self.bump();
            self.rest_of_string(start, quote, text)?;
        }
        Ok(is_plain.then_some(plain))
    }

    /// Consumes the characters up to the next escape or the end of a string, and appends them to `text`.
    #[inline]
    fn plain_run(&mut self, quote: u8, text: &mut Vec<u8>) {
        let len = plain_len(self.rest, quote);
        match self.rest.first_chunk::<8>() {
            // There are usually few characters between escapes.
            Some(chunk) if len <= chunk.len() => {
                let before = text.len();
                text.extend_from_slice(chunk);
                text.truncate(before + len);
            }
            _ => text.extend_from_slice(&self.rest[..len]),
        }
        self.skip(len);
    }

    /// Consumes the rest of a string that starts at `start`, with its closing quote, and appends the bytes to `text`.
    #[inline(never)]
    fn rest_of_string(&mut self, start: usize, quote: u8, text: &mut Vec<u8>) -> Result<()> {
        // 64 bytes are enough for most strings.
        text.reserve(self.rest.len().min(64));
        loop {
            // Bytes that are not text are usually written as escapes with three octal digits.
            while let Some((escape, rest)) = self.rest.split_first_chunk()
                && let Some(byte) = octal(escape)
            {
                self.rest = rest;
                text.push(byte);
            }
            match self.peek() {
                Some(b'\\') => self.escape(text)?,
                Some(byte) if byte == quote => {
                    self.bump();
                    return Ok(());
                }
                Some(b'\n') => return Err(self.error(start, "the string does not end on its line")),
                Some(_) => self.plain_run(quote, text),
                None => return Err(self.error(start, "the string does not end")),
            }
        }
    }

    /// Consumes the escape whose backslash is at the cursor, and appends its bytes to `text`.
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let start = self.position();
        self.bump();
        let Some(byte) = self.peek() else { return Err(self.error(start, "the string does not end")) };
        let digits = self.rest;
        self.bump();
        text.push(match byte {
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'?' | b'\\' | b'\'' | b'"' => byte,
            b'0'..=b'7' => {
                self.rest = digits;
                let value = self.digits(8, 1, 3).unwrap_or_default();
                u8::try_from(value).map_err(|_| self.bad_escape(start))?
            }
            b'x' | b'X' => self.digits(16, 1, 2).ok_or_else(|| self.bad_escape(start))? as u8,
            b'u' | b'U' => {
                let count = if byte == b'u' { 4 } else { 8 };
                let value = self.digits(16, count, count);
                // `char::from_u32` rejects surrogates and values beyond Unicode.
                let char = value.and_then(char::from_u32).ok_or_else(|| self.bad_escape(start))?;
                text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.bad_escape(start)),
        });
        Ok(())
    }

    /// Consumes up to `most` digits and returns their value, or `None` if there are fewer than `least` digits.
    fn digits(&mut self, radix: u32, least: usize, most: usize) -> Option<u32> {
        let rest = self.rest();
        let (mut value, mut count) = (0, 0);
        while count < most
            && let Some(digit) = rest.get(count).and_then(|byte| char::from(*byte).to_digit(radix))
        {
            value = value << radix.trailing_zeros() | digit;
            count += 1;
        }
        self.skip(count);
        (count >= least).then_some(value)
    }

    #[cold]
    fn bad_escape(&self, start: usize) -> Error {
        let shown = String::from_utf8_lossy(&self.text[start..self.position()]);
        self.error(start, format!("`{shown}` is not a character of a string"))
    }
}

/// Returns the number of bytes before the first of these: the closing quote, a backslash, the end of the line, and the end of
/// the text.
#[inline]
fn plain_len(text: &[u8], quote: u8) -> usize {
    if quote == b'"' {
        // The search for the end of a JSON string also stops at every control character. If this character is not a line break,
        // the slower search runs.
        let len = json::plain_len(text);
        if text.get(len).is_some_and(|end| *end >= b' ' || *end == b'\n') {
            return len;
        }
    }
    any_plain_len(text, quote)
}

#[cold]
fn any_plain_len(text: &[u8], quote: u8) -> usize {
    let ends = |byte: &u8| *byte == quote || *byte == b'\\' || *byte == b'\n';
    text.iter().position(ends).unwrap_or(text.len())
}

/// Returns the byte of an escape with three octal digits, or `None` for any other text.
#[inline]
fn octal(escape: &[u8; 4]) -> Option<u8> {
    let word = u32::from_le_bytes(*escape);
    let is = word & 0xf8f8_fcff == u32::from_le_bytes(*b"\\000");
    is.then_some((word >> 2 & 0o300 | word >> 13 & 0o70 | word >> 24 & 7) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        let rows: [(&str, Result<&[u8], &str>); 27] = [
            (r#""""#, Ok(b"")),
            (r#"'a"b'"#, Ok(b"a\"b")),
            (r#""a'b""#, Ok(b"a'b")),
            ("'a' # b\n\"c\" 'd'", Ok(b"acd")),
            (r"'\a\b\f\n\r\t\v\?\\\'\x22'", Ok(b"\x07\x08\x0c\n\r\t\x0b?\\'\"")),
            (r"'\0\12\3777'", Ok(b"\0\n\xff7")),
            (r"'\x1\xfff'", Ok(b"\x01\xfff")),
            (r"'\u00e4\U0010ffff'", Ok("\u{e4}\u{10ffff}".as_bytes())),
            (r"'\0'", Ok(b"\0")),
            (r"'' 'a' ''", Ok(b"a")),
            (r"'\400'", Err("`\\400` is not a character of a string (at line 1 column 2)")),
            (r"'\x'", Err("`\\x` is not a character of a string (at line 1 column 2)")),
            (r"'\u123'", Err("`\\u123` is not a character of a string (at line 1 column 2)")),
            (r"'\ud800'", Err("`\\ud800` is not a character of a string (at line 1 column 2)")),
            (r"'\ud801\udc37'", Err("`\\ud801` is not a character of a string (at line 1 column 2)")),
            (r"'\U00110000'", Err("`\\U00110000` is not a character of a string (at line 1 column 2)")),
            (r"'\z'", Err("`\\z` is not a character of a string (at line 1 column 2)")),
            ("'a", Err("the string does not end (at line 1 column 1)")),
            ("'a\\", Err("the string does not end (at line 1 column 3)")),
            ("'", Err("the string does not end (at line 1 column 1)")),
            ("'a\nb'", Err("the string does not end on its line (at line 1 column 1)")),
            ("'a\\\nb'", Err("`\\\n` is not a character of a string (at line 1 column 3)")),
            ("'a' 'b", Err("the string does not end (at line 1 column 5)")),
            ("'\u{e4}'", Ok("\u{e4}".as_bytes())),
            ("'\0\t'", Ok(b"\0\t")),
            (r"'\'", Err("the string does not end (at line 1 column 1)")),
            (r"'\8'", Err("`\\8` is not a character of a string (at line 1 column 2)")),
        ];
        for (text, wanted) in rows {
            let found = Cursor::new(text).strings().map_err(|error| error.to_string());
            assert_eq!(found, wanted.map(Cow::Borrowed).map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn plain_text_goes_to_the_next_token() {
        let rows = [
            ("\"a\" # b\n c", Some("a"), 9),
            ("\"a\"\n  c", Some("a"), 6),
            ("\"a\";", Some("a"), 3),
            ("\"\u{e4}\"", Some("\u{e4}"), 4),
            ("\"\"", Some(""), 2),
            ("\"a\" \"b\"", None, 0),
            ("\"a\"'b'", None, 0),
            ("\"a\"\n        \"b\"", None, 0),
            ("\"a\\n\"", None, 0),
            ("\"a\nb\"", None, 0),
            ("\"a", None, 0),
            ("\"", None, 0),
            ("'a'", None, 0),
            ("a", None, 0),
            ("", None, 0),
        ];
        for (text, wanted, end) in rows {
            let mut cursor = Cursor::new(text);
            assert_eq!((cursor.plain_text(), cursor.position()), (wanted, end), "{text}");
        }
        assert_eq!(Cursor::of_bytes(b"\"a\" \xff").plain_text(), None);
    }

    #[test]
    fn long_strings_of_any_bytes() {
        for (step, seed) in [(1, 0), (7, 3), (29, 11), (101, 5)] {
            let bytes: Vec<u8> = (0..768).map(|i| (i * step + i / 5 * seed) as u8).collect();
            let escaped: String = (bytes.iter())
                .map(|byte| match byte {
                    b'"' | b'\\' => format!("\\{}", char::from(*byte)),
                    b' '..=b'~' => char::from(*byte).to_string(),
                    b'\n' => "\\n".to_owned(),
                    byte => format!("\\{byte:03o}"),
                })
                .collect();
            for end in (0..bytes.len()).step_by(61) {
                let text = format!("\"{}{escaped}\"", "\\x61".repeat(end % 7));
                let found = Cursor::new(&text).strings().unwrap();
                assert_eq!(*found, [&b"a".repeat(end % 7)[..], &bytes].concat(), "{step} {seed}");
                // A text that ends in the middle of a string must neither cause a panic nor be accepted.
                assert!(Cursor::new(&text[..text.len() - 1 - end]).strings().is_err());
            }
        }
    }

    #[test]
    fn what_has_no_escape_is_borrowed() {
        for (text, borrowed) in [("'a'", true), ("''", true), ("'\\x61'", false), ("'a' 'b'", false)] {
            let found = Cursor::new(text).strings().unwrap();
            assert_eq!(matches!(found, Cow::Borrowed(_)), borrowed, "{text}");
        }
    }
}
