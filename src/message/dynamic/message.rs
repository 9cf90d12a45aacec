//! A dynamic message: a descriptor and an arena.

use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::object::arena::change::MessageAtMut;
use crate::object::arena::copy;
use crate::object::arena::object::MessageFill;
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, Input, Offsets, ROOT};
use crate::table::{Table, Tabled};

/// A message of a descriptor that a program can load at run time.
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
/// assert_eq!(book.encode_to_vec()?, b"\x0a\x04Emma");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// All data of the message is in one arena, laid out by the schema, so decoding makes a few allocations for any message.
/// Strings and bytes stay in the input. Replaced values remain as garbage until the arena has doubled; then it is
/// compacted.
#[derive(Clone)]
pub struct DynamicMessage {
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) arena: Arena,
    /// The size of the arena in bytes when it was made or last compacted.
    pub(crate) compact_size: usize,
}

impl DynamicMessage {
    /// Creates an empty message.
    ///
    /// # Errors
    /// The schema has a message with more than 65,534 fields, which is more than a codec can handle.
    pub fn new(descriptor: &MessageDescriptor) -> Result<Self> {
        let arena = Arena::new(descriptor.table()?, Input::NONE);
        Ok(Self::of(descriptor.clone(), arena))
    }

    pub(crate) fn of(descriptor: MessageDescriptor, arena: Arena) -> Self {
        DynamicMessage { compact_size: arena.size(), descriptor, arena }
    }

    /// Returns the descriptor of the message.
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

    /// Returns the size of the arena in bytes. The size includes garbage and a copy of the input, but not an input that is
    /// shared.
    #[doc(hidden)]
    pub fn space(&self) -> usize {
        self.arena.size()
    }

    /// Returns the table of the message. It was built when the message was made.
    #[inline]
    pub(crate) fn table(&self) -> &Table {
        self.descriptor.table().expect("the table was built when the message was made")
    }

    /// Returns the message in the form that codecs read.
    pub(crate) fn view(&self) -> MessageAt<'_> {
        self.read()
    }

    pub(crate) fn read(&self) -> MessageAt<'_> {
        MessageAt::new(&self.arena, self.table(), ROOT)
    }

    /// Returns the message in the form that codecs fill.
    pub(crate) fn fill(&mut self) -> Result<MessageFill<'_, '_>> {
        let table = self.descriptor.table()?;
        Ok(MessageFill { arena: &mut self.arena, table, offsets: Offsets::new(ROOT) })
    }

    pub(crate) fn change(&mut self) -> Result<MessageAtMut<'_>> {
        self.tidy()?;
        Ok(MessageAtMut::new(&mut self.arena, self.descriptor.table()?, ROOT))
    }

    /// Compacts the arena if it has doubled and contains garbage.
    pub(crate) fn tidy(&mut self) -> Result<()> {
        if self.arena.garbage > 0 && self.arena.size() > 2 * self.compact_size + 4096 {
            self.compact()?;
        }
        Ok(())
    }

    #[cold]
    fn compact(&mut self) -> Result<()> {
        let table = self.descriptor.table()?;
        let input = match &self.arena.input {
            Input::Shared(bytes) => bytes.clone().into(),
            // The copy of the input is among the cells, so the strings must be copied, too.
            Input::Copied(_) => Input::NONE,
        };
        let mut arena = Arena::new(table, input);
        copy::copy(&mut arena, table, ROOT, &self.arena, ROOT)?;
        self.arena = arena;
        self.compact_size = self.arena.size();
        Ok(())
    }
}
