//! The sources of descriptors to which a type can be bound.

use std::ops::{Deref, DerefMut};

use crate::descriptor::{EnumDescriptor, FileDescriptor, GeneratedFile, MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::layout::Binds;
use crate::message::reflect::Reflect;

/// A source of descriptors to which a type can be bound by reference: `#[tobu(descriptor = ..., message = "...")]`.
pub trait DescriptorSource {
    /// Returns the message with this full name. A message descriptor also accepts an empty name.
    ///
    /// # Errors
    /// The source has no message with this name.
    fn find_message(self, full_name: &str) -> Result<MessageDescriptor>;

    /// Returns the enum with this full name. An enum descriptor also accepts an empty name.
    ///
    /// # Errors
    /// The source has no enum with this name.
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

/// Implements the trait for cells that are filled with a source on first access.
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

/// A typed message together with its descriptor. [`Message::reflect`](crate::Message::reflect) returns it.
///
/// A `Reflection` contains only the message, so neither making it nor [`absorb`](Self::absorb) converts or allocates.
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

impl<T> Reflection<T> {
    /// Wraps a message.
    #[inline]
    pub fn new(message: T) -> Self {
        Reflection(message)
    }

    /// Returns the message.
    #[inline]
    pub fn absorb(self) -> T {
        self.0
    }

    /// Returns the typed message.
    #[inline]
    pub fn typed(&self) -> &T {
        &self.0
    }

    /// Returns a mutable reference to the typed message.
    #[inline]
    pub fn typed_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Reflect + 'static> Deref for Reflection<T> {
    type Target = dyn Reflect;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Reflect + 'static> DerefMut for Reflection<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
