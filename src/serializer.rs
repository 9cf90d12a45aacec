//! The public serializer, for code that calls the traits of serde directly.

use crate::codec::wire;
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::message::dynamic::Written;
use crate::message::{Message, described};
use crate::object::{Object, Typed};
use crate::options::EncodeOptions;
use crate::serde::Schema;
use crate::serde::encode::append;
use crate::serde::others::TypedSerializer;
use crate::serde::serializer::{KeyedMembers, Members, MessageSerializer};
use crate::table::{Table, Tabled};
use ::serde::Serializer as _;
use ::serde::ser::{Impossible, Serialize, SerializeMap, SerializeStruct};

/// A serde `Serializer` that encodes one message.
///
/// ```
/// use tobu::{Message, Serialize, Serializer};
///
/// #[derive(Message, Serialize)]
/// struct Point {
///     #[tobu(1)]
///     x: i32,
/// }
///
/// let mut serializer = Serializer::of::<Point>()?;
/// Point { x: 5 }.serialize(&mut serializer)?;
/// assert_eq!(serializer.finish()?, [0x08, 0x05]);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Serializer<'p> {
    bytes: Vec<u8>,
    schema: Schema<'p>,
    options: EncodeOptions,
    written: Written,
    /// True if a message was begun and has not ended.
    open: bool,
}

impl Serializer<'static> {
    /// Creates a serializer of messages of a Rust type.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub fn of<T: Message>() -> Result<Self> {
        let shape = described::<T>();
        shape.table()?;
        Ok(Self::with_schema(Schema::Shape(shape), EncodeOptions::new()))
    }
}

impl<'p> Serializer<'p> {
    /// Creates a serializer of any serde value as a message of a run-time schema.
    ///
    /// # Errors
    /// The schema has a message with more than 65,534 fields, which is more than a codec can handle.
    pub fn new(descriptor: &'p MessageDescriptor, options: EncodeOptions) -> Result<Self> {
        Ok(Self::with_schema(Schema::Table(descriptor.table()?), options))
    }

    fn with_schema(schema: Schema<'p>, options: EncodeOptions) -> Self {
        Serializer { bytes: Vec::new(), schema, options, written: Written::default(), open: false }
    }

    /// Returns the encoded message.
    ///
    /// # Errors
    /// A message was begun and did not end.
    pub fn finish(self) -> Result<Vec<u8>> {
        match self.open {
            true => Err(Error::ty("the message was not written to its end")),
            false => Ok(self.bytes),
        }
    }

    fn begin(&mut self) -> MessageSerializer<'_, 'p> {
        self.written = Written::new(self.options);
        self.open = false;
        MessageSerializer::lazy(&mut self.written, self.schema)
    }

    /// Appends the message that was written after [`begin`](Self::begin), if there is one.
    fn end(&mut self) -> Result<()> {
        if self.written.is_begun() {
            append(self.written.take(self.schema.table()?)?, &mut self.bytes);
        }
        Ok(())
    }

    /// Writes the content of a newtype struct. Types with tobu's derive give themselves to a serializer as a newtype struct.
    fn write<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.begin();
        let Serializer { bytes, schema, options, written, .. } = self;
        let mut on_message =
            |message: Typed<'_>, fallback: MessageSerializer<'_, 'p>| match schema.is(message.table()) {
                true => wire::encode(message, options.settings(), bytes),
                false => fallback.bytes_of(message),
            };
        let fallback = MessageSerializer::lazy(written, *schema);
        let serializer = TypedSerializer::new(&mut on_message, fallback);
        serializer.serialize_newtype_struct(name, value)?;
        self.end()
    }

    fn members(&mut self) -> Result<SerializeMembers<'_, 'p>> {
        let (options, table) = (self.options, self.schema.table()?);
        self.open = true;
        self.written = Written::new(options);
        let members = Members::root(self.written.start(table), self.schema.shape())?;
        let members = KeyedMembers::new(members);
        Ok(SerializeMembers { members, bytes: &mut self.bytes, open: &mut self.open, table })
    }
}

impl std::fmt::Debug for Serializer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serializer").field("message", &self.schema.name_of()).finish_non_exhaustive()
    }
}

/// The members of a message that is being serialized by a [`Serializer`].
pub struct SerializeMembers<'a, 'p> {
    members: KeyedMembers<'a, 'p>,
    bytes: &'a mut Vec<u8>,
    open: &'a mut bool,
    table: &'p Table,
}

impl SerializeMembers<'_, '_> {
    fn finish(self) -> Result<()> {
        append(self.members.finish()?.take(self.table)?, self.bytes);
        *self.open = false;
        Ok(())
    }
}

/// Implements methods of `serde::Serializer` that forward a value to a [`MessageSerializer`].
macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method(self, $($arg: $ty),*) -> Result<()> {
                self.begin().$method($($arg),*)?;
                self.end()
            }
        )*
    };
}

impl<'a, 'p> ::serde::Serializer for &'a mut Serializer<'p> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = SerializeMembers<'a, 'p>;
    type SerializeStruct = SerializeMembers<'a, 'p>;
    type SerializeStructVariant = Impossible<(), Error>;

    forward! {
        serialize_bool(v: bool);
        serialize_i8(v: i8);
        serialize_i16(v: i16);
        serialize_i32(v: i32);
        serialize_i64(v: i64);
        serialize_u8(v: u8);
        serialize_u16(v: u16);
        serialize_u32(v: u32);
        serialize_u64(v: u64);
        serialize_f32(v: f32);
        serialize_f64(v: f64);
        serialize_char(v: char);
        serialize_str(v: &str);
        serialize_bytes(v: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq> {
        Err(refused(self.begin().serialize_seq(len).map(drop)))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        Err(refused(self.begin().serialize_tuple(len).map(drop)))
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        Err(refused(self.begin().serialize_tuple_struct(name, len).map(drop)))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(refused(self.begin().serialize_tuple_variant(name, index, variant, len).map(drop)))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(refused(self.begin().serialize_struct_variant(name, index, variant, len).map(drop)))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        self.write(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.begin().serialize_newtype_variant(name, index, variant, value)?;
        self.end()
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap> {
        self.members()
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeStruct> {
        self.members()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Returns the error of a method that refuses all values.
fn refused<T>(refused: Result<T>) -> Error {
    refused.err().unwrap_or_else(|| Error::ty("a message is a struct or a map"))
}

impl SerializeStruct for SerializeMembers<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        SerializeStruct::serialize_field(&mut self.members.members, name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        SerializeStruct::skip_field(&mut self.members.members, name)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl SerializeMap for SerializeMembers<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.members.serialize_key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.members.serialize_value(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
