//! A cursor over wire bytes.

use super::varint::wide_varint;
use super::{Tag, WireType, utf8_by_call};
use crate::error::{Error, LimitError, Result, WireError};

/// Reads tags and values from a byte slice, from start to end.
///
/// ```
/// use tobu::wire::{Reader, WireType};
///
/// // field 1: varint 150, field 2: "hi"
/// let mut reader = Reader::new(&[0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i']);
/// let tag = reader.tag()?;
/// assert_eq!((tag.number(), tag.wire_type()), (1, WireType::Varint));
/// assert_eq!(reader.varint()?, 150);
/// assert_eq!(reader.tag()?.number(), 2);
/// assert_eq!(reader.len_prefixed()?, b"hi");
/// assert!(reader.is_empty());
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'de> {
    /// The unread part of the region that is being read.
    buf: &'de [u8],
    /// The address of the start of the whole input. It is never dereferenced, only subtracted to compute offsets.
    base: usize,
}

/// The bytes of a field that was skipped, tag included.
pub type Skipped<'de> = &'de [u8];

impl<'de> Reader<'de> {
    /// Creates a reader at the start of `input`.
    #[inline]
    pub fn new(input: &'de [u8]) -> Self {
        Reader { buf: input, base: input.as_ptr() as usize }
    }

    /// True if every byte was read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.buf.is_empty()
    }

    /// Returns the unread bytes.
    #[inline]
    pub fn rest(&self) -> &'de [u8] {
        self.buf
    }

    /// Returns the offset of the cursor from the start of the input, in bytes.
    #[inline]
    pub fn position(&self) -> usize {
        (self.buf.as_ptr() as usize).wrapping_sub(self.base)
    }

    /// Creates a reader over `part`, a slice of the same input. The positions of the new reader are offsets in the whole input.
    #[inline]
    pub fn within(&self, part: &'de [u8]) -> Self {
        Reader { buf: part, base: self.base }
    }

    /// Continues with `part`, a slice of the same input, and returns the bytes that were unread before.
    #[inline]
    #[doc(hidden)]
    pub fn replace(&mut self, part: &'de [u8]) -> &'de [u8] {
        std::mem::replace(&mut self.buf, part)
    }

    /// Reads a tag.
    ///
    /// # Errors
    /// The input ends, the varint is longer than five bytes or exceeds 32 bits, the field number is 0, or the wire
    /// type is 6 or 7.
    #[inline]
    pub fn tag(&mut self) -> Result<Tag> {
        if let [byte, rest @ ..] = self.buf
            && *byte < 0x80
            && let Some(tag) = Tag::from_value(u32::from(*byte))
        {
            self.buf = rest;
            return Ok(tag);
        }
        if let [a, b, rest @ ..] = self.buf
            && *a >= 0x80
            && *b < 0x80
            && let Some(tag) = Tag::from_value(u32::from(*a & 0x7f) | u32::from(*b) << 7)
        {
            self.buf = rest;
            return Ok(tag);
        }
        self.tag_slow()
    }

    #[inline(never)]
    fn tag_slow(&mut self) -> Result<Tag> {
        let start = self.position();
        let mut value = 0u64;
        for (i, &byte) in self.buf.iter().take(5).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                let Ok(value) = u32::try_from(value) else {
                    return Err(Error::wire(WireError::TagOverflow, start));
                };
                if value >> 3 == 0 {
                    return Err(Error::wire(WireError::FieldZero, start));
                }
                let Some(tag) = Tag::from_value(value) else {
                    return Err(Error::wire(WireError::WireType((value & 7) as u8), start));
                };
                self.buf = &self.buf[i + 1..];
                return Ok(tag);
            }
        }
        let cause = if self.buf.len() < 5 { WireError::TruncatedVarint } else { WireError::TagOverflow };
        Err(Error::wire(cause, start))
    }

    /// Reads a varint of up to ten bytes.
    ///
    /// # Errors
    /// The input ends inside the varint, or the varint exceeds 64 bits.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        match self.buf {
            [a, rest @ ..] if *a < 0x80 => {
                self.buf = rest;
                Ok(u64::from(*a))
            }
            [a, b, rest @ ..] if *b < 0x80 => {
                self.buf = rest;
                Ok(u64::from(*a & 0x7f) | u64::from(*b) << 7)
            }
            _ => self.varint_slow(),
        }
    }

    #[inline(never)]
    fn varint_slow(&mut self) -> Result<u64> {
        if let Some((value, rest)) = wide_varint(self.buf) {
            self.buf = rest;
            return Ok(value);
        }
        let mut value = 0u64;
        for (i, &byte) in self.buf.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                if i == 9 && byte > 1 {
                    break;
                }
                self.buf = &self.buf[i + 1..];
                return Ok(value);
            }
        }
        let cause = if self.buf.len() < 10 { WireError::TruncatedVarint } else { WireError::VarintOverflow };
        Err(Error::wire(cause, self.position()))
    }

    /// Reads four bytes, little-endian.
    ///
    /// # Errors
    /// Fewer than four bytes are left.
    #[inline]
    pub fn fixed32(&mut self) -> Result<u32> {
        match self.buf.split_first_chunk() {
            Some((bytes, rest)) => {
                self.buf = rest;
                Ok(u32::from_le_bytes(*bytes))
            }
            None => Err(self.truncated(4)),
        }
    }

    /// Reads eight bytes, little-endian.
    ///
    /// # Errors
    /// Fewer than eight bytes are left.
    #[inline]
    pub fn fixed64(&mut self) -> Result<u64> {
        match self.buf.split_first_chunk() {
            Some((bytes, rest)) => {
                self.buf = rest;
                Ok(u64::from_le_bytes(*bytes))
            }
            None => Err(self.truncated(8)),
        }
    }

    /// Reads a length prefix and the bytes that it counts. Returns these bytes.
    ///
    /// # Errors
    /// The length is malformed, or it exceeds `i32::MAX` or the number of unread bytes.
    #[inline(never)]
    pub fn len_prefixed(&mut self) -> Result<&'de [u8]> {
        let len = self.varint()?;
        if len <= self.buf.len() as u64 && len <= i32::MAX as u64 {
            let (head, rest) = self.buf.split_at(len as usize);
            self.buf = rest;
            return Ok(head);
        }
        Err(self.bad_length(len))
    }

    /// Reads a length-prefixed string.
    ///
    /// # Errors
    /// Fails if [`len_prefixed`](Self::len_prefixed) would fail, or if the bytes are not UTF-8.
    #[inline(never)]
    pub fn string(&mut self) -> Result<&'de str> {
        let bytes = self.len_prefixed()?;
        match utf8_by_call(bytes) {
            Ok(text) => Ok(text),
            Err(error) => Err(self.bad_utf8(bytes, error)),
        }
    }

    /// Skips the value after `tag`. A group is skipped to its end, with everything in it.
    ///
    /// Groups may be nested up to `depth` levels. A loop skips them, without recursion.
    ///
    /// # Errors
    /// The value is malformed, a group is not closed, groups are nested deeper than `depth`, or `tag` is the end tag of a
    /// group.
    pub fn skip(&mut self, tag: Tag, depth: u32) -> Result<()> {
        match tag.wire_type() {
            WireType::Varint => self.varint().map(drop),
            WireType::Fixed64 => self.fixed64().map(drop),
            WireType::Len => self.len_prefixed().map(drop),
            WireType::Fixed32 => self.fixed32().map(drop),
            WireType::EndGroup => Err(Error::wire(WireError::StrayEndGroup(tag.number()), self.position())),
            WireType::StartGroup => self.group(tag.number(), depth).map(drop),
        }
    }

    /// Reads the rest of a group whose start tag was just read, including its end tag. Returns the bytes between the two
    /// tags.
    ///
    /// # Errors
    /// Fails if [`skip`](Self::skip) would fail.
    #[cold]
    pub fn group(&mut self, number: u32, depth: u32) -> Result<&'de [u8]> {
        if depth == 0 {
            return Err(Error::limit(LimitError::Depth(depth)).at_byte(self.position()));
        }
        let whole = self.buf;
        let mut open = vec![number];
        loop {
            let innermost = open[open.len() - 1];
            if self.is_empty() {
                return Err(Error::wire(WireError::OpenGroup(innermost), self.position()));
            }
            let (left, start) = (self.buf.len(), self.position());
            let tag = self.tag()?;
            match tag.wire_type() {
                WireType::StartGroup if open.len() >= depth as usize => {
                    return Err(Error::limit(LimitError::Depth(depth)).at_byte(start));
                }
                WireType::StartGroup => open.push(tag.number()),
                WireType::EndGroup if tag.number() != innermost => {
                    let cause = WireError::WrongEndGroup { wanted: innermost, found: tag.number() };
                    return Err(Error::wire(cause, start));
                }
                WireType::EndGroup => {
                    open.pop();
                    if open.is_empty() {
                        return Ok(&whole[..whole.len() - left]);
                    }
                }
                _ => self.skip(tag, 0)?,
            }
        }
    }

    #[cold]
    fn truncated(&self, wanted: u64) -> Error {
        Error::wire(WireError::Truncated { wanted, left: self.buf.len() as u64 }, self.position())
    }

    #[cold]
    fn bad_length(&self, len: u64) -> Error {
        if len > i32::MAX as u64 {
            return Error::limit(LimitError::Length(len)).at_byte(self.position());
        }
        self.truncated(len)
    }

    #[cold]
    #[doc(hidden)]
    pub fn bad_utf8(&self, bytes: &'de [u8], error: std::str::Utf8Error) -> Error {
        Error::wire(WireError::Utf8, self.within(bytes).position() + error.valid_up_to())
    }
}
