//! Reads a dynamic message into an arena. In binary formats, a dynamic message is a map.

use crate::error::LimitError;
use crate::limits::Limits;
use crate::message::dynamic::{EntryWriter, ValueWriter};
use crate::serde::serializer::UNKNOWN;
use crate::table::{Kind, LastName, Row, Shape, Table, Target as Named};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Fills the fields of a message from a map.
pub(super) struct FillFields<'a, 't> {
    pub(super) message: ValueWriter<'a, 't>,
    /// How many more levels of messages may be opened.
    pub(super) depth: u32,
}

impl<'de> Visitor<'de> for FillFields<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message {}", self.message.table().full_name)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(A::Error::custom(LimitError::Depth(Limits::default().max_depth())));
        };
        let table = self.message.table();
        let mut last = table.names().start();
        while let Some(name) = map.next_key_seed(Name { table, last: &mut last })? {
            match name {
                Some(index) => {
                    self.message.set_row(&table.rows[index]);
                    map.next_value_seed(Value { target: &mut self.message, is_field: true, depth })?;
                }
                None => {
                    let fields = map.next_value_seed(Octets)?;
                    self.message.add_unknown(&fields);
                }
            }
        }
        self.message.end().map_err(A::Error::custom)
    }
}

/// Reads the name of a field. Returns the index of its row, or `None` for the name of the unknown fields.
struct Name<'t, 'l> {
    table: &'t Table,
    last: &'l mut LastName,
}

impl<'de> DeserializeSeed<'de> for Name<'_, '_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_, '_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a field of {}", self.table.full_name)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        if name == UNKNOWN {
            return Ok(None);
        }
        match self.table.find(name, self.last) {
            Some(Named::Field(index)) => Ok(Some(usize::from(index))),
            _ => Err(E::custom(format_args!("{} has no field named {name:?}", self.table.full_name))),
        }
    }
}

/// A seed that reads a value into its target.
struct Value<'a, 'd, 't> {
    target: &'a mut ValueWriter<'d, 't>,
    /// True for a whole field. False for an element, or the key or value of a map entry.
    is_field: bool,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let row = self.target.row();
        match row.shape {
            Shape::List if self.is_field => return deserializer.deserialize_seq(self),
            Shape::Map if self.is_field => return deserializer.deserialize_map(self),
            _ => {}
        }
        match row.kind {
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
                let message = self.target.child().map_err(D::Error::custom)?;
                deserializer.deserialize_map(FillFields { message, depth: self.depth })
            }
        }
    }
}

impl<'t> Value<'_, '_, 't> {
    fn row(&self) -> &'t Row {
        self.target.row()
    }

    /// Fails if a list or a map is expected. A self-describing format may give a single value instead, because it gives the
    /// values that it finds.
    fn single<E: Error>(&self, found: Unexpected<'_>) -> Result<(), E> {
        match self.is_field && self.row().shape != Shape::Singular {
            true => Err(E::invalid_type(found, self)),
            false => Ok(()),
        }
    }

    fn integer<E: Error>(self, value: i128) -> Result<(), E> {
        self.single(Unexpected::Other("a number"))?;
        let row = self.row();
        let bits = match row.kind {
            Kind::Enum => {
                let number = i32::try_from(value).ok().filter(|number| row.takes_number(*number));
                number.map(|number| u64::from(number as u32))
            }
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => {
                i32::try_from(value).ok().map(|value| u64::from(value as u32))
            }
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                i64::try_from(value).ok().map(|value| value as u64)
            }
            Kind::UInt32 | Kind::Fixed32 => u32::try_from(value).ok().map(u64::from),
            Kind::UInt64 | Kind::Fixed64 => u64::try_from(value).ok(),
            Kind::Float => Some(u64::from((value as f32).to_bits())),
            Kind::Double => Some((value as f64).to_bits()),
            _ => return Err(E::invalid_type(Unexpected::Other("a number"), &self)),
        };
        match bits {
            Some(bits) => self.target.set_scalar(bits).map_err(E::custom),
            None => Err(E::custom(format_args!("{value} is out of range for {}", row.kind.as_str()))),
        }
    }

    fn text<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.target.set_text(bytes).map_err(E::custom)
    }

    /// Parses the key of a map that a format represents as text.
    #[cold]
    fn key<E: Error>(self, text: &str) -> Result<(), E> {
        match (self.row().kind, text.parse::<i128>()) {
            (Kind::Bool, _) if text == "true" || text == "false" => self.visit_bool(text == "true"),
            (Kind::Bool | Kind::Float | Kind::Double | Kind::Bytes | Kind::Enum, _) | (_, Err(_)) => {
                Err(E::invalid_type(Unexpected::Str(text), &self))
            }
            (_, Ok(number)) => self.integer(number),
        }
    }
}

impl<'de> Visitor<'de> for Value<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row();
        let what = match row.shape {
            Shape::List if self.is_field => "a list",
            Shape::Map if self.is_field => "a map",
            _ => row.kind.as_str(),
        };
        write!(f, "{what} for the field {}", row.name)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.single(Unexpected::Bool(value))?;
        if self.row().kind != Kind::Bool {
            return Err(E::invalid_type(Unexpected::Bool(value), &self));
        }
        self.target.set_scalar(u64::from(value)).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.integer(i128::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.integer(i128::from(value))
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<(), E> {
        self.single(Unexpected::Float(f64::from(value)))?;
        match self.row().kind {
            Kind::Float => self.target.set_scalar(u64::from(value.to_bits())).map_err(E::custom),
            _ => self.visit_f64(f64::from(value)),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.single(Unexpected::Float(value))?;
        let bits = match self.row().kind {
            Kind::Double => value.to_bits(),
            Kind::Float => u64::from((value as f32).to_bits()),
            _ => return Err(E::invalid_type(Unexpected::Float(value), &self)),
        };
        self.target.set_scalar(bits).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.single(Unexpected::Str(value))?;
        match self.row().kind {
            Kind::String => self.text(value.as_bytes()),
            _ => self.key(value),
        }
    }

    fn visit_bytes<E: Error>(self, value: &[u8]) -> Result<(), E> {
        self.single(Unexpected::Bytes(value))?;
        let row = self.row();
        match row.kind {
            Kind::Bytes => self.text(value),
            Kind::String if !row.utf8 => self.text(value),
            _ => Err(E::invalid_type(Unexpected::Bytes(value), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let row = self.row();
        if row.kind == Kind::Bytes && (!self.is_field || row.shape == Shape::Singular) {
            let mut bytes = Vec::new();
            while let Some(byte) = seq.next_element()? {
                bytes.push(byte);
            }
            return self.text(&bytes);
        }
        if row.shape != Shape::List || !self.is_field {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let (list, mut target) = self.target.list().map_err(A::Error::custom)?;
        let depth = self.depth;
        while seq.next_element_seed(Value { target: &mut target, is_field: false, depth })?.is_some() {}
        target.end_list(list);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        if self.row().shape != Shape::Map || !self.is_field {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let (depth, target) = (self.depth, self.target);
        target.map().map_err(A::Error::custom)?;
        while let Some(entry) = entries.next_key_seed(EntryKey { target, depth })? {
            // The entry is also a level of nesting.
            let depth = depth.saturating_sub(1);
            entries.next_value_seed(Value { target: &mut target.value(), is_field: false, depth })?;
            target.end_entry(entry);
        }
        Ok(())
    }
}

struct EntryKey<'m, 'a, 't> {
    target: &'m mut ValueWriter<'a, 't>,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for EntryKey<'_, '_, '_> {
    type Value = EntryWriter;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<EntryWriter, D::Error> {
        let entry = self.target.begin_entry();
        let target = &mut self.target.key();
        Value { target, is_field: false, depth: self.depth }.deserialize(deserializer)?;
        Ok(entry)
    }
}

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
