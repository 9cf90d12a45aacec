//! Where the descriptor of a Rust type comes from.

use super::cells::InStatic;
use super::name::Name;
use crate::descriptor::{FileSlot, Registered};
use crate::error::{Error, Result};
use std::fmt;
use std::mem::ManuallyDrop;

/// Something that a type is bound to: has descriptors by name.
pub trait Binds<D>: Sync {
    /// The descriptor of this name.
    ///
    /// # Errors
    /// There is none.
    fn find(&'static self, full_name: &str) -> Result<D>;
}

impl<D> fmt::Debug for dyn Binds<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Binds")
    }
}

/// A descriptor of a kind of types.
pub trait Described: Sized + 'static {
    /// The shape of such a type.
    type Shape: fmt::Debug + 'static;

    /// The full name of the descriptor, where the type states its schema.
    #[doc(hidden)]
    fn stated_name(shape: &Self::Shape) -> Option<&'static str>;

    /// The descriptor of this name in a file.
    #[doc(hidden)]
    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self>;
}

/// Where the descriptor of a type comes from.
#[derive(Clone, Copy, Debug)]
pub enum Schema<D: Described> {
    /// The type is bound to a descriptor in a static.
    Bound(&'static Binding<D>),
    /// The type is bound to a descriptor that an expression gives.
    Given(fn() -> Result<D>),
    /// The type declares its own.
    Declared(&'static Declaration<D>),
    /// The type states all that its descriptor says, so that most of what is done with it needs none. The slot is that of
    /// its file; the name, in the names of the type, that of its descriptor.
    Stated(InStatic<FileSlot>, Name),
}

/// A descriptor by its name in a static.
#[derive(Clone, Copy, Debug)]
pub struct Binding<D: Described> {
    /// What the static has.
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
    /// Declares the type. A program in which no type declares a schema contains none of that.
    pub declare: fn(&'static D::Shape) -> Result<D>,
}

impl<D: Described> Schema<D> {
    /// The descriptor of a type, looked up or declared: for the cell of the type, which is a static, so that no program need
    /// contain how descriptors are dropped.
    ///
    /// # Errors
    /// There is no such descriptor, or the declarations of the type are not valid.
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
