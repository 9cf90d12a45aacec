//! The operations on floating-point types that the parsers need.

use crate::table::Kind;
use std::str::FromStr;

/// The floating-point types.
pub(crate) trait Float: FromStr + Copy {
    const KIND: Kind;
    const NAN: Self;
    const INFINITY: Self;
    /// The value of a number that is `value` when it is rounded to a double; `None` if rounding it again may differ
    /// from rounding once.
    fn of_double(value: f64) -> Option<Self>;
    fn negated(self) -> Self;
    fn is_infinite(self) -> bool;
}

impl Float for f32 {
    const KIND: Kind = Kind::Float;
    const NAN: Self = f32::NAN;
    const INFINITY: Self = f32::INFINITY;

    #[inline]
    fn of_double(value: f64) -> Option<Self> {
        // The double may have been rounded to the middle between two floats, from either side.
        let is_middle = value.to_bits() << 35 == 1 << 63;
        let is_normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&value.abs());
        (value == 0.0 || (is_normal && !is_middle)).then_some(value as f32)
    }

    fn negated(self) -> Self {
        -self
    }

    fn is_infinite(self) -> bool {
        self.is_infinite()
    }
}

impl Float for f64 {
    const KIND: Kind = Kind::Double;
    const NAN: Self = f64::NAN;
    const INFINITY: Self = f64::INFINITY;

    #[inline]
    fn of_double(value: f64) -> Option<Self> {
        Some(value)
    }

    fn negated(self) -> Self {
        -self
    }

    fn is_infinite(self) -> bool {
        self.is_infinite()
    }
}
