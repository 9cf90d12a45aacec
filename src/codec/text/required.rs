//! Whether required fields are missing that one occurrence of a message lacked.

use crate::codec::any_object::AnyObject;
use crate::codec::element::in_key;
use crate::error::{Error, Result};
use crate::object::{Field, Object, ObjectList, ObjectMap};
use crate::table::Presence;

/// Checks a message with several occurrences, one of which lacked a required field.
///
/// # Errors
/// It is missing in the whole.
pub(crate) fn check(message: AnyObject<'_>, missing: Option<Error>) -> Result<()> {
    match missing {
        None => Ok(()),
        Some(_) => fields(message).map_err(|error| error.in_message(&message.table().full_name)),
    }
}

fn fields<'a, M: Object<'a>>(message: M) -> Result<()> {
    for row in &message.table().rows {
        let checked = match message.get(row) {
            Ok(None) if row.presence == Presence::Required => return Err(Error::required(&row.name)),
            Ok(None) => Ok(()),
            Ok(Some(value)) => self::value(value),
            Err(error) => Err(error),
        };
        checked.map_err(|error| error.in_field(&row.name))?;
    }
    Ok(())
}

fn value<'a, M: Object<'a>>(value: Field<'a, M>) -> Result<()> {
    match value {
        Field::Scalar(_) | Field::Text(_) => Ok(()),
        Field::Message(message) => fields(message),
        Field::List(list) => {
            list.visit(|index, value| self::value(value).map_err(|error| error.in_index(index)))
        }
        Field::Map(map) => {
            map.visit(&mut |key, value| self::value(value).map_err(|error| in_key(error, key)))
        }
    }
}
