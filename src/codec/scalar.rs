//! Numbers, bools and enum values in JSON and in the text format. This module defines which values each kind accepts. Each
//! format defines the syntax of the values.

use super::float::Float;
use crate::error::Result;
use crate::syntax::json::lex::{signed_of, unsigned_of};
use crate::table::{Kind, Row};

/// A cursor that parses numbers in their most common form.
pub(super) trait ShortNumber {
    type Checkpoint: Copy;

    fn checkpoint(&self) -> Self::Checkpoint;

    fn rewind(&mut self, checkpoint: Self::Checkpoint);

    /// Consumes an integer in its most common form, and returns its sign (true if negative) and magnitude. If no such integer
    /// is at the cursor, returns `None` and does not move the cursor.
    fn short_integer(&mut self) -> Option<(bool, u64)>;

    /// Consumes a number in its most common form, which may have a fraction. If no such number is at the cursor, returns `None`
    /// and does not move the cursor.
    fn short_float(&mut self) -> Option<f64>;

    /// Parses a short number, and returns its bits as the kind `kind`. Returns `None` for any other input; the cursor may then
    /// be anywhere.
    #[inline]
    fn short_floating(&mut self, kind: Kind) -> Option<u64> {
        let value = self.short_float()?;
        match kind {
            Kind::Float => Some(u64::from(f32::of_double(value)?.to_bits())),
            _ => Some(value.to_bits()),
        }
    }

    /// Parses a short integer, and returns its bits as the kind `kind`. Returns `None` for any other input; the cursor may then
    /// be anywhere.
    #[inline]
    fn short_bits(&mut self, kind: Kind) -> Option<u64> {
        let (negative, magnitude) = self.short_integer()?;
        bits_of(kind, negative, magnitude)
    }
}

/// Returns the bits of an integer as the kind `kind`. Returns `None` if the integer is out of range of the kind. Also returns
/// `None` for negative zero and for the largest number of 64 bits, which the general parser handles.
#[inline]
fn bits_of(kind: Kind, negative: bool, magnitude: u64) -> Option<u64> {
    // `up` is the number of values from 0 upward, and `down` is the number of values from -1 downward. With these two numbers,
    // one comparison is enough for all kinds.
    let (up, down) = match kind {
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum => (1 << 31, 1 << 31),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => (1 << 63, 1 << 63),
        Kind::UInt32 | Kind::Fixed32 => (1 << 32, 0),
        Kind::UInt64 | Kind::Fixed64 => (u64::MAX, 0),
        _ => (0, 0),
    };
    let fits = magnitude.wrapping_sub(u64::from(negative)) < if negative { down } else { up };
    fits.then_some(if negative { magnitude.wrapping_neg() } else { magnitude })
}

/// Returns the bits of an integer as the kind `kind`, from its sign and magnitude. Returns `None` if the integer is out of
/// range of the kind.
pub(super) fn integer_of(kind: Kind, negative: bool, magnitude: u64) -> Option<u64> {
    let signed = |max| signed_of(negative, magnitude, max).map(|value| value as u64);
    match kind {
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum => signed(i32::MAX as u64),
        Kind::UInt32 | Kind::Fixed32 => unsigned_of(negative, magnitude, u64::from(u32::MAX)),
        Kind::UInt64 | Kind::Fixed64 => unsigned_of(negative, magnitude, u64::MAX),
        _ => signed(i64::MAX as u64),
    }
}

/// Computes the bits of numbers of the kind `float` or `double`.
#[derive(Clone, Copy)]
pub(super) struct FloatBits(Kind);

impl FloatBits {
    pub(super) fn of(kind: Kind) -> Self {
        FloatBits(kind)
    }

    pub(super) fn parse(self, text: &str) -> Option<u64> {
        match self.0 {
            Kind::Float => text.parse::<f32>().ok().map(|value| u64::from(value.to_bits())),
            _ => text.parse::<f64>().ok().map(f64::to_bits),
        }
    }

    pub(super) fn nan(self) -> u64 {
        match self.0 {
            Kind::Float => f32::NAN.to_bits().into(),
            _ => f64::NAN.to_bits(),
        }
    }

    pub(super) fn infinity(self) -> u64 {
        match self.0 {
            Kind::Float => f32::INFINITY.to_bits().into(),
            _ => f64::INFINITY.to_bits(),
        }
    }

    pub(super) fn negated(self, bits: u64) -> u64 {
        match self.0 {
            Kind::Float => bits ^ 1 << 31,
            _ => bits ^ 1 << 63,
        }
    }

    pub(super) fn is_infinite(self, bits: u64) -> bool {
        bits == self.infinity() || bits == self.negated(self.infinity())
    }
}

/// A parser of one format whose cursor is at a value.
pub(super) trait ParseScalar {
    type Cursor: ShortNumber;

    fn cursor(&mut self) -> &mut Self::Cursor;

    /// Parses an integer in any form, and returns its bits as the kind `kind`.
    ///
    /// # Errors
    /// The value is not an integer, or is out of range of the kind.
    fn other_integer(&mut self, kind: Kind) -> Result<u64>;

    /// Parses a floating-point number in any form, and returns its bits as the kind `kind`.
    ///
    /// # Errors
    /// The value is not a number that the format accepts for the kind.
    fn other_float(&mut self, kind: Kind) -> Result<u64>;

    /// Parses a bool.
    ///
    /// # Errors
    /// The value is not a bool.
    fn boolean(&mut self) -> Result<bool>;

    /// Parses an enum value, and returns its number.
    ///
    /// # Errors
    /// The value is not an enum value, or the enum does not have this value.
    fn enumeration(&mut self, row: &Row) -> Result<i32>;

    /// Parses the number, bool or enum value at the cursor, and returns its bits.
    ///
    /// # Errors
    /// The field does not accept the value.
    #[inline]
    fn scalar(&mut self, row: &Row) -> Result<u64> {
        match row.kind {
            Kind::Bool => Ok(u64::from(self.boolean()?)),
            Kind::Enum => Ok(u64::from(self.enumeration(row)? as u32)),
            kind => self.numeric(kind),
        }
    }

    /// Parses a number of the kind `kind`, and returns its bits.
    ///
    /// # Errors
    /// Fails if [`scalar`](Self::scalar) would fail.
    #[inline]
    fn numeric(&mut self, kind: Kind) -> Result<u64> {
        // `floating` and `integral` are two functions, because the compiler would keep the values of one larger function in
        // memory and not in registers.
        match kind {
            Kind::Float | Kind::Double => self.floating(kind),
            _ => self.integral(kind),
        }
    }

    /// # Errors
    /// Fails if [`scalar`](Self::scalar) would fail.
    #[inline(never)]
    fn floating(&mut self, kind: Kind) -> Result<u64> {
        self.short_or_other(kind, |cursor| cursor.short_floating(kind))
    }

    /// # Errors
    /// Fails if [`scalar`](Self::scalar) would fail.
    #[inline(never)]
    fn integral(&mut self, kind: Kind) -> Result<u64> {
        self.short_or_other(kind, |cursor| cursor.short_bits(kind))
    }

    /// # Errors
    /// Fails if [`scalar`](Self::scalar) would fail.
    #[inline]
    fn short_or_other(
        &mut self,
        kind: Kind,
        short: impl FnOnce(&mut Self::Cursor) -> Option<u64>,
    ) -> Result<u64> {
        let before = self.cursor().checkpoint();
        if let Some(bits) = short(self.cursor()) {
            return Ok(bits);
        }
        self.cursor().rewind(before);
        self.other_number(kind)
    }

    /// # Errors
    /// Fails if [`scalar`](Self::scalar) would fail.
    #[inline(never)]
    fn other_number(&mut self, kind: Kind) -> Result<u64> {
        match kind {
            Kind::Float | Kind::Double => self.other_float(kind),
            _ => self.other_integer(kind),
        }
    }
}

pub(crate) trait PrintScalar {
    fn int32(&mut self, value: i32);
    fn uint32(&mut self, value: u32);
    fn int64(&mut self, value: i64);
    fn uint64(&mut self, value: u64);
    fn boolean(&mut self, value: bool);
    fn float(&mut self, value: f32);
    fn double(&mut self, value: f64);
    fn enumeration(&mut self, row: &Row, number: i32);

    /// Prints a number, bool or enum value from its bits. `kind` is the kind of `row`.
    #[inline]
    fn scalar(&mut self, row: &Row, kind: Kind, bits: u64) {
        match kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => self.int32(bits as i32),
            Kind::UInt32 | Kind::Fixed32 => self.uint32(bits as u32),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => self.int64(bits as i64),
            Kind::UInt64 | Kind::Fixed64 => self.uint64(bits),
            Kind::Bool => self.boolean(bits as u8 != 0),
            Kind::Float => self.float(f32::from_bits(bits as u32)),
            Kind::Double => self.double(f64::from_bits(bits)),
            Kind::Enum => self.enumeration(row, bits as i32),
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => {
                debug_assert!(false, "a scalar is of a scalar kind");
            }
        }
    }
}
