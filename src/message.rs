//! The traits by which types say what schema they have.
//!
//! Layer 6: names `layout`, `object`, `descriptor` and `reflect`.

use crate::descriptor::{EnumDescriptor, FileDescriptor, GeneratedFile, MessageDescriptor, Pool};
use crate::dynamic::DynamicMessage;
use crate::error::{Error, Result};
use crate::layout::{Binds, EnumNumbers, EnumShape, Member, MessageShape, OneofMember, OneofShape};
use crate::object::TypedMut;
use crate::reflect::Reflect;
use std::ops::{Deref, DerefMut};

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
        Self: Sized + serde::Serialize,
    {
        DynamicMessage::from_message(&self)
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

/// Something that a type can be bound to, by reference: `#[tobu(descriptor = ..., message = "...")]`.
pub trait DescriptorSource {
    /// The message of this name.
    ///
    /// # Errors
    /// There is none.
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor>;

    /// The enum of this name.
    ///
    /// # Errors
    /// There is none.
    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor>;
}

impl<S: Sync + 'static> Binds<MessageDescriptor> for S
where
    &'static S: DescriptorSource,
{
    fn find(&'static self, full_name: &str) -> Result<MessageDescriptor> {
        self.find_message(full_name)
    }
}

impl<S: Sync + 'static> Binds<EnumDescriptor> for S
where
    &'static S: DescriptorSource,
{
    fn find(&'static self, full_name: &str) -> Result<EnumDescriptor> {
        self.find_enum(full_name)
    }
}

fn found<D>(found: Option<D>, what: &str, full_name: &str) -> Result<D> {
    found.ok_or_else(|| Error::schema(format!("there is no {what} named {full_name:?}")))
}

impl DescriptorSource for &'static GeneratedFile {
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
        found(self.message(full_name), "message", full_name)
    }

    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
        found(self.enumeration(full_name), "enum", full_name)
    }
}

impl DescriptorSource for &Pool {
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
        found(self.message(full_name), "message", full_name)
    }

    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
        found(self.enumeration(full_name), "enum", full_name)
    }
}

impl DescriptorSource for &FileDescriptor {
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
        found(self.messages().find(|message| message.full_name() == full_name), "message", full_name)
    }

    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
        found(self.enums().find(|enumeration| enumeration.full_name() == full_name), "enum", full_name)
    }
}

impl DescriptorSource for &MessageDescriptor {
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
        let fits = full_name.is_empty() || full_name == self.full_name();
        found(fits.then(|| self.clone()), "message", full_name)
    }

    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
        found(None, "enum", full_name)
    }
}

impl DescriptorSource for &EnumDescriptor {
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
        found(None, "message", full_name)
    }

    fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
        let fits = full_name.is_empty() || full_name == self.full_name();
        found(fits.then(|| self.clone()), "enum", full_name)
    }
}

/// Lists the cells that hold a source and are filled when they are looked into.
macro_rules! lazy_sources {
    ($($lazy:ty),*) => {
        $(
            impl<S> DescriptorSource for &'static $lazy
            where
                &'static S: DescriptorSource,
            {
                fn find_message(self, full_name: &str) -> Result<MessageDescriptor> {
                    <&'static S>::find_message(self, full_name)
                }

                fn find_enum(self, full_name: &str) -> Result<EnumDescriptor> {
                    <&'static S>::find_enum(self, full_name)
                }
            }
        )*
    };
}

lazy_sources!(std::sync::LazyLock<S>, once_cell::sync::Lazy<S>);

/// A typed message, held to be used through its descriptor; made by [`Message::reflect`].
///
/// It is the message and nothing else: neither making it nor [`absorb`](Self::absorb) converts or allocates.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let mut book = Book::default().reflect();
/// book.set_by_name("title", "Dune")?;
/// assert_eq!(book.get_by_name("title")?.as_str(), Some("Dune"));
///
/// let book: Book = book.absorb();
/// assert_eq!(book.title, "Dune");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Reflection<T>(T);

impl<T: Message> Reflection<T> {
    /// Takes a message.
    #[inline]
    pub fn new(message: T) -> Self {
        Reflection(message)
    }

    /// Gives the message back.
    #[inline]
    pub fn absorb(self) -> T {
        self.0
    }

    /// The message in its place.
    #[inline]
    pub fn typed(&self) -> &T {
        &self.0
    }

    /// The message in its place, to be changed.
    #[inline]
    pub fn typed_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Message + 'static> Deref for Reflection<T> {
    type Target = dyn Reflect;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Message + 'static> DerefMut for Reflection<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
