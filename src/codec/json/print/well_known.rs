//! Messages of `google.protobuf` that have a special JSON form.

use super::Json;
use super::value::{not_finite, not_utf8};
use crate::error::{Error, Result};
use crate::object::{Field, Object, ObjectList};
use crate::table::{Kind, Row, Table, WellKnown};
use crate::well_known;

impl Json<'_> {
    #[inline(never)]
    pub(super) fn well_known<'a, M: Object<'a>>(&mut self, known: WellKnown, message: M) -> Result<()> {
        match known {
            WellKnown::Timestamp => {
                let (seconds, nanos) = seconds_and_nanos(message)?;
                well_known::check_timestamp(seconds, nanos)?;
                self.out.text(|out| well_known::write_timestamp(out, seconds, nanos));
            }
            WellKnown::Duration => {
                let (seconds, nanos) = seconds_and_nanos(message)?;
                well_known::check_duration(seconds, nanos)?;
                self.out.text(|out| well_known::write_duration(out, seconds, nanos));
            }
            WellKnown::FieldMask => {
                let text = well_known::to_json(&paths(message)?)?;
                self.out.string(&text);
            }
            WellKnown::Any => return self.any(message),
            WellKnown::Struct | WellKnown::Value | WellKnown::ListValue | WellKnown::Wrapper => {
                if !self.only_field(known, message)? {
                    self.nothing(known, message.table())?;
                }
            }
            WellKnown::No => return self.members(message),
        }
        Ok(())
    }

    /// The value of a message that is printed as its only field; false where none is set.
    fn only_field<'a, M: Object<'a>>(&mut self, known: WellKnown, message: M) -> Result<bool> {
        let mut found = false;
        for row in &message.table().rows {
            let Some(value) = message.get(row).map_err(|error| error.in_field(&row.name))? else { continue };
            if found {
                return Err(Error::ty("the message has more than one value"));
            }
            found = true;
            if known == WellKnown::Value
                && row.kind == Kind::Double
                && let Field::Scalar(bits) = value
                && !f64::from_bits(bits).is_finite()
            {
                let text = String::from_utf8_lossy(not_finite(f64::from_bits(bits))).replace('"', "");
                return Err(Error::ty(format!("the {text} of a google.protobuf.Value has no form in JSON")));
            }
            self.value(row, value).map_err(|error| error.in_field(&row.name))?;
        }
        Ok(found)
    }

    /// Such a message without a value.
    #[cold]
    fn nothing(&mut self, known: WellKnown, table: &Table) -> Result<()> {
        match known {
            WellKnown::Struct => self.out.raw(b"{}"),
            WellKnown::ListValue => self.out.raw(b"[]"),
            WellKnown::Value => {
                return Err(Error::ty("a google.protobuf.Value without a kind has no form in JSON"));
            }
            _ => match table.rows.first() {
                Some(row) => self.zero(row),
                // A Rust type without a member for the value.
                None => match table.handle().fields().next().map(|field| Kind::of(&field)) {
                    Some(Kind::Bool) => self.out.raw(b"false"),
                    Some(Kind::String | Kind::Bytes) => self.out.raw(b"\"\""),
                    Some(Kind::Int64 | Kind::UInt64) if self.quote64 => self.out.raw(b"\"0\""),
                    _ => self.out.raw(b"0"),
                },
            },
        }
        Ok(())
    }
}

/// A field by its number and its value; `None` if it is not set, or the Rust type has no member for it.
pub(super) fn field<'a, M: Object<'a>>(message: M, number: u32) -> Result<Option<(&'a Row, Field<'a, M>)>> {
    let Some(row) = message.table().row(number) else { return Ok(None) };
    let value = message.get(row).map_err(|error| error.in_field(&row.name))?;
    Ok(value.map(|value| (row, value)))
}

/// The fields of a timestamp or a duration.
fn seconds_and_nanos<'a, M: Object<'a>>(message: M) -> Result<(i64, i32)> {
    let part = |number| -> Result<u64> {
        Ok(match field(message, number)? {
            Some((_, Field::Scalar(bits))) => bits,
            _ => 0,
        })
    };
    Ok((part(1)? as i64, part(2)? as i32))
}

/// The paths of a field mask.
fn paths<'a, M: Object<'a>>(message: M) -> Result<Vec<&'a str>> {
    let mut paths = Vec::new();
    if let Some((row, Field::List(list))) = field(message, 1)? {
        let read = list.visit(|index, path| {
            let Field::Text(path) = path else { return Ok(()) };
            paths.push(str_of(row, path).map_err(|error| error.in_index(index))?);
            Ok(())
        });
        read.map_err(|error| error.in_field(&row.name))?;
    }
    Ok(paths)
}

/// The text of a string field.
pub(super) fn str_of<'a>(row: &Row, text: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(text).map_err(|_| not_utf8(row))
}
