//! Says where the descriptor of a Rust type comes from.

use super::cells::InStatic;
use super::name::Name;
use crate::descriptor::{FileSlot, Registered};
use crate::error::{Error, Result};
use std::fmt;
use std::mem::ManuallyDrop;

/// A source of descriptors to which a type can be bound.
pub trait Binds<D>: Sync {
    /// Returns the descriptor with this full name.
    ///
    /// # Errors
    /// No descriptor of the source has this name.
    fn find(&'static self, full_name: &str) -> Result<D>;
}

impl<D> fmt::Debug for dyn Binds<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Binds")
    }
}

/// A kind of descriptor: of messages, or of enums.
pub trait Described: Sized + 'static {
    /// The shape of a Rust type with such a descriptor.
    type Shape: fmt::Debug + 'static;

    /// Returns the full name of the descriptor, if the type states its schema.
    #[doc(hidden)]
    fn stated_name(shape: &Self::Shape) -> Option<&'static str>;

    /// Returns the descriptor with this full name in a file.
    #[doc(hidden)]
    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self>;
}

/// Where the descriptor of a type comes from.
#[derive(Clone, Copy, Debug)]
pub enum Schema<D: Described> {
    /// The type is bound to a descriptor in a static.
    Bound(&'static Binding<D>),
    /// The type is bound to a descriptor that an expression returns.
    Given(fn() -> Result<D>),
    /// The type declares its own descriptor.
    Declared(&'static Declaration<D>),
    /// The type states its schema: its attributes say everything that its descriptor says, so most operations need no
    /// descriptor. The slot holds the file of the descriptor. The name is the full name of the descriptor, in the names of
    /// the type.
    Stated(InStatic<FileSlot>, Name),
}

/// A static with descriptors, and the full name of one of these descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Binding<D: Described> {
    /// The static with the descriptors.
    pub source: &'static dyn Binds<D>,
    /// The full name.
    pub full_name: &'static str,
}

/// How a type declares its descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<D: Described> {
    /// The proto package; may be empty.
    pub package: &'static str,
    /// The name within the package.
    pub name: &'static str,
    /// Declares the type and returns its descriptor. Only types that declare a schema have this function, so a program
    /// without such types does not contain the code.
    pub declare: fn(&'static D::Shape) -> Result<D>,
}

impl<D: Described> Schema<D> {
    /// Looks up or declares the descriptor of a type. The result has no destructor, because the caller keeps it in a static.
    ///
    /// # Errors
    /// The source has no such descriptor, the file is not registered, or the declarations of the type are not valid.
    pub(crate) fn descriptor(&self, shape: &'static D::Shape) -> Result<ManuallyDrop<D>> {
        match self {
            Schema::Bound(Binding { source, full_name }) => source.find(full_name).map(ManuallyDrop::new),
            Schema::Given(descriptor) => descriptor().map(ManuallyDrop::new),
            Schema::Declared(declaration) => (declaration.declare)(shape).map(ManuallyDrop::new),
            Schema::Stated(slot, _) => {
                let full_name = D::stated_name(shape).unwrap_or_default();
                let found =
                    slot.get().file().and_then(|file| D::of_file(file, full_name).map(ManuallyDrop::new));
                found.ok_or_else(|| Error::schema(format!("the file of {full_name} is not registered")))
            }
        }
    }
}
