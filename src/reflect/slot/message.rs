//! Messages in messages: what `derive(Message)` calls.

use super::{At, misfit, unmakable};
use crate::dynamic::DynamicMessage;
use crate::error::Result;
use crate::message::Message;
use crate::reflect::view::{MessageMut, MessageRef, Repr};
use crate::reflect::{Reflect, Value, ValueMut, ValueRef};

/// The message as a value.
#[inline]
pub fn get_message<T: Message>(message: &T) -> ValueRef<'_> {
    ValueRef::Message(MessageRef(Repr::Place(message)))
}

/// The message as a value to be changed.
#[inline]
pub fn get_message_mut<T: Message>(message: &mut T) -> ValueMut<'_> {
    ValueMut::Message(MessageMut(Repr::Place(message)))
}

/// Replaces the message by what a dynamic one holds.
///
/// # Errors
/// The Rust type has no room for it.
pub fn set_message<T: Message>(slot: &mut T, _: At, value: Value) -> Result<()> {
    let Value::Message(from) = value else { return Err(misfit(&value)) };
    let mut new = T::make_empty().ok_or_else(unmakable)?;
    fill(&mut new, &from)?;
    *slot = new;
    Ok(())
}

/// Empties the message.
pub fn clear_message<T: Message>(slot: &mut T) {
    Reflect::clear_all(slot);
}

fn fill(into: &mut dyn Reflect, from: &DynamicMessage) -> Result<()> {
    crate::reflect::algebra::copy(into, from)
}
