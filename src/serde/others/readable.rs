//! Writes canonical ProtoJSON to human-readable formats, in serde's data model, directly from a message.
//!
//! Objects are maps and lists are sequences of unknown length, integers of 64 bits and bytes are strings, enums
//! are names. Specification: <https://protobuf.dev/programming-guides/json/>.

use crate::error::{Error, LimitError, Result};
use crate::layout::KeyRef;
use crate::limits::Limits;
use crate::object::{Field, ObjectAt, ObjectList, ObjectMap};
use crate::serde::others::{replay, well_known};
use crate::syntax::json::print::Printer;
use crate::table::{Kind, Presence, Row, WellKnown};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

/// The path from the outermost message to the value being written, for errors.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    step: Step<'p>,
    /// How many more levels of messages may be opened.
    pub(super) depth: u32,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root(&'p str),
    Field(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
    Key(&'p Path<'p>, &'p str),
}

impl<'p> Path<'p> {
    /// Returns the path of the outermost message.
    pub(super) fn root(full_name: &'p str) -> Self {
        Path { step: Step::Root(full_name), depth: Limits::default().max_depth() }
    }

    pub(super) fn field(&'p self, name: &'p str) -> Path<'p> {
        Path { step: Step::Field(self, name), depth: self.depth }
    }

    fn index(&'p self, index: usize) -> Path<'p> {
        Path { step: Step::Index(self, index), depth: self.depth }
    }

    pub(super) fn key(&'p self, key: &'p str) -> Path<'p> {
        // The entry is also a level of nesting.
        Path { step: Step::Key(self, key), depth: self.depth.saturating_sub(1) }
    }

    /// Enters a message: returns the path with one level of messages less.
    fn enter(self) -> Result<Path<'p>> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Path { depth, ..self }),
            None => Err(Error::limit(LimitError::Depth(Limits::default().max_depth()))),
        }
    }

    /// Returns the error with the whole path, as an error of the format.
    #[cold]
    pub(super) fn error<E: serde::ser::Error>(&self, mut error: Error) -> E {
        let mut at = self;
        loop {
            (error, at) = match at.step {
                Step::Root(name) => return E::custom(error.within_message(name)),
                Step::Field(above, name) => (error.in_field(name), above),
                Step::Index(above, index) => (error.in_index(index), above),
                Step::Key(above, key) => (error.in_key(key), above),
            };
        }
    }
}

/// Writes a message to a human-readable format.
///
/// # Errors
/// The message has no form in JSON, or the format fails.
pub(crate) fn readable<'a, M: ObjectAt<'a>, S: Serializer>(
    message: M,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let path = Path::root(&message.table().full_name);
    Message { message, path }.serialize(serializer)
}

pub(super) struct Message<'p, M> {
    pub(super) message: M,
    pub(super) path: Path<'p>,
}

impl<'a, M: ObjectAt<'a>> Serialize for Message<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Message { message, path } = *self;
        let path = path.enter().map_err(|error| path.error(error))?;
        let table = message.table();
        match table.known {
            WellKnown::No => {
                let mut map = serializer.serialize_map(None)?;
                fields(message, &path, &mut map)?;
                if table.extendable && !message.unknown().is_empty() {
                    well_known::extensions(message, &path, &mut map)?;
                }
                map.end()
            }
            _ => well_known::serialize(message, &path, serializer),
        }
    }
}

/// Writes the fields that are set into a map.
fn fields<'a, M: ObjectAt<'a>, S: SerializeMap>(
    message: M,
    path: &Path<'_>,
    map: &mut S,
) -> Result<(), S::Error> {
    let table = message.table();
    for row in &table.rows {
        message.read(row, |value| match value {
            Ok(Some(value)) => {
                let value = Value { row, value, path: &path.field(&row.name) };
                map.serialize_entry(&*row.json_name, &value)
            }
            Ok(None) if row.presence == Presence::Required => Err(path.error(Error::required(&row.name))),
            Ok(None) => Ok(()),
            Err(error) => Err(path.field(&row.name).error(error)),
        })?;
    }
    Ok(())
}

/// Writes the value of a field, an element, or the value of a map entry.
pub(super) struct Value<'p, 'a, M: ObjectAt<'a>> {
    pub(super) row: &'a Row,
    pub(super) value: Field<'a, M>,
    pub(super) path: &'p Path<'p>,
}

impl<'a, M: ObjectAt<'a>> Serialize for Value<'_, 'a, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Value { row, value, path } = *self;
        match value {
            Field::Scalar(bits) => scalar(row, bits, serializer),
            Field::Text(bytes) if row.kind == Kind::String => match crate::wire::utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                Err(_) => Err(path.error(Error::ty("the string is not valid UTF-8, which JSON requires"))),
            },
            Field::Text(bytes) => match row.json_bytes() {
                Some(form) => serializer.serialize_str(&form.print(bytes)),
                None => serializer.serialize_str(&STANDARD.encode(bytes)),
            },
            Field::Message(message) => Message { message, path: *path }.serialize(serializer),
            Field::List(list) => {
                let mut out = serializer.serialize_seq(None)?;
                let mut failed = None;
                let done = list.each(row, &mut |index, value| {
                    let element = Value { row, value, path: &path.index(index) };
                    out.serialize_element(&element).map_err(|error| failing(&mut failed, error))
                });
                match (done, failed) {
                    (_, Some(error)) => Err(error),
                    (Err(error), None) => Err(path.error(error)),
                    (Ok(()), None) => out.end(),
                }
            }
            Field::Map(entries) => {
                let mut out = serializer.serialize_map(None)?;
                let mut failed = None;
                let done = entries.entries(|key, value| {
                    let name = key_name(key);
                    let value = Value { row: &row.map().value, value, path: &path.key(&name) };
                    out.serialize_entry(&*name, &value).map_err(|error| failing(&mut failed, error))
                });
                match (done, failed) {
                    (_, Some(error)) => Err(error),
                    (Err(error), None) => Err(path.error(error)),
                    (Ok(false), None) => Err(path.error(Error::ty("a key of the map is not valid UTF-8"))),
                    (Ok(true), None) => out.end(),
                }
            }
        }
    }
}

/// Keeps an error of the format, and returns another error, which ends a visit.
#[cold]
fn failing<E>(failed: &mut Option<E>, error: E) -> Error {
    *failed = Some(error);
    Error::ty("the format failed")
}

/// Returns a map key as the name of a JSON member.
fn key_name(key: KeyRef<'_>) -> std::borrow::Cow<'_, str> {
    match key {
        KeyRef::Str(key) => key.into(),
        KeyRef::Bool(key) => if key { "true" } else { "false" }.into(),
        KeyRef::I32(key) => key.to_string().into(),
        KeyRef::I64(key) => key.to_string().into(),
        KeyRef::U32(key) => key.to_string().into(),
        KeyRef::U64(key) => key.to_string().into(),
    }
}

fn scalar<S: Serializer>(row: &Row, bits: u64, serializer: S) -> Result<S::Ok, S::Error> {
    match row.kind {
        Kind::Bool => serializer.serialize_bool(bits != 0),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => integer(bits as i32, serializer),
        Kind::UInt32 | Kind::Fixed32 => serializer.serialize_u64(u64::from(bits as u32)),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => serializer.serialize_str(&(bits as i64).to_string()),
        Kind::UInt64 | Kind::Fixed64 => serializer.serialize_str(&bits.to_string()),
        Kind::Float => {
            let value = f32::from_bits(bits as u32);
            match value.is_finite() {
                true => float(|out| out.float(value), serializer),
                false => serializer.serialize_str(not_finite(value.into())),
            }
        }
        Kind::Double => {
            let value = f64::from_bits(bits);
            match value.is_finite() {
                true => float(|out| out.float(value), serializer),
                false => serializer.serialize_str(not_finite(value)),
            }
        }
        _ => {
            let (table, number) = (row.enumeration(), bits as i32);
            match table.json_text(number) {
                _ if table.null => serializer.serialize_unit(),
                Some(name) => serializer.serialize_str(name),
                None => integer(number, serializer),
            }
        }
    }
}

fn integer<S: Serializer>(value: i32, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(value) {
        Ok(value) => serializer.serialize_u64(value),
        Err(_) => serializer.serialize_i64(value.into()),
    }
}

/// Writes a number as the shortest decimal that reads back as the same value.
fn float<S: Serializer>(print: impl FnOnce(&mut Printer), serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = Printer::append_to(Vec::new(), false);
    print(&mut out);
    let digits = String::from_utf8(out.into_vec()).map_err(S::Error::custom)?;
    replay::number(&digits, serializer)
}

/// Returns how JSON writes a number that is not finite.
pub(super) fn not_finite(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}
