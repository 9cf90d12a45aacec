//! Numbers, bools and enum values.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#value>.

use super::Parser;
use crate::error::{Error, Result};
use crate::json::lex::{signed_of, unsigned_of};
use crate::known::text::quoted;
use crate::table::{Kind, Row};
use crate::text::lex::Number;

impl<'i> Parser<'i> {
    /// The number, bool or enum value at the cursor, as bits.
    #[inline]
    pub(super) fn scalar(&mut self, row: &Row) -> Result<u64> {
        Ok(match row.kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => self.signed(row.kind, i32::MAX as u64)? as u64,
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => self.signed(row.kind, i64::MAX as u64)? as u64,
            Kind::UInt32 | Kind::Fixed32 => self.unsigned(row.kind, u64::from(u32::MAX))?,
            Kind::UInt64 | Kind::Fixed64 => self.unsigned(row.kind, u64::MAX)?,
            Kind::Float => {
                let float: f32 = self.float(row.kind)?;
                u64::from(float.to_bits())
            }
            Kind::Double => {
                let double: f64 = self.float(row.kind)?;
                double.to_bits()
            }
            Kind::Bool => u64::from(self.bool()?),
            Kind::Enum => self.enumeration(row)? as u64,
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => 0,
        })
    }

    /// Goes past a sign, if there is one.
    #[inline]
    fn minus(&mut self) -> bool {
        let minus = self.cursor.eat(b'-');
        if minus {
            self.cursor.token();
        }
        minus
    }

    /// The number at the cursor, which may be behind a sign.
    #[inline]
    fn number(&mut self, wanted: &str) -> Result<Number<'i>> {
        match self.cursor.peek() {
            Some(b'0'..=b'9' | b'.') => self.cursor.number(),
            _ => Err(self.cursor.unexpected(wanted)),
        }
    }

    fn integer<T>(&mut self, kind: Kind, of: impl FnOnce(bool, u64) -> Option<T>) -> Result<T> {
        let negative = self.minus();
        let number = self.number(kind.with_article())?;
        let Number::Integer { magnitude, .. } = number else {
            let (shown, kind) = (number.shown(negative), kind.with_article());
            return Err(self.error(format!("the field is {kind}, but {shown} is no integer")));
        };
        let fits = magnitude.and_then(|magnitude| of(negative, magnitude));
        fits.ok_or_else(|| {
            self.error(format!("{} does not fit {}", number.shown(negative), kind.with_article()))
        })
    }

    fn signed(&mut self, kind: Kind, max: u64) -> Result<i64> {
        self.integer(kind, |negative, magnitude| signed_of(negative, magnitude, max))
    }

    fn unsigned(&mut self, kind: Kind, max: u64) -> Result<u64> {
        self.integer(kind, |negative, magnitude| unsigned_of(negative, magnitude, max).filter(|_| !negative))
    }

    /// A number, or `inf`, `infinity` or `nan` in any letter case. What is beyond all numbers is infinite.
    fn float<T: std::str::FromStr + std::ops::Neg<Output = T>>(&mut self, kind: Kind) -> Result<T> {
        let negative = self.minus();
        let start = self.cursor.position();
        let text = match self.cursor.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let word = self.cursor.identifier(kind.with_article())?;
                match ["inf", "infinity", "nan"].iter().any(|name| word.eq_ignore_ascii_case(name)) {
                    true => word,
                    false => return Err(self.cursor.error(start, format!("{} is no number", quoted(word)))),
                }
            }
            _ => match self.number(kind.with_article())? {
                Number::Integer { decimal: false, text, .. } => {
                    let kind = kind.with_article();
                    return Err(
                        self.error(format!("the field is {kind}, but {text} is an integer of another base"))
                    );
                }
                number => number.text(),
            },
        };
        match text.parse::<T>() {
            Ok(value) if negative => Ok(-value),
            Ok(value) => Ok(value),
            Err(_) => Err(self.error("this is no number")),
        }
    }

    fn bool(&mut self) -> Result<bool> {
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
            word => Err(self.error(format!("{} is no bool", quoted(word)))),
        }
    }

    /// An enum value: by its name, or by its number, which a closed enum must have.
    fn enumeration(&mut self, row: &Row) -> Result<i32> {
        let table = row.enumeration();
        if let Some(b'-' | b'0'..=b'9' | b'.') = self.cursor.peek() {
            let number = self.signed(Kind::Enum, i32::MAX as u64)? as i32;
            return match row.takes_number(number) {
                true => Ok(number),
                false => Err(self.error(format!("{} has no value {number}", table.full_name))),
            };
        }
        let name = self.cursor.identifier(Kind::Enum.with_article())?;
        table.by_name.get(name).copied().ok_or_else(|| self.no_value(&table.full_name, name))
    }

    #[cold]
    fn no_value(&self, full_name: &str, name: &str) -> Error {
        self.error(format!("{full_name} has no value {}", quoted(name)))
    }

    /// Passes over the name of an enum value that there is not, where such are ignored.
    #[inline]
    pub(super) fn passes_over(&mut self, row: &Row) -> Result<bool> {
        if row.kind != Kind::Enum || !self.settings.options.ignore_unknown {
            return Ok(false);
        }
        let mut ahead = self.cursor;
        let Ok(name) = ahead.identifier("") else { return Ok(false) };
        let unknown = !row.enumeration().by_name.contains_key(name);
        if unknown {
            self.cursor = ahead;
        }
        Ok(unknown)
    }
}
