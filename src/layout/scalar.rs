//! Numbers and bools.

use super::{Member, Storage, TypeShape};
use std::mem::MaybeUninit;

macro_rules! scalars {
    ($($ty:ty => $shape:ident, $zero:literal;)*) => {
        $(
            // SAFETY: the storage is that of the type.
            unsafe impl Member for $ty {
                const TYPE: TypeShape = TypeShape::$shape;
                const STORAGE: Storage = Storage::$shape;
                const EMPTY: Option<MaybeUninit<Self>> = Some(MaybeUninit::new($zero));

                fn empty() -> Option<Self> {
                    Some($zero)
                }
            }
        )*
    };
}

scalars! {
    bool => Bool, false;
    i32 => I32, 0;
    i64 => I64, 0;
    u32 => U32, 0;
    u64 => U64, 0;
    f32 => F32, 0.0;
    f64 => F64, 0.0;
}
