//! Parses an `Any` whose content is written as a message and not as bytes.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#any>.

use super::Parser;
use super::field::Fields;
use crate::codec::any_object::AnyObjectMut;
use crate::codec::content::message_named;
use crate::codec::element::check_owned;
use crate::codec::text::required::check;
use crate::error::Result;
use crate::layout::Text;
use crate::object::ObjectMut;
use crate::object::arena::building::Building;
use crate::options::EncodeOptions;
use crate::syntax::well_known::quoted;
use crate::table::{Kind, Row, Shape, Table, Tabled};

impl Parser<'_> {
    /// Parses the message after a type URL, and stores it in the two fields of an `Any`.
    pub(super) fn any<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
        url: &str,
    ) -> Result<()> {
        let at = self.start;
        let name = url.rsplit_once('/').map_or(url, |(_, name)| name);
        let found = message_named(self.settings.options.pool.as_ref(), name);
        let Some(descriptor) = found else {
            return Err(self.error(format!("the type {} of an Any is not known", quoted(name))));
        };
        self.cursor.eat(b':');
        let content = descriptor.table()?;
        let end = self.open(&format!("a message of type {}", content.full_name))?;
        let bytes = self.separately(content, &mut |parser, child| parser.message(child, Some(end)))?;
        self.start = at;
        for (number, kind, text) in [(1, Kind::String, url.as_bytes()), (2, Kind::Bytes, &bytes)] {
            if let Some(row) = table.row(number) {
                if (row.shape, row.kind) != (Shape::Singular, kind) {
                    return Err(self.error(format!("{} is not an Any", table.full_name)));
                }
                if !fields.seen.note_field(row.index) {
                    return Err(self.twice(row));
                }
                self.put(message, row, text)?;
            }
        }
        Ok(())
    }

    /// Fills a new message of the table `table` with `parse`, and returns the wire bytes of the message.
    pub(super) fn separately<'t>(
        &mut self,
        table: &'t Table,
        parse: &mut dyn FnMut(&mut Self, AnyObjectMut<'_, 't>) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let outer = (std::mem::take(&mut self.missing), std::mem::take(&mut self.repeated));
        let mut building = Building::default();
        parse(self, building.start(table).into())?;
        let (missing, repeated) = (self.missing.take(), self.repeated);
        (self.missing, self.repeated) = outer;
        match (missing, building.message(table)) {
            (Some((error, at)), _) if !repeated => return Err(self.cursor.locate(at, error)),
            (missing, Some(message)) => check(message.into(), missing.map(|(error, _)| error))?,
            (_, None) => {}
        }
        let mut bytes = Vec::new();
        building.encode(table, EncodeOptions::new().partial(true).deterministic(true), &mut bytes)?;
        Ok(bytes)
    }

    fn put<'t, M: ObjectMut<'t>>(&self, message: &mut M, row: &'t Row, text: &[u8]) -> Result<()> {
        check_owned(row, text)
            .and_then(|()| message.set_text(row, Text::owned(text)))
            .map_err(|error| self.in_field(error, row))
    }
}
