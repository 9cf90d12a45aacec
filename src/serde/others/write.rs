//! Writes a struct to binary formats as serde's own derive would write it: its members in the order of declaration.
//!
//! The output differs from the output of serde's derive in two points: byte strings are written with `serialize_bytes`,
//! not as sequences, and enums are written as numbers.

use crate::layout::EnumShape;
use crate::object::stored::{Stored, StoredMap, StoredMember, Struct, Variant, View};
use crate::serde::others::readable::readable;
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

/// Writes a message to any format. A human-readable format needs the schema. For a binary format the Rust type is
/// enough.
pub(super) fn message<S: Serializer>(message: Struct<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() {
        true => readable(message.typed().map_err(S::Error::custom)?, serializer),
        false => Members(message).serialize(serializer),
    }
}

pub(super) struct Members<'a>(pub(super) Struct<'a>);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.0.shape();
        let mut out = serializer.serialize_struct(shape.named(), shape.members.len())?;
        for (name, stored) in self.0.members() {
            match stored {
                StoredMember::Field(value) => out.serialize_field(name, &Value::<false>(value))?,
                StoredMember::Oneof(variant) => out.serialize_field(name, &Optional(variant))?,
                StoredMember::Unknown(fields) => out.serialize_field(name, &Bytes(fields))?,
            }
        }
        out.end()
    }
}

/// Writes a single value: a member, an element, or a key or value of a map.
///
/// `READABLE` is false for the members of a message, because a message in a human-readable format is written as JSON. The
/// format is then binary, and the compiler leaves out the code for enum names.
struct Value<'a, const READABLE: bool>(Stored<'a>);

impl<const READABLE: bool> Serialize for Value<'_, READABLE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.view() {
            View::Bool(value) => serializer.serialize_bool(value),
            View::I32(value) => serializer.serialize_i32(value),
            View::I64(value) => serializer.serialize_i64(value),
            View::U32(value) => serializer.serialize_u32(value),
            View::U64(value) => serializer.serialize_u64(value),
            View::F32(value) => serializer.serialize_f32(value),
            View::F64(value) => serializer.serialize_f64(value),
            View::Enum(shape, number) if READABLE => enumeration(shape, number, serializer),
            View::Enum(_, number) => serializer.serialize_i32(number),
            View::Str(text) => serializer.serialize_str(text),
            View::Bytes(bytes) => serializer.serialize_bytes(bytes),
            View::Message(message) if READABLE => crate::serde::others::write::message(message, serializer),
            View::Message(message) => Members(message).serialize(serializer),
            View::Option(None) => serializer.serialize_none(),
            View::Option(Some(value)) => serializer.serialize_some(&Value::<READABLE>(value)),
            View::List(list) => {
                let elements = list.elements();
                let mut out = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    out.serialize_element(&Value::<READABLE>(element))?;
                }
                out.end()
            }
            View::Map(entries) => map::<READABLE, S>(entries, serializer),
            View::Made(made) => {
                let (mut serializer, mut written) = (Some(serializer), None);
                made.read(&mut |proto| {
                    written =
                        serializer.take().map(|serializer| Value::<READABLE>(proto).serialize(serializer));
                });
                written.unwrap_or_else(|| Err(S::Error::custom("the conversion made no value")))
            }
        }
    }
}

/// Writes an enum value: its name if the format is human-readable and the schema has the name, otherwise its number.
fn enumeration<S: Serializer>(
    shape: &'static EnumShape,
    number: i32,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match shape.json_name_of(number) {
        Some(name) if serializer.is_human_readable() => serializer.serialize_str(name),
        _ => serializer.serialize_i32(number),
    }
}

fn map<const READABLE: bool, S: Serializer>(
    entries: StoredMap<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(Some(entries.len()))?;
    let mut done = Ok(());
    entries.visit(&mut |key, value| {
        done = out.serialize_entry(&Value::<READABLE>(key), &Value::<READABLE>(value));
        done.is_ok()
    });
    done?;
    out.end()
}

/// Writes a oneof as a member of a struct: an option of an enum.
struct Optional<'a>(Variant<'a>);

impl Serialize for Optional<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.set {
            Ok(None) => serializer.serialize_none(),
            _ => serializer.serialize_some(&Oneof::<false>(&self.0)),
        }
    }
}

/// Writes a oneof by itself: an enum with a value in each variant.
pub(super) struct Oneof<'v, 'a, const READABLE: bool>(pub(super) &'v Variant<'a>);

impl<const READABLE: bool> Serialize for Oneof<'_, '_, READABLE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Variant { shape, set } = self.0;
        match set {
            Ok(Some((index, value))) => {
                let (name, index) = (shape.names()[*index], *index as u32);
                serializer.serialize_newtype_variant(shape.named(), index, name, &Value::<READABLE>(*value))
            }
            Ok(None) => Err(S::Error::custom("the oneof is not set")),
            Err(name) => Err(S::Error::custom(format_args!(
                "the variant `{name}` is skipped and cannot be serialized"
            ))),
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}
