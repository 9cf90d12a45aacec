//! Writes maps.

use super::Walk;
use super::fields::Plain;
use super::output::{LONG, MAX, Output};
use crate::layout::{MapFunctions, Storage, VisitEntry, text};
use crate::object::access;
use crate::sort::sort_by_key;
use crate::table::{Kind, Op, Row, Step};
use std::fmt;

/// A map key. `Ord` is the order of keys in deterministic output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'k> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Text(&'k [u8]),
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Bool(key) => key.fmt(f),
            Key::Signed(key) => key.fmt(f),
            Key::Unsigned(key) => key.fmt(f),
            Key::Text(key) => String::from_utf8_lossy(key).fmt(f),
        }
    }
}

/// Reads the key at the address `at`. `storage` says how the key is stored, for example as a `String`.
///
/// # Safety
/// `at` is the address of a live key with the storage `storage`, and the key does not change while the result is used.
unsafe fn key<'k>(kind: Kind, storage: Storage, at: *const u8) -> Key<'k> {
    // SAFETY: the caller says that `at` is the address of a live key with the storage `storage`, and that the key does not
    // change while the result is used. `present` returns the address of the value inside of options and boxes, and the storage
    // of this value, with which the value is read.
    unsafe {
        let Some((storage, at)) = access::present(storage, at) else { return Key::Text(&[]) };
        match (kind, access::scalar(storage, at)) {
            (_, None) => Key::Text(text::get(storage, at).unwrap_or_default()),
            (Kind::Bool, Some(bits)) => Key::Bool(bits != 0),
            (Kind::UInt32 | Kind::Fixed32, Some(bits)) => Key::Unsigned(u64::from(bits as u32)),
            (Kind::UInt64 | Kind::Fixed64, Some(bits)) => Key::Unsigned(bits),
            (Kind::Int32 | Kind::SInt32 | Kind::SFixed32, Some(bits)) => Key::Signed(i64::from(bits as i32)),
            (_, Some(bits)) => Key::Signed(bits as i64),
        }
    }
}

/// Calls `visit` for the entries of a map in the order of their keys.
///
/// # Safety
/// `map` is the address of a live map, `functions` and `row` are for the type of this map, and the map does not change during
/// the call.
#[cold]
#[inline(never)]
unsafe fn sorted(functions: &MapFunctions, row: &Row, map: *const u8, visit: VisitEntry<'_>) {
    let kind = row.map().key.kind;
    // SAFETY: the caller says that `map` is the address of a live map of the type that `functions` are for, and that the map
    // does not change during the call. So the addresses that `functions.visit` passes stay addresses of live keys and values,
    // and each key has the storage `functions.key`.
    unsafe {
        let mut entries = Vec::with_capacity(functions.len(map));
        (functions.visit)(map, &mut |at, value| {
            entries.push((key(kind, functions.key, at), at, value));
            true
        });
        sort_by_key(&mut entries, |entry| entry.0);
        for (_, key, value) in entries {
            if !visit(key, value) {
                break;
            }
        }
    }
}

impl<O: Output> Walk<O> {
    #[inline(never)]
    pub(super) unsafe fn map(
        &mut self,
        step: &Step,
        entry: &[Step; 2],
        row: &Row,
        map: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let Storage::Map(functions) = step.storage else { return self.mismatch() };
        let (mut at, mut width, is_sorted) = (Some(at), 1, self.settings.deterministic);
        let tags = [entry[0].tag as u8, entry[1].tag as u8];
        let is_text = entry.iter().all(|step| matches!(step.op, Op::String | Op::Vec));
        // SAFETY: `map` is the address of a live map with the storage of `step`, so `functions` are the functions of its type.
        // The map stays borrowed during the call. `functions` pass addresses of keys and values to the closure, and the two
        // steps in `entry` describe these keys and values, so the operation of a step names the type at the address. `at` is
        // the last cursor of the output.
        unsafe {
            let write = &mut |key: *const u8, value: *const u8| {
                let Some(end) = at else { return false };
                if is_text {
                    let text = |step: &Step, at: *const u8| match step.op {
                        Op::String => (*at.cast::<String>()).as_bytes(),
                        _ => (*at.cast::<Vec<u8>>()).as_slice(),
                    };
                    let texts = [text(&entry[0], key), text(&entry[1], value)];
                    if texts[0].len() <= LONG && texts[1].len() <= LONG {
                        at = Some(self.out.texts(end, step.tag_bytes(), tags, texts));
                        return true;
                    }
                }
                at = self.entry(step, entry, row, [key, value], end, &mut width);
                at.is_some()
            };
            match is_sorted {
                true => sorted(functions, row, map, write),
                false => (functions.visit)(map, write),
            }
        }
        at
    }

    /// Writes an entry. For the length prefix, first reserves as many bytes as the length prefix of the previous entry took,
    /// but at most two.
    #[inline(never)]
    unsafe fn entry(
        &mut self,
        step: &Step,
        [key_step, value_step]: &[Step; 2],
        row: &Row,
        [key, value]: [*const u8; 2],
        at: O::Cursor,
        width: &mut usize,
    ) -> Option<O::Cursor> {
        // SAFETY: the caller passes the addresses of a live key and a live value of a map that is borrowed while it is encoded,
        // and the two steps describe them. All regions that are opened inside of this region are closed before it. `at` is the
        // last cursor of the output.
        unsafe {
            if let (Some(key), Some(value)) = (Plain::at(key_step, key), Plain::at(value_step, value)) {
                let (key_len, value_len) = (key.len(), value.len());
                // If the key and the value are longer than a message may be, the general code below finds the error.
                if key_len + value_len < MAX {
                    let at = self.out.varint(at, step.tag_bytes(), (key_len + value_len + 2) as u64);
                    let at = self.plain(key_step.tag_bytes(), key, at);
                    return Some(self.plain(value_step.tag_bytes(), value, at));
                }
            }
            let rows = row.map();
            let (at, region) = self.out.open(at, step.tag_bytes(), *width);
            let at = self.value(key_step, &rows.key, key, at)?;
            // On the wire, the entry is a message around the value, so it counts as a level of nesting, too.
            let level = u32::from(rows.value.is_message() && self.depth > 0);
            self.depth -= level;
            let at = match value_step.op {
                Op::Message => self.message_of(value_step, &rows.value, value, at),
                _ => self.value(value_step, &rows.value, value, at),
            };
            self.depth += level;
            let Some(at) = at else {
                return self.in_entry(rows.key.kind, key_step, key);
            };
            let (at, took) = self.out.close(at, region);
            *width = took.min(2);
            Some(at)
        }
    }

    /// Adds the key of the entry to the path of the error.
    #[cold]
    #[inline(never)]
    unsafe fn in_entry<T>(&mut self, kind: Kind, step: &Step, at: *const u8) -> Option<T> {
        // SAFETY: `at` is the address of the key that `entry` got. It is a live value with the storage of `step`, in a map that
        // is borrowed while it is encoded.
        let key = unsafe { key(kind, step.storage, at) };
        // A key that is a byte string need not be UTF-8, so the error does not contain the key.
        let named = !matches!(key, Key::Text(_)) || step.storage.is_string();
        if named { self.locate(|error| error.in_key(key)) } else { None }
    }
}
