//! Reads tags and values of the wire format from the start of a slice. The functions that read return `None` for malformed
//! bytes.

use crate::error::Error;
use crate::table::{Kind, Row, Table};
use crate::wire::{Reader, quick_varint, unzigzag32, unzigzag64};
use std::marker::PhantomData;

/// Returns the error for input that is not in the usual form that encoders write. No user sees it, because the caller
/// then decodes the input into an arena.
#[cold]
#[inline(never)]
pub(super) fn declined() -> Error {
    Error::ty("the bytes are not read in this way")
}

/// Returns the input after the tag of `row`, if this tag comes next.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn after_tag<'i>(row: &Row, input: &'i [u8]) -> Option<&'i [u8]> {
    match input.first_chunk() {
        Some(word) if row.tag_len <= 4 => {
            let same = u32::from_le_bytes(*word) & row.tag_mask == row.tag_word;
            input.get(usize::from(row.tag_len)..).filter(|_| same)
        }
        _ => input.strip_prefix(row.tag_bytes()),
    }
}

/// Returns the input after the tag of one more element of a list, if this tag comes next. `tag` is the tag of the first
/// element.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn again<'i>(row: &Row, tag: u32, input: &'i [u8]) -> Option<&'i [u8]> {
    if tag == row.tag { after_tag(row, input) } else { again_unpacked(tag, input) }
}

/// Returns the input after the tag of one more number, if this tag comes next. The list is packed in the schema, but
/// not in the input.
#[cold]
#[inline(never)]
fn again_unpacked(tag: u32, input: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader::new(input);
    (reader.varint().ok()? == u64::from(tag)).then(|| reader.rest())
}

/// Reads a tag of one or two bytes, and returns the index of its row, the tag, and the input after the tag. Returns `None` for
/// a longer tag, and for a tag that no row has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn found<'i>(table: &Table, input: &'i [u8]) -> Option<(usize, u32, &'i [u8])> {
    let (tag, rest) = match input {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        [a, b, rest @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        _ => return None,
    };
    let index = table.numbers.get(tag >> 3)?;
    let row = table.rows.get(index)?;
    // `other_tag` is 0 if the row has no other tag, and 0 is not a tag.
    (tag >= 8 && (row.tag == tag || row.other_tag == tag)).then_some((index, tag, rest))
}

/// Reads a number, bool or enum value, and returns its bits. `kind` is the kind of `row`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn scalar(kind: Kind, row: &Row, input: &mut &[u8]) -> Option<u64> {
    let bits = any_scalar(kind, input)?;
    (kind != Kind::Enum || row.takes_number(bits as i32)).then_some(bits)
}

/// Reads a number, bool or enum value, and returns its bits. The enum may have any number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn any_scalar(kind: Kind, input: &mut &[u8]) -> Option<u64> {
    Some(match kind {
        Kind::Int32 | Kind::UInt32 | Kind::Enum => u64::from(varint(input)? as u32),
        Kind::Int64 | Kind::UInt64 => varint(input)?,
        Kind::SInt32 => u64::from(unzigzag32(varint(input)? as u32) as u32),
        Kind::SInt64 => unzigzag64(varint(input)?) as u64,
        Kind::Bool => u64::from(varint(input)? != 0),
        Kind::Fixed32 | Kind::SFixed32 | Kind::Float => {
            let (bytes, rest) = input.split_first_chunk()?;
            *input = rest;
            u64::from(u32::from_le_bytes(*bytes))
        }
        Kind::Fixed64 | Kind::SFixed64 | Kind::Double => {
            let (bytes, rest) = input.split_first_chunk()?;
            *input = rest;
            u64::from_le_bytes(*bytes)
        }
        Kind::String | Kind::Bytes | Kind::Message | Kind::Group => return None,
    })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varint(input: &mut &[u8]) -> Option<u64> {
    let (value, rest) = match quick_varint(input) {
        Some(found) => found,
        None => varint_near_end(input)?,
    };
    *input = rest;
    Some(value)
}

/// Returns the input after a varint.
#[cfg(feature = "sink")]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn after_varint(input: &[u8]) -> Option<&[u8]> {
    match quick_varint(input) {
        Some((_, rest)) => Some(rest),
        None => varint_near_end(input).map(|(_, rest)| rest),
    }
}

#[inline(never)]
fn varint_near_end(input: &[u8]) -> Option<(u64, &[u8])> {
    let mut reader = Reader::new(input);
    let value = reader.varint().ok()?;
    Some((value, reader.rest()))
}

/// Reads a length prefix, and returns the payload after it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn len_prefixed<'i>(input: &mut &'i [u8]) -> Option<&'i [u8]> {
    let len = varint(input)?;
    let (bytes, rest) = input.split_at_checked(i32::try_from(len).ok()? as usize)?;
    *input = rest;
    Some(bytes)
}

/// Skips the values of a list or map that the reader did not visit to the end, and returns the input after them.
/// `input` starts after the first tag.
#[inline(never)]
pub(super) fn skip_values<'i>(row: &Row, tag: u32, mut input: &'i [u8]) -> Option<&'i [u8]> {
    loop {
        match tag & 7 {
            2 => drop(len_prefixed(&mut input)?),
            5 => input = input.get(4..)?,
            1 => input = input.get(8..)?,
            _ => drop(varint(&mut input)?),
        }
        match again(row, tag, input) {
            Some(rest) => input = rest,
            None => return Some(input),
        }
    }
}

/// A type of numbers.
pub(crate) trait Number: Sized {
    /// Reads a number of the kind `kind`. Returns `None` if this is not the Rust type of the kind, or if the input is
    /// malformed.
    fn take(kind: Kind, row: &Row, input: &mut &[u8]) -> Option<Self>;

    /// Reads a number of the kind `kind`, which has this Rust type and is not a closed enum.
    #[cfg(feature = "sink")]
    fn take_any(kind: Kind, input: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($ty:ty: $($kind:ident)|+, $of:expr;)+) => {
        $(
            impl Number for $ty {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn take(kind: Kind, row: &Row, input: &mut &[u8]) -> Option<$ty> {
                    match kind {
                        // Only the code for these kinds is inlined.
                        $(Kind::$kind)|+ => scalar(kind, row, input).map($of),
                        _ => None,
                    }
                }

                #[cfg(feature = "sink")]
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn take_any(kind: Kind, input: &mut &[u8]) -> Option<$ty> {
                    match kind {
                        $(Kind::$kind)|+ => any_scalar(kind, input).map($of),
                        _ => None,
                    }
                }
            }
        )+
    };
}

numbers! {
    bool: Bool, |bits| bits != 0;
    i32: Int32 | SInt32 | SFixed32 | Enum, |bits| bits as i32;
    u32: UInt32 | Fixed32, |bits| bits as u32;
    i64: Int64 | SInt64 | SFixed64, |bits| bits as i64;
    u64: UInt64 | Fixed64, |bits| bits;
    f32: Float, |bits| f32::from_bits(bits as u32);
    f64: Double, f64::from_bits;
}

/// Iterates over the numbers of a packed run, up to the first malformed number.
pub(super) struct PackedNumbers<'r, 'a, T> {
    pub(super) row: &'a Row,
    pub(super) rest: &'r mut &'a [u8],
    pub(super) of: PhantomData<T>,
}

impl<T: Number> Iterator for PackedNumbers<'_, '_, T> {
    type Item = T;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<T> {
        let mut rest = *self.rest;
        if rest.is_empty() {
            return None;
        }
        let number = T::take(self.row.kind, self.row, &mut rest)?;
        *self.rest = rest;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    #[test]
    fn varints_of_every_length_wherever_the_input_ends() {
        for bits in 0..64 {
            for value in [1u64 << bits, (1u64 << bits) - 1, u64::MAX >> bits, 0x5555_5555_5555_5555 >> bits] {
                let mut writer = Writer::new();
                writer.varint(value);
                let whole = writer.finish().unwrap();
                for after in 0..10 {
                    let bytes = [&whole[..], &vec![0xff; after]].concat();
                    let mut input = &bytes[..];
                    assert_eq!(varint(&mut input), Some(value));
                    assert_eq!(input.len(), after);
                }
                for cut in 0..whole.len() {
                    assert_eq!(varint(&mut &whole[..cut]), None);
                }
            }
        }
        let too_long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0];
        assert_eq!(varint(&mut &too_long[..]), None);
        assert_eq!(varint(&mut &[0x80; 12][..]), None);
        assert_eq!(varint(&mut &[0x80, 0x80, 0x00][..]), Some(0));
    }
}
