//! Prints maps, whose keys are strings in JSON.

use super::Json;
use super::value::not_utf8;
use crate::codec::element::in_key;
use crate::error::Result;
use crate::layout::KeyRef;
use crate::object::{Field, Object, ObjectMap};
use crate::table::Row;

impl Json<'_> {
    #[inline(never)]
    pub(super) fn map<'a, T: ObjectMap<'a>>(&mut self, row: &'a Row, map: T) -> Result<()> {
        let rows = row.map();
        self.out.open_map();
        let all_utf8;
        if self.options.deterministic {
            let entries;
            (entries, all_utf8) = map.sorted_entries()?;
            for (key, value) in entries {
                self.entry(&rows.value, key, value)?;
            }
        } else {
            all_utf8 = map.entries(|key, value| self.entry(&rows.value, key, value))?;
        }
        if !all_utf8 {
            return Err(not_utf8(&rows.key));
        }
        self.out.close_map();
        Ok(())
    }

    #[inline]
    fn entry<'a, M: Object<'a>>(&mut self, row: &'a Row, key: KeyRef<'a>, value: Field<'a, M>) -> Result<()> {
        self.out.entry();
        match key {
            KeyRef::Str(key) => self.out.string(key),
            KeyRef::I64(key) if self.quote64 => self.out.quoted_signed(key),
            KeyRef::U64(key) if self.quote64 => self.out.quoted_unsigned(key),
            key => {
                // `colon` writes the closing quote together with the colon.
                self.out.quote();
                match key {
                    KeyRef::Bool(key) => self.out.bool(key),
                    KeyRef::I32(key) => self.out.signed(key.into()),
                    KeyRef::I64(key) => self.out.signed(key),
                    KeyRef::U32(key) => self.out.unsigned(key.into()),
                    KeyRef::U64(key) => self.out.unsigned(key),
                    KeyRef::Str(_) => {}
                }
            }
        }
        self.out.colon();
        // On the wire, each entry of a map is a message. So a message in a map is two levels deeper than the map.
        let level = u32::from(row.is_message() && self.depth > 0);
        self.depth -= level;
        let printed = self.value(row, value).map_err(|error| in_key(error, key));
        self.depth += level;
        printed
    }
}
