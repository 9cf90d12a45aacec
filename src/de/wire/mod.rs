//! The wire format as a source.
//!
//! Ordinarily a message is streamed: fields are delivered as they come. Where a caller cannot take a field twice, the
//! whole input is read again *grouped*: the occurrences of each field are gathered first, in their order, and
//! delivered together. Either way strings and bytes are slices of the input.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/>.

mod entry;
mod far;
mod groups;
mod list;

use self::entry::Entry;
use self::far::{long_part, long_varint};
use self::groups::{Groups, Occurrence, Run};
use self::list::ListState;
use super::source::{At, Context, Glanced, Next, Source};
use crate::error::{Error, Result, WireError};
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, Route, Shape, TagTable};
use crate::wire::packed::{Form, PackedRun};
use crate::wire::{Reader, Tag, WireType, after_tag, unzigzag32, unzigzag64};
use std::borrow::Cow;

/// Wire bytes being read.
pub(crate) struct Wire<'de> {
    reader: Reader<'de>,
    /// How many bytes the input has.
    size: usize,
    /// The tag of the field at hand.
    tag: u32,
    /// Every message is read grouped.
    grouped: bool,
    /// What is seldom needed, on its own: so that there is less to make and to drop for every message.
    grouping: Option<Box<Grouping<'de>>>,
    /// Unknown fields that were told, or are to be told next; unless they are kept with what is seldom needed.
    unknown: &'de [u8],
    /// There are unknown fields that were not told yet.
    pending: bool,
}

/// What is kept for messages that are read grouped, and for values that came in pieces.
#[derive(Default)]
struct Grouping<'de> {
    /// The messages that are being read grouped, the innermost one last.
    groups: Vec<Groups<'de>>,
    /// The occurrences of the field at hand.
    run: Option<Run<'de>>,
    /// Unknown fields that do not stand in the input as they are to be told.
    kept: Vec<u8>,
}

/// A message that is being read: the number of the group that it is, 0 for a message with a length; or how many messages
/// are being read grouped, where it is one of them. In one word, zero for most messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message(u32);

impl Message {
    /// The last one of so many that are read grouped.
    fn grouped(depth: usize) -> Self {
        // There are no more of them than levels.
        Message((depth as u32) << 1 | 1)
    }

    /// How many messages are read grouped, with this one.
    fn depth(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(group: u32) -> Self {
        Message(group << 1)
    }

    /// The number of the group.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn group(self) -> u32 {
        self.0 >> 1
    }

    /// True where the message is read grouped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_grouped(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What is left of a message.
#[derive(Clone, Copy, Default)]
pub(crate) struct Front<'de>(&'de [u8]);

/// A list that is being read.
pub(crate) struct List<'de> {
    state: ListState<'de>,
    run: Option<Run<'de>>,
}

/// A map that is being read.
#[derive(Clone)]
pub(crate) struct Map<'de> {
    started: bool,
    entry: Entry<'de>,
    run: Option<Run<'de>>,
}

impl<'de> Wire<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(input: &'de [u8], grouped: bool) -> Self {
        Wire {
            reader: Reader::new(input),
            size: input.len(),
            tag: 0,
            grouped,
            grouping: None,
            unknown: &[],
            pending: false,
        }
    }

    /// True when there are occurrences of the field at hand.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_run(&self) -> bool {
        matches!(&self.grouping, Some(grouping) if grouping.run.is_some())
    }

    /// The occurrences of the field at hand, where its message is read grouped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_run(&mut self) -> Option<Run<'de>> {
        self.grouping.as_mut().and_then(|grouping| grouping.run.take())
    }

    #[cold]
    fn grouping(&mut self) -> &mut Grouping<'de> {
        self.grouping.get_or_insert_default()
    }

    /// Notes fields that are to be told as unknown.
    #[cold]
    fn keep(&mut self, fields: &[u8]) {
        let before = std::mem::take(&mut self.unknown);
        let kept = &mut self.grouping().kept;
        kept.extend_from_slice(before);
        kept.extend_from_slice(fields);
        self.pending = true;
    }

    /// Notes the unknown fields that are to be told, in the place of others.
    fn set_unknown(&mut self, fields: Cow<'de, [u8]>) {
        match fields {
            Cow::Borrowed(fields) => {
                self.unknown = fields;
                if let Some(grouping) = &mut self.grouping {
                    grouping.kept.clear();
                }
            }
            Cow::Owned(fields) => {
                self.unknown = &[];
                self.grouping().kept = fields;
            }
        }
    }

    /// Tells the unknown fields that were kept, if the message keeps any.
    #[cold]
    fn tell_kept(&mut self, cx: Context<'_>, plan: &MessagePlan) -> bool {
        self.pending = false;
        let keeps = cx.keeps_unknown(plan);
        if !keeps {
            self.set_unknown(Cow::Borrowed(&[]));
        }
        keeps
    }

    /// True when the varint at the cursor is a number that the closed enum does not have.
    #[cold]
    fn is_foreign_number(&self, cx: Context<'_>, field: &FieldPlan) -> Result<Option<i32>> {
        let number = { self.reader }.varint()? as i32;
        Ok((!cx.set.enums[field.sub as usize].contains(number)).then_some(number))
    }

    #[cold]
    fn open_grouped(
        &mut self,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
        routes: &[Route],
    ) -> Result<Message> {
        let mut groups = Groups::default();
        let keep = cx.keeps_unknown(plan);
        match (self.take_run(), field) {
            (Some(run), Some(field)) => {
                for occurrence in run {
                    self.reader.replace(occurrence.value);
                    let part = self.content(cx, field)?;
                    groups.add(cx, &self.reader.within(part), plan, routes, keep)?;
                }
            }
            (_, Some(field)) => {
                let part = self.content(cx, field)?;
                groups.add(cx, &self.reader.within(part), plan, routes, keep)?;
            }
            (_, None) => {
                let whole = self.reader;
                self.reader.replace(&whole.rest()[whole.rest().len()..]);
                groups.add(cx, &whole, plan, routes, keep)?;
            }
        }
        groups.arrange();
        groups.rest = self.reader.rest();
        let all = &mut self.grouping().groups;
        all.push(groups);
        Ok(Message::grouped(all.len()))
    }

    #[cold]
    fn close_grouped(&mut self, depth: usize) {
        // Those behind it were given up after an error.
        self.grouping().groups.truncate(depth);
        if let Some(groups) = self.grouping().groups.pop() {
            self.reader.replace(groups.rest);
        }
    }

    /// Reads the bytes inside a message value.
    fn content(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<&'de [u8]> {
        match field.kind {
            // The group itself is the level that `depth` was lowered for.
            Kind::Group => self.reader.group(field.number, cx.depth + 1),
            _ => self.reader.len_prefixed(),
        }
    }

    #[cold]
    fn next_grouped(&mut self, cx: Context<'_>, depth: usize, plan: &MessagePlan) -> Next {
        let Grouping { groups, run, .. } = self.grouping();
        groups.truncate(depth);
        let Some(groups) = groups.last_mut() else { return Next::End };
        let Some((index, occurrences)) = groups.next(plan) else {
            *run = None;
            let unknown = std::mem::take(&mut groups.unknown);
            let next = match unknown.is_empty() || !cx.keeps_unknown(plan) {
                true => Next::End,
                false => Next::Unknown,
            };
            self.set_unknown(unknown);
            self.pending = false;
            return next;
        };
        if let Some(last) = occurrences.as_slice().last() {
            self.at(last);
        }
        // A single number or string is at the cursor: its run must not pass for that of a message or list.
        let field = &plan.fields[index];
        self.grouping().run = (field.shape != Shape::Singular || field.is_message()).then_some(occurrences);
        Next::Field(index)
    }

    /// The next field, whatever its tag.
    #[inline(never)]
    fn next_other(&mut self, cx: Context<'_>, message: &Message, plan: &MessagePlan) -> Result<Next> {
        loop {
            if self.reader.is_empty() {
                return match message.group() {
                    0 => Ok(Next::End),
                    group => Err(Error::wire(WireError::OpenGroup(group), self.reader.position())),
                };
            }
            let start = self.reader;
            let tag = self.reader.tag()?;
            if let Some(index) = plan.numbers.get(tag.number()) {
                let field = &plan.fields[index];
                if field.takes(tag) {
                    self.tag = tag.value();
                    if !field.closed
                        || field.shape == Shape::Map
                        || tag.wire_type() != WireType::Varint
                        || self.is_foreign_number(cx, field)?.is_none()
                    {
                        return Ok(Next::Field(index));
                    }
                }
            }
            if tag.wire_type() == WireType::EndGroup {
                return end_group(tag.number(), message.group(), start.position());
            }
            self.reader.skip(tag, cx.depth)?;
            if cx.keeps_unknown(plan) {
                let (raw, _) = start.rest().split_at(self.reader.position() - start.position());
                self.set_unknown(Cow::Borrowed(raw));
                return Ok(Next::Unknown);
            }
        }
    }

    /// Puts the cursor on the value of an occurrence.
    fn at(&mut self, occurrence: &Occurrence<'de>) {
        self.reader.replace(occurrence.value);
        self.tag = occurrence.tag;
    }
}

/// What an end-group tag means inside a group, or in none.
#[cold]
fn end_group(number: u32, group: u32, at: usize) -> Result<Next> {
    match group {
        _ if number == group => Ok(Next::End),
        0 => Err(Error::wire(WireError::StrayEndGroup(number), at)),
        wanted => Err(Error::wire(WireError::WrongEndGroup { wanted, found: number }, at)),
    }
}

impl<'de> Source<'de> for Wire<'de> {
    type Message = Message;
    type List = List<'de>;
    type Map = Map<'de>;
    /// The cursor, the tag at hand, and how many messages are being read grouped.
    type Mark = (Reader<'de>, u32, usize);
    type Front = Front<'de>;
    /// What was left before the message, its length included.
    type Outer = &'de [u8];
    type Closed = Message;

    const UNIQUE: bool = false;
    const GLANCES: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark(&self) -> Self::Mark {
        (self.reader, self.tag, self.grouping.as_ref().map_or(0, |grouping| grouping.groups.len()))
    }

    #[cold]
    fn reopen_grouped(
        &mut self,
        (reader, tag, groups): Self::Mark,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
    ) -> Result<Message> {
        (self.reader, self.tag) = (reader, tag);
        let grouping = self.grouping();
        grouping.groups.truncate(groups);
        grouping.run = None;
        self.set_unknown(Cow::Borrowed(&[]));
        self.pending = false;
        self.open_grouped(cx, field, plan, &plan.routes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_message(
        &mut self,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
        routes: &[Route],
    ) -> Result<Message> {
        if self.grouped || self.has_run() {
            return self.open_grouped(cx, field, plan, routes);
        }
        let mut group = 0;
        match field {
            Some(field) if field.kind == Kind::Group => group = field.number,
            Some(_) => {
                let part = self.reader.len_prefixed()?;
                self.reader.replace(part);
            }
            None => {}
        }
        Ok(Message::new(group))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_field(&mut self, cx: Context<'_>, message: &mut Message, plan: &MessagePlan) -> Result<Next> {
        if message.is_grouped() {
            return Ok(self.next_grouped(cx, message.depth(), plan));
        }
        if self.pending && self.tell_kept(cx, plan) {
            return Ok(Next::Unknown);
        }
        match self.reader.split_byte() {
            Some((byte, after)) => {
                if let Some(index) = plan.tags.get(byte) {
                    self.reader = after;
                    self.tag = u32::from(byte);
                    return Ok(Next::Field(index));
                }
            }
            None if message.group() == 0 => return Ok(Next::End),
            None => {}
        }
        self.next_other(cx, message, plan)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn front(&self, _: &Message) -> Front<'de> {
        Front(self.reader.rest())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lead(&mut self, front: &Front<'de>) {
        self.reader.replace(front.0);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&self) -> u32 {
        self.tag
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_tag(&mut self, tag: u32) {
        self.tag = tag;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn follow(&self, front: &mut Front<'de>) {
        // What is to be told comes before anything that a glance would see.
        front.0 = if self.pending { &[] } else { self.reader.rest() };
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pending(&self) -> bool {
        self.pending
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glances(&self, field: &FieldPlan) -> bool {
        field.kind != Kind::Group && !self.grouped && !self.has_run()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance(front: Front<'de>) -> Option<u8> {
        front.0.first().copied()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass(front: &mut Front<'de>, bytes: usize) {
        front.0 = front.0.get(bytes..).unwrap_or_default();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_wide(front: Front<'de>, tags: &TagTable) -> Option<Glanced> {
        let [a, b, ..] = *front.0 else { return None };
        let tag = u16::from(a & 0x7f) | u16::from(b) << 7;
        if a < 0x80 || b >= 0x80 {
            return None;
        }
        tags.wide_member(tag).map(|member| Glanced::new(tag.into(), member))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_varint(front: &mut Front<'de>) -> Option<u64> {
        match front.0 {
            [a, rest @ ..] if *a < 0x80 => {
                front.0 = rest;
                Some(u64::from(*a))
            }
            _ => {
                let (value, len) = long_varint(front.0);
                front.0 = front.0.get(len..)?;
                if len > 0 { Some(value) } else { None }
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_fixed32(front: &mut Front<'de>) -> Option<u32> {
        let (bytes, rest) = front.0.split_first_chunk()?;
        front.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_fixed64(front: &mut Front<'de>) -> Option<u64> {
        let (bytes, rest) = front.0.split_first_chunk()?;
        front.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_part(front: &mut Front<'de>) -> Option<&'de [u8]> {
        match front.0 {
            [len, rest @ ..] if *len < 0x80 => {
                let (part, rest) = rest.split_at_checked(usize::from(*len))?;
                front.0 = rest;
                Some(part)
            }
            _ => {
                let (start, end) = long_part(front.0);
                let (part, rest) = (front.0.get(start..end)?, front.0.get(end..)?);
                front.0 = rest;
                if start > 0 { Some(part) } else { None }
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_at(front: &mut Front<'de>, bytes: [u8; 8], len: u8) -> bool {
        match front.0.strip_prefix(bytes.get(..usize::from(len)).unwrap_or(&bytes)) {
            Some(rest) => {
                front.0 = rest;
                true
            }
            None => false,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_count(front: Front<'de>, bytes: [u8; 8], len: u8) -> usize {
        Reader::new(front.0).count_len_prefixed(bytes, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_run(&self, front: &mut Front<'de>) -> Option<Reader<'de>> {
        let run = Self::glance_part(front)?;
        Some(self.reader.within(run))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_root(&self) -> Option<(Message, Front<'de>)> {
        (!self.grouped).then(|| (Message::new(0), Front(self.reader.rest())))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_message(front: &mut Front<'de>) -> Option<(Message, Front<'de>)> {
        let part = Self::glance_part(front)?;
        Some((Message::new(0), Front(part)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_map(&self) -> Option<Front<'de>> {
        (!self.has_run()).then(|| Front(self.reader.rest()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_entry(
        front: &mut Front<'de>,
        cx: Context<'_>,
        plan: &MapPlan,
    ) -> Option<(Front<'de>, Front<'de>)> {
        // A number of a closed enum must be looked at before it is known to be the field's.
        if plan.value.closed {
            return None;
        }
        let mut after = *front;
        let (key, value) = entry::quick(Self::glance_part(&mut after)?, cx, plan)?;
        *front = after;
        Some((Front(key.content), Front(value.content)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_all(front: &mut Front<'de>) -> Option<&'de [u8]> {
        let (all, rest) = front.0.split_at(front.0.len());
        front.0 = rest;
        Some(all)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_further(front: &mut Front<'de>, field: &FieldPlan) -> bool {
        match after_tag(front.0, field.tag_bytes, field.tag_len) {
            Some(rest) => {
                front.0 = rest;
                true
            }
            None => false,
        }
    }

    fn lead_into(&mut self, mut front: Front<'de>, cx: Context<'_>, plan: &MapPlan, at: At) {
        let entry = Self::glance_part(&mut front).unwrap_or_default();
        let Some((key, value)) = entry::quick(entry, cx, plan) else { return };
        let (part, tag) = match at {
            At::Key | At::AfterKey | At::InKey => (key, plan.key.tag),
            At::Value | At::AfterValue | At::InValue => (value, plan.value.tag),
        };
        self.tag = tag;
        let here = self.reader.rest().as_ptr_range().start;
        let place = match at {
            At::Key | At::Value => part.from,
            At::AfterKey | At::AfterValue => part.after(),
            At::InKey | At::InValue => match part.from.as_ptr()..=part.after().as_ptr() {
                within if within.contains(&here) => return,
                _ => part.from,
            },
        };
        self.reader.replace(place);
    }

    fn glance_key(&self, mut front: Front<'de>, cx: Context<'_>, plan: &MapPlan) -> String {
        let entry = Self::glance_part(&mut front).unwrap_or_default();
        let key = entry::quick(entry, cx, plan).map(|(key, _)| self.key_in_words(key.from, &plan.key));
        key.unwrap_or_default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn outer(&self) -> &'de [u8] {
        self.reader.rest()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn closed(message: &Message) -> Message {
        *message
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close_message(&mut self, message: Message, outer: &'de [u8]) {
        if message.is_grouped() {
            return self.close_grouped(message.depth());
        }
        if message.group() == 0 {
            self.reader.leave(outer);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_grouped(&self, message: &Message) -> bool {
        message.is_grouped()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown(&mut self) -> Cow<'de, [u8]> {
        match &mut self.grouping {
            Some(grouping) if !grouping.kept.is_empty() => Cow::Owned(std::mem::take(&mut grouping.kept)),
            _ => Cow::Borrowed(std::mem::take(&mut self.unknown)),
        }
    }

    fn skip_value(&mut self, cx: Context<'_>, _field: &FieldPlan) -> Result<()> {
        self.take_run();
        match Tag::from_value(self.tag) {
            Some(tag) => self.reader.skip(tag, cx.depth),
            None => Ok(()),
        }
    }

    fn skip_element(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<()> {
        self.reader.skip(Tag::new(field.number, field.kind.wire_type()), cx.depth)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_list(&mut self, field: &FieldPlan) -> Result<List<'de>> {
        self.list(field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element(&mut self, cx: Context<'_>, list: &mut List<'de>, field: &FieldPlan) -> Result<bool> {
        self.element(cx, list, field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list_hint(&self, list: &List<'de>, field: &FieldPlan) -> Option<usize> {
        self.hint(list, field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn packed_run(&mut self, field: &FieldPlan, form: Form) -> Result<Option<PackedRun<'de>>> {
        // Elements that a closed enum does not have are to be sorted out, and other runs may follow one that is grouped.
        if self.tag & 7 != WireType::Len as u32 || field.closed || self.has_run() {
            return Ok(None);
        }
        let run = self.reader.len_prefixed()?;
        Ok(Some(PackedRun::new(self.reader.within(run), form)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_map(&mut self) -> Map<'de> {
        Map { started: false, entry: Entry::default(), run: self.take_run() }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map_hint(&self, map: &Map<'de>, field: &FieldPlan) -> Option<usize> {
        let ahead = || self.reader.count_len_prefixed(field.tag_bytes, field.tag_len);
        (!map.started && map.run.is_none()).then(ahead)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_entry(
        &mut self,
        cx: Context<'_>,
        map: &mut Map<'de>,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<bool> {
        self.entry(cx, map, field, plan)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, map: &mut Map<'de>, plan: &MapPlan) -> bool {
        if let Some(odd) = map.entry.odd.take() {
            return self.odd_entry_value(*odd, plan);
        }
        self.reader.replace(map.entry.value);
        self.tag = plan.value.tag;
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, map: &mut Map<'de>) {
        self.take_run();
        self.reader.replace(map.entry.rest);
    }

    fn describe_key(&self, map: &Map<'de>, key: &FieldPlan) -> String {
        self.key_in_words(map.entry.key, key)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self) -> Result<bool> {
        Ok(self.reader.varint()? != 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, kind: Kind) -> Result<i32> {
        match kind {
            Kind::SInt32 => Ok(unzigzag32(self.reader.varint()? as u32)),
            Kind::SFixed32 => Ok(self.reader.fixed32()? as i32),
            _ => Ok(self.reader.varint()? as i32),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, kind: Kind) -> Result<i64> {
        match kind {
            Kind::SInt64 => Ok(unzigzag64(self.reader.varint()?)),
            Kind::SFixed64 => Ok(self.reader.fixed64()? as i64),
            _ => Ok(self.reader.varint()? as i64),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, kind: Kind) -> Result<u32> {
        match kind {
            Kind::Fixed32 => self.reader.fixed32(),
            _ => Ok(self.reader.varint()? as u32),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, kind: Kind) -> Result<u64> {
        match kind {
            Kind::Fixed64 => self.reader.fixed64(),
            _ => self.reader.varint(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_bits(self.reader.fixed32()?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.reader.fixed64()?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, _plan: &EnumPlan) -> Result<i32> {
        Ok(self.reader.varint()? as i32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, _field: &FieldPlan) -> Result<Cow<'de, str>> {
        self.reader.string().map(Cow::Borrowed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, field: &FieldPlan) -> Result<Cow<'de, [u8]>> {
        if field.kind == Kind::String && field.utf8 {
            return Ok(Cow::Borrowed(self.reader.string()?.as_bytes()));
        }
        self.reader.len_prefixed().map(Cow::Borrowed)
    }

    #[cold]
    fn locate(&self, error: Error) -> Error {
        // A value that is not there has no place in the input.
        let at = self.reader.position();
        if at <= self.size { error.at_byte(at) } else { error }
    }
}
