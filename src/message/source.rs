//! The descriptors that a type can be bound to.

use crate::descriptor::{EnumDescriptor, FileDescriptor, GeneratedFile, MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::layout::Binds;

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
