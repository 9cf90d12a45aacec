//! First step of linking: every element gets its entry, its full name and its features.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::super::names::{MAX_FULL_NAME, is_file_name, is_identifier, is_package, json_name, printable};
use super::super::pool::{Item, Symbol};
use super::super::raw::{self, options};
use super::super::tables::*;
use super::super::{Features, Type};
use super::{FieldDraft, Linker, encoded, error_at};
use crate::error::Result;
use crate::wire::MAX_FIELD_NUMBER;

/// The field numbers of `features` in the options messages.
const FILE_FEATURES: u32 = 50;
const MESSAGE_FEATURES: u32 = 12;
const FIELD_FEATURES: u32 = 21;
const ONEOF_FEATURES: u32 = 1;
const ENUM_FEATURES: u32 = 7;
const VALUE_FEATURES: u32 = 2;
const SERVICE_FEATURES: u32 = 34;
const METHOD_FEATURES: u32 = 35;

impl<'b> Linker<'_, 'b> {
    pub(super) fn declare_file(&mut self, mut raw: raw::FileDescriptorProto<'b>) -> Result<()> {
        let name = Arc::clone(&self.tables.name);
        if !is_file_name(&name) {
            return Err(error_at(
                &name,
                None,
                "this is not a file name: it must be a relative path without `..`",
            ));
        }
        self.declare_package(raw.package.as_deref().unwrap_or_default())?;
        self.declare_imports(&raw)?;
        self.tables.options = encoded(raw.options);
        let options = self.tables.options.clone();
        let file = Name::new(Arc::clone(&self.tables.package));
        self.tables.features = self.features(self.tables.features, &options, FILE_FEATURES, &file)?;

        let (features, package) = (self.tables.features, Arc::clone(&self.tables.package));
        let mut pending = Vec::new();
        self.tables.top_messages =
            self.declare_messages(std::mem::take(&mut raw.message_type), None, &mut pending)?;
        self.tables.top_enums = self.declare_enums(raw.enum_type, &package, None, features)?;
        self.tables.top_extensions =
            self.declare_extension_fields(raw.extension, &package, None, features)?;
        // Breadth first, so that the messages of one scope stand together, and without recursion.
        let mut next = 0;
        while next < pending.len() {
            let message = std::mem::take(&mut pending[next]);
            self.declare_members(next as u32, message, &mut pending)?;
            next += 1;
        }
        self.declare_services(raw.service)
    }

    fn declare_package(&mut self, package: &str) -> Result<()> {
        self.tables.package = package.into();
        if package.is_empty() {
            return Ok(());
        }
        if !is_package(package) {
            let text = format!("\"{}\" is not a package name", printable(package));
            return Err(error_at(&self.tables.name, None, text));
        }
        // The innermost first: where it is known, so are those around it.
        let mut prefix = package;
        loop {
            match self.pool.symbols.get(prefix) {
                Some(Symbol { item: Item::Package, .. }) => return Ok(()),
                Some(&symbol) => return Err(self.duplicate(prefix, symbol)),
                None => {
                    let symbol = Symbol { file: self.here, item: Item::Package };
                    self.pool.symbols.insert(prefix.into(), symbol);
                }
            }
            match prefix.rfind('.') {
                Some(dot) => prefix = &prefix[..dot],
                None => return Ok(()),
            }
        }
    }

    fn declare_imports(&mut self, raw: &raw::FileDescriptorProto<'b>) -> Result<()> {
        let count = raw.dependency.len();
        let mut kinds = vec![ImportKind::Plain; count];
        for (list, kind, what) in [
            (&raw.public_dependency, ImportKind::Public, "public_dependency"),
            (&raw.weak_dependency, ImportKind::Weak, "weak_dependency"),
        ] {
            for &index in list {
                match usize::try_from(index).ok().and_then(|i| kinds.get_mut(i)) {
                    Some(slot) => *slot = kind,
                    None => {
                        let text = format!("{what} {index} is out of range: the file has {count} imports");
                        return Err(error_at(&self.tables.name, None, text));
                    }
                }
            }
        }
        kinds.resize(count + raw.option_dependency.len(), ImportKind::Option);
        let mut seen = std::collections::HashSet::new();
        for (import, kind) in raw.dependency.iter().chain(&raw.option_dependency).zip(kinds) {
            if !seen.insert(import) {
                let text = format!("import \"{}\" is listed twice", printable(import));
                return Err(error_at(&self.tables.name, None, text));
            }
            let file = match self.pool.by_name.get(&**import) {
                Some(&index) => Some(self.reach(index)),
                None if kind == ImportKind::Option => None,
                None => {
                    let text = format!("import \"{}\" is missing", printable(import));
                    return Err(error_at(&self.tables.name, None, text));
                }
            };
            self.tables.imports.push(Import { kind, file });
        }
        Ok(())
    }

    /// Adds entries for sibling messages; what is in them is declared when their turn comes.
    fn declare_messages(
        &mut self,
        list: Vec<raw::DescriptorProto<'b>>,
        parent: Option<u32>,
        pending: &mut Vec<raw::DescriptorProto<'b>>,
    ) -> Result<Span> {
        let start = self.tables.messages.len();
        let (scope, inherited) = match parent {
            Some(parent) => {
                let parent = &self.tables.messages[parent as usize];
                (Arc::clone(&parent.name.full), parent.features)
            }
            None => (Arc::clone(&self.tables.package), self.tables.features),
        };
        for mut raw in list {
            let index = self.tables.messages.len() as u32;
            let name = self.declare_in(&scope, raw.name.take(), "message", Item::Message(index))?;
            let options = encoded(raw.options.take());
            let features = self.features(inherited, &options, MESSAGE_FEATURES, &name)?;
            self.tables.messages.push(MessageEntry {
                name,
                parent,
                fields: Span::default(),
                oneofs: Span::default(),
                real_oneofs: 0,
                messages: Span::default(),
                enums: Span::default(),
                extensions: Span::default(),
                extension_ranges: Box::default(),
                reserved_ranges: Box::default(),
                reserved_names: Box::default(),
                is_map_entry: options::is_set(&options, 7),
                is_message_set: options::is_set(&options, 1),
                is_deprecated: options::is_set(&options, 3),
                allows_json_conflicts: options::is_set(&options, 11),
                options,
                features,
                by_number: Box::default(),
                by_name: Box::default(),
                by_json_name: Box::default(),
                cache: Default::default(),
            });
            pending.push(raw);
        }
        Ok(Span::new(start, self.tables.messages.len()))
    }

    fn declare_members(
        &mut self,
        index: u32,
        raw: raw::DescriptorProto<'b>,
        pending: &mut Vec<raw::DescriptorProto<'b>>,
    ) -> Result<()> {
        let entry = &self.tables.messages[index as usize];
        let (name, features, is_message_set) = (entry.name.clone(), entry.features, entry.is_message_set);
        let ranges = self.ranges(&name, &raw, is_message_set)?;
        let oneofs = self.declare_oneofs(raw.oneof_decl, &name, index, features)?;
        let fields = self.declare_fields(raw.field, &name, index, oneofs, features)?;
        let enums = self.declare_enums(raw.enum_type, &name.full, Some(index), features)?;
        let extensions = self.declare_extension_fields(raw.extension, &name.full, Some(index), features)?;
        let messages = self.declare_messages(raw.nested_type, Some(index), pending)?;
        let entry = &mut self.tables.messages[index as usize];
        entry.extension_ranges = ranges.extension;
        entry.reserved_ranges = ranges.reserved;
        entry.reserved_names = raw.reserved_name.into_iter().map(Box::from).collect();
        entry.fields = fields;
        entry.oneofs = oneofs;
        entry.enums = enums;
        entry.extensions = extensions;
        entry.messages = messages;
        Ok(())
    }

    fn declare_oneofs(
        &mut self,
        list: Vec<raw::OneofDescriptorProto<'b>>,
        scope: &Name,
        message: u32,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.oneofs.len();
        for raw in list {
            let index = self.tables.oneofs.len() as u32;
            let name = self.declare_in(&scope.full, raw.name, "oneof", Item::Oneof(index))?;
            let options = encoded(raw.options);
            let features = self.features(inherited, &options, ONEOF_FEATURES, &name)?;
            let (fields, is_synthetic) = (Vec::new(), false);
            self.tables.oneofs.push(OneofEntry { name, message, fields, is_synthetic, features, options });
        }
        Ok(Span::new(start, self.tables.oneofs.len()))
    }

    fn declare_fields(
        &mut self,
        list: Vec<raw::FieldDescriptorProto<'b>>,
        scope: &Name,
        message: u32,
        oneofs: Span,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.fields.len();
        self.tables.fields.reserve(list.len());
        self.fields.reserve(list.len());
        for mut raw in list {
            let index = self.tables.fields.len() as u32;
            let name = self.declare_in(&scope.full, raw.name.take(), "field", Item::Field(index))?;
            let oneof = match raw.oneof_index {
                None => None,
                Some(i) => match usize::try_from(i).ok().and_then(|i| oneofs.get(i)) {
                    Some(oneof) => Some(oneof),
                    None => {
                        let count = oneofs.len();
                        let text = format!("oneof_index {i} is out of range: the message has {count} oneofs");
                        return Err(self.fail(&name, text));
                    }
                },
            };
            if raw.extendee.is_some() {
                return Err(self.fail(&name, "a field of a message cannot have an extendee"));
            }
            let inherited = match oneof {
                Some(oneof) => {
                    let oneof = &mut self.tables.oneofs[oneof as usize];
                    oneof.fields.push(index);
                    oneof.is_synthetic |= raw.proto3_optional == Some(true);
                    oneof.features
                }
                None => inherited,
            };
            let parent = TypeRef { file: 0, index: message };
            self.push_field(raw, name, inherited, |entry| {
                entry.parent = parent;
                entry.oneof = oneof;
            })?;
        }
        Ok(Span::new(start, self.tables.fields.len()))
    }

    fn declare_extension_fields(
        &mut self,
        list: Vec<raw::FieldDescriptorProto<'b>>,
        scope: &str,
        message: Option<u32>,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.fields.len();
        for mut raw in list {
            let index = self.tables.fields.len() as u32;
            let name = self.declare_in(scope, raw.name.take(), "extension", Item::Extension(index))?;
            if raw.oneof_index.is_some() {
                return Err(self.fail(&name, "an extension cannot be in a oneof"));
            }
            if raw.extendee.is_none() {
                return Err(self.fail(&name, "an extension needs an extendee"));
            }
            self.push_field(raw, name, inherited, |entry| {
                entry.is_extension = true;
                entry.scope = message;
            })?;
        }
        Ok(Span::new(start, self.tables.fields.len()))
    }

    fn push_field(
        &mut self,
        raw: raw::FieldDescriptorProto<'b>,
        name: Name,
        inherited: Features,
        complete: impl FnOnce(&mut FieldEntry),
    ) -> Result<()> {
        let number = match raw.number.unwrap_or_default() {
            number @ ..=0 => return Err(self.fail(&name, format!("field number {number} is not positive"))),
            number => number as u32,
        };
        if number > MAX_FIELD_NUMBER && raw.extendee.is_none() {
            let text = format!("field number {number} is above the maximum of {MAX_FIELD_NUMBER}");
            return Err(self.fail(&name, text));
        }
        if (19_000..=19_999).contains(&number) {
            let text = format!("field number {number} is reserved for the implementation (19000 to 19999)");
            return Err(self.fail(&name, text));
        }
        let options = encoded(raw.options);
        let features = self.features(inherited, &options, FIELD_FEATURES, &name)?;
        let json = raw.json_name.map_or_else(|| json_name(name.last()), Cow::into_owned);
        if json.contains('\0') {
            return Err(self.fail(&name, "the JSON name contains a NUL character"));
        }
        let mut entry = FieldEntry {
            json_name: json.into_boxed_str(),
            number,
            ty: Type::Int32,
            cardinality: Cardinality::Optional,
            target: TypeRef::default(),
            parent: TypeRef::default(),
            is_extension: false,
            scope: None,
            oneof: None,
            is_proto3_optional: raw.proto3_optional == Some(true),
            has_presence: false,
            is_packed: false,
            is_delimited: false,
            validates_utf8: false,
            is_map: false,
            is_deprecated: options::is_set(&options, 3),
            debug_redact: options::is_set(&options, 16),
            default: None,
            name,
            features,
            options,
        };
        complete(&mut entry);
        self.tables.fields.push(entry);
        self.fields.push(FieldDraft {
            type_number: raw.ty,
            type_name: raw.type_name,
            extendee: raw.extendee,
            default: raw.default_value,
            label: raw.label,
        });
        Ok(())
    }

    fn declare_enums(
        &mut self,
        list: Vec<raw::EnumDescriptorProto<'b>>,
        scope: &str,
        parent: Option<u32>,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.enums.len();
        for raw in list {
            let index = self.tables.enums.len() as u32;
            let name = self.declare_in(scope, raw.name, "enum", Item::Enum(index))?;
            let reserved_ranges = self.enum_ranges(&name, &raw.reserved_range)?;
            let options = encoded(raw.options);
            let features = self.features(inherited, &options, ENUM_FEATURES, &name)?;
            // Values are siblings of their enum, as in C++.
            let values = self.declare_values(raw.value, scope, index, features)?;
            self.tables.enums.push(EnumEntry {
                name,
                parent,
                values,
                by_number: Box::default(),
                by_name: Box::default(),
                allow_alias: options::is_set(&options, 2),
                is_deprecated: options::is_set(&options, 3),
                reserved_ranges,
                reserved_names: raw.reserved_name.into_iter().map(Box::from).collect(),
                features,
                options,
            });
        }
        Ok(Span::new(start, self.tables.enums.len()))
    }

    fn declare_values(
        &mut self,
        list: Vec<raw::EnumValueDescriptorProto<'b>>,
        scope: &str,
        parent: u32,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.values.len();
        self.tables.values.reserve(list.len());
        for raw in list {
            let index = self.tables.values.len() as u32;
            let name = self.declare_in(scope, raw.name, "enum value", Item::Value(index))?;
            let options = encoded(raw.options);
            let features = self.features(inherited, &options, VALUE_FEATURES, &name)?;
            let is_deprecated = options::is_set(&options, 1);
            let number = raw.number.unwrap_or_default();
            self.tables.values.push(ValueEntry { name, parent, number, is_deprecated, features, options });
        }
        Ok(Span::new(start, self.tables.values.len()))
    }

    fn declare_services(&mut self, list: Vec<raw::ServiceDescriptorProto<'b>>) -> Result<()> {
        let package = Arc::clone(&self.tables.package);
        for raw in list {
            let service = self.tables.services.len() as u32;
            let name = self.declare_in(&package, raw.name, "service", Item::Service(service))?;
            let options = encoded(raw.options);
            let features = self.features(self.tables.features, &options, SERVICE_FEATURES, &name)?;
            let start = self.tables.methods.len();
            for raw in raw.method {
                let index = self.tables.methods.len() as u32;
                let name = self.declare_in(&name.full, raw.name, "method", Item::Method(index))?;
                let options = encoded(raw.options);
                let features = self.features(features, &options, METHOD_FEATURES, &name)?;
                self.tables.methods.push(MethodEntry {
                    name,
                    service,
                    input: TypeRef::default(),
                    output: TypeRef::default(),
                    is_client_streaming: raw.client_streaming == Some(true),
                    is_server_streaming: raw.server_streaming == Some(true),
                    features,
                    options,
                });
                self.methods.push([raw.input_type, raw.output_type]);
            }
            let methods = Span::new(start, self.tables.methods.len());
            self.tables.services.push(ServiceEntry { name, methods, features, options });
        }
        Ok(())
    }

    /// Checks a name and declares its full name.
    fn declare_in(
        &mut self,
        scope: &str,
        name: Option<Cow<'_, str>>,
        what: &str,
        item: Item,
    ) -> Result<Name> {
        let name = name.unwrap_or_default();
        let outer = if scope.is_empty() { None } else { Some(scope) };
        if !is_identifier(&name) {
            let text = format!("\"{}\" is not a name for a {what}", printable(&name));
            return Err(error_at(&self.tables.name, outer, text));
        }
        if scope.len() + 1 + name.len() > MAX_FULL_NAME {
            let text = format!("a full name is longer than {MAX_FULL_NAME} bytes");
            return Err(error_at(&self.tables.name, outer, text));
        }
        self.full.clear();
        self.full.push_str(scope);
        if !scope.is_empty() {
            self.full.push('.');
        }
        let last = self.full.len() as u32;
        self.full.push_str(&name);
        let full: Arc<str> = Arc::from(self.full.as_str());
        match self.pool.symbols.entry(Arc::clone(&full)) {
            Entry::Vacant(entry) => entry.insert(Symbol { file: self.here, item }),
            Entry::Occupied(entry) => {
                let symbol = *entry.get();
                return Err(self.duplicate(&full, symbol));
            }
        };
        Ok(Name { full, last })
    }

    #[cold]
    fn duplicate(&self, full: &str, earlier: Symbol) -> crate::Error {
        let what = earlier.item.noun();
        let text = match self.pool.files.get(earlier.file as usize) {
            Some(file) => format!("already declared as {what} in {}", printable(file.name())),
            None => format!("already declared as {what} in this file"),
        };
        error_at(&self.tables.name, Some(full), text)
    }
}
