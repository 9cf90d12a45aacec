//! Writes messages of `google.protobuf` that have a special JSON form, and extensions.

use crate::codec::json::print;
use crate::error::{Error, Result};
use crate::json;
use crate::limits::Limits;
use crate::message::dynamic::DynamicMessage;
use crate::object::{Field, ObjectAt, ObjectList};
use crate::options::DecodeOptions;
use crate::serde::others::readable::{Path, Value, not_finite};
use crate::serde::others::replay::PrintedJson;
use crate::syntax::well_known;
use crate::table::{Kind, Row, WellKnown};
use crate::wire::{Tag, WireType, Writer};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

pub(super) fn serialize<'a, M: ObjectAt<'a>, S: Serializer>(
    message: M,
    path: &Path<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match message.table().known {
        WellKnown::Timestamp => {
            let (seconds, nanos) = parts(message);
            well_known::check_timestamp(seconds, nanos).map_err(|error| path.error(error))?;
            let mut out = String::new();
            well_known::write_timestamp(&mut out, seconds, nanos).map_err(S::Error::custom)?;
            serializer.serialize_str(&out)
        }
        WellKnown::Duration => {
            let (seconds, nanos) = parts(message);
            well_known::check_duration(seconds, nanos).map_err(|error| path.error(error))?;
            let mut out = String::new();
            well_known::write_duration(&mut out, seconds, nanos).map_err(S::Error::custom)?;
            serializer.serialize_str(&out)
        }
        WellKnown::FieldMask => {
            let text = mask(message)
                .and_then(|paths| well_known::to_json(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
            serializer.serialize_str(&text.map_err(|error| path.error(error))?)
        }
        WellKnown::Any => any(message, path, serializer),
        WellKnown::Value => value(message, path, serializer),
        known => match only(message).map_err(|error| path.error(error))? {
            Some((row, value)) => Value { row, value, path: &path.field(&row.name) }.serialize(serializer),
            None => match known {
                WellKnown::Struct => serializer.serialize_map(None)?.end(),
                WellKnown::ListValue => serializer.serialize_seq(None)?.end(),
                _ => zero(message, serializer),
            },
        },
    }
}

/// Returns the field that is set, or `None` if no field is set. Fails if several fields are set.
fn only<'a, M: ObjectAt<'a>>(message: M) -> Result<Option<(&'a Row, Field<'a, M>)>> {
    let mut found = None;
    for row in &message.table().rows {
        if let Some(value) = message.get(row)?
            && found.replace((row, value)).is_some()
        {
            return Err(Error::ty("the message has more than one value"));
        }
    }
    Ok(found)
}

/// Writes a `Value` of any kind.
fn value<'a, M: ObjectAt<'a>, S: Serializer>(
    message: M,
    path: &Path<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let found = only(message).map_err(|error| path.error(error))?;
    let Some((row, value)) = found else {
        let error = Error::ty("a google.protobuf.Value without a kind has no form in JSON");
        return Err(path.error(error));
    };
    if let (Kind::Double, Field::Scalar(bits)) = (row.kind, value)
        && !f64::from_bits(bits).is_finite()
    {
        let text = not_finite(f64::from_bits(bits));
        let error = format!("the {text} of a google.protobuf.Value has no form in JSON");
        return Err(path.error(Error::ty(error)));
    }
    Value { row, value, path: &path.field(&row.name) }.serialize(serializer)
}

/// Writes the default value of a wrapper whose field is not set.
fn zero<'a, M: ObjectAt<'a>, S: Serializer>(message: M, serializer: S) -> Result<S::Ok, S::Error> {
    match message.table().rows.first().map(|row| row.kind) {
        Some(Kind::Bool) => serializer.serialize_bool(false),
        Some(Kind::String | Kind::Bytes) => serializer.serialize_str(""),
        Some(Kind::Int64 | Kind::UInt64) => serializer.serialize_str("0"),
        _ => serializer.serialize_u64(0),
    }
}

/// Returns the seconds and nanoseconds of a timestamp or a duration.
fn parts<'a, M: ObjectAt<'a>>(message: M) -> (i64, i32) {
    (number(message, 1) as i64, number(message, 2) as i32)
}

fn number<'a, M: ObjectAt<'a>>(message: M, number: u32) -> u64 {
    match message.table().row(number).map(|row| message.get(row)) {
        Some(Ok(Some(Field::Scalar(bits)))) => bits,
        _ => 0,
    }
}

fn bytes<'a, M: ObjectAt<'a>>(message: M, number: u32) -> &'a [u8] {
    match message.table().row(number).map(|row| message.get(row)) {
        Some(Ok(Some(Field::Text(bytes)))) => bytes,
        _ => &[],
    }
}

fn mask<'a, M: ObjectAt<'a>>(message: M) -> Result<Vec<String>> {
    let Some(row) = message.table().row(1) else { return Ok(Vec::new()) };
    let Some(Field::List(paths)) = message.get(row)? else { return Ok(Vec::new()) };
    let mut texts = Vec::new();
    paths.texts(|_, path| {
        let path = String::from_utf8(path.to_vec());
        texts.push(path.map_err(|_| Error::ty("the string is not valid UTF-8, which JSON requires"))?);
        Ok(())
    })?;
    Ok(texts)
}

/// Writes an `Any` that contains a message of a type in the pool.
fn any<'a, M: ObjectAt<'a>, S: Serializer>(
    message: M,
    path: &Path<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut writer = Writer::new();
    for number in [1, 2] {
        let part = bytes(message, number);
        if !part.is_empty() {
            writer.tag(Tag::new(number, WireType::Len));
            writer.len_prefixed(part);
        }
    }
    let text = writer.finish().and_then(|wire| json_of(message, &wire, path, false));
    PrintedJson::new(&text.map_err(|error| path.error(error))?).serialize(serializer)
}

/// Writes the unknown fields that are extensions in the pool.
pub(super) fn extensions<'a, M: ObjectAt<'a>, S: SerializeMap>(
    message: M,
    path: &Path<'_>,
    map: &mut S,
) -> Result<(), S::Error> {
    let text = json_of(message, message.unknown(), path, true).map_err(|error| path.error(error))?;
    PrintedJson::new(&text).extensions(map)
}

/// Decodes some fields of a message, and returns them as JSON.
fn json_of<'a, M: ObjectAt<'a>>(message: M, fields: &[u8], path: &Path<'_>, partial: bool) -> Result<String> {
    let descriptor = message.table().handle();
    // The level of the message is already counted, and the printer counts it again.
    let limits = Limits::default().depth(path.depth + 1);
    let decode = DecodeOptions::new().partial(true);
    let settings = json::Options::new().partial(partial).limits(limits);
    let mut text = Vec::new();
    let printed = DynamicMessage::decode_with(&descriptor, fields, decode)
        .and_then(|message| print(message.view().into(), &settings, &mut text));
    printed.map_err(|error| error.nowhere().of_max_depth(Limits::default().max_depth()))?;
    String::from_utf8(text).map_err(|_| Error::ty("the string is not valid UTF-8, which JSON requires"))
}
