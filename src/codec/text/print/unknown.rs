//! Prints unknown fields: extensions that the pool has, and fields of which only the number is known.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#unknown-fields>.

use super::{REDACTED, Text};
use crate::error::{Error, LimitError, Result};
use crate::object::arena::content::ArenaContent;
use crate::table::{Table, pool_extension_table};
use crate::wire::{Reader, Tag, WireType, message_set};

/// The number of levels that are printed as messages if the bytes of a string look like nested messages.
const DEPTH: u32 = 10;

impl Text<'_> {
    #[inline(never)]
    pub(super) fn unknown(&mut self, table: &Table, fields: &[u8]) -> Result<()> {
        match self.known {
            Some(known) if table.extendable => (known.extensions)(self, table, fields),
            _ => self.numbered(fields),
        }
    }

    /// Prints the unknown fields of a message that may have extensions.
    pub(super) fn extensions(&mut self, table: &Table, fields: &[u8]) -> Result<()> {
        let Some(extensions) = pool_extension_table(&self.pool(), &table.full_name)? else {
            return self.numbered(fields);
        };
        let items = match table.message_set {
            true => message_set::items_to_fields(fields).map_err(|error| self.of_content(error))?,
            false => Default::default(),
        };
        let (fields, rest) = if table.message_set { (&items.0[..], &items.1[..]) } else { (fields, &[][..]) };
        // Extensions are fields of the outer message, whose level of nesting is already counted.
        let (limits, depth) = (self.options.limits, self.depth + 1);
        if self.view(&extensions, fields, depth, |text, message| text.fields(message))? {
            return self.numbered(rest);
        }
        let fields = self.shared(fields);
        let outer = std::mem::replace(&mut self.input, fields.clone());
        let decoded = ArenaContent::decode(&extensions, fields, limits, depth, self.options.partial)
            .map_err(|error| self.of_content(error))?;
        self.fields(decoded.message(&extensions))?;
        self.numbered(rest)?;
        self.input = outer;
        Ok(())
    }

    /// Prints fields with their numbers as names, if the options include unknown fields.
    fn numbered(&mut self, fields: &[u8]) -> Result<()> {
        if !self.options.unknown_fields {
            return Ok(());
        }
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            let tag = reader.tag().map_err(|error| self.of_content(error))?;
            self.number(&mut reader, tag, self.depth, DEPTH).map_err(|error| self.of_content(error))?;
        }
        Ok(())
    }

    /// Prints a field with its number as its name. `groups` limits the nesting of groups, and `guesses` limits the nesting of
    /// strings that look like messages.
    fn number(&mut self, reader: &mut Reader<'_>, tag: Tag, groups: u32, guesses: u32) -> Result<()> {
        self.out.field(tag.number().to_string().as_bytes());
        match tag.wire_type() {
            WireType::StartGroup => {
                let Some(groups) = groups.checked_sub(1) else {
                    return Err(Error::limit(LimitError::Depth(self.options.limits.max_depth())));
                };
                self.out.open();
                loop {
                    let tag = reader.tag()?;
                    if tag.wire_type() == WireType::EndGroup {
                        break;
                    }
                    self.number(reader, tag, groups, guesses)?;
                }
                self.out.close();
                return Ok(());
            }
            wire_type if self.options.redact => {
                // The value may be secret, so it is hidden. A string that looks like a message is hidden, too, because
                // otherwise its bytes would appear as field numbers.
                reader.skip(tag, groups)?;
                self.out.colon();
                self.out.raw(match wire_type {
                    WireType::Len => b"UNKNOWN_STRING ",
                    WireType::Fixed32 => b"UNKNOWN_FIXED32 ",
                    WireType::Fixed64 => b"UNKNOWN_FIXED64 ",
                    _ => b"UNKNOWN_VARINT ",
                });
                self.out.raw(REDACTED);
            }
            WireType::Len => {
                let content = reader.len_prefixed()?;
                if guesses > 0 && is_message(content) {
                    self.out.open();
                    let mut reader = Reader::new(content);
                    while !reader.is_empty() {
                        let tag = reader.tag()?;
                        self.number(&mut reader, tag, DEPTH, guesses - 1)?;
                    }
                    self.out.close();
                    return Ok(());
                }
                self.out.colon();
                self.out.bytes(content);
            }
            WireType::Fixed32 => {
                self.out.colon();
                self.out.hex(reader.fixed32()?.into(), 8);
            }
            WireType::Fixed64 => {
                self.out.colon();
                self.out.hex(reader.fixed64()?, 16);
            }
            WireType::Varint | WireType::EndGroup => {
                self.out.colon();
                self.out.unsigned(reader.varint()?);
            }
        }
        self.out.end();
        Ok(())
    }

    /// Changes an error of decoding the bytes inside a message into an error of the outer message, without a position.
    #[cold]
    fn of_content(&self, error: Error) -> Error {
        error.nowhere().of_max_depth(self.options.limits.max_depth()).within_message(self.root)
    }
}

/// True if `content` can be read as a sequence of fields.
fn is_message(content: &[u8]) -> bool {
    let mut reader = Reader::new(content);
    while !reader.is_empty() {
        if reader.tag().and_then(|tag| reader.skip(tag, DEPTH)).is_err() {
            return false;
        }
    }
    !content.is_empty()
}
