//! Strings.

use super::Cursor;
use crate::error::{Error, Result};
use std::borrow::Cow;

impl<'i> Cursor<'i> {
    /// Consumes the string at the cursor up to the next token, if it is UTF-8, has no escapes and no adjacent string
    /// follows. On anything else the cursor does not move.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<&'i str> {
        let (text, start) = (self.utf8?, self.at + 1);
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let end = start + plain_len(self.text.get(start..)?, quote);
        let mut after = Cursor { at: end + 1, ..*self };
        if self.text.get(end) != Some(&quote) || matches!(after.token(), Some(b'"' | b'\'')) {
            return None;
        }
        *self = after;
        text.get(start..end)
    }

    /// The strings at the cursor as one: those that follow each other are put together.
    ///
    /// # Errors
    /// One does not end on its line, or has an escape that there is not.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#string>.
    pub(crate) fn strings(&mut self) -> Result<Cow<'i, [u8]>> {
        let mut text = self.string()?;
        while let Some(b'"' | b'\'') = self.token() {
            let more = self.string()?;
            text.to_mut().extend_from_slice(&more);
        }
        Ok(text)
    }

    fn string(&mut self) -> Result<Cow<'i, [u8]>> {
        let start = self.at;
        let quote = self.text[start];
        self.at += 1;
        let plain = self.plain(quote);
        if self.peek() == Some(quote) {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_vec();
        loop {
            // Bytes that are no text mostly have three digits.
            while let Some(&[b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7']) =
                self.rest().first_chunk()
            {
                self.at += 4;
                text.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
            }
            match self.peek() {
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\n') => return Err(self.error(start, "the string does not end on its line")),
                // Few plain bytes are between escapes.
                Some(byte) if self.rest().get(1) == Some(&b'\\') => {
                    self.at += 1;
                    text.push(byte);
                }
                Some(_) => text.extend_from_slice(self.plain(quote)),
                None => return Err(self.error(start, "the string does not end")),
            }
        }
    }

    /// Consumes the characters of a string up to an escape or its end.
    fn plain(&mut self, quote: u8) -> &'i [u8] {
        let rest = self.rest();
        let len = plain_len(rest, quote);
        self.at += len;
        &rest[..len]
    }

    /// Reads an escape, after its backslash.
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let start = self.at - 1;
        let Some(byte) = self.peek() else { return Err(self.error(start, "the string does not end")) };
        self.at += 1;
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
                self.at -= 1;
                let value = self.digits(8, 1, 3).unwrap_or_default();
                u8::try_from(value).map_err(|_| self.bad_escape(start))?
            }
            b'x' | b'X' => self.digits(16, 1, 2).ok_or_else(|| self.bad_escape(start))? as u8,
            b'u' | b'U' => {
                let count = if byte == b'u' { 4 } else { 8 };
                let value = self.digits(16, count, count);
                // Surrogates and values beyond Unicode are rejected.
                let char = value.and_then(char::from_u32).ok_or_else(|| self.bad_escape(start))?;
                text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.bad_escape(start)),
        });
        Ok(())
    }

    /// The value of `least` to `most` digits, if there are enough.
    fn digits(&mut self, radix: u32, least: usize, most: usize) -> Option<u32> {
        let rest = self.rest();
        let (mut value, mut count) = (0, 0);
        while count < most
            && let Some(digit) = rest.get(count).and_then(|byte| char::from(*byte).to_digit(radix))
        {
            value = value << radix.trailing_zeros() | digit;
            count += 1;
        }
        self.at += count;
        (count >= least).then_some(value)
    }

    #[cold]
    fn bad_escape(&self, start: usize) -> Error {
        let shown = String::from_utf8_lossy(&self.text[start..self.at]);
        self.error(start, format!("`{shown}` is no character of a string"))
    }
}

/// The number of bytes before the end of a string, a backslash, or the end of the line.
fn plain_len(text: &[u8], quote: u8) -> usize {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    // The top bit of each byte that is this one; wrong only above a byte that is.
    let equal = |word: u64, byte: u8| {
        let differs = word ^ (ONES * u64::from(byte));
        differs.wrapping_sub(ONES) & !differs & HIGHS
    };
    let mut len = 0;
    while let Some(&chunk) = text.get(len..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(chunk);
        let found = equal(word, quote) | equal(word, b'\\') | equal(word, b'\n');
        if found != 0 {
            return len + found.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let ends = |byte: &u8| *byte == quote || *byte == b'\\' || *byte == b'\n';
    let rest = text.get(len..).unwrap_or_default();
    len + rest.iter().position(ends).unwrap_or(rest.len())
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
            (r"'\400'", Err("`\\400` is no character of a string (at line 1 column 2)")),
            (r"'\x'", Err("`\\x` is no character of a string (at line 1 column 2)")),
            (r"'\u123'", Err("`\\u123` is no character of a string (at line 1 column 2)")),
            (r"'\ud800'", Err("`\\ud800` is no character of a string (at line 1 column 2)")),
            (r"'\ud801\udc37'", Err("`\\ud801` is no character of a string (at line 1 column 2)")),
            (r"'\U00110000'", Err("`\\U00110000` is no character of a string (at line 1 column 2)")),
            (r"'\z'", Err("`\\z` is no character of a string (at line 1 column 2)")),
            ("'a", Err("the string does not end (at line 1 column 1)")),
            ("'a\\", Err("the string does not end (at line 1 column 3)")),
            ("'", Err("the string does not end (at line 1 column 1)")),
            ("'a\nb'", Err("the string does not end on its line (at line 1 column 1)")),
            ("'a\\\nb'", Err("`\\\n` is no character of a string (at line 1 column 3)")),
            ("'a' 'b", Err("the string does not end (at line 1 column 5)")),
            ("'\u{e4}'", Ok("\u{e4}".as_bytes())),
            ("'\0\t'", Ok(b"\0\t")),
            (r"'\'", Err("the string does not end (at line 1 column 1)")),
            (r"'\8'", Err("`\\8` is no character of a string (at line 1 column 2)")),
        ];
        for (text, wanted) in rows {
            let found = Cursor::new(text).strings().map_err(|error| error.to_string());
            assert_eq!(found, wanted.map(Cow::Borrowed).map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn plain_text_goes_to_the_next_token() {
        let rows = [
            ("'a' # b\n c", Some("a"), 9),
            ("\"\u{e4}\"", Some("\u{e4}"), 4),
            ("''", Some(""), 2),
            ("'a' 'b'", None, 0),
            ("'a\\n'", None, 0),
            ("'a\nb'", None, 0),
            ("'a", None, 0),
            ("'", None, 0),
            ("a", None, 0),
            ("", None, 0),
        ];
        for (text, wanted, end) in rows {
            let mut cursor = Cursor::new(text);
            assert_eq!((cursor.plain_text(), cursor.position()), (wanted, end), "{text}");
        }
        assert_eq!(Cursor::of_bytes(b"'a' \xff").plain_text(), None);
    }

    #[test]
    fn what_has_no_escape_is_borrowed() {
        for (text, borrowed) in [("'a'", true), ("''", true), ("'\\x61'", false), ("'a' 'b'", false)] {
            let found = Cursor::new(text).strings().unwrap();
            assert_eq!(matches!(found, Cow::Borrowed(_)), borrowed, "{text}");
        }
    }
}
