//! Map entries: messages of a key and a value, in any order, either of which may be missing.

use super::groups::Occurrence;
use super::{Map, Wire};
use crate::de::source::Context;
use crate::error::Result;
use crate::plan::{FieldPlan, Kind, MapPlan};
use crate::wire::{Reader, Tag, WireType, Writer};

/// The entry that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry<'de> {
    /// What comes after the entry.
    pub(super) rest: &'de [u8],
    /// From the key on; a key that is not there is a zero.
    pub(super) key: &'de [u8],
    /// From the value on.
    pub(super) value: &'de [u8],
    /// In the place of the value: in one word, for it is seldom there.
    pub(super) odd: Option<Box<OddValue<'de>>>,
}

/// The value of an entry that does not have just one.
#[derive(Clone, Debug)]
pub(super) enum OddValue<'de> {
    Missing,
    /// A message in several pieces.
    Pieces(Vec<&'de [u8]>),
}

/// Eight zeros: the number 0, false, the empty string or message, in every wire type.
const ZEROS: &[u8] = &[0; 8];

impl<'de> Wire<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn entry(
        &mut self,
        cx: Context<'_>,
        map: &mut Map<'de>,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<bool> {
        loop {
            if map.run.is_some() {
                let Some(next) = map.run.as_mut().and_then(Iterator::next) else { return Ok(false) };
                self.at(&next);
            } else if !map.started {
                map.started = true;
            } else if !self.reader.accept_tag(field.tag_bytes, field.tag_len) {
                return Ok(false);
            }
            let content = self.reader.len_prefixed()?;
            let rest = self.reader.rest();
            let at = self.reader.within(content);
            match quick(content, cx, plan) {
                // Part by part, so that they stay in registers.
                Some((key, value)) => {
                    (map.entry.rest, map.entry.key, map.entry.value) = (rest, key.from, value.from);
                    map.entry.odd = None;
                }
                None => map.entry = scan(at, cx, plan, rest)?,
            }
            if plan.value.closed && is_foreign(cx, plan, &map.entry) {
                let key = map.entry.key;
                if let Err(error) = check(&self.reader.within(key), &plan.key) {
                    return Err(error.in_key(self.key_in_words(key, &plan.key)));
                }
                // What is read grouped was gathered already.
                if map.run.is_none() {
                    self.keep(&foreign_entry(field, content)?);
                }
                continue;
            }
            self.reader.replace(map.entry.key);
            self.tag = plan.key.tag;
            return Ok(true);
        }
    }

    #[cold]
    pub(super) fn odd_entry_value(&mut self, value: OddValue<'de>, plan: &MapPlan) -> bool {
        self.tag = plan.value.tag;
        match value {
            OddValue::Pieces(pieces) => {
                // Where a visitor that wants none of them goes on.
                self.reader.replace(pieces.last().copied().unwrap_or_default());
                let tag = plan.value.tag;
                let pieces = pieces.into_iter().map(|piece| Occurrence::piece(tag, piece));
                let pieces = pieces.collect::<Vec<_>>().into_iter();
                self.grouping().run = Some(pieces);
            }
            // An empty message, of which required fields may be missing.
            OddValue::Missing if plan.value.is_message() => {
                self.reader.replace(ZEROS);
            }
            OddValue::Missing => return false,
        }
        true
    }

    /// The key for an error text.
    #[cold]
    pub(super) fn key_in_words(&self, key: &'de [u8], plan: &FieldPlan) -> String {
        let mut at = Wire::new(key, false);
        use super::Source;
        let words = match plan.kind {
            Kind::String => at.reader.string().map(str::to_owned),
            Kind::Bool => at.bool().map(|key| key.to_string()),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => at.i32(plan.kind).map(|key| key.to_string()),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => at.i64(plan.kind).map(|key| key.to_string()),
            Kind::UInt32 | Kind::Fixed32 => at.u32(plan.kind).map(|key| key.to_string()),
            _ => at.u64(plan.kind).map(|key| key.to_string()),
        };
        words.unwrap_or_default()
    }
}

/// A key or a value in an entry.
pub(super) struct Part<'de> {
    /// From the value on, its length included.
    pub(super) from: &'de [u8],
    /// The value; without its length, where it has one.
    pub(super) content: &'de [u8],
}

impl<'de> Part<'de> {
    /// What comes after it.
    pub(super) fn after(&self) -> &'de [u8] {
        let end = self.content.as_ptr_range().end as usize - self.from.as_ptr() as usize;
        self.from.get(end..).unwrap_or_default()
    }
}

/// Key and value of an entry that has just these, in this order. All is handed on by value and nothing by its address, so
/// that it stays in registers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn quick<'de>(
    entry: &'de [u8],
    cx: Context<'_>,
    plan: &MapPlan,
) -> Option<(Part<'de>, Part<'de>)> {
    let (key, rest) = part(entry, cx, &plan.key)?;
    let (value, rest) = part(rest, cx, &plan.value)?;
    rest.is_empty().then_some((key, value))
}

/// The value of a field whose tag comes next, in its shortest form; and what comes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn part<'de>(at: &'de [u8], cx: Context<'_>, field: &FieldPlan) -> Option<(Part<'de>, &'de [u8])> {
    // Those of keys and values take one byte.
    let from = match at {
        [tag, rest @ ..] if u32::from(*tag) == field.tag => rest,
        _ => return None,
    };
    let (content, rest) = match from {
        [len, rest @ ..] if field.tag & 7 == WireType::Len as u32 && *len < 0x80 => {
            rest.split_at_checked(usize::from(*len))?
        }
        [a, b, rest @ ..] if field.tag & 7 == WireType::Len as u32 && *b < 0x80 => {
            rest.split_at_checked(usize::from(*a & 0x7f) | usize::from(*b) << 7)?
        }
        [last, ..] if field.tag & 7 == WireType::Varint as u32 && *last < 0x80 => from.split_at_checked(1)?,
        _ => other(from, cx.depth, field.tag)?,
    };
    Some((Part { from, content }, rest))
}

#[inline(never)]
fn other(from: &[u8], depth: u32, tag: u32) -> Option<(&[u8], &[u8])> {
    let mut at = Reader::new(from);
    if tag & 7 == WireType::Len as u32 {
        return Some((at.len_prefixed().ok()?, at.rest()));
    }
    at.skip(Tag::from_value(tag)?, depth).ok()?;
    from.split_at_checked(from.len() - at.rest().len())
}

/// Key and value of any entry: the last of each counts, the pieces of a message value belong together.
#[cold]
fn scan<'de>(mut at: Reader<'de>, cx: Context<'_>, plan: &MapPlan, rest: &'de [u8]) -> Result<Entry<'de>> {
    let (mut key, mut values) = (ZEROS, Vec::new());
    while !at.is_empty() {
        let tag = at.tag()?;
        let value = at.rest();
        if tag.wire_type() == WireType::EndGroup {
            at.skip(tag, 0)?;
        }
        at.skip(tag, cx.depth)?;
        if tag.value() == plan.key.tag {
            check(&at.within(value), &plan.key)?;
            key = value;
        } else if tag.value() == plan.value.tag {
            check(&at.within(value), &plan.value)?;
            if !plan.value.is_message() {
                values.clear();
            }
            values.push(value);
        }
    }
    Ok(match *values {
        [value] => Entry { rest, key, value, odd: None },
        [] => Entry { rest, key, value: &[], odd: Some(Box::new(OddValue::Missing)) },
        _ => Entry { rest, key, value: &[], odd: Some(Box::new(OddValue::Pieces(values))) },
    })
}

/// Checks the text at the cursor, of which another may take the place.
fn check(at: &Reader<'_>, field: &FieldPlan) -> Result<()> {
    match field.kind {
        Kind::String if field.utf8 => { *at }.string().map(drop),
        _ => Ok(()),
    }
}

/// The entry at the cursor as an unknown field, where its value is a number that its closed enum does not have: where
/// [`Wire::entry`] passes over it. What is malformed is told when it is read.
#[cold]
pub(super) fn foreign(
    mut at: Reader<'_>,
    cx: Context<'_>,
    field: &FieldPlan,
    plan: &MapPlan,
) -> Result<Option<Vec<u8>>> {
    let Ok(content) = at.len_prefixed() else { return Ok(None) };
    match scan(at.within(content), cx, plan, &[]) {
        Ok(entry) if is_foreign(cx, plan, &entry) => foreign_entry(field, content).map(Some),
        _ => Ok(None),
    }
}

/// An entry as a field of its own.
#[cold]
fn foreign_entry(field: &FieldPlan, content: &[u8]) -> Result<Vec<u8>> {
    let mut kept = Writer::new();
    kept.tag(Tag::new(field.number, WireType::Len));
    kept.len_prefixed(content);
    kept.finish()
}

#[cold]
fn is_foreign(cx: Context<'_>, plan: &MapPlan, entry: &Entry<'_>) -> bool {
    let number = Reader::new(entry.value).varint();
    entry.odd.is_none()
        && number.is_ok_and(|number| !cx.set.enums[plan.value.sub as usize].contains(number as i32))
}
