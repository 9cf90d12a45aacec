//! The operations on floating-point types that the parsers need.

pub(crate) trait Float: Copy {
    /// Rounds a decimal number, whose nearest double is `value`, to this type. Returns `None` if the double rounded to this
    /// type may differ from the decimal number rounded to this type.
    fn of_double(value: f64) -> Option<Self>;
}

impl Float for f32 {
    #[inline]
    fn of_double(value: f64) -> Option<Self> {
        // If the double lies in the middle between two floats, the decimal number may have been rounded to this middle,
        // from either side.
        let is_middle = value.to_bits() << 35 == 1 << 63;
        let is_normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&value.abs());
        (value == 0.0 || (is_normal && !is_middle)).then_some(value as f32)
    }
}

impl Float for f64 {
    #[inline]
    fn of_double(value: f64) -> Option<Self> {
        Some(value)
    }
}
