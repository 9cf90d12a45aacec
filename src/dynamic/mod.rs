//! Messages whose type is known only at run time.
//!
//! A [`DynamicMessage`] is one arena, laid out from the plan of its descriptor. What comes from the wire, or from a
//! Rust type, goes into it through a [`Sink`](crate::ser::Sink); what leaves it comes out of a
//! [`Source`](crate::de::Source). Layer 3: names `plan`, `ser`, `de`, `relay` and `reflect`.

mod arena;
mod change;
mod convert;
mod copy;
mod decode;
mod encode;
mod equal;
mod formats;
mod lists;
mod map;
mod maps;
mod packed;
mod sink;
mod source;
mod verbs;
mod view;

pub(crate) use change::MessageAtMut;
pub use formats::MessageSeed;
pub(crate) use lists::ListAtMut;
pub(crate) use maps::MapAtMut;
pub(crate) use view::{ListAt, MapAt, MessageAt};

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::Result;
use crate::plan::PlanSet;
use crate::reflect::{FieldRef, MessageRef, Reflect, Repr, Value, ValueMut, ValueRef};
use arena::{Arena, ROOT};
use bytes::Bytes;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A message of any descriptor.
///
/// ```
/// # use tobu_schemas::library;
/// # use tobu::Message;
/// # let descriptor = library::v1::Book::descriptor();
/// use tobu::DynamicMessage;
///
/// let mut book = DynamicMessage::decode(&descriptor, b"\x0a\x04Dune")?;
/// assert_eq!(book.get_by_name("title")?.as_str(), Some("Dune"));
///
/// book.set_by_name("title", "Emma")?;
/// assert_eq!(book.encode()?, b"\x0a\x04Emma");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// All that it holds is in one place, laid out from the schema: decoding allocates a few times, whatever there is in
/// the message. Strings and bytes stay where they were decoded from. What is replaced leaves garbage behind, which goes
/// when there is as much of it as of the rest.
#[derive(Clone)]
pub struct DynamicMessage {
    descriptor: MessageDescriptor,
    arena: Arena,
    /// How many bytes the arena had when it was made, or was compacted last.
    settled: usize,
}

impl DynamicMessage {
    /// An empty message.
    ///
    /// # Errors
    /// The schema is larger than a codec can take: a message with more than 65,534 fields.
    pub fn new(descriptor: &MessageDescriptor) -> Result<Self> {
        let arena = Arena::new(descriptor.plans()?.root(), Bytes::new(), 0);
        Ok(Self::of(descriptor.clone(), arena))
    }

    fn of(descriptor: MessageDescriptor, arena: Arena) -> Self {
        DynamicMessage { settled: arena.size(), descriptor, arena }
    }

    /// The descriptor of the message.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// let message = DynamicMessage::new(&StringValue::descriptor())?;
    /// assert_eq!(message.descriptor().full_name(), "google.protobuf.StringValue");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// How many bytes the arena takes, garbage included, without the input that the message was decoded from.
    #[doc(hidden)]
    pub fn space(&self) -> usize {
        self.arena.size()
    }

    /// The plans of the message: they were compiled when it was made.
    fn plans(&self) -> Result<&PlanSet> {
        self.descriptor.plans()
    }

    fn read(&self) -> MessageAt<'_> {
        let plans = self.plans().expect("the plans were compiled when the message was made");
        MessageAt::new(&self.arena, plans, ROOT)
    }

    fn change(&mut self) -> Result<MessageAtMut<'_>> {
        self.tidy()?;
        Ok(MessageAtMut::new(&mut self.arena, self.descriptor.plans()?, ROOT))
    }

    /// Compacts the arena when it has doubled and there is garbage in it.
    fn tidy(&mut self) -> Result<()> {
        if self.arena.garbage > 0 && self.arena.size() > 2 * self.settled + 4096 {
            self.compact()?;
        }
        Ok(())
    }

    #[cold]
    fn compact(&mut self) -> Result<()> {
        let plans = self.descriptor.plans()?;
        let mut arena = Arena::new(plans.root(), self.arena.input.clone(), 0);
        copy::copy(&mut arena, plans, ROOT, &self.arena, plans, ROOT)?;
        self.arena = arena;
        self.settled = self.arena.size();
        Ok(())
    }
}

impl Reflect for DynamicMessage {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.descriptor.clone()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        self.read().has(field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        self.read().get_at(field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        self.change()?.into_value(field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        self.change()?.set_value(field, value)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        self.change()?.clear_field(field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        self.read().which_oneof(oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        self.read().next_field_at(number)
    }

    fn visit_fields<'a>(&'a self, visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        self.read().visit_at(visit);
    }

    fn unknown_fields(&self) -> &[u8] {
        self.read().unknown_at()
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        self.change()?.replace_unknown(fields)
    }

    fn clear_all(&mut self) {
        if let Ok(plans) = self.descriptor.plans() {
            self.arena = Arena::new(plans.root(), Bytes::new(), 0);
            self.settled = self.arena.size();
        }
    }
}

/// A view that needs no trait object, so that a visit of it is compiled in place.
impl<'a> From<&'a DynamicMessage> for MessageRef<'a> {
    fn from(message: &'a DynamicMessage) -> Self {
        MessageRef(Repr::Arena(message.read()))
    }
}

/// A dynamic message can be used as the [`dyn Reflect`](Reflect) that it is, names of fields and all.
impl Deref for DynamicMessage {
    type Target = dyn Reflect;

    fn deref(&self) -> &Self::Target {
        self
    }
}

impl DerefMut for DynamicMessage {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self
    }
}

impl fmt::Debug for DynamicMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self as &dyn Reflect, f)
    }
}
