//! Leaves are numbers, enums and texts, by themselves or in an option, and lists of strings. This module writes them
//! to the wire format.
//!
//! Only leaves are written by code that is compiled for each type. The derive calls
//! [`Member::write`](super::Member::write) for each of them in the order of the field numbers, and the encoder calls
//! the derived function for the leaves between two other fields. The function never calls the encoder: if there is
//! too little room it gives up, and the encoder writes the leaves by the steps of its table.

use super::kind::WireKind;
use crate::wire::{store_slice, store_varint, zigzag32, zigzag64};
use std::ptr;

/// Writes leaves of a message. Takes the address of the message, a mask for each member, the union of the masks of
/// the leaves to write, a cursor and a limit. Returns the cursor behind the leaves, or null if a text is too long or
/// there is too little room for it.
pub(crate) type LeavesFn = unsafe fn(*const u8, &[u64], u64, *mut u8, usize) -> *mut u8;

/// How many bytes may be written behind the end of a leaf, because tags and varints are stored as whole words. The
/// encoder keeps that much room behind the limit, besides the room for all leaves without their texts.
pub(crate) const LEAF_ROOM: usize = 16;

/// A field as the derive passes it: a plain number, because that costs the compiler least.
///
/// The lower five bytes are the tag, without the wire type. The lower half of the next byte is the length of the tag.
/// The upper half says how the number is written if the Rust type leaves a choice: zero for no choice, or the
/// [`WireKind`] plus one.
pub type LeafField = u64;

const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

#[inline]
fn is(field: LeafField, kind: WireKind) -> bool {
    field >> 44 & 0xf == kind as u64 + 1
}

/// Writes a tag.
///
/// # Safety
/// There is room for the field at `at`, and for [`LEAF_ROOM`] bytes more.
#[inline]
unsafe fn tag(field: LeafField, wire_type: u64, at: *mut u8) -> *mut u8 {
    // SAFETY: the caller promises that there is room for the field at `at`. A tag takes five bytes at most.
    unsafe {
        at.cast::<[u8; 8]>().write_unaligned((field & 0xff_ffff_ffff | wire_type).to_le_bytes());
        at.add((field >> 40 & 0xf) as usize)
    }
}

/// Writes a number as a varint.
///
/// # Safety
/// There is room for the field at `at`, and for [`LEAF_ROOM`] bytes more.
#[inline]
unsafe fn put_varint(field: LeafField, value: u64, at: *mut u8) -> *mut u8 {
    // SAFETY: the caller promises that there is room for a tag and the longest varint at `at`.
    unsafe {
        let at = tag(field, VARINT, at);
        at.add(store_varint(at, value))
    }
}

/// Writes a number as its bytes.
///
/// # Safety
/// There is room for the field at `at`, and for [`LEAF_ROOM`] bytes more.
#[inline]
unsafe fn put_fixed<const N: usize>(
    field: LeafField,
    wire_type: u64,
    bytes: [u8; N],
    at: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller promises that there is room for a tag and eight bytes at `at`.
    unsafe {
        let at = tag(field, wire_type, at);
        at.cast::<[u8; N]>().write_unaligned(bytes);
        at.add(N)
    }
}

/// Writes a string or byte string, if there is room for it. This is a function call, because inlined it would be most
/// of the code of a type.
///
/// # Safety
/// `at` is not behind `limit`, and behind `limit` there is room for [`LEAF_ROOM`] bytes.
#[inline(never)]
pub(super) unsafe fn put_text(field: LeafField, bytes: &[u8], at: *mut u8, limit: usize) -> *mut u8 {
    let len = bytes.len();
    // A tag and a length of two bytes take less than eight.
    if len >= 1 << 14 || at.addr() + len + 8 > limit {
        return ptr::null_mut();
    }
    // SAFETY: there is room up to the limit, and for [`LEAF_ROOM`] bytes behind it.
    unsafe {
        // The bytes of `field` behind the tag are overwritten below.
        at.cast::<[u8; 8]>().write_unaligned((field | LENGTH).to_le_bytes());
        let mut at = at.add((field >> 40 & 0xf) as usize);
        if len < 0x80 {
            at.write(len as u8);
            at = at.add(1);
        } else {
            at.cast::<[u8; 2]>().write_unaligned([len as u8 | 0x80, (len >> 7) as u8]);
            at = at.add(2);
        }
        store_slice(bytes, at);
        at.add(len)
    }
}

/// Writes the strings or byte strings of a list, if there is room for them.
///
/// # Safety
/// `at` is not behind `limit`, and behind `limit` there is room for [`LEAF_ROOM`] bytes.
#[inline(never)]
pub(super) unsafe fn put_texts<'t>(
    field: LeafField,
    texts: impl Iterator<Item = &'t [u8]>,
    at: *mut u8,
    limit: usize,
) -> *mut u8 {
    let mut at = at;
    for text in texts {
        // SAFETY: a text that was written ends before the limit.
        at = unsafe { put_text(field, text, at, limit) };
        if at.is_null() {
            break;
        }
    }
    at
}

/// Writes the numbers of a Rust type.
pub(super) trait Leaf {
    /// # Safety
    /// There is room for the field at `at`, and for [`LEAF_ROOM`] bytes more.
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8;
}

impl Leaf for bool {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe { put_varint(field, u64::from(self), at) }
    }
}

/// An `int32` or an enum, unless the field has another kind.
impl Leaf for i32 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe {
            if is(field, WireKind::SFixed32) {
                return put_fixed(field, FOUR_BYTES, self.to_le_bytes(), at);
            }
            let zigzag = is(field, WireKind::SInt32);
            put_varint(field, if zigzag { u64::from(zigzag32(self)) } else { i64::from(self) as u64 }, at)
        }
    }
}

impl Leaf for i64 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe {
            if is(field, WireKind::SFixed64) {
                return put_fixed(field, EIGHT_BYTES, self.to_le_bytes(), at);
            }
            put_varint(field, if is(field, WireKind::SInt64) { zigzag64(self) } else { self as u64 }, at)
        }
    }
}

impl Leaf for u32 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe {
            match is(field, WireKind::Fixed32) {
                true => put_fixed(field, FOUR_BYTES, self.to_le_bytes(), at),
                false => put_varint(field, u64::from(self), at),
            }
        }
    }
}

impl Leaf for u64 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe {
            match is(field, WireKind::Fixed64) {
                true => put_fixed(field, EIGHT_BYTES, self.to_le_bytes(), at),
                false => put_varint(field, self, at),
            }
        }
    }
}

impl Leaf for f32 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe { put_fixed(field, FOUR_BYTES, self.to_le_bytes(), at) }
    }
}

impl Leaf for f64 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is room for the field at `at`.
        unsafe { put_fixed(field, EIGHT_BYTES, self.to_le_bytes(), at) }
    }
}
