//! Decodes and encodes the percent escapes of paths and queries.
//!
//! This file is in layer 0 (see DESIGN.md). Specification: <https://www.rfc-editor.org/rfc/rfc3986#section-2.1>.

use std::borrow::Cow;

/// Says which escapes of a path are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decode {
    /// All escapes.
    All,
    /// All escapes except for the slash: `%2F` and `%2f` stay as written.
    ExceptSlash,
    /// All escapes except for the characters that RFC 3986 reserves: `!#$&'()*+,/:;=?@[]`.
    ExceptReserved,
}

impl Decode {
    fn keeps(self, byte: u8) -> bool {
        match self {
            Decode::All => false,
            Decode::ExceptSlash => byte == b'/',
            Decode::ExceptReserved => b"!#$&'()*+,/:;=?@[]".contains(&byte),
        }
    }
}

/// The reason why a text cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("a % is not followed by two hexadecimal digits")]
    Escape,
    #[error("the escapes are not valid UTF-8")]
    Utf8,
    #[error("there is a NUL character")]
    Nul,
}

/// Decodes a part of a path.
///
/// # Errors
/// An escape is malformed, or the decoded text is not UTF-8 or has a NUL.
pub(crate) fn decode(text: &str, which: Decode) -> Result<Cow<'_, str>, Malformed> {
    decode_bytes(text, which, false)
}

/// Decodes a name or a value of a query. If `plus` is true, a `+` is a space.
///
/// # Errors
/// Fails if [`decode`] would fail.
pub(crate) fn decode_query(text: &str, plus: bool) -> Result<Cow<'_, str>, Malformed> {
    decode_bytes(text, Decode::All, plus)
}

fn decode_bytes(text: &str, which: Decode, plus: bool) -> Result<Cow<'_, str>, Malformed> {
    let bytes = text.as_bytes();
    let next = |from: &[u8]| match plus {
        true => memchr::memchr3(b'%', b'+', 0, from),
        false => memchr::memchr2(b'%', 0, from),
    };
    let Some(mut at) = next(bytes) else { return Ok(Cow::Borrowed(text)) };
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        out.extend_from_slice(&rest[..at]);
        match rest[at..] {
            [b'+', ..] => {
                out.push(b' ');
                rest = &rest[at + 1..];
            }
            [b'%', high, low, ..] => {
                let byte = hex(high)? << 4 | hex(low)?;
                match byte {
                    0 => return Err(Malformed::Nul),
                    _ if which.keeps(byte) => out.extend_from_slice(&rest[at..at + 3]),
                    _ => out.push(byte),
                }
                rest = &rest[at + 3..];
            }
            [b'%', ..] => return Err(Malformed::Escape),
            _ => return Err(Malformed::Nul),
        }
        match next(rest) {
            Some(found) => at = found,
            None => break,
        }
    }
    out.extend_from_slice(rest);
    String::from_utf8(out).map(Cow::Owned).map_err(|_| Malformed::Utf8)
}

fn hex(digit: u8) -> Result<u8, Malformed> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(Malformed::Escape),
    }
}

/// Appends a text to a path. Escapes all characters except for unreserved characters. If `slashes` is true, slashes are
/// not escaped either.
pub(crate) fn encode(text: &str, slashes: bool, out: &mut String) {
    for &byte in text.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b'/' if slashes => out.push('/'),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding() {
        let rows: &[(&str, Decode, Result<&str, Malformed>)] = &[
            ("p%20q%2Fr+", Decode::All, Ok("p q/r+")),
            ("a%2fb%2Fc%23", Decode::ExceptSlash, Ok("a%2fb%2Fc#")),
            ("a%2Fb%20%3d", Decode::ExceptReserved, Ok("a%2Fb %3d")),
            ("%2523", Decode::All, Ok("%23")),
            ("%C3%A9", Decode::All, Ok("\u{e9}")),
            ("%c0%80", Decode::All, Err(Malformed::Utf8)),
            ("%00", Decode::All, Err(Malformed::Nul)),
            ("a\0", Decode::All, Err(Malformed::Nul)),
            ("%zz", Decode::All, Err(Malformed::Escape)),
            ("%2", Decode::All, Err(Malformed::Escape)),
            ("%", Decode::All, Err(Malformed::Escape)),
        ];
        for (text, which, wanted) in rows {
            assert_eq!(decode(text, *which).as_deref(), wanted.as_ref().copied(), "{text}");
        }
        assert_eq!(decode_query("a+b%2B", true).as_deref(), Ok("a b+"));
        assert_eq!(decode_query("a+b%2B", false).as_deref(), Ok("a+b+"));
    }
}
