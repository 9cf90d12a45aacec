//! The data of a linked file, as flat tables. Elements refer to each other by index. The tables do not change after
//! linking.

use std::any::Any;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

use bytes::Bytes;
use once_cell::race::OnceBox;
use once_cell::sync::OnceCell;

use super::source::CommentTable;
use super::{Declared, Edition, Features, Type, Visibility};

/// A linked file. Messages, enums and extensions of one scope are adjacent in their tables.
///
/// A few bytes of a descriptor can declare an element, so entries must be small. Therefore texts and options are
/// ranges of one table, and full names are built when they are needed for the first time.
pub(super) struct FileTables {
    name: Span,
    package: Span,
    pub(super) edition: Edition,
    pub(super) features: Features,
    /// True if the file declares extensions, or refers directly or indirectly to a file that does.
    pub(super) reaches_extensions: bool,
    pub(super) encoded: Bytes,
    pub(super) options: Span,
    pub(super) imports: Vec<Import>,
    /// All other files to which this file refers. First come the imports, then the files whose types it uses
    /// through public imports.
    pub(super) reach: Vec<Arc<FileTables>>,
    texts: String,
    option_bytes: Vec<u8>,
    pub(super) messages: Vec<MessageEntry>,
    pub(super) top_messages: Span,
    pub(super) fields: Vec<FieldEntry>,
    pub(super) top_extensions: Span,
    pub(super) oneofs: Vec<OneofEntry>,
    pub(super) enums: Vec<EnumEntry>,
    pub(super) top_enums: Span,
    pub(super) values: Vec<ValueEntry>,
    pub(super) services: Vec<ServiceEntry>,
    pub(super) methods: Vec<MethodEntry>,
    /// The fields of each message, three times: sorted by number, by name and by JSON name.
    pub(super) field_orders: Vec<u32>,
    /// The values of each enum, twice: sorted by number and by name.
    pub(super) value_orders: Vec<u32>,
    pub(super) comments: OnceCell<Box<CommentTable>>,
    /// True if a value of an enum in a file within reach has the option `debug_redact`. It is computed when it is
    /// needed for the first time.
    pub(super) reaches_redact: OnceCell<bool>,
}

/// The sort order of the entries of a table.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Number,
    Name,
    JsonName,
}

/// A declared element, by its index in a table of its file.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// The package of the file, or a package around it. The number is the length of the package's full name.
    Package(u32),
    Message(u32),
    Field(u32),
    Oneof(u32),
    Enum(u32),
    Value(u32),
    Extension(u32),
    Service(u32),
    Method(u32),
}

impl Item {
    pub(super) fn is_type(self) -> bool {
        matches!(self, Item::Message(_) | Item::Enum(_))
    }

    /// True if the element may contain other declarations.
    pub(super) fn has_members(self) -> bool {
        self.is_type() || matches!(self, Item::Package(_) | Item::Service(_))
    }

    /// Returns the noun for this kind of element in error texts.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Item::Package(_) => "a package",
            Item::Message(_) => "a message",
            Item::Field(_) => "a field",
            Item::Oneof(_) => "a oneof",
            Item::Enum(_) => "an enum",
            Item::Value(_) => "an enum value",
            Item::Extension(_) => "an extension",
            Item::Service(_) => "a service",
            Item::Method(_) => "a method",
        }
    }
}

impl Drop for FileTables {
    /// Drops a chain of imports in a loop, because the recursion for a long chain would overflow the stack.
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.reach);
        while let Some(file) = pending.pop() {
            if let Some(mut tables) = Arc::into_inner(file) {
                pending.append(&mut tables.reach);
            }
        }
    }
}

/// How a file is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportKind {
    Plain,
    Public,
    Weak,
    /// The import is only for options, and the imported file may be missing.
    Option,
}

pub(super) struct Import {
    pub(super) kind: ImportKind,
    /// The index in `reach`; `None` if the file is imported for its options and is missing.
    pub(super) file: Option<u32>,
}

/// A range of adjacent entries in one of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    pub(super) fn range(self) -> Range<u32> {
        self.start..self.end
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(super) fn of<T>(self, table: &[T]) -> &[T] {
        &table[self.start as usize..self.end as usize]
    }

    /// Returns the index in the table of the `i`-th entry of the range.
    pub(super) fn get(self, i: usize) -> Option<u32> {
        if i < self.len() { Some(self.start + i as u32) } else { None }
    }
}

/// A message or an enum in this file or in a file of `reach`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeRef {
    /// The file: 0 for this file, otherwise the index in `reach` plus 1.
    pub(super) file: u32,
    pub(super) index: u32,
}

/// The name of an element, without its scope. The scope, with which the full name starts, is in the entry of the
/// element.
pub(super) struct Name {
    pub(super) last: Span,
    full: OnceBox<Box<str>>,
}

impl Name {
    pub(super) fn new(last: Span) -> Self {
        Name { last, full: OnceBox::new() }
    }
}

/// The numbers that a message or an enum reserves or leaves to extensions, and the names that it reserves.
#[derive(Default)]
pub(super) struct Ranges<T> {
    pub(super) extension: Box<[T]>,
    pub(super) reserved: Box<[T]>,
    pub(super) names: Box<[Span]>,
}

impl<T> Ranges<T> {
    /// Returns the ranges in a box; `None` if there are none. The box keeps entries small, because most elements
    /// have no ranges.
    pub(super) fn boxed(self) -> Option<Box<Self>> {
        let is_empty = self.extension.is_empty() && self.reserved.is_empty() && self.names.is_empty();
        if is_empty { None } else { Some(Box::new(self)) }
    }
}

pub(super) struct MessageEntry {
    pub(super) name: Name,
    pub(super) parent: Option<u32>,
    pub(super) fields: Span,
    pub(super) oneofs: Span,
    /// The number of oneofs that are not synthetic. The synthetic oneofs come last.
    pub(super) real_oneofs: u32,
    pub(super) messages: Span,
    pub(super) enums: Span,
    pub(super) extensions: Span,
    pub(super) ranges: Option<Box<Ranges<Range<u32>>>>,
    pub(super) options: Span,
    pub(super) features: Features,
    pub(super) is_map_entry: bool,
    pub(super) is_message_set: bool,
    pub(super) allows_json_conflicts: bool,
    pub(super) is_deprecated: bool,
    pub(super) visibility: Visibility,
    pub(super) cache: OnceCell<Box<dyn Any + Send + Sync>>,
    /// A pointer that an upper layer can set to its cached value. At first it is null.
    pub(super) shortcut: AtomicPtr<()>,
}

/// How often a field may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// The field may occur at most once.
    Optional,
    /// The field must occur exactly once.
    Required,
    /// The field may occur any number of times, because it is a list or a map.
    Repeated,
}

pub(super) struct FieldEntry {
    pub(super) name: Name,
    pub(super) json_name: Span,
    pub(super) number: u32,
    pub(super) ty: Type,
    pub(super) cardinality: Cardinality,
    /// The message or enum, if the type `ty` is one.
    pub(super) target: TypeRef,
    /// The message with the field. For an extension, this is the message that it extends.
    pub(super) parent: TypeRef,
    pub(super) is_extension: bool,
    /// The message in which an extension is declared; `None` at the top level of a file.
    pub(super) scope: Option<u32>,
    /// The index of the field's oneof among all oneofs of the file, which include synthetic oneofs.
    pub(super) oneof: Option<u32>,
    pub(super) is_proto3_optional: bool,
    pub(super) has_presence: bool,
    pub(super) is_packed: bool,
    pub(super) is_delimited: bool,
    pub(super) validates_utf8: bool,
    pub(super) is_map: bool,
    pub(super) is_deprecated: bool,
    /// True if debug output must hide the value. It is computed when it is needed for the first time, because it may depend on
    /// custom options.
    pub(super) debug_redact: OnceCell<bool>,
    pub(super) default: Option<Arc<Declared>>,
    pub(super) features: Features,
    pub(super) options: Span,
}

pub(super) struct OneofEntry {
    pub(super) name: Name,
    pub(super) message: u32,
    /// The indices of the oneof's fields among the fields of the file.
    pub(super) fields: Vec<u32>,
    pub(super) is_synthetic: bool,
    pub(super) features: Features,
    pub(super) options: Span,
}

pub(super) struct EnumEntry {
    pub(super) name: Name,
    pub(super) parent: Option<u32>,
    pub(super) values: Span,
    pub(super) allow_alias: bool,
    pub(super) is_deprecated: bool,
    pub(super) visibility: Visibility,
    pub(super) ranges: Option<Box<Ranges<RangeInclusive<i32>>>>,
    pub(super) features: Features,
    pub(super) options: Span,
    pub(super) cache: OnceCell<Box<dyn Any + Send + Sync>>,
}

pub(super) struct ValueEntry {
    pub(super) name: Name,
    pub(super) parent: u32,
    pub(super) number: i32,
    pub(super) is_deprecated: bool,
    pub(super) features: Features,
    pub(super) options: Span,
}

pub(super) struct ServiceEntry {
    pub(super) name: Name,
    pub(super) methods: Span,
    pub(super) features: Features,
    pub(super) options: Span,
}

pub(super) struct MethodEntry {
    pub(super) name: Name,
    pub(super) service: u32,
    pub(super) input: TypeRef,
    pub(super) output: TypeRef,
    pub(super) is_client_streaming: bool,
    pub(super) is_server_streaming: bool,
    pub(super) features: Features,
    pub(super) options: Span,
}

impl MessageEntry {
    pub(super) fn extension_ranges(&self) -> &[Range<u32>] {
        self.ranges.as_ref().map_or(&[], |ranges| &ranges.extension)
    }

    pub(super) fn reserved_ranges(&self) -> &[Range<u32>] {
        self.ranges.as_ref().map_or(&[], |ranges| &ranges.reserved)
    }

    pub(super) fn reserved_names(&self) -> &[Span] {
        self.ranges.as_ref().map_or(&[], |ranges| &ranges.names)
    }
}

impl EnumEntry {
    pub(super) fn reserved_ranges(&self) -> &[RangeInclusive<i32>] {
        self.ranges.as_ref().map_or(&[], |ranges| &ranges.reserved)
    }

    pub(super) fn reserved_names(&self) -> &[Span] {
        self.ranges.as_ref().map_or(&[], |ranges| &ranges.names)
    }
}

impl FileTables {
    /// Creates the tables of a file without declarations.
    pub(super) fn new(name: &str, package: &str, edition: Edition, encoded: Bytes) -> Self {
        let mut tables = FileTables {
            name: Span::default(),
            package: Span::default(),
            edition,
            features: Features::of_edition(edition),
            reaches_extensions: false,
            encoded,
            options: Span::default(),
            imports: Vec::new(),
            reach: Vec::new(),
            texts: String::new(),
            option_bytes: Vec::new(),
            messages: Vec::new(),
            top_messages: Span::default(),
            fields: Vec::new(),
            top_extensions: Span::default(),
            oneofs: Vec::new(),
            enums: Vec::new(),
            top_enums: Span::default(),
            values: Vec::new(),
            services: Vec::new(),
            methods: Vec::new(),
            field_orders: Vec::new(),
            value_orders: Vec::new(),
            comments: OnceCell::new(),
            reaches_redact: OnceCell::new(),
        };
        tables.name = tables.push_text(name);
        tables.package = tables.push_text(package);
        tables
    }

    /// Returns the file's name, which is the name that imports use.
    pub(super) fn name(&self) -> &str {
        self.text(self.name)
    }

    /// Returns the package, which is empty if the file has none.
    pub(super) fn package(&self) -> &str {
        self.text(self.package)
    }

    #[inline(never)]
    pub(super) fn text(&self, text: Span) -> &str {
        &self.texts[text.start as usize..text.end as usize]
    }

    pub(super) fn push_text(&mut self, text: &str) -> Span {
        let start = self.texts.len();
        self.texts.push_str(text);
        Span::new(start, self.texts.len())
    }

    /// Returns the serialized options in a range, which is empty if an element has no options.
    #[inline]
    pub(super) fn options(&self, options: Span) -> &[u8] {
        options.of(&self.option_bytes)
    }

    pub(super) fn push_options(&mut self, options: &[u8]) -> Span {
        let start = self.option_bytes.len();
        self.option_bytes.extend_from_slice(options);
        Span::new(start, self.option_bytes.len())
    }

    /// Frees the memory of the tables that is not used.
    pub(super) fn shrink(&mut self) {
        self.imports.shrink_to_fit();
        self.reach.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.option_bytes.shrink_to_fit();
    }

    /// Returns the tables of the file to which a reference refers.
    pub(super) fn target(&self, target: TypeRef) -> &FileTables {
        match target.file.checked_sub(1) {
            None => self,
            Some(i) => &self.reach[i as usize],
        }
    }

    pub(super) fn target_message(&self, target: TypeRef) -> &MessageEntry {
        &self.target(target).messages[target.index as usize]
    }

    pub(super) fn target_enum(&self, target: TypeRef) -> &EnumEntry {
        &self.target(target).enums[target.index as usize]
    }

    /// Returns the full name of the message or enum to which a reference refers.
    pub(super) fn target_name(&self, target: TypeRef, item: fn(u32) -> Item) -> &str {
        self.target(target).full_name(item(target.index))
    }

    /// Returns the indices of some fields, sorted by `order`.
    #[inline]
    pub(super) fn fields_by(&self, order: Order, fields: Span) -> &[u32] {
        &self.field_orders[order as usize * self.fields.len()..][fields.start as usize..fields.end as usize]
    }

    /// Returns the indices of some values, sorted by number or name. Values with the same number stay in the order
    /// of declaration.
    #[inline]
    pub(super) fn values_by(&self, order: Order, values: Span) -> &[u32] {
        &self.value_orders[order as usize * self.values.len()..][values.start as usize..values.end as usize]
    }

    /// Returns the full name of an element. The name is built at the first call.
    pub(super) fn full_name(&self, item: Item) -> &str {
        match self.parts_of(item) {
            Ok((name, scope)) => name.full.get_or_init(|| {
                let mut full = String::new();
                self.push_scope(scope, &mut full);
                full.push_str(self.text(name.last));
                Box::new(full.into_boxed_str())
            }),
            Err(package) => package,
        }
    }

    /// Writes the full name of a scope, with a dot after the name. If the name is empty, writes nothing.
    pub(super) fn push_scope(&self, scope: Option<Item>, out: &mut String) {
        match scope.map(|item| self.parts_of(item)) {
            Some(Ok((name, outer))) => {
                // The depth of the recursion is limited, because the nesting of messages is limited.
                self.push_scope(outer, out);
                out.push_str(self.text(name.last));
            }
            Some(Err(package)) => out.push_str(package),
            None => out.push_str(self.package()),
        }
        if !out.is_empty() {
            out.push('.');
        }
    }

    /// True if an element has this full name. The function does not build the full name.
    pub(super) fn is_named(&self, item: Item, full: &str) -> bool {
        let (mut rest, mut next) = (full, Some(item));
        while let Some(item) = next {
            let (name, scope) = match self.parts_of(item) {
                Ok(parts) => parts,
                Err(package) => return rest == package,
            };
            let Some(before) = rest.strip_suffix(self.text(name.last)) else { return false };
            if scope.is_none() && self.package().is_empty() {
                return before.is_empty();
            }
            let Some(outer) = before.strip_suffix('.') else { return false };
            (rest, next) = (outer, scope);
        }
        rest == self.package()
    }

    /// Returns the name of an element, and the message or service in which it is declared. For a package, returns
    /// its whole name.
    fn parts_of(&self, item: Item) -> Result<(&Name, Option<Item>), &str> {
        let in_message = |parent: Option<u32>| parent.map(Item::Message);
        Ok(match item {
            Item::Package(len) => return Err(&self.package()[..len as usize]),
            Item::Message(i) => {
                let entry = &self.messages[i as usize];
                (&entry.name, in_message(entry.parent))
            }
            Item::Field(i) | Item::Extension(i) => {
                let entry = &self.fields[i as usize];
                (
                    &entry.name,
                    in_message(if entry.is_extension { entry.scope } else { Some(entry.parent.index) }),
                )
            }
            Item::Oneof(i) => {
                let entry = &self.oneofs[i as usize];
                (&entry.name, Some(Item::Message(entry.message)))
            }
            Item::Enum(i) => {
                let entry = &self.enums[i as usize];
                (&entry.name, in_message(entry.parent))
            }
            Item::Value(i) => {
                // Values are in the same scope as their enum, as in C++.
                let entry = &self.values[i as usize];
                (&entry.name, in_message(self.enums[entry.parent as usize].parent))
            }
            Item::Service(i) => (&self.services[i as usize].name, None),
            Item::Method(i) => {
                let entry = &self.methods[i as usize];
                (&entry.name, Some(Item::Service(entry.service)))
            }
        })
    }
}
