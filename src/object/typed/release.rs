//! Empties messages that are used again, and keeps memory that the next message can use.

use super::TypedMut;
use crate::layout::{Storage, Text, vec};
use crate::object::access;
use crate::table::{Location, Op, Row};

impl<'t> TypedMut<'_, 't> {
    /// Empties the message, except for values whose memory the next message can use and whose rows have a bit. Returns the bits
    /// of the rows of these values. When the message has been filled, the caller must call [`clear_rows`](Self::clear_rows)
    /// with the bits of the values that the new content has not replaced.
    #[inline(never)]
    pub(crate) fn reset(&mut self) -> u64 {
        let table = self.table;
        let clear = table.clear();
        // SAFETY: the table has the offsets of the members of the struct, which is borrowed mutably. Each range in
        // `clear.zeros` covers only numbers and words of presence bits, for which zeros are valid and which have no
        // destructor. Each offset in `clear.lists` is the offset of a `Vec` whose elements have no destructor, or of a
        // `String`, which is a `Vec<u8>`.
        unsafe {
            for &(offset, len) in &clear.zeros {
                self.at.add(offset as usize).write_bytes(0, len as usize);
            }
            for &offset in &clear.lists {
                vec::set_len(self.at.add(offset as usize), 0);
            }
        }
        let mut pending = 0;
        for &index in &clear.rows {
            let row = &table.rows[usize::from(index)];
            // SAFETY: `row` is a row of the table of the struct.
            match unsafe { self.worth_keeping(row) } {
                Some(row) if row.bit != 0 => pending |= row.bit,
                Some(row) => self.clear(row),
                None => {}
            }
        }
        if let Some(whole) = table.unprojected() {
            for row in whole.rows.iter().filter(|row| table.numbers.get(row.number).is_none()) {
                self.clear(row);
            }
            self.clear_unknown(whole);
        } else {
            self.clear_unknown(table);
        }
        pending
    }

    /// If the next message can use the memory of the value of a member, returns the row of the value: `row`, or for a oneof the
    /// row of the field that is set. Otherwise empties the member, and returns `None`. If the row of a oneof's field that is
    /// set is not in the table, returns `None`, too, but does not empty the member.
    ///
    /// # Safety
    /// `row` is a row of the table of the struct.
    #[inline]
    unsafe fn worth_keeping<'r>(&mut self, row: &'r Row) -> Option<&'r Row>
    where
        't: 'r,
    {
        // SAFETY: the row has the offset and the functions of a member of the struct, which is borrowed mutably.
        let keeps = unsafe {
            let at = self.at.add(row.offset as usize);
            match (row.op, row.location) {
                // A call that checks whether the message is present would take as long as clearing an absent message at
                // the end.
                (Op::Message, _) => true,
                (Op::Option, _) if matches!(row.inner, Op::Message | Op::BoxMessage) => true,
                (Op::Option, Location::Member { storage: Storage::Option(option), .. }) => {
                    if option.get(at).is_null() {
                        return None;
                    }
                    matches!(row.inner, Op::String | Op::Vec)
                }
                (
                    Op::Strings | Op::Vecs | Op::Messages,
                    Location::Member { storage: Storage::List(list), .. },
                ) => {
                    if list.elements(at).1 == 0 {
                        return None;
                    }
                    true
                }
                (_, Location::Variant { oneof, .. }) => match oneof.functions.get(at) {
                    // The table of a projection may have no row for the field that is set.
                    Some((set, _)) => return self.table.member(row, set),
                    None => {
                        // The variant may be one that serde skips, which has no row.
                        oneof.clear(at);
                        return None;
                    }
                },
                _ => false,
            }
        };
        if !keeps {
            self.clear(row);
        }
        keeps.then_some(row)
    }

    /// Clears the values whose rows have the bits `pending`. [`reset`](Self::reset) kept these values.
    #[inline(never)]
    pub(crate) fn clear_rows(&mut self, mut pending: u64) {
        while pending != 0 {
            self.clear(&self.table.rows[pending.trailing_zeros() as usize]);
            pending &= pending - 1;
        }
    }

    /// Drops values that cannot be filled again, and returns how many bytes of heap the message still holds.
    ///
    /// Strings, byte strings, lists and messages stay, because decoding uses their memory again. Entries of maps and
    /// unknown fields are dropped. Each `Bytes` and `Lazy` is dropped, too, because it may be a small part of a large
    /// input, and would keep the whole input in memory. Members that serde skips get their defaults, because no input
    /// replaces them.
    pub(crate) fn release(&mut self) -> usize {
        let table = self.table.unprojected().unwrap_or(self.table);
        let mut held = 0;
        for row in &table.rows {
            // SAFETY: the table has the offsets and the functions of the members of the struct, which is borrowed
            // mutably. The address that `insert` returns is the address of the value of the variant that is set, and
            // this value has the storage `storage`.
            unsafe {
                let at = self.at.add(row.offset as usize);
                held += match row.location {
                    Location::Member { storage, .. } => release(row, storage, at),
                    Location::Variant { variant, oneof, storage, .. } => match oneof.functions.get(at) {
                        Some((set, _)) if set == usize::from(variant) => {
                            release(row, storage, oneof.insert(at, set))
                        }
                        Some(_) => 0,
                        // The variant may be one that serde skips, whose storage is not known.
                        None => {
                            oneof.clear(at);
                            0
                        }
                    },
                    Location::Arena => 0,
                }
            }
        }
        self.clear_unknown(table);
        if let Some(protos) = self.protos() {
            protos.clear();
        }
        if let Some(reset) = table.shape.and_then(|shape| shape.reset_skipped()) {
            // SAFETY: `reset` is the function for the type of the struct, which is borrowed mutably.
            unsafe { reset(self.at) };
        }
        held
    }
}

/// Drops the parts of a value that cannot be filled again, and returns how many bytes of heap the value still holds.
///
/// # Safety
/// `at` is the address of a live value of the field `row`, with the storage `storage`, and nothing else refers to the
/// value.
unsafe fn release(row: &Row, storage: Storage, at: *mut u8) -> usize {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value. So each arm uses the type that `storage` names, each element lies within its list, and
    // `row.message()` is the table of a message at `at`.
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
            // The functions do not return the capacity of the text, so its length is counted. If a type stores only a
            // pointer and a length, its capacity is the length.
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
            // It is not known how much memory the value owns.
            Storage::Made(functions) => {
                (functions.clear)(at);
                0
            }
            _ => 0,
        }
    }
}

/// True if values with this storage own memory.
fn owns(storage: Storage) -> bool {
    use Storage::{Box, List, Map, Message, Option, String, Text, Vec};
    matches!(storage, String | Vec | Text(_) | Message(_) | Box(_) | Option(_) | List(_) | Map(_))
}
