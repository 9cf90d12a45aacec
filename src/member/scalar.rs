//! Numbers and bools.

use super::{Emit, Held, Member, Merge, packed};
use crate::shape::TypeShape;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Lists the Rust types that are numbers or bools of the language.
macro_rules! scalars {
    ($($ty:ty => $shape:ident),*) => {
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
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn empty() -> Self {
                    Self::default()
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
                    *self = Self::deserialize(deserializer)?;
                    Ok(())
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
                    packed::refill(list, count, |list| Self::merge_list(list, deserializer))
                }
            }
        )*
    };
}

scalars!(bool => Bool, i32 => I32, i64 => I64, u32 => U32, u64 => U64, f32 => F32, f64 => F64);
