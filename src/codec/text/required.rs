//! Checks whether a message lacks required fields. The check is needed if the message occurred several times and one of the
//! occurrences lacked a required field.

use crate::codec::any_object::AnyObject;
use crate::codec::element::in_key;
use crate::error::{Error, Result};
use crate::object::{Field, Object, ObjectList, ObjectMap};
use crate::table::{Presence, Row};

/// Checks a message that occurred several times. `missing` is the error for a required field that one occurrence lacked.
///
/// # Errors
/// The merged message lacks a required field.
pub(crate) fn check(message: AnyObject<'_>, missing: Option<Error>) -> Result<()> {
    if missing.is_none() {
        return Ok(());
    }
    let (table, done) = match message {
        AnyObject::Typed(message) => (message.table(), fields(message)),
        AnyObject::Arena(message) => (message.table(), fields(message)),
    };
    done.map_err(|error| error.in_message(&table.full_name))
}

fn fields<'a, M: Object<'a>>(message: M) -> Result<()> {
    let done = message.rows(&mut |row, value| match value {
        None if row.presence == Presence::Required => Err(Error::required(&row.name)),
        None => Ok(()),
        Some(value) => self::value(row, value).map_err(|error| error.in_field(&row.name)),
    });
    done.map(drop)
}

fn value<'a, M: Object<'a>>(row: &'a Row, value: Field<'a, M>) -> Result<()> {
    match value {
        Field::Message(message) => fields(message),
        Field::List(list) if row.is_message() => {
            list.messages(|index, message| fields(message).map_err(|error| error.in_index(index)))
        }
        Field::Map(map) if row.map().value.is_message() => map
            .entries(|key, value| self::value(&row.map().value, value).map_err(|error| in_key(error, key)))
            .map(drop),
        _ => Ok(()),
    }
}
