//! Writes leaves to the wire format. Leaves are numbers, enums and strings, alone or in an option, and lists of strings.
//!
//! Only leaves are written by code that is compiled for each type. The derive macro generates a function for each message type,
//! which calls [`Member::write`](super::Member::write) for each leaf in the order of the field numbers. The encoder calls this
//! function for all leaves between two other fields. The function never calls the encoder. If there is too little space, it
//! returns null, and the encoder writes the leaves with the steps of its table.

use super::kind::WireKind;
use crate::wire::{store_slice, store_varint, zigzag32, zigzag64};
use std::ptr;

/// Writes leaves of a message. Takes the address of the message, a mask for each member, the union of the masks of the leaves
/// to write, a cursor, and a limit. Returns the cursor after the leaves. Returns null if a string is too long, or if there is
/// too little space for it.
pub(crate) type LeavesFn = unsafe fn(*const u8, &[u64], u64, *mut u8, usize) -> *mut u8;

/// The number of bytes that may be written after the end of a leaf, because tags and varints are stored as whole words. After
/// the limit, the encoder keeps space for this number of bytes, and for all leaves without their strings.
pub(crate) const LEAF_ROOM: usize = 16;

/// A field as the derive macro passes it to [`Member::write`](super::Member::write). It is a plain number, because numbers
/// compile fastest.
///
/// The lower five bytes are the tag, without the wire type. The lower half of the next byte is the length of the tag. The upper
/// half of this byte is zero if the Rust type determines the wire kind, and otherwise the [`WireKind`] plus one.
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
/// There is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
#[inline]
unsafe fn tag(field: LeafField, wire_type: u64, at: *mut u8) -> *mut u8 {
    // SAFETY: the caller promises that there is space for the field at `at`, and for `LEAF_ROOM` more bytes. A tag takes at
    // most five bytes, and is stored as a word of eight.
    unsafe {
        at.cast::<[u8; 8]>().write_unaligned((field & 0xff_ffff_ffff | wire_type).to_le_bytes());
        at.add((field >> 40 & 0xf) as usize)
    }
}

/// Writes a number as a varint.
///
/// # Safety
/// There is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
#[inline]
unsafe fn put_varint(field: LeafField, value: u64, at: *mut u8) -> *mut u8 {
    // SAFETY: the caller promises that there is space for a tag and the longest varint at `at`.
    unsafe {
        let at = tag(field, VARINT, at);
        at.add(store_varint(at, value))
    }
}

/// Writes a number as `N` bytes.
///
/// # Safety
/// There is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
#[inline]
unsafe fn put_fixed<const N: usize>(
    field: LeafField,
    wire_type: u64,
    bytes: [u8; N],
    at: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller promises that there is space for a tag and eight bytes at `at`.
    unsafe {
        let at = tag(field, wire_type, at);
        at.cast::<[u8; N]>().write_unaligned(bytes);
        at.add(N)
    }
}

/// Writes a string or byte string. Returns null if there is too little space for it. The function is not inlined, because
/// otherwise it would be most of the code of a type.
///
/// # Safety
/// `at` is not after `limit`, and after `limit` there is space for [`LEAF_ROOM`] bytes.
#[inline(never)]
pub(super) unsafe fn put_text(field: LeafField, bytes: &[u8], at: *mut u8, limit: usize) -> *mut u8 {
    let len = bytes.len();
    // A tag and a length prefix of two bytes take less than eight bytes.
    if len >= 1 << 14 || at.addr() + len + 8 > limit {
        return ptr::null_mut();
    }
    // SAFETY: the caller promises that there is space up to the limit, and for [`LEAF_ROOM`] bytes after it.
    unsafe {
        // The bytes of `field` after the tag are overwritten below.
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

/// Writes the strings or byte strings of a list. Returns null if there is too little space for one of them.
///
/// # Safety
/// `at` is not after `limit`, and after `limit` there is space for [`LEAF_ROOM`] bytes.
#[inline(never)]
pub(super) unsafe fn put_texts<'t>(
    field: LeafField,
    texts: impl Iterator<Item = &'t [u8]>,
    at: *mut u8,
    limit: usize,
) -> *mut u8 {
    let mut at = at;
    for text in texts {
        // SAFETY: each text that `put_text` wrote ends before the limit, and the caller promises space for [`LEAF_ROOM`] bytes
        // after the limit.
        at = unsafe { put_text(field, text, at, limit) };
        if at.is_null() {
            break;
        }
    }
    at
}

pub(super) trait Leaf {
    /// Writes the number with its tag.
    ///
    /// # Safety
    /// There is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8;
}

impl Leaf for bool {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
        unsafe { put_varint(field, u64::from(self), at) }
    }
}

/// Writes an `int32` or an enum, unless the field has another wire kind.
impl Leaf for i32 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
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
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
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
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
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
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
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
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
        unsafe { put_fixed(field, FOUR_BYTES, self.to_le_bytes(), at) }
    }
}

impl Leaf for f64 {
    #[inline]
    unsafe fn put(self, field: LeafField, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises that there is space for the field at `at`, and for [`LEAF_ROOM`] more bytes.
        unsafe { put_fixed(field, EIGHT_BYTES, self.to_le_bytes(), at) }
    }
}
