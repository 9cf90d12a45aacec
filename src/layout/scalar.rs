//! Numbers and bools.

use super::functions::in_option;
use super::leaf::Leaf;
use super::{LeafField, Member, Storage};

macro_rules! scalars {
    ($($ty:ty => $shape:ident, $zero:literal, $bits:expr;)*) => {
        $(
            // SAFETY: `STORAGE` is the storage of exactly this type.
            unsafe impl Member for $ty {
                const STORAGE: Storage = Storage::$shape;
                const IN_OPTION: Option<u32> = in_option::<$ty>($zero);

                fn empty() -> Option<Self> {
                    Some($zero)
                }

                #[inline]
                fn is_set(&self) -> bool {
                    let zero: $ty = $zero;
                    $bits(*self) != $bits(zero)
                }

                const IS_LEAF: bool = true;

                #[inline]
                unsafe fn write(&self, field: LeafField, at: *mut u8, _limit: usize) -> *mut u8 {
                    // SAFETY: the caller promises that there is room for the field at `at`.
                    unsafe { self.put(field, at) }
                }
            }
        )*
    };
}

// Negative zero is not the default value, because floats are compared by their bits.
scalars! {
    bool => Bool, false, bool::from;
    i32 => I32, 0, i32::from;
    i64 => I64, 0, i64::from;
    u32 => U32, 0, u32::from;
    u64 => U64, 0, u64::from;
    f32 => F32, 0.0, f32::to_bits;
    f64 => F64, 0.0, f64::to_bits;
}
