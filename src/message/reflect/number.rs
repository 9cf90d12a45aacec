//! Turns numbers into values.

use crate::message::reflect::ValueRef;
use crate::table::ValueKind;

/// A kind of numbers.
#[derive(Clone, Copy)]
pub(crate) struct Number(ValueKind);

impl Number {
    /// Returns the variants for numbers of a kind; `None` for other kinds.
    #[inline(always)]
    pub(crate) fn of(kind: ValueKind) -> Option<Number> {
        kind.is_number().then_some(Number(kind))
    }

    /// Returns the number in a word: its bits, in the lower half for 32 bits.
    #[inline(always)]
    pub(crate) fn value<'a>(self, word: u64) -> ValueRef<'a> {
        match self.0 {
            ValueKind::I32 => ValueRef::I32(word as i32),
            ValueKind::I64 => ValueRef::I64(word as i64),
            ValueKind::U32 => ValueRef::U32(word as u32),
            ValueKind::U64 => ValueRef::U64(word),
            ValueKind::F32 => ValueRef::F32(f32::from_bits(word as u32)),
            ValueKind::F64 => ValueRef::F64(f64::from_bits(word)),
            _ => ValueRef::Enum(word as i32),
        }
    }
}
