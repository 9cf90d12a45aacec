//! Parses the entries of maps. In the text, each entry is a message with the fields `key` and `value`.

use super::Parser;
use crate::error::{Error, Result, WireError};
use crate::object::{Fill, ObjectMut};
use crate::table::{Kind, MapRows, Row};
use crate::wire::utf8;

impl Parser<'_> {
    /// Parses an entry, and inserts it, unless an unknown enum value in it is skipped. The new entry replaces an earlier entry
    /// with an equal key.
    #[inline(never)]
    pub(super) fn entry<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let end = self.open("an entry of a map")?;
        self.room.take(crate::codec::element_size(row))?;
        let MapRows { key, value, .. } = row.map();
        let (mut keys, mut values, mut key_at) = (0, 0, None);
        let missing = self.missing.is_some();
        let done = message.insert(row, &mut |entry| {
            let (mut inserts, mut separator) = (true, false);
            loop {
                // Printers put key and value on separate lines.
                let line = self.cursor.next_line();
                let marked = marked_half(line, value.is_message());
                let is_key = if let Some((is_key, _)) = marked {
                    self.start = self.cursor.position_of(line);
                    is_key
                } else {
                    self.cursor.seek(line);
                    if self.next_token(separator) == Some(end) {
                        self.cursor.bump();
                        if values == 0 && value.is_message() {
                            self.without_value(entry, value)?;
                        }
                        return Ok(inserts);
                    }
                    self.half()?
                };
                separator = true;
                let (row, count) = if is_key { (key, &mut keys) } else { (value, &mut values) };
                *count += 1;
                let first = *count == 1;
                if !first && !row.is_message() {
                    return Err(self.twice(row));
                }
                match marked {
                    None => self.colon(row)?,
                    Some((_, value)) => {
                        self.cursor.seek(value);
                        self.at_token();
                    }
                }
                let value = self.cursor.rest();
                if is_key {
                    key_at = Some(value);
                }
                match self.passes_over(row) {
                    true => inserts = false,
                    false if is_key && row.kind == Kind::String => self.text_key(entry, row)?,
                    false if is_key => self.single(entry, row, first)?,
                    false => {
                        self.room.enter_entry(row);
                        self.single(entry, row, first)?;
                        self.room.leave_entry(row);
                    }
                }
            }
        });
        match (done, key_at) {
            (Ok(_), key) => {
                if self.missing.is_some() && !missing {
                    let key = key.map(|key| self.cursor.at(key).shown()).unwrap_or_default();
                    self.locate_missing(missing, |error| error.in_key(key));
                }
                Ok(())
            }
            (Err(error), Some(key)) if values > 0 => {
                Err(self.locate(error.in_key(self.cursor.at(key).shown())))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Consumes the name `key` or `value`. Returns true for `key`, and false for `value`.
    #[inline]
    fn half(&mut self) -> Result<bool> {
        if self.cursor.eat_word("key") {
            return Ok(true);
        }
        if self.cursor.eat_word("value") {
            return Ok(false);
        }
        Err(match self.cursor.identifier("`key` or `value`") {
            Ok(name) => self.no_field(name),
            Err(error) => error,
        })
    }

    /// Parses a key that is a string. The key must be UTF-8, even if the schema does not require UTF-8 for strings.
    fn text_key<'t, F: Fill<'t>>(&mut self, entry: &mut F, row: &'t Row) -> Result<()> {
        self.text(row, &mut |text| {
            utf8(text.bytes).map_err(|_| Error::wire(WireError::Utf8, 0).nowhere())?;
            entry.set_text(row, text)
        })
    }

    /// Fills the message of an entry that has no `value` in the text. The message is then empty.
    #[cold]
    fn without_value<'t, F: Fill<'t>>(&mut self, entry: &mut F, row: &'t Row) -> Result<()> {
        let table = row.message()?;
        self.room.enter_entry(row);
        self.room.enter(table)?;
        self.room.leave();
        self.room.leave_entry(row);
        entry.message(row)?.end();
        if let (Some(&required), false) = (table.required.first(), self.settings.partial) {
            let error = Error::required(&table.rows[usize::from(required)].name);
            self.missing.get_or_insert((error, self.start));
        }
        Ok(())
    }
}

/// Recognizes `key: ` or `value: ` at the start of a line, in the form that printers write. If `messages` is true, recognizes
/// `value {` and not `value: `. Returns true for `key` or false for `value`, and the line from the value on. Returns `None` for
/// any other line.
#[inline]
fn marked_half(line: &[u8], messages: bool) -> Option<(bool, &[u8])> {
    if let Some(key) = line.strip_prefix(b"key: ") {
        return Some((true, key));
    }
    let value = line.strip_prefix(b"value")?;
    let value = if messages {
        value.strip_prefix(b" ").filter(|value| value.first() == Some(&b'{'))
    } else {
        value.strip_prefix(b": ")
    };
    value.map(|value| (false, value))
}
