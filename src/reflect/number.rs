//! Numbers as values, without a jump by their kind.
//!
//! A module of the reflection layer with `unsafe`: a visitor matches on the value, so that matching on the kind before would
//! be a second jump for every number.

#![allow(unsafe_code)]

use super::ValueRef;
use crate::table::ValueKind;
use std::mem::MaybeUninit;

/// A kind of numbers, the bits of which may be any.
#[derive(Clone, Copy)]
pub(crate) struct Number(ValueKind);

/// What [`ValueRef`] starts with, as the reference of Rust says of `repr(C, u8)`: the tag, and the content of a variant after
/// it, where a union of all of them would be.
#[repr(C)]
struct Start {
    tag: u8,
    content: u64,
}

const _: () = assert!(align_of::<ValueRef<'_>>() == align_of::<Start>());
const _: () = assert!(size_of::<ValueRef<'_>>() >= size_of::<Start>());

impl Number {
    /// How values of a kind are made; `None` for a kind of which there are no numbers.
    #[inline]
    pub(crate) fn of(kind: ValueKind) -> Option<Number> {
        kind.is_number().then_some(Number(kind))
    }

    /// The number in a word: its bits, in the low half those of 32.
    #[inline]
    pub(crate) fn value<'a>(self, word: u64) -> ValueRef<'a> {
        if cfg!(target_endian = "big") {
            // The low half of a word is not where it starts.
            return self.matched(word);
        }
        let mut value = MaybeUninit::<ValueRef<'a>>::uninit();
        // SAFETY: see `Start`. The tag is that of a number, whose content may be any bits; all of a word are there.
        unsafe {
            value.as_mut_ptr().cast::<Start>().write(Start { tag: self.0 as u8, content: word });
            value.assume_init()
        }
    }

    /// The same by a match.
    fn matched<'a>(self, word: u64) -> ValueRef<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::discriminant;

    #[test]
    fn a_number_is_the_value_that_its_kind_says() {
        let numbers = [
            ValueKind::I32,
            ValueKind::I64,
            ValueKind::U32,
            ValueKind::U64,
            ValueKind::F32,
            ValueKind::F64,
            ValueKind::Enum,
        ];
        for kind in numbers {
            let number = Number::of(kind).unwrap();
            for word in [0, 1, 2, 0x7fc0_0000, 0xffff_ffff, 0x8000_0000_0000_0000, u64::MAX] {
                let (value, expected) = (number.value(word), number.matched(word));
                assert_eq!(discriminant(&value), discriminant(&expected), "{kind:?}");
                assert_eq!(format!("{value:?}"), format!("{expected:?}"), "{kind:?} {word:x}");
            }
        }
        use ValueKind::{Bool, Bytes, List, Map, Message, Str};
        for kind in [Bool, Str, Bytes, Message, List, Map] {
            assert!(Number::of(kind).is_none(), "{kind:?}");
        }
    }
}
