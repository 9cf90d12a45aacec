//! Whether required fields are missing that one occurrence of a message lacked.

use crate::codec::any_object::AnyObject;
use crate::codec::element::in_key;
use crate::error::{Error, Result};
use crate::object::{Field, Object, ObjectList, ObjectMap, Visit};
use crate::table::Row;

/// Checks a message with several occurrences, one of which lacked a required field.
///
/// # Errors
/// It is missing in the whole.
pub(crate) fn check(message: AnyObject<'_>, missing: Option<Error>) -> Result<()> {
    match missing {
        None => Ok(()),
        Some(_) => message.visit(&mut Required).map_err(|error| error.in_message(&message.table().full_name)),
    }
}

struct Required;

impl Required {
    fn value<'a, M: Object<'a>>(&mut self, value: Field<'a, M>) -> Result<()> {
        match value {
            Field::Scalar(_) | Field::Text(_) => Ok(()),
            Field::Message(message) => message.visit(self),
            Field::List(list) => {
                list.visit(|index, value| self.value(value).map_err(|error| error.in_index(index)))
            }
            Field::Map(map) => {
                map.visit(&mut |key, value| self.value(value).map_err(|error| in_key(error, key)))
            }
        }
    }
}

impl<'a, M: Object<'a>> Visit<'a, M> for Required {
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()> {
        match value {
            Some(value) => self.value(value).map_err(|error| error.in_field(&row.name)),
            None => Err(Error::required(&row.name)),
        }
    }

    fn scalar_field(&mut self, _: &'a Row, _: u64) {}

    fn text_field(&mut self, _: &'a Row, _: &'a [u8]) -> Result<()> {
        Ok(())
    }
}
