//! Checks whether a field can own a text, and computes how much memory elements take.

use crate::error::{Error, Result};
use crate::layout::vec::first_capacity;
use crate::layout::{KeyRef, Storage};
use crate::table::{Kind, Location, Row, Shape};

/// Checks that the Rust type of `row` can own `text`, which is not a slice of the input. Fails if the type can only
/// borrow.
pub(super) fn check_owned(row: &Row, text: &[u8]) -> Result<()> {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => storage.leaf(),
        Location::Arena => return Ok(()),
    };
    let wanted = match storage {
        Storage::Str => "a borrowed string",
        Storage::Slice => "a borrowed byte array",
        _ => return Ok(()),
    };
    Err(match (storage, row.kind) {
        (Storage::Str, Kind::String) => {
            let text = String::from_utf8_lossy(text);
            Error::ty(format!("invalid type: string {text:?}, expected {wanted}"))
        }
        _ => Error::ty(format!("invalid type: byte array, expected {wanted}")),
    })
}

/// Returns how many bytes an element of a list or an entry of a map takes. The bytes of messages are not included,
/// because they are counted when the message is entered.
pub(crate) fn element_size(row: &Row) -> u64 {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => Some(storage),
        Location::Arena => None,
    };
    match (row.shape, storage) {
        (Shape::Map, Some(Storage::Map(functions))) if !row.map().value.is_message() => {
            functions.entry_size as u64
        }
        (Shape::Map, _) => 24,
        _ if row.is_message() => 0,
        (_, Some(Storage::List(functions))) => functions.stride as u64,
        _ if row.is_scalar() => 8,
        _ => 16,
    }
}

/// Returns how many more bytes the first element of a list of messages takes, because a list reserves room for several elements
/// at once.
pub(super) fn spare_size(row: &Row) -> u64 {
    match row.location {
        Location::Member { storage: Storage::List(functions), .. } if row.is_message() => {
            ((first_capacity(functions.stride) - 1) * functions.stride) as u64
        }
        _ => 0,
    }
}

/// Adds the key of a map entry to the path of an error that was found in the entry.
#[cold]
pub(super) fn in_key(error: Error, key: KeyRef<'_>) -> Error {
    match key {
        KeyRef::Bool(key) => error.in_key(key),
        KeyRef::I32(key) => error.in_key(key),
        KeyRef::I64(key) => error.in_key(key),
        KeyRef::U32(key) => error.in_key(key),
        KeyRef::U64(key) => error.in_key(key),
        KeyRef::Str(key) => error.in_key(key),
    }
}
