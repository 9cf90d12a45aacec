//! Numbers and text: values that are written without a look at their row.

use super::output::{Output, TagBytes};
use super::walk::Walk;
use crate::layout::text;
use crate::table::{Action, Kind, Step};
use crate::wire::{varint_len, zigzag32, zigzag64};

/// A number or text as it is on the wire.
#[derive(Clone, Copy)]
pub(super) enum Plain<'v> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Text(&'v [u8]),
}

impl<'v> Plain<'v> {
    /// The value at an address; `None` for one that takes more than a look.
    ///
    /// # Safety
    /// As for the module.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn at(step: &Step, value: *const u8) -> Option<Plain<'v>> {
        // SAFETY: as above.
        unsafe {
            Some(match step.action {
                Action::Int32 => Plain::Varint(i64::from(*value.cast::<i32>()) as u64),
                Action::UInt32 => Plain::Varint(u64::from(*value.cast::<u32>())),
                Action::Int64 => Plain::Varint(*value.cast::<u64>()),
                Action::SInt32 => Plain::Varint(u64::from(zigzag32(*value.cast::<i32>()))),
                Action::SInt64 => Plain::Varint(zigzag64(*value.cast::<i64>())),
                Action::Bool => Plain::Varint(u64::from(*value.cast::<bool>())),
                Action::Fixed32 => Plain::Fixed32(*value.cast::<u32>()),
                Action::Fixed64 => Plain::Fixed64(*value.cast::<u64>()),
                Action::String => Plain::Text((*value.cast::<String>()).as_bytes()),
                Action::Vec => Plain::Text((*value.cast::<Vec<u8>>()).as_slice()),
                Action::Str => Plain::Text((*value.cast::<&str>()).as_bytes()),
                Action::Slice => Plain::Text(*value.cast::<&[u8]>()),
                Action::Text => Plain::Text(text::get(step.storage, value).unwrap_or_default()),
                _ => return None,
            })
        }
    }

    /// The number with these bits.
    #[inline]
    pub(super) fn of_bits(kind: Kind, bits: u64) -> Self {
        match kind {
            Kind::Int32 | Kind::Enum => Plain::Varint(i64::from(bits as i32) as u64),
            Kind::UInt32 | Kind::Bool => Plain::Varint(u64::from(bits as u32)),
            Kind::SInt32 => Plain::Varint(u64::from(zigzag32(bits as i32))),
            Kind::SInt64 => Plain::Varint(zigzag64(bits as i64)),
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => Plain::Fixed32(bits as u32),
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => Plain::Fixed64(bits),
            _ => Plain::Varint(bits),
        }
    }

    /// How many bytes it takes, without the tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn len(self) -> usize {
        match self {
            Plain::Varint(value) => varint_len(value),
            Plain::Fixed32(_) => 4,
            Plain::Fixed64(_) => 8,
            Plain::Text(text) => varint_len(text.len() as u64) + text.len(),
        }
    }
}

impl<O: Output> Walk<O> {
    /// A number or text with its tag.
    #[inline(never)]
    pub(super) unsafe fn plain(&mut self, tag: TagBytes, value: Plain<'_>, at: O::Cursor) -> O::Cursor {
        // SAFETY: see the module.
        unsafe {
            match value {
                Plain::Varint(value) => self.out.varint(at, tag, value),
                Plain::Fixed32(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Fixed64(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Text(text) => self.text(tag, text, at),
            }
        }
    }

    /// A string or byte string, or what is written as one.
    #[inline(never)]
    pub(super) unsafe fn text(&mut self, tag: TagBytes, text: &[u8], at: O::Cursor) -> O::Cursor {
        // SAFETY: see the module.
        unsafe { self.out.slice(at, tag, text) }
    }
}
