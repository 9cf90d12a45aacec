//! Reads the output of `write`. The format decides whether members come with names, or in the order of declaration.
//!
//! One visitor serves values of all types. It requests a type from the format according to the storage of the value
//! (how the Rust type holds the value), and accepts any type that the format then gives. Any value may also fill an
//! option, because some formats have no representation of options.

use crate::error::LimitError;
use crate::layout::{EnumShape, Storage, TextFunctions};
use crate::object::stored::{OneofMut, StoredMemberMut, StoredMut, StructMut};
use crate::serde::others::key::Key;
use crate::serde::others::parse;
use crate::serde::others::unknown::{Append, gather};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::fmt;

/// How deep messages may be nested.
pub(super) const DEPTH: u32 = 100;

/// Fills a value. This struct is both the seed and the visitor.
///
/// `READABLE` is false for the members of a message, because a message in a human-readable format is read as JSON. The format
/// is then binary, and the compiler leaves out the code for enum names.
struct Fill<'a, 'de, const READABLE: bool> {
    stored: StoredMut<'a, 'de>,
    /// How many more levels of messages may be opened.
    depth: u32,
}

/// Fills a message. This struct is both the seed and the visitor. After the message was filled, `message` is `None`.
pub(super) struct FillMessage<'a, 'de> {
    pub(super) message: Option<StructMut<'a, 'de>>,
    pub(super) depth: u32,
}

/// Reads a message from any format. A human-readable format needs the schema. For a binary format the Rust type is
/// enough.
pub(super) fn message<'de, D: Deserializer<'de>>(
    message: StructMut<'_, 'de>,
    depth: u32,
    deserializer: D,
) -> Result<(), D::Error> {
    if deserializer.is_human_readable() {
        let message = message.typed().map_err(Error::custom)?;
        return parse::deserialize(message.into(), deserializer);
    }
    members(message, depth, deserializer)
}

/// Reads a message from a binary format.
pub(super) fn members<'de, D: Deserializer<'de>>(
    message: StructMut<'_, 'de>,
    depth: u32,
    deserializer: D,
) -> Result<(), D::Error> {
    let (name, names) = (message.shape().named(), message.shape().names());
    let visitor = FillMessage { message: Some(message), depth };
    deserializer.deserialize_struct(name, names, visitor)
}

/// Returns the error for a type that has no empty value.
#[cold]
pub(super) fn unmakable<E: Error>() -> E {
    E::custom(crate::object::unmakable())
}

/// Names the type that a storage expects.
struct Wanted(Storage);

impl Expected for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Storage::Bool => "bool",
            Storage::I32 => "i32",
            Storage::I64 => "i64",
            Storage::U32 => "u32",
            Storage::U64 => "u64",
            Storage::F32 => "f32",
            Storage::F64 => "f64",
            Storage::String => "a string",
            Storage::Str => "a borrowed string",
            Storage::Slice => "a borrowed byte array",
            Storage::Text(TextFunctions { conversion: Some(conversion), .. }) => conversion.expected,
            Storage::Text(functions) if functions.is_string => "a string",
            Storage::Vec | Storage::Text(_) => "bytes",
            Storage::OpenEnum(shape) => return enum_wanted(shape(), f),
            Storage::ClosedEnum(functions) => return enum_wanted((functions.shape)(), f),
            Storage::Message(shape) => return write!(f, "struct {}", shape().named()),
            Storage::Box(boxed) => return Wanted(boxed.content).fmt(f),
            Storage::Option(_) => "an optional value",
            Storage::List(_) => "a sequence",
            Storage::Map(_) => "a map",
            Storage::Number(functions) => functions.conversion.expected,
            Storage::Made(functions) => return Wanted(functions.proto).fmt(f),
        })
    }
}

fn enum_wanted(shape: &EnumShape, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "a value of {}", shape.rust_name())
}

impl<'de, const READABLE: bool> DeserializeSeed<'de> for Fill<'_, 'de, READABLE> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.stored.storage() {
            Storage::Bool => deserializer.deserialize_bool(self),
            Storage::I32 => deserializer.deserialize_i32(self),
            Storage::I64 => deserializer.deserialize_i64(self),
            Storage::U32 => deserializer.deserialize_u32(self),
            Storage::U64 => deserializer.deserialize_u64(self),
            Storage::F32 => deserializer.deserialize_f32(self),
            Storage::F64 => deserializer.deserialize_f64(self),
            Storage::String => deserializer.deserialize_string(self),
            Storage::Str => deserializer.deserialize_str(self),
            Storage::Vec => deserializer.deserialize_byte_buf(self),
            Storage::Slice => deserializer.deserialize_bytes(self),
            Storage::Text(functions) if functions.is_string => deserializer.deserialize_str(self),
            Storage::Text(_) => deserializer.deserialize_bytes(self),
            Storage::OpenEnum(_) | Storage::ClosedEnum(_) if READABLE && deserializer.is_human_readable() => {
                deserializer.deserialize_any(self)
            }
            Storage::OpenEnum(_) | Storage::ClosedEnum(_) => deserializer.deserialize_i32(self),
            Storage::Message(_) | Storage::Box(_) => match self.stored.message() {
                Some(message) if READABLE => {
                    crate::serde::others::read::message(message, self.depth, deserializer)
                }
                Some(message) => members(message, self.depth, deserializer),
                None => unreachable!("what is in a box is filled"),
            },
            Storage::Option(_) => deserializer.deserialize_option(self),
            Storage::List(_) => deserializer.deserialize_seq(self),
            Storage::Map(_) => deserializer.deserialize_map(self),
            Storage::Number(functions) => match functions.proto {
                Storage::Bool => deserializer.deserialize_bool(self),
                Storage::I32 => deserializer.deserialize_i32(self),
                Storage::I64 => deserializer.deserialize_i64(self),
                Storage::U32 => deserializer.deserialize_u32(self),
                Storage::F32 => deserializer.deserialize_f32(self),
                Storage::F64 => deserializer.deserialize_f64(self),
                _ => deserializer.deserialize_u64(self),
            },
            Storage::Made(_) => {
                let mut this = self;
                let mut opened = this.stored.open().ok_or_else(unmakable)?;
                if let Some(stored) = this.stored.opened(&mut opened) {
                    Fill::<READABLE> { stored, depth: this.depth }.deserialize(deserializer)?;
                }
                this.stored.close(opened).map_err(D::Error::custom)
            }
        }
    }
}

impl<'de, const READABLE: bool> Fill<'_, 'de, READABLE> {
    /// If the value is an option, inserts an empty value into the option, and returns the `Fill` for this inner value, because
    /// the format has given the value without `Some`. Otherwise returns `self`.
    fn inside<E: Error>(self) -> Result<Self, E> {
        match self.stored.storage() {
            Storage::Option(_) => {
                let stored = self.stored.insert().ok_or_else(unmakable)?;
                Fill { stored, ..self }.inside()
            }
            _ => Ok(self),
        }
    }

    fn wrong<T, E: Error>(&self, unexpected: Unexpected<'_>) -> Result<T, E> {
        Err(E::invalid_type(unexpected, &Wanted(self.stored.storage())))
    }

    /// Returns the error for a value that the type does not accept.
    fn refused<T, E: Error>(&self, unexpected: Unexpected<'_>) -> Result<T, E> {
        match self.stored.storage() {
            storage @ (Storage::Text(TextFunctions { conversion: Some(_), .. }) | Storage::Number(_)) => {
                Err(E::invalid_value(unexpected, &Wanted(storage)))
            }
            _ => self.wrong(unexpected),
        }
    }

    /// Stores a number that the format gave in any numeric type.
    fn number<E: Error, N: IntoDeserializer<'de, E>>(
        self,
        value: N,
        unexpected: Unexpected<'_>,
        integer: Option<i128>,
    ) -> Result<(), E> {
        let mut this = self.inside()?;
        let value = value.into_deserializer();
        let bits = match this.number_type() {
            Storage::I32 => u64::from(i32::deserialize(value)? as u32),
            Storage::I64 => i64::deserialize(value)? as u64,
            Storage::U32 => u64::from(u32::deserialize(value)?),
            Storage::U64 => u64::deserialize(value)?,
            Storage::F32 => u64::from(f32::deserialize(value)?.to_bits()),
            Storage::F64 => f64::deserialize(value)?.to_bits(),
            storage @ (Storage::OpenEnum(_) | Storage::ClosedEnum(_)) => {
                let Some(integer) = integer else { return this.wrong(unexpected) };
                return match i32::try_from(integer) {
                    Ok(number) if this.stored.set_bits(u64::from(number as u32)) => Ok(()),
                    _ => Err(E::invalid_value(unexpected, &Wanted(storage))),
                };
            }
            _ => return this.wrong(unexpected),
        };
        if this.stored.set_bits(bits) { Ok(()) } else { this.refused(unexpected) }
    }

    /// Returns the storage of the value. If a conversion makes a number, returns the storage of this number.
    fn number_type(&self) -> Storage {
        match self.stored.storage() {
            Storage::Number(functions) => functions.proto,
            storage => storage,
        }
    }

    /// Stores a string with `set`, or the enum value with this name.
    fn text<E: Error>(self, text: &str, set: impl FnOnce(&mut StoredMut<'_, 'de>) -> bool) -> Result<(), E> {
        let mut this = self.inside()?;
        let shape = match this.stored.storage() {
            Storage::OpenEnum(shape) => shape(),
            Storage::ClosedEnum(functions) => (functions.shape)(),
            _ if set(&mut this.stored) => return Ok(()),
            _ => return this.refused(Unexpected::Str(text)),
        };
        match shape.number_of(text) {
            Some(number) if this.stored.set_bits(u64::from(number as u32)) => Ok(()),
            _ => Err(E::invalid_value(Unexpected::Str(text), &Wanted(this.stored.storage()))),
        }
    }

    /// True for strings, which a format may give as bytes.
    fn is_string(&self) -> bool {
        match self.stored.storage() {
            Storage::String | Storage::Str => true,
            Storage::Text(functions) => functions.is_string,
            _ => false,
        }
    }
}

impl<'de, const READABLE: bool> Visitor<'de> for Fill<'_, 'de, READABLE> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Expected::fmt(&Wanted(self.stored.storage()), f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        let mut this = self.inside()?;
        match this.number_type() {
            Storage::Bool if this.stored.set_bits(value.into()) => Ok(()),
            Storage::Bool => this.refused(Unexpected::Bool(value)),
            _ => this.wrong(Unexpected::Bool(value)),
        }
    }

    fn visit_i32<E: Error>(self, value: i32) -> Result<(), E> {
        self.visit_i64(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.number(value, Unexpected::Signed(value), Some(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<(), E> {
        self.number(value, Unexpected::Other("a large integer"), Some(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.number(value, Unexpected::Unsigned(value), Some(value.into()))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<(), E> {
        self.number(value, Unexpected::Other("a large integer"), i128::try_from(value).ok())
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<(), E> {
        let mut this = self.inside()?;
        match this.number_type() {
            // A conversion to `f64` would not preserve all kinds of NaN.
            Storage::F32 if this.stored.set_bits(value.to_bits().into()) => Ok(()),
            Storage::F32 => this.refused(Unexpected::Float(value.into())),
            _ => this.visit_f64(value.into()),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.number(value, Unexpected::Float(value), None)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(text, |stored| stored.set_str(text))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        self.text(text, |stored| stored.set_borrowed_str(text))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        let mut this = self.inside()?;
        if this.is_string() {
            return match crate::wire::utf8(bytes) {
                Ok(text) => this.visit_str(text),
                Err(_) => Err(E::invalid_value(Unexpected::Bytes(bytes), &Wanted(this.stored.storage()))),
            };
        }
        if this.stored.set_bytes(bytes) { Ok(()) } else { this.refused(Unexpected::Bytes(bytes)) }
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<(), E> {
        let mut this = self.inside()?;
        if this.is_string() {
            return match crate::wire::utf8(bytes) {
                Ok(text) => this.visit_borrowed_str(text),
                Err(_) => Err(E::invalid_value(Unexpected::Bytes(bytes), &Wanted(this.stored.storage()))),
            };
        }
        if this.stored.set_borrowed_bytes(bytes) { Ok(()) } else { this.refused(Unexpected::Bytes(bytes)) }
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        match self.stored.storage() {
            Storage::Option(_) => {
                self.stored.clear();
                Ok(())
            }
            _ => self.wrong(Unexpected::Option),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.stored.storage() {
            Storage::Option(_) => self.visit_none(),
            _ => self.wrong(Unexpected::Unit),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.stored.storage() {
            Storage::Option(_) => {
                let stored = self.stored.insert().ok_or_else(unmakable)?;
                Fill { stored, ..self }.deserialize(deserializer)
            }
            _ => self.deserialize(deserializer),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut this = self.inside()?;
        match this.stored.storage() {
            Storage::List(_) => {
                this.stored.reserve(seq.size_hint().unwrap_or(0));
                let depth = this.depth;
                while seq.next_element_seed(Push::<READABLE> { list: &mut this.stored, depth })?.is_some() {}
                Ok(())
            }
            Storage::Vec | Storage::Text(_) if !this.is_string() => {
                let bytes = gather(seq)?;
                if this.stored.set_bytes(&bytes) { Ok(()) } else { this.refused(Unexpected::Bytes(&bytes)) }
            }
            Storage::Message(_) => {
                FillMessage { message: this.stored.message(), depth: this.depth }.visit_seq(seq)
            }
            _ => this.wrong(Unexpected::Seq),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let mut this = self.inside()?;
        match this.stored.storage() {
            Storage::Map(_) => entries::<READABLE, A>(&mut this.stored, this.depth, map),
            Storage::Message(_) => {
                FillMessage { message: this.stored.message(), depth: this.depth }.visit_map(map)
            }
            _ => this.wrong(Unexpected::Map),
        }
    }
}

/// Appends one element to a list, and fills it in place.
struct Push<'a, 'b, 'de, const READABLE: bool> {
    list: &'a mut StoredMut<'b, 'de>,
    depth: u32,
}

impl<'de, const READABLE: bool> DeserializeSeed<'de> for Push<'_, '_, 'de, READABLE> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let stored = self.list.push().ok_or_else(unmakable)?;
        Fill::<READABLE> { stored, depth: self.depth }.deserialize(deserializer)
    }
}

/// Adds entries to a map. If a key occurs again, the last value replaces the earlier values, even if the values are messages.
fn entries<'de, const READABLE: bool, A: MapAccess<'de>>(
    stored: &mut StoredMut<'_, 'de>,
    depth: u32,
    mut entries: A,
) -> Result<(), A::Error> {
    loop {
        let mut read = Err(unmakable());
        stored.insert_entry(&mut |key, value| {
            read = match entries.next_key_seed(Fill::<READABLE> { stored: key, depth }) {
                Ok(Some(())) => {
                    // The entry is also a level of nesting.
                    let depth = depth.saturating_sub(1);
                    entries.next_value_seed(Fill::<READABLE> { stored: value, depth }).map(|()| true)
                }
                Ok(None) => Ok(false),
                Err(error) => Err(error),
            };
            matches!(read, Ok(true))
        });
        if !read? {
            return Ok(());
        }
    }
}

impl<'de> DeserializeSeed<'de> for FillMessage<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.message {
            Some(message) => crate::serde::others::read::message(message, self.depth, deserializer),
            None => Ok(()),
        }
    }
}

impl<'de> FillMessage<'_, 'de> {
    /// Returns the message, and how many more levels may be opened in it.
    fn open<E: Error>(&mut self) -> Result<(StructMut<'_, 'de>, u32), E> {
        match (&mut self.message, self.depth.checked_sub(1)) {
            (Some(message), Some(depth)) => Ok((message.reborrow(), depth)),
            (Some(_), None) => Err(E::custom(LimitError::Depth(DEPTH))),
            (None, _) => Err(E::custom("the message is already filled")),
        }
    }
}

impl<'de> Visitor<'de> for FillMessage<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "struct {}", message.shape().named()),
            None => f.write_str("nothing"),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.message {
            Some(message) => {
                let names = (message.shape().named(), message.shape().names());
                let visitor = FillMessage { message: Some(message), depth: self.depth };
                deserializer.deserialize_struct(names.0, names.1, visitor)
            }
            None => Ok(()),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.visit_newtype_struct(deserializer)
    }

    /// Succeeds for a message that was filled already. Fails for any other message, because it is not a unit.
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.message {
            Some(_) => Err(E::invalid_type(Unexpected::Unit, &self)),
            None => Ok(()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let (mut message, depth) = self.open()?;
        let names = message.shape().names();
        while let Some(index) = map.next_key_seed(Key(names))? {
            if index < names.len() {
                map.next_value_seed(FillMember { member: message.member(index), depth })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let (mut message, depth) = self.open()?;
        let (name, count) = (message.shape().named(), message.shape().members.len());
        for index in 0..count {
            if seq.next_element_seed(FillMember { member: message.member(index), depth })?.is_none() {
                let expected = format!("struct {name} with {count} members");
                return Err(A::Error::invalid_length(index, &&*expected));
            }
        }
        Ok(())
    }
}

struct FillMember<'a, 'de> {
    member: StoredMemberMut<'a, 'de>,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for FillMember<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let depth = self.depth;
        match self.member {
            StoredMemberMut::Field(stored) => Fill::<false> { stored, depth }.deserialize(deserializer),
            StoredMemberMut::Oneof(oneof) => {
                deserializer.deserialize_option(FillOneof::<false> { oneof, depth })
            }
            StoredMemberMut::Unknown(fields) => deserializer.deserialize_bytes(Append(fields)),
        }
    }
}

/// Fills a oneof. This is the seed, and the visitor for an option or for the enum itself.
pub(super) struct FillOneof<'a, 'de, const READABLE: bool> {
    pub(super) oneof: OneofMut<'a, 'de>,
    pub(super) depth: u32,
}

impl<'de, const READABLE: bool> DeserializeSeed<'de> for FillOneof<'_, 'de, READABLE> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let shape = self.oneof.shape();
        deserializer.deserialize_enum(shape.named(), shape.names(), self)
    }
}

impl<'de, const READABLE: bool> Visitor<'de> for FillOneof<'_, 'de, READABLE> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "oneof {}", self.oneof.shape().named())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.oneof.clear();
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.visit_enum(MapAccessDeserializer::new(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let shape = self.oneof.shape();
        let (index, variant) = access.variant_seed(Key(shape.names()))?;
        if index >= shape.variants.len() {
            return Err(no_variant(shape));
        }
        let stored = self.oneof.insert(index).ok_or_else(unmakable)?;
        variant.newtype_variant_seed(Fill::<READABLE> { stored, depth: self.depth })
    }
}

/// Returns the error for input that names no variant of the oneof.
#[cold]
pub(super) fn no_variant<E: Error>(shape: &'static crate::layout::OneofShape) -> E {
    let names: Vec<String> = shape.names().iter().map(|name| format!("`{name}`")).collect();
    E::custom(format_args!("not a variant of oneof {}, expected {}", shape.named(), names.join(", ")))
}
