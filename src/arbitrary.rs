//! Messages with arbitrary content, for fuzzers and property tests.
//!
//! With the feature `arbitrary`, [`message`] makes a message of any type from a fuzzer's bytes, [`dynamic`] makes a message
//! from a descriptor, and [`fill`] fills an existing message. The well-known types implement [`Arbitrary`]. Generated types
//! implement it with the setting `Config::arbitrary`. With the feature `proptest`, [`messages`] and [`dynamic_messages`] are
//! strategies.
//!
//! The content is valid: strings are UTF-8, closed enums have values from the schema, required fields are set, and
//! well-known types hold values that JSON can express. So each message can be encoded in every format. A message has
//! no unknown fields and no extensions. A float is never NaN, because a message with a NaN does not equal itself.
//!
//! ```
//! use tobu::Message;
//! use tobu::arbitrary::{Unstructured, message};
//! use tobu::types::Duration;
//!
//! let duration: Duration = message(&mut Unstructured::new(b"bytes of a fuzzer"))?;
//! assert_eq!(Duration::from_json(&duration.to_json()?)?, duration);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod known;
#[cfg(feature = "proptest")]
mod strategy;

pub use ::arbitrary::{Arbitrary, Error, Result, Unstructured};

#[cfg(feature = "proptest")]
pub use self::strategy::{dynamic_messages, messages};

use crate::descriptor::{EnumDescriptor, FieldDescriptor, FieldShape, Kind, MessageDescriptor};
use crate::reflect::{ListMut, MapKey, MapMut, Reflect, Value, ValueMut};
use crate::{DynamicMessage, Message};

/// The depth to which messages are nested, unless required fields need more levels.
const DEPTH: u32 = 8;
/// The depth that even required fields must not exceed. It is below the default limit of all formats, which is 100 levels.
const MOST: u32 = 50;

/// Creates a message of a Rust type, with content made from `input`.
///
/// When the input is used up, the rest of the message stays empty.
///
/// ```
/// use tobu::arbitrary::{Unstructured, message};
/// use tobu::types::StringValue;
///
/// let text: StringValue = message(&mut Unstructured::new(b"\xffDune\x04"))?;
/// assert_eq!(text.value, "Dune");
/// # Ok::<(), tobu::arbitrary::Error>(())
/// ```
///
/// # Errors
/// Returns [`Error::IncorrectFormat`] if the type has required messages that are nested without end, or a required member that
/// rejects every value.
pub fn message<M: Message + Default>(input: &mut Unstructured<'_>) -> Result<M> {
    let mut message = M::default();
    fill(message.as_reflect_mut(), input)?;
    Ok(message)
}

/// Creates a message from a descriptor, with content made from `input`.
///
/// ```
/// use tobu::arbitrary::{Unstructured, dynamic};
/// use tobu::{DynamicMessage, Message, types::Timestamp};
///
/// let message = dynamic(&Timestamp::descriptor(), &mut Unstructured::new(b"bytes of a fuzzer"))?;
/// let bytes = message.encode_to_vec()?;
/// assert_eq!(DynamicMessage::decode(&Timestamp::descriptor(), &bytes)?, message);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`Error::IncorrectFormat`] if the type is not valid, or if its required messages are nested without end.
pub fn dynamic(descriptor: &MessageDescriptor, input: &mut Unstructured<'_>) -> Result<DynamicMessage> {
    let mut message = DynamicMessage::new(descriptor).map_err(|_| Error::IncorrectFormat)?;
    fill(&mut message, input)?;
    Ok(message)
}

/// Sets fields of a message, with content made from `input`. It may replace or extend fields that are already set.
///
/// ```
/// use tobu::Message;
/// use tobu::arbitrary::{Unstructured, fill};
/// use tobu::types::Int32Value;
///
/// let mut number = Int32Value::from(1);
/// fill(number.as_reflect_mut(), &mut Unstructured::new(b"\xff\x07\x00\x00\x00"))?;
/// assert_eq!(number.value, 7);
/// # Ok::<(), tobu::arbitrary::Error>(())
/// ```
///
/// # Errors
/// Fails if [`message`] would fail.
pub fn fill(message: &mut dyn Reflect, input: &mut Unstructured<'_>) -> Result<()> {
    Filler { input }.message(message, 0)
}

/// Writes values into messages until the input ends or decides to stop.
struct Filler<'i, 'a> {
    input: &'i mut Unstructured<'a>,
}

impl Filler<'_, '_> {
    /// Decides whether one more value follows. The answer is usually true, and false at the end of the input.
    fn more(&mut self) -> Result<bool> {
        Ok(!self.input.is_empty() && self.input.arbitrary::<u8>()? >= 48)
    }

    fn message(&mut self, message: &mut dyn Reflect, depth: u32) -> Result<()> {
        let descriptor = message.message_descriptor();
        if self.known(&descriptor, message, depth)? {
            return Ok(());
        }
        for field in descriptor.fields().filter(FieldDescriptor::is_required) {
            if depth == MOST || !self.field(message, &field, depth)? {
                return Err(Error::IncorrectFormat);
            }
        }
        let count = descriptor.field_count();
        while count > 0 && self.more()? {
            let index = self.input.int_in_range(0..=count - 1)?;
            let Some(field) = descriptor.field(index).filter(|field| depth < DEPTH || !holds_messages(field))
            else {
                continue;
            };
            self.field(message, &field, depth)?;
        }
        Ok(())
    }

    /// Sets a field, or adds to it. Returns false if the type of the member rejects the value.
    fn field(&mut self, message: &mut dyn Reflect, field: &FieldDescriptor, depth: u32) -> Result<bool> {
        Ok(match field.shape() {
            FieldShape::Singular(Kind::Message(target)) => match message.get_mut(field) {
                Ok(ValueMut::Message(mut inner)) => {
                    self.message(&mut *inner, depth + 1)?;
                    true
                }
                // A member with a conversion takes only whole messages.
                _ => {
                    let value = self.value(&Kind::Message(target), depth)?;
                    message.set(field, value).is_ok()
                }
            },
            FieldShape::Singular(kind) => {
                let value = self.value(&kind, depth)?;
                message.set(field, value).is_ok()
            }
            FieldShape::List(kind) => match message.get_mut(field) {
                Ok(ValueMut::List(mut list)) => self.list(&mut list, &kind, depth)?,
                _ => {
                    let mut values = Vec::new();
                    while self.more()? {
                        values.push(self.value(&kind, depth)?);
                    }
                    message.set(field, Value::List(values)).is_ok()
                }
            },
            FieldShape::Map { key, value } => match message.get_mut(field) {
                Ok(ValueMut::Map(mut map)) => self.map(&mut map, (&key.kind(), &value.kind()), depth)?,
                _ => false,
            },
        })
    }

    fn list(&mut self, list: &mut ListMut<'_>, kind: &Kind, depth: u32) -> Result<bool> {
        let mut taken = true;
        while self.more()? {
            let value = self.value(kind, depth)?;
            taken &= list.push(value).is_ok();
        }
        Ok(taken)
    }

    fn map(&mut self, map: &mut MapMut<'_>, (key, value): (&Kind, &Kind), depth: u32) -> Result<bool> {
        let mut taken = true;
        while self.more()? {
            let Some(key) = self.key(key)? else { continue };
            let value = self.value(value, depth + 1)?;
            taken &= map.insert(key, value).is_ok();
        }
        Ok(taken)
    }

    fn key(&mut self, kind: &Kind) -> Result<Option<MapKey>> {
        Ok(match self.value(kind, 0)? {
            Value::Bool(key) => Some(MapKey::Bool(key)),
            Value::I32(key) => Some(MapKey::I32(key)),
            Value::I64(key) => Some(MapKey::I64(key)),
            Value::U32(key) => Some(MapKey::U32(key)),
            Value::U64(key) => Some(MapKey::U64(key)),
            Value::String(key) => Some(MapKey::String(key)),
            _ => None,
        })
    }

    fn value(&mut self, kind: &Kind, depth: u32) -> Result<Value> {
        Ok(match kind {
            Kind::Bool => Value::Bool(self.input.arbitrary()?),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => Value::I32(self.input.arbitrary()?),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => Value::I64(self.input.arbitrary()?),
            Kind::UInt32 | Kind::Fixed32 => Value::U32(self.input.arbitrary()?),
            Kind::UInt64 | Kind::Fixed64 => Value::U64(self.input.arbitrary()?),
            Kind::Float => {
                let value: f32 = self.input.arbitrary()?;
                Value::F32(if value.is_nan() { 0.0 } else { value })
            }
            Kind::Double => {
                let value: f64 = self.input.arbitrary()?;
                Value::F64(if value.is_nan() { 0.0 } else { value })
            }
            Kind::String => Value::String(self.input.arbitrary()?),
            Kind::Bytes => Value::Bytes(self.input.arbitrary::<Vec<u8>>()?.into()),
            Kind::Enum(target) => Value::Enum(self.number(target)?),
            Kind::Message(target) => {
                let mut message = DynamicMessage::new(target).map_err(|_| Error::IncorrectFormat)?;
                self.message(&mut message, depth + 1)?;
                Value::Message(message)
            }
        })
    }

    /// Chooses a number for an enum value. For an open enum, the number sometimes has no name.
    fn number(&mut self, target: &EnumDescriptor) -> Result<i32> {
        // In JSON, all numbers of this enum are `null`.
        if target.full_name() == "google.protobuf.NullValue" {
            return Ok(0);
        }
        if !target.is_closed() && self.input.ratio(1u8, 8u8)? && !self.input.is_empty() {
            return self.input.arbitrary();
        }
        let index = self.input.choose_index(target.values().len())?;
        Ok(target.values().nth(index).map_or(0, |value| value.number()))
    }
}

fn holds_messages(field: &FieldDescriptor) -> bool {
    match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => matches!(kind, Kind::Message(_)),
        FieldShape::Map { value, .. } => matches!(value.kind(), Kind::Message(_)),
    }
}

/// Creates an enum value for an implementation of [`Arbitrary`]. Code that `Config::arbitrary` generates calls this.
///
/// # Errors
/// The enum has no value, which no schema allows.
#[doc(hidden)]
pub fn enumeration<E: crate::Enumeration>(input: &mut Unstructured<'_>) -> Result<E> {
    let number = Filler { input }.number(&E::descriptor())?;
    E::from_number(number).ok_or(Error::IncorrectFormat)
}
