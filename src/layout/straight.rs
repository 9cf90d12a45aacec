//! Straight-line encoding: the functions that the encoder calls which the derive writes for a message.
//!
//! That encoder is the only code about a format that is compiled per type. It visits the members in the order of field
//! numbers. By the functions here it writes numbers, enums, text, lists of strings, and messages whose types have such
//! code, alone or in lists. Other lists, maps and oneofs it leaves to the steps of the table; numbers and texts of a oneof
//! are written here once its step says which one is set. It decides nothing: it is used where the table finds that it does
//! what the steps do (`table/straight.rs`), and a test holds it against them.

use super::record::{RECORD_ROOM, Record, put_record};
use super::{UnknownFields, vec};
use crate::wire::{SHORT_SLICE, store_slice, store_varint_inline};
use once_cell::sync::OnceCell;
use std::fmt;
use std::mem::replace;
use std::ptr::{self, NonNull};

/// The function of a message: takes the address of one and a cursor, and gives the cursor behind its fields.
pub(crate) type StraightFn = unsafe fn(*const u8, &mut Straight<'_>, *mut u8) -> *mut u8;

/// A field, as the derive knows it: a plain number, for which a compiler has least to do.
///
/// Its first five bytes are the tag, with no wire type yet. The first half of the next byte says how long the tag is, the
/// other half how the number is written, where the Rust type leaves a choice: the [`WireKind`](super::WireKind) after zero
/// for none. The last two bytes are the field's index among those of the struct, by number.
pub type Field = u64;

#[inline]
fn tag(field: Field) -> u64 {
    field & 0xff_ffff_ffff
}

#[inline]
fn tag_len(field: Field) -> usize {
    (field >> 40 & 0xf) as usize
}

#[inline]
fn index(field: Field) -> u16 {
    (field >> 48) as u16
}

/// Writes the member that is set of a oneof of the message that is being written: takes the index of the step and a cursor,
/// and gives the cursor behind it; null where it is left to the rest.
pub(crate) type OneofFn = unsafe fn(u16, &mut Straight<'_>, *mut u8) -> *mut u8;

const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// How many bytes can be written without asking for room: a tag, stored as a word, and the longest varint.
pub(crate) const SLACK: usize = 32;

/// Text no longer than this is written without a look at how much was written before.
pub(crate) const LONG: usize = 4096;

const _: () = assert!(LONG < 1 << 14);

/// The straight-line code of a message type, with what it needs to know of its fields.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) function: StraightFn,
    /// A bit for each field preceded by oneofs; one more for those at the end.
    pub(crate) oneofs: u64,
    /// For each field, and one more, the step of the oneof before it, where there is just one.
    pub(crate) single_oneofs: &'static [Option<u16>],
    /// Where the unknown fields lie.
    pub(crate) unknown: Option<u32>,
    /// How the messages in a field are written, noted when the first one is.
    pub(crate) fields: &'static [OnceCell<Nested>],
}

/// How the messages in a field are written.
#[derive(Debug)]
pub(crate) enum Nested {
    Record(&'static Record),
    Straight(PlannedType),
    /// Those of a list, so many bytes apart.
    List(PlannedType, usize),
    /// By the rest.
    Other,
}

/// A message type with straight-line code, in a field of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedType {
    plan: NonNull<Plan>,
    table: NonNull<()>,
}

// SAFETY: it refers to what is only read, and can be read by any thread.
unsafe impl Send for PlannedType {}
// SAFETY: as above.
unsafe impl Sync for PlannedType {}

impl PlannedType {
    /// The type by its plan and by its table, whose type this module does not know.
    ///
    /// # Safety
    /// They live as long as what it is stored in.
    pub(crate) unsafe fn new<T: Sync>(plan: &Plan, table: &T) -> Self {
        PlannedType { plan: NonNull::from(plan), table: NonNull::from(table).cast() }
    }
}

/// A message that is being written.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    plan: &'a Plan,
    table: NonNull<()>,
    base: *const u8,
    /// How many levels of messages may still be opened.
    depth: u32,
}

impl<'a> Place<'a> {
    pub(crate) fn new<T: Sync>(plan: &'a Plan, table: &'a T, base: *const u8, depth: u32) -> Self {
        Place { plan, table: NonNull::from(table).cast(), base, depth }
    }

    /// The table of its type.
    ///
    /// # Safety
    /// That is the type of all tables in plans and places.
    #[inline]
    pub(crate) unsafe fn table<T>(&self) -> &'a T {
        // SAFETY: as above; it lives as long as the plan.
        unsafe { self.table.cast().as_ref() }
    }

    #[inline]
    pub(crate) fn base(&self) -> *const u8 {
        self.base
    }

    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }
}

/// Where the output has come to.
#[derive(Clone, Copy)]
pub(crate) struct Tip {
    pub(crate) at: *mut u8,
    /// Where it begins.
    pub(crate) start: *mut u8,
    /// Behind a cursor up to here is room for [`SLACK`] bytes.
    pub(crate) limit: usize,
    /// There was an error: nothing more is written.
    pub(crate) failed: bool,
}

/// What straight-line code leaves to the encoder by steps.
///
/// # Safety
/// A cursor that is passed in is the last one that was returned; a position is one of it. The place is that of a message,
/// and an index that of one of its fields.
pub(crate) trait Rest {
    /// Makes room for so many bytes.
    unsafe fn grow(&mut self, at: *mut u8, bytes: usize) -> Tip;
    /// Writes a field by its step.
    unsafe fn field(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip;
    /// Writes a message, which lies at an address, as the value of a field.
    unsafe fn message(&mut self, place: &Place<'_>, index: u16, message: *const u8, at: *mut u8) -> Tip;
    /// Writes the messages of a list as [`field`](Self::field), and notes how.
    unsafe fn messages(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip;
    /// Writes the oneofs whose fields come before a field.
    unsafe fn oneofs(&mut self, place: &Place<'_>, index: u16, at: *mut u8) -> Tip;
    /// Writes text of any length, after a tag and how many bytes that takes.
    unsafe fn text(&mut self, tag: (u64, u8), bytes: &[u8], at: *mut u8) -> Tip;
    /// Writes bytes as they are.
    unsafe fn raw(&mut self, bytes: &[u8], at: *mut u8) -> Tip;
    /// Writes the length of what follows the bytes that are reserved for it, and says how many bytes it takes.
    unsafe fn close(&mut self, position: usize, reserved: usize, at: *mut u8) -> (Tip, usize);
    /// Says of an error in which field it is, and in which element of a list.
    unsafe fn fail(&mut self, place: &Place<'_>, index: u16, element: Option<usize>) -> Tip;
}

/// Where straight-line code writes.
pub struct Straight<'a> {
    /// As of a [`Tip`].
    start: *mut u8,
    limit: usize,
    failed: bool,
    /// The innermost message that is being written.
    place: Place<'a>,
    rest: &'a mut dyn Rest,
    oneof: OneofFn,
}

impl fmt::Debug for Straight<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Straight").finish_non_exhaustive()
    }
}

// In all of these: SAFETY: the caller passes on the cursor that it was given last, and `room` makes room for all that
// is stored behind it.
#[allow(clippy::missing_safety_doc)]
impl<'a> Straight<'a> {
    /// The message that is being written.
    #[inline]
    pub(crate) fn place(&self) -> Place<'a> {
        self.place
    }

    /// What writes a message to where the output has come to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(tip: Tip, place: Place<'a>, rest: &'a mut dyn Rest, oneof: OneofFn) -> Self {
        let Tip { start, limit, failed, at: _ } = tip;
        Straight { start, limit, failed, place, rest, oneof }
    }

    /// Writes the fields of the message, but for the unknown ones; none if there was an error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn fields(mut self, at: *mut u8) -> Option<*mut u8> {
        let Place { plan, base, .. } = self.place;
        // SAFETY: see above; the code is that of the message.
        let at = unsafe { (plan.function)(base, &mut self, at) };
        (!self.failed).then_some(at)
    }

    /// Notes where the output has come to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn come_to(&mut self, tip: Tip) -> *mut u8 {
        (self.start, self.limit, self.failed) = (tip.start, tip.limit, tip.failed);
        tip.at
    }

    /// Writes the oneofs whose fields come before a field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub unsafe fn oneofs(&mut self, index: u16, at: *mut u8) -> *mut u8 {
        match self.place.plan.oneofs >> index & 1 {
            0 => at,
            // SAFETY: see above.
            _ => unsafe { self.some_oneofs(index, at) },
        }
    }

    #[inline(never)]
    unsafe fn some_oneofs(&mut self, index: u16, at: *mut u8) -> *mut u8 {
        if self.failed {
            return at;
        }
        // SAFETY: see above; the step is one of the message.
        unsafe {
            if let Some(Some(step)) = self.place.plan.single_oneofs.get(usize::from(index)) {
                let end = (self.oneof)(*step, self, at);
                if !end.is_null() {
                    return end;
                }
            }
            let tip = self.rest.oneofs(&self.place, index, at);
            self.come_to(tip)
        }
    }

    /// Writes a field by its step.
    #[inline(never)]
    pub(crate) unsafe fn field(&mut self, field: Field, at: *mut u8) -> *mut u8 {
        if self.failed {
            return at;
        }
        // SAFETY: see above.
        let tip = unsafe { self.rest.field(&self.place, index(field), at) };
        self.come_to(tip)
    }

    /// Writes a message as the value of a field.
    #[inline(never)]
    pub(crate) unsafe fn message(&mut self, field: Field, message: *const u8, at: *mut u8) -> *mut u8 {
        let Place { plan, depth, .. } = self.place;
        // SAFETY: see above; what is noted of a field is of the type of its messages.
        unsafe {
            // One that is a level too deep is found by the rest.
            match plan.fields.get(usize::from(index(field))).filter(|_| depth > 0).and_then(OnceCell::get) {
                Some(Nested::Record(record)) => match record.numbers(message) {
                    Some(numbers) => {
                        let at = self.room(at, RECORD_ROOM);
                        put_record(at, tag(field) | LENGTH, tag_len(field) as u8, numbers)
                    }
                    None => self.other_message(field, message, at),
                },
                Some(Nested::Straight(ty)) => self.straight_message(field, *ty, message, at),
                _ => self.other_message(field, message, at),
            }
        }
    }

    /// One of a type that has no straight-line code, or is met for the first time.
    #[inline(never)]
    unsafe fn other_message(&mut self, field: Field, message: *const u8, at: *mut u8) -> *mut u8 {
        if self.failed {
            return at;
        }
        // SAFETY: see above.
        let tip = unsafe { self.rest.message(&self.place, index(field), message, at) };
        self.come_to(tip)
    }

    /// One of a type that has. A level must be left.
    #[inline(never)]
    unsafe fn straight_message(
        &mut self,
        field: Field,
        ty: PlannedType,
        message: *const u8,
        at: *mut u8,
    ) -> *mut u8 {
        if self.failed {
            return at;
        }
        let depth = self.place.depth - 1;
        // SAFETY: see above; the type is that of the message.
        unsafe {
            let inner = Place { plan: ty.plan.as_ref(), table: ty.table, base: message, depth };
            let outer = replace(&mut self.place, inner);
            let end = self.delimited(tag(field) | LENGTH, tag_len(field), 1, at);
            self.place = outer;
            match end {
                Some((at, _)) => at,
                None => self.fail(index(field), None),
            }
        }
    }

    /// Writes a list of messages.
    #[inline(never)]
    pub(crate) unsafe fn messages(&mut self, field: Field, list: *const u8, at: *mut u8) -> *mut u8 {
        if self.failed {
            return at;
        }
        let Place { plan, depth, .. } = self.place;
        // SAFETY: see above; what is noted of a field is of the type of its messages.
        unsafe {
            let noted = plan.fields.get(usize::from(index(field))).filter(|_| depth > 0);
            let Some(Nested::List(ty, stride)) = noted.and_then(OnceCell::get) else {
                let tip = self.rest.messages(&self.place, index(field), at);
                return self.come_to(tip);
            };
            let (first, len) = vec::elements(list);
            let inner = Place { plan: ty.plan.as_ref(), table: ty.table, base: first, depth: depth - 1 };
            let outer = replace(&mut self.place, inner);
            let elements = (0..len).map(|index| first.cast_const().add(index * stride));
            let end = self.elements(tag(field) | LENGTH, tag_len(field), elements, at);
            self.place = outer;
            match end {
                Ok(at) => at,
                Err(element) => self.fail(index(field), Some(element)),
            }
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn fail(&mut self, index: u16, element: Option<usize>) -> *mut u8 {
        // SAFETY: see above.
        let tip = unsafe { self.rest.fail(&self.place, index, element) };
        self.come_to(tip)
    }

    /// The elements of a list of messages, of the type of the place. Each is guessed to be about as long as the one before
    /// it. Where there was an error, the index of the element.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn elements(
        &mut self,
        tag: u64,
        tag_len: usize,
        messages: impl Iterator<Item = *const u8>,
        at: *mut u8,
    ) -> Result<*mut u8, usize> {
        let (mut at, mut width) = (at, 1);
        for (index, message) in messages.enumerate() {
            self.place.base = message;
            // SAFETY: see above.
            match unsafe { self.delimited(tag, tag_len, width, at) } {
                Some((next, took)) => (at, width) = (next, took.min(2)),
                None => return Err(index),
            }
        }
        Ok(at)
    }

    /// The message of the place with a tag and its length, for which so many bytes are reserved; also returns how many it
    /// takes. None if there was an error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn delimited(
        &mut self,
        tag: u64,
        tag_len: usize,
        reserved: usize,
        at: *mut u8,
    ) -> Option<(*mut u8, usize)> {
        let Place { plan, base, .. } = self.place;
        // SAFETY: see above; the code is that of the message.
        unsafe {
            let at = self.room(at, 0);
            // A tag is stored as a word, so that the reserved bytes are zero.
            at.cast::<[u8; 8]>().write_unaligned(tag.to_le_bytes());
            let at = at.add(tag_len);
            let position = at.addr() - self.start.addr();
            let mut at = (plan.function)(base, self, at.add(reserved));
            if self.failed {
                return None;
            }
            if let Some(offset) = plan.unknown {
                let unknown = &*base.add(offset as usize).cast::<UnknownFields>();
                if !unknown.is_empty() {
                    let tip = self.rest.raw(unknown.as_bytes(), at);
                    at = self.come_to(tip);
                }
            }
            let length = self.start.add(position);
            // Too much output is written over itself.
            let body = at.addr().wrapping_sub(length.addr() + reserved);
            if body < 0x80 && reserved == 1 {
                length.write(body as u8);
                return Some((at, 1));
            }
            let (tip, took) = self.rest.close(position, reserved, at);
            Some((self.come_to(tip), took))
        }
    }

    /// A cursor with room for so many bytes, and the slack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn room(&mut self, at: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: see above.
        if at.addr() + bytes <= self.limit { at } else { unsafe { self.grow(at, bytes) } }
    }

    #[cold]
    #[inline(never)]
    unsafe fn grow(&mut self, at: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: see above.
        let tip = unsafe { self.rest.grow(at, bytes + SLACK) };
        self.come_to(tip)
    }

    /// Writes a tag; there is room.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn tag(at: *mut u8, field: Field, wire_type: u64) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            at.cast::<[u8; 8]>().write_unaligned((tag(field) | wire_type).to_le_bytes());
            at.add(tag_len(field))
        }
    }

    /// What a field is called whose tag, with its wire type, is this.
    #[inline]
    pub(crate) fn field_of(tag: u64, tag_len: u8) -> Field {
        tag | u64::from(tag_len) << 40
    }

    /// A number as a varint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn varint(&mut self, field: Field, value: u64, at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            let at = Self::tag(self.room(at, 0), field, VARINT);
            if value < 0x80 {
                at.write(value as u8);
                return at.add(1);
            }
            long_varint(at, value)
        }
    }

    /// The four bytes of a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn four(&mut self, field: Field, value: u32, at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            let at = Self::tag(self.room(at, 0), field, FOUR_BYTES);
            at.cast::<[u8; 4]>().write_unaligned(value.to_le_bytes());
            at.add(4)
        }
    }

    /// The eight bytes of a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn eight(&mut self, field: Field, value: u64, at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            let at = Self::tag(self.room(at, 0), field, EIGHT_BYTES);
            at.cast::<[u8; 8]>().write_unaligned(value.to_le_bytes());
            at.add(8)
        }
    }

    /// A string or byte string; a call, for it would be most of the code of a type.
    #[inline(never)]
    pub(crate) unsafe fn text(&mut self, field: Field, bytes: &[u8], at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            match self.head(field, bytes, at) {
                // Called last, so that nothing is kept for after it.
                Some(at) if bytes.len() > SHORT_SLICE => copy(bytes, at),
                Some(at) => {
                    store_slice(bytes, at);
                    at.add(bytes.len())
                }
                None => self.other_text(field, bytes, at),
            }
        }
    }

    /// The strings of a list.
    #[inline(never)]
    pub(crate) unsafe fn strings(&mut self, field: Field, strings: &[String], at: *mut u8) -> *mut u8 {
        let mut at = at;
        for string in strings {
            let bytes = string.as_bytes();
            // SAFETY: see above.
            unsafe {
                at = match self.head(field, bytes, at) {
                    Some(at) => {
                        store_slice(bytes, at);
                        at.add(bytes.len())
                    }
                    None => self.other_text(field, bytes, at),
                }
            }
        }
        at
    }

    /// The tag and the length of text, if it is not long and there is room for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn head(&mut self, field: Field, bytes: &[u8], at: *mut u8) -> Option<*mut u8> {
        let len = bytes.len();
        if len > LONG || at.addr() + len > self.limit {
            return None;
        }
        // SAFETY: see above; a length of so many bytes takes two.
        unsafe {
            // What follows the tag in the word is written over, or lies behind the end.
            at.cast::<[u8; 8]>().write_unaligned((field | LENGTH).to_le_bytes());
            let at = at.add(tag_len(field));
            if len < 0x80 {
                at.write(len as u8);
                return Some(at.add(1));
            }
            at.cast::<[u8; 2]>().write_unaligned([len as u8 | 0x80, (len >> 7) as u8]);
            Some(at.add(2))
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn other_text(&mut self, field: Field, bytes: &[u8], at: *mut u8) -> *mut u8 {
        if self.failed {
            return at;
        }
        // SAFETY: see above.
        let tip = unsafe { self.rest.text((tag(field) | LENGTH, tag_len(field) as u8), bytes, at) };
        self.come_to(tip)
    }
}

/// Copies bytes to where there is room, and gives the address behind them.
///
/// # Safety
/// There is, and it is not where they lie.
#[inline(never)]
unsafe fn copy(bytes: &[u8], to: *mut u8) -> *mut u8 {
    // SAFETY: as above.
    unsafe {
        ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        to.add(bytes.len())
    }
}

/// Writes a varint of more than one byte.
///
/// # Safety
/// There is room for ten bytes.
#[inline(never)]
unsafe fn long_varint(at: *mut u8, value: u64) -> *mut u8 {
    // SAFETY: as above.
    unsafe {
        // Hashes, times in seconds: five bytes, which takes no count of bits.
        if let high @ 1..0x80 = value >> 28 {
            let low = value as u32;
            let pairs = low & 0x3fff | (low & 0x0fff_c000) << 2;
            let bytes = pairs & 0x007f_007f | (pairs & 0x3f80_3f80) << 1 | 0x8080_8080;
            at.cast::<[u8; 4]>().write_unaligned(bytes.to_le_bytes());
            at.add(4).write(high as u8);
            return at.add(5);
        }
        at.add(store_varint_inline(at, value))
    }
}

#[cfg(test)]
mod tests {
    use super::long_varint;
    use crate::wire::put_varint;

    #[test]
    fn varints_of_every_width() {
        for bits in 8..=64 {
            for value in [1 << (bits - 1), u64::MAX >> (64 - bits), 0x9e37_79b9_7f4a_7c15 >> (64 - bits)] {
                let (mut bytes, mut wanted) = ([0; 16], [0; 10]);
                // SAFETY: there are sixteen bytes.
                let end = unsafe { long_varint(bytes.as_mut_ptr(), value) };
                let len = put_varint(&mut wanted, value);
                assert_eq!(end.addr() - bytes.as_ptr().addr(), len, "{value:x}");
                assert_eq!(bytes[..len], wanted[..len], "{value:x}");
            }
        }
    }
}
