//! Reads and writes values at addresses, by their storage.
//!
//! # Safety
//! Each unsafe function takes `at`, the address of a live value with the storage `storage`, or for `unboxed` and `unboxed_mut`
//! of a live box. If the function changes the value, nothing else refers to the value. The caller uses a returned address only
//! while the value stays where it is.

#![allow(unsafe_code)]

use crate::layout::{Storage, Text, text};
use crate::table::{Kind, Presence, Row};

/// Returns the bits of a number, bool or enum value. Returns `None` if the storage is of another kind.
#[inline]
pub(crate) unsafe fn scalar(storage: Storage, at: *const u8) -> Option<u64> {
    // SAFETY: the caller passes the address of a live value with this storage, so each arm reads the type that lies
    // there, by an address that is aligned for it. A box leads to a live value with the storage of its content.
    unsafe {
        Some(match storage {
            Storage::Bool => u64::from(at.cast::<bool>().read()),
            Storage::I32 | Storage::OpenEnum(_) => u64::from(at.cast::<u32>().read()),
            Storage::U32 => u64::from(at.cast::<u32>().read()),
            Storage::I64 | Storage::U64 => at.cast::<u64>().read(),
            Storage::F32 => u64::from(at.cast::<f32>().read().to_bits()),
            Storage::F64 => at.cast::<f64>().read().to_bits(),
            Storage::ClosedEnum(functions) => u64::from((functions.get)(at) as u32),
            Storage::Number(functions) => (functions.get)(at),
            Storage::Box(boxed) => return scalar(boxed.content, unboxed(at)),
            _ => return None,
        })
    }
}

/// Sets a number, bool or enum value to these bits. Returns false if the type cannot hold the bits, or if the storage is of
/// another kind.
#[inline]
pub(crate) unsafe fn set_scalar(storage: Storage, at: *mut u8, bits: u64) -> bool {
    // SAFETY: the caller passes the address of a live value with this storage that nothing else refers to, so each arm
    // writes a valid value of the type that lies there. An option and a box lead to a live value with the storage of their
    // content.
    unsafe {
        match storage {
            Storage::Bool => at.cast::<bool>().write(bits != 0),
            Storage::I32 | Storage::U32 | Storage::OpenEnum(_) => at.cast::<u32>().write(bits as u32),
            Storage::I64 | Storage::U64 => at.cast::<u64>().write(bits),
            Storage::F32 => at.cast::<f32>().write(f32::from_bits(bits as u32)),
            Storage::F64 => at.cast::<f64>().write(f64::from_bits(bits)),
            Storage::ClosedEnum(functions) => return (functions.set)(at, bits as i32),
            Storage::Number(functions) => return (functions.set)(at, bits),
            Storage::Box(boxed) => return set_scalar(boxed.content, unboxed_mut(at), bits),
            Storage::Option(option) => {
                let was = option.get(at).is_null();
                let value = option.insert(at);
                let done = !value.is_null() && set_scalar(option.value(), value, bits);
                if was && !done {
                    option.clear(at);
                }
                return done;
            }
            _ => return false,
        }
        true
    }
}

/// Returns the address of the value in a box, for reading the value.
#[inline]
pub(crate) unsafe fn unboxed(at: *const u8) -> *const u8 {
    // SAFETY: the caller passes the address of a live box of a sized type, which lies in memory as the address of its
    // value.
    unsafe { at.cast::<*const u8>().read() }
}

/// Returns the address of the value in a box, for changing the value.
#[inline]
pub(crate) unsafe fn unboxed_mut(at: *mut u8) -> *mut u8 {
    // SAFETY: the caller passes the address of a live box of a sized type, which lies in memory as the address of its
    // value. Nothing else refers to the box, and so to the value.
    unsafe { at.cast::<*mut u8>().read() }
}

/// Returns the storage and the address of the value inside the options and boxes around it. Returns `None` if an option is
/// empty.
#[inline]
pub(crate) unsafe fn present(storage: Storage, at: *const u8) -> Option<(Storage, *const u8)> {
    // SAFETY: the caller passes the address of a live value with this storage. Unless the address of its content is null,
    // an option or a box leads to a live value with the storage of its content.
    unsafe {
        match storage {
            Storage::Option(option) => {
                let value = option.get(at);
                if value.is_null() { None } else { present(option.value(), value) }
            }
            Storage::Box(boxed) => present(boxed.content, unboxed(at)),
            _ => Some((storage, at)),
        }
    }
}

/// Returns the storage and the address of the value inside the options and boxes around it. First inserts an empty value
/// into an empty option. Returns `None` if the type has no empty value.
#[inline]
pub(crate) unsafe fn insert(storage: Storage, at: *mut u8) -> Option<(Storage, *mut u8)> {
    // SAFETY: the caller passes the address of a live value with this storage that nothing else refers to. Unless the
    // address of its content is null, an option or a box leads to a live value with the storage of its content, and nothing
    // else refers to this value.
    unsafe {
        match storage {
            Storage::Option(option) => {
                let value = option.insert(at);
                if value.is_null() { None } else { insert(option.value(), value) }
            }
            Storage::Box(boxed) => insert(boxed.content, unboxed_mut(at)),
            _ => Some((storage, at)),
        }
    }
}

/// Replaces a string or byte string. Returns false if the [conversion](Storage::conversion) of the type rejects the text, if
/// the type can only borrow and the text is neither borrowed nor empty, or if the storage is of another kind.
pub(crate) unsafe fn set_text(storage: Storage, at: *mut u8, value: Text<'_>) -> bool {
    // SAFETY: the caller passes the address of a live value with this storage that nothing else refers to, and has checked
    // the text to be UTF-8 if the value is a string. Unless the address of its content is null, an option or a box leads to
    // a live value with the storage of its content.
    unsafe {
        if let Storage::Option(option) = storage {
            let was = option.get(at).is_null();
            let target = option.insert(at);
            let done = !target.is_null() && set_text(option.value(), target, value);
            if was && !done {
                option.clear(at);
            }
            return done;
        }
        match storage {
            Storage::Box(boxed) => set_text(boxed.content, unboxed_mut(at), value),
            _ => text::set(storage, at, value),
        }
    }
}

/// Returns the storage of a value without the options and boxes around it.
pub(crate) fn bare(storage: Storage) -> Storage {
    match storage {
        Storage::Box(boxed) => bare(boxed.content),
        Storage::Option(option) => bare(option.value()),
        other => other,
    }
}

/// True if the field has no presence and `bits` are the default value of a number, bool or enum.
#[inline]
pub(crate) fn is_default(row: &Row, bits: u64) -> bool {
    row.presence == Presence::Implicit
        && match row.kind {
            Kind::Int64 | Kind::UInt64 | Kind::SInt64 | Kind::Fixed64 | Kind::SFixed64 | Kind::Double => {
                bits == 0
            }
            _ => bits as u32 == 0,
        }
}
