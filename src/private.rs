//! What the output of the derive macros names. Not for use by hand: it changes without notice.

pub use crate::error::Result as Outcome;
pub use crate::foreign::{merge as merge_foreign, serialize as serialize_foreign};
pub use crate::member::{
    Emit, EmitMembers, Emitted, EmittedApart, Few, Held, Ignored, InOrder, Into, IntoApart, IntoOneof,
    MESSAGE, Member, Merge, MergeInto, MergeOneof, Merging, Mode, OTHER_NAME, OneofMember, Refilling, Told,
    UNKNOWN_NAME, UnknownFields, deserialize_enumeration, emit_enumeration, emit_message, field_name,
    lead_name, marked, marked_first, merge_enumerations, merge_name, name_text, refill_enumerations,
    variant_name,
};
pub use crate::message::{Enumeration, Message, Oneof};
pub use crate::reflect::slot::{
    At, Defaulted, Element, MapSlotKey, MemberVisitor, Members, OneofSlot, Slot, Undefaulted, Variants,
    clear_message, empty_enumeration, get_enumeration, get_message, get_message_mut, set_enumeration,
    set_message,
};
pub use crate::reflect::{Value, ValueMut, ValueRef};
pub use crate::shape::{
    Attributes, EnumShape, FieldShape, MemberShape, MessageShape, OneofShape, Role, Schema, TypeShape,
    WireKind,
};
pub use core;
pub use serde;

use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::message::DescriptorSource;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use std::fmt;

/// The message that a type is bound to.
///
/// # Errors
/// The source has no message of this name.
pub fn bind_message<S: DescriptorSource>(source: S, full_name: &str) -> Result<MessageDescriptor> {
    source.find_message(full_name)
}

/// The enum that a type is bound to.
///
/// # Errors
/// The source has no enum of this name.
pub fn bind_enum<S: DescriptorSource>(source: S, full_name: &str) -> Result<EnumDescriptor> {
    source.find_enum(full_name)
}

/// Reads the identifier of a member or variant: an index, or one of these names. A name that is not among them
/// gives their number.
#[derive(Clone, Copy, Debug)]
pub struct Key(pub &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = usize;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an identifier")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        Ok(usize::try_from(index).unwrap_or(usize::MAX))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.0.iter().position(|known| *known == name).unwrap_or(self.0.len()))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        Ok(self.0.iter().position(|known| known.as_bytes() == name).unwrap_or(self.0.len()))
    }
}
