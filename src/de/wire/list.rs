//! Repeated fields: packed runs and single elements, in any mixture.

use super::{List, Wire};
use crate::de::source::Context;
use crate::error::Result;
use crate::plan::{FieldPlan, Kind};
use crate::wire::{Tag, WireType, Writer, packed};

/// Where a list stands.
pub(super) enum ListState<'de> {
    /// At the first value, whose tag was read.
    First,
    /// After a single element.
    Single,
    /// In a packed run; what comes after it.
    Packed(&'de [u8]),
    /// After the last element.
    Done,
}

impl<'de> Wire<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn list(&mut self, field: &FieldPlan) -> Result<List<'de>> {
        let mut list = List { state: ListState::First, run: self.take_run() };
        if let Some(first) = list.run.as_mut().and_then(Iterator::next) {
            self.at(&first);
        }
        self.enter(&mut list, field)?;
        Ok(list)
    }

    /// Enters a packed run where one comes next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter(&mut self, list: &mut List<'de>, field: &FieldPlan) -> Result<()> {
        list.state = ListState::First;
        if field.other_tag != 0 && self.tag & 7 == WireType::Len as u32 {
            let part = self.reader.len_prefixed()?;
            list.state = ListState::Packed(self.reader.replace(part));
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn element(
        &mut self,
        cx: Context<'_>,
        list: &mut List<'de>,
        field: &FieldPlan,
    ) -> Result<bool> {
        loop {
            match list.state {
                ListState::First => {
                    list.state = ListState::Single;
                    return Ok(true);
                }
                ListState::Packed(rest) => {
                    if self.reader.is_empty() {
                        self.reader.replace(rest);
                    } else if field.closed && self.drop_foreign(cx, list, field)? {
                        continue;
                    } else {
                        return Ok(true);
                    }
                }
                ListState::Single => {}
                ListState::Done => return Ok(false),
            }
            if !self.more(cx, list, field)? {
                list.state = ListState::Done;
                return Ok(false);
            }
        }
    }

    /// Goes on to the next occurrence, if it comes right away.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn more(&mut self, cx: Context<'_>, list: &mut List<'de>, field: &FieldPlan) -> Result<bool> {
        if list.run.is_some() {
            return self.more_grouped(list, field);
        }
        let before = self.reader;
        if self.reader.accept_tag(field.tag_bytes, field.tag_len) {
            self.tag = field.tag;
        } else {
            match self.reader.peek() {
                // The tag of a list always has the same low seven bits, up to its wire type.
                Some(byte) if (byte ^ field.tag_bytes[0]) & 0x78 == 0 => {}
                _ => return Ok(false),
            }
            match self.reader.tag() {
                Ok(tag) if tag.value() == field.tag || tag.value() == field.other_tag => {
                    self.tag = tag.value()
                }
                _ => {
                    self.reader = before;
                    return Ok(false);
                }
            }
        }
        let single_enum = field.closed && self.tag & 7 == WireType::Varint as u32;
        if single_enum && self.is_foreign_number(cx, field)?.is_some() {
            // The message takes it from here, as an unknown field.
            self.reader = before;
            return Ok(false);
        }
        self.enter(list, field)?;
        Ok(true)
    }

    #[cold]
    fn more_grouped(&mut self, list: &mut List<'de>, field: &FieldPlan) -> Result<bool> {
        let Some(next) = list.run.as_mut().and_then(Iterator::next) else { return Ok(false) };
        self.at(&next);
        self.enter(list, field)?;
        Ok(true)
    }

    /// Passes over an element of a packed run that a closed enum does not have; it is kept as an unknown field.
    #[cold]
    fn drop_foreign(&mut self, cx: Context<'_>, list: &List<'de>, field: &FieldPlan) -> Result<bool> {
        let Some(number) = self.is_foreign_number(cx, field)? else { return Ok(false) };
        self.reader.varint()?;
        // What is read grouped was gathered already.
        if list.run.is_none() {
            self.keep(&foreign_element(field, number)?);
        }
        Ok(true)
    }

    /// How many elements the packed run at the cursor has, or how many come one after the other.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hint(&self, list: &List<'de>, field: &FieldPlan) -> Option<usize> {
        let bytes = self.reader.rest();
        match list.state {
            ListState::Packed(_) => {}
            ListState::First if list.run.is_none() && self.tag & 7 == WireType::Len as u32 => {
                return Some(self.reader.count_len_prefixed(field.tag_bytes, field.tag_len));
            }
            _ => return None,
        }
        Some(match field.kind.wire_type() {
            WireType::Fixed32 => bytes.len() / 4,
            WireType::Fixed64 => bytes.len() / 8,
            _ if field.kind == Kind::Bool => bytes.len(),
            // Every varint ends with a byte below 128.
            _ => packed::count(bytes),
        })
    }
}

/// An element of a packed run as a field of its own.
pub(super) fn foreign_element(field: &FieldPlan, number: i32) -> Result<Vec<u8>> {
    let mut kept = Writer::new();
    kept.tag(Tag::new(field.number, WireType::Varint));
    kept.varint(i64::from(number) as u64);
    kept.finish()
}
