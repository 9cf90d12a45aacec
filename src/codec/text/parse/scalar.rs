//! Parses numbers, bools and enum values.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#value>.

use super::Parser;
use crate::codec::scalar::{FloatBits, ParseScalar, ShortNumber, integer_of};
use crate::error::{Error, Result};
use crate::syntax::text::lex::{Cursor, Number};
use crate::syntax::well_known::quoted;
use crate::table::{Kind, Row};

impl<'i> ShortNumber for Cursor<'i> {
    type Checkpoint = &'i [u8];

    #[inline]
    fn checkpoint(&self) -> &'i [u8] {
        self.rest()
    }

    #[inline]
    fn rewind(&mut self, checkpoint: &'i [u8]) {
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

impl Cursor<'_> {
    #[inline]
    fn plain_bool(&mut self) -> Option<bool> {
        if self.eat_word("true") { Some(true) } else { self.eat_word("false").then_some(false) }
    }

    #[inline]
    fn first_name(&mut self, row: &Row) -> Option<i32> {
        row.enumeration()
            .first_names(self.rest())
            .find_map(|(name, number)| self.eat_word(name).then_some(number))
    }
}

impl<'i> ParseScalar for Parser<'i> {
    type Cursor = Cursor<'i>;

    #[inline]
    fn cursor(&mut self) -> &mut Cursor<'i> {
        &mut self.cursor
    }

    fn other_integer(&mut self, kind: Kind) -> Result<u64> {
        let negative = self.minus();
        let number = self.number(kind.with_article())?;
        let Number::Integer { magnitude, .. } = number else {
            let (shown, kind) = (number.shown(negative), kind.with_article());
            return Err(self.error(format!("the field is {kind}, but {shown} is not an integer")));
        };
        // If a kind has no negative numbers, zero must not have a sign either.
        let is_unsigned = matches!(kind, Kind::UInt32 | Kind::Fixed32 | Kind::UInt64 | Kind::Fixed64);
        let magnitude = magnitude.filter(|_| !(negative && is_unsigned));
        let fits = magnitude.and_then(|magnitude| integer_of(kind, negative, magnitude));
        fits.ok_or_else(|| {
            self.error(format!("{} does not fit {}", number.shown(negative), kind.with_article()))
        })
    }

    /// Parses a number, or `inf`, `infinity` or `nan` in any letter case. A number that is out of range becomes infinite.
    #[inline(never)]
    fn other_float(&mut self, kind: Kind) -> Result<u64> {
        let float = FloatBits::of(kind);
        let negative = self.minus();
        let start = self.cursor.position();
        let text = match self.cursor.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let word = self.cursor.identifier(kind.with_article())?;
                match ["inf", "infinity", "nan"].iter().any(|name| word.eq_ignore_ascii_case(name)) {
                    true => word,
                    false => {
                        return Err(self.cursor.error(start, format!("{} is not a number", quoted(word))));
                    }
                }
            }
            _ => match self.number(kind.with_article())? {
                Number::Integer { decimal: false, text, .. } => {
                    let kind = kind.with_article();
                    return Err(self.error(format!(
                        "the field is {kind}, which must be decimal, but {text} is hexadecimal or octal"
                    )));
                }
                number => number.text(),
            },
        };
        match float.parse(text) {
            Some(bits) if negative => Ok(float.negated(bits)),
            Some(bits) => Ok(bits),
            None => Err(self.error("this is not a number")),
        }
    }

    #[inline]
    fn boolean(&mut self) -> Result<bool> {
        match self.cursor.plain_bool() {
            Some(value) => Ok(value),
            None => self.other_bool(),
        }
    }

    /// Parses an enum value, which is a name or a number. Fails if the enum does not have the name, or if a closed enum does
    /// not have the number.
    #[inline]
    fn enumeration(&mut self, row: &Row) -> Result<i32> {
        match self.cursor.first_name(row) {
            Some(number) => Ok(number),
            None => self.other_enumeration(row),
        }
    }
}

impl<'i> Parser<'i> {
    /// Consumes a minus sign and returns true, or returns false if there is none.
    #[inline]
    fn minus(&mut self) -> bool {
        let minus = self.cursor.eat(b'-');
        if minus {
            self.cursor.token();
        }
        minus
    }

    /// Parses the number at the cursor. The caller has consumed the sign, if there was one. `wanted` describes the expected
    /// value in the error.
    #[inline]
    fn number(&mut self, wanted: &str) -> Result<Number<'i>> {
        match self.cursor.peek() {
            Some(b'0'..=b'9' | b'.') => self.cursor.number(),
            _ => Err(self.cursor.unexpected(wanted)),
        }
    }

    #[inline(never)]
    fn other_bool(&mut self) -> Result<bool> {
        const WANTED: &str = "a bool";
        if let Some(b'0'..=b'9') = self.cursor.peek() {
            let number = self.cursor.number()?;
            return match number {
                Number::Integer { magnitude: Some(0), .. } => Ok(false),
                Number::Integer { magnitude: Some(1), .. } => Ok(true),
                _ => Err(self.error(format!("{} does not fit {WANTED}", number.shown(false)))),
            };
        }
        match self.cursor.identifier(WANTED)? {
            "true" | "True" | "t" => Ok(true),
            "false" | "False" | "f" => Ok(false),
            word => Err(self.error(format!("{} is not a bool", quoted(word)))),
        }
    }

    #[inline(never)]
    fn other_enumeration(&mut self, row: &Row) -> Result<i32> {
        let table = row.enumeration();
        if let Some(b'-' | b'0'..=b'9' | b'.') = self.cursor.peek() {
            let number = self.numeric(Kind::Enum)? as i32;
            return match row.takes_number(number) {
                true => Ok(number),
                false => Err(self.error(format!("{} has no value {number}", table.full_name))),
            };
        }
        let name = self.cursor.identifier(Kind::Enum.with_article())?;
        table.proto_number(name).ok_or_else(|| self.no_value(&table.full_name, name))
    }

    #[cold]
    fn no_value(&self, full_name: &str, name: &str) -> Error {
        self.error(format!("{full_name} has no value {}", quoted(name)))
    }

    /// If the options ignore unknown names of enum values and the cursor is at such a name, skips the name and returns true.
    #[inline]
    pub(super) fn passes_over(&mut self, row: &Row) -> bool {
        row.kind == Kind::Enum && self.settings.options.ignore_unknown && self.passes_over_name(row)
    }

    #[inline(never)]
    fn passes_over_name(&mut self, row: &Row) -> bool {
        let mut ahead = self.cursor;
        let Ok(name) = ahead.identifier("") else { return false };
        let unknown = row.enumeration().proto_number(name).is_none();
        if unknown {
            self.cursor = ahead;
        }
        unknown
    }
}
