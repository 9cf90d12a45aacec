//! Parses fields.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#fields>.

use super::Parser;
use crate::codec::element::{check_owned, element_size, spare_size};
use crate::codec::scalar::ParseScalar;
use crate::codec::seen::Seen;
use crate::error::{Error, Result};
use crate::layout::{Opened, Text};
use crate::object::{Fill, ListMut, ObjectMut};
use crate::syntax::json::print::Key;
use crate::syntax::well_known::quoted;
use crate::table::{Kind, Row, Shape, Table, TextNames};

/// The number of parsed numbers that are buffered before they are stored.
const BATCH: usize = 32;

/// The fields of a message that were seen, and the field that the parser expects next.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) seen: Seen,
    /// The row of the field that is expected next. After an element of a list, this is the row of the list.
    pub(super) guess: u16,
    /// The row of the last list or map.
    last: u16,
    /// The number of elements of the list or map `last` that were seen.
    pub(super) count: usize,
    /// The numbers of elements of all other lists. They are in a box, because few messages have several lists.
    counts: Option<Box<Counts>>,
    /// One entry for each member with a conversion: the index of the row, the proto value, and the position of the field's last
    /// occurrence. Proto values are converted at the end of the message, because a field may occur several times.
    opened: Vec<(u16, Opened, usize)>,
}

/// The number of elements of each list.
#[derive(Default)]
struct Counts {
    /// Pairs of the index of a row and a number of elements. Few messages have many lists, so a linear search is enough.
    rows: Vec<(u16, usize)>,
    /// Pairs of a field number and a number of elements, in ascending order of field numbers. They are for lists whose rows are
    /// in other tables, such as extensions.
    others: Vec<(u32, usize)>,
}

impl Fields {
    /// Sets `count` to the number of elements of the list or map with the row `index`. First saves the number of elements of
    /// the list that was counted before.
    #[inline]
    pub(super) fn turn_to(&mut self, index: u16) {
        if index != self.last {
            if self.count > 0 || self.counts.is_some() {
                self.turn_from_list(index);
            }
            self.last = index;
        }
    }

    #[inline(never)]
    fn turn_from_list(&mut self, index: u16) {
        let rows = &mut self.counts.get_or_insert_default().rows;
        let before = rows.iter().position(|(row, _)| *row == index);
        let before = before.map_or(0, |place| rows.swap_remove(place).1);
        if self.count > 0 {
            rows.push((self.last, self.count));
        }
        self.count = before;
    }

    /// Returns a mutable reference to the number of elements of the list with the field number `number`, whose row is in
    /// another table.
    pub(super) fn count_of_other(&mut self, number: u32) -> &mut usize {
        let others = &mut self.counts.get_or_insert_default().others;
        let at = others.partition_point(|(other, _)| *other < number);
        if others.get(at).is_none_or(|(other, _)| *other != number) {
            others.insert(at, (number, 0));
        }
        &mut others[at].1
    }
}

/// Returns the index of the row of the field with the name `name`, or `None` if the table has no such row. In the text, a group
/// can also have the name of its message.
pub(super) fn row_named(table: &Table, name: &str) -> Option<u16> {
    let row = |index: &u16| &table.rows[usize::from(*index)];
    if let Some(index) = table.row_called(name).filter(|index| *row(index).name == *name) {
        return Some(index);
    }
    // The field of a group has the name of the message in lower case.
    let lower = name.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| name.to_ascii_lowercase())?;
    table.row_called(&lower).filter(|index| {
        let row = row(index);
        row.has_name_of_message && *row.name == *lower && row.message_descriptor().name() == name
    })
}

impl<'i> Parser<'i> {
    pub(super) fn fields<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        end: Option<u8>,
    ) -> Result<()> {
        let mut fields = Fields::default();
        let names = table.text_names();
        let mut separator = false;
        loop {
            // In the usual case, the next line has the expected field or the field after it.
            let mut name = self.cursor.next_line();
            let guess = usize::from(fields.guess);
            let field = |index| Some((table.rows.get(index)?, names.marks.get(index)?));
            let marked = |index, name| {
                field(index).and_then(|(row, mark): (_, &Key)| Some(((row, mark), mark.strip(name)?)))
            };
            let mut found = marked(guess, name);
            if found.is_none() {
                self.cursor.seek(name);
                if self.next_token(separator) == end {
                    break;
                }
                name = self.cursor.rest();
                found = marked(guess + 1, name);
            }
            separator = true;
            let found = match found {
                Some((field, value)) => {
                    self.cursor.seek(value);
                    Some((field, true))
                }
                None => {
                    let nearby = self.nearby(table, names, guess);
                    nearby.and_then(|(index, marked)| Some((field(index)?, marked)))
                }
            };
            match found {
                Some(((row, mark), marked)) => {
                    self.start = self.cursor.position_of(name);
                    self.field(message, table, row, marked.then_some(mark), &mut fields)?;
                }
                None => self.slow_field(message, table, &mut fields, end)?,
            }
        }
        for (index, opened, position) in std::mem::take(&mut fields.opened) {
            let row = &table.rows[usize::from(index)];
            if let Err(error) = message.close(row, opened) {
                self.start = position;
                return Err(self.in_field(error, row));
            }
        }
        self.cursor.bump();
        if !table.required.is_empty()
            && !self.settings.partial
            && self.missing.is_none()
            && let Err(error) = fields.seen.check_required(table)
        {
            // Another occurrence of the message may have the field, so the caller checks this at the end.
            self.missing = Some((error, self.start));
        }
        Ok(())
    }

    /// Consumes the name of a field if it is the name of the expected row `guess` or of a row near it. Returns the index of the
    /// row, and true if the punctuation after the name was also consumed. Returns `None` for any other name.
    #[inline(never)]
    fn nearby(&mut self, table: &Table, names: &TextNames, guess: usize) -> Option<(usize, bool)> {
        for index in names.starts.nearby(guess, self.cursor.rest()) {
            if self.cursor.eat_mark(names.marks.get(index)?) {
                return Some((index, true));
            }
            if self.cursor.eat_word(&table.rows.get(index)?.name) {
                return Some((index, false));
            }
        }
        None
    }

    /// Parses a field that is not one of the fields expected next.
    #[inline(never)]
    fn slow_field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
        end: Option<u8>,
    ) -> Result<()> {
        match self.cursor.peek() {
            Some(b'[') => return self.bracketed(message, table, fields),
            Some(b'0'..=b'9')
                if self.settings.options.unknown_fields || self.settings.options.ignore_unknown =>
            {
                return self.numbered(message, table, fields);
            }
            _ => {}
        }
        let name = self.cursor.identifier(match end {
            None => "a field",
            Some(b'>') => "a field or `>`",
            Some(_) => "a field or `}`",
        })?;
        match row_named(table, name) {
            Some(index) => self.field(message, table, &table.rows[usize::from(index)], None, fields),
            None => self.unnamed(message, table, fields, name),
        }
    }

    /// Parses the rest of the field `row`, after its name was consumed. If `mark` is `Some`, the punctuation after the name was
    /// consumed, too.
    pub(super) fn field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &Table,
        row: &'t Row,
        mark: Option<&Key>,
        fields: &mut Fields,
    ) -> Result<()> {
        fields.guess = row.index + u16::from(row.shape == Shape::Singular);
        let first = fields.seen.note_field(row.index);
        if row.shape == Shape::Singular {
            if !first && !row.is_message() {
                return Err(self.twice(row));
            }
            if first
                && row.is_in_oneof()
                && let Err(error) = fields.seen.check_oneof(table, row)
            {
                return Err(self.locate(error));
            }
        } else {
            fields.turn_to(row.index);
        }
        let missing = self.missing.is_some();
        let stored = match row.made() {
            Some(_) => self.made(message, row, mark, first, fields),
            None => self.values(message, row, mark, first, &mut fields.count),
        };
        match stored {
            Ok(stored) => {
                if !stored {
                    fields.seen.note_unset(row);
                }
                self.locate_missing(missing, |error| error.in_field(&row.name));
                Ok(())
            }
            Err(error) => Err(self.in_field(error, row)),
        }
    }

    /// Parses the value of a member with a conversion. The parser fills a whole proto value, from which the conversion later
    /// makes the member.
    #[inline(never)]
    fn made<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        mark: Option<&Key>,
        first: bool,
        fields: &mut Fields,
    ) -> Result<bool> {
        let start = self.start;
        let before = fields.opened.iter().position(|(index, ..)| *index == row.index);
        let mut opened = match before {
            Some(position) => fields.opened.swap_remove(position).1,
            None => message.open(row)?,
        };
        let (mut inner, row_in) = message.opened(row, &mut opened)?;
        let stored = self.values(&mut inner, row_in, mark, first, &mut fields.count)?;
        drop(inner);
        // After messages and lists, `self.start` is not the position of the value any more.
        let is_one = row.shape == Shape::Singular && !row.is_message();
        fields.opened.push((row.index, opened, if is_one { self.start } else { start }));
        Ok(stored)
    }

    /// Parses the values after the name of a field. `first` is false if the field occurred before. Returns false if the only
    /// value is an unknown enum value that was skipped.
    #[inline]
    pub(super) fn values<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        mark: Option<&Key>,
        first: bool,
        count: &mut usize,
    ) -> Result<bool> {
        match mark {
            Some(_) if row.shape != Shape::Map && !row.is_message() => _ = self.at_token(),
            Some(_) if self.cursor.peek() == Some(b'{') => self.start = self.cursor.position(),
            _ => self.colon(row)?,
        }
        match row.shape {
            Shape::Singular => match self.passes_over(row) {
                true => return Ok(false),
                false => self.single(message, row, first)?,
            },
            Shape::List if row.is_scalar() => self.scalars(message, row, mark, count)?,
            Shape::List => {
                let mut list = message.list(row, &|| 0)?;
                self.each_value(&mut |parser| parser.element(&mut list, row, count))?;
                list.end();
            }
            Shape::Map => self.each_value(&mut |parser| parser.entry(message, row))?,
        }
        Ok(true)
    }

    /// Consumes the colon, which is optional before messages, and moves to the value.
    #[inline]
    pub(super) fn colon(&mut self, row: &Row) -> Result<()> {
        let is_message = row.is_message() || row.shape == Shape::Map;
        if !self.cursor.eat(b':') && !is_message {
            return Err(self.cursor.unexpected("`:`"));
        }
        self.at_token();
        Ok(())
    }

    /// Calls `value`, which parses the value at the cursor. If a list in brackets is at the cursor, calls `value` for each
    /// element of the list.
    #[inline(never)]
    pub(super) fn each_value(&mut self, value: &mut dyn FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.at_token() != Some(b'[') {
            return value(self);
        }
        self.cursor.bump();
        if self.cursor.eat(b']') {
            return Ok(());
        }
        loop {
            self.at_token();
            value(self)?;
            match self.cursor.token() {
                Some(b',') => self.cursor.bump(),
                Some(b']') => {
                    self.cursor.bump();
                    return Ok(());
                }
                _ => return Err(self.cursor.unexpected("`,` or `]`")),
            }
        }
    }

    /// Parses an element of a list of strings, byte strings or messages.
    #[inline]
    fn element<'t, L: ListMut<'t>>(&mut self, list: &mut L, row: &'t Row, count: &mut usize) -> Result<()> {
        let missing = self.missing.is_some();
        let room = if *count == 0 { self.room.take(spare_size(row)) } else { Ok(()) };
        if let Err(error) = room.and_then(|()| self.push(list, row)) {
            return Err(self.locate(error.in_index(*count)));
        }
        self.locate_missing(missing, |error| error.in_index(*count));
        *count += 1;
        Ok(())
    }

    #[inline]
    fn push<'t, L: ListMut<'t>>(&mut self, list: &mut L, row: &'t Row) -> Result<()> {
        self.room.take(element_size(row))?;
        if row.is_message() {
            let end = self.open_message(row)?;
            return self.message(list.push_message()?, Some(end));
        }
        if let Some(text) = self.plain_text(row) {
            return list.push_str(text, self.settings.borrowed);
        }
        self.text(row, &mut |text| list.push_text(text))
    }

    /// Parses elements of a list of numbers, bools or enums: the values after the name of the field, and the values of further
    /// occurrences of the field that follow directly.
    #[inline(never)]
    fn scalars<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        mark: Option<&Key>,
        count: &mut usize,
    ) -> Result<()> {
        let size = element_size(row);
        let (mut batch, mut len, may_refuse) = ([0; BATCH], 0, row.may_refuse());
        let mut list = message.list(row, &|| 0)?;
        loop {
            self.each_value(&mut |parser| {
                if parser.passes_over(row) {
                    return Ok(());
                }
                let bits = parser.room.take(size).and_then(|()| parser.scalar(row));
                let stored = bits.and_then(|bits| {
                    batch[len] = bits;
                    len += 1;
                    // If the Rust type can reject a value, each element is stored at once, so that the error names this
                    // element.
                    if len < BATCH && !may_refuse {
                        return Ok(());
                    }
                    list.push_scalars(&batch[..std::mem::take(&mut len)])
                });
                stored.map_err(|error| parser.locate(error.in_index(*count)))?;
                *count += 1;
                Ok(())
            })?;
            let before = self.cursor.rest();
            match mark.and_then(|mark| mark.strip(self.cursor.next_line())) {
                Some(value) => self.cursor.seek(value),
                None => {
                    self.next_token(true);
                    if !mark.is_some_and(|mark| self.cursor.eat_mark(mark)) {
                        self.cursor.seek(before);
                        list.push_scalars(&batch[..len])?;
                        list.end();
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Parses one value into a field, or into the key or value of a map entry.
    #[inline]
    pub(super) fn single<'t, F: Fill<'t>>(
        &mut self,
        target: &mut F,
        row: &'t Row,
        first: bool,
    ) -> Result<()> {
        match row.kind {
            Kind::Message | Kind::Group => {
                let end = self.open_message(row)?;
                let child = target.message(row)?;
                match first {
                    true => self.message(child, Some(end)),
                    false => self.occurrence(child, Some(end)),
                }
            }
            _ => self.leaf(target, row),
        }
    }

    #[inline]
    fn leaf<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        match row.kind {
            Kind::String | Kind::Bytes => match self.plain_text(row) {
                Some(text) => target.set_str(row, text, self.settings.borrowed),
                None => self.text(row, &mut |text| target.set_text(row, text)),
            },
            _ => {
                let bits = self.scalar(row)?;
                target.set_scalar(row, bits)
            }
        }
    }

    #[inline]
    fn open_message(&mut self, row: &Row) -> Result<u8> {
        if self.cursor.peek() == Some(b'{') {
            self.start = self.cursor.position();
            self.cursor.bump();
            return Ok(b'}');
        }
        self.other_bracket(row)
    }

    #[inline(never)]
    fn other_bracket(&mut self, row: &Row) -> Result<u8> {
        match self.at_token() {
            Some(b'{' | b'<') => self.open(""),
            _ => Err(self.cursor.unexpected(&format!("a message of type {}", row.message()?.full_name))),
        }
    }

    /// Consumes the string at the cursor. Returns `None` for bytes, or if the string has escapes or an adjacent string follows.
    #[inline]
    fn plain_text(&mut self, row: &Row) -> Option<&'i str> {
        if row.kind == Kind::String { self.cursor.plain_text() } else { None }
    }

    /// Parses the string at the cursor, and calls `store` with the string. Fails if the Rust type can only borrow, and the
    /// string has escapes or consists of several adjacent strings.
    #[inline(never)]
    pub(super) fn text(&mut self, row: &Row, store: &mut dyn FnMut(Text<'_>) -> Result<()>) -> Result<()> {
        if !matches!(self.at_token(), Some(b'"' | b'\'')) {
            return Err(self.cursor.unexpected(row.kind.with_article()));
        }
        self.unescaped.clear();
        match self.cursor.strings_with(&mut self.unescaped)? {
            Some(text) => store(Text { bytes: text, borrowed: self.settings.borrowed, input: None }),
            None => {
                check_owned(row, &self.unescaped)?;
                store(Text::owned(&self.unescaped))
            }
        }
    }

    #[cold]
    pub(super) fn twice(&self, row: &Row) -> Error {
        self.error("the field comes twice").in_field(&row.name)
    }

    #[cold]
    pub(super) fn no_field(&self, name: &str) -> Error {
        self.error(format!("unknown field {}", quoted(name)))
    }
}
