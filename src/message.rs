//! The traits that connect types to their schemas.
//!
//! This file is in layer 6 (see DESIGN.md).

pub(crate) mod projection;

pub mod lazy;

pub mod parsed;

pub mod reflect;

pub mod dynamic;

mod source;

pub use self::source::DescriptorSource;
use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::layout::member::ByValue;
use crate::layout::{
    EnumNumbers, EnumShape, FilledFrom, Member, MessageShape, OneofLayout, OneofMember, OneofShape,
};
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::Reflect;
use crate::object::RootMut;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::{json, text};
use bytes::{Buf, BufMut};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use source::Reflection;

/// A type that represents a protobuf message. Derive this trait.
///
/// ```
/// use tobu::{Deserialize, Message, Serialize};
///
/// #[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
/// #[tobu(package = "library.v1")]
/// struct Book {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     pages: u32,
/// }
///
/// let book = Book { title: "Dune".into(), pages: 412 };
/// let bytes = tobu::to_vec(&book)?;
/// assert_eq!(bytes, b"\x0a\x04Dune\x10\x9c\x03");
/// assert_eq!(tobu::from_slice::<Book>(&bytes)?, book);
/// assert_eq!(Book::descriptor().full_name(), "library.v1.Book");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Methods
///
/// These methods have the names that other libraries use. The functions of the crate, and the methods of options, do more:
///
/// | to | methods | functions |
/// | --- | --- | --- |
/// | encode | `encode_to_vec`, `encode`, `encode_length_delimited`, `encoded_len` | [`to_vec`](crate::to_vec), [`to_writer`](crate::to_writer), [`to_buf`](crate::to_buf), [`to_buf_delimited`](crate::to_buf_delimited), [`encoded_len`](crate::encoded_len) |
/// | decode | `decode`, `decode_length_delimited` | [`from_slice`](crate::from_slice), [`from_bytes`](crate::from_bytes), [`from_buf`](crate::from_buf), [`from_buf_delimited`](crate::from_buf_delimited), [`from_reader`](crate::from_reader) |
/// | decode into a message that exists | `merge` | [`merge`](crate::merge()), [`from_slice_in_place`](crate::from_slice_in_place) |
/// | add another message | `merge_from` | |
/// | read and write JSON | `to_json`, `from_json` | the functions of [`json`] |
/// | read and write text | `to_text`, `from_text` | the functions of [`text`] |
/// | reach the schema | `descriptor` | |
/// | reflect | `as_reflect`, `as_reflect_mut`, `reflect`, `into_dynamic` | |
///
/// `dyn Reflect` and [`DynamicMessage`] have methods with these names, too. [`EncodeOptions`] and [`DecodeOptions`] have
/// the settings. [`DecodeOptions::fields`] limits decoding to the fields of a [`Projection`](crate::Projection);
/// [`ProjectedOptions`](crate::ProjectedOptions) has the methods for this.
///
/// # Related traits
///
/// | trait or type | meaning |
/// | --- | --- |
/// | [`MessageOwned`] | bound for a message that borrows nothing, and can be encoded and decoded |
/// | [`MessageName`] | the full name of a message, without its descriptor |
/// | [`Encode`](crate::Encode) | all types that can be encoded: messages, dynamic messages, `dyn Reflect` |
/// | [`Merge`] | all messages into which bytes can be merged |
/// | [`DefaultInstance`] | an empty message as a `&'static` reference |
/// | [`Enumeration`], [`Oneof`] | types of members; each has a derive with its name |
/// | [`UnknownFields`](crate::UnknownFields), [`Presence`](crate::Presence) | members that are not fields |
/// | [`DescriptorSource`] | a source of descriptors, to which types can be bound |
/// | [`MessageSeed`](crate::MessageSeed) | reads a message of a descriptor from another format of serde |
/// | [`Debug`](derive@crate::Debug) | a derive that prints a message as `Debug` of generated messages does, and hides secrets |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a protobuf message",
    note = "derive `tobu::Message` on it, or use a descriptor: `descriptor.decode::<{Self}>(bytes)`"
)]
pub trait Message: Member {
    /// Returns the shape of the type. The derive generates this function.
    fn shape() -> &'static MessageShape;

    /// Returns the descriptor of the message.
    ///
    /// # Panics
    /// If the type declares a schema that is not valid, or is bound to a message that does not exist. Functions such as
    /// [`encode`](Self::encode) return this as an error.
    fn descriptor() -> MessageDescriptor {
        described::<Self>().expect_descriptor().clone()
    }

    /// Wraps the message for reflection by its descriptor, without a conversion. [`Reflection::absorb`] returns the
    /// message.
    ///
    /// ```
    /// use tobu::Message;
    ///
    /// #[derive(Debug, PartialEq, Message)]
    /// #[tobu(package = "library.v1", name = "Reflected")]
    /// struct Book {
    ///     #[tobu(1)]
    ///     title: String,
    /// }
    ///
    /// let mut book = Book { title: "Dune".into() }.reflect();
    /// book.set_by_name("title", "Emma")?;
    /// assert_eq!(book.absorb(), Book { title: "Emma".into() });
    /// # Ok::<(), tobu::Error>(())
    /// ```
    fn reflect(self) -> Reflection<Self>
    where
        Self: Sized,
    {
        Reflection::new(self)
    }

    /// Converts the message to a dynamic message, in one pass; [`DynamicMessage::absorb`] converts back.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let message = Duration::new(1, 0).into_dynamic()?;
    /// assert_eq!(message.absorb::<Duration>()?, Duration::new(1, 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`DynamicMessage::from_message`] would fail.
    fn into_dynamic(self) -> Result<DynamicMessage>
    where
        Self: Sized + Serialize,
    {
        DynamicMessage::from_message(&self)
    }

    /// Encodes the message: [`to_vec`](crate::to_vec) as a method.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let bytes = Duration::new(1, 0).encode_to_vec()?;
    /// assert_eq!(bytes, [0x08, 0x01]);
    /// assert_eq!(Duration::decode(&bytes[..])?, Duration::new(1, 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    fn encode_to_vec(&self) -> Result<Vec<u8>>
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::new().to_vec(self)
    }

    /// Encodes the message to the end of a buffer: [`to_buf`](crate::to_buf) as a method.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let mut buf = bytes::BytesMut::new();
    /// Duration::new(1, 0).encode(&mut buf)?;
    /// Duration::new(2, 0).encode_length_delimited(&mut buf)?;
    /// assert_eq!(buf[..], [0x08, 0x01, 2, 0x08, 0x02]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`to_buf`](crate::to_buf) would fail.
    fn encode(&self, buf: &mut impl BufMut) -> Result<()>
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::new().to_buf(self, buf)
    }

    /// Encodes the message to the end of a buffer, after its length: [`to_buf_delimited`](crate::to_buf_delimited) as a
    /// method.
    ///
    /// # Errors
    /// Fails if [`to_buf_delimited`](crate::to_buf_delimited) would fail.
    fn encode_length_delimited(&self, buf: &mut impl BufMut) -> Result<()>
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::new().to_buf_delimited(self, buf)
    }

    /// Returns the number of bytes that the message takes in the wire format.
    ///
    /// The fields that are set are counted even if a required field is missing. A message that cannot be encoded,
    /// because it takes more than 2 GiB or is nested too deeply, has the length 0; encoding it and
    /// [`tobu::encoded_len`](crate::encoded_len) return the error.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// assert_eq!(Duration::new(1, 0).encoded_len(), 2);
    /// ```
    fn encoded_len(&self) -> usize
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::len_or_zero(self)
    }

    /// Decodes a message from all remaining bytes of a buffer: [`from_buf`](crate::from_buf) as a function of the
    /// type.
    ///
    /// For types that borrow from the input, use [`from_slice`](crate::from_slice); for types that share the input, use
    /// [`from_bytes`](crate::from_bytes).
    ///
    /// # Errors
    /// Fails if [`from_slice`](crate::from_slice) would fail.
    fn decode(buf: impl Buf) -> Result<Self>
    where
        Self: Sized + DeserializeOwned,
    {
        DecodeOptions::new().from_buf(buf)
    }

    /// Decodes a message that follows its length: [`from_buf_delimited`](crate::from_buf_delimited) as a function of
    /// the type.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let mut buf: &[u8] = &[2, 0x08, 0x01, 0];
    /// assert_eq!(Duration::decode_length_delimited(&mut buf)?, Duration::new(1, 0));
    /// assert_eq!(Duration::decode_length_delimited(&mut buf)?, Duration::default());
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`from_buf_delimited`](crate::from_buf_delimited) would fail.
    fn decode_length_delimited(buf: impl Buf) -> Result<Self>
    where
        Self: Sized + DeserializeOwned,
    {
        DecodeOptions::new().from_buf_delimited(buf)
    }

    /// Merges encoded fields into the message: [`merge`](crate::merge) as a method. On an error the message is
    /// unchanged.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let mut duration = Duration::new(1, 0);
    /// duration.merge(&[0x10, 0x05])?;
    /// assert_eq!(duration, Duration::new(1, 5));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`merge`](crate::merge) would fail.
    fn merge<'de>(&mut self, bytes: &'de [u8]) -> Result<()>
    where
        Self: Sized + Merge<'de>,
    {
        DecodeOptions::new().merge(self, bytes)
    }

    /// Merges another message into this one: scalars that `other` sets are replaced, messages are merged, lists and maps grow.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// let mut duration = Duration::new(1, 0);
    /// duration.merge_from(&Duration::new(0, 5))?;
    /// assert_eq!(duration, Duration::new(1, 5));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A member borrows, so reflection cannot set it.
    fn merge_from(&mut self, other: &Self) -> Result<()>
    where
        Self: Sized,
    {
        self.as_reflect_mut().merge_from(other.as_reflect())
    }

    /// Returns the message as ProtoJSON: [`json::to_string`](crate::json::to_string) as a method.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// assert_eq!(Duration::new(1, 0).to_json()?, "\"1s\"");
    /// assert_eq!(Duration::from_json("\"1s\"")?, Duration::new(1, 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`json::to_string`](crate::json::to_string) would fail.
    fn to_json(&self) -> Result<String>
    where
        Self: Sized + Serialize,
    {
        json::Options::new().to_string(self)
    }

    /// Parses a message from ProtoJSON: [`json::from_str`](crate::json::from_str) as a function of the type.
    ///
    /// # Errors
    /// Fails if [`json::from_str`](crate::json::from_str) would fail.
    fn from_json<'de>(text: &'de str) -> Result<Self>
    where
        Self: Sized + Deserialize<'de>,
    {
        json::Options::new().from_str(text)
    }

    /// Returns the message in the text format: [`text::to_string`](crate::text::to_string) as a method.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// assert_eq!(Duration::new(1, 0).to_text()?, "seconds: 1\n");
    /// assert_eq!(Duration::from_text("seconds: 1")?, Duration::new(1, 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`text::to_string`](crate::text::to_string) would fail.
    fn to_text(&self) -> Result<String>
    where
        Self: Sized + Serialize,
    {
        text::Options::new().to_string(self)
    }

    /// Parses a message from the text format: [`text::from_str`](crate::text::from_str) as a function of the type.
    ///
    /// # Errors
    /// Fails if [`text::from_str`](crate::text::from_str) would fail.
    fn from_text<'de>(text: &'de str) -> Result<Self>
    where
        Self: Sized + Deserialize<'de>,
    {
        text::Options::new().from_str(text)
    }

    /// Returns a view for reading the message by its descriptor.
    ///
    /// ```
    /// use tobu::Message;
    ///
    /// #[derive(Message)]
    /// #[tobu(package = "library.v1", name = "Seen")]
    /// struct Book<'a> {
    ///     #[tobu(1)]
    ///     title: &'a str,
    /// }
    ///
    /// let book = Book { title: "Dune" };
    /// assert_eq!(book.as_reflect().get_by_name("title")?.as_str(), Some("Dune"));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    fn as_reflect<'a>(&'a self) -> &'a (dyn Reflect + 'a)
    where
        Self: Sized + 'a,
    {
        self
    }

    /// Returns a view for changing the message by its descriptor.
    fn as_reflect_mut<'a>(&'a mut self) -> &'a mut (dyn Reflect + 'a)
    where
        Self: Sized + 'a,
    {
        self
    }
}

/// A message type whose full name is known at compile time, because the type declares its schema or names the message to
/// which it is bound. Generated messages implement this trait, and so do types that derive [`Message`] without
/// `#[tobu(descriptor = ...)]`.
///
/// ```
/// use tobu::{MessageName, types::Duration};
///
/// assert_eq!(Duration::FULL_NAME, "google.protobuf.Duration");
/// assert_eq!(Duration::TYPE_URL, "type.googleapis.com/google.protobuf.Duration");
/// ```
pub trait MessageName: Message {
    /// The name of the message, with its package.
    const FULL_NAME: &'static str;

    /// The URL by which a `google.protobuf.Any` names the type.
    ///
    /// Specification: <https://protobuf.dev/programming-guides/proto3/#any>.
    const TYPE_URL: &'static str;
}

/// A message that owns its data, and can be encoded and decoded: a bound for generic code.
///
/// ```
/// use tobu::{MessageOwned, types::Duration};
///
/// fn copy<M: MessageOwned>(message: &M) -> tobu::Result<M> {
///     M::decode(&message.encode_to_vec()?[..])
/// }
///
/// assert_eq!(copy(&Duration::new(1, 0))?, Duration::new(1, 0));
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Every type that derives [`Message`], [`Serialize`] and [`Deserialize`] and borrows nothing implements this trait, if it
/// is `Send` and `Sync`.
pub trait MessageOwned: Message + Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T: Message + Serialize + DeserializeOwned + Send + Sync + 'static> MessageOwned for T {}

/// A message can be the proto type of a conversion.
impl<T: Message + Default + PartialEq + Send + Sync + 'static> ByValue for T {
    fn zero() -> Self {
        T::default()
    }
}

/// A message type with one default instance, which all uses share. Getters return it if a message is not set.
///
/// Generated messages implement this trait.
///
/// ```
/// use tobu::{DefaultInstance, types::Duration};
///
/// assert_eq!(Duration::default_instance(), &Duration::default());
/// assert!(std::ptr::eq(Duration::default_instance(), Duration::default_instance()));
/// ```
pub trait DefaultInstance {
    /// Returns the default instance.
    fn default_instance<'d>() -> &'d Self
    where
        Self: 'd;
}

/// A message into which encoded fields can be merged. tobu's derive of `Deserialize` implements this trait.
///
/// # Safety
/// `'de` outlives all data that the type borrows. The bound `FilledFrom` ensures this for all members, even if another
/// macro changes the struct that the derives see.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be merged into",
    note = "derive `tobu::Deserialize` on it"
)]
#[allow(unsafe_code)]
pub unsafe trait Merge<'de>: Message + FilledFrom<'de> {
    /// Clears the message. Keeps allocations that its next values can use.
    fn clear(&mut self) {
        if let Ok(mut message) = RootMut::of(self).bare() {
            message.clear_all();
        }
    }
}

/// The enum of a oneof that can be deserialized by itself. tobu's derive of `Deserialize` implements this trait.
///
/// # Safety
/// `'de` outlives all data that the type borrows. The bound `FilledFrom` ensures this for all variants.
#[allow(unsafe_code)]
pub unsafe trait MergeOneof<'de>: Oneof + FilledFrom<'de> {}

/// An enum whose variants are the fields of a oneof. Derive this trait.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a oneof", note = "derive `tobu::Oneof` on it")]
// Only the derive may promise a layout, because a shape that is written by hand could belong to another type.
pub trait Oneof: OneofLayout {
    /// Returns the shape of the type. The derive generates this function.
    fn shape() -> &'static OneofShape;

    /// Registers the files of those types in the oneof that state their schemas (whose attributes say everything that their
    /// descriptors say).
    #[doc(hidden)]
    #[inline]
    fn register() {}
}

/// A type that represents a protobuf enum. Derive this trait.
///
/// A Rust enum is closed, because it cannot hold numbers without a variant. A newtype over `i32` is open.
///
/// ```
/// use tobu::Enumeration;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Enumeration)]
/// #[tobu(values(RED = 0, GREEN = 1))]
/// struct Color(i32);
///
/// assert_eq!(Color::GREEN.number(), 1);
/// assert_eq!(Color::GREEN.name(), Some("GREEN"));
/// assert_eq!(Color(7).name(), None);
/// ```
pub trait Enumeration: Member + Sized {
    /// Returns the shape of the type. The derive generates this function.
    fn shape() -> &'static EnumShape;

    /// Returns the number of the value.
    fn number(&self) -> i32;

    /// Returns the value with this number; `None` if the type cannot hold it.
    fn from_number(number: i32) -> Option<Self>;

    /// Returns the proto name of the value, if the schema has one.
    fn name(&self) -> Option<&'static str> {
        described_enum::<Self>().name_of(self.number())
    }

    /// Returns the value with this proto name; `None` if the schema does not have it.
    ///
    /// ```
    /// use tobu::{Enumeration, types::NullValue};
    ///
    /// assert_eq!(NullValue::from_name("NULL_VALUE"), Some(NullValue::NULL_VALUE));
    /// assert_eq!(NullValue::from_name("null"), None);
    /// ```
    fn from_name(name: &str) -> Option<Self> {
        described_enum::<Self>().number_named(name).and_then(Self::from_number)
    }

    /// Returns the descriptor of the enum.
    ///
    /// # Panics
    /// If [`Message::descriptor`] would panic.
    fn descriptor() -> EnumDescriptor {
        described_enum::<Self>().expect_descriptor().clone()
    }
}

/// Returns the shape of a type whose descriptor the caller needs. If the type states its schema, its file is registered
/// first. Callers that need no descriptor call `shape` instead.
#[inline]
pub(crate) fn described<T: Message>() -> &'static MessageShape {
    T::register();
    T::shape()
}

/// Returns the shape of an enumeration whose descriptor the caller needs: its file is registered first.
#[inline]
pub(crate) fn described_enum<E: Enumeration>() -> &'static EnumShape {
    E::register();
    E::shape()
}

impl<T: Enumeration> EnumNumbers for T {
    fn enum_shape() -> &'static EnumShape {
        T::shape()
    }

    fn to_number(&self) -> i32 {
        self.number()
    }

    fn of_number(number: i32) -> Option<Self> {
        T::from_number(number)
    }
}

impl<T: Oneof> OneofMember for Option<T> {
    fn shape() -> &'static OneofShape {
        T::shape()
    }

    fn register() {
        T::register();
    }

    #[inline]
    fn is_set(&self) -> bool {
        self.is_some()
    }
}
