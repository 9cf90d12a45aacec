//! Stores numbers and texts in values at addresses. A [`Storage`] says how a Rust type holds a value, for example as an
//! `i32`, a `String` or an option.

use super::{mismatch, refused};
use crate::error::{Error, Result, WireError};
use crate::layout::{Storage, Text, text};
use crate::object::access;
use crate::table::Row;

/// Stores a number, bool or enum value, given by its bits, at `at`.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, and nothing else refers to the value.
pub(super) unsafe fn store_scalar(storage: Storage, at: *mut u8, bits: u64) -> Result<()> {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value.
    if unsafe { access::set_scalar(storage, at, bits) } {
        return Ok(());
    }
    Err(match storage {
        Storage::ClosedEnum(functions) => {
            Error::ty(format!("{} has no value with number {}", (functions.shape)().rust_name(), bits as i32))
        }
        Storage::Number(_) => refused(storage),
        Storage::Option(option) if matches!(option.value(), Storage::Number(_)) => refused(option.value()),
        _ => mismatch(),
    })
}

/// Stores a string or byte string at `at`. If the value must be UTF-8, checks the text.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, and nothing else refers to the value; if the text is
/// borrowed, its input outlives the value.
pub(super) unsafe fn store_text(row: &Row, storage: Storage, at: *mut u8, text: Text<'_>) -> Result<()> {
    if row.wants_utf8(storage) && crate::wire::utf8(text.bytes).is_err() {
        return Err(Error::wire(WireError::Utf8, 0).nowhere());
    }
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value. The code above has checked the text of a string, because `wants_utf8` is true for each
    // string type.
    match unsafe { access::set_text(storage, at, text) } {
        true => Ok(()),
        false => Err(refused(storage)),
    }
}

/// Stores a string at `at`.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, and nothing else refers to the value; if the text is
/// borrowed, its input outlives the value.
#[inline]
pub(super) unsafe fn store_str(storage: Storage, at: *mut u8, text: &str, borrowed: bool) -> Result<()> {
    if let Storage::String = storage {
        // SAFETY: the caller promises that `at` is the address of a live value with this storage, which is a `String`,
        // and that nothing else refers to the value.
        text::fill_string(unsafe { &mut *at.cast() }, text);
        return Ok(());
    }
    let text = Text { bytes: text.as_bytes(), borrowed, input: None };
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value. The text is a `str`, so it is UTF-8.
    match unsafe { access::set_text(storage, at, text) } {
        true => Ok(()),
        false => Err(refused(storage)),
    }
}

/// Stores numbers, given by their bits, in consecutive elements. Returns false if the elements are not plain numbers.
///
/// # Safety
/// At `at` are `bits.len()` consecutive elements with the storage `storage`, and nothing else refers to them.
pub(super) unsafe fn store_scalars(storage: Storage, at: *mut u8, bits: &[u64]) -> bool {
    for (i, &bits) in bits.iter().enumerate() {
        // SAFETY: the caller promises that `bits.len()` elements with this storage are at `at`, so `i` is the index of
        // one of them. A float has the size of its bits.
        unsafe {
            match storage {
                Storage::Bool => at.cast::<bool>().add(i).write(bits != 0),
                Storage::I32 | Storage::U32 | Storage::OpenEnum(_) | Storage::F32 => {
                    at.cast::<u32>().add(i).write(bits as u32);
                }
                Storage::I64 | Storage::U64 | Storage::F64 => at.cast::<u64>().add(i).write(bits),
                _ => return false,
            }
        }
    }
    true
}
