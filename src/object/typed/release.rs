//! What a message keeps when it is put aside to be filled again.

use super::TypedMut;
use crate::layout::{Storage, Text, UnknownFields, vec};
use crate::object::access;
use crate::table::{Location, PlainList, Row, Table};

impl TypedMut<'_, '_> {
    /// Lets go of what cannot be filled again, and returns the bytes of heap that the message still holds.
    ///
    /// Strings, byte strings, lists and messages stay, since decoding reuses their memory. Entries of maps and unknown
    /// fields are dropped. So is each `Bytes` and `Lazy`: it may be a small part of a large input. Skipped members, which no
    /// input replaces, get their defaults.
    pub(crate) fn release(&mut self) -> usize {
        let table = self.table.unprojected().unwrap_or(self.table);
        let at = self.address();
        let mut held = 0;
        // SAFETY: offsets and functions of the table are those of the struct.
        unsafe {
            let clear = table.clear();
            for &PlainList { offset, stride } in &clear.lists {
                held += vec::capacity(at.add(offset as usize)) * stride as usize;
            }
            for &index in &clear.rows {
                let row = &table.rows[usize::from(index)];
                let slot = at.add(row.offset as usize);
                held += by_location(table, row, slot);
            }
            if let Some(offset) = table.unknown {
                (*at.add(offset as usize).cast::<UnknownFields>()).clear();
            }
            if let Some(protos) = self.protos() {
                protos.clear();
            }
            if let Some(reset) = table.shape.and_then(|shape| shape.reset_skipped()) {
                reset(at);
            }
        }
        held
    }
}

/// The same of a member that is reached by its storage; of a oneof by the row of any field of it.
///
/// # Safety
/// The member that the row of the table is about lies there.
unsafe fn by_location(table: &Table, row: &Row, slot: *mut u8) -> usize {
    // SAFETY: the caller promises that the member that the row is about lies there: a value with this storage, or an
    // option of the oneof's enum. `release` borrows the struct mutably, so nothing else refers to it. The value that
    // `insert` gives is of the variant that is set, with the storage of that variant.
    unsafe {
        match row.location {
            Location::Member { storage, .. } => release(row, storage, slot),
            Location::Variant { oneof, .. } => match oneof.functions.get(slot) {
                Some((set, _)) => match table.member(row, set) {
                    Some(member @ Row { location: Location::Variant { storage, .. }, .. }) => {
                        release(member, *storage, oneof.insert(slot, set))
                    }
                    _ => 0,
                },
                // It may be one that is skipped, of which nothing is known.
                None => {
                    oneof.clear(slot);
                    0
                }
            },
            Location::Arena => 0,
        }
    }
}

/// The same of a value.
///
/// # Safety
/// A live value with this storage is at the address, and nothing else refers to it; the row is that of the field that
/// the value is of.
unsafe fn release(row: &Row, storage: Storage, at: *mut u8) -> usize {
    // SAFETY: the caller promises that a live value with this storage is at the address and that nothing else refers to
    // it. So each arm uses the type that lies there, each element lies within its list, and the row's table is that of
    // a message there.
    unsafe {
        if let Some(lazy) = storage.lazy() {
            (lazy.clear)(at);
            return 0;
        }
        match storage {
            Storage::String => (*at.cast::<String>()).capacity(),
            Storage::Vec => (*at.cast::<Vec<u8>>()).capacity(),
            Storage::Text(functions) if functions.shares => {
                (functions.set)(at, Text::owned(&[]));
                0
            }
            // Their capacity is not known; those that are pointers have none beyond the text.
            Storage::Text(functions) => (functions.get)(at).1,
            Storage::Box(boxed) => boxed.size + release(row, boxed.content, access::unboxed_mut(at)),
            // A value whose presence is a bit keeps its memory while it is absent.
            Storage::Option(option) if option.bit().is_some() => release(row, option.value(), at),
            Storage::Option(option) => match option.get(at).is_null() {
                true => 0,
                false => release(row, option.value(), option.insert(at)),
            },
            Storage::List(functions) => {
                let room = functions.room(at);
                if !owns(functions.element) {
                    return room;
                }
                let (first, len) = functions.elements_mut(at);
                let elements = (0..len).map(|index| first.add(index * functions.stride));
                if let Storage::Message(_) = functions.element {
                    let Ok(table) = row.message() else { return room };
                    return room + elements.map(|at| TypedMut::new(at, table).release()).sum::<usize>();
                }
                room + elements.map(|at| release(row, functions.element, at)).sum::<usize>()
            }
            Storage::Map(functions) => {
                functions.clear(at);
                functions.capacity(at) * functions.entry_size
            }
            Storage::Message(_) => row.message().map_or(0, |table| TypedMut::new(at, table).release()),
            // How much memory it owns is not known.
            Storage::Made(functions) => {
                (functions.clear)(at);
                0
            }
            _ => 0,
        }
    }
}

/// True for values that hold memory.
fn owns(storage: Storage) -> bool {
    use Storage::{Box, List, Map, Message, Option, String, Text, Vec};
    matches!(storage, String | Vec | Text(_) | Message(_) | Box(_) | Option(_) | List(_) | Map(_))
}
