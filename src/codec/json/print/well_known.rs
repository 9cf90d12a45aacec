//! Prints messages of `google.protobuf` that have a special JSON form.

use super::Json;
use super::value::{not_finite, not_utf8};
use crate::error::{Error, Result};
use crate::object::{Field, Object, ObjectList};
use crate::syntax::well_known;
use crate::table::{Kind, Row, Table, WellKnown};

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

    /// Prints a message as the value of its only field. If the field is not set, prints nothing and returns false.
    fn only_field<'a, M: Object<'a>>(&mut self, known: WellKnown, message: M) -> Result<bool> {
        let mut found = false;
        message.rows(&mut |row, value| {
            let Some(value) = value else { return Ok(()) };
            if found {
                return Err(Error::ty("the message has more than one value"));
            }
            found = true;
            if let (WellKnown::Value, Kind::Double, Field::Scalar(bits)) = (known, row.kind, value) {
                check_finite(f64::from_bits(bits))?;
            }
            self.value(row, value).map_err(|error| error.in_field(&row.name))
        })?;
        Ok(found)
    }

    /// Prints a message whose only field is not set: a wrapper as its zero value, and a `Struct` or `ListValue` as empty. Fails
    /// for a `Value` without a kind.
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
                // The Rust type may have no member for the field, so the kind comes from the descriptor.
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

/// Fails if a number of a `Value` has no JSON form.
fn check_finite(value: f64) -> Result<()> {
    if value.is_finite() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(not_finite(value)).replace('"', "");
    Err(Error::ty(format!("the {text} of a google.protobuf.Value has no form in JSON")))
}

/// Returns the fields `seconds` and `nanos` of a timestamp or a duration.
fn seconds_and_nanos<'a, M: Object<'a>>(message: M) -> Result<(i64, i32)> {
    let (mut seconds, mut nanos) = (0, 0);
    message.rows(&mut |row, value| {
        match (row.number, value) {
            (1, Some(Field::Scalar(bits))) => seconds = bits,
            (2, Some(Field::Scalar(bits))) => nanos = bits,
            _ => {}
        }
        Ok(())
    })?;
    Ok((seconds as i64, nanos as i32))
}

fn paths<'a, M: Object<'a>>(message: M) -> Result<Vec<&'a str>> {
    let mut paths = Vec::new();
    message.rows(&mut |row, value| match value {
        Some(Field::List(list)) if (row.number, row.kind) == (1, Kind::String) => list
            .texts(|index, path| {
                paths.push(str_of(row, path).map_err(|error| error.in_index(index))?);
                Ok(())
            })
            .map_err(|error| error.in_field(&row.name)),
        _ => Ok(()),
    })?;
    Ok(paths)
}

/// Returns the string of a field, or an error if it is not UTF-8.
pub(super) fn str_of<'a>(row: &Row, text: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(text).map_err(|_| not_utf8(row))
}
