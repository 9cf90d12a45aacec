//! Extensions, which are kept among the fields that a message does not name.

use super::Json;
use crate::de::Wire;
use crate::descriptor::Pool;
use crate::error::{Error, Result};
use crate::plan::{MessagePlan, extension_plans};
use crate::wire::message_set;

impl Json<'_> {
    /// Writes the extensions that the pool knows among the fields; what else is there has no name.
    pub(super) fn extensions(&mut self, plan: &MessagePlan, fields: &[u8]) -> Result<()> {
        let found = match &self.options.pool {
            Some(pool) => extension_plans(pool, &plan.full_name)?,
            None => extension_plans(&Pool::global(), &plan.full_name)?,
        };
        let Some(set) = found else { return Ok(()) };
        if std::ptr::eq(set.root(), plan) {
            // These are what is left of the fields when the extensions were read.
            return Ok(());
        }
        let items;
        let mut fields = fields;
        if plan.message_set {
            (items, _) = message_set::items_to_fields(fields).map_err(Error::nowhere)?;
            fields = &items;
        }
        // They are members of a message that is counted already.
        let level = self.level.saturating_sub(1);
        let mut source = Wire::new(fields, true);
        self.relay(&mut source, &set, level).bare_message(set.root()).map_err(Error::nowhere)
    }
}
