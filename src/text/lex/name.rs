//! Names in brackets: of extensions, and of the types of `Any`.

use super::Cursor;
use crate::error::Result;
use std::borrow::Cow;

/// True for words with dots between them.
pub(crate) fn is_identifier(name: &str) -> bool {
    // The byte before the one that is looked at.
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

/// True for the characters of URLs that need no escape.
fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-~!$&()*+,;=/".contains(&byte)
}

/// True for a type URL that can be written in brackets: its prefix before the last slash is not empty, a type name
/// follows it, and characters not allowed in URLs are escaped.
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
    /// The name between the bracket at the cursor and the one that closes it, without white space and comments.
    ///
    /// # Errors
    /// It has other characters than names and URLs, or does not end.
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
