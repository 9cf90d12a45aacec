//! Dynamic messages for serde: written to any serializer, and read by a seed that the descriptor gives.
//!
//! To serde a dynamic message is, where people do not read the format, a map from the proto names of the fields that are set, in the order of their numbers;
//! fields that the message does not name are bytes under `$unknown`. Values are told by their kinds, so that formats
//! that do not describe themselves will do.

use super::DynamicMessage;
use super::arena::Arena;
use super::sink::Filler;
use super::view::MessageAt;
use crate::descriptor::MessageDescriptor;
use crate::error::LimitError;
use crate::limits::Limits;
use crate::plan::{FieldPlan, Kind, MessagePlan, PlanSet, Shape};
use crate::reflect::{MapKeyRef, MessageRef, Repr, ValueRef};
use crate::ser::{Sink, UNKNOWN};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt;

impl Serialize for DynamicMessage {
    /// In formats that people read it is canonical ProtoJSON; in others a map from the proto names of the fields that
    /// are set, with enums as numbers and bytes as bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return crate::foreign::write(self, serializer);
        }
        by_name(self.read(), Limits::default().max_depth(), serializer)
    }
}

fn by_name<S: Serializer>(message: MessageAt<'_>, depth: u32, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(S::Error::custom(LimitError::Depth(Limits::default().max_depth())));
    };
    let unknown = message.unknown_at();
    let len = message.set_fields().count() + usize::from(!unknown.is_empty());
    let mut map = serializer.serialize_map(Some(len))?;
    for field in message.set_fields() {
        map.serialize_entry(&*field.name, &Tree { value: message.value(field), depth })?;
    }
    if !unknown.is_empty() {
        map.serialize_entry(UNKNOWN, &Raw(unknown))?;
    }
    map.end()
}

struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// A value, and how many levels of messages may still be opened in it.
struct Tree<'a> {
    value: ValueRef<'a>,
    depth: u32,
}

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth = self.depth;
        match self.value {
            ValueRef::Bool(value) => serializer.serialize_bool(value),
            ValueRef::I32(value) | ValueRef::Enum(value) => serializer.serialize_i32(value),
            ValueRef::I64(value) => serializer.serialize_i64(value),
            ValueRef::U32(value) => serializer.serialize_u32(value),
            ValueRef::U64(value) => serializer.serialize_u64(value),
            ValueRef::F32(value) => serializer.serialize_f32(value),
            ValueRef::F64(value) => serializer.serialize_f64(value),
            ValueRef::Str(value) => serializer.serialize_str(value),
            ValueRef::Bytes(value) => serializer.serialize_bytes(value),
            ValueRef::Message(MessageRef(Repr::Arena(message))) => by_name(message, depth, serializer),
            ValueRef::Message(_) => Err(S::Error::custom("a part of a dynamic message is not in its arena")),
            ValueRef::List(list) => serializer.collect_seq(list.iter().map(|value| Tree { value, depth })),
            ValueRef::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.entries() {
                    map.serialize_entry(&Key(key), &Tree { value, depth })?;
                }
                map.end()
            }
        }
    }
}

struct Key<'a>(MapKeyRef<'a>);

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            MapKeyRef::Bool(key) => serializer.serialize_bool(key),
            MapKeyRef::I32(key) => serializer.serialize_i32(key),
            MapKeyRef::I64(key) => serializer.serialize_i64(key),
            MapKeyRef::U32(key) => serializer.serialize_u32(key),
            MapKeyRef::U64(key) => serializer.serialize_u64(key),
            MapKeyRef::Str(key) => serializer.serialize_str(key),
        }
    }
}

/// Deserializes a message of a descriptor from any format; made by [`MessageDescriptor::seed`].
#[derive(Clone, Copy, Debug)]
pub struct MessageSeed<'d> {
    descriptor: &'d MessageDescriptor,
}

impl MessageDescriptor {
    /// A seed that deserializes a message of this descriptor from any serde format, as its `Serialize` writes it.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// use serde::de::DeserializeSeed;
    ///
    /// let descriptor = StringValue::descriptor();
    /// let message = DynamicMessage::decode(&descriptor, b"\x0a\x02hi")?;
    /// let bytes = descriptor.encode(&message)?;
    ///
    /// let mut format = tobu::Deserializer::new(&descriptor, &bytes, tobu::DecodeOptions::new())?;
    /// assert_eq!(descriptor.seed().deserialize(&mut format)?, message);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn seed(&self) -> MessageSeed<'_> {
        MessageSeed { descriptor: self }
    }
}

impl<'de> DeserializeSeed<'de> for MessageSeed<'_> {
    type Value = DynamicMessage;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicMessage, D::Error> {
        if deserializer.is_human_readable() {
            return crate::foreign::read(self.descriptor, deserializer);
        }
        let plans = self.descriptor.plans().map_err(D::Error::custom)?;
        let arena = Arena::new(plans.root(), bytes::Bytes::new(), 0);
        let depth = Limits::default().max_depth();
        let mut reader = Reader { sink: Filler::new(arena, plans, u64::MAX), plans, depth };
        deserializer.deserialize_map(Fields { reader: &mut reader, field: None, plan: plans.root() })?;
        Ok(DynamicMessage::of(self.descriptor.clone(), reader.sink.finish()))
    }
}

/// What the seeds of a message and its parts share.
struct Reader<'p> {
    sink: Filler<'p, false>,
    plans: &'p PlanSet,
    /// How many levels of messages may still be opened.
    depth: u32,
}

/// The fields of a message: the outermost one where there is no field.
struct Fields<'r, 'p> {
    reader: &'r mut Reader<'p>,
    field: Option<&'p FieldPlan>,
    plan: &'p MessagePlan,
}

impl<'de> Visitor<'de> for Fields<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message {}", self.plan.full_name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Fields { reader, field, plan } = self;
        let Some(depth) = reader.depth.checked_sub(1) else {
            return Err(A::Error::custom(LimitError::Depth(Limits::default().max_depth())));
        };
        let outer = std::mem::replace(&mut reader.depth, depth);
        let open = reader.sink.begin_message(field, plan);
        let mut next = 0;
        while let Some(name) = map.next_key_seed(Name { plan, next })? {
            match name {
                Some(index) => {
                    next = index + 1;
                    map.next_value_seed(Value {
                        reader: &mut *reader,
                        field: &plan.fields[index],
                        place: Place::Field,
                    })?;
                }
                None => {
                    let fields = map.next_value_seed(Octets)?;
                    reader.sink.unknown(plan, &fields).map_err(A::Error::custom)?;
                }
            }
        }
        reader.sink.end_message(field, plan, open).map_err(A::Error::custom)?;
        reader.depth = outer;
        Ok(())
    }
}

/// The name of a field; `None` is that of the unknown fields.
struct Name<'p> {
    plan: &'p MessagePlan,
    /// The field that probably comes.
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a field of {}", self.plan.full_name)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        use crate::plan::Target;
        if name == UNKNOWN {
            return Ok(None);
        }
        match self.plan.find(name, self.next) {
            Some(Target::Field(index)) => Ok(Some(usize::from(index))),
            _ => Err(E::custom(format_args!("{} has no field named {name:?}", self.plan.full_name))),
        }
    }
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is all that a field has.
    Field,
    /// It is an element, or the key or value of a map entry, and the sink was told.
    Inside,
}

/// A value, which goes into the sink.
struct Value<'r, 'p> {
    reader: &'r mut Reader<'p>,
    field: &'p FieldPlan,
    place: Place,
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.place == Place::Field {
            match self.field.shape {
                Shape::List => return deserializer.deserialize_seq(self),
                Shape::Map => return deserializer.deserialize_map(self),
                Shape::Singular => self.reader.sink.field(self.field),
            }
        }
        match self.field.kind {
            Kind::Bool => deserializer.deserialize_bool(self),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum => deserializer.deserialize_i32(self),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => deserializer.deserialize_i64(self),
            Kind::UInt32 | Kind::Fixed32 => deserializer.deserialize_u32(self),
            Kind::UInt64 | Kind::Fixed64 => deserializer.deserialize_u64(self),
            Kind::Float => deserializer.deserialize_f32(self),
            Kind::Double => deserializer.deserialize_f64(self),
            Kind::String => deserializer.deserialize_str(self),
            Kind::Bytes => deserializer.deserialize_bytes(self),
            Kind::Message | Kind::Group => {
                let plan = &self.reader.plans.messages[self.field.sub as usize];
                deserializer.deserialize_map(Fields { reader: self.reader, field: Some(self.field), plan })
            }
        }
    }
}

impl<'p> Value<'_, 'p> {
    #[cold]
    fn range<E: serde::de::Error>(&self, value: impl fmt::Display) -> E {
        E::custom(format_args!("{value} is out of range for {}", self.field.kind.as_str()))
    }

    fn integer<E: serde::de::Error>(self, value: i128) -> Result<(), E> {
        let sink = &mut self.reader.sink;
        let fits = match self.field.kind {
            Kind::Enum => {
                let plan = &self.reader.plans.enums[self.field.sub as usize];
                let number = i32::try_from(value).ok().filter(|n| !self.field.closed || plan.contains(*n));
                number.map(|number| sink.enumeration(plan, number))
            }
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                i32::try_from(value).ok().map(|value| sink.i32(kind, value))
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                i64::try_from(value).ok().map(|value| sink.i64(kind, value))
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                u32::try_from(value).ok().map(|value| sink.u32(kind, value))
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                u64::try_from(value).ok().map(|value| sink.u64(kind, value))
            }
            Kind::Float => {
                sink.f32(value as f32);
                Some(())
            }
            Kind::Double => {
                sink.f64(value as f64);
                Some(())
            }
            _ => return Err(E::invalid_type(serde::de::Unexpected::Other("a number"), &self)),
        };
        fits.ok_or_else(|| self.range(value))
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.field.shape {
            Shape::List if self.place == Place::Field => "a list",
            Shape::Map if self.place == Place::Field => "a map",
            _ => self.field.kind.as_str(),
        };
        write!(f, "{what} for the field {}", self.field.name)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        if self.field.kind != Kind::Bool {
            return Err(E::invalid_type(serde::de::Unexpected::Bool(value), &self));
        }
        self.reader.sink.bool(value);
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.integer(i128::from(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.integer(i128::from(value))
    }

    fn visit_f32<E: serde::de::Error>(self, value: f32) -> Result<(), E> {
        match self.field.kind {
            Kind::Float => self.reader.sink.f32(value),
            _ => return self.visit_f64(f64::from(value)),
        }
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        match self.field.kind {
            Kind::Double => self.reader.sink.f64(value),
            Kind::Float => self.reader.sink.f32(value as f32),
            _ => return Err(E::invalid_type(serde::de::Unexpected::Float(value), &self)),
        }
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        if self.field.kind != Kind::String {
            return self.key(value);
        }
        self.reader.sink.str(value);
        Ok(())
    }

    fn visit_bytes<E: serde::de::Error>(self, value: &[u8]) -> Result<(), E> {
        match self.field.kind {
            Kind::Bytes => self.reader.sink.bytes(value),
            Kind::String if !self.field.utf8 => self.reader.sink.bytes(value),
            _ => return Err(E::invalid_type(serde::de::Unexpected::Bytes(value), &self)),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if self.field.kind == Kind::Bytes
            && (self.place == Place::Inside || self.field.shape == Shape::Singular)
        {
            let mut bytes = Vec::new();
            while let Some(byte) = seq.next_element()? {
                bytes.push(byte);
            }
            self.reader.sink.bytes(&bytes);
            return Ok(());
        }
        if self.field.shape != Shape::List || self.place == Place::Inside {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        let Value { reader, field, .. } = self;
        let open = reader.sink.begin_list(field, 1);
        let mut first = true;
        loop {
            // The sink is told of an element only when there is one.
            let element = Element { reader: &mut *reader, field, first };
            if seq.next_element_seed(element)?.is_none() {
                break;
            }
            first = false;
        }
        reader.sink.end_list(field, open);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.field.shape != Shape::Map || self.place == Place::Inside {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Map, &self));
        }
        let Value { reader, field, .. } = self;
        let plan = &reader.plans.maps[field.sub as usize];
        reader.sink.begin_map(field);
        loop {
            let key = EntryKey { reader: &mut *reader, field, key: &plan.key };
            let Some(entry) = map.next_key_seed(key)? else { break };
            reader.sink.entry_value(&plan.value);
            map.next_value_seed(Value { reader: &mut *reader, field: &plan.value, place: Place::Inside })?;
            reader.sink.end_entry(entry);
        }
        reader.sink.end_map(field);
        Ok(())
    }
}

impl Value<'_, '_> {
    /// A key of a format that has only strings for keys.
    #[cold]
    fn key<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        match (self.field.kind, text.parse::<i128>()) {
            (Kind::Bool, _) if text == "true" || text == "false" => self.visit_bool(text == "true"),
            (Kind::Bool | Kind::Float | Kind::Double | Kind::Bytes | Kind::Enum, _) | (_, Err(_)) => {
                Err(E::invalid_type(serde::de::Unexpected::Str(text), &self))
            }
            (_, Ok(number)) => self.integer(number),
        }
    }
}

struct Element<'r, 'p> {
    reader: &'r mut Reader<'p>,
    field: &'p FieldPlan,
    first: bool,
}

impl<'de> DeserializeSeed<'de> for Element<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.reader.sink.element(self.field, self.first);
        Value { reader: self.reader, field: self.field, place: Place::Inside }.deserialize(deserializer)
    }
}

struct EntryKey<'r, 'p> {
    reader: &'r mut Reader<'p>,
    field: &'p FieldPlan,
    key: &'p FieldPlan,
}

impl<'de> DeserializeSeed<'de> for EntryKey<'_, '_> {
    type Value = (u64, u32);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let entry = self.reader.sink.begin_entry(self.field, self.key, false);
        Value { reader: self.reader, field: self.key, place: Place::Inside }.deserialize(deserializer)?;
        Ok(entry)
    }
}

/// Bytes of any form.
struct Octets;

impl<'de> DeserializeSeed<'de> for Octets {
    type Value = Cow<'de, [u8]>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<'de> Visitor<'de> for Octets {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of unknown fields")
    }

    fn visit_borrowed_bytes<E>(self, fields: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(fields))
    }

    fn visit_bytes<E>(self, fields: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(fields.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(byte) = seq.next_element()? {
            fields.push(byte);
        }
        Ok(Cow::Owned(fields))
    }
}
