//! Reads the fields of a message that is received in chunks.

use crate::error::{Error, LimitError, Result, WireError};
use crate::limits::Limits;
use crate::wire::{Reader, Source, Tag, WireType, header, skip_number};

/// The largest number of bytes of a packed list that are returned at once.
const RUN: u64 = 16 << 10;

/// How the reader returns a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It returns the field as a whole, with its tag.
    Whole,
    /// The field is a packed list of numbers with this wire type. The reader returns the numbers in slices.
    Numbers(WireType),
    /// It skips the field while the field is received.
    Pass,
}

/// A field, or some of the numbers of a packed list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) tag: Tag,
    pub(super) start: u64,
    pub(super) end: u64,
    /// True if the bytes are numbers of a packed list, without tag and length prefix.
    pub(super) is_numbers: bool,
    /// The number of elements, if the field is a list.
    pub(super) elements: usize,
}

#[derive(Debug)]
pub(super) struct Fields {
    source: Source,
    groups: Vec<u32>,
    /// The packed list that is being read: its tag, the position of its end, and the wire type of its numbers.
    run: Option<(Tag, u64, WireType)>,
    max_depth: u32,
    /// The largest length of a field that is returned as a whole.
    pub(super) max_len: u64,
    /// The number of the field that is being read.
    current: Option<u32>,
}

impl Fields {
    pub(super) fn new(limits: Limits) -> Self {
        Fields {
            source: Source::default(),
            groups: Vec::new(),
            run: None,
            max_depth: limits.max_depth(),
            max_len: limits.max_input(),
            current: None,
        }
    }

    /// Returns the number of the field that is being read. The field may be malformed.
    pub(super) fn current(&self) -> Option<u32> {
        self.current
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.source.push(chunk);
    }

    pub(super) fn finish(&mut self) {
        self.source.finish();
    }

    /// Returns the bytes of `found`, which must be the last field that was found.
    pub(super) fn bytes(&self, found: Found) -> &[u8] {
        self.source.bytes(found.start, found.end)
    }

    /// Returns the next field. Returns `None` if more input is needed, and at the end of the message.
    ///
    /// # Errors
    /// The message is malformed, or exceeds a limit.
    pub(super) fn next(&mut self, treatment: impl Fn(Tag) -> Result<Treatment>) -> Result<Option<Found>> {
        loop {
            let skipped = self.source.skip_available();
            self.check_group()?;
            if !skipped {
                return self.wait();
            }
            if let Some((tag, end, wire_type)) = self.run {
                if self.source.position() < end {
                    return self.numbers(tag, end, wire_type);
                }
                self.run = None;
            }
            if self.groups.is_empty() {
                self.current = None;
            }
            let (bytes, may_grow) = self.source.available(u64::MAX);
            if bytes.is_empty() {
                return self.wait();
            }
            let mut reader = Reader::new(bytes);
            let (tag, size) = match header(&mut reader, u64::MAX - self.source.position()) {
                Ok(header) => header,
                // A header has at most 15 bytes: the longest tag and the longest varint.
                Err((_, error))
                    if may_grow && bytes.len() < 15 && error.category() != crate::Category::Limit =>
                {
                    return Ok(None);
                }
                Err((tag, error)) => {
                    if let Some(tag) = tag.filter(|_| self.groups.is_empty()) {
                        self.current = Some(tag.number());
                    }
                    return Err(self.source.locate(error));
                }
            };
            let (len, available) = (reader.position(), bytes.len());
            match tag.wire_type() {
                WireType::EndGroup => {
                    if let Some(found) = self.end_group(tag, len)? {
                        return Ok(Some(found));
                    }
                    continue;
                }
                WireType::StartGroup => self.check_depth()?,
                _ => {}
            }
            let treatment = match self.groups.is_empty() {
                true => {
                    self.current = Some(tag.number());
                    treatment(tag)?
                }
                false => Treatment::Pass,
            };
            match (treatment, tag.wire_type()) {
                (Treatment::Numbers(wire_type), WireType::Len) => {
                    self.source.take(len);
                    self.run = Some((tag, self.source.position() + size, wire_type));
                }
                (Treatment::Pass, WireType::StartGroup) => {
                    self.source.take(len);
                    self.groups.push(tag.number());
                }
                (_, WireType::StartGroup) => {
                    self.source.keep();
                    self.source.take(len);
                    self.groups.push(tag.number());
                }
                (Treatment::Pass, _) => {
                    self.source.take(len);
                    self.source.skip(size);
                }
                _ => return self.whole(tag, len, size, available),
            }
        }
    }

    /// Reads a field as a whole. Returns `None` if more input is needed. The first `len` bytes are the tag and the length
    /// prefix, or the tag and the number. `size` is the number of bytes after them.
    fn whole(&mut self, tag: Tag, len: usize, size: u64, available: usize) -> Result<Option<Found>> {
        let (start, left) = (self.source.position(), (available - len) as u64);
        self.check_len(size)?;
        if left < size {
            let error = Error::wire(WireError::Truncated { wanted: size, left }, len);
            return if self.source.has_ended() { Err(self.source.locate(error)) } else { Ok(None) };
        }
        self.source.take(len + size as usize);
        Ok(Some(Found { tag, start, end: self.source.position(), is_numbers: false, elements: 1 }))
    }

    /// Returns the numbers of a packed list that have been received, or `None` if more input is needed.
    fn numbers(&mut self, tag: Tag, end: u64, wire_type: WireType) -> Result<Option<Found>> {
        let start = self.source.position();
        let (bytes, may_grow) = self.source.available(end.min(start + RUN));
        let len = match wire_type {
            WireType::Fixed32 => bytes.len() & !3,
            WireType::Fixed64 => bytes.len() & !7,
            _ => bytes.iter().rposition(|byte| *byte < 0x80).map_or(0, |last| last + 1),
        };
        if len == 0 {
            if may_grow && bytes.len() < 10 {
                return Ok(None);
            }
            let wrong = skip_number(&mut Reader::new(bytes), wire_type);
            return wrong.map(|()| None).map_err(|error| self.source.locate(error));
        }
        let elements = match wire_type {
            WireType::Fixed32 => len / 4,
            WireType::Fixed64 => len / 8,
            _ => bytes[..len].iter().filter(|byte| **byte < 0x80).count(),
        };
        self.source.take(len);
        Ok(Some(Found { tag, start, end: start + len as u64, is_numbers: true, elements }))
    }

    fn end_group(&mut self, tag: Tag, len: usize) -> Result<Option<Found>> {
        let found = tag.number();
        match self.groups.last() {
            Some(open) if *open == found => {}
            Some(&wanted) => {
                return Err(self.source.locate(Error::wire(WireError::WrongEndGroup { wanted, found }, 0)));
            }
            None => return Err(self.source.locate(Error::wire(WireError::StrayEndGroup(found), 0))),
        }
        self.groups.pop();
        self.source.take(len);
        match self.source.kept() {
            Some(start) if self.groups.is_empty() => {
                self.source.let_go();
                let tag = Tag::new(found, WireType::StartGroup);
                Ok(Some(Found { tag, start, end: self.source.position(), is_numbers: false, elements: 1 }))
            }
            _ => Ok(None),
        }
    }

    /// Returns `None` if more input can arrive, or if the message has ended after a field. Returns an error if the message has
    /// ended inside of a field.
    fn wait(&self) -> Result<Option<Found>> {
        if !self.source.has_ended() {
            return Ok(None);
        }
        let cause = match (self.source.to_skip(), self.groups.last()) {
            (0, None) => return Ok(None),
            (0, Some(open)) => WireError::OpenGroup(*open),
            (wanted, _) => WireError::Truncated { wanted, left: 0 },
        };
        Err(self.source.locate(Error::wire(cause, 0)))
    }

    /// Checks that one more group may be opened without exceeding the nesting limit.
    fn check_depth(&self) -> Result<()> {
        match self.groups.len() + 1 < self.max_depth as usize {
            true => Ok(()),
            false => Err(self.source.locate(Error::limit(LimitError::Depth(self.max_depth)).at_byte(0))),
        }
    }

    /// Checks the length of a group that is buffered. The limit for fields applies to groups, too.
    fn check_group(&self) -> Result<()> {
        let end = self.source.position() + self.source.to_skip();
        self.source.kept().map_or(Ok(()), |start| self.check_len(end - start))
    }

    pub(super) fn check_len(&self, size: u64) -> Result<()> {
        let limit = self.max_len;
        match size > limit {
            true => Err(self.source.locate(Error::limit(LimitError::Input { size, limit }).at_byte(0))),
            false => Ok(()),
        }
    }
}
