//! The traits by which types say what schema they have.
//!
//! Layer 6: names `layout`, `object`, `descriptor` and `reflect`.

mod reflection;
mod source;

pub use self::reflection::Reflection;
pub use self::source::DescriptorSource;
use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::dynamic::DynamicMessage;
use crate::error::Result;
use crate::layout::{EnumNumbers, EnumShape, Member, MessageShape, OneofMember, OneofShape};
use crate::object::TypedMut;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::reflect::Reflect;
use crate::{json, text};
use bytes::{Buf, BufMut};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A type that stands for a protobuf message; derive it.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a protobuf message",
    note = "derive `tobu::Message` on it, or use a descriptor: `descriptor.decode::<{Self}>(bytes)`"
)]
pub trait Message: Member {
    /// What the type looks like; written by the derive.
    fn shape() -> &'static MessageShape;

    /// The descriptor of the message.
    ///
    /// # Panics
    /// When the type declares a schema that is not valid, or is bound to a message that does not exist. The verbs
    /// return the same as an error.
    fn descriptor() -> MessageDescriptor {
        match Self::shape().descriptor() {
            Ok(descriptor) => descriptor.clone(),
            Err(error) => panic!("{}: {error}", Self::shape().rust_name),
        }
    }

    /// Takes the message to be seen through its descriptor; [`Reflection::absorb`] gives it back. Nothing is converted.
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

    /// Converts to a dynamic message, in one pass; [`DynamicMessage::absorb`] converts back.
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
    /// As [`DynamicMessage::from_message`].
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
    /// As [`to_vec`](crate::to_vec).
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
    /// As [`to_buf`](crate::to_buf).
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
    /// As [`to_buf_delimited`](crate::to_buf_delimited).
    fn encode_length_delimited(&self, buf: &mut impl BufMut) -> Result<()>
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::new().to_buf_delimited(self, buf)
    }

    /// The number of bytes that the message takes: [`encoded_len`](crate::encoded_len) as a method.
    ///
    /// ```
    /// use tobu::{Message, types::Duration};
    ///
    /// assert_eq!(Duration::new(1, 0).encoded_len()?, 2);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    fn encoded_len(&self) -> Result<usize>
    where
        Self: Sized + Serialize,
    {
        EncodeOptions::new().encoded_len(self)
    }

    /// Decodes a message from all that is left in a buffer: [`from_buf`](crate::from_buf) as a function of the type.
    ///
    /// Types that borrow are decoded by [`from_slice`](crate::from_slice), those that share their input by
    /// [`from_bytes`](crate::from_bytes).
    ///
    /// # Errors
    /// As [`from_slice`](crate::from_slice).
    fn decode(buf: impl Buf) -> Result<Self>
    where
        Self: Sized + DeserializeOwned,
    {
        DecodeOptions::new().from_buf(buf)
    }

    /// Decodes a message that has its length before it: [`from_buf_delimited`](crate::from_buf_delimited) as a function of
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
    /// As [`from_buf_delimited`](crate::from_buf_delimited).
    fn decode_length_delimited(buf: impl Buf) -> Result<Self>
    where
        Self: Sized + DeserializeOwned,
    {
        DecodeOptions::new().from_buf_delimited(buf)
    }

    /// Merges encoded fields into the message: [`merge`](crate::merge) as a method. On an error the message is as it was.
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
    /// As [`merge`](crate::merge).
    fn merge<'de>(&mut self, bytes: &'de [u8]) -> Result<()>
    where
        Self: Sized + Merge<'de>,
    {
        DecodeOptions::new().merge(self, bytes)
    }

    /// Merges another message into this one: set scalars are replaced, messages are merged, lists and maps grow.
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
    /// A member borrows, and cannot be set.
    fn merge_from(&mut self, other: &Self) -> Result<()>
    where
        Self: Sized,
    {
        self.as_reflect_mut().merge_from(other.as_reflect())
    }

    /// The message as ProtoJSON: [`json::to_string`](crate::json::to_string) as a method.
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
    /// As [`json::to_string`](crate::json::to_string).
    fn to_json(&self) -> Result<String>
    where
        Self: Sized + Serialize,
    {
        json::Options::new().to_string(self)
    }

    /// Parses a message from ProtoJSON: [`json::from_str`](crate::json::from_str) as a function of the type.
    ///
    /// # Errors
    /// As [`json::from_str`](crate::json::from_str).
    fn from_json<'de>(text: &'de str) -> Result<Self>
    where
        Self: Sized + Deserialize<'de>,
    {
        json::Options::new().from_str(text)
    }

    /// The message in the text format: [`text::to_string`](crate::text::to_string) as a method.
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
    /// As [`text::to_string`](crate::text::to_string).
    fn to_text(&self) -> Result<String>
    where
        Self: Sized + Serialize,
    {
        text::Options::new().to_string(self)
    }

    /// Parses a message from the text format: [`text::from_str`](crate::text::from_str) as a function of the type.
    ///
    /// # Errors
    /// As [`text::from_str`](crate::text::from_str).
    fn from_text<'de>(text: &'de str) -> Result<Self>
    where
        Self: Sized + Deserialize<'de>,
    {
        text::Options::new().from_str(text)
    }

    /// The message seen through its descriptor.
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

    /// As [`as_reflect`](Self::as_reflect), to be changed.
    fn as_reflect_mut<'a>(&'a mut self) -> &'a mut (dyn Reflect + 'a)
    where
        Self: Sized + 'a,
    {
        self
    }
}

/// A message type whose full name is known at compile time: one that declares its schema, or says to which message it is
/// bound. Generated messages have it, and so have types that derive [`Message`] without `#[tobu(descriptor = ...)]`.
///
/// ```
/// use tobu::{MessageName, types::Duration};
///
/// assert_eq!(Duration::FULL_NAME, "google.protobuf.Duration");
/// assert_eq!(Duration::TYPE_URL, "type.googleapis.com/google.protobuf.Duration");
/// ```
pub trait MessageName: Message {
    /// The name of the message with that of its package before it.
    const FULL_NAME: &'static str;

    /// The URL by which a `google.protobuf.Any` names the type.
    ///
    /// Specification: <https://protobuf.dev/programming-guides/proto3/#any>.
    const TYPE_URL: &'static str;
}

/// A message that owns what it holds, and can be encoded and decoded: a bound for generic code.
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
/// Every type has it that derives [`Message`], [`Serialize`] and [`Deserialize`], and borrows nothing.
pub trait MessageOwned: Message + Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T: Message + Serialize + DeserializeOwned + Send + Sync + 'static> MessageOwned for T {}

/// A message type with one default instance for all: what getters give where a message is not set.
///
/// Generated messages have it.
///
/// ```
/// use tobu::{DefaultInstance, types::Duration};
///
/// assert_eq!(Duration::default_instance(), &Duration::default());
/// assert!(std::ptr::eq(Duration::default_instance(), Duration::default_instance()));
/// ```
pub trait DefaultInstance {
    /// The default instance.
    fn default_instance<'d>() -> &'d Self
    where
        Self: 'd;
}

/// A message that can be merged into; derive tobu's `Deserialize`.
///
/// # Safety
/// `'de` outlives what the type borrows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be merged into",
    note = "derive `tobu::Deserialize` on it"
)]
#[allow(unsafe_code)]
pub unsafe trait Merge<'de>: Message {
    /// Empties the message; allocations are kept where that helps the next content.
    fn clear(&mut self) {
        if let Ok(mut message) = TypedMut::of(self) {
            message.clear_all();
        }
    }
}

/// The enum of a oneof that can be deserialized by itself; derive tobu's `Deserialize`.
///
/// # Safety
/// As for [`Merge`].
#[allow(unsafe_code)]
pub unsafe trait MergeOneof<'de>: Oneof {}

/// An enum whose variants are the fields of a oneof; derive it.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a oneof", note = "derive `tobu::Oneof` on it")]
pub trait Oneof {
    /// What the type looks like; written by the derive.
    fn shape() -> &'static OneofShape;
}

/// A type that stands for a protobuf enum; derive it.
///
/// A Rust enum is closed: it has no room for numbers that it does not name. A newtype over `i32` is open.
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
    /// What the type looks like; written by the derive.
    fn shape() -> &'static EnumShape;

    /// The number of the value.
    fn number(&self) -> i32;

    /// The value with this number; `None` where the type has no room for it.
    fn from_number(number: i32) -> Option<Self>;

    /// The proto name of the value, where the schema has one.
    fn name(&self) -> Option<&'static str> {
        let (shape, number) = (Self::shape(), self.number());
        let own = shape.values.iter().find(|value| value.2 == number).map(|value| value.1);
        own.or_else(|| shape.descriptor().ok()?.value_name(number))
    }

    /// The descriptor of the enum.
    ///
    /// # Panics
    /// As [`Message::descriptor`].
    fn descriptor() -> EnumDescriptor {
        match Self::shape().descriptor() {
            Ok(descriptor) => descriptor.clone(),
            Err(error) => panic!("{}: {error}", Self::shape().rust_name),
        }
    }
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
}
