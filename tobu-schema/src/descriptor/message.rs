//! The handle of a message.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Weak};

use super::handle::{Elements, Handle};
use super::tables::{FieldEntry, FileTables, Item, MessageEntry, Order};
use super::{
    Comments, EnumDescriptor, ExtensionDescriptor, Features, FieldDescriptor, FileDescriptor,
    OneofDescriptor, OptionsRef, Visibility,
};

/// A message type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MessageDescriptor(Handle);

impl MessageDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        MessageDescriptor(Handle::new(file, index))
    }

    pub(super) fn from_handle(handle: Handle) -> Self {
        MessageDescriptor(handle)
    }

    #[inline]
    fn entry(&self) -> &MessageEntry {
        &self.0.file.messages[self.0.index as usize]
    }

    fn field_at(&self, index: u32) -> FieldDescriptor {
        FieldDescriptor::new(&self.0.file, index)
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name, without a leading dot.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Message(self.0.index))
    }

    /// Returns the file that declares the message.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message in which this message is nested; `None` at the top level of a file.
    pub fn parent(&self) -> Option<MessageDescriptor> {
        self.entry().parent.map(|parent| MessageDescriptor(self.0.sibling(parent)))
    }

    /// Returns the index of the message among the messages of its scope.
    pub fn index(&self) -> usize {
        let siblings = match self.entry().parent {
            Some(parent) => self.0.file.messages[parent as usize].messages,
            None => self.0.file.top_messages,
        };
        (self.0.index - siblings.start) as usize
    }

    /// Returns the fields, in the order of declaration.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().fields.range(), FieldDescriptor::new)
    }

    /// Returns the field with an index in the order of declaration.
    pub fn field(&self, index: usize) -> Option<FieldDescriptor> {
        self.entry().fields.get(index).map(|index| self.field_at(index))
    }

    /// Returns the number of fields.
    pub fn field_count(&self) -> usize {
        self.entry().fields.len()
    }

    /// Returns the field with a number.
    pub fn field_by_number(&self, number: u32) -> Option<FieldDescriptor> {
        let message = self.entry();
        let is_it = |index: &u32| self.0.file.fields[*index as usize].number == number;
        // Field numbers usually count up from 1, so the position of the number is tried first.
        let by_number = self.0.file.fields_by(Order::Number, message.fields);
        let guess = by_number.get((number as usize).wrapping_sub(1)).filter(|index| is_it(index));
        let index = match guess {
            Some(index) => *index,
            None => self.find(Order::Number, &|field| field.number.cmp(&number))?,
        };
        Some(self.field_at(index))
    }

    /// Returns the field with this [index](FieldDescriptor::index_in_file). This takes over the handle's reference to
    /// the file, so the reference count does not change.
    #[inline]
    #[doc(hidden)]
    pub fn into_field(self, index: u32) -> FieldDescriptor {
        FieldDescriptor::from_handle(Handle { file: self.0.file, index })
    }

    /// Returns the field with a name.
    pub fn field_by_name(&self, name: &str) -> Option<FieldDescriptor> {
        let index = self.find(Order::Name, &|field| self.0.file.text(field.name.last).cmp(name))?;
        Some(self.field_at(index))
    }

    /// Returns the field with a JSON name. Legacy files may have several such fields; then returns the first.
    pub fn field_by_json_name(&self, json_name: &str) -> Option<FieldDescriptor> {
        let index = self.find(Order::JsonName, &|field| self.0.file.text(field.json_name).cmp(json_name))?;
        Some(self.field_at(index))
    }

    /// Returns the first field, in a sort order, for which `compare` returns `Equal`.
    fn find(&self, order: Order, compare: &dyn Fn(&FieldEntry) -> std::cmp::Ordering) -> Option<u32> {
        let sorted = self.0.file.fields_by(order, self.entry().fields);
        let field = |index: u32| &self.0.file.fields[index as usize];
        let at = sorted.partition_point(|&index| compare(field(index)).is_lt());
        sorted.get(at).copied().filter(|&index| compare(field(index)).is_eq())
    }

    /// Returns the oneofs of the schema's source, in the order of declaration.
    pub fn oneofs(&self) -> impl ExactSizeIterator<Item = OneofDescriptor> + '_ {
        let message = self.entry();
        let start = message.oneofs.start;
        Elements::new(&self.0.file, start..start + message.real_oneofs, OneofDescriptor::new)
    }

    /// Returns all oneofs, including the synthetic oneofs of optional fields in proto3.
    pub fn all_oneofs(&self) -> impl ExactSizeIterator<Item = OneofDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().oneofs.range(), OneofDescriptor::new)
    }

    /// Returns the messages that are nested directly in this message, including map entries.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = MessageDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().messages.range(), MessageDescriptor::new)
    }

    /// Returns the enums that are nested directly in this message.
    pub fn enums(&self) -> impl ExactSizeIterator<Item = EnumDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().enums.range(), EnumDescriptor::new)
    }

    /// Returns the extensions that are declared in this message. They may extend any message.
    pub fn extensions(&self) -> impl ExactSizeIterator<Item = ExtensionDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().extensions.range(), ExtensionDescriptor::new)
    }

    /// Returns whether the message is declared `export` or `local`.
    pub fn visibility(&self) -> Visibility {
        self.entry().visibility
    }

    /// True if only the file that declares the message may use it, because of its [declaration](Self::visibility) or
    /// by default.
    pub fn is_local(&self) -> bool {
        let entry = self.entry();
        // The feature `default_symbol_visibility` can only be set for a whole file.
        entry.visibility.is_local(self.0.file.features, entry.parent.is_some())
    }

    /// True for the entry message of a map field, which compilers generate.
    pub fn is_map_entry(&self) -> bool {
        self.entry().is_map_entry
    }

    /// True for a message in the old wire format for message sets.
    pub fn is_message_set(&self) -> bool {
        self.entry().is_message_set
    }

    /// True if the message is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.entry().is_deprecated
    }

    /// Returns the numbers that extensions may use, in ascending order.
    pub fn extension_ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        self.entry().extension_ranges().iter().cloned()
    }

    /// Returns the numbers that fields may not use, in ascending order.
    pub fn reserved_ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        self.entry().reserved_ranges().iter().cloned()
    }

    /// Returns the names that fields may not use, in the order of declaration.
    pub fn reserved_names(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.entry().reserved_names().iter().map(|&name| self.0.file.text(name))
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.MessageOptions",
        )
    }

    /// Returns the features that apply to the message.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the message.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&self.0.file.message_path(self.0.index))
    }

    /// Returns a value that an upper layer caches for this message. At the first call, `init` computes the value.
    ///
    /// The value lives as long as the linked file. It must not contain handles, because they would keep the file
    /// alive forever. `init` must not use the cache of the same message.
    ///
    /// # Panics
    /// If the function is called with two different types for the same message.
    #[doc(hidden)]
    pub fn cache<T: Any + Send + Sync>(&self, init: impl FnOnce() -> T) -> &T {
        let cached = self.entry().cache.get_or_init(|| Box::new(init()));
        cached.downcast_ref().expect("only one type is ever cached")
    }

    /// Returns a pointer that an upper layer can set to its cached value for this message. At first it is null.
    #[inline]
    #[doc(hidden)]
    pub fn shortcut(&self) -> &AtomicPtr<()> {
        &self.entry().shortcut
    }
}

/// A handle of a message that does not keep its file alive. It is for data that is cached together with the file.
#[derive(Clone)]
pub struct WeakMessage {
    file: Weak<FileTables>,
    index: u32,
}

impl WeakMessage {
    /// Returns the descriptor; `None` if its file is no longer alive.
    #[inline]
    #[doc(hidden)]
    pub fn upgrade(&self) -> Option<MessageDescriptor> {
        let file = self.file.upgrade()?;
        Some(MessageDescriptor(Handle { file, index: self.index }))
    }

    /// True if this is the message with the index `index` in `file`.
    #[inline]
    pub(super) fn is_at(&self, file: &Arc<FileTables>, index: u32) -> bool {
        self.index == index && std::ptr::eq(self.file.as_ptr(), Arc::as_ptr(file))
    }

    /// True if both handles refer to the same message.
    #[doc(hidden)]
    pub fn is_same(&self, other: &WeakMessage) -> bool {
        self.index == other.index && Weak::ptr_eq(&self.file, &other.file)
    }

    /// True if `message` is the message of this handle.
    #[inline]
    #[doc(hidden)]
    pub fn is(&self, message: &MessageDescriptor) -> bool {
        self.index == message.0.index && std::ptr::eq(self.file.as_ptr(), Arc::as_ptr(&message.0.file))
    }
}

impl fmt::Debug for WeakMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.upgrade(), f)
    }
}

impl MessageDescriptor {
    /// True if this is the message with the index `index` in `file`.
    pub(super) fn is_at(&self, file: &Arc<FileTables>, index: u32) -> bool {
        self.0.index == index && Arc::ptr_eq(&self.0.file, file)
    }

    /// Returns a handle of this message that does not keep its file alive.
    #[doc(hidden)]
    pub fn downgrade(&self) -> WeakMessage {
        WeakMessage { file: Arc::downgrade(&self.0.file), index: self.0.index }
    }
}

impl fmt::Debug for MessageDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageDescriptor({})", self.full_name())
    }
}
