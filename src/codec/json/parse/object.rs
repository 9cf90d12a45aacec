//! Messages that are written as objects.

use super::Parser;
use crate::error::{Error, Result};
use crate::known::text::quoted;
use crate::object::ObjectMut;
use crate::table::{Presence, Row, Shape, Table};

/// An object that is being parsed.
#[derive(Default)]
pub(super) struct Object {
    /// The row that probably comes next.
    guess: u16,
    /// A member came.
    started: bool,
    /// Bits of the rows that came.
    seen: u64,
    /// Bits of the oneofs that have a value.
    set: u64,
    rare: Option<Box<Rare>>,
    /// It is the content of an `Any`, whose member `@type` is not read; whether that came.
    url: Option<bool>,
}

/// What few objects have.
#[derive(Default)]
struct Rare {
    seen: Vec<u64>,
    set: Vec<u64>,
    /// Numbers of the fields that came and that the table has no row for.
    others: Vec<u32>,
    /// Required fields that came without a value.
    unset: Vec<u16>,
    /// Fields with a value that are in a oneof, where the Rust type has a member for each.
    siblings: Vec<u16>,
}

/// Notes a bit; false when it was noted before.
#[inline]
fn note(
    low: &mut u64,
    rare: &mut Option<Box<Rare>>,
    high: fn(&mut Rare) -> &mut Vec<u64>,
    index: u16,
) -> bool {
    let bit = 1u64 << (index % 64);
    let word = match usize::from(index / 64).checked_sub(1) {
        None => low,
        Some(index) => word(high(rare.get_or_insert_default()), index),
    };
    let new = *word & bit == 0;
    *word |= bit;
    new
}

#[cold]
fn word(words: &mut Vec<u64>, index: usize) -> &mut u64 {
    if words.len() <= index {
        words.resize(index + 1, 0);
    }
    &mut words[index]
}

impl Object {
    /// Notes a field; false when it came before.
    #[inline]
    fn note_field(&mut self, index: u16) -> bool {
        note(&mut self.seen, &mut self.rare, |rare| &mut rare.seen, index)
    }

    /// Notes a field of a oneof; false when another one came before.
    #[inline(never)]
    fn note_oneof(&mut self, oneof: u16) -> bool {
        note(&mut self.set, &mut self.rare, |rare| &mut rare.set, oneof)
    }

    /// The same of a field with siblings.
    #[cold]
    fn note_sibling(&mut self, row: &Row, siblings: &[u16]) -> bool {
        let set = &mut self.rare.get_or_insert_default().siblings;
        let first = !siblings.iter().any(|sibling| set.contains(sibling));
        set.push(row.index);
        first
    }

    /// Notes the number of a field that the table has no row for; false when it came before.
    pub(super) fn note_other(&mut self, number: u32) -> bool {
        let others = &mut self.rare.get_or_insert_default().others;
        let new = !others.contains(&number);
        others.push(number);
        new
    }

    /// Notes that a field came without a value.
    fn note_unset(&mut self, row: &Row) {
        if row.presence == Presence::Required {
            self.rare.get_or_insert_default().unset.push(row.index);
        }
    }

    /// True when a field came with a value.
    fn has(&self, index: u16) -> bool {
        let rare = self.rare.as_deref();
        let word = match usize::from(index / 64).checked_sub(1) {
            None => self.seen,
            Some(index) => rare.and_then(|rare| rare.seen.get(index)).copied().unwrap_or(0),
        };
        word & 1 << (index % 64) != 0 && !rare.is_some_and(|rare| rare.unset.contains(&index))
    }
}

/// What a member of an object is.
enum Member {
    /// A field, by the index of its row.
    Field(u16),
    /// Nothing that is left to be parsed.
    Passed,
    /// The object ended.
    End,
}

impl Parser<'_> {
    pub(super) fn object<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, table: &'t Table) -> Result<()> {
        self.members(message, table, Object::default())
    }

    /// The content of an `Any`: an object with `@type` among its members.
    pub(super) fn content_message<'t, M: ObjectMut<'t>>(&mut self, message: &mut M) -> Result<()> {
        let table = message.table();
        self.enter(table)?;
        self.members(message, table, Object { url: Some(false), ..Object::default() })?;
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
            // Mostly it is the field that was guessed, with nothing between the tokens.
            let at = self.cursor.position() + usize::from(object.started);
            let index = match table.rows.get(usize::from(object.guess)) {
                Some(row) if self.cursor.eat_key(&row.json_key, object.started) => {
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
            if !object.note_field(index) {
                return Err(self.twice(row));
            }
            let byte = self.at_value();
            if byte == Some(b'n') && self.is_unset(row)?
                || self.looks_at(row) && row.shape == Shape::Singular && !self.delivers(message, row)?
            {
                object.note_unset(row);
                continue;
            }
            if row.oneof.is_some() || row.siblings.is_some() {
                self.check_oneof(&mut object, table, row)?;
            }
            if let Err(error) = self.field(message, row) {
                return Err(self.in_field(error, row));
            }
        }
        match table.required.is_empty() || self.settings.partial {
            true => Ok(()),
            false => check_required(&object, table),
        }
    }

    /// Passes over a null that stands for a field that is not set.
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

    /// Makes sure that no other field of its oneof came.
    #[inline(never)]
    fn check_oneof(&self, object: &mut Object, table: &Table, row: &Row) -> Result<()> {
        let first = match (row.oneof, &row.siblings) {
            (Some(oneof), _) => object.note_oneof(oneof),
            (None, Some(siblings)) => object.note_sibling(row, siblings),
            (None, None) => true,
        };
        if first { Ok(()) } else { Err(self.second_of_oneof(table, row)) }
    }

    #[cold]
    fn second_of_oneof(&self, table: &Table, row: &Row) -> Error {
        let name: Box<str> = match row.oneof {
            Some(oneof) => table.oneofs[usize::from(oneof)].name.clone(),
            None => {
                let field = table.handle().field_by_number(row.number);
                field.and_then(|field| field.oneof()).map_or("".into(), |oneof| oneof.name().into())
            }
        };
        self.error(format!("another field of the oneof {name} came before")).in_field(&row.name)
    }

    #[cold]
    pub(super) fn twice(&self, row: &Row) -> Error {
        self.error("the field comes twice").in_field(&row.name)
    }

    /// What comes next, which is not the field that was guessed, or not written as it mostly is; for a field the
    /// cursor goes past its name.
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
        // Writers leave fields out more often than they change the order.
        for index in table.keys.nearby(object.guess.into(), self.cursor.rest()) {
            if self.cursor.eat_key(&table.rows[index].json_key, false) {
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

    /// A member that the table has no row for.
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
        if self.other_field(message, object, table, name)? {
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

#[cold]
fn check_required(object: &Object, table: &Table) -> Result<()> {
    match table.required.iter().find(|index| !object.has(**index)) {
        Some(&index) => Err(Error::required(&table.rows[usize::from(index)].name)),
        None => Ok(()),
    }
}
