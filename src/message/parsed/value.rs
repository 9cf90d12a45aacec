//! The types of values in parsed messages.

use crate::message::Enumeration;
use crate::message::parsed::memory::Memory;
use crate::table::Table;

/// A type that accessors of parsed messages return: a number, a bool, an enum, `&str`, `&[u8]`, or a reference to a
/// message.
///
/// Only this crate and generated code implement this trait.
pub trait Value<'a>: Copy {
    /// The size of a list element in an arena, in bytes: 1, 4 or 8.
    #[doc(hidden)]
    const WIDTH: usize = 4;

    #[doc(hidden)]
    fn of(item: Item<'a>) -> Self;
}

/// A value in an arena. The type that reads the item knows the meaning of `word`.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    pub(super) memory: Memory<'a>,
    /// The table of a message without a Rust type. A generated reference knows its own table.
    pub(super) table: Option<&'a Table>,
    /// The bits of a number, the range of a string, or the position of a message.
    pub(super) word: u64,
}

impl<'a> Item<'a> {
    #[inline]
    fn text(self) -> &'a [u8] {
        self.memory.bytes(self.word)
    }
}

/// Implements [`Value`] for numbers and `bool`, with the conversion from their bits.
macro_rules! numbers {
    ($($ty:ty, $width:literal => $convert:expr;)*) => {
        $(
            impl Value<'_> for $ty {
                const WIDTH: usize = $width;

                #[inline]
                fn of(item: Item<'_>) -> Self {
                    ($convert)(item.word)
                }
            }
        )*
    };
}

numbers! {
    bool, 1 => |bits| bits != 0;
    i32, 4 => |bits| bits as i32;
    i64, 8 => |bits| bits as i64;
    u32, 4 => |bits| bits as u32;
    u64, 8 => |bits| bits;
    f32, 4 => |bits| f32::from_bits(bits as u32);
    f64, 8 => f64::from_bits;
}

/// Converts a number to the enum; a number for which the Rust type has no value becomes the default value. A message never
/// holds such a number for a closed enum.
impl<E: Enumeration + Copy + Default> Value<'_> for E {
    #[inline]
    fn of(item: Item<'_>) -> Self {
        E::from_number(item.word as i32).unwrap_or_default()
    }
}

/// Each string was checked when the message was decoded, so the conversion does not fail here.
impl<'a> Value<'a> for &'a str {
    const WIDTH: usize = 8;

    #[inline]
    fn of(item: Item<'a>) -> Self {
        crate::wire::utf8(item.text()).unwrap_or_default()
    }
}

impl<'a> Value<'a> for &'a [u8] {
    const WIDTH: usize = 8;

    #[inline]
    fn of(item: Item<'a>) -> Self {
        item.text()
    }
}
