//! Records: messages of few plain numbers, which are written by a loop over their offsets.

use super::UnknownFields;

/// The most fields of a record.
pub(crate) const RECORD: usize = 8;

/// The room that a record takes at most, with its tag.
pub(crate) const RECORD_ROOM: usize = 8 + 1 + 5 * RECORD;

/// A message type of up to [`RECORD`] numbers of four bytes without presence, after tags of one byte.
#[derive(Debug)]
pub(crate) struct Record {
    /// Where they lie, and their tags.
    pub(crate) fields: &'static [(u32, u8)],
    /// Where the unknown fields lie.
    pub(crate) unknown: Option<u32>,
}

impl Record {
    /// The tags and numbers of a message; none for one with unknown fields.
    ///
    /// # Safety
    /// A message of the type lies there.
    #[inline(always)]
    pub(crate) unsafe fn numbers(&self, base: *const u8) -> Option<impl Iterator<Item = (u8, u32)>> {
        // SAFETY: as above; the record says what lies where.
        unsafe {
            match self.unknown {
                Some(offset) if !(*base.add(offset as usize).cast::<UnknownFields>()).is_empty() => None,
                _ => Some(
                    self.fields
                        .iter()
                        .map(move |&(offset, tag)| (tag, *base.add(offset as usize).cast::<u32>())),
                ),
            }
        }
    }
}

/// Writes a record behind its tag; numbers that are zero are left out.
///
/// # Safety
/// There is room for [`RECORD_ROOM`] bytes.
#[inline(always)]
pub(crate) unsafe fn put_record(
    at: *mut u8,
    tag: u64,
    tag_len: u8,
    numbers: impl Iterator<Item = (u8, u32)>,
) -> *mut u8 {
    // SAFETY: as above; there are so few that the length is a byte.
    unsafe {
        at.cast::<[u8; 8]>().write_unaligned(tag.to_le_bytes());
        let length = at.add(usize::from(tag_len));
        let mut at = length.add(1);
        for (tag, value) in numbers {
            at.write(tag);
            at.add(1).cast::<[u8; 4]>().write_unaligned(value.to_le_bytes());
            at = at.add(if value == 0 { 0 } else { 5 });
        }
        length.write((at as usize - length as usize - 1) as u8);
        at
    }
}
