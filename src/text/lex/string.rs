//! Strings.

use super::Cursor;
use crate::error::{Error, Result};
use std::borrow::Cow;

impl<'i> Cursor<'i> {
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
        let mut text = Vec::new();
        loop {
            let rest = self.rest();
            let plain = rest.iter().position(|&byte| byte == quote || byte == b'\\' || byte == b'\n');
            let Some(plain) = plain else {
                self.at = self.text.len();
                return Err(self.error(start, "the string does not end"));
            };
            self.at += plain + 1;
            match rest[plain] {
                b'\\' => {
                    text.extend_from_slice(&rest[..plain]);
                    self.escape(&mut text)?;
                }
                b'\n' => return Err(self.error(start, "the string does not end on its line")),
                // Whatever is empty after an escape was one.
                _ if text.is_empty() && self.at == start + plain + 2 => {
                    return Ok(Cow::Borrowed(&rest[..plain]));
                }
                _ => {
                    text.extend_from_slice(&rest[..plain]);
                    return Ok(Cow::Owned(text));
                }
            }
        }
    }

    /// What stands for a character, behind the backslash.
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
                // Neither halves of surrogate pairs nor what is beyond Unicode.
                let char = value.and_then(char::from_u32).ok_or_else(|| self.bad_escape(start))?;
                text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.bad_escape(start)),
        });
        Ok(())
    }

    /// The value of so many digits, if there are as many.
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
            let found = Cursor::new(text.as_bytes()).strings().map_err(|error| error.to_string());
            assert_eq!(found, wanted.map(Cow::Borrowed).map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn what_has_no_escape_is_borrowed() {
        for (text, borrowed) in [("'a'", true), ("''", true), ("'\\x61'", false), ("'a' 'b'", false)] {
            let found = Cursor::new(text.as_bytes()).strings().unwrap();
            assert_eq!(matches!(found, Cow::Borrowed(_)), borrowed, "{text}");
        }
    }
}
