//! Reads map entries. An entry is a message with a key and a value, in any order. The key and the value may each be missing or
//! repeated. A `Row` describes one field; a map has rows for its keys and for its values.

use super::Decoder;
use super::error::key_in_words;
use super::frames::State;
use super::list::{MOST, after_tag};
use super::slow::{Enter, Step, message_at, raw_field, set_scalar};
use super::value::{length, scalar};
use crate::error::Result;
use crate::layout::{MapFunctions, Storage};
use crate::object::{ObjectMut, mismatch, unmakable};
use crate::table::{Kind, Location, MapRows, Row, Table};
use crate::wire::{Reader, Tag, WireType};

/// An entry. Each slice begins at the key or at a value, and extends to the end of the entry.
struct Entry<'i> {
    /// The bytes from the key on, or [`ZEROS`] if the entry has no key.
    key: &'i [u8],
    value: Value<'i>,
}

enum Value<'i> {
    Missing,
    One(&'i [u8]),
    /// The occurrences of a message value that occurs several times.
    Pieces(Vec<&'i [u8]>),
}

/// A key or a value that is not a message.
#[derive(Clone, Copy)]
enum Part<'i> {
    Bits(u64),
    Text(&'i [u8]),
}

/// The empty message that was inserted for an entry, and the range of the bytes from which the decoder fills it.
pub(super) struct MessageEntry<'t, 'i> {
    pub(super) table: &'t Table,
    pub(super) base: *mut u8,
    pub(super) at: *const u8,
    pub(super) end: *const u8,
    /// The bytes of the entry from the key on.
    pub(super) key: &'i [u8],
}

/// Eight zeros. In every wire type, they are the number 0, false, or the empty string.
const ZEROS: &[u8] = &[0; 8];

impl<'t, 'i> Decoder<'t, 'i> {
    /// Inserts consecutive entries, as long as each entry consists of a key and then a value that is not a message. `at` is at
    /// the length prefix of the first entry. Returns the position after the last entry, and true. If the slow path must read an
    /// entry, returns the position of this entry's tag, and false.
    ///
    /// # Safety
    /// `at` and `end` are within the input, and `at` is after a tag of `row`. `row` is the row of a map, `slot` is the address
    /// of that map, and nothing else refers to the map.
    #[inline(never)]
    pub(super) unsafe fn entries(
        &mut self,
        row: &'t Row,
        slot: *mut u8,
        mut at: *const u8,
        end: *const u8,
    ) -> (*const u8, bool) {
        let rows = row.map();
        let tag_len = usize::from(row.tag_len);
        let Location::Member { storage: Storage::Map(functions), .. } = row.location else {
            return (at.wrapping_sub(tag_len), false);
        };
        if rows.value.is_message() {
            return (at.wrapping_sub(tag_len), false);
        }
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` returns only content that ends at or
        // before `end`. So the `len` bytes from `start` on are readable. `at` is always after a tag, so `at - tag_len` is the
        // position of this tag. `slot` is the address of the map of `row`, so `functions` are the functions of its type, and
        // nothing else refers to the map.
        unsafe {
            // The entries are counted only once. Otherwise, each entry of an unusual form would cause the decoder to count all
            // entries after it again. If the values are a closed enum, the entries are not counted, because entries with
            // unknown numbers do not go into the map.
            if !rows.value.closed && functions.len(slot) == 0 {
                let count = self.count(row, at, end);
                if count > 1 {
                    functions.reserve(slot, count.min(MOST / functions.entry_size.max(1)));
                }
            }
            loop {
                let Some((len, start)) = length(at, end, self.limit) else {
                    return (at.wrapping_sub(tag_len), false);
                };
                let content: &'i [u8] = std::slice::from_raw_parts(start, len);
                let done = self.insert_simple(functions, slot, content, rows);
                if !done {
                    return (at.sub(tag_len), false);
                }
                match after_tag(row, start.add(len), end, self.limit) {
                    Some(next) => at = next,
                    None => return (start.add(len), true),
                }
            }
        }
    }

    /// Inserts an empty message under the key of the entry whose length prefix is at `at`. Returns the message, which the
    /// caller then fills, or `None` if the slow path must read the entry. If `counted` is false, first counts the consecutive
    /// entries, and reserves memory for them.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a map whose values are messages, `slot` is the address of that
    /// map, and nothing else refers to the map.
    #[inline(never)]
    pub(super) unsafe fn message_entry(
        &mut self,
        row: &'t Row,
        slot: *mut u8,
        at: *const u8,
        end: *const u8,
        counted: bool,
    ) -> Option<MessageEntry<'t, 'i>> {
        let rows = row.map();
        let Location::Member { storage: Storage::Map(functions), .. } = row.location else { return None };
        let table = rows.value.message().ok()?;
        let size = u64::from(table.size);
        if self.levels + 1 >= self.max_depth || self.memory < size {
            return None;
        }
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` returns only content that ends at or
        // before `end`. So the `len` bytes from `start` on are part of the input, which lives for `'i`. `slot` is the address
        // of the map of `row`, so `functions` are the functions of its type, and `key` was read for the storage of the map's
        // keys.
        unsafe {
            let (len, start) = length(at, end, self.limit)?;
            let content: &'i [u8] = std::slice::from_raw_parts(start, len);
            let from_key = content.get(1..)?;
            let mut reader = Reader::new(content);
            let key = self.next_part(&rows.key, functions.key, &mut reader)?;
            reader.replace(reader.rest().strip_prefix(&[rows.value.tag as u8])?);
            let value = reader.len_prefixed().ok()?;
            if !reader.is_empty() {
                return None;
            }
            if !counted {
                let count = self.count(row, at, end);
                functions.reserve(slot, count.min(MOST / functions.entry_size.max(1)));
            }
            let base = self.insert_empty(functions, slot, key).ok()?;
            self.memory -= size;
            let content = value.as_ptr_range();
            Some(MessageEntry { table, base, at: content.start, end: content.end, key: from_key })
        }
    }

    /// Inserts an entry whose value is not a message. Returns false if `content` does not consist of a key and then a value, or
    /// if the map does not accept them.
    ///
    /// # Safety
    /// `map` is the address of a map of the type that `functions` are for, and nothing else refers to the map. `rows` are the
    /// rows of the map's keys and values.
    unsafe fn insert_simple(
        &self,
        functions: &MapFunctions,
        map: *mut u8,
        content: &'i [u8],
        rows: &MapRows,
    ) -> bool {
        let mut reader = Reader::new(content);
        let Some(key) = self.next_part(&rows.key, functions.key, &mut reader) else { return false };
        let Some(value) = self.next_part(&rows.value, functions.value, &mut reader) else { return false };
        if !reader.is_empty() {
            return false;
        }
        // SAFETY: the caller says that `map` is the address of a map of the type that `functions` are for, and that nothing
        // else refers to the map. So `insert` passes the addresses of an empty key and an empty value with the storages for
        // which `key` and `value` were read.
        let inserted = unsafe {
            (functions.insert)(map, &mut |key_at, value_at| {
                self.set(functions.key, key_at, key).is_ok()
                    && self.set(functions.value, value_at, value).is_ok()
            })
        };
        !inserted.is_null()
    }

    /// Reads the key or value whose row is `row`. Returns `None` if the next field has another tag or is malformed, or if it
    /// has an unknown number of a closed enum.
    fn next_part(&self, row: &Row, storage: Storage, reader: &mut Reader<'i>) -> Option<Part<'i>> {
        reader.replace(reader.rest().strip_prefix(&[row.tag as u8])?);
        let part = self.part(row, storage, reader).ok()?;
        match part {
            Part::Bits(bits) if !row.takes_number(bits as i32) => None,
            part => Some(part),
        }
    }

    /// Reads a key or a value that is not a message.
    #[inline]
    fn part(&self, row: &Row, storage: Storage, reader: &mut Reader<'i>) -> Result<Part<'i>> {
        match row.is_scalar() {
            true => scalar(reader, row.kind).map(Part::Bits),
            false => self.text(row, storage, reader).map(Part::Text),
        }
    }

    /// Stores a key or a value.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`, and nothing else refers to it. If `part` is a text, it
    /// was read for this storage.
    #[inline]
    unsafe fn set(&self, storage: Storage, at: *mut u8, part: Part<'i>) -> Result<()> {
        // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, to which nothing else
        // refers. A text was read for this storage by the function `text`, which checked that the text is UTF-8 if the value is
        // a string.
        unsafe {
            match part {
                Part::Bits(bits) => set_scalar(storage, at, bits),
                Part::Text(bytes) => self.set_text(storage, at, bytes),
            }
        }
    }

    /// Reads an entry of any form, and inserts it into its map.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is the row of a map in it.
    pub(super) unsafe fn entry(&mut self, state: State<'t>, reader: &mut Reader<'i>) -> Result<Step<'t, 'i>> {
        let (row, rows) = (state.row, state.row.map());
        let content = reader.len_prefixed()?;
        let after = reader.rest().as_ptr();
        let entry = self.parse(reader.within(content), rows)?;
        if rows.value.closed && is_foreign(&entry, rows) {
            if rows.key.kind == Kind::String && rows.key.utf8 {
                let checked = reader.within(entry.key).string();
                checked.map_err(|error| error.in_key(key_in_words(entry.key, &rows.key)))?;
            }
            let kept = raw_field(row.number, WireType::Len, content.len() as u64, content);
            // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
            // The view is used only in this statement.
            unsafe { state.message() }.add_unknown(&kept);
            return Ok(Step::Next(state, after));
        }
        let mut at = reader.within(entry.key);
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, that nothing else refers to that
        // struct, and that `state.row` is the row of a map in it. `insert` requires nothing else.
        let inserted = unsafe { self.insert(state, &entry, &mut at, after) };
        inserted.map_err(|error| {
            let is_part = content.as_ptr_range().contains(&at.rest().as_ptr())
                || at.rest().as_ptr() == content.as_ptr_range().end;
            let error = if is_part { error.at_byte(at.position()) } else { error };
            error.in_key(key_in_words(entry.key, &rows.key))
        })
    }

    /// Inserts an entry into its map. `at` is at the key. After an error, `at` is the position of the error.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is the row of a
    /// map in it.
    unsafe fn insert(
        &mut self,
        state: State<'t>,
        entry: &Entry<'i>,
        at: &mut Reader<'i>,
        after: *const u8,
    ) -> Result<Step<'t, 'i>> {
        let (row, rows) = (state.row, state.row.map());
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers. The
        // view is used only in this statement.
        let (Storage::Map(functions), map) = (unsafe { state.message() }).locate(row)? else {
            return Err(mismatch());
        };
        let key = self.part(&rows.key, functions.key, at)?;
        if rows.value.is_message() {
            // SAFETY: `locate` returned the address of a map together with the functions of its type, and nothing else refers
            // to that map. `part` read the key for the storage of the map's keys.
            return unsafe { self.insert_message(state, entry, (functions, map), key, at, after) };
        }
        let value = match &entry.value {
            Value::One(value) => {
                *at = at.within(value);
                Some(self.part(&rows.value, functions.value, at)?)
            }
            _ if rows.value.kind == Kind::Enum => {
                Some(Part::Bits(rows.value.enumeration().default as u32 as u64))
            }
            _ => None,
        };
        let mut done = Ok(());
        // SAFETY: `locate` returned the address of a map together with the functions of its type, and nothing else refers to
        // that map. `insert` passes the addresses of an empty key and an empty value, with the storages for which `part` read
        // the key and the value.
        let inserted = unsafe {
            (functions.insert)(map, &mut |key_at, value_at| {
                done = self.set(functions.key, key_at, key).and_then(|()| match value {
                    Some(value) => self.set(functions.value, value_at, value),
                    None => Ok(()),
                });
                done.is_ok()
            })
        };
        done?;
        if inserted.is_null() { Err(unmakable()) } else { Ok(Step::Next(state, after)) }
    }

    /// Inserts an entry whose value is a message. The decoder usually inserts an empty message, and then fills it in place.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is the row of a map in it,
    /// `map` is the address of that map, and `functions` are the functions of its type. `key` was read for the storage of the
    /// map's keys.
    unsafe fn insert_message(
        &mut self,
        state: State<'t>,
        entry: &Entry<'i>,
        (functions, map): (&'static MapFunctions, *mut u8),
        key: Part<'i>,
        at: &mut Reader<'i>,
        after: *const u8,
    ) -> Result<Step<'t, 'i>> {
        let rows = state.row.map();
        let table = rows.value.message()?;
        match &entry.value {
            Value::One(value) => *at = at.within(value),
            Value::Pieces(pieces) => *at = at.within(pieces.last().copied().unwrap_or_default()),
            Value::Missing => *at = at.within(ZEROS),
        }
        // The entry is a message, so it counts as a level of nesting, too.
        self.levels += 1;
        let entered = self.enter_memory(table, false);
        self.levels -= 1;
        entered?;
        let mut pieces: Vec<&'i [u8]> = Vec::new();
        match &entry.value {
            Value::One(value) => {
                let content = at.len_prefixed()?;
                // The decoder may fill the message in place only if the message is the end of its entry. Otherwise the decoder
                // would read the bytes after the message as fields of the message.
                if content.as_ptr_range().end == after {
                    // SAFETY: the only caller, `insert`, located the map. So `map` is the address of a map of the type that
                    // `functions` are for, nothing else refers to the map, and `key` was read for the storage of its keys.
                    // `insert_empty` returns the address of a live value with the storage of the map's values. The value stays
                    // at this address, because the map does not change before the message is read.
                    unsafe {
                        let base = message_at(functions.value, self.insert_empty(functions, map, key)?)?;
                        let (at, end) = (content.as_ptr(), content.as_ptr_range().end);
                        let key = Some(entry.key);
                        let enter =
                            Enter { state, table, base, at, end, group: 0, pending: 0, index: 0, key };
                        return Ok(Step::Enter(enter));
                    }
                }
                pieces.push(value);
            }
            Value::Pieces(several) => pieces.clone_from(several),
            Value::Missing => self.missing |= table.required_bits != 0,
        }
        // The message cannot be filled in place later, so the closure fills it during the insertion.
        let mut done = Ok(());
        // SAFETY: the only caller, `insert`, located the map. So `map` is the address of a map of the type that `functions` are
        // for, and nothing else refers to the map. The closure gets the addresses of an empty key, for whose storage `key` was
        // read, and of an empty value, which has a message of the table `table`. Each piece is a part of the input.
        let inserted = unsafe {
            (functions.insert)(map, &mut |key_at, value_at| {
                done = self.set(functions.key, key_at, key).and_then(|()| {
                    let base = message_at(functions.value, value_at)?;
                    for piece in &pieces {
                        *at = at.within(piece);
                        let content = at.len_prefixed()?;
                        self.nested(table, base, content)?;
                    }
                    Ok(())
                });
                done.is_ok()
            })
        };
        done?;
        if inserted.is_null() { Err(unmakable()) } else { Ok(Step::Next(state, after)) }
    }

    /// Inserts an entry with an empty value, and returns the address of the value.
    ///
    /// # Safety
    /// `map` is the address of a map of the type that `functions` are for, and nothing else refers to the map. `key` was read
    /// for the storage of the map's keys.
    unsafe fn insert_empty(&self, functions: &MapFunctions, map: *mut u8, key: Part<'i>) -> Result<*mut u8> {
        let mut done = Ok(());
        // SAFETY: the caller says that `map` is the address of a map of the type that `functions` are for, and that nothing
        // else refers to the map. The closure gets the address of an empty key, for whose storage `key` was read.
        let inserted = unsafe {
            (functions.insert)(map, &mut |key_at, _| {
                done = self.set(functions.key, key_at, key);
                done.is_ok()
            })
        };
        done?;
        if inserted.is_null() { Err(unmakable()) } else { Ok(inserted) }
    }

    /// Fills the message of an entry in a nested call of [`run`](Self::run).
    ///
    /// # Safety
    /// `table` describes the struct at `base`, to which nothing else refers. `content` is a part of the input.
    unsafe fn nested(&mut self, table: &'t Table, base: *mut u8, content: &'i [u8]) -> Result<()> {
        let range = content.as_ptr_range();
        self.levels += 2;
        // SAFETY: the caller says that `table` describes the struct at `base`, that nothing else refers to that struct, and
        // that `content` is a part of the input.
        let end = unsafe { self.run(table, base, range.start, range.end, 0) };
        self.levels -= 2;
        if end.is_null() { Err(self.take_error()) } else { Ok(()) }
    }

    /// Finds the key and the value of an entry.
    fn parse(&self, at: Reader<'i>, rows: &MapRows) -> Result<Entry<'i>> {
        let depth = self.levels_left();
        if let Some((key, rest)) = whole(at, depth, &rows.key)
            && let Some((value, rest)) = whole(rest, depth, &rows.value)
            && rest.is_empty()
        {
            return Ok(Entry { key, value: Value::One(value) });
        }
        scan(at, depth, rows)
    }
}

/// Reads the field whose row is `row`, if its tag in the shortest form is at the cursor. Returns the bytes from its value on,
/// and the reader after the value. Otherwise returns `None`.
fn whole<'i>(mut at: Reader<'i>, depth: u32, row: &Row) -> Option<(&'i [u8], Reader<'i>)> {
    let (tag, rest) = at.rest().split_first()?;
    if u32::from(*tag) != row.tag {
        return None;
    }
    at.replace(rest);
    at.skip(Tag::from_value(row.tag)?, depth).ok()?;
    Some((rest, at))
}

/// Finds the key and the value of an entry in any form. If the key or the value occurs several times, the last occurrence
/// counts, but all occurrences of a message value are merged.
fn scan<'i>(mut at: Reader<'i>, depth: u32, rows: &MapRows) -> Result<Entry<'i>> {
    let (mut key, mut values) = (ZEROS, Vec::new());
    // The path of an error in a string names the key of the entry. The key is known only at the end, because the last key
    // counts. If a key is not UTF-8, the path names no key.
    let (mut wrong, mut named) = (None, true);
    while !at.is_empty() {
        let tag = at.tag()?;
        let value = at.rest();
        at.skip(tag, depth)?;
        if tag.value() == rows.key.tag {
            let checked = check(&at.within(value), &rows.key);
            named &= checked.is_ok();
            wrong = wrong.or(checked.err());
            key = value;
        } else if tag.value() == rows.value.tag {
            wrong = wrong.or(check(&at.within(value), &rows.value).err());
            if !rows.value.is_message() {
                values.clear();
            }
            values.push(value);
        }
    }
    if let Some(error) = wrong {
        let name = if named { key_in_words(key, &rows.key) } else { String::new() };
        return Err(error.in_key(name));
    }
    let value = match *values {
        [value] => Value::One(value),
        [] => Value::Missing,
        _ => Value::Pieces(values),
    };
    Ok(Entry { key, value })
}

/// Checks the key or value at the cursor. Returns an error if it is a string that must be UTF-8 and is not.
fn check(at: &Reader<'_>, row: &Row) -> Result<()> {
    match row.kind {
        Kind::String if row.utf8 => { *at }.string().map(drop),
        _ => Ok(()),
    }
}

/// True if the value of the entry is an unknown number of a closed enum.
fn is_foreign(entry: &Entry<'_>, rows: &MapRows) -> bool {
    match entry.value {
        Value::One(value) => {
            let number = Reader::new(value).varint();
            number.is_ok_and(|number| !rows.value.enumeration().takes(number as i32))
        }
        _ => false,
    }
}

/// Finds the key and the value of an entry for the check of required fields. Returns the bytes from the key on, and, for each
/// occurrence of the value, the bytes from this occurrence on.
pub(super) fn values<'i>(at: Reader<'i>, depth: u32, rows: &MapRows) -> Result<(&'i [u8], Vec<&'i [u8]>)> {
    let entry = scan(at, depth, rows)?;
    Ok((
        entry.key,
        match entry.value {
            Value::Missing => Vec::new(),
            Value::One(value) => vec![value],
            Value::Pieces(values) => values,
        },
    ))
}
