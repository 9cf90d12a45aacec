//! Copies a message into another, field by field.

use super::{Field, Fill, ListMut, ObjectAt, ObjectList, ObjectMap, ObjectMut, mismatch};
use crate::error::{Error, LimitError, Result};
use crate::layout::{KeyRef, Text};
use crate::table::{Row, Shape};
use bytes::Bytes;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Copying<'i> {
    /// The input that byte strings of type `Bytes` share, if they are a part of it.
    pub(crate) input: Option<&'i Bytes>,
    /// True if a default value that was in the input replaces another value, as it does when encoded messages are merged.
    pub(crate) defaults: bool,
}

/// Copies all fields of the message `from` into the message `to`, which has the same schema. Skips fields that the Rust
/// type of `to` omits.
///
/// # Errors
/// The type of `to` cannot hold a value, or messages nest deeper than `depth` levels.
pub(crate) fn copy<'a, 't, M: ObjectAt<'a>, T: ObjectMut<'t>>(
    from: M,
    to: &mut T,
    how: Copying<'_>,
    depth: u32,
) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(0))) };
    let target = to.table();
    for row in &from.table().rows {
        let Some(own) = target.row(row.number) else { continue };
        let mut copied = |value: Result<Option<Field<'a, M>>>| match value? {
            Some(value) => {
                copy_field(value, row, own, to, how, depth).map_err(|error| error.in_field(&row.name))
            }
            None => Ok(()),
        };
        if how.defaults { copied(from.get_decoded(row))? } else { from.read(row, copied)? }
    }
    to.add_unknown(from.unknown());
    Ok(())
}

fn copy_field<'a, 't, M: ObjectAt<'a>, T: ObjectMut<'t>>(
    value: Field<'a, M>,
    row: &'a Row,
    own: &'t Row,
    to: &mut T,
    how: Copying<'_>,
    depth: u32,
) -> Result<()> {
    if own.made().is_some() {
        let mut opened = to.open(own)?;
        let (mut inner, row_in) = to.opened(own, &mut opened)?;
        copy_field(value, row, row_in, &mut inner, how, depth)?;
        drop(inner);
        return to.close(own, opened);
    }
    match value {
        Field::List(list) => {
            let mut to = to.list(own, &|| list.size_hint()).map_err(|error| error.in_index(0))?;
            list.each(row, &mut |index, value| {
                let done = match value {
                    Field::Scalar(bits) => to.push_scalars(&[bits]),
                    Field::Text(bytes) => to.push_text(Text { bytes, borrowed: false, input: how.input }),
                    Field::Message(message) => {
                        to.push_message().and_then(|mut to| copy(message, &mut to, how, depth))
                    }
                    Field::List(_) | Field::Map(_) => Ok(()),
                };
                done.map_err(|error| error.in_index(index))
            })
        }
        Field::Map(map) => {
            if own.shape != Shape::Map {
                return Err(mismatch());
            }
            let (key_row, value_row) = (&own.map().key, &own.map().value);
            let copied = map.entries(|key, value| {
                let mut fill = |entry: &mut T::Entry<'_>| {
                    set_key(entry, key_row, key)?;
                    single(value, value_row, entry, how, depth.saturating_sub(1))?;
                    Ok(true)
                };
                to.insert(own, &mut fill).map(drop).map_err(|error| error.in_key(KeyText(key)))
            });
            copied.map(drop)
        }
        value => single(value, own, to, how, depth),
    }
}

/// Sets the key of a map entry.
pub(crate) fn set_key<'t, E: Fill<'t>>(entry: &mut E, row: &'t Row, key: KeyRef<'_>) -> Result<()> {
    match key {
        KeyRef::Bool(key) => entry.set_scalar(row, u64::from(key)),
        KeyRef::I32(key) => entry.set_scalar(row, u64::from(key as u32)),
        KeyRef::I64(key) => entry.set_scalar(row, key as u64),
        KeyRef::U32(key) => entry.set_scalar(row, u64::from(key)),
        KeyRef::U64(key) => entry.set_scalar(row, key),
        KeyRef::Str(key) => entry.set_text(row, Text::owned(key.as_bytes())),
    }
}

fn single<'a, 't, M: ObjectAt<'a>, F: Fill<'t>>(
    value: Field<'a, M>,
    row: &'t Row,
    to: &mut F,
    how: Copying<'_>,
    depth: u32,
) -> Result<()> {
    match value {
        Field::Scalar(bits) => to.set_scalar(row, bits),
        Field::Text(bytes) => to.set_text(row, Text { bytes, borrowed: false, input: how.input }),
        Field::Message(message) => copy(message, &mut to.message(row)?, how, depth),
        Field::List(_) | Field::Map(_) => Ok(()),
    }
}

/// Displays a map key in an error.
pub(crate) struct KeyText<'a>(pub(crate) KeyRef<'a>);

impl std::fmt::Display for KeyText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            KeyRef::Bool(key) => key.fmt(f),
            KeyRef::I32(key) => key.fmt(f),
            KeyRef::I64(key) => key.fmt(f),
            KeyRef::U32(key) => key.fmt(f),
            KeyRef::U64(key) => key.fmt(f),
            KeyRef::Str(key) => key.fmt(f),
        }
    }
}
