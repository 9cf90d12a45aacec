//! The types of values in parsed messages.

use crate::message::Enumeration;
use crate::object::Field;
use crate::object::arena::view::MessageAt;

/// A type that accessors of parsed messages return: a number, a bool, an enum, `&str`, `&[u8]`, or the reference of a message.
///
/// Only this crate and generated code implement it.
pub trait Value<'a>: Copy {
    #[doc(hidden)]
    fn of(item: Item<'a>) -> Self;
}

/// A value in an arena, which is not known to be of the type that reads it.
#[derive(Clone, Copy)]
pub struct Item<'a>(pub(super) Field<'a, MessageAt<'a>>);

impl<'a> Item<'a> {
    #[inline]
    fn bits(self) -> u64 {
        match self.0 {
            Field::Scalar(bits) => bits,
            _ => mismatch(),
        }
    }

    #[inline]
    fn text(self) -> &'a [u8] {
        match self.0 {
            Field::Text(text) => text,
            _ => mismatch(),
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn mismatch() -> ! {
    panic!("the accessor was generated for a field of another type")
}

/// Lists numbers with what their bits are.
macro_rules! numbers {
    ($($ty:ty => $convert:expr;)*) => {
        $(
            impl Value<'_> for $ty {
                #[inline]
                fn of(item: Item<'_>) -> Self {
                    ($convert)(item.bits())
                }
            }
        )*
    };
}

numbers! {
    bool => |bits| bits != 0;
    i32 => |bits| bits as i32;
    i64 => |bits| bits as i64;
    u32 => |bits| bits as u32;
    u64 => |bits| bits;
    f32 => |bits| f32::from_bits(bits as u32);
    f64 => f64::from_bits;
}

/// A number that the enum does not have is its default: a closed enum has no such number in a message.
impl<E: Enumeration + Copy + Default> Value<'_> for E {
    #[inline]
    fn of(item: Item<'_>) -> Self {
        E::from_number(item.bits() as i32).unwrap_or_default()
    }
}

/// Each string was checked when it was decoded, so that none is lost here.
impl<'a> Value<'a> for &'a str {
    #[inline]
    fn of(item: Item<'a>) -> Self {
        crate::wire::utf8(item.text()).unwrap_or_default()
    }
}

impl<'a> Value<'a> for &'a [u8] {
    #[inline]
    fn of(item: Item<'a>) -> Self {
        item.text()
    }
}
