//! Parses `google.protobuf.Any`, an object that names the type of its content.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/#any>.

use super::Parser;
use super::content::Form;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::layout::Text;
use crate::object::ObjectMut;
use crate::sort::sort_by;
use crate::syntax::well_known::quoted;
use crate::table::{Kind, Table, Tabled, WellKnown};
use std::borrow::Cow;

impl<'i> Parser<'i> {
    #[inline(never)]
    pub(super) fn any<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, table: &'t Table) -> Result<()> {
        let start = self.start;
        let (url, value) = self.url_and_content(table)?;
        self.start = start;
        if let Some(row) = table.row(1).filter(|_| !url.is_empty()) {
            let text = Text { bytes: url.as_bytes(), borrowed: self.is_borrowed(&url), input: None };
            self.put_text(message, row, Kind::String, text)?;
        }
        if let Some(row) = table.row(2).filter(|_| !value.is_empty()) {
            self.put_text(message, row, Kind::Bytes, Text::owned(&value))?;
        }
        Ok(())
    }

    /// Parses the object, and returns its type URL and its content as wire bytes. Both are empty for `{}`.
    fn url_and_content(&mut self, table: &Table) -> Result<(Cow<'i, str>, Vec<u8>)> {
        let start = self.cursor;
        if self.cursor.peek() != Some(b'{') {
            return Err(self.mismatch(&format!("a message of type {}", table.full_name)));
        }
        self.cursor.bump();
        if self.cursor.token() == Some(b'}') {
            self.cursor.bump();
            return Ok((Cow::Borrowed(""), Vec::new()));
        }
        let url = self.find_url(start.position())?;
        let name = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(
                self.error(format!("the type URL {} has no name of a type after a slash", quoted(&url)))
            );
        };
        let Some(descriptor) = self.pool().message(name) else {
            return Err(self.error(format!("the type {} of an Any is not known", quoted(name))));
        };
        self.cursor = start;
        self.start = start.position();
        let value = match descriptor.table()?.known {
            WellKnown::No => self.content(&descriptor, Form::Content)?,
            _ => {
                self.cursor.bump();
                self.under_value(&descriptor)?
            }
        };
        Ok((url, value))
    }

    /// Returns the type URL of the object that starts at `object`. If `@type` is not the first member, searches the
    /// members after it.
    fn find_url(&mut self, object: usize) -> Result<Cow<'i, str>> {
        let is_first = self.any_member()? == "@type";
        if !is_first && !self.seek_type(object) {
            self.look_for_types(object)?;
        }
        self.at_value();
        match self.cursor.peek() {
            Some(b'"') => self.cursor.string(),
            _ => Err(self.mismatch("the type URL of an Any as a string")),
        }
    }

    /// Moves to the value of `@type` in the object that starts at `object`. Returns false if the position of this value
    /// is not known.
    fn seek_type(&mut self, object: usize) -> bool {
        let at = self.types.partition_point(|&(other, _)| other < object);
        let found = self.types.get(at).filter(|&&(other, _)| other == object);
        found.inspect(|&&(_, value)| self.cursor.seek(value)).is_some()
    }

    /// Advances from the value of a member to the value of `@type`. Records the positions of `@type` in all nested objects, so
    /// that each part of the text is scanned only once, even if `Any` values with `@type` as the last member are nested deeply.
    /// Discards earlier records.
    fn look_for_types(&mut self, object: usize) -> Result<()> {
        let mut types = std::mem::take(&mut self.types);
        types.clear();
        loop {
            self.at_value();
            self.cursor.skip_and_find(self.room.depth(), "@type", &mut types)?;
            match self.at_value() {
                Some(b',') => self.cursor.bump(),
                Some(b'}') => return Err(self.cursor.error(object, "an Any without the member \"@type\"")),
                _ => return Err(self.cursor.unexpected("`,` or `}`")),
            }
            if self.any_member()? == "@type" {
                sort_by(&mut types, Ord::cmp);
                self.types = types;
                return Ok(());
            }
        }
    }

    /// Parses the name of a member of an `Any`, and the colon after it.
    fn any_member(&mut self) -> Result<Cow<'i, str>> {
        self.at_value();
        self.cursor.member()
    }

    /// Parses the members of an `Any` if the type of its content has a special JSON form, such as a string. This form is the
    /// value of the member `value`. Returns the content as wire bytes.
    fn under_value(&mut self, descriptor: &MessageDescriptor) -> Result<Vec<u8>> {
        let start = self.start;
        let (mut url, mut value) = (false, None);
        loop {
            let name = self.any_member()?;
            let at = self.start;
            self.at_value();
            match &*name {
                "@type" if !std::mem::replace(&mut url, true) => self.skip()?,
                "value" if value.is_none() => value = Some(self.content(descriptor, Form::Value)?),
                "@type" | "value" => {
                    return Err(self.cursor.error(at, format!("the member {name:?} comes twice")));
                }
                _ if self.settings.options.ignore_unknown => self.skip()?,
                _ => {
                    self.start = at;
                    return Err(self.no_field(&name));
                }
            }
            match self.at_value() {
                Some(b',') => self.cursor.bump(),
                Some(b'}') => break,
                _ => return Err(self.cursor.unexpected("`,` or `}`")),
            }
        }
        self.cursor.bump();
        value.ok_or_else(|| {
            let name = descriptor.full_name();
            self.cursor.error(start, format!("an Any of type {name} without the member \"value\""))
        })
    }
}
