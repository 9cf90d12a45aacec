//! The tokens of JSON. This file knows syntax and positions, but not protobuf. It is in layer 0 (see DESIGN.md).
//!
//! The syntax is strict RFC 8259: no comments, no trailing commas, no byte order mark, no lone surrogates. The text is
//! checked to be UTF-8 before it is read, so a string without escapes is a slice of the text.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8259>.

mod base64;
mod number;
mod skip;
mod string;

pub(crate) use base64::from_base64;
pub(crate) use number::{Number, TEXT_OF_NUMBER, Whole, signed_of, unsigned_of};
pub(crate) use number::{leading_decimal, leading_whole};
pub(crate) use string::plain_len;

use crate::error::{Error, Result};
use crate::syntax::json::print::Key;

/// A cursor in a JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'de> {
    text: &'de str,
    at: usize,
    /// True if the input after the text is not UTF-8.
    cut: bool,
}

const ONES: u64 = u64::MAX / 255;

/// Returns 64 bits in which the top bit of a byte is set if this byte of `word` equals `byte`.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    const REST: u64 = u64::MAX / 255 * 0x7f;
    let differs = word ^ (ONES * u64::from(byte));
    !(((differs & REST) + REST) | differs | REST)
}

/// True if `text` starts with `start`, which is not empty and usually short. This function uses overlapping loads,
/// because comparing slices of any length is a function call.
#[inline]
pub(crate) fn starts_with(text: &[u8], start: &[u8]) -> bool {
    let Some(text) = text.get(..start.len()) else { return false };
    let ends = |bytes: &[u8]| {
        let ends = bytes.first_chunk::<8>().zip(bytes.last_chunk::<8>());
        ends.map(|(head, tail)| (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)))
    };
    match start.len() {
        8..=16 => ends(text) == ends(start),
        4..=7 => {
            let ends = |bytes: &[u8]| {
                let ends = bytes.first_chunk::<4>().zip(bytes.last_chunk::<4>());
                ends.map(|(head, tail)| (u32::from_le_bytes(*head), u32::from_le_bytes(*tail)))
            };
            ends(text) == ends(start)
        }
        // Different texts usually differ at one end, so the whole texts are rarely compared.
        17.. => ends(text) == ends(start) && text == start,
        _ => !start.is_empty() && text == start,
    }
}

impl<'de> Cursor<'de> {
    #[inline]
    pub(crate) fn new(text: &'de str) -> Self {
        Cursor { text, at: 0, cut: false }
    }

    /// Creates a cursor over bytes. The text of the cursor is the longest prefix of the bytes that is UTF-8. If more
    /// bytes follow, reading the end of the text fails.
    pub(crate) fn of_bytes(bytes: &'de [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Cursor::new(text),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                Cursor { text: std::str::from_utf8(valid).unwrap_or_default(), at: 0, cut: true }
            }
        }
    }

    /// Returns how many bytes are before the cursor.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Moves to a position that `position` returned.
    #[inline]
    pub(crate) fn seek(&mut self, position: usize) {
        self.at = position;
    }

    #[inline]
    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    /// Returns the text from the cursor on.
    #[inline]
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Returns the byte after the comma at the cursor, if there is a comma and a byte after it.
    #[inline]
    pub(crate) fn after_comma(&self) -> Option<u8> {
        match self.rest().first_chunk() {
            Some([b',', byte]) => Some(*byte),
            _ => None,
        }
    }

    /// Consumes the byte at the cursor that `peek` has returned.
    #[inline]
    pub(crate) fn bump(&mut self) {
        self.at += 1;
    }

    /// Skips white space, and returns the first byte of the next token.
    #[inline]
    pub(crate) fn token(&mut self) -> Option<u8> {
        match self.peek() {
            Some(byte) if byte > b' ' => Some(byte),
            _ => self.token_after_space(),
        }
    }

    fn token_after_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    /// Consumes a literal, if it is at the cursor.
    #[inline]
    pub(crate) fn literal(&mut self, literal: &str) -> bool {
        let is = self.bytes().get(self.at..self.at + literal.len()) == Some(literal.as_bytes());
        if is {
            self.at += literal.len();
        }
        is
    }

    /// Consumes the key of a member and its colon, if they come next. If `comma` is true, a comma must come before the
    /// key, and is consumed, too.
    #[inline]
    pub(crate) fn eat_key(&mut self, key: &Key, comma: bool) -> bool {
        // Without a comma, another byte is in the position of the comma: at least the bracket of the object.
        let from = self.at - usize::from(!comma);
        let found = self.bytes().get(from..).and_then(|rest| key.starts(rest, comma));
        self.at = found.map_or(self.at, |len| from + len);
        found.is_some()
    }

    /// Consumes this text, if it comes next.
    #[inline]
    pub(crate) fn eat(&mut self, text: &[u8]) -> bool {
        let eats = self.bytes().get(self.at..).is_some_and(|rest| starts_with(rest, text));
        self.at += if eats { text.len() } else { 0 };
        eats
    }

    /// Consumes a colon, and moves to the value after it.
    ///
    /// # Errors
    /// There is no colon.
    pub(crate) fn colon(&mut self) -> Result<()> {
        match self.token() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.unexpected("`:`")),
        }
    }

    /// Guesses how many elements a list of numbers has after the cursor. Looks at 64 KiB of the text at most.
    #[inline]
    pub(crate) fn count_elements(&self) -> usize {
        let rest = self.rest();
        let (words, _) = rest.as_chunks::<8>();
        let mut count = 1;
        for word in words.iter().take(1 << 13) {
            let word = u64::from_le_bytes(*word);
            let (commas, ends) = (equal(word, b','), equal(word, b']'));
            // Counts the commas before the bracket, or all commas if there is no bracket.
            let before = commas & ends.wrapping_sub(1) & !ends;
            count += ((before >> 7).wrapping_mul(ONES) >> 56) as usize;
            if ends != 0 {
                break;
            }
        }
        count
    }

    /// Returns the error for a token at the cursor that the syntax does not allow.
    #[cold]
    pub(crate) fn unexpected(&self, wanted: &str) -> Error {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some('"') => self.error(self.at, format!("expected {wanted}, but found a string")),
            Some('\'') => self.error(self.at, format!("expected {wanted}, but found `'`")),
            Some(c) => self.error(self.at, format!("expected {wanted}, but found `{}`", c.escape_debug())),
            None if self.cut => self.error(self.at, "invalid UTF-8"),
            None => self.error(self.at, format!("expected {wanted}, but the input ends")),
        }
    }

    /// Describes the value at the cursor. Returns `None` if there is no value.
    pub(crate) fn describe(&self) -> Option<String> {
        let mut ahead = *self;
        Some(match self.peek()? {
            b'{' => "an object".to_owned(),
            b'[' => "a list".to_owned(),
            b'"' => format!("the string {}", crate::syntax::well_known::quoted(&ahead.string().ok()?)),
            b'-' | b'0'..=b'9' => format!("the number {}", ahead.number().ok()?.shown()),
            b't' if ahead.literal("true") => "true".to_owned(),
            b'f' if ahead.literal("false") => "false".to_owned(),
            b'n' if ahead.literal("null") => "null".to_owned(),
            _ => return None,
        })
    }

    #[cold]
    pub(crate) fn error(&self, at: usize, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        self.locate(at, Error::syntax(message))
    }

    /// Adds the line and column of a position to an error that has no position yet.
    #[cold]
    pub(crate) fn locate(&self, at: usize, error: Error) -> Error {
        error.at_position(self.bytes(), at)
    }

    /// Moves to the first token.
    ///
    /// # Errors
    /// The text starts with a byte order mark.
    pub(crate) fn start(&mut self) -> Result<()> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.error(0, "the input starts with a byte order mark, which JSON does not allow"));
        }
        self.token();
        Ok(())
    }

    /// Checks that only white space remains.
    ///
    /// # Errors
    /// More text follows.
    pub(crate) fn end(&mut self) -> Result<()> {
        match self.token() {
            None if !self.cut => Ok(()),
            _ => Err(self.unexpected("the end of the input")),
        }
    }
}
