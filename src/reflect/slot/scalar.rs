//! Numbers and bools.

use super::{At, Element, Numbers, Slot, misfit};
use crate::error::Result;
use crate::plan::Kind;
use crate::reflect::{Value, ValueRef};

/// Lists the Rust types and the values that they hold.
macro_rules! scalars {
    ($($ty:ty => $variant:ident),*) => {
        $(
            impl Slot for $ty {
                #[inline]
                fn get(&self, _: At) -> Option<ValueRef<'_>> {
                    Some(ValueRef::$variant(*self))
                }

                fn set(&mut self, _: At, value: Value) -> Result<()> {
                    match value {
                        Value::$variant(value) => *self = value,
                        other => return Err(misfit(&other)),
                    }
                    Ok(())
                }

                fn clear(&mut self, _: At) {
                    *self = Self::default();
                }
            }

            impl Element for $ty {
                #[inline]
                fn empty() -> Option<Self> {
                    Some(Self::default())
                }

                #[inline]
                fn numbers(list: &[Self]) -> Option<Numbers<'_>> {
                    Some(Numbers::$variant(list))
                }
            }
        )*
    };
}

scalars!(bool => Bool, i64 => I64, u32 => U32, u64 => U64, f32 => F32, f64 => F64);

/// A number, or an enum value whose type is not bound.
impl Slot for i32 {
    #[inline]
    fn get(&self, at: At) -> Option<ValueRef<'_>> {
        Some(if at.field.kind == Kind::Enum { ValueRef::Enum(*self) } else { ValueRef::I32(*self) })
    }

    fn set(&mut self, _: At, value: Value) -> Result<()> {
        match value {
            Value::I32(value) | Value::Enum(value) => *self = value,
            other => return Err(misfit(&other)),
        }
        Ok(())
    }

    fn clear(&mut self, at: At) {
        *self = if at.field.kind == Kind::Enum { at.set.enums[at.field.sub as usize].default } else { 0 };
    }
}

impl Element for i32 {
    #[inline]
    fn empty() -> Option<Self> {
        Some(0)
    }

    #[inline]
    fn numbers(list: &[Self]) -> Option<Numbers<'_>> {
        Some(Numbers::I32(list))
    }
}
