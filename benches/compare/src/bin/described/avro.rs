//! Avro's object container, with values of a schema that is made of a message's.

use apache_avro::types::Value as Avro;
use apache_avro::{Reader, Schema, Writer};
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use tobu::reflect::{MapKeyRef, Reflect, ValueRef};
use tobu::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};

/// Messages as values of Avro.
pub struct Container {
    schema: Schema,
    values: Vec<Avro>,
}

impl Container {
    pub fn new(descriptor: &MessageDescriptor, payloads: &[Vec<u8>]) -> Result<Self, Box<dyn Error>> {
        let schema = Schema::parse_str(&record(descriptor, &mut BTreeSet::new()).to_string())?;
        let messages = payloads.iter().map(|bytes| DynamicMessage::decode(descriptor, bytes));
        let messages = messages.collect::<tobu::Result<Vec<_>>>()?;
        let values = messages.iter().map(|message| value_of(message)).collect::<tobu::Result<_>>()?;
        Ok(Container { schema, values })
    }

    /// A stream of the messages, so many times one after the other.
    pub fn write(&self, repeat: usize, out: &mut Vec<u8>) -> Result<(), Box<dyn Error>> {
        let mut writer = Writer::new(&self.schema, out)?;
        for value in (0..repeat).flat_map(|_| &self.values) {
            writer.append_value_ref(value)?;
        }
        writer.flush()?;
        Ok(())
    }

    /// Reads a stream; gives the last message, and how many there were.
    pub fn read(&self, stream: &[u8]) -> Result<(Option<Avro>, usize), Box<dyn Error>> {
        let (mut last, mut count) = (None, 0);
        for value in Reader::new(stream)? {
            last = Some(value?);
            count += 1;
        }
        Ok((last, count))
    }

    pub fn last(&self) -> Option<&Avro> {
        self.values.last()
    }
}

/// The schema of a message; one that was declared is a name.
fn record(message: &MessageDescriptor, declared: &mut BTreeSet<String>) -> Json {
    let name = message.name().to_owned();
    if !declared.insert(name.clone()) {
        return name.into();
    }
    let fields: Vec<Json> = message
        .fields()
        .map(|field| json!({"name": field.name(), "type": field_type(&field, declared)}))
        .collect();
    json!({"type": "record", "name": name, "fields": fields})
}

fn field_type(field: &FieldDescriptor, declared: &mut BTreeSet<String>) -> Json {
    if let Some(value) = field.map_value() {
        return json!({"type": "map", "values": value_type(&value, declared)});
    }
    let value = value_type(field, declared);
    match () {
        () if field.is_list() => json!({"type": "array", "items": value}),
        () if field.has_presence() => json!(["null", value]),
        () => value,
    }
}

fn value_type(field: &FieldDescriptor, declared: &mut BTreeSet<String>) -> Json {
    let name = match field.kind() {
        Kind::Message(message) => return record(&message, declared),
        Kind::Double => "double",
        Kind::Float => "float",
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 | Kind::UInt64 | Kind::Fixed64 => "long",
        Kind::Bool => "boolean",
        Kind::String => "string",
        Kind::Bytes => "bytes",
        _ => "int",
    };
    name.into()
}

fn value_of(message: &dyn Reflect) -> tobu::Result<Avro> {
    let descriptor = message.descriptor();
    let fields = descriptor.fields().map(|field| {
        let value = match message.get(&field)? {
            ValueRef::List(list) => Avro::Array(list.iter().map(plain).collect::<tobu::Result<_>>()?),
            ValueRef::Map(map) => {
                let mut entries = HashMap::new();
                let mut failed = None;
                map.visit(&mut |key: MapKeyRef<'_>, value: ValueRef<'_>| {
                    let MapKeyRef::Str(key) = key else { return false };
                    match plain(value) {
                        Ok(value) => drop(entries.insert(key.to_owned(), value)),
                        Err(error) => failed = Some(error),
                    }
                    failed.is_none()
                });
                match failed {
                    Some(error) => return Err(error),
                    None => Avro::Map(entries),
                }
            }
            _ if field.has_presence() && !message.has(&field)? => Avro::Union(0, Box::new(Avro::Null)),
            value if field.has_presence() => Avro::Union(1, Box::new(plain(value)?)),
            value => plain(value)?,
        };
        Ok((field.name().to_owned(), value))
    });
    Ok(Avro::Record(fields.collect::<tobu::Result<_>>()?))
}

/// Avro has no unsigned numbers: they keep their bits.
fn plain(value: ValueRef<'_>) -> tobu::Result<Avro> {
    Ok(match value {
        ValueRef::Bool(value) => Avro::Boolean(value),
        ValueRef::I32(value) | ValueRef::Enum(value) => Avro::Int(value),
        ValueRef::U32(value) => Avro::Int(value as i32),
        ValueRef::I64(value) => Avro::Long(value),
        ValueRef::U64(value) => Avro::Long(value as i64),
        ValueRef::F32(value) => Avro::Float(value),
        ValueRef::F64(value) => Avro::Double(value),
        ValueRef::Str(value) => Avro::String(value.to_owned()),
        ValueRef::Bytes(value) => Avro::Bytes(value.to_vec()),
        ValueRef::Message(message) => return value_of(&*message),
        _ => Avro::Null,
    })
}
