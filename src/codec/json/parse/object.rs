//! Parses messages that are JSON objects.

use super::Parser;
use crate::codec::seen::Seen;
use crate::error::{Error, Result};
use crate::object::ObjectMut;
use crate::syntax::well_known::quoted;
use crate::table::{Row, Shape, Table};

#[derive(Default)]
pub(super) struct Object {
    /// The index of the row that is expected next.
    guess: u16,
    /// True if a member was read.
    started: bool,
    seen: Seen,
    /// `Some` for the content of an `Any`, whose member `@type` is skipped. True if `@type` was seen.
    url: Option<bool>,
    /// For an `Any` of a message without fields: true if the member `value` was seen.
    value: bool,
}

impl Object {
    /// Records the number of a field that has no row in the table. Returns false if the number was recorded before.
    pub(super) fn note_unknown(&mut self, number: u32) -> bool {
        self.seen.note_unknown(number)
    }
}

/// The kind of a member, after its name was read.
enum Member {
    /// A field, with the index of its row.
    Field(u16),
    /// The member is already parsed or skipped.
    Passed,
    End,
}

impl Parser<'_> {
    pub(super) fn object<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, table: &'t Table) -> Result<()> {
        self.members(message, table, Object::default())
    }

    /// Parses the content of an `Any`, which is an object that also has the member `@type`.
    pub(super) fn content_message<'t, M: ObjectMut<'t>>(&mut self, mut message: M) -> Result<()> {
        let table = message.table();
        self.enter(table)?;
        self.members(&mut message, table, Object { url: Some(false), ..Object::default() })?;
        self.leave();
        Ok(())
    }

    fn members<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        mut object: Object,
    ) -> Result<()> {
        if self.cursor.peek() != Some(b'{') {
            return Err(self.mismatch(&format!("a message of type {}", table.full_name)));
        }
        self.cursor.bump();
        loop {
            // In the usual case, the next member is the expected field, and there is no space between the tokens.
            let at = self.cursor.position() + usize::from(object.started);
            let index = match table.rows.get(usize::from(object.guess)) {
                Some(row) if self.cursor.eat_key(row.json_key(), object.started) => {
                    self.start = at;
                    object.guess
                }
                _ if self.cursor.peek() == Some(b'}') => {
                    self.start = self.cursor.position();
                    self.cursor.bump();
                    break;
                }
                _ => match self.member(message, &mut object, table)? {
                    Member::Field(index) => index,
                    Member::Passed => continue,
                    Member::End => break,
                },
            };
            object.started = true;
            object.guess = index + 1;
            let row = &table.rows[usize::from(index)];
            if !object.seen.note_field(index) {
                return Err(self.twice(row));
            }
            let byte = self.at_value();
            if byte == Some(b'n') && self.is_unset(row)?
                || self.looks_at(row) && row.shape == Shape::Singular && !self.delivers(message, row)?
            {
                object.seen.note_unset(row);
                continue;
            }
            if row.is_in_oneof()
                && let Err(error) = object.seen.check_oneof(table, row)
            {
                return Err(self.locate(error));
            }
            if let Err(error) = self.field(message, row) {
                return Err(self.in_field(error, row));
            }
        }
        match table.required.is_empty() || self.settings.partial {
            true => Ok(()),
            false => object.seen.check_required(table),
        }
    }

    /// Skips the `null` at the cursor, and returns true. If `null` is a value of the field, returns false and skips nothing.
    #[inline(never)]
    fn is_unset(&mut self, row: &Row) -> Result<bool> {
        if row.shape == Shape::Singular && Self::takes_null(row)? {
            return Ok(false);
        }
        match self.cursor.literal("null") {
            true => Ok(true),
            false => Err(self.cursor.unexpected("a value").in_field(&row.name)),
        }
    }

    #[cold]
    pub(super) fn twice(&self, row: &Row) -> Error {
        self.error("the field comes twice").in_field(&row.name)
    }

    /// Finds the next member on the slow path, which handles any field and any spacing. If the member is a field, the cursor
    /// moves past its name.
    #[inline(never)]
    fn member<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        object: &mut Object,
        table: &'t Table,
    ) -> Result<Member> {
        let byte = match self.at_value() {
            Some(b'}') => {
                self.cursor.bump();
                return Ok(Member::End);
            }
            Some(b',') if object.started => {
                self.cursor.bump();
                self.at_value()
            }
            byte if !object.started => byte,
            _ => return Err(self.cursor.unexpected("`,` or `}`")),
        };
        if byte != Some(b'"') {
            return Err(self.cursor.unexpected("the name of a member"));
        }
        object.started = true;
        // Writers omit fields more often than they change the order, so the search begins with the rows after the expected one.
        for index in table.keys().nearby(object.guess.into(), self.cursor.rest()) {
            if self.cursor.eat_key(table.rows[index].json_key(), false) {
                return Ok(Member::Field(index as u16));
            }
        }
        let name = self.cursor.string()?;
        if let Some(index) = table.row_called(&name) {
            self.cursor.colon()?;
            return Ok(Member::Field(index));
        }
        self.unnamed(message, object, table, &name)?;
        Ok(Member::Passed)
    }

    /// Handles a member for which the table has no row.
    #[cold]
    fn unnamed<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        object: &mut Object,
        table: &'t Table,
        name: &str,
    ) -> Result<()> {
        if let Some(came) = object.url
            && name == "@type"
        {
            if came {
                return Err(self.error("the member \"@type\" comes twice"));
            }
            object.url = Some(true);
            self.cursor.colon()?;
            self.at_value();
            return self.skip();
        }
        if object.url.is_some()
            && name == "value"
            && table.rows.is_empty()
            && !self.settings.options.ignore_unknown
        {
            // Go writes an `Any` of `Empty` with a member `value`, like the `Any` of a message with a special JSON form.
            if std::mem::replace(&mut object.value, true) {
                return Err(self.error("the member \"value\" comes twice"));
            }
            self.cursor.colon()?;
            self.at_value();
            return self.object(message, table);
        }
        if self.unknown_field(message, object, table, name)? {
            return Ok(());
        }
        if !self.settings.options.ignore_unknown {
            return Err(self.no_field(name));
        }
        self.cursor.colon()?;
        self.at_value();
        self.skip()
    }

    #[cold]
    pub(super) fn no_field(&self, name: &str) -> Error {
        self.error(format!("unknown field {}", quoted(name)))
    }
}
