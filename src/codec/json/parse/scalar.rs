//! Parses numbers, bools, enum values, strings and bytes.

use super::Parser;
use crate::codec::scalar::{FloatBits, ParseScalar, ShortNumber, integer_of};
use crate::error::Result;
use crate::layout::member::JsonBytes;
use crate::syntax::json::lex::{Cursor, Number, Whole, from_base64};
use crate::syntax::well_known::quoted;
use crate::table::{Kind, Row};
use std::borrow::Cow;

/// Returns the bits of `number` as an integer of the kind `kind`. If the number is not an integer or is out of range, returns
/// the text of an error.
fn integer(number: Number<'_>, kind: Kind) -> Result<u64, String> {
    let magnitude = match number.whole() {
        Whole::Is(magnitude) => Some(magnitude),
        Whole::Large => None,
        Whole::Fraction => {
            return Err(format!(
                "the field is {}, but {} is not an integer",
                kind.with_article(),
                number.shown()
            ));
        }
    };
    let fits = magnitude.and_then(|magnitude| integer_of(kind, number.is_negative(), magnitude));
    fits.ok_or_else(|| format!("{} does not fit {}", number.shown(), kind.with_article()))
}

/// Parses the map key `text` of the integer kind `kind`. Returns its bits, or the text of an error.
pub(super) fn integer_key(text: &str, kind: Kind) -> Result<u64, String> {
    let number = Cursor::number_of(text).ok_or_else(|| no_key(text, kind))?;
    integer(number, kind)
}

pub(super) fn no_key(text: &str, kind: Kind) -> String {
    format!("the keys are of kind {}, but {} is not such a key", kind.as_str(), quoted(text))
}

impl ShortNumber for Cursor<'_> {
    type Checkpoint = usize;

    #[inline]
    fn checkpoint(&self) -> usize {
        self.position()
    }

    #[inline]
    fn rewind(&mut self, checkpoint: usize) {
        self.seek(checkpoint);
    }

    #[inline]
    fn short_integer(&mut self) -> Option<(bool, u64)> {
        Cursor::short_integer(self)
    }

    #[inline]
    fn short_float(&mut self) -> Option<f64> {
        Cursor::short_float(self)
    }
}

impl<'i> ParseScalar for Parser<'i> {
    type Cursor = Cursor<'i>;

    #[inline]
    fn cursor(&mut self) -> &mut Cursor<'i> {
        &mut self.cursor
    }

    /// Parses an integer with a fraction or an exponent, or an integer in a string.
    fn other_integer(&mut self, kind: Kind) -> Result<u64> {
        let text;
        let number = match self.cursor.peek() {
            Some(b'-' | b'0'..=b'9') => self.cursor.number()?,
            Some(b'"') => {
                let before = self.cursor;
                text = self.cursor.string()?;
                match Cursor::number_of(&text) {
                    Some(number) => number,
                    None => {
                        self.cursor = before;
                        return Err(self.mismatch(kind.with_article()));
                    }
                }
            }
            _ => return Err(self.mismatch(kind.with_article())),
        };
        integer(number, kind).map_err(|problem| self.error(problem))
    }

    #[inline(never)]
    fn other_float(&mut self, kind: Kind) -> Result<u64> {
        let float = FloatBits::of(kind);
        let text;
        let number = match self.cursor.peek() {
            Some(b'-' | b'0'..=b'9') => self.cursor.number()?,
            Some(b'"') => {
                let before = self.cursor;
                text = self.cursor.string()?;
                match (&*text, Cursor::number_of(&text)) {
                    ("NaN", _) => return Ok(float.nan()),
                    ("Infinity", _) => return Ok(float.infinity()),
                    ("-Infinity", _) => return Ok(float.negated(float.infinity())),
                    (_, Some(number)) => number,
                    (_, None) => {
                        self.cursor = before;
                        return Err(self.mismatch(kind.with_article()));
                    }
                }
            }
            _ => return Err(self.mismatch(kind.with_article())),
        };
        match float.parse(number.raw) {
            Some(bits) if !float.is_infinite(bits) => Ok(bits),
            _ => Err(self.error(format!("{} does not fit {}", number.shown(), kind.with_article()))),
        }
    }

    #[inline]
    fn boolean(&mut self) -> Result<bool> {
        if self.cursor.literal("true") {
            return Ok(true);
        }
        if self.cursor.literal("false") {
            return Ok(false);
        }
        Err(self.mismatch(Kind::Bool.with_article()))
    }

    #[inline]
    fn enumeration(&mut self, row: &Row) -> Result<i32> {
        self.enum_number(row.enumeration())
    }
}

impl<'i> Parser<'i> {
    #[inline]
    pub(super) fn text(&mut self) -> Result<Cow<'i, str>> {
        if self.cursor.peek() == Some(b'"') {
            return self.cursor.string();
        }
        Err(self.mismatch(Kind::String.with_article()))
    }

    /// Parses the string at the cursor, and returns the bytes that it encodes in base64.
    pub(super) fn base64(&mut self) -> Result<Vec<u8>> {
        let text = self.text_of_bytes()?;
        from_base64(text.as_bytes())
            .ok_or_else(|| self.error(format!("the field is bytes, but {} is not base64", quoted(&text))))
    }

    /// Parses the string at the cursor, and returns the bytes that it encodes. The conversion of the field defines the
    /// encoding, such as hexadecimal digits.
    #[cold]
    pub(super) fn bytes_as(&mut self, form: &JsonBytes) -> Result<Vec<u8>> {
        let text = self.text_of_bytes()?;
        form.parse(&text)
            .ok_or_else(|| self.error(format!("expected {}, but found {}", form.expected(), quoted(&text))))
    }

    fn text_of_bytes(&mut self) -> Result<Cow<'i, str>> {
        match self.cursor.peek() {
            Some(b'"') => self.cursor.string(),
            _ => Err(self.mismatch(Kind::Bytes.with_article())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::float::Float;

    #[test]
    fn floats_are_rounded_once() {
        let read = |text: &str| Cursor::new(text).short_float().and_then(f32::of_double);
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 16
        };
        let mut texts: Vec<String> = (0..100_000)
            .map(|_| format!("{}.{}", random() >> (random() % 48), random() >> (random() % 48)))
            .collect();
        // These numbers lie in the middle between two floats, or next to such a middle.
        texts.extend(
            (16_777_216..16_777_300)
                .flat_map(|n| [format!("{n}"), format!("{n}.000000001"), format!("{}.999999999", n - 1)]),
        );
        texts.extend(["0.0", "-0", "0.00000000000000000000000000000000000000000001"].map(str::to_owned));
        let exact = texts.iter().filter(|text| match read(text) {
            Some(value) => {
                assert_eq!(value.to_bits(), text.parse::<f32>().unwrap().to_bits(), "{text}");
                true
            }
            None => false,
        });
        assert!(exact.count() > 10_000);
        assert_eq!(read("16777217"), None);
        assert_eq!(read("1000000000000000"), Some(1e15));
    }
}
