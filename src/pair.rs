//! The serde pair as values, for code that drives serde's traits by hand.

use crate::de::{Decoder, MessageDeserializer, Wire as Source};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::message::{Message, plans};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::plan::PlanSet;
use crate::ser::{Context, Handed, Members, MessageSerializer, Wire};
use crate::wire::{Tip, Writer};
use serde::de::Visitor;
use serde::ser::{Impossible, Serialize, SerializeMap, SerializeStruct};

/// A serde `Serializer` that encodes one message; the verbs are made of it.
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
    writer: Writer,
    context: Context<'p>,
    /// A message was begun and has not ended: what was written of it is lost.
    open: bool,
}

impl Serializer<'static> {
    /// A serializer of messages of a Rust type.
    ///
    /// # Errors
    /// The type and its schema do not fit together.
    pub fn of<T: Message>() -> Result<Self> {
        Ok(Self::with_plans(plans::<T>()?, EncodeOptions::new()))
    }
}

impl<'p> Serializer<'p> {
    /// A serializer of any serde value as a message of a run-time schema.
    ///
    /// # Errors
    /// The schema is larger than a codec can take: a message with more than 65,534 fields.
    pub fn new(descriptor: &'p MessageDescriptor, options: EncodeOptions) -> Result<Self> {
        Ok(Self::with_plans(descriptor.plans()?, options))
    }

    fn with_plans(plans: &'p PlanSet, options: EncodeOptions) -> Self {
        Serializer { writer: Writer::new(), context: options.context(plans), open: false }
    }

    /// The encoded message.
    ///
    /// # Errors
    /// It is longer than 2 GiB, or it failed, or did not end.
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.open {
            return Err(Error::ty("the message was not written to its end"));
        }
        self.writer.finish()
    }
}

impl std::fmt::Debug for Serializer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serializer")
            .field("message", &self.context.set.root().full_name)
            .finish_non_exhaustive()
    }
}

/// The members of a message that is being serialized by a [`Serializer`].
pub struct SerializeMembers<'a> {
    members: Members<'a, Wire<Tip<'a>>>,
    open: &'a mut bool,
}

/// Forwards the methods of `serde::Serializer` that only refuse, or only pass on.
macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            fn $method(self, $($arg: $ty),*) -> Result<()> {
                self.write(|message| message.$method($($arg),*))
            }
        )*
    };
}

impl<'a> serde::Serializer for &'a mut Serializer<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = SerializeMembers<'a>;
    type SerializeStruct = SerializeMembers<'a>;
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
        Err(refused(self.message().0.serialize_seq(len)))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        Err(refused(self.message().0.serialize_tuple(len)))
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        Err(refused(self.message().0.serialize_tuple_struct(name, len)))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(refused(self.message().0.serialize_tuple_variant(name, index, variant, len)))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(refused(self.message().0.serialize_struct_variant(name, index, variant, len)))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        self.write(|message| message.serialize_newtype_struct(name, value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.write(|message| message.serialize_newtype_variant(name, index, variant, value))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap> {
        let (message, open) = self.message();
        Ok(SerializeMembers { members: message.serialize_map(len)?, open })
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct> {
        let (message, open) = self.message();
        Ok(SerializeMembers { members: message.serialize_struct(name, len)?, open })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl Serializer<'_> {
    fn message(&mut self) -> (MessageSerializer<'_, Wire<Tip<'_>>>, &mut bool) {
        self.open = true;
        (self.context.root(Wire(self.writer.tip())), &mut self.open)
    }

    fn write<'a>(
        &'a mut self,
        write: impl FnOnce(MessageSerializer<'a, Wire<Tip<'a>>>) -> Result<Wire<Tip<'a>>>,
    ) -> Result<()> {
        let (message, open) = self.message();
        settle(write(message)?, open);
        Ok(())
    }
}

/// Puts a message down that was written to its end.
fn settle(sink: Wire<Tip<'_>>, open: &mut bool) {
    sink.settle();
    *open = false;
}

/// The error of a method that only refuses.
fn refused<T>(refused: Result<T>) -> Error {
    refused.err().unwrap_or_else(|| Error::ty("a message is a struct or a map"))
}

impl SerializeStruct for SerializeMembers<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.members.serialize_field(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.members.skip_field(name)
    }

    fn end(self) -> Result<()> {
        settle(SerializeStruct::end(self.members)?, self.open);
        Ok(())
    }
}

impl SerializeMap for SerializeMembers<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.members.serialize_key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.members.serialize_value(value)
    }

    fn end(self) -> Result<()> {
        settle(SerializeMap::end(self.members)?, self.open);
        Ok(())
    }
}

/// A serde `Deserializer` that decodes one message.
///
/// It cannot read the input a second time, as the verbs do when a type cannot take a field twice; so it gathers the
/// occurrences of each field before it delivers them, which takes longer. Prefer the verbs where they serve.
///
/// ```
/// use tobu::{Deserialize, Deserializer, Message};
///
/// #[derive(Message, Deserialize)]
/// struct Point {
///     #[tobu(1)]
///     x: i32,
/// }
///
/// let mut deserializer = Deserializer::of::<Point>(&[0x08, 0x05])?;
/// assert_eq!(Point::deserialize(&mut deserializer)?.x, 5);
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Deserializer<'de, 'p> {
    decoder: Decoder<'p, Source<'de>>,
}

impl<'de> Deserializer<'de, 'static> {
    /// A deserializer of a message of a Rust type.
    ///
    /// # Errors
    /// The type and its schema do not fit together, or the input is larger than the limit.
    pub fn of<T: Message>(bytes: &'de [u8]) -> Result<Self> {
        Self::over(plans::<T>()?, bytes, DecodeOptions::new())
    }
}

impl<'de, 'p> Deserializer<'de, 'p> {
    /// A deserializer of a message of a run-time schema into any serde type.
    ///
    /// # Errors
    /// As [`Serializer::new`], and when the input is larger than the limit.
    pub fn new(descriptor: &'p MessageDescriptor, bytes: &'de [u8], options: DecodeOptions) -> Result<Self> {
        Self::over(descriptor.plans()?, bytes, options)
    }

    fn over(set: &'p PlanSet, bytes: &'de [u8], options: DecodeOptions) -> Result<Self> {
        match options.check_input(bytes.len()) {
            Ok(()) => Ok(Deserializer { decoder: options.decoder(set, bytes, true) }),
            Err(error) => Err(error.in_message(&set.root().full_name)),
        }
    }
}

impl std::fmt::Debug for Deserializer<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deserializer")
            .field("message", &self.decoder.set.root().full_name)
            .finish_non_exhaustive()
    }
}

impl<'de> serde::Deserializer<'de> for &mut Deserializer<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let plan = self.decoder.set.root();
        MessageDeserializer { decoder: &mut self.decoder, plan }.deserialize_map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let plan = self.decoder.set.root();
        let read = MessageDeserializer { decoder: &mut self.decoder, plan };
        read.deserialize_struct(name, members, visitor).map_err(|error| error.in_message(&plan.full_name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}
