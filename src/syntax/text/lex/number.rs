//! Reads the numbers of the text format.

use crate::error::Result;
use crate::syntax::json::lex::{leading_decimal, leading_whole};
use crate::syntax::text::lex::{Cursor, is_word};

/// A number as it is written, without its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number<'i> {
    /// An integer. The magnitude is `None` if it does not fit in 64 bits.
    Integer { text: &'i str, decimal: bool, magnitude: Option<u64> },
    /// A number with a point, an exponent or a suffix. The text is without the suffix.
    Float(&'i str),
}

impl<'i> Number<'i> {
    /// Returns the text of the number, without a suffix.
    pub(crate) fn text(self) -> &'i str {
        match self {
            Number::Integer { text, .. } | Number::Float(text) => text,
        }
    }

    /// Returns the text of the number for an error, or only its start if it is long.
    pub(crate) fn shown(self, negative: bool) -> String {
        let (sign, text) = (if negative { "-" } else { "" }, self.text());
        match text.get(..64) {
            Some(start) if text.len() > 64 => format!("{sign}{start}..."),
            _ => format!("{sign}{text}"),
        }
    }
}

/// Counts the bytes at the start that satisfy the condition `is`.
fn count(text: &[u8], is: fn(&u8) -> bool) -> usize {
    text.iter().position(|byte| !is(byte)).unwrap_or(text.len())
}

impl<'i> Cursor<'i> {
    /// Consumes a decimal integer of up to 64 bits, and returns its sign (true if it is negative) and its magnitude. If
    /// anything else is at the cursor, returns `None` and the cursor does not move.
    #[inline]
    pub(crate) fn short_integer(&mut self) -> Option<(bool, u64)> {
        let (negative, digits) = self.sign();
        let (value, rest) = leading_whole(digits)?;
        self.ends_number(rest).then_some((negative, value))
    }

    /// Consumes a decimal number of up to 19 digits without an exponent. If anything else is at the cursor, returns `None` and
    /// the cursor does not move.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Option<f64> {
        let (negative, digits) = self.sign();
        let (value, rest) = leading_decimal(digits)?;
        self.ends_number(rest).then_some(if negative { -value } else { value })
    }

    /// Returns true if a minus sign is at the cursor, and the text after the sign.
    #[inline]
    fn sign(&self) -> (bool, &'i [u8]) {
        match self.rest() {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        }
    }

    /// Moves the cursor to `rest`, the text after a number, and returns true, unless `rest` could continue the number.
    #[inline]
    fn ends_number(&mut self, rest: &'i [u8]) -> bool {
        // White space and most separators are at most `-`, so one comparison is enough for them.
        let ends = !rest.first().is_some_and(|byte| *byte > b'-' && (is_word(byte) || *byte == b'.'));
        if ends {
            self.rest = rest;
        }
        ends
    }

    /// Consumes and returns the number at the cursor, which begins with a digit or a point.
    ///
    /// # Errors
    /// There is no number, or a word follows it without a separator.
    ///
    /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#numeric>.
    pub(crate) fn number(&mut self) -> Result<Number<'i>> {
        let (start, rest) = (self.position(), self.rest);
        let text = |len: usize| std::str::from_utf8(&rest[..len]).unwrap_or_default();
        let number = match rest {
            [b'0', b'x' | b'X', digits @ ..] => {
                let len = 2 + count(digits, u8::is_ascii_hexdigit);
                self.skip(len);
                self.integer(text(len), 2, 16)
            }
            _ => {
                let is_digit = u8::is_ascii_digit;
                let whole = count(rest, is_digit);
                let mut len = whole;
                let mut digits = whole;
                if let Some(b'.') = rest.get(len) {
                    let fraction = count(&rest[len + 1..], is_digit);
                    digits += fraction;
                    len += 1 + fraction;
                }
                if let Some(b'e' | b'E') = rest.get(len) {
                    let sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
                    let exponent = count(rest.get(len + 1 + sign..).unwrap_or_default(), is_digit);
                    len += if exponent > 0 { 1 + sign + exponent } else { 0 };
                }
                self.skip(len);
                let has_suffix = matches!(rest.get(len), Some(b'f' | b'F'));
                if digits == 0 {
                    None
                } else if len > whole || has_suffix {
                    // A zero before another digit marks an octal integer.
                    let is_decimal = whole < 2 || rest[0] != b'0';
                    self.skip(usize::from(has_suffix));
                    is_decimal.then(|| Number::Float(text(len)))
                } else {
                    match text(len).strip_prefix('0') {
                        None | Some("") => self.integer(text(len), 0, 10),
                        Some(_) => self.integer(text(len), 1, 8),
                    }
                }
            }
        };
        match (number, self.rest().first()) {
            (Some(number), byte) if !byte.is_some_and(is_word) => Ok(number),
            (Some(_), _) => Err(self.unexpected("something between a number and a word")),
            (None, _) => Err(self.error(start, "this is not a number")),
        }
    }

    fn integer(&self, text: &'i str, prefix: usize, radix: u32) -> Option<Number<'i>> {
        let digits = &text[prefix..];
        if digits.is_empty() || !digits.bytes().all(|digit| char::from(digit).is_digit(radix)) {
            return None;
        }
        let magnitude = u64::from_str_radix(digits, radix).ok();
        Some(Number::Integer { text, decimal: radix == 10, magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        let rows = [
            ("17", Some((false, 17)), Some(17.0)),
            ("-1\n", Some((true, 1)), Some(-1.0)),
            ("0]", Some((false, 0)), Some(0.0)),
            ("1.5,", None, Some(1.5)),
            ("1.5.", None, None),
            ("1.", None, None),
            ("1e5", None, None),
            ("1f", None, None),
            ("017", None, None),
            ("0x1", None, None),
            ("1a", None, None),
            ("- 1", None, None),
            ("18446744073709551616", None, None),
            ("inf", None, None),
            ("", None, None),
        ];
        for (text, integer, float) in rows {
            let mut cursor = Cursor::new(text);
            assert_eq!(cursor.short_integer(), integer, "{text}");
            assert_eq!(cursor.position() > 0, integer.is_some(), "{text}");
            assert_eq!(Cursor::new(text).short_float(), float, "{text}");
        }
    }

    #[test]
    fn numbers() {
        let integer = |text, decimal, magnitude| Ok(Number::Integer { text, decimal, magnitude });
        let rows = [
            ("0", integer("0", true, Some(0))),
            ("12,", integer("12", true, Some(12))),
            ("18446744073709551616", integer("18446744073709551616", true, None)),
            ("0xfF]", integer("0xfF", false, Some(255))),
            ("0X10000000000000000", integer("0X10000000000000000", false, None)),
            ("017", integer("017", false, Some(15))),
            ("00", integer("00", false, Some(0))),
            (".5", Ok(Number::Float(".5"))),
            ("5.", Ok(Number::Float("5."))),
            ("0.5", Ok(Number::Float("0.5"))),
            ("1e+9f", Ok(Number::Float("1e+9"))),
            ("1F", Ok(Number::Float("1"))),
            ("0f", Ok(Number::Float("0"))),
            (".", Err("this is not a number (at line 1 column 1)")),
            (".e5", Err("this is not a number (at line 1 column 1)")),
            ("0x", Err("this is not a number (at line 1 column 1)")),
            ("08", Err("this is not a number (at line 1 column 1)")),
            ("00.5", Err("this is not a number (at line 1 column 1)")),
            ("01f", Err("this is not a number (at line 1 column 1)")),
            ("1e", Err("expected something between a number and a word, but found `e` (at line 1 column 2)")),
            (
                "10bar",
                Err("expected something between a number and a word, but found `b` (at line 1 column 3)"),
            ),
            (
                "0x1g",
                Err("expected something between a number and a word, but found `g` (at line 1 column 4)"),
            ),
            (
                "1ff",
                Err("expected something between a number and a word, but found `f` (at line 1 column 3)"),
            ),
        ];
        for (text, wanted) in rows {
            let found = Cursor::new(text).number().map_err(|error| error.to_string());
            assert_eq!(found, wanted.map_err(str::to_owned), "{text}");
        }
    }
}
