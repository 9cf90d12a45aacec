//! Decodes lists and maps from the wire format into an arena.

use crate::error::{Error, Result};
use crate::object::arena::decode::Decoder;
use crate::object::arena::packed;
use crate::object::arena::scan::{accept, count_messages};
use crate::object::arena::words::{Offsets, is_roomy, list_range, list_word, roomy_list_word};
use crate::table::{ENTRY_CELLS, Kind, MAP_CELLS, MapRows, Op, Row, Width};
use crate::wire::packed::count;
use crate::wire::{Reader, Tag, WireType, Writer};

impl<'a> Decoder<'a> {
    /// Takes cells for `more` elements at the end of the list in a slot. Returns the position of the list, and the index of
    /// the first new element.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn elements(&mut self, width: Width, slot: u32, more: usize) -> Result<(u32, usize)> {
        if self.arena.cells.get_wide(slot) != 0 {
            return self.more_elements(width, slot, more);
        }
        let start = self.take(width.cells(more))?;
        self.arena.cells.set_wide(slot, list_word(start, more));
        Ok((start, 0))
    }

    #[inline(never)]
    fn more_elements(&mut self, width: Width, slot: u32, more: usize) -> Result<(u32, usize)> {
        let word = self.arena.cells.get_wide(slot);
        let ((start, len), room) = (list_range(word), self.arena.room(word));
        let wanted = len + more;
        let mut grown = word + ((more as u64) << 32);
        if wanted <= room {
            // The list has enough room.
        } else if start as usize + width.cells(room) == self.used {
            // The list is at the end of the cells, so it grows in place.
            self.take(width.cells(wanted) - width.cells(room))?;
            if is_roomy(word) {
                self.arena.cells.set(start - 1, wanted as u32);
            }
        } else {
            let doubled = wanted.max(2 * len);
            let fits = self.used + 1 + width.cells(doubled) < self.max_cells;
            let room = if fits { doubled } else { wanted };
            let to = self.take(1 + width.cells(room))? + 1;
            self.arena.cells.set(to - 1, room as u32);
            self.arena.cells.copy_elements(width, start, len, to);
            self.arena.garbage += len * width.bytes();
            grown = roomy_list_word(to, wanted);
        }
        self.arena.cells.set_wide(slot, grown);
        Ok((list_range(grown).0, len))
    }

    /// Reads a packed run, or elements of a list that directly follow one another, each with its tag. `wire_type` is the
    /// wire type of the first tag, and `all` begins after this tag. Returns the bytes after the elements.
    #[inline(never)]
    pub(super) fn list(&mut self, at: u32, row: &Row, wire_type: u32, all: &'a [u8]) -> Result<&'a [u8]> {
        let slot = Offsets::new(at).slot(row);
        if row.is_message() {
            return self.messages(row, slot, all);
        }
        if row.other_tag != 0 && wire_type == WireType::Len as u32 {
            return self.packed(at, row, slot, all);
        }
        self.scalars(row, slot, all, wire_type == row.tag & 7)
    }

    /// Reads numbers or strings whose tag is the tag of the row. If the first element has the other tag, or the field is a
    /// closed enum, reads only this element.
    fn scalars(&mut self, row: &Row, slot: u32, all: &'a [u8], is_own_tag: bool) -> Result<&'a [u8]> {
        let (mut rest, op, width) = (all, Op::element(row), row.width());
        // The caller checks each number of a closed enum before this function reads the number.
        let is_one = row.closed || !is_own_tag;
        loop {
            let (mut words, mut count) = ([0; 8], 0);
            let next = loop {
                match self.scalar(op, rest) {
                    Ok((word, after)) => (words[count], rest) = (word, after),
                    Err(error) => {
                        let index = list_range(self.arena.cells.get_wide(slot)).1 + count;
                        return Err(error.in_index(index).at_byte(self.position(rest)));
                    }
                }
                count += 1;
                match accept(rest, row) {
                    Some(after) if count < words.len() && !is_one => rest = after,
                    next => break next,
                }
            };
            let (start, first) = self.elements(width, slot, count)?;
            for (index, word) in words[..count].iter().enumerate() {
                self.arena.cells.set_element(width, start, first + index, *word);
            }
            match next {
                Some(after) if !is_one => rest = after,
                _ => return Ok(rest),
            }
        }
    }

    /// Reads messages that directly follow one another. Returns the bytes after them.
    fn messages(&mut self, row: &Row, slot: u32, all: &'a [u8]) -> Result<&'a [u8]> {
        let mut rest = all;
        loop {
            // The end of a group is not known before the group was read, so groups are not counted.
            let count = if row.kind == Kind::Group { 1 } else { count_messages(row, rest) };
            let (start, first) = self.elements(Width::Four, slot, count)?;
            for index in first..first + count {
                if index != first {
                    // `count_messages` found a tag of the row here, so its length is known.
                    rest = rest.get(usize::from(row.tag_len)..).unwrap_or_default();
                }
                match self.inner(row, 0, rest) {
                    Ok((at, after)) => {
                        self.arena.cells.set(start + index as u32, at);
                        rest = after;
                    }
                    Err(error) => return Err(error.in_index(index).at_byte(self.position(rest))),
                }
            }
            match accept(rest, row) {
                Some(after) => rest = after,
                None => return Ok(rest),
            }
        }
    }

    /// Reads a packed run. Returns the bytes after it.
    fn packed(&mut self, at: u32, row: &Row, slot: u32, all: &'a [u8]) -> Result<&'a [u8]> {
        let (run, after) = self.prefixed(all)?;
        if row.closed {
            self.packed_closed(at, row, slot, Reader::new(self.input).within(run))?;
            return Ok(after);
        }
        if run.is_empty() {
            return Ok(after);
        }
        let width = row.width();
        let len = match row.kind.wire_type() {
            WireType::Fixed32 | WireType::Fixed64 => run.len() / width.bytes(),
            _ => count(run),
        };
        let (start, held) = self.elements(width, slot, len)?;
        let out = self.arena.cells.elements_mut(width, start, held, len);
        packed::read(row.kind, Reader::new(self.input).within(run), out)
            .map_err(|(index, error)| error.in_index(held + index))?;
        Ok(after)
    }

    /// Reads a packed run of a closed enum. Numbers that the enum does not have are kept as unknown fields, unless the
    /// projection drops unknown fields.
    #[cold]
    fn packed_closed(&mut self, at: u32, field: &Row, slot: u32, mut run: Reader<'a>) -> Result<()> {
        let known = field.enumeration();
        while !run.is_empty() {
            let held = list_range(self.arena.cells.get_wide(slot)).1;
            let number = run.varint().map_err(|error| error.in_index(held))? as i32;
            if known.takes(number) {
                let (start, index) = self.elements(Width::Four, slot, 1)?;
                self.arena.cells.set_element(Width::Four, start, index, u64::from(number as u32));
            } else if !field.lossy {
                let mut kept = Writer::new();
                kept.tag(Tag::new(field.number, WireType::Varint));
                kept.varint(i64::from(number) as u64);
                self.arena.add_unknown_of(Some(self.input), at, &kept.finish()?);
            }
        }
        Ok(())
    }

    /// Reads the entries of a map that directly follow one another. Returns the bytes after them.
    #[inline(never)]
    pub(super) fn map(&mut self, at: u32, field: &Row, all: &'a [u8]) -> Result<&'a [u8]> {
        let (mut rest, slot, rows) = (all, Offsets::new(at).slot(field), field.map());
        let loose = rows.key.kind == Kind::String && !rows.key.utf8;
        let map = match self.arena.cells.get(slot) {
            0 => {
                let map = self.take(MAP_CELLS as usize)?;
                self.arena.cells.set(slot, map);
                self.arena.start_map(map, rows.key.kind == Kind::String)
            }
            map => u64::from(map),
        };
        loop {
            let (inside, after) = self.prefixed(rest)?;
            let entry = self.take(ENTRY_CELLS as usize)?;
            if let Err(error) = self.entry(rows, entry, inside) {
                return Err(self.in_entry(rows, inside, error));
            }
            rest = after;
            let (key, value) = self.arena.entry(entry);
            if loose && crate::wire::utf8(self.arena.bytes_of(Some(self.input), key)).is_err() {
                self.arena.replaces = true;
            }
            if !rows.value.takes_number(value as i32) {
                if field.lossy {
                    self.untake(entry);
                    match accept(rest, field) {
                        Some(after) => rest = after,
                        None => return Ok(rest),
                    }
                    continue;
                }
                let mut kept = Writer::new();
                kept.tag(Tag::new(field.number, WireType::Len));
                kept.len_prefixed(inside);
                self.arena.add_unknown_of(Some(self.input), at, &kept.finish()?);
            } else if !self.arena.put_entry_of(Some(self.input), map, entry) {
                self.untake(entry);
            }
            match accept(rest, field) {
                Some(after) => rest = after,
                None => return Ok(rest),
            }
        }
    }

    /// Gives back the cells of an entry if they are the last cells taken. Otherwise counts them as garbage.
    #[cold]
    fn untake(&mut self, entry: u32) {
        if (entry + ENTRY_CELLS) as usize == self.used {
            self.arena.cells.message_mut(entry, ENTRY_CELLS).fill(0);
            self.used = entry as usize;
        } else {
            self.arena.garbage += 24;
        }
    }

    /// Reads an entry. Most entries have a key and a value, in this order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&mut self, rows: &MapRows, entry: u32, all: &'a [u8]) -> Result<()> {
        let mut left = all;
        if let Some(rest) = accept(all, &rows.key)
            && let Some((word, rest)) = self.quick(rows.key.op, rest)
        {
            self.arena.set_key(entry, word);
            left = rest;
            if let Some(rest) = accept(rest, &rows.value) {
                left = self.entry_value(rows, entry, rest)?;
                if left.is_empty() {
                    return Ok(());
                }
            }
        }
        self.entry_rest(rows, entry, left)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, rows: &MapRows, entry: u32, rest: &'a [u8]) -> Result<&'a [u8]> {
        let held = self.arena.entry(entry).1 as u32;
        let read = match rows.value.op {
            Op::Message | Op::Group => {
                // The entry counts as a level of messages, too.
                let depth = self.depth;
                self.depth = depth.saturating_sub(1);
                let read = self.inner(&rows.value, held, rest);
                self.depth = depth;
                read.map(|(at, rest)| (u64::from(at), rest))
            }
            op => self.scalar(op, rest),
        };
        match read {
            Ok((word, rest)) => {
                self.arena.set_value(entry, word);
                Ok(rest)
            }
            Err(error) => Err(error.at_byte(self.position(rest))),
        }
    }

    /// Adds the key of the entry to an error in its value. If the entry has several keys, the last key counts. If the entry
    /// itself is malformed, returns that error.
    #[cold]
    fn in_entry(&self, rows: &MapRows, inside: &'a [u8], error: Error) -> Error {
        let mut r = Reader::new(self.input).within(inside);
        // A key that is not UTF-8 cannot be read. Then the error names the default key, even if the entry has further keys.
        let mut key = Some(0);
        while !r.is_empty() {
            let mut start = r;
            if let Err(error) = r.tag().and_then(|tag| r.skip(tag, self.depth)) {
                return error;
            }
            if start.tag().is_ok_and(|tag| tag.value() == rows.key.tag) {
                let read = self.scalar(rows.key.op, start.rest());
                key = key.and(read.ok().map(|(word, _)| word));
            }
        }
        let key = self.arena.key_in_words(Some(self.input), rows.key.kind, key.unwrap_or(0));
        error.in_key(key).at_byte(r.position())
    }

    /// Reads the rest of an entry whose fields are in another order, repeated or absent.
    #[cold]
    fn entry_rest(&mut self, rows: &MapRows, entry: u32, mut rest: &'a [u8]) -> Result<()> {
        while !rest.is_empty() {
            let mut r = Reader::new(self.input).within(rest);
            let tag = r.tag()?;
            rest = r.rest();
            if tag.value() == rows.key.tag {
                let word;
                (word, rest) = self.scalar(rows.key.op, rest)?;
                self.arena.set_key(entry, word);
            } else if tag.value() == rows.value.tag {
                rest = self.entry_value(rows, entry, rest)?;
            } else {
                r.skip(tag, self.depth)?;
                rest = r.rest();
            }
        }
        if rows.value.is_message() && self.arena.entry(entry).1 == 0 {
            // The value is an empty message. Required fields may be missing, so it is decoded, too.
            self.entry_value(rows, entry, &[0]).map_err(Error::nowhere)?;
        }
        Ok(())
    }
}
