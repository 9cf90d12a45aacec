//! The first step of linking. It gives every element its entry, its full name and its features.

use super::super::names::{MAX_FULL_NAME, is_file_name, is_identifier, json_name, printable};
use super::super::raw::options;
use super::super::raw::shallow::{Body, Enum, Field, File, Members, Method, Named, Service, Value};
use super::super::tables::*;
use super::super::{Features, Type, Visibility};
use super::error_at;
use super::{FieldDraft, Linker};
use crate::descriptor::handle::each;
use crate::error::Result;
use crate::sort::sort_by;
use crate::wire::MAX_FIELD_NUMBER;
use once_cell::sync::OnceCell;

/// The field numbers of `features` in the options messages.
const FILE_FEATURES: u32 = 50;
const MESSAGE_FEATURES: u32 = 12;
const FIELD_FEATURES: u32 = 21;
const ONEOF_FEATURES: u32 = 1;
const ENUM_FEATURES: u32 = 7;
const VALUE_FEATURES: u32 = 2;
const SERVICE_FEATURES: u32 = 34;
const METHOD_FEATURES: u32 = 35;

impl<'b> Linker<'_, '_, 'b> {
    pub(super) fn declare_file(&mut self, raw: File<'b>) -> Result<()> {
        if !is_file_name(self.tables.name()) {
            return Err(error_at(
                self.tables.name(),
                None,
                "this is not a file name: it must be a relative path without `..`",
            ));
        }
        self.batch.declare_package(&self.tables)?;
        self.declare_imports(&raw)?;
        self.full.push_str(raw.package.unwrap_or_default());
        self.tables.features = self.features(self.tables.features, &raw.options, FILE_FEATURES)?;
        self.tables.options = self.tables.push_options(&raw.options);

        let features = self.tables.features;
        let mut scope = String::new();
        self.tables.push_scope(None, &mut scope);
        let mut pending = Vec::with_capacity(self.tables.messages.capacity());
        self.tables.top_messages =
            self.declare_messages(&raw.messages, &scope, None, features, &mut pending)?;
        self.tables.top_enums = self.declare_enums(&raw.enums, &scope, None, features)?;
        self.tables.top_extensions =
            self.declare_extension_fields(&raw.extensions, &scope, None, features)?;
        // Messages are added breadth first, so that the messages of one scope are adjacent, and without recursion.
        // The depth of nesting was checked when the messages were counted.
        let mut next = 0;
        while next < pending.len() {
            self.declare_members(next as u32, pending[next], &mut scope, &mut pending)?;
            next += 1;
        }
        scope.clear();
        self.tables.push_scope(None, &mut scope);
        self.declare_services(&raw.services, &scope)
    }

    fn declare_imports(&mut self, raw: &File<'b>) -> Result<()> {
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
                        return Err(error_at(
                            self.tables.name(),
                            None,
                            format_args!("{what} {index} is out of range: the file has {count} imports"),
                        ));
                    }
                }
            }
        }
        kinds.resize(count + raw.option_dependency.len(), ImportKind::Option);
        self.tables.imports.reserve_exact(kinds.len());
        let mut sorted = [&raw.dependency[..], &raw.option_dependency].concat();
        sort_by(&mut sorted, |a, b| a.cmp(b));
        if let Some([import, ..]) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(error_at(
                self.tables.name(),
                None,
                format_args!("import \"{}\" is listed twice", printable(import)),
            ));
        }
        for (&import, kind) in raw.dependency.iter().chain(&raw.option_dependency).zip(kinds) {
            let file = match self.batch.file_index(import) {
                Some(index) => {
                    if kind != ImportKind::Option && self.batch.has_exports(index) {
                        self.exporting.push(index);
                    }
                    Some(self.reach(index))
                }
                None if kind == ImportKind::Option => None,
                None => {
                    return Err(error_at(
                        self.tables.name(),
                        None,
                        format_args!("import \"{}\" is missing", printable(import)),
                    ));
                }
            };
            if kind != ImportKind::Option {
                self.option_imports.start = self.tables.reach.len() as u32;
            }
            self.tables.imports.push(Import { kind, file });
        }
        self.option_imports.end = self.tables.reach.len() as u32;
        Ok(())
    }

    /// Adds entries for sibling messages. The declarations in a message are added later, when its scope is
    /// processed.
    fn declare_messages(
        &mut self,
        list: &[Body<'b>],
        scope: &str,
        parent: Option<u32>,
        inherited: Features,
        pending: &mut Vec<Body<'b>>,
    ) -> Result<Span> {
        let start = self.tables.messages.len();
        for &body in list {
            let raw = Named::message(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.messages.len() as u32;
            let name = self.declare_in(scope, raw.name, "message", Item::Message(index))?;
            let features = self.features(inherited, &raw.options, MESSAGE_FEATURES)?;
            let options = self.tables.push_options(&raw.options);
            self.tables.messages.push(MessageEntry {
                name,
                parent,
                fields: Span::default(),
                oneofs: Span::default(),
                real_oneofs: 0,
                messages: Span::default(),
                enums: Span::default(),
                extensions: Span::default(),
                ranges: None,
                is_map_entry: options::is_set(&raw.options, 7),
                is_message_set: options::is_set(&raw.options, 1),
                is_deprecated: options::is_set(&raw.options, 3),
                visibility: Visibility::from_number(raw.visibility),
                allows_json_conflicts: options::is_set(&raw.options, 11),
                options,
                features,
                cache: Default::default(),
                shortcut: Default::default(),
            });
            pending.push(body);
        }
        Ok(Span::new(start, self.tables.messages.len()))
    }

    fn declare_members(
        &mut self,
        index: u32,
        body: Body<'b>,
        scope: &mut String,
        pending: &mut Vec<Body<'b>>,
    ) -> Result<()> {
        let raw = Members::read(body).map_err(|error| self.malformed(error))?;
        let entry = &self.tables.messages[index as usize];
        let (features, is_message_set) = (entry.features, entry.is_message_set);
        let mut ranges = self.ranges(index, &raw, is_message_set)?;
        ranges.names = self.push_texts(&raw.reserved_names);
        scope.clear();
        self.tables.push_scope(Some(Item::Message(index)), scope);
        let oneofs = self.declare_oneofs(&raw.oneofs, scope, index, features)?;
        let fields = self.declare_fields(&raw.fields, scope, index, oneofs, features)?;
        let enums = self.declare_enums(&raw.enums, scope, Some(index), features)?;
        let extensions = self.declare_extension_fields(&raw.extensions, scope, Some(index), features)?;
        let messages = self.declare_messages(&raw.messages, scope, Some(index), features, pending)?;
        let entry = &mut self.tables.messages[index as usize];
        entry.ranges = ranges.boxed();
        entry.fields = fields;
        entry.oneofs = oneofs;
        entry.enums = enums;
        entry.extensions = extensions;
        entry.messages = messages;
        Ok(())
    }

    fn push_texts(&mut self, texts: &[&str]) -> Box<[Span]> {
        each(texts, |text| self.tables.push_text(text)).into_boxed_slice()
    }

    fn declare_oneofs(
        &mut self,
        list: &[Body<'b>],
        scope: &str,
        message: u32,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.oneofs.len();
        for &body in list {
            let raw = Named::oneof(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.oneofs.len() as u32;
            let name = self.declare_in(scope, raw.name, "oneof", Item::Oneof(index))?;
            let features = self.features(inherited, &raw.options, ONEOF_FEATURES)?;
            let options = self.tables.push_options(&raw.options);
            let (fields, is_synthetic) = (Vec::new(), false);
            self.tables.oneofs.push(OneofEntry { name, message, fields, is_synthetic, features, options });
        }
        Ok(Span::new(start, self.tables.oneofs.len()))
    }

    fn declare_fields(
        &mut self,
        list: &[Body<'b>],
        scope: &str,
        message: u32,
        oneofs: Span,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.fields.len();
        for &body in list {
            let raw = Field::read(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.fields.len() as u32;
            let name = self.declare_in(scope, raw.name, "field", Item::Field(index))?;
            let oneof = match raw.oneof_index {
                None => None,
                Some(i) => match usize::try_from(i).ok().and_then(|i| oneofs.get(i)) {
                    Some(oneof) => Some(oneof),
                    None => {
                        let count = oneofs.len();
                        return Err(self.fail_here(format_args!(
                            "oneof_index {i} is out of range: the message has {count} oneofs"
                        )));
                    }
                },
            };
            if raw.extendee.is_some() {
                return Err(self.fail_here("a field of a message cannot have an extendee"));
            }
            let inherited = match oneof {
                Some(oneof) => {
                    let oneof = &mut self.tables.oneofs[oneof as usize];
                    // A schema with a large number of oneofs usually has one oneof for each optional field.
                    if oneof.fields.is_empty() {
                        oneof.fields.reserve_exact(1);
                    }
                    oneof.fields.push(index);
                    oneof.is_synthetic |= raw.proto3_optional;
                    oneof.features
                }
                None => inherited,
            };
            self.push_field(raw, name, inherited)?;
            let entry = &mut self.tables.fields[index as usize];
            entry.parent = TypeRef { file: 0, index: message };
            entry.oneof = oneof;
        }
        Ok(Span::new(start, self.tables.fields.len()))
    }

    fn declare_extension_fields(
        &mut self,
        list: &[Body<'b>],
        scope: &str,
        message: Option<u32>,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.fields.len();
        for &body in list {
            let raw = Field::read(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.fields.len() as u32;
            let name = self.declare_in(scope, raw.name, "extension", Item::Extension(index))?;
            if raw.oneof_index.is_some() {
                return Err(self.fail_here("an extension cannot be in a oneof"));
            }
            if raw.extendee.is_none() {
                return Err(self.fail_here("an extension needs an extendee"));
            }
            self.push_field(raw, name, inherited)?;
            let entry = &mut self.tables.fields[index as usize];
            entry.is_extension = true;
            entry.scope = message;
        }
        Ok(Span::new(start, self.tables.fields.len()))
    }

    fn push_field(&mut self, raw: Field<'b>, name: Name, inherited: Features) -> Result<()> {
        let number = match raw.number {
            number @ ..=0 => {
                return Err(self.fail_here(format_args!("field number {number} is not positive")));
            }
            number => number as u32,
        };
        if number > MAX_FIELD_NUMBER && raw.extendee.is_none() {
            return Err(self.fail_here(format_args!(
                "field number {number} is above the maximum of {MAX_FIELD_NUMBER}"
            )));
        }
        if (19_000..=19_999).contains(&number) {
            return Err(self.fail_here(format_args!(
                "field number {number} is reserved for the implementation (19000 to 19999)"
            )));
        }
        let features = self.features(inherited, &raw.options, FIELD_FEATURES)?;
        if raw.json_name.is_some_and(|json| json.contains('\0')) {
            return Err(self.fail_here("the JSON name contains a NUL character"));
        }
        // If the JSON name equals the proto name, as most do, the table already contains it.
        let json_name = match raw.json_name {
            Some(json) if json == raw.name => name.last,
            Some(json) => self.tables.push_text(json),
            None if raw.name.contains('_') => self.tables.push_text(&json_name(raw.name)),
            None => name.last,
        };
        let options = self.tables.push_options(&raw.options);
        let entry = FieldEntry {
            json_name,
            number,
            ty: Type::Int32,
            cardinality: Cardinality::Optional,
            target: TypeRef::default(),
            parent: TypeRef::default(),
            is_extension: false,
            scope: None,
            oneof: None,
            is_proto3_optional: raw.proto3_optional,
            has_presence: false,
            is_packed: false,
            is_delimited: false,
            validates_utf8: false,
            is_map: false,
            is_deprecated: options::is_set(&raw.options, 3),
            debug_redact: match options::is_set(&raw.options, 16) {
                true => OnceCell::with_value(true),
                false if raw.options.is_empty() => OnceCell::with_value(false),
                false => OnceCell::new(),
            },
            default: None,
            name,
            features,
            options,
        };
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
        list: &[Body<'b>],
        scope: &str,
        parent: Option<u32>,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.enums.len();
        for &body in list {
            let raw = Enum::read(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.enums.len() as u32;
            let name = self.declare_in(scope, raw.named.name, "enum", Item::Enum(index))?;
            let mut ranges = self.enum_ranges(&raw.reserved_ranges)?;
            ranges.names = self.push_texts(&raw.reserved_names);
            let options = &raw.named.options;
            let features = self.features(inherited, options, ENUM_FEATURES)?;
            let entry = EnumEntry {
                name,
                parent,
                values: Span::default(),
                allow_alias: options::is_set(options, 2),
                is_deprecated: options::is_set(options, 3),
                visibility: Visibility::from_number(raw.named.visibility),
                ranges: ranges.boxed(),
                features,
                options: self.tables.push_options(options),
                cache: Default::default(),
            };
            self.tables.enums.push(entry);
            // Values are in the same scope as their enum, as in C++.
            let values = self.declare_values(&raw.values, scope, index, features)?;
            self.tables.enums[index as usize].values = values;
        }
        Ok(Span::new(start, self.tables.enums.len()))
    }

    fn declare_values(
        &mut self,
        list: &[Body<'b>],
        scope: &str,
        parent: u32,
        inherited: Features,
    ) -> Result<Span> {
        let start = self.tables.values.len();
        for &body in list {
            let Value { named, number } = Value::read(body).map_err(|error| self.malformed(error))?;
            let index = self.tables.values.len() as u32;
            let name = self.declare_in(scope, named.name, "enum value", Item::Value(index))?;
            let features = self.features(inherited, &named.options, VALUE_FEATURES)?;
            let is_deprecated = options::is_set(&named.options, 1);
            let options = self.tables.push_options(&named.options);
            self.tables.values.push(ValueEntry { name, parent, number, is_deprecated, features, options });
        }
        Ok(Span::new(start, self.tables.values.len()))
    }

    fn declare_services(&mut self, list: &[Body<'b>], scope: &str) -> Result<()> {
        let mut inner = String::new();
        for &body in list {
            let Service { named, methods } = Service::read(body).map_err(|error| self.malformed(error))?;
            let service = self.tables.services.len() as u32;
            let name = self.declare_in(scope, named.name, "service", Item::Service(service))?;
            let features = self.features(self.tables.features, &named.options, SERVICE_FEATURES)?;
            let options = self.tables.push_options(&named.options);
            self.tables.services.push(ServiceEntry { name, methods: Span::default(), features, options });
            inner.clear();
            self.tables.push_scope(Some(Item::Service(service)), &mut inner);
            let start = self.tables.methods.len();
            for &body in &methods {
                let raw = Method::read(body).map_err(|error| self.malformed(error))?;
                let index = self.tables.methods.len() as u32;
                let name = self.declare_in(&inner, raw.named.name, "method", Item::Method(index))?;
                let features = self.features(features, &raw.named.options, METHOD_FEATURES)?;
                let options = self.tables.push_options(&raw.named.options);
                self.tables.methods.push(MethodEntry {
                    name,
                    service,
                    input: TypeRef::default(),
                    output: TypeRef::default(),
                    is_client_streaming: raw.client_streaming,
                    is_server_streaming: raw.server_streaming,
                    features,
                    options,
                });
                self.methods.push([raw.input, raw.output]);
            }
            let methods = Span::new(start, self.tables.methods.len());
            self.tables.services[service as usize].methods = methods;
        }
        Ok(())
    }

    /// Checks a name, and declares the full name. `scope` is empty or ends with a dot.
    fn declare_in(&mut self, scope: &str, name: &str, what: &str, item: Item) -> Result<Name> {
        if !is_identifier(name) {
            return Err(error_at(
                self.tables.name(),
                scope.strip_suffix('.'),
                format_args!("\"{}\" is not a name for a {what}", printable(name)),
            ));
        }
        if scope.len().max(1) + name.len() > MAX_FULL_NAME {
            return Err(error_at(
                self.tables.name(),
                scope.strip_suffix('.'),
                format_args!("a full name is longer than {MAX_FULL_NAME} bytes"),
            ));
        }
        self.full.clear();
        self.full.push_str(scope);
        self.full.push_str(name);
        if let Err(earlier) = self.batch.declare(&self.full, item, &self.tables) {
            return Err(self.batch.duplicate(&self.full, earlier, &self.tables));
        }
        Ok(Name::new(self.tables.push_text(name)))
    }
}
