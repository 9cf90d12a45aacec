//! Handles of fields and extensions, and of oneofs.

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
    /// A map, whose entry message has these two fields.
    Map {
        /// The field of the key.
        key: FieldDescriptor,
        /// The field of the value.
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

    /// Returns the index of the field among all fields of its file.
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

    /// Returns the full name. It begins with the full name of the field's message; for an extension, with the scope of
    /// the declaration.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Field(self.0.index))
    }

    /// Returns the name in JSON, which is declared in the schema or derived from the proto name.
    pub fn json_name(&self) -> &str {
        self.0.file.text(self.entry().json_name)
    }

    /// Returns the field number.
    pub fn number(&self) -> u32 {
        self.entry().number
    }

    /// Returns the index of the field among the fields of its message; for an extension, among the extensions of its
    /// scope.
    pub fn index(&self) -> usize {
        let (field, file) = (self.entry(), &self.0.file);
        let siblings = match (field.is_extension, field.scope) {
            (false, _) => file.messages[field.parent.index as usize].fields,
            (true, Some(scope)) => file.messages[scope as usize].extensions,
            (true, None) => file.top_extensions,
        };
        (self.0.index - siblings.start) as usize
    }

    /// Returns the file that declares the field.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message that declares the field. For an extension, returns the extended message.
    pub fn message(&self) -> MessageDescriptor {
        MessageDescriptor::from_handle(self.0.target(self.entry().parent))
    }

    /// True if `message`, a handle that does not keep its file alive, is the message that declares the field.
    #[inline]
    #[doc(hidden)]
    pub fn is_field_of_weak(&self, message: &WeakMessage) -> bool {
        let field = self.entry();
        !field.is_extension && field.parent.file == 0 && message.is_at(&self.0.file, field.parent.index)
    }

    /// True if `message` declares the field.
    #[doc(hidden)]
    pub fn is_field_of(&self, message: &MessageDescriptor) -> bool {
        let field = self.entry();
        !field.is_extension && field.parent.file == 0 && message.is_at(&self.0.file, field.parent.index)
    }

    /// Returns whether the field is optional, required or repeated.
    pub fn cardinality(&self) -> Cardinality {
        self.entry().cardinality
    }

    /// Returns whether the field holds one value, a list or a map.
    pub fn shape(&self) -> FieldShape {
        match (self.map_key(), self.map_value()) {
            (Some(key), Some(value)) => FieldShape::Map { key, value },
            _ if self.is_list() => FieldShape::List(self.kind()),
            _ => FieldShape::Singular(self.kind()),
        }
    }

    /// Returns the kind of a single value, with its message or enum. For a map, this is the message of the entries.
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

    /// Returns the type of a single value, without its message or enum.
    pub fn ty(&self) -> Type {
        self.entry().ty
    }

    /// Returns the message type of the field's values; `None` if they are not messages.
    pub fn message_type(&self) -> Option<MessageDescriptor> {
        let field = self.entry();
        let is_message = field.ty == Type::Message;
        is_message.then(|| MessageDescriptor::from_handle(self.0.target(field.target)))
    }

    /// Returns the enum type of the field's values; `None` if they are not enum values.
    pub fn enum_type(&self) -> Option<EnumDescriptor> {
        let field = self.entry();
        (field.ty == Type::Enum).then(|| EnumDescriptor::from_handle(self.0.target(field.target)))
    }

    /// True if the field distinguishes "not set" from "set to the default value".
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

    /// Returns the key field of the map's entries; `None` if the field is not a map.
    pub fn map_key(&self) -> Option<FieldDescriptor> {
        self.map_field(0)
    }

    /// Returns the value field of the map's entries; `None` if the field is not a map.
    pub fn map_value(&self) -> Option<FieldDescriptor> {
        self.map_field(1)
    }

    fn map_field(&self, i: usize) -> Option<FieldDescriptor> {
        let field = self.entry();
        if !field.is_map {
            return None;
        }
        // Linking has checked that the message of the entries is in the same file as the map, and that its fields are the key
        // and the value.
        let index = self.0.file.target_message(field.target).fields.get(i)?;
        Some(FieldDescriptor(self.0.sibling(index)))
    }

    /// Returns the oneof with the field; `None` if the field is in no oneof, or in a synthetic oneof.
    pub fn oneof(&self) -> Option<OneofDescriptor> {
        self.containing_oneof().filter(|oneof| !oneof.is_synthetic())
    }

    /// Returns the oneof with the field, even if it is synthetic.
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

    /// Returns the declared default value in the form in which the tables store it.
    #[doc(hidden)]
    pub fn declared_default(&self) -> Option<&Arc<Declared>> {
        self.entry().default.as_ref()
    }

    /// Returns the declared default value; `None` if the schema declares none.
    pub fn default(&self) -> Option<&DefaultValue> {
        self.entry().default.as_deref().map(Declared::value)
    }

    /// True if the field is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.entry().is_deprecated
    }

    /// True for a group, and for a delimited field of an edition if it looks like a group: its message must be in the
    /// same scope as the field, and must have the same name except for case.
    pub fn is_group_like(&self) -> bool {
        let scope = if self.is_extension() { self.scope() } else { Some(self.message()) };
        self.is_delimited()
            && self.message_type().is_some_and(|message| {
                message.name().to_ascii_lowercase() == self.name()
                    && message.file() == self.file()
                    && message.parent() == scope
            })
    }

    /// True if debug output must not show the value of the field. The reason is the field's option `debug_redact`, or an enum
    /// value with this option somewhere in the field's options, including custom options.
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

    /// Returns the features that apply to the field. In proto2 and proto3, the syntax implies the features.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the field.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&self.0.file.field_path(self.0.index))
    }
}

impl fmt::Debug for FieldDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FieldDescriptor({})", self.full_name())
    }
}

/// An extension, which is a field that is declared outside of its message.
///
/// An extension dereferences to its field, so it has all methods of a field.
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

    /// Returns the message that the extension extends.
    pub fn extendee(&self) -> MessageDescriptor {
        self.0.message()
    }

    /// Returns the message in which the extension is declared; `None` at the top level of a file.
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

/// A oneof. At most one of its fields is set.
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

    /// Returns the file that declares the oneof.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the message that declares the oneof.
    pub fn message(&self) -> MessageDescriptor {
        MessageDescriptor::new(&self.0.file, self.entry().message)
    }

    /// Returns the index of the oneof among the oneofs of its message. Synthetic oneofs come last.
    pub fn index(&self) -> usize {
        (self.0.index - self.0.file.messages[self.entry().message as usize].oneofs.start) as usize
    }

    /// Returns the fields of the oneof, in the order of declaration.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldDescriptor> + '_ {
        OneofFields { file: &self.0.file, fields: self.entry().fields.iter() }
    }

    /// True for a oneof that exists only because of one `optional` field in proto3. The source of the schema does not
    /// have it.
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

    /// Returns the features that apply to the oneof.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the oneof.
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
