//! Implements the fast path of the decoder.

use super::Decoder;
use super::frames::{State, first, next};
use super::slow::Step;
use super::value::{known_length, load, load_last, load_whole, long_length, long_varint, wide_varint};
use crate::layout::Storage;
use crate::layout::text::{fill, fill_string};
use crate::object::{TypedMut, access};
use crate::table::{Location, OmittedFields, Op, Row, Table};
use crate::wire::{unzigzag32, unzigzag64, utf8};

impl<'t, 'i> Decoder<'t, 'i> {
    /// Reads the fields from `at` to `end` into the message at `base`. Returns `end`, or null after an error.
    ///
    /// # Safety
    /// `table` describes the struct at `base`, to which nothing else refers. `at` and `end` are within the input.
    pub(super) unsafe fn run(
        &mut self,
        table: &'t Table,
        base: *mut u8,
        mut at: *const u8,
        end: *const u8,
        pending: u64,
    ) -> *const u8 {
        let (whole, bottom) = (self.whole, self.frames.len());
        let mut row = first(table);
        // All state is in memory, except for the three values that every field uses: `at`, `row`, and `safe`. At each position
        // before `safe`, eight bytes can be read, and the message has not ended.
        let mut state = State::of(table, base, end, pending);
        let mut safe = end.min(whole);

        // SAFETY: the caller says that `table` describes the struct at `base`, to which nothing else refers. For each nested
        // message, the functions of its row return its address, and the row has its table. So at the offset of each row there
        // is a value of the type that `row.op` names. The decoder does not change a list or map while a frame waits for one of
        // its values. The word of a tag is loaded only if `at` is before `safe` or before `state.end`. A row matches only a
        // whole tag, because the last byte of a tag is not zero, so the cursor after the tag is within the input. A length is
        // compared with the number of bytes up to the end before its payload is read, and text is checked to be UTF-8.
        // `numbers` contains only indices of rows of its table, and a frame is read only if one was pushed.
        unsafe {
            'fields: loop {
                let leave = 'fast: {
                    let mut word;
                    if at < safe {
                        self.start = at;
                        word = load_whole(at);
                    } else {
                        if at > state.end {
                            break 'fast false;
                        }
                        if at == state.end && state.group == 0 {
                            break 'fast true;
                        }
                        self.start = at;
                        if at == state.end {
                            break 'fast false;
                        }
                        word = load_last(at, self.limit);
                    }
                    if word as u32 & row.tag_mask != row.tag_word {
                        // The input often lacks the expected field, so the tag is then compared with the next row.
                        let mut found = next(state.table, row);
                        if word as u32 & found.tag_mask != found.tag_word {
                            let tag = if word & 0x80 == 0 {
                                word as u32 & 0x7f
                            } else if word & 0x8000 == 0 {
                                word as u32 & 0x7f | (word as u32 & 0x7f00) >> 1
                            } else {
                                word as u32 & 0x7f
                                    | (word as u32 & 0x7f00) >> 1
                                    | (word as u32 & 0x7f_0000) >> 2
                            };
                            match state.table.numbers.get(tag >> 3) {
                                Some(index) => found = state.table.rows.get_unchecked(index),
                                None if state.table.passing == OmittedFields::Kept => break 'fast false,
                                None => {
                                    at = self.skip(state.table, self.start, state.end);
                                    if at == self.start {
                                        break 'fast false;
                                    }
                                    continue 'fields;
                                }
                            }
                            if word as u32 & found.tag_mask != found.tag_word {
                                break 'fast false;
                            }
                        }
                        row = found;
                    }
                    at = at.wrapping_add(usize::from(row.tag_len));
                    word >>= 8 * u32::from(row.tag_len);
                    let (mut op, mut slot) = (row.op, state.base.add(row.offset as usize));

                    /// Reads a varint whose first bytes are in `word`. Calls `$long` for a varint of more than two bytes.
                    macro_rules! varint {
                        ($long:ident) => {{
                            if word & 0x80 == 0 {
                                at = at.wrapping_add(1);
                                word & 0x7f
                            } else if word & 0x8000 == 0 {
                                at = at.wrapping_add(2);
                                word & 0x7f | (word & 0x7f00) >> 1
                            } else {
                                let (value, after) = $long(at, self.limit);
                                if after.is_null() {
                                    break 'fast false;
                                }
                                at = after;
                                value
                            }
                        }};
                        () => {
                            varint!(wide_varint)
                        };
                    }
                    /// Reads a length prefix, and checks that the payload is complete.
                    macro_rules! length {
                        () => {{
                            let len = varint!(long_length);
                            // The difference is signed, because `at` may be after `state.end`.
                            if len as i64 > state.end.addr().wrapping_sub(at.addr()) as isize as i64 {
                                break 'fast false;
                            }
                            len as usize
                        }};
                    }
                    macro_rules! bytes {
                        () => {{
                            let len = length!();
                            let bytes = std::slice::from_raw_parts(at, len);
                            at = at.add(len);
                            bytes
                        }};
                    }
                    /// Reads length-delimited text, and checks that the text is UTF-8.
                    macro_rules! text {
                        () => {{
                            match utf8(bytes!()) {
                                Ok(text) => text,
                                Err(_) => break 'fast false,
                            }
                        }};
                    }
                    macro_rules! fixed32 {
                        () => {{
                            at = at.wrapping_add(4);
                            // A tag takes at most four bytes, so `word` contains the whole value.
                            word as u32
                        }};
                    }
                    macro_rules! fixed64 {
                        () => {{
                            let value = load(at, self.limit);
                            at = at.wrapping_add(8);
                            value
                        }};
                    }
                    macro_rules! put {
                        ($ty:ty, $value:expr) => {{
                            let value: $ty = $value;
                            slot.cast::<$ty>().write(value)
                        }};
                    }

                    'op: loop {
                        match op {
                            Op::Int32 | Op::UInt32 => put!(u32, varint!() as u32),
                            Op::Int64 => put!(u64, varint!()),
                            Op::SInt32 => put!(i32, unzigzag32(varint!() as u32)),
                            Op::SInt64 => put!(i64, unzigzag64(varint!())),
                            Op::Bool => put!(bool, varint!(long_varint) != 0),
                            Op::Fixed32 => put!(u32, fixed32!()),
                            Op::Fixed64 => put!(u64, fixed64!()),
                            Op::Enum => {
                                if !set_enum(row, slot, varint!(long_varint) as i32) {
                                    break 'fast false;
                                }
                            }
                            Op::String => fill_string(&mut *slot.cast::<String>(), text!()),
                            Op::Str => put!(&str, text!()),
                            Op::Vec => fill(&mut *slot.cast::<Vec<u8>>(), bytes!()),
                            Op::Slice => put!(&[u8], bytes!()),
                            Op::Text => {
                                let len = length!();
                                if !self.fill_text(row, slot, std::slice::from_raw_parts(at, len)) {
                                    break 'fast false;
                                }
                                at = at.add(len);
                            }
                            Op::Numbers if row.packed => {
                                at = self.packed(row, slot, at, state.end);
                                if at.is_null() {
                                    break 'fast false;
                                }
                            }
                            Op::Numbers => {
                                let (after, done) = self.unpacked(row, slot, at, state.end);
                                at = after;
                                if !done {
                                    self.start = at;
                                    break 'fast false;
                                }
                            }
                            Op::Strings | Op::Vecs | Op::Strs | Op::Slices | Op::Texts => {
                                let reused = state.pending & row.bit != 0;
                                state.pending &= !row.bit;
                                let (after, done) = match op {
                                    Op::Texts => self.texts(row, slot, at, state.end),
                                    Op::Strings => self.strings(
                                        row,
                                        &mut *slot.cast::<Vec<String>>(),
                                        at,
                                        state.end,
                                        reused,
                                    ),
                                    Op::Vecs => self.strings(
                                        row,
                                        &mut *slot.cast::<Vec<Vec<u8>>>(),
                                        at,
                                        state.end,
                                        reused,
                                    ),
                                    Op::Strs => self.strings(
                                        row,
                                        &mut *slot.cast::<Vec<&str>>(),
                                        at,
                                        state.end,
                                        reused,
                                    ),
                                    _ => self.strings(
                                        row,
                                        &mut *slot.cast::<Vec<&[u8]>>(),
                                        at,
                                        state.end,
                                        reused,
                                    ),
                                };
                                at = after;
                                if !done {
                                    self.start = at;
                                    break 'fast false;
                                }
                            }
                            Op::Message | Op::BoxMessage => {
                                let len = length!();
                                let Ok(sub) = row.message() else { break 'fast false };
                                // If the message occurs again, its memory is not taken again.
                                let size = if state.seen & row.bit != 0 { 0 } else { u64::from(sub.size) };
                                if self.levels >= self.max_depth || self.memory < size {
                                    break 'fast false;
                                }
                                if op == Op::BoxMessage {
                                    slot = access::unboxed_mut(slot);
                                }
                                self.memory -= size;
                                state.seen |= row.bit;
                                let replaced = state.pending & row.bit != 0;
                                state.pending &= !row.bit;
                                let end = at.add(len);
                                if len == sub.fixed_len as usize && len > 0 && fixed_numbers(sub, slot, at) {
                                    if replaced && let Some(unknown) = TypedMut::new(slot, sub).unknown_mut()
                                    {
                                        unknown.clear();
                                    }
                                    at = end;
                                    row = next(state.table, row);
                                    continue 'fields;
                                }
                                let left = if replaced { TypedMut::new(slot, sub).reset() } else { 0 };
                                self.enter(&mut state, row, State::of(sub, slot, end, left));
                                (row, safe) = (state.row, state.end.min(whole));
                                continue 'fields;
                            }
                            Op::Messages => {
                                at = self.messages(&mut state, row, slot, at);
                                if at.is_null() {
                                    break 'fast false;
                                }
                                (row, safe) = (state.row, state.end.min(whole));
                                continue 'fields;
                            }
                            Op::Map => {
                                let (after, done) = self.entries(row, slot, at, state.end);
                                at = after;
                                if !done {
                                    self.start = at;
                                    break 'fast false;
                                }
                            }
                            Op::MessageMap => {
                                let counted = row.bit == 0 || state.seen & row.bit != 0;
                                match self.message_entry(row, slot, at, state.end, counted) {
                                    Some(entry) => {
                                        state.seen |= row.bit;
                                        self.enter(
                                            &mut state,
                                            row,
                                            State::of(entry.table, entry.base, entry.end, 0),
                                        );
                                        (row, safe) = (state.row, state.end.min(whole));
                                        self.frames.last().key = Some(entry.key);
                                        self.levels += 1;
                                        at = entry.at;
                                        continue 'fields;
                                    }
                                    None => break 'fast false,
                                }
                            }
                            Op::Bit => {
                                *state.base.add(row.presence_word as usize).cast::<u32>() |=
                                    row.presence_mask;
                                op = row.inner;
                                continue 'op;
                            }
                            Op::Option => {
                                let Some(option) = row.option() else { break 'fast false };
                                slot = option.insert(slot);
                                if slot.is_null() {
                                    break 'fast false;
                                }
                                op = row.inner;
                                continue 'op;
                            }
                            Op::Variant => {
                                let Location::Variant { variant, oneof, .. } = row.location else {
                                    break 'fast false;
                                };
                                slot = oneof.insert(slot, usize::from(variant));
                                if slot.is_null() {
                                    break 'fast false;
                                }
                                op = row.inner;
                                continue 'op;
                            }
                            Op::OptionMessage | Op::Other | Op::Group | Op::List => break 'fast false,
                        }
                        break;
                    }
                    state.seen |= row.bit;
                    state.pending &= !row.bit;
                    row = next(state.table, row);
                    continue 'fields;
                };

                let leave = leave || {
                    state.row = row;
                    match self.slow(&state, self.start) {
                        Step::Next(next, after) => {
                            (state, at, row) = (next, after, next.row);
                            continue;
                        }
                        Step::Enter(enter) => {
                            (state, at) = (enter.state, enter.at);
                            let inner = State::of(enter.table, enter.base, enter.end, enter.pending);
                            let outer = state.row;
                            self.enter(&mut state, outer, State { group: enter.group, ..inner });
                            let frame = self.frames.last();
                            (frame.index, frame.key) = (enter.index, enter.key);
                            self.levels += u32::from(enter.key.is_some());
                            (row, safe) = (state.row, state.end.min(whole));
                            continue;
                        }
                        Step::Leave(after) => {
                            at = after;
                            true
                        }
                        Step::Fail => return self.unwind(bottom),
                    }
                };
                debug_assert!(leave);

                if state.pending != 0 {
                    TypedMut::new(state.base, state.table).clear_rows(state.pending);
                }
                if state.seen & state.table.required_bits != state.table.required_bits
                    && !self.end_message(&state)
                {
                    return self.unwind(bottom);
                }
                if self.frames.len() == bottom {
                    return at;
                }
                let frame = self.frames.last();
                if frame.left > 0 {
                    // `count` has checked the next element, so its tag and its length prefix are valid.
                    frame.left -= 1;
                    frame.index += 1;
                    state.base = state.base.add(frame.stride);
                    state.pending = 0;
                    if frame.reused > 0 {
                        frame.reused -= 1;
                        state.pending = TypedMut::new(state.base, state.table).reset();
                    }
                    let (len, after) = known_length(at.add(usize::from(frame.state.row.tag_len)), self.limit);
                    at = after;
                    state.end = after.add(len);
                    safe = state.end.min(whole);
                    state.seen = 0;
                    row = first(state.table);
                    continue;
                }
                let frame = self.frames.pop();
                self.levels -= frame.levels();
                state = frame.state;
                safe = state.end.min(whole);
                row = if frame.key.is_some() { state.row } else { next(state.table, state.row) };
            }
        }
    }

    /// Skips fields that the type does not store. Returns the position of the first field that this function cannot skip.
    ///
    /// # Safety
    /// `at` and `end` are within the input, and `at` is not after `end`.
    #[inline(never)]
    unsafe fn skip(&self, table: &Table, at: *const u8, end: *const u8) -> *const u8 {
        // SAFETY: the caller says that `at` and `end` are within the input, and that `at` is not after `end`. So all bytes
        // between them are part of the input.
        let fields = unsafe { std::slice::from_raw_parts(at, end.addr() - at.addr()) };
        table.pass_over(fields).as_ptr()
    }

    /// Sets a string or byte string with the functions of its Rust type. Returns false if the type rejects the value.
    ///
    /// # Safety
    /// `at` is the address of the value of `row`, without an option around it.
    #[inline(never)]
    unsafe fn fill_text(&self, row: &Row, at: *mut u8, bytes: &'i [u8]) -> bool {
        let Some(storage) = row.storage() else { return false };
        let Storage::Text(functions) = storage.leaf() else { return false };
        // SAFETY: the caller says that `at` is the address of the value of `row`. `functions` come from the storage of this
        // value, and `wants_utf8` is true if the storage is that of a string.
        unsafe { self.set_checked(row.wants_utf8(storage), functions, at, bytes) }
    }
}

/// Reads a message whose fields are all numbers of a fixed width, for example a point or a color. This needs fewer instructions
/// than the general code. Returns false if a field does not occur exactly once and in order. Some fields may then be stored
/// already.
///
/// # Safety
/// `table` describes the struct at `base`, to which nothing else refers. `table.fixed_len` bytes are readable from `at` on.
#[inline]
unsafe fn fixed_numbers(table: &Table, base: *mut u8, mut at: *const u8) -> bool {
    for row in &table.rows {
        // SAFETY: the caller says that `table.fixed_len` bytes are readable. This is the length of a tag of one byte and a
        // number for each row. At the offset of each row, the struct has a number of this size, for which every bit pattern is
        // valid.
        unsafe {
            if *at != row.tag_word as u8 {
                return false;
            }
            let (value, slot) = (at.add(1), base.add(row.offset as usize));
            if row.op == Op::Fixed32 {
                slot.cast::<u32>().write(u32::from_le(value.cast::<u32>().read_unaligned()));
                at = value.add(size_of::<u32>());
            } else {
                slot.cast::<u64>().write(u64::from_le(value.cast::<u64>().read_unaligned()));
                at = value.add(size_of::<u64>());
            }
        }
    }
    true
}

/// Sets an enum. Returns false if the enum is closed, and does not have the number.
///
/// # Safety
/// `slot` is the address of the member of `row`.
#[inline(never)]
unsafe fn set_enum(row: &Row, slot: *mut u8, number: i32) -> bool {
    let Location::Member { mut storage, .. } = row.location else { return false };
    let mut at = slot;
    // SAFETY: the caller says that `slot` is the address of the member of `row`, so a live value with the storage of `row` is
    // there. `option.insert` returns the address of a value with the storage `option.value()`, or null. An open enum is a
    // number of four bytes, for which every bit pattern is valid.
    unsafe {
        if !row.takes_number(number) {
            return false;
        }
        if let Storage::Option(option) = storage {
            at = option.insert(slot);
            storage = option.value();
        }
        if at.is_null() {
            return false;
        }
        if let Storage::OpenEnum(_) = storage {
            at.cast::<i32>().write(number);
            return true;
        }
        access::set_scalar(storage, at, u64::from(number as u32))
    }
}
