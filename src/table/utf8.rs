//! Builds tables with which a decoder checks that every string is UTF-8, even if the schema does not require it. Rust accessors
//! need this, because they return each string as a `str`. A table has a row for each field.

use super::{Kind, Link, OneofRow, Op, Row, Shape, Sub, Table};
use std::ptr;

impl Table {
    /// Returns a table with the fields of this table in which every string must be UTF-8, also in nested messages. Returns this
    /// table if the schema already requires UTF-8 everywhere. Both tables give a message the same cells in an arena.
    pub(crate) fn checked(&self) -> &Table {
        self.checked.get_or_init(|| self.find_checked()).as_deref().unwrap_or(self)
    }

    #[cold]
    fn find_checked(&self) -> Option<Box<Table>> {
        let mut seen = vec![self];
        let mut next = 0;
        while let Some(&table) = seen.get(next) {
            next += 1;
            for row in table.rows.iter().flat_map(Row::values) {
                if row.kind == Kind::String && !row.utf8 {
                    return Some(Box::new(self.check_all()));
                }
                if let Sub::Message(link) = &row.sub
                    && let Ok(inner) = link.table()
                    && !seen.iter().any(|seen| ptr::eq(*seen, inner))
                {
                    seen.push(inner);
                }
            }
        }
        None
    }

    fn check_all(&self) -> Table {
        let mut rows = self.rows.clone();
        rows.iter_mut().for_each(Row::check);
        let same = |oneof: &OneofRow| OneofRow {
            name: oneof.name.clone(),
            rows: oneof.rows.clone(),
            variants: oneof.variants.clone(),
        };
        self.with_rows(rows, self.oneofs.iter().map(same).collect())
    }
}

impl Row {
    /// Returns the rows of the values: for a map, the rows of the key and the value, and otherwise the row itself.
    fn values(&self) -> impl Iterator<Item = &Row> {
        let rows = match &self.sub {
            Sub::Map(rows) => [Some(&rows.key), Some(&rows.value)],
            _ => [Some(self), None],
        };
        rows.into_iter().flatten()
    }

    fn check(&mut self) {
        match &mut self.sub {
            Sub::Map(rows) => {
                rows.key.check();
                rows.value.check();
                return;
            }
            Sub::Message(link) => *link = Link::checked(link),
            _ => {}
        }
        self.utf8 = self.kind == Kind::String;
        if self.shape == Shape::Singular {
            (self.op, self.inner) = (Op::of(self), Op::inner(self));
        }
    }
}
