//! Writes dynamic messages to any serializer. A seed that is made from the descriptor reads them.
//!
//! In human-readable formats, a dynamic message is ProtoJSON. In other formats, it is a map from the proto names of the
//! fields that are set to their values, in the order of field numbers. Unknown fields are bytes under `$unknown`. Each
//! value is written with the method of serde for its kind, so formats need not be self-describing.

use crate::descriptor::MessageDescriptor;
use crate::error::LimitError;
use crate::layout::KeyRef;
use crate::limits::Limits;
use crate::message::dynamic::{DynamicMessage, Written};
use crate::object::arena::view::MessageAt;
use crate::object::{Field, Object, ObjectAt, ObjectMap};
use crate::serde::others::dynamic_seed::FillFields;
use crate::serde::others::{parse, readable};
use crate::serde::serializer::UNKNOWN;
use crate::table::{Kind, Row, Tabled};
use serde::de::{DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

impl Serialize for DynamicMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.view(), serializer)
    }
}

pub(crate) fn serialize<S: Serializer>(message: MessageAt<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return readable(message, serializer);
    }
    Fields { message, depth: Limits::default().max_depth() }.serialize(serializer)
}

/// A message as a map.
struct Fields<'a> {
    message: MessageAt<'a>,
    depth: u32,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(S::Error::custom(LimitError::Depth(Limits::default().max_depth())));
        };
        let (message, unknown) = (self.message, self.message.unknown());
        let mut fields = Vec::new();
        for row in &message.table().rows {
            if let Some(value) = message.get(row).map_err(S::Error::custom)? {
                fields.push((row, value));
            }
        }
        let mut map = serializer.serialize_map(Some(fields.len() + usize::from(!unknown.is_empty())))?;
        for (row, value) in fields {
            map.serialize_entry(&*row.name, &Value { row, value, depth })?;
        }
        if !unknown.is_empty() {
            map.serialize_entry(UNKNOWN, &Octets(unknown))?;
        }
        map.end()
    }
}

struct Octets<'a>(&'a [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Writes a value with the method of serde for its kind.
struct Value<'a> {
    row: &'a Row,
    value: Field<'a, MessageAt<'a>>,
    depth: u32,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (row, depth) = (self.row, self.depth);
        match self.value {
            Field::Scalar(bits) => match row.kind {
                Kind::Bool => serializer.serialize_bool(bits != 0),
                Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => serializer.serialize_i64(bits as i64),
                Kind::UInt32 | Kind::Fixed32 => serializer.serialize_u32(bits as u32),
                Kind::UInt64 | Kind::Fixed64 => serializer.serialize_u64(bits),
                Kind::Float => serializer.serialize_f32(f32::from_bits(bits as u32)),
                Kind::Double => serializer.serialize_f64(f64::from_bits(bits)),
                _ => serializer.serialize_i32(bits as i32),
            },
            Field::Text(bytes) => match (row.kind, crate::wire::utf8(bytes)) {
                (Kind::String, Ok(text)) => serializer.serialize_str(text),
                _ => serializer.serialize_bytes(bytes),
            },
            Field::Message(message) => Fields { message, depth }.serialize(serializer),
            Field::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len_at()))?;
                for value in (0..list.len_at()).filter_map(|index| list.field_at(index)) {
                    seq.serialize_element(&Value { row, value, depth })?;
                }
                seq.end()
            }
            Field::Map(map) => {
                let (entries, all_utf8) = map.sorted_entries().map_err(S::Error::custom)?;
                if !all_utf8 {
                    return Err(S::Error::custom("a key of the map is not valid UTF-8"));
                }
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                // An entry is also a level of nesting.
                let depth = depth.saturating_sub(1);
                for (key, value) in entries {
                    map.serialize_entry(&Key(key), &Value { row: &row.map().value, value, depth })?;
                }
                map.end()
            }
        }
    }
}

struct Key<'a>(KeyRef<'a>);

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            KeyRef::Bool(key) => serializer.serialize_bool(key),
            KeyRef::I32(key) => serializer.serialize_i32(key),
            KeyRef::I64(key) => serializer.serialize_i64(key),
            KeyRef::U32(key) => serializer.serialize_u32(key),
            KeyRef::U64(key) => serializer.serialize_u64(key),
            KeyRef::Str(key) => serializer.serialize_str(key),
        }
    }
}

/// Deserializes a message of a descriptor from any format.
/// [`MessageDescriptorExt::seed`](crate::MessageDescriptorExt::seed) returns this seed.
#[derive(Clone, Copy, Debug)]
pub struct MessageSeed<'d> {
    descriptor: &'d MessageDescriptor,
}

impl<'d> MessageSeed<'d> {
    pub(crate) fn new(descriptor: &'d MessageDescriptor) -> Self {
        MessageSeed { descriptor }
    }
}

impl<'de> DeserializeSeed<'de> for MessageSeed<'_> {
    type Value = DynamicMessage;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicMessage, D::Error> {
        if deserializer.is_human_readable() {
            let mut message = DynamicMessage::new(self.descriptor).map_err(D::Error::custom)?;
            parse::deserialize(message.fill().map_err(D::Error::custom)?.into(), deserializer)?;
            return Ok(message);
        }
        let mut written = Written::default();
        let table = self.descriptor.table().map_err(D::Error::custom)?;
        let message = written.start(table);
        deserializer.deserialize_map(FillFields { message, depth: Limits::default().max_depth() })?;
        let building = written.build(table).map_err(D::Error::custom)?;
        Ok(building.into_dynamic(self.descriptor.clone()))
    }
}
