//! Numbers and bools.

use super::put::{put_bool, put_f32, put_f64, put_i32, put_i64, put_u32, put_u64};
use super::{Field, Member, Storage, Straight};

macro_rules! scalars {
    ($($ty:ty => $shape:ident, $zero:literal, $bits:expr, $put:ident;)*) => {
        $(
            // SAFETY: the storage is that of the type.
            unsafe impl Member for $ty {
                const STORAGE: Storage = Storage::$shape;

                fn empty() -> Option<Self> {
                    Some($zero)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
                    let zero: $ty = $zero;
                    // SAFETY: as for the caller.
                    if $bits(*self) == $bits(zero) { at } else { unsafe { $put(*self, field, out, at) } }
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                unsafe fn put(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
                    // SAFETY: as for the caller.
                    unsafe { $put(*self, field, out, at) }
                }
            }
        )*
    };
}

// Negative zero is no default: floats are compared by their bits.
scalars! {
    bool => Bool, false, bool::from, put_bool;
    i32 => I32, 0, i32::from, put_i32;
    i64 => I64, 0, i64::from, put_i64;
    u32 => U32, 0, u32::from, put_u32;
    u64 => U64, 0, u64::from, put_u64;
    f32 => F32, 0.0, f32::to_bits, put_f32;
    f64 => F64, 0.0, f64::to_bits, put_f64;
}
