//! How names resolve in a file: its visible extensions, and how to write a type so that it is
//! found.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::tables::{FileTables, ImportKind};
use super::super::{ExtensionDescriptor, FileDescriptor};

/// If more files than this are visible by public imports, full names of types are printed with a leading dot. That is
/// always right, and needs no search in all files.
const MOST_EXPORTED: usize = 64;

pub(super) struct Scope {
    file: Arc<FileTables>,
    /// By extendee and number: every extension that a visible file declares; made when first needed.
    extensions: OnceCell<Extensions>,
    /// The same of an import at any remove, for an option that no visible file declares.
    remote: OnceCell<Extensions>,
    /// Names that a relative name could resolve to by mistake, computed on first use; none if too many
    /// files are visible.
    names: OnceCell<Option<Names>>,
}

type Extensions = HashMap<(String, u32), ExtensionDescriptor>;

#[derive(Default)]
struct Names {
    /// How many declarations end in a name, those counted that a relative name could run into.
    declared: HashMap<String, u32>,
    /// The messages and enums that are in no package: a full name may start with theirs.
    roots: HashSet<String>,
}

impl Names {
    /// The names in a file; `None` if it sees too many others.
    fn of(file: &Arc<FileTables>) -> Option<Names> {
        let mut names = Names::default();
        let mut packages = HashSet::new();
        let most = 1 + file.imports.len() + MOST_EXPORTED;
        let visible = visible(file, most);
        if visible.len() > most {
            return None;
        }
        for tables in visible {
            for part in tables.package().split('.').skip(1) {
                if packages.insert(part.to_owned()) {
                    *names.declared.entry(part.to_owned()).or_default() += 1;
                }
            }
            names.declare(&tables, Arc::ptr_eq(&tables, file));
        }
        Some(names)
    }

    fn declare(&mut self, tables: &Arc<FileTables>, is_own: bool) {
        let mut name = |name: &str| *self.declared.entry(name.to_owned()).or_default() += 1;
        for message in tables.messages.iter().filter(|message| is_own || message.parent.is_none()) {
            name(tables.text(message.name.last));
        }
        for enumeration in tables.enums.iter().filter(|entry| is_own || entry.parent.is_none()) {
            name(tables.text(enumeration.name.last));
            enumeration.values.of(&tables.values).iter().for_each(|value| name(tables.text(value.name.last)));
        }
        for field in
            tables.fields.iter().filter(|field| is_own || (field.is_extension && field.scope.is_none()))
        {
            name(tables.text(field.name.last));
        }
        if is_own {
            tables.oneofs.iter().for_each(|oneof| name(tables.text(oneof.name.last)));
        }
        if tables.package().is_empty() {
            let messages = tables.messages.iter().filter(|message| message.parent.is_none());
            let enums = tables.enums.iter().filter(|entry| entry.parent.is_none());
            let names = messages.map(|message| &message.name).chain(enums.map(|entry| &entry.name));
            self.roots.extend(names.map(|name| tables.text(name.last).to_owned()));
        }
        tables.services.iter().for_each(|service| name(tables.text(service.name.last)));
    }
}

impl Scope {
    pub(super) fn of(file: &FileDescriptor) -> Self {
        Scope {
            file: Arc::clone(file.tables()),
            extensions: OnceCell::new(),
            remote: OnceCell::new(),
            names: OnceCell::new(),
        }
    }

    pub(super) fn extension(&self, extendee: &str, number: u32) -> Option<&ExtensionDescriptor> {
        let key = (extendee.to_owned(), number);
        let visible = self.extensions.get_or_init(|| extensions(visible(&self.file, usize::MAX).iter()));
        visible.get(&key).or_else(|| {
            let remote = self.remote.get_or_init(|| extensions(reaching_extensions(&self.file).iter()));
            remote.get(&key)
        })
    }

    /// A full name, with a leading dot where it would otherwise be taken for something else.
    pub(super) fn type_name(&self, full: &str) -> String {
        let Some(names) = self.names.get_or_init(|| Names::of(&self.file)) else { return format!(".{full}") };
        let first = full.split('.').next().unwrap_or_default();
        // A declaration without a package is one of those that its own name could run into.
        let own = u32::from(names.roots.contains(first));
        let is_plain =
            names.declared.get(first).copied().unwrap_or_default() <= own && !WORDS.contains(&first);
        if is_plain { full.to_owned() } else { format!(".{full}") }
    }
}

/// A file, its imports, and their public imports, transitively: all, or more than `most` of them. Their names are
/// visible in the file.
fn visible(file: &Arc<FileTables>, most: usize) -> Vec<Arc<FileTables>> {
    let mut seen = HashSet::from([Arc::as_ptr(file)]);
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).filter(|_| files.len() <= most).cloned() {
        let imports = tables.imports.iter().filter(|import| next == 0 || import.kind == ImportKind::Public);
        let imports = imports.filter_map(|import| tables.reach.get(import.file? as usize));
        files.extend(imports.filter(|import| seen.insert(Arc::as_ptr(import))).cloned());
        next += 1;
    }
    files
}

/// The files that declare extensions, and those on the way to them: of a long chain of imports as a rule none.
fn reaching_extensions(file: &Arc<FileTables>) -> Vec<Arc<FileTables>> {
    let mut seen = HashSet::new();
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).cloned() {
        let reach = tables.reach.iter().filter(|file| file.reaches_extensions);
        files.extend(reach.filter(|file| seen.insert(Arc::as_ptr(file))).cloned());
        next += 1;
    }
    files
}

fn extensions<'a>(files: impl Iterator<Item = &'a Arc<FileTables>>) -> Extensions {
    let mut extensions = HashMap::new();
    for extension in
        files.flat_map(|file| FileDescriptor::new(Arc::clone(file)).all_extensions().collect::<Vec<_>>())
    {
        extensions.insert((extension.extendee().full_name().to_owned(), extension.number()), extension);
    }
    extensions
}

/// Names with another meaning in the position of a type.
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
