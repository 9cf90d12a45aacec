//! Parses fields for which the table of a message has no row: extensions, fields that a Rust type omits, and fields whose name
//! is a number. The message keeps them as unknown fields, in wire bytes.

use super::Parser;
use super::field::{Fields, row_named};
use crate::error::Result;
use crate::object::ObjectMut;
use crate::syntax::text::lex::{Number, is_identifier, is_url};
use crate::syntax::well_known::quoted;
use crate::table::{Row, Shape, Table, Tabled, WellKnown, pool_extension_table};
use crate::wire::{MAX_FIELD_NUMBER, Tag, WireType, Writer, message_set};

impl Parser<'_> {
    /// Parses a field whose name is in brackets: an extension, or the content of an `Any`.
    pub(super) fn bracketed<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
    ) -> Result<()> {
        let name = self.cursor.bracketed()?;
        if name.contains('/') {
            if !is_url(&name) {
                return Err(self.error(format!("{} is not a type URL", quoted(&name))));
            }
            if table.known != WellKnown::Any {
                return Err(self.error(format!("{} is not an Any", table.full_name)));
            }
            return self.any(message, table, fields, &name);
        }
        if !is_identifier(&name) {
            return Err(self.error(format!("{} is not the name of an extension", quoted(&name))));
        }
        if table.extendable
            && let Some(others) = pool_extension_table(&self.pool(), &table.full_name)?
        {
            let full = format!("[{name}]");
            let found = others.row_called(&full).map(|index| &others.rows[usize::from(index)]);
            let item = |row: &&Row| row.has_name_of_message && row.message_descriptor().full_name() == name;
            let found = found.filter(|row| *row.name == *full).or_else(|| others.rows.iter().find(item));
            if let Some(row) = found {
                return self.field_among(message, fields, table, &others, row);
            }
        }
        match self.settings.options.ignore_unknown {
            true => self.skip_values(),
            false => Err(self.error(format!("{} has no extension {}", table.full_name, quoted(&name)))),
        }
    }

    /// Parses a field for which the table has no row.
    #[cold]
    pub(super) fn unnamed<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
        name: &str,
    ) -> Result<()> {
        let descriptor = table.handle();
        if table.shape.is_some() {
            let whole = descriptor.table()?;
            if let Some(index) = row_named(whole, name) {
                return self.field_among(message, fields, table, whole, &whole.rows[usize::from(index)]);
            }
        }
        // A reserved name is skipped, because an older version of the schema may have had a field with this name.
        match self.settings.options.ignore_unknown
            || descriptor.reserved_names().any(|reserved| reserved == name)
        {
            true => self.skip_values(),
            false => Err(self.no_field(name)),
        }
    }

    /// Parses a field whose name is a number.
    #[cold]
    pub(super) fn numbered<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
    ) -> Result<()> {
        let number = self.field_number()?;
        if !self.settings.options.unknown_fields {
            return match self.is_known(table, number)? {
                true => Err(self.error("a field that the schema has is written by its name")),
                false => self.skip_values(),
            };
        }
        if let Some(row) = table.row(number) {
            return self.field(message, table, row, None, fields);
        }
        let mut writer = Writer::new();
        self.unknown_field(&mut writer, number, self.room.depth())?;
        message.add_unknown(&writer.finish()?);
        Ok(())
    }

    /// True if the schema has a field with the number `number`, or if the pool has an extension with this number.
    fn is_known(&self, table: &Table, number: u32) -> Result<bool> {
        if table.row(number).is_some()
            || table.shape.is_some() && table.handle().table()?.row(number).is_some()
        {
            return Ok(true);
        }
        if !table.extendable {
            return Ok(false);
        }
        let others = pool_extension_table(&self.pool(), &table.full_name)?;
        Ok(others.is_some_and(|others| others.row(number).is_some()))
    }

    /// Parses the values of a field whose `row` is in the table `others`, because the table of the message has no row for it.
    fn field_among<'t, 'o, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        fields: &mut Fields,
        table: &'t Table,
        others: &'o Table,
        row: &'o Row,
    ) -> Result<()> {
        if row.shape == Shape::Singular && !fields.seen.note_unknown(row.number) && !row.is_message() {
            return Err(self.twice(row));
        }
        let mut count = match row.shape {
            Shape::Singular => 0,
            _ => *fields.count_of_other(row.number),
        };
        let bytes = self.separately(others, &mut |parser, mut part| {
            parser.values(&mut part, row, None, true, &mut count).map(drop)
        });
        let bytes = bytes.map_err(|error| self.in_field(error, row))?;
        if row.shape != Shape::Singular {
            *fields.count_of_other(row.number) = count;
        }
        match table.message_set {
            true => message.add_unknown(&message_set::fields_to_items(&bytes)?),
            false => message.add_unknown(&bytes),
        }
        Ok(())
    }

    /// Parses the values of a field of which only the number is known.
    fn unknown_field(&mut self, writer: &mut Writer, number: u32, depth: u32) -> Result<()> {
        let colon = self.cursor.eat(b':');
        self.each_value(&mut |parser| parser.unknown_value(writer, number, colon, depth))
    }

    /// Parses one value of a field of which only the number is known. The syntax of the value determines the wire type.
    fn unknown_value(&mut self, writer: &mut Writer, number: u32, colon: bool, depth: u32) -> Result<()> {
        match self.cursor.peek() {
            Some(b'{' | b'<') => {
                let end = self.open("a message")?;
                let content = self.unknown_message(end, depth)?;
                writer.tag(Tag::new(number, WireType::Len));
                writer.len_prefixed(&content);
            }
            _ if !colon => return Err(self.cursor.unexpected("`:`")),
            Some(b'"' | b'\'') => {
                let text = self.cursor.strings()?;
                writer.tag(Tag::new(number, WireType::Len));
                writer.len_prefixed(&text);
            }
            Some(b'0'..=b'9') => match self.cursor.number()? {
                Number::Integer { text, decimal: false, magnitude: Some(value) } if text.len() == 10 => {
                    writer.tag(Tag::new(number, WireType::Fixed32));
                    writer.fixed32(value as u32);
                }
                Number::Integer { text, decimal: false, magnitude: Some(value) } if text.len() == 18 => {
                    writer.tag(Tag::new(number, WireType::Fixed64));
                    writer.fixed64(value);
                }
                Number::Integer { decimal: true, magnitude: Some(value), .. } => {
                    writer.tag(Tag::new(number, WireType::Varint));
                    writer.varint(value);
                }
                other => {
                    let shown = other.shown(false);
                    return Err(self.error(format!("{shown} is not a value of a field that is not known")));
                }
            },
            _ => return Err(self.cursor.unexpected("the value of a field that is not known")),
        }
        Ok(())
    }

    /// Parses fields whose names are numbers, up to the closing bracket `end`, into wire bytes.
    fn unknown_message(&mut self, end: u8, depth: u32) -> Result<Vec<u8>> {
        let Some(depth) = depth.checked_sub(1) else { return Err(self.locate(self.room.too_deep())) };
        let mut writer = Writer::new();
        loop {
            match self.at_token() {
                Some(byte) if byte == end => break,
                Some(b'0'..=b'9') => {}
                _ => return Err(self.cursor.unexpected("the number of a field")),
            }
            let number = self.field_number()?;
            self.unknown_field(&mut writer, number, depth)?;
            self.next_token(true);
        }
        self.cursor.bump();
        writer.finish()
    }

    fn field_number(&mut self) -> Result<u32> {
        let number = match self.cursor.number()? {
            Number::Integer { decimal: true, magnitude: Some(number), .. } => u32::try_from(number).ok(),
            _ => None,
        };
        let number = number.filter(|number| (1..=MAX_FIELD_NUMBER).contains(number));
        number.ok_or_else(|| self.error("this is not the number of a field"))
    }
}
