//! How numbers are written by straight-line code: by the Rust type, and by the kind of the field where that leaves a choice.

use super::kind::WireKind;
use super::straight::{Field, Straight};
use crate::wire::{zigzag32, zigzag64};

#[inline]
fn is(field: Field, kind: WireKind) -> bool {
    field >> 44 & 0xf == kind as u64 + 1
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_bool(value: bool, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe { out.varint(field, u64::from(value), at) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_f32(value: f32, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe { out.four(field, value.to_bits(), at) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_f64(value: f64, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe { out.eight(field, value.to_bits(), at) }
}

/// An `int32`, an enum, or what the field's kind says.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_i32(value: i32, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        if is(field, WireKind::SInt32) {
            out.varint(field, u64::from(zigzag32(value)), at)
        } else if is(field, WireKind::SFixed32) {
            out.four(field, value as u32, at)
        } else {
            out.varint(field, i64::from(value) as u64, at)
        }
    }
}

/// An `int64`, or what the field's kind says.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_i64(value: i64, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        if is(field, WireKind::SInt64) {
            out.varint(field, zigzag64(value), at)
        } else if is(field, WireKind::SFixed64) {
            out.eight(field, value as u64, at)
        } else {
            out.varint(field, value as u64, at)
        }
    }
}

/// A `uint32` or `fixed32`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_u32(value: u32, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        match is(field, WireKind::Fixed32) {
            true => out.four(field, value, at),
            false => out.varint(field, u64::from(value), at),
        }
    }
}

/// A `uint64` or `fixed64`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn put_u64(value: u64, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        match is(field, WireKind::Fixed64) {
            true => out.eight(field, value, at),
            false => out.varint(field, value, at),
        }
    }
}
