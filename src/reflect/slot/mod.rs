//! The members of typed messages, seen through the schema: one file per family of Rust types.
//!
//! The derives name these traits; they are no part of the API. A value is checked against the schema before it comes
//! here; what is left is to fit it into the Rust type.

mod bytes;
mod enumeration;
mod list;
mod map;
mod message;
mod scalar;
mod text;
mod visit;
mod wrap;

pub use self::enumeration::{empty_enumeration, get_enumeration, set_enumeration};
pub use self::map::MapSlotKey;
pub use self::message::{clear_message, get_message, get_message_mut, set_message};
pub use self::visit::MemberVisitor;

pub(crate) use self::list::{TypedList, TypedListMut};
pub(crate) use self::map::{TypedMap, TypedMapMut};

use super::{Value, ValueMut, ValueRef, check};
use crate::error::{Error, Result};
use crate::member::UnknownFields;
use crate::plan::{FieldPlan, MessagePlan, PlanSet, Presence, Shape};
use std::marker::PhantomData;

/// Which field a slot holds.
#[derive(Clone, Copy)]
pub struct At {
    pub(crate) set: &'static PlanSet,
    pub(crate) message: &'static MessagePlan,
    pub(crate) field: &'static FieldPlan,
}

impl At {
    /// The key of a map entry.
    pub(crate) fn key(self) -> At {
        At { field: &self.set.maps[self.field.sub as usize].key, ..self }
    }

    /// The value of a map entry.
    pub(crate) fn value(self) -> At {
        At { field: &self.set.maps[self.field.sub as usize].value, ..self }
    }

    /// Says in which field an error was found.
    pub(crate) fn name(self, error: Error) -> Error {
        error.in_field(&self.field.name).within_message(&self.message.full_name)
    }
}

/// A member that holds a field, whatever its Rust type.
pub trait Slot {
    /// The value; none for an option without one.
    fn get(&self, at: At) -> Option<ValueRef<'_>>;

    /// The message, list or map, to be changed in place; a message that is not there is made.
    ///
    /// # Errors
    /// It is another kind of value, or a message that cannot be made.
    fn get_mut(&mut self, at: At) -> Result<ValueMut<'_>> {
        let _ = at;
        Err(Error::ty("the field is a single value: set it"))
    }

    /// Replaces the value; what comes is of the field's kind.
    ///
    /// # Errors
    /// The Rust type has no room for the value; then nothing is changed.
    fn set(&mut self, at: At, value: Value) -> Result<()>;

    /// Takes the value away, or sets it to the default where it must have one.
    fn clear(&mut self, at: At);
}

/// A slot that can be made out of nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a message",
    note = "derive `tobu::Message` or `tobu::Enumeration` on it; of numbers, protobuf has those of 32 and 64 bits"
)]
pub trait Element: Slot + Sized {
    /// A slot with nothing in it; none where the type has members that are no fields and have no default.
    fn empty() -> Option<Self>;

    /// The elements of a list, where they are numbers, which need no look at each.
    fn numbers(list: &[Self]) -> Option<Numbers<'_>> {
        let _ = list;
        None
    }
}

/// The elements of a list of numbers.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// `Vec<bool>`
    Bool(&'a [bool]),
    /// `Vec<i32>`: numbers, or those of enum values
    I32(&'a [i32]),
    /// `Vec<i64>`
    I64(&'a [i64]),
    /// `Vec<u32>`
    U32(&'a [u32]),
    /// `Vec<u64>`
    U64(&'a [u64]),
    /// `Vec<f32>`
    F32(&'a [f32]),
    /// `Vec<f64>`
    F64(&'a [f64]),
}

/// The option that holds a oneof.
pub trait OneofSlot {
    /// Which variant is set, and its value.
    fn variant(&self) -> Option<(usize, &dyn Slot)>;

    /// As [`variant`](Self::variant), to be changed.
    fn variant_mut(&mut self) -> Option<(usize, &mut dyn Slot)>;

    /// Runs `fill` on a new value of a variant, and keeps it if that went well.
    ///
    /// # Errors
    /// As `fill`, or the value cannot be made; then nothing is changed.
    fn replace(&mut self, variant: usize, fill: &mut dyn FnMut(&mut dyn Slot) -> Result<()>) -> Result<()>;

    /// Unsets the oneof.
    fn clear(&mut self);
}

/// The variants of a oneof's enum by their indices; written by `derive(Oneof)`.
pub trait Variants: Sized {
    /// The index of the variant, skipped ones not counted, and its value.
    fn variant(&self) -> Option<(usize, &dyn Slot)>;

    /// As [`variant`](Self::variant), to be changed.
    fn variant_mut(&mut self) -> Option<(usize, &mut dyn Slot)>;

    /// An empty value of a variant.
    fn empty(variant: usize) -> Option<Self>;
}

impl<T: Variants> OneofSlot for Option<T> {
    fn variant(&self) -> Option<(usize, &dyn Slot)> {
        self.as_ref()?.variant()
    }

    fn variant_mut(&mut self) -> Option<(usize, &mut dyn Slot)> {
        self.as_mut()?.variant_mut()
    }

    fn replace(&mut self, variant: usize, fill: &mut dyn FnMut(&mut dyn Slot) -> Result<()>) -> Result<()> {
        let mut new = T::empty(variant).ok_or_else(unmakable)?;
        if let Some((_, slot)) = new.variant_mut() {
            fill(slot)?;
        }
        *self = Some(new);
        Ok(())
    }

    fn clear(&mut self) {
        *self = None;
    }
}

/// The members of a struct by their indices; written by `derive(Message)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a protobuf message",
    note = "derive `tobu::Message` on it, or use a descriptor: `descriptor.decode::<{Self}>(bytes)`"
)]
pub trait Members {
    /// A message with nothing in it; none where a member that is no field has no default.
    fn make_empty() -> Option<Self>
    where
        Self: Sized;

    /// A member that holds a field.
    fn member(&self, index: usize) -> Option<&dyn Slot> {
        let _ = index;
        None
    }

    /// As [`member`](Self::member), to be changed.
    fn member_mut(&mut self, index: usize) -> Option<&mut dyn Slot> {
        let _ = index;
        None
    }

    /// A member that holds a oneof.
    fn oneof_member(&self, index: usize) -> Option<&dyn OneofSlot> {
        let _ = index;
        None
    }

    /// As [`oneof_member`](Self::oneof_member), to be changed.
    fn oneof_member_mut(&mut self, index: usize) -> Option<&mut dyn OneofSlot> {
        let _ = index;
        None
    }

    /// Hands every member that holds a field or a oneof to the visitor, until it has enough.
    fn visit_members<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        let _ = visitor;
    }

    /// The member that keeps unknown fields.
    fn unknown_member(&self) -> Option<&UnknownFields> {
        None
    }

    /// As [`unknown_member`](Self::unknown_member), to be changed.
    fn unknown_member_mut(&mut self) -> Option<&mut UnknownFields> {
        None
    }
}

/// True for a value that counts as set. In place: of a Rust type it is known which value it has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_set(at: At, value: ValueRef<'_>) -> bool {
    match at.field.shape {
        Shape::Singular => {
            at.field.presence != Presence::Implicit || at.field.oneof.is_some() || !check::is_zero(value)
        }
        Shape::List | Shape::Map => !check::is_zero(value),
    }
}

/// Makes the default of a type that may have none: a method of its own for types with one, of a trait for the rest.
pub struct Defaulted<T>(pub PhantomData<T>);

impl<T: Default> Defaulted<T> {
    /// The default.
    pub fn make(&self) -> Option<T> {
        Some(T::default())
    }
}

/// The method of [`Defaulted`] for types without a default.
pub trait Undefaulted<T> {
    /// Nothing.
    fn make(&self) -> Option<T> {
        None
    }
}

impl<T> Undefaulted<T> for Defaulted<T> {}

/// A message cannot be made.
#[cold]
pub(crate) fn unmakable() -> Error {
    Error::ty("the Rust type has a skipped member without a default, so that no value of it can be made")
}

/// A member borrows from an input.
#[cold]
fn borrowed() -> Error {
    Error::ty("the Rust type borrows the value from the input, so that it cannot be set")
}

/// A value that was checked is of another kind nevertheless: the Rust type is not the one the plan was made for.
#[cold]
fn misfit(value: &Value) -> Error {
    Error::ty(format!("the Rust type has no room for {}", super::check::given(value)))
}
