//! Numbers, strings, bytes and enum values.

use super::{Json, Put};
use crate::error::{Error, Result};
use crate::json::lex::{Cursor, Number, Whole, from_base64, signed_of, unsigned_of};
use crate::plan::{EnumPlan, Kind};
use std::borrow::Cow;
use std::str::FromStr;

/// The floating-point types.
pub(crate) trait Float: FromStr + Copy {
    const NAME: &'static str;
    const NAN: Self;
    const INFINITY: Self;
    /// The value of a number that is `value` when it is rounded to a double; none where rounding it again may differ
    /// from rounding once.
    fn of_double(value: f64) -> Option<Self>;
    fn negated(self) -> Self;
    fn is_infinite(self) -> bool;
}

macro_rules! float {
    ($ty:ident, $name:literal, $of_double:expr) => {
        impl Float for $ty {
            const NAME: &'static str = $name;
            const NAN: Self = $ty::NAN;
            const INFINITY: Self = $ty::INFINITY;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn of_double(value: f64) -> Option<Self> {
                $of_double(value)
            }

            fn negated(self) -> Self {
                -self
            }

            fn is_infinite(self) -> bool {
                self.is_infinite()
            }
        }
    };
}

float!(f32, "a float", |value: f64| {
    // The double may have been rounded to the middle between two floats, from either side.
    let is_middle = value.to_bits() << 35 == 1 << 63;
    let is_normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&value.abs());
    (value == 0.0 || (is_normal && !is_middle)).then_some(value as f32)
});
float!(f64, "a double", Some);

/// The kind with its article, for errors.
fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Int32 => "an int32",
        Kind::Int64 => "an int64",
        Kind::UInt32 => "a uint32",
        Kind::UInt64 => "a uint64",
        Kind::SInt32 => "a sint32",
        Kind::SInt64 => "a sint64",
        Kind::Fixed32 => "a fixed32",
        Kind::Fixed64 => "a fixed64",
        Kind::SFixed32 => "a sfixed32",
        Kind::SFixed64 => "a sfixed64",
        Kind::Double => f64::NAME,
        Kind::Float => f32::NAME,
        Kind::Bool => "a bool",
        Kind::String => "a string",
        Kind::Bytes => "bytes",
        Kind::Enum => "an enum",
        Kind::Message | Kind::Group => "a message",
    }
}

/// An integer of a kind from a number as it is written; the problem in words where it is none.
fn integer<T>(number: Number<'_>, kind: Kind, of: impl FnOnce(bool, u64) -> Option<T>) -> Result<T, String> {
    let magnitude = match number.whole() {
        Whole::Is(magnitude) => Some(magnitude),
        Whole::Large => None,
        Whole::Fraction => {
            return Err(format!("the field is {}, but {} is no integer", article(kind), number.shown()));
        }
    };
    let fits = magnitude.and_then(|magnitude| of(number.is_negative(), magnitude));
    fits.ok_or_else(|| format!("{} does not fit {}", number.shown(), article(kind)))
}

/// A map key of an integer kind; the problem in words where it is none.
pub(super) fn signed_key(text: &str, kind: Kind, max: u64) -> Result<i64, String> {
    let number = Cursor::number_of(text).ok_or_else(|| no_key(text, kind))?;
    integer(number, kind, |negative, magnitude| signed_of(negative, magnitude, max))
}

/// The same of an unsigned kind.
pub(super) fn unsigned_key(text: &str, kind: Kind, max: u64) -> Result<u64, String> {
    let number = Cursor::number_of(text).ok_or_else(|| no_key(text, kind))?;
    integer(number, kind, |negative, magnitude| unsigned_of(negative, magnitude, max))
}

pub(super) fn no_key(text: &str, kind: Kind) -> String {
    format!("the keys are of kind {}, but {} is none", kind.as_str(), crate::known::text::quoted(text))
}

impl<'de> Json<'de> {
    /// A signed integer from `-max - 1` to `max`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn signed(&mut self, kind: Kind, max: u64) -> Result<i64> {
        let before = self.cursor;
        if let Some((negative, magnitude)) = self.cursor.short_integer()
            && let Some(value) = signed_of(negative, magnitude, max)
        {
            return Ok(value);
        }
        self.cursor = before;
        self.odd_signed(kind, max)
    }

    #[inline(never)]
    fn odd_signed(&mut self, kind: Kind, max: u64) -> Result<i64> {
        if let Put::Int(value) = self.put {
            self.put = Put::Nothing;
            return signed_of(value < 0, value.unsigned_abs(), max)
                .ok_or_else(|| self.error(format!("{value} does not fit {}", article(kind))));
        }
        self.odd_integer(kind, |negative, magnitude| signed_of(negative, magnitude, max))
    }

    /// An unsigned integer up to `max`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn unsigned(&mut self, kind: Kind, max: u64) -> Result<u64> {
        let before = self.cursor;
        if let Some((negative, magnitude)) = self.cursor.short_integer()
            && let Some(value) = unsigned_of(negative, magnitude, max)
        {
            return Ok(value);
        }
        self.cursor = before;
        self.odd_unsigned(kind, max)
    }

    #[inline(never)]
    fn odd_unsigned(&mut self, kind: Kind, max: u64) -> Result<u64> {
        if let Put::UInt(value) = self.put {
            self.put = Put::Nothing;
            return Ok(value);
        }
        self.odd_integer(kind, |negative, magnitude| unsigned_of(negative, magnitude, max))
    }

    fn odd_integer<T>(&mut self, kind: Kind, of: impl FnOnce(bool, u64) -> Option<T>) -> Result<T> {
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
                        return Err(self.mismatch(article(kind)));
                    }
                }
            }
            _ => return Err(self.mismatch(article(kind))),
        };
        integer(number, kind, of).map_err(|problem| self.error(problem))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn float<T: Float>(&mut self) -> Result<T> {
        let before = self.cursor;
        if let Some(value) = self.cursor.short_float().and_then(T::of_double) {
            return Ok(value);
        }
        self.cursor = before;
        self.odd_float()
    }

    #[inline(never)]
    fn odd_float<T: Float>(&mut self) -> Result<T> {
        let text;
        let number = match self.cursor.peek() {
            Some(b'-' | b'0'..=b'9') => self.cursor.number()?,
            Some(b'"') => {
                let before = self.cursor;
                text = self.cursor.string()?;
                match (&*text, Cursor::number_of(&text)) {
                    ("NaN", _) => return Ok(T::NAN),
                    ("Infinity", _) => return Ok(T::INFINITY),
                    ("-Infinity", _) => return Ok(T::INFINITY.negated()),
                    (_, Some(number)) => number,
                    (_, None) => {
                        self.cursor = before;
                        return Err(self.mismatch(T::NAME));
                    }
                }
            }
            _ => return Err(self.mismatch(T::NAME)),
        };
        match number.raw.parse::<T>() {
            Ok(value) if !value.is_infinite() => Ok(value),
            _ => Err(self.error(format!("{} does not fit {}", number.shown(), T::NAME))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn boolean(&mut self) -> Result<bool> {
        if self.cursor.literal("true") {
            return Ok(true);
        }
        if self.cursor.literal("false") {
            return Ok(false);
        }
        self.odd_boolean()
    }

    #[inline(never)]
    fn odd_boolean(&mut self) -> Result<bool> {
        if let Put::Bool(value) = self.put {
            self.put = Put::Nothing;
            return Ok(value);
        }
        Err(self.mismatch(article(Kind::Bool)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn text(&mut self) -> Result<Cow<'de, str>> {
        if self.cursor.peek() == Some(b'"') {
            return self.cursor.string();
        }
        self.odd_text()
    }

    #[inline(never)]
    fn odd_text(&mut self) -> Result<Cow<'de, str>> {
        match self.take() {
            Put::Str(text) => Ok(text),
            Put::List(mut texts) => {
                // The list itself goes on.
                let text = texts.next().unwrap_or_default();
                self.put = Put::List(texts);
                Ok(Cow::Owned(text))
            }
            other => {
                self.put = other;
                Err(self.mismatch(article(Kind::String)))
            }
        }
    }

    pub(super) fn binary(&mut self) -> Result<Vec<u8>> {
        if self.cursor.peek() != Some(b'"') {
            return match self.take() {
                Put::Bytes(bytes) => Ok(bytes),
                other => {
                    self.put = other;
                    Err(self.mismatch(article(Kind::Bytes)))
                }
            };
        }
        let text = self.cursor.string()?;
        from_base64(text.as_bytes()).ok_or_else(|| {
            self.error(format!("the field is bytes, but {} is no base64", crate::known::text::quoted(&text)))
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enum_number(&mut self, plan: &EnumPlan) -> Result<i32> {
        if self.cursor.peek() == Some(b'"') {
            if let Some(number) =
                plan.json_names().find_map(|(name, number)| self.cursor.eat(name).then_some(number))
            {
                return Ok(number);
            }
            let name = self.cursor.string()?;
            return match plan.by_name.get(&*name) {
                Some(number) => Ok(*number),
                None => Err(self.no_value(plan, &name)),
            };
        }
        self.enum_by_number(plan)
    }

    fn enum_by_number(&mut self, plan: &EnumPlan) -> Result<i32> {
        match self.cursor.peek() {
            Some(b'-' | b'0'..=b'9') => Ok(self.signed(Kind::Enum, i32::MAX as u64)? as i32),
            _ if plan.null && self.cursor.literal("null") => Ok(0),
            _ => Err(self.mismatch(article(Kind::Enum))),
        }
    }

    #[cold]
    fn no_value(&self, plan: &EnumPlan, name: &str) -> Error {
        self.error(format!("{} has no value {}", plan.full_name, crate::known::text::quoted(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Middles between two floats, and next to them.
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
