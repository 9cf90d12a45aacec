//! The extensions of a message that a pool knows, as the fields of a message of their own.

use super::PlanSet;
use crate::descriptor::Pool;
use crate::error::{Error, Result};
use std::sync::Arc;

/// The largest number that a field can have; items of message sets may go beyond, and are left alone then.
const MAX_NUMBER: u32 = (1 << 29) - 1;

/// The plan of a message whose fields are the extensions of `full_name`, named `[like.this]`; none where the pool has none.
pub(crate) fn extension_plans(pool: &Pool, full_name: &str) -> Result<Option<Arc<PlanSet>>> {
    type Slot = Option<Result<Arc<PlanSet>, Box<str>>>;
    let slot = pool.cache::<Slot>(full_name, || {
        let message = pool.message(full_name)?;
        let extensions = pool.extensions_of(&message).map(|extension| extension.field().clone());
        let fields: Vec<_> = extensions.filter(|field| field.number() <= MAX_NUMBER).collect();
        if fields.is_empty() {
            return None;
        }
        let plans = PlanSet::of_extensions(message, fields);
        Some(plans.map(Arc::new).map_err(|error| error.to_string().into()))
    });
    match &*slot {
        None => Ok(None),
        Some(Ok(plans)) => Ok(Some(Arc::clone(plans))),
        Some(Err(error)) => Err(Error::schema(error.to_string())),
    }
}
