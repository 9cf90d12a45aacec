//! Extensions, which are kept among the fields that a message does not name.

use super::Json;
use crate::descriptor::Pool;
use crate::dynamic::ArenaContent;
use crate::error::Result;
use crate::table::{Table, pool_extension_table};
use crate::wire::message_set;

impl Json<'_> {
    /// The extensions that the pool knows among the fields; other fields have no name.
    #[inline(never)]
    pub(crate) fn extensions(&mut self, table: &Table, fields: &[u8]) -> Result<()> {
        let global;
        let pool = match &self.options.pool {
            Some(pool) => pool,
            None => {
                global = Pool::global();
                &global
            }
        };
        let Some(extensions) = pool_extension_table(pool, &table.full_name)? else { return Ok(()) };
        let fields = match table.message_set {
            true => {
                let (items, _) =
                    message_set::items_to_fields(fields).map_err(|error| self.of_content(error))?;
                items.into()
            }
            false => self.shared(fields),
        };
        let outer = self.input.replace(fields.clone());
        // They are members of a message that is counted already.
        let (limits, depth) = (self.options.limits, self.depth + 1);
        let decoded = ArenaContent::decode(&extensions, fields, limits, depth, self.options.partial)
            .map_err(|error| self.of_content(error))?;
        // The remaining fields are unknown to the pool, too.
        self.fields(decoded.message(&extensions))?;
        self.input = outer;
        Ok(())
    }
}
