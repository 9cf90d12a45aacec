//! Handles of enums and of their values.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use std::any::Any;

use super::features::EnumType;
use super::handle::{Elements, Handle};
use super::names::custom_json_name;
use super::tables::{EnumEntry, FileTables, Item, Order, ValueEntry};
use super::{Comments, Features, FileDescriptor, MessageDescriptor, OptionsRef, Visibility};

/// An enum type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EnumDescriptor(Handle);

/// A value of an enum.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EnumValueDescriptor(Handle);

impl EnumDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        EnumDescriptor(Handle::new(file, index))
    }

    pub(super) fn from_handle(handle: Handle) -> Self {
        EnumDescriptor(handle)
    }

    fn entry(&self) -> &EnumEntry {
        &self.0.file.enums[self.0.index as usize]
    }

    /// Returns a value that an upper layer caches for this enum. At the first call, `init` computes the value.
    ///
    /// The value lives as long as the linked file. It must not contain handles, because they would keep the file alive
    /// forever.
    ///
    /// # Panics
    /// If the function is called with two different types for the same enum.
    #[doc(hidden)]
    pub fn cache<T: Any + Send + Sync>(&self, init: impl FnOnce() -> T) -> &T {
        let cached = self.entry().cache.get_or_init(|| Box::new(init()));
        cached.downcast_ref().expect("only one type is ever cached")
    }

    fn value_at(&self, index: u32) -> EnumValueDescriptor {
        EnumValueDescriptor(self.0.sibling(index))
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name, without a leading dot.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Enum(self.0.index))
    }

    /// Returns the file that declares the enum.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message in which the enum is nested; `None` at the top level of a file.
    pub fn parent(&self) -> Option<MessageDescriptor> {
        self.entry().parent.map(|parent| MessageDescriptor::new(&self.0.file, parent))
    }

    /// Returns the index of the enum among the enums of its scope.
    pub fn index(&self) -> usize {
        let siblings = match self.entry().parent {
            Some(parent) => self.0.file.messages[parent as usize].enums,
            None => self.0.file.top_enums,
        };
        (self.0.index - siblings.start) as usize
    }

    /// Returns the values, in the order of declaration. There is at least one value.
    pub fn values(&self) -> impl ExactSizeIterator<Item = EnumValueDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().values.range(), EnumValueDescriptor::new)
    }

    /// Returns the value with a number. If several values have the number, returns the value that is declared first.
    pub fn value_by_number(&self, number: i32) -> Option<EnumValueDescriptor> {
        self.index_by_number(number).map(|index| self.value_at(index))
    }

    /// Returns the name of the value with a number. If several values have the number, returns the name that is declared first.
    pub fn value_name(&self, number: i32) -> Option<&str> {
        self.index_by_number(number)
            .map(|index| self.0.file.text(self.0.file.values[index as usize].name.last))
    }

    /// Returns the [JSON name](EnumValueDescriptor::json_name) of the value with a number. If several values have the number,
    /// returns the JSON name of the value that is declared first.
    #[doc(hidden)]
    pub fn value_json_name(&self, number: i32) -> Option<&str> {
        self.index_by_number(number).map(|index| json_name(&self.0.file, index))
    }

    /// Returns the value with a name that JSON may use: its [JSON name](EnumValueDescriptor::json_name) or its proto
    /// name.
    pub fn value_by_json_name(&self, name: &str) -> Option<EnumValueDescriptor> {
        self.value_by_name(name).or_else(|| self.values().find(|value| value.json_name() == name))
    }

    fn index_by_number(&self, number: i32) -> Option<u32> {
        let by_number = self.0.file.values_by(Order::Number, self.entry().values);
        let key = |index: u32| self.0.file.values[index as usize].number;
        let first = by_number.partition_point(|&index| key(index) < number);
        by_number.get(first).copied().filter(|&index| key(index) == number)
    }

    /// Returns the value with a name.
    pub fn value_by_name(&self, name: &str) -> Option<EnumValueDescriptor> {
        let by_name = self.0.file.values_by(Order::Name, self.entry().values);
        let last = |index: u32| self.0.file.text(self.0.file.values[index as usize].name.last);
        let compare = |&index: &u32| last(index).cmp(name);
        let at = by_name.binary_search_by(compare).ok()?;
        Some(self.value_at(by_name[at]))
    }

    /// Returns the value that a field has by default, which is the value that is declared first.
    pub fn default_value(&self) -> EnumValueDescriptor {
        self.value_at(self.entry().values.start)
    }

    /// True if the enum rejects numbers that it does not declare.
    pub fn is_closed(&self) -> bool {
        self.entry().features.enum_type == EnumType::Closed
    }

    /// True if several values may have the same number.
    pub fn allow_alias(&self) -> bool {
        self.entry().allow_alias
    }

    /// Returns whether the enum is declared `export` or `local`.
    pub fn visibility(&self) -> Visibility {
        self.entry().visibility
    }

    /// True if only the file that declares the enum may use it, because of its [declaration](Self::visibility) or by
    /// default.
    pub fn is_local(&self) -> bool {
        let entry = self.entry();
        // The feature `default_symbol_visibility` can only be set for a whole file.
        entry.visibility.is_local(self.0.file.features, entry.parent.is_some())
    }

    /// True if the enum is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.entry().is_deprecated
    }

    /// Returns the numbers that values may not use, in the order of declaration.
    pub fn reserved_ranges(&self) -> impl ExactSizeIterator<Item = RangeInclusive<i32>> + '_ {
        self.entry().reserved_ranges().iter().cloned()
    }

    /// Returns the names that values may not use, in the order of declaration.
    pub fn reserved_names(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.entry().reserved_names().iter().map(|&name| self.0.file.text(name))
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.EnumOptions",
        )
    }

    /// Returns the features that apply to the enum.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the enum.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&self.0.file.enum_path(self.0.index))
    }
}

impl EnumValueDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        EnumValueDescriptor(Handle::new(file, index))
    }

    fn entry(&self) -> &ValueEntry {
        &self.0.file.values[self.0.index as usize]
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the name in JSON, which is the option `(pb.enumvalue.json).string`. Without this option, it is the proto
    /// name.
    ///
    /// JSON parsers also accept the proto name.
    pub fn json_name(&self) -> &str {
        json_name(&self.0.file, self.0.index)
    }

    /// Returns the full name. It does not contain the name of the enum, because values are in the same scope as their
    /// enum.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Value(self.0.index))
    }

    /// Returns the number.
    pub fn number(&self) -> i32 {
        self.entry().number
    }

    /// Returns the enum that declares the value.
    pub fn enumeration(&self) -> EnumDescriptor {
        EnumDescriptor(self.0.sibling(self.entry().parent))
    }

    /// Returns the index of the value among the values of its enum.
    pub fn index(&self) -> usize {
        (self.0.index - self.0.file.enums[self.entry().parent as usize].values.start) as usize
    }

    /// True if the value is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.entry().is_deprecated
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.EnumValueOptions",
        )
    }

    /// Returns the features that apply to the value.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the value.
    pub fn comments(&self) -> Comments {
        let mut path = self.0.file.enum_path(self.entry().parent);
        path.extend([2, self.index() as i32]);
        self.0.file.comments(&path)
    }
}

fn json_name(file: &FileTables, index: u32) -> &str {
    let value = &file.values[index as usize];
    // Linking has checked that the name is UTF-8.
    let custom = custom_json_name(file.options(value.options));
    custom.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_else(|| file.text(value.name.last))
}

impl fmt::Debug for EnumDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnumDescriptor({})", self.full_name())
    }
}

impl fmt::Debug for EnumValueDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnumValueDescriptor({} = {})", self.full_name(), self.number())
    }
}
