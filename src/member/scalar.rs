//! Numbers and bools.

use super::{Emit, Held, Member, Merge, packed};
use crate::shape::TypeShape;
use serde::de::{Error, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Lists the Rust types that are numbers or bools of the language.
macro_rules! scalars {
    ($($ty:ty => $shape:ident $deserialize:ident $visit:ident: $($other:ident $from:ty),*;)*) => {
        $(
            impl Member for $ty {
                const TYPE: TypeShape = TypeShape::$shape;
            }

            impl Emit for $ty {
                const HELD: Held = Held::$shape;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    self.serialize(serializer)
                }
            }

            impl<'de> Merge<'de> for $ty {
                const HELD: Held = Held::$shape;
                const KEEPS: bool = false;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn empty() -> Self {
                    Self::default()
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
                    deserializer.$deserialize(InPlace(self))
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clear(&mut self) {
                    *self = Self::default();
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn merge_list<D: Deserializer<'de>>(
                    list: &mut Vec<Self>,
                    deserializer: D,
                ) -> Result<(), D::Error> {
                    packed::merge_numbers(list, deserializer)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn refill_list<D: Deserializer<'de>>(
                    list: &mut Vec<Self>,
                    count: &mut u32,
                    deserializer: D,
                ) -> Result<(), D::Error> {
                    packed::refill!(list, count, Self::merge_list(list, deserializer))
                }
            }

            impl Visitor<'_> for InPlace<'_, $ty> {
                type Value = ();

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(stringify!($ty))
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn $visit<E: Error>(self, value: $ty) -> Result<(), E> {
                    *self.0 = value;
                    Ok(())
                }

                $(
                    #[inline]
                    fn $other<E: Error>(self, value: $from) -> Result<(), E> {
                        *self.0 = <$ty>::deserialize(value.into_deserializer())?;
                        Ok(())
                    }
                )*
            }
        )*
    };
}

scalars! {
    bool => Bool deserialize_bool visit_bool:;
    i32 => I32 deserialize_i32 visit_i32:
        visit_i64 i64, visit_i128 i128, visit_u64 u64, visit_u128 u128;
    i64 => I64 deserialize_i64 visit_i64:
        visit_i128 i128, visit_u64 u64, visit_u128 u128;
    u32 => U32 deserialize_u32 visit_u32:
        visit_u64 u64, visit_u128 u128, visit_i64 i64, visit_i128 i128;
    u64 => U64 deserialize_u64 visit_u64:
        visit_u128 u128, visit_i64 i64, visit_i128 i128;
    f32 => F32 deserialize_f32 visit_f32:
        visit_f64 f64, visit_i64 i64, visit_u64 u64;
    f64 => F64 deserialize_f64 visit_f64:
        visit_i64 i64, visit_u64 u64;
}

/// Puts a number in the place of another; as its own type, it takes no way through a result that is as large as itself.
struct InPlace<'a, T>(&'a mut T);
