//! Messages whose type is known only at run time.
//!
//! A [`DynamicMessage`] is one arena, laid out from the table of its descriptor. Codecs see a part of it as an
//! [`Object`](crate::object::Object); the wire format has a reader and a writer of its own here, which
//! know that there are no addresses.

mod arena;
mod building;
mod cell;
mod change;
mod content;
mod convert;
mod copy;
mod decode;
mod encode;
mod equal;
mod held;
mod lists;
mod map;
mod maps;
mod object;
mod packed;
mod presence;
mod required;
mod verbs;
mod view;

pub(crate) use arena::{max_words, message_words};
pub(crate) use building::Building;
pub(crate) use cell::{Cell, ListFill, MapFill};
pub(crate) use change::MessageAtMut;
pub(crate) use content::ArenaContent;
pub(crate) use held::{Held, HeldText, MessageHeld};
pub(crate) use lists::ListAtMut;
pub(crate) use maps::MapAtMut;
pub(crate) use object::MessageFill;
pub(crate) use view::{ListAt, MapAt, MessageAt};

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::Result;
use crate::reflect::{FieldRef, MessageRef, MessageRepr, Reflect, Value, ValueMut, ValueRef};
use crate::table::Table;
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
        let arena = Arena::new(descriptor.table()?, Bytes::new(), 0);
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

    /// The table of the message: it was built when the message was made.
    pub(crate) fn table(&self) -> &Table {
        self.descriptor.table().expect("the table was built when the message was made")
    }

    /// The message as codecs read it.
    pub(crate) fn view(&self) -> MessageAt<'_> {
        self.read()
    }

    fn read(&self) -> MessageAt<'_> {
        MessageAt::new(&self.arena, self.table(), ROOT)
    }

    /// The message as codecs fill it.
    pub(crate) fn fill(&mut self) -> Result<MessageFill<'_, '_>> {
        let table = self.descriptor.table()?;
        Ok(MessageFill { arena: &mut self.arena, table, place: arena::Place::new(ROOT, table) })
    }

    fn change(&mut self) -> Result<MessageAtMut<'_>> {
        self.tidy()?;
        Ok(MessageAtMut::new(&mut self.arena, self.descriptor.table()?, ROOT))
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
        let table = self.descriptor.table()?;
        let mut arena = Arena::new(table, self.arena.input.clone(), 0);
        copy::copy(&mut arena, table, ROOT, &self.arena, ROOT)?;
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
        if let Ok(table) = self.descriptor.table() {
            self.arena = Arena::new(table, Bytes::new(), 0);
            self.settled = self.arena.size();
        }
    }
}

/// A view that needs no trait object, so that a visit of it is compiled in place.
impl<'a> From<&'a DynamicMessage> for MessageRef<'a> {
    fn from(message: &'a DynamicMessage) -> Self {
        MessageRef(MessageRepr::Arena(message.read()))
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
