//! Reads map entries. An entry is a message with a key and a value, in any order; each of the two may be missing or
//! repeated.

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

/// An entry. Its slices extend from the key or a value to the end of the entry.
struct Entry<'i> {
    /// The key; zero bytes if the entry has none.
    key: &'i [u8],
    value: Value<'i>,
}

/// The value of an entry.
enum Value<'i> {
    Missing,
    One(&'i [u8]),
    /// The occurrences of a message, which may be several.
    Pieces(Vec<&'i [u8]>),
}

/// A key or a value that is not a message.
#[derive(Clone, Copy)]
enum Part<'i> {
    Bits(u64),
    Text(&'i [u8]),
}

/// The empty message that was inserted for an entry, and the bytes to read into it.
pub(super) struct MessageEntry<'t, 'i> {
    pub(super) table: &'t Table,
    pub(super) base: *mut u8,
    pub(super) at: *const u8,
    pub(super) end: *const u8,
    /// The entry from its key on.
    pub(super) key: &'i [u8],
}

/// Eight zeros, which are the number 0, false, or the empty string in every wire type.
const ZEROS: &[u8] = &[0; 8];

impl<'t, 'i> Decoder<'t, 'i> {
    /// Reads consecutive entries, with `at` at the length of the first entry, as long as each is a key and a value that
    /// is not a message. Returns the position of the end, and false if the slow path must read the entry there.
    ///
    /// # Safety
    /// `at` and `end` are within the input, and `at` is behind a tag of `row`. `row` is the row of a map, and `slot` is
    /// the address of that map, to which nothing else refers.
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
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` gives only content up to the
        // end: so the `len` bytes from `start` on are readable, and the cursor is always behind a tag when `tag_len` is
        // taken off. The map at the address is that of the row, so that its functions fit, and nothing else refers to
        // it.
        unsafe {
            // Entries are counted only once, because otherwise each entry of an unusual form would cause all entries
            // after it to be counted again. A map whose values are a closed enum is never counted, because it may stay
            // empty.
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

    /// Inserts an empty message under the key of the entry whose length is at `at`, if the entry has exactly a key and
    /// a value in this order. Returns the message, which the caller then fills. Unless the entries were `counted`
    /// already, counts them and makes room for all.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a map whose values are messages, and `slot` is the
    /// address of that map, to which nothing else refers.
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
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` gives only content up to the
        // end: so the `len` bytes from `start` on are part of the input, which lives for `'i`. The map at the address
        // is that of the row, so that its functions fit, and the key was read for the storage of its keys.
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

    /// Inserts an entry whose value is not a message, if its `content` is exactly a key and a value in this order.
    /// Returns false otherwise.
    ///
    /// # Safety
    /// `map` is the address of a map of the type that `functions` are for, to which nothing else refers. `rows` are the
    /// rows of its keys and values.
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
        // SAFETY: the caller says that `map` is the address of a map of the type that `functions` are for. So `insert`
        // gives the addresses of an empty key and an empty value with just the storage for which each part was read.
        let inserted = unsafe {
            (functions.insert)(map, &mut |key_at, value_at| {
                self.set(functions.key, key_at, key).is_ok()
                    && self.set(functions.value, value_at, value).is_ok()
            })
        };
        !inserted.is_null()
    }

    /// Reads the key or value with the row `row`. Returns `None` if another field comes next, or if the value does not
    /// fit the row.
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
    /// `at` is the address of a live value with the storage `storage`, and nothing else refers to it; a text was read
    /// for the same storage.
    #[inline]
    unsafe fn set(&self, storage: Storage, at: *mut u8, part: Part<'i>) -> Result<()> {
        // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, to which nothing
        // else refers. A text was read for the same storage, by `text`, which found it to be UTF-8 where the value is a
        // string.
        unsafe {
            match part {
                Part::Bits(bits) => set_scalar(storage, at, bits),
                Part::Text(bytes) => self.set_text(storage, at, bytes),
            }
        }
    }

    /// Reads an entry of any form.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, and nothing else refers to that struct. `state.row` is the
    /// row of a map in it.
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
            // SAFETY: the caller says that `state.table` describes the struct at `state.base`. Nothing else refers to
            // that struct while the view is used.
            unsafe { state.message() }.add_unknown(&kept);
            return Ok(Step::Next(state, after));
        }
        let mut at = reader.within(entry.key);
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else
        // refers, and that `state.row` is the row of a map. `insert` gets `state` unchanged.
        let inserted = unsafe { self.insert(state, &entry, &mut at, after) };
        inserted.map_err(|error| {
            let is_part = content.as_ptr_range().contains(&at.rest().as_ptr())
                || at.rest().as_ptr() == content.as_ptr_range().end;
            let error = if is_part { error.at_byte(at.position()) } else { error };
            error.in_key(key_in_words(entry.key, &rows.key))
        })
    }

    /// Inserts an entry into its map. `at` is at the key; after an error, `at` is the position of the error.
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
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`. Nothing else refers to that
        // struct while the view is used.
        let (Storage::Map(functions), map) = (unsafe { state.message() }).locate(row)? else {
            return Err(mismatch());
        };
        let key = self.part(&rows.key, functions.key, at)?;
        if rows.value.is_message() {
            // SAFETY: `locate` gave the address of a map together with its functions, and nothing else refers to that
            // map; `part` read the key for the storage of its keys.
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
        // SAFETY: `locate` gave the address of a map together with its functions, and nothing else refers to that map.
        // The functions give the addresses of an empty key and an empty value, with the storages for which `part` read
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

    /// Inserts an entry whose value is a message. The message is inserted empty, and then filled where it lies in the
    /// map.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is the row of a
    /// map in it, `map` is the address of that map, and `functions` are those of its type. `key` was read for the
    /// storage of its keys.
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
        // The entry is a message, so it counts as a level, too.
        self.levels += 1;
        let entered = self.enter_memory(table, false);
        self.levels -= 1;
        entered?;
        let mut pieces: Vec<&'i [u8]> = Vec::new();
        match &entry.value {
            Value::One(value) => {
                let content = at.len_prefixed()?;
                // Bytes after the message in its entry would be read as fields of the message.
                if content.as_ptr_range().end == after {
                    // SAFETY: the only caller, `insert`, located the map: so a map of the type of these functions is at
                    // the address, to which nothing else refers, and the key was read for the storage of its keys.
                    // `insert_empty` gives the address of a live value with the storage of values. It stays in the map,
                    // which is not changed before the message is read.
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
        // The message is not last in its entry, so it is read before it is inserted.
        let mut done = Ok(());
        // SAFETY: the only caller, `insert`, located the map: so a map of the type of these functions is at the
        // address, to which nothing else refers. The addresses in the closure are those of an empty key, for whose
        // storage the key was read, and of an empty value, which has a message of the table of the row; each piece is a
        // part of the input.
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
    /// `map` is the address of a map of the type that `functions` are for, to which nothing else refers. `key` was read
    /// for the storage of its keys.
    unsafe fn insert_empty(&self, functions: &MapFunctions, map: *mut u8, key: Part<'i>) -> Result<*mut u8> {
        let mut done = Ok(());
        // SAFETY: both callers pass a map with the functions of its type: so a map of the type of these functions is at
        // the address, to which nothing else refers. The address in the closure is that of an empty key, and the key
        // was read for its storage.
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
    /// `table` describes the struct at `base`, to which nothing else refers, and `content` is a part of the input.
    unsafe fn nested(&mut self, table: &'t Table, base: *mut u8, content: &'i [u8]) -> Result<()> {
        let range = content.as_ptr_range();
        self.levels += 2;
        // SAFETY: the only caller, `insert_message`, passes the address of a message of the table in a new entry, to
        // which nothing else refers, and the content is a slice of the input.
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

/// Reads the field with the row `row`, if its tag comes next in its shortest form. Returns the bytes of its value, and
/// the reader after it.
fn whole<'i>(mut at: Reader<'i>, depth: u32, row: &Row) -> Option<(&'i [u8], Reader<'i>)> {
    let (tag, rest) = at.rest().split_first()?;
    if u32::from(*tag) != row.tag {
        return None;
    }
    at.replace(rest);
    at.skip(Tag::from_value(row.tag)?, depth).ok()?;
    Some((rest, at))
}

/// Finds the key and the value of an entry in any form. If the key or the value occurs several times, the last counts,
/// but message values are merged.
fn scan<'i>(mut at: Reader<'i>, depth: u32, rows: &MapRows) -> Result<Entry<'i>> {
    let (mut key, mut values) = (ZEROS, Vec::new());
    // An error in a text is reported only when the key for its path is known, which is the last key, or none if a key
    // is not UTF-8.
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

/// Checks the text at the cursor. The caller keeps the state, because a later occurrence may replace the text.
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

/// Returns the key of an entry, and for each occurrence of the value the bytes from its start on, for the check of
/// required fields.
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
