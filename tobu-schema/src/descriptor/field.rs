//! Handles of fields, including extensions, and of the oneofs that contain them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::handle::Handle;
use super::message::WeakMessage;
use super::tables::{FieldEntry, FileTables, Item, OneofEntry};
use super::{
    Cardinality, Comments, Declared, DefaultValue, EnumDescriptor, Features, FileDescriptor, Kind,
    MessageDescriptor, OptionsRef, Type,
};

/// A field of a message.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FieldDescriptor(Handle);

/// Whether a field holds one value, a list or a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldShape {
    /// At most one value.
    Singular(Kind),
    /// A list of values.
    List(Kind),
    /// A map, by the two fields of its entry.
    Map {
        /// The key.
        key: FieldDescriptor,
        /// The value.
        value: FieldDescriptor,
    },
}

impl FieldDescriptor {
    pub(super) fn from_handle(handle: Handle) -> Self {
        FieldDescriptor(handle)
    }

    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        FieldDescriptor(Handle::new(file, index))
    }

    /// Returns its position among the fields of its file.
    #[doc(hidden)]
    pub fn index_in_file(&self) -> u32 {
        self.0.index
    }

    pub(super) fn entry(&self) -> &FieldEntry {
        &self.0.file.fields[self.0.index as usize]
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name: the name of its message, or of the scope of an extension, followed by its own.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Field(self.0.index))
    }

    /// Returns the name in JSON, declared or derived from the proto name.
    pub fn json_name(&self) -> &str {
        self.0.file.text(self.entry().json_name)
    }

    /// Returns the field number.
    pub fn number(&self) -> u32 {
        self.entry().number
    }

    /// Returns its position among the fields of its message, or among the extensions of its scope.
    pub fn index(&self) -> usize {
        let (field, file) = (self.entry(), &self.0.file);
        let siblings = match (field.is_extension, field.scope) {
            (false, _) => file.messages[field.parent.index as usize].fields,
            (true, Some(scope)) => file.messages[scope as usize].extensions,
            (true, None) => file.top_extensions,
        };
        (self.0.index - siblings.start) as usize
    }

    /// Returns the file that declares it.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message that declares it; for an extension, the message that it extends.
    pub fn message(&self) -> MessageDescriptor {
        MessageDescriptor::from_handle(self.0.target(self.entry().parent))
    }

    /// Returns the message that declares the field, in a handle that does not keep its file alive.
    #[inline]
    #[doc(hidden)]
    pub fn is_field_of_weak(&self, message: &WeakMessage) -> bool {
        let field = self.entry();
        !field.is_extension && field.parent.file == 0 && message.is_at(&self.0.file, field.parent.index)
    }

    /// True if it is a field of the message.
    #[doc(hidden)]
    pub fn is_field_of(&self, message: &MessageDescriptor) -> bool {
        let field = self.entry();
        !field.is_extension && field.parent.file == 0 && message.is_at(&self.0.file, field.parent.index)
    }

    /// Returns how often it may occur.
    pub fn cardinality(&self) -> Cardinality {
        self.entry().cardinality
    }

    /// Returns whether it holds one value, a list or a map.
    pub fn shape(&self) -> FieldShape {
        match (self.map_key(), self.map_value()) {
            (Some(key), Some(value)) => FieldShape::Map { key, value },
            _ if self.is_list() => FieldShape::List(self.kind()),
            _ => FieldShape::Singular(self.kind()),
        }
    }

    /// Returns the kind of a single value, with its message or enum; for a map, the message of its entries.
    pub fn kind(&self) -> Kind {
        let field = self.entry();
        match field.ty {
            Type::Double => Kind::Double,
            Type::Float => Kind::Float,
            Type::Int32 => Kind::Int32,
            Type::Int64 => Kind::Int64,
            Type::UInt32 => Kind::UInt32,
            Type::UInt64 => Kind::UInt64,
            Type::SInt32 => Kind::SInt32,
            Type::SInt64 => Kind::SInt64,
            Type::Fixed32 => Kind::Fixed32,
            Type::Fixed64 => Kind::Fixed64,
            Type::SFixed32 => Kind::SFixed32,
            Type::SFixed64 => Kind::SFixed64,
            Type::Bool => Kind::Bool,
            Type::String => Kind::String,
            Type::Bytes => Kind::Bytes,
            Type::Message => Kind::Message(MessageDescriptor::from_handle(self.0.target(field.target))),
            Type::Enum => Kind::Enum(EnumDescriptor::from_handle(self.0.target(field.target))),
        }
    }

    /// Returns the kind of a single value without its message or enum.
    pub fn ty(&self) -> Type {
        self.entry().ty
    }

    /// Returns the message that it holds, if it holds messages.
    pub fn message_type(&self) -> Option<MessageDescriptor> {
        let field = self.entry();
        let is_message = field.ty == Type::Message;
        is_message.then(|| MessageDescriptor::from_handle(self.0.target(field.target)))
    }

    /// Returns the enum that it holds, if it holds enum values.
    pub fn enum_type(&self) -> Option<EnumDescriptor> {
        let field = self.entry();
        (field.ty == Type::Enum).then(|| EnumDescriptor::from_handle(self.0.target(field.target)))
    }

    /// True if the field distinguishes "not set" from "set to the default".
    pub fn has_presence(&self) -> bool {
        self.entry().has_presence
    }

    /// True if a message without the field is not valid.
    pub fn is_required(&self) -> bool {
        self.entry().cardinality == Cardinality::Required
    }

    /// True for a list that is written in packed form.
    pub fn is_packed(&self) -> bool {
        self.entry().is_packed
    }

    /// True for messages that are written as groups.
    pub fn is_delimited(&self) -> bool {
        self.entry().is_delimited
    }

    /// True for strings that must be UTF-8.
    pub fn validates_utf8(&self) -> bool {
        self.entry().validates_utf8
    }

    /// True for a repeated field that is not a map.
    pub fn is_list(&self) -> bool {
        let field = self.entry();
        field.cardinality == Cardinality::Repeated && !field.is_map
    }

    /// True for a map.
    pub fn is_map(&self) -> bool {
        self.entry().is_map
    }

    /// Returns the key of its entries, if it is a map.
    pub fn map_key(&self) -> Option<FieldDescriptor> {
        self.map_field(0)
    }

    /// Returns the value of its entries, if it is a map.
    pub fn map_value(&self) -> Option<FieldDescriptor> {
        self.map_field(1)
    }

    fn map_field(&self, i: usize) -> Option<FieldDescriptor> {
        let field = self.entry();
        if !field.is_map {
            return None;
        }
        // Linking has checked that a map entry is in the file of its map and has these two fields in this order.
        let index = self.0.file.target_message(field.target).fields.get(i)?;
        Some(FieldDescriptor(self.0.sibling(index)))
    }

    /// Returns the oneof that contains it, unless that is synthetic.
    pub fn oneof(&self) -> Option<OneofDescriptor> {
        self.containing_oneof().filter(|oneof| !oneof.is_synthetic())
    }

    /// Returns the oneof that contains it, real or synthetic.
    pub fn containing_oneof(&self) -> Option<OneofDescriptor> {
        self.entry().oneof.map(|oneof| OneofDescriptor::new(&self.0.file, oneof))
    }

    /// True for `optional` in proto3.
    pub fn is_proto3_optional(&self) -> bool {
        self.entry().is_proto3_optional
    }

    /// True for an extension.
    pub fn is_extension(&self) -> bool {
        self.entry().is_extension
    }

    /// Returns the message in which an extension is declared; `None` at the top level of a file, and for other fields.
    pub(super) fn scope(&self) -> Option<MessageDescriptor> {
        self.entry().scope.map(|scope| MessageDescriptor::new(&self.0.file, scope))
    }

    /// Returns the declared default in its stored form.
    #[doc(hidden)]
    pub fn declared_default(&self) -> Option<&Arc<Declared>> {
        self.entry().default.as_ref()
    }

    /// Returns the declared default; `None` if there is none.
    pub fn default(&self) -> Option<&DefaultValue> {
        self.entry().default.as_deref().map(Declared::value)
    }

    /// True if it is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.entry().is_deprecated
    }

    /// True for a group, and for a delimited field of an edition that is declared like a group: its message is in the
    /// same scope and has the same name, except for case.
    pub fn is_group_like(&self) -> bool {
        let scope = if self.is_extension() { self.scope() } else { Some(self.message()) };
        self.is_delimited()
            && self.message_type().is_some_and(|message| {
                message.name().to_ascii_lowercase() == self.name()
                    && message.file() == self.file()
                    && message.parent() == scope
            })
    }

    /// True if debug output must not show its value: because of its option `debug_redact`, or because a value of an
    /// enum with that option is anywhere in its options, custom ones included.
    pub fn debug_redact(&self) -> bool {
        *self.entry().debug_redact.get_or_init(|| self.options().redacts())
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.FieldOptions",
        )
    }

    /// Returns the features that apply to it, inferred ones included.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around it.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&self.0.file.field_path(self.0.index))
    }
}

impl fmt::Debug for FieldDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FieldDescriptor({})", self.full_name())
    }
}

/// An extension: a field that is declared outside of the message that has it.
///
/// It dereferences to its field, so it has all methods of a field.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ExtensionDescriptor(FieldDescriptor);

impl ExtensionDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        ExtensionDescriptor(FieldDescriptor::new(file, index))
    }

    /// Returns the extension as a field of the message that it extends.
    pub fn field(&self) -> &FieldDescriptor {
        &self.0
    }

    /// Returns the message that it extends.
    pub fn extendee(&self) -> MessageDescriptor {
        self.0.message()
    }

    /// Returns the message in which it is declared; `None` at the top level of a file.
    pub fn scope(&self) -> Option<MessageDescriptor> {
        self.0.scope()
    }
}

impl Deref for ExtensionDescriptor {
    type Target = FieldDescriptor;

    fn deref(&self) -> &FieldDescriptor {
        &self.0
    }
}

impl fmt::Debug for ExtensionDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionDescriptor({})", self.full_name())
    }
}

/// A oneof: at most one of its fields is set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OneofDescriptor(Handle);

impl OneofDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        OneofDescriptor(Handle::new(file, index))
    }

    fn entry(&self) -> &OneofEntry {
        &self.0.file.oneofs[self.0.index as usize]
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Oneof(self.0.index))
    }

    /// Returns the file that declares it.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message that declares it.
    pub fn message(&self) -> MessageDescriptor {
        MessageDescriptor::new(&self.0.file, self.entry().message)
    }

    /// Returns its position among all oneofs of its message, in which synthetic ones are last.
    pub fn index(&self) -> usize {
        (self.0.index - self.0.file.messages[self.entry().message as usize].oneofs.start) as usize
    }

    /// Returns its fields, in the order of declaration.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldDescriptor> + '_ {
        OneofFields { file: &self.0.file, fields: self.entry().fields.iter() }
    }

    /// True for a oneof that exists only for one optional field of proto3; it is not written in the file.
    pub fn is_synthetic(&self) -> bool {
        self.entry().is_synthetic
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.OneofOptions",
        )
    }

    /// Returns the features that apply to it.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around it.
    pub fn comments(&self) -> Comments {
        let mut path = self.0.file.message_path(self.entry().message);
        path.extend([8, self.index() as i32]);
        self.0.file.comments(&path)
    }
}

/// The fields of a oneof. `nth` takes constant time.
struct OneofFields<'o> {
    file: &'o Arc<FileTables>,
    fields: std::slice::Iter<'o, u32>,
}

impl Iterator for OneofFields<'_> {
    type Item = FieldDescriptor;

    fn next(&mut self) -> Option<FieldDescriptor> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<FieldDescriptor> {
        Some(FieldDescriptor::new(self.file, *self.fields.nth(n)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.fields.size_hint()
    }
}

impl ExactSizeIterator for OneofFields<'_> {}

impl fmt::Debug for OneofDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OneofDescriptor({})", self.full_name())
    }
}
