//! What names mean in a file: its extensions at hand, and how to write a type so that it is found.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::tables::FileTables;
use super::super::{ExtensionDescriptor, FileDescriptor};

pub(super) struct Scope {
    /// By extendee and number: every extension that an import, at any remove, declares.
    extensions: HashMap<(String, u32), ExtensionDescriptor>,
    /// How many declarations end in a name, those counted that a relative name could run into.
    names: HashMap<String, u32>,
    /// The messages and enums that are in no package: a full name may start with theirs.
    roots: HashSet<String>,
}

impl Scope {
    pub(super) fn of(file: &FileDescriptor) -> Self {
        let mut scope = Scope { extensions: HashMap::new(), names: HashMap::new(), roots: HashSet::new() };
        let mut seen = HashSet::new();
        let mut packages = HashSet::new();
        let mut pending = vec![Arc::clone(file.tables())];
        while let Some(tables) = pending.pop() {
            if !seen.insert(Arc::as_ptr(&tables)) {
                continue;
            }
            for part in tables.package.split('.').skip(1) {
                if packages.insert(part.to_owned()) {
                    *scope.names.entry(part.to_owned()).or_default() += 1;
                }
            }
            scope.declare(&tables, Arc::ptr_eq(&tables, file.tables()));
            pending.extend(tables.reach.iter().cloned());
        }
        scope
    }

    fn declare(&mut self, tables: &Arc<FileTables>, is_own: bool) {
        let mut name = |name: &str| *self.names.entry(name.to_owned()).or_default() += 1;
        for message in tables.messages.iter().filter(|message| is_own || message.parent.is_none()) {
            name(message.name.last());
        }
        for enumeration in tables.enums.iter().filter(|entry| is_own || entry.parent.is_none()) {
            name(enumeration.name.last());
            enumeration.values.of(&tables.values).iter().for_each(|value| name(value.name.last()));
        }
        for field in
            tables.fields.iter().filter(|field| is_own || (field.is_extension && field.scope.is_none()))
        {
            name(field.name.last());
        }
        if is_own {
            tables.oneofs.iter().for_each(|oneof| name(oneof.name.last()));
        }
        if tables.package.is_empty() {
            let messages = tables.messages.iter().filter(|message| message.parent.is_none());
            let enums = tables.enums.iter().filter(|entry| entry.parent.is_none());
            let names = messages.map(|message| &message.name).chain(enums.map(|entry| &entry.name));
            self.roots.extend(names.map(|name| name.last().to_owned()));
        }
        tables.services.iter().for_each(|service| name(service.name.last()));
        for extension in FileDescriptor::new(Arc::clone(tables)).all_extensions() {
            let key = (extension.extendee().full_name().to_owned(), extension.number());
            self.extensions.insert(key, extension);
        }
    }

    pub(super) fn extension(&self, extendee: &str, number: u32) -> Option<&ExtensionDescriptor> {
        self.extensions.get(&(extendee.to_owned(), number))
    }

    /// A full name, with a leading dot where it would otherwise be taken for something else.
    pub(super) fn type_name(&self, full: &str) -> String {
        let first = full.split('.').next().unwrap_or_default();
        // A declaration without a package is one of those that its own name could run into.
        let own = u32::from(self.roots.contains(first));
        let is_plain = self.names.get(first).copied().unwrap_or_default() <= own && !WORDS.contains(&first);
        if is_plain { full.to_owned() } else { format!(".{full}") }
    }
}

/// Names that mean something else where a type may stand.
const WORDS: [&str; 27] = [
    "double",
    "float",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "sint32",
    "sint64",
    "fixed32",
    "fixed64",
    "sfixed32",
    "sfixed64",
    "bool",
    "string",
    "bytes",
    "map",
    "group",
    "optional",
    "required",
    "repeated",
    "oneof",
    "message",
    "enum",
    "extend",
    "option",
    "reserved",
    "extensions",
];
