//! The operations on floating-point types that the parsers need.

/// The floating-point types.
pub(crate) trait Float: Copy {
    /// The value of a number whose nearest double is `value`; `None` if rounding twice may differ from rounding once.
    fn of_double(value: f64) -> Option<Self>;
}

impl Float for f32 {
    #[inline]
    fn of_double(value: f64) -> Option<Self> {
        // The double may lie in the middle between two floats only because of rounding, from either side.
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
