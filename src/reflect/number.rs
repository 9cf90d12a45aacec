//! Numbers as values, without a jump by their kind.
//!
//! A module of the reflection layer with `unsafe`: a visitor matches on the value, so that matching on the kind before would
//! be a second jump for every number.

#![allow(unsafe_code)]

use super::{ValueRef, check};
use crate::table::Kind;
use std::mem::MaybeUninit;

/// How numbers and enums of a kind are values.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    kind: Kind,
    /// That of the variant.
    tag: u8,
}

/// What [`ValueRef`] starts with, as the reference of Rust says of `repr(C, u8)`: the tag, and the content of a variant after
/// it, where a union of all of them would be.
#[repr(C)]
struct Start {
    tag: u8,
    content: u64,
}

const _: () = assert!(align_of::<ValueRef<'_>>() == align_of::<Start>());
const _: () = assert!(size_of::<ValueRef<'_>>() >= size_of::<Start>());

/// The tags by kind; [`NONE`] for kinds of which there are no numbers.
static TAGS: [u8; Kind::ALL.len()] = {
    let mut tags = [NONE; Kind::ALL.len()];
    let mut index = 0;
    while index < tags.len() {
        tags[index] = tag(Kind::ALL[index]);
        index += 1;
    }
    tags
};

const NONE: u8 = u8::MAX;

const fn tag(kind: Kind) -> u8 {
    let value = match kind {
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => ValueRef::I32(0),
        Kind::UInt32 | Kind::Fixed32 => ValueRef::U32(0),
        Kind::Enum => ValueRef::Enum(0),
        Kind::Float => ValueRef::F32(0.0),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => ValueRef::I64(0),
        Kind::UInt64 | Kind::Fixed64 => ValueRef::U64(0),
        Kind::Double => ValueRef::F64(0.0),
        // A bool cannot have all bits that a word may have.
        Kind::Bool | Kind::String | Kind::Bytes | Kind::Message | Kind::Group => return NONE,
    };
    // SAFETY: a value starts with its tag, see `Start`.
    unsafe { *(&raw const value).cast::<u8>() }
}

impl Number {
    /// How values of a kind are made; `None` for a kind of which there are no numbers.
    #[inline(always)]
    pub(crate) fn of(kind: Kind) -> Option<Number> {
        let tag = TAGS[kind as usize];
        (tag != NONE).then_some(Number { kind, tag })
    }

    /// The number in a word: its bits, in the low half those of 32.
    #[inline(always)]
    pub(crate) fn value<'a>(self, word: u64) -> ValueRef<'a> {
        if cfg!(target_endian = "big") {
            // The low half of a word is not where it starts.
            return check::scalar(self.kind, word);
        }
        let mut value = MaybeUninit::<ValueRef<'a>>::uninit();
        // SAFETY: see `Start`. The tag is that of a number, whose content may be any bits; all of a word are there.
        unsafe {
            value.as_mut_ptr().cast::<Start>().write(Start { tag: self.tag, content: word });
            value.assume_init()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_value_that_its_kind_says() {
        for kind in Kind::ALL {
            let Some(number) = Number::of(kind) else {
                assert!(
                    matches!(kind, Kind::Bool | Kind::String | Kind::Bytes | Kind::Message | Kind::Group),
                    "{kind:?}"
                );
                continue;
            };
            for word in [0, 1, 2, 0x7fc0_0000, 0xffff_ffff, 0x8000_0000_0000_0000, u64::MAX] {
                let (found, expected) = (number.value(word), check::scalar(kind, word));
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{kind:?} {word:x}");
            }
        }
    }
}
