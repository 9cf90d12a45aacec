//! Reads the tokens of the text format. This module is in layer 0 (see DESIGN.md): it knows syntax and positions, but no
//! schema.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#parsing>.

mod number;
mod string;

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::syntax::json::lex::starts_with;
use crate::syntax::json::print::Key;

pub(crate) use number::Number;

/// A cursor in the input, which is a text in the text format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'i> {
    text: &'i [u8],
    /// The rest of the text, from the cursor on.
    rest: &'i [u8],
    /// The whole text, if it is UTF-8. Otherwise only the values of `string` fields must be UTF-8.
    utf8: Option<&'i str>,
}

const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);

impl<'i> Cursor<'i> {
    pub(crate) fn new(text: &'i str) -> Self {
        Cursor { text: text.as_bytes(), rest: text.as_bytes(), utf8: Some(text) }
    }

    /// Creates a cursor at the start of bytes, which need not be UTF-8.
    pub(crate) fn of_bytes(text: &'i [u8]) -> Self {
        Cursor { text, rest: text, utf8: std::str::from_utf8(text).ok() }
    }

    /// Returns how many bytes of the text are before the cursor.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.position_of(self.rest)
    }

    /// Returns how many bytes of the text are before `rest`, the rest of the text at some position.
    #[inline]
    pub(crate) fn position_of(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Consumes the byte at the cursor that `peek` has returned.
    #[inline]
    pub(crate) fn bump(&mut self) {
        self.skip(1);
    }

    /// Moves the cursor to the start of `rest`, the rest of the text at some position.
    #[inline]
    pub(crate) fn seek(&mut self, rest: &'i [u8]) {
        self.rest = rest;
    }

    /// Returns another cursor at the start of `rest`, the rest of the text at some position.
    pub(crate) fn at(&self, rest: &'i [u8]) -> Self {
        Cursor { rest, ..*self }
    }

    /// Consumes `len` bytes, or the rest of the text if it is shorter.
    #[inline]
    fn skip(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    /// Returns the text from the cursor on.
    #[inline]
    pub(crate) fn rest(&self) -> &'i [u8] {
        self.rest
    }

    /// Skips white space and comments, and returns the first byte of the next token.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#whitespace>.
    #[inline]
    pub(crate) fn token(&mut self) -> Option<u8> {
        match self.peek() {
            Some(byte) if byte > b' ' && byte != b'#' => Some(byte),
            _ => self.token_after_space(),
        }
    }

    /// Returns the text after a line break at the cursor and up to eight spaces of indentation on the next line. If there is no
    /// line break, or fewer than eight bytes follow it, returns the unchanged rest.
    #[inline]
    pub(crate) fn next_line(&self) -> &'i [u8] {
        next_line(self.rest)
    }

    /// Returns what [`token`](Self::token) returns, but is faster if a line ends at the cursor.
    #[inline]
    pub(crate) fn token_after_line(&mut self) -> Option<u8> {
        self.rest = self.next_line();
        self.token()
    }

    #[inline(never)]
    fn token_after_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0b' | b'\x0c') => {
                    self.bump();
                    // The line is usually indented.
                    while let Some(&word) = self.rest.first_chunk::<8>() {
                        let others = u64::from_le_bytes(word) ^ SPACES;
                        self.rest = &self.rest[others.trailing_zeros() as usize / 8..];
                        if others != 0 {
                            break;
                        }
                    }
                }
                Some(b'#') => {
                    let end = self.rest.iter().position(|byte| *byte == b'\n');
                    self.skip(end.map_or(self.rest.len(), |end| end + 1));
                }
                other => return other,
            }
        }
    }

    /// Consumes `byte` and returns true, if it is the next token. Otherwise returns false.
    #[inline]
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let is = self.token() == Some(byte);
        self.skip(usize::from(is));
        is
    }

    /// Returns the error for a token at the cursor that the syntax does not allow.
    #[cold]
    pub(crate) fn unexpected(&self, wanted: &str) -> Error {
        let rest = self.rest();
        // A character takes four bytes at most.
        let start = rest.get(..4).unwrap_or(rest);
        let found = match start.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
            None if rest.is_empty() => "the input ends".to_owned(),
            None => format!("found the byte 0x{:02x}", rest[0]),
            Some('"' | '\'') => "found a string".to_owned(),
            Some(c) => format!("found `{}`", c.escape_debug()),
        };
        self.error(self.position(), format!("expected {wanted}, but {found}"))
    }

    #[cold]
    pub(crate) fn error(&self, at: usize, message: impl Into<Cow<'static, str>>) -> Error {
        self.locate(at, Error::syntax(message))
    }

    /// Adds the line and column of a position to an error that has no position yet.
    #[cold]
    pub(crate) fn locate(&self, at: usize, error: Error) -> Error {
        error.at_position(self.text, at)
    }

    /// Returns the value at the cursor, which is not a message, as text for an error.
    #[cold]
    pub(crate) fn shown(&mut self) -> String {
        match self.peek() {
            Some(b'"' | b'\'') => String::from_utf8_lossy(&self.strings().unwrap_or_default()).into_owned(),
            _ => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-' || **byte == b'_';
                let part: Vec<u8> = self.rest().iter().take_while(is_part).copied().collect();
                String::from_utf8_lossy(&part).into_owned()
            }
        }
    }

    /// Consumes and returns the word at the cursor, which has letters, digits and underscores.
    ///
    /// # Errors
    /// There is no word at the cursor, or it begins with a digit.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#identifiers>.
    pub(crate) fn identifier(&mut self, wanted: &str) -> Result<&'i str> {
        let rest = self.rest();
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        if !rest.first().is_some_and(is_letter) {
            return Err(self.unexpected(wanted));
        }
        let end = rest.iter().position(|byte| !is_letter(byte) && !byte.is_ascii_digit());
        let len = end.unwrap_or(rest.len());
        self.skip(len);
        // The word is ASCII.
        Ok(std::str::from_utf8(&rest[..len]).unwrap_or_default())
    }

    /// Consumes the word at the cursor and returns true, if it equals `word`. Otherwise returns false.
    #[inline]
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let is = starts_with(rest, word.as_bytes()) && !rest.get(word.len()).is_some_and(is_word);
        self.skip(if is { word.len() } else { 0 });
        is
    }

    /// Consumes the name of a field and its usual punctuation and returns true, if they are next. Otherwise returns false.
    #[inline]
    pub(crate) fn eat_mark(&mut self, mark: &Key) -> bool {
        let rest = mark.strip(self.rest);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

#[inline]
fn next_line(text: &[u8]) -> &[u8] {
    if let [b'\n', line @ ..] = text
        && let Some(word) = line.first_chunk::<8>()
    {
        let indent = (u64::from_le_bytes(*word) ^ SPACES).trailing_zeros() as usize / 8;
        return &line[indent..];
    }
    text
}

/// True for a byte that a word can have: a letter, a digit or an underscore.
#[inline]
fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// True for one or more words, joined by dots.
pub(crate) fn is_identifier(name: &str) -> bool {
    // The byte before the current one.
    let mut last = b'.';
    for &byte in name.as_bytes() {
        let is_valid = match byte {
            b'.' => last != b'.',
            b'0'..=b'9' => last != b'.',
            _ => byte.is_ascii_alphabetic() || byte == b'_',
        };
        if !is_valid {
            return false;
        }
        last = byte;
    }
    last != b'.'
}

/// True for the bytes that a URL may have without an escape.
fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-~!$&()*+,;=/".contains(&byte)
}

/// True for a type URL that can be written in brackets: the part before the last slash is not empty, a type name follows the
/// slash, and characters that URLs cannot have are escaped.
pub(crate) fn is_url(url: &str) -> bool {
    let Some((prefix, name)) = url.rsplit_once('/') else { return false };
    !prefix.is_empty() && !prefix.starts_with('/') && is_identifier(name) && escapes_are_whole(prefix)
}

fn escapes_are_whole(prefix: &str) -> bool {
    let mut rest = prefix.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = match (byte, after) {
            (b'%', [a, b, after @ ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => after,
            (byte, after) if is_url_byte(*byte) => after,
            _ => return false,
        };
    }
    true
}

impl<'i> Cursor<'i> {
    /// Returns the name between the bracket at the cursor and the closing bracket, without white space and comments.
    ///
    /// # Errors
    /// The name does not end, or it has a character that neither names nor URLs have.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#field-names>.
    pub(crate) fn bracketed(&mut self) -> Result<Cow<'i, str>> {
        self.bump();
        let mut name = Cow::Borrowed("");
        loop {
            match self.token() {
                Some(b']') => {
                    self.bump();
                    return Ok(name);
                }
                Some(byte) if is_url_byte(byte) || byte == b'%' => {}
                _ => return Err(self.unexpected("the name of an extension or of a type, or `]`")),
            }
            let rest = self.rest();
            let end = rest.iter().position(|byte| !is_url_byte(*byte) && *byte != b'%');
            let len = end.unwrap_or(rest.len());
            let part = std::str::from_utf8(&rest[..len]).unwrap_or_default();
            self.skip(len);
            name = if name.is_empty() { Cow::Borrowed(part) } else { name + part };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_comments() {
        for text in ["x", " \t\r\n\x0b\x0cx", "# a\nx", "#\n # b # c\n\n x"] {
            assert_eq!(Cursor::new(text).token(), Some(b'x'), "{text:?}");
        }
        for text in ["", " ", "#", "# a", "# a\n"] {
            assert_eq!(Cursor::new(text).token(), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_expected() {
        let rows: [(&[u8], &str); 6] = [
            (b"", "expected a word, but the input ends (at line 1 column 1)"),
            (b"\"a", "expected a word, but found a string (at line 1 column 1)"),
            (b"'a", "expected a word, but found a string (at line 1 column 1)"),
            (b"\xff", "expected a word, but found the byte 0xff (at line 1 column 1)"),
            ("ä".as_bytes(), "expected a word, but found `ä` (at line 1 column 1)"),
            (b"\0", "expected a word, but found `\\0` (at line 1 column 1)"),
        ];
        for (text, error) in rows {
            assert_eq!(Cursor::of_bytes(text).identifier("a word").unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn urls() {
        for url in ["a/b.C", "type.googleapis.com/a", "x/y-z/%2F/a.b", "~!$&()*+,;=/a"] {
            assert!(is_url(url), "{url}");
        }
        for url in [
            "", "a", "/a", "a/", "a/1b", "a/b..c", "a/b.", "a b/c", "a%2/b", "a%zz/b", "a%/b", "\u{e4}/b",
            "a'/b",
        ] {
            assert!(!is_url(url), "{url}");
        }
    }

    #[test]
    fn in_brackets() {
        let rows = [
            ("[a.b]x", Ok("a.b")),
            ("[ a . b ]x", Ok("a.b")),
            ("[a # b\n/c%20]x", Ok("a/c%20")),
            ("[]x", Ok("")),
            (
                "[a",
                Err(
                    "expected the name of an extension or of a type, or `]`, but the input ends (at line 1 column 3)",
                ),
            ),
            (
                "[a'",
                Err(
                    "expected the name of an extension or of a type, or `]`, but found a string (at line 1 column 3)",
                ),
            ),
        ];
        for (text, wanted) in rows {
            let mut cursor = Cursor::new(text);
            match (cursor.bracketed(), wanted) {
                (Ok(name), Ok(wanted)) => assert_eq!((&*name, cursor.peek()), (wanted, Some(b'x')), "{text}"),
                (found, wanted) => {
                    assert_eq!(
                        found.map_err(|error| error.to_string()),
                        wanted.map(Cow::Borrowed).map_err(str::to_owned)
                    );
                }
            }
        }
    }
}
