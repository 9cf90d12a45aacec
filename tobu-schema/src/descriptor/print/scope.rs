//! How names resolve in a file: its visible extensions, and how to write a type so that it is
//! found.

use crate::descriptor::names::written;
use std::cell::OnceCell;
use std::sync::Arc;

use super::super::list::{self, Numbers};
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

/// With their positions by extendee and number.
type Extensions = (Vec<ExtensionDescriptor>, list::Names);

#[derive(Default)]
struct Names {
    /// How many declarations end in a name, those counted that a relative name could run into.
    declared: list::Names,
    /// The messages and enums that are in no package: a full name may start with theirs.
    roots: list::Names,
}

impl Names {
    /// The names in a file; `None` if it sees too many others.
    fn of(file: &Arc<FileTables>) -> Option<Names> {
        let mut names = Names::default();
        let mut packages = list::Names::new();
        let most = 1 + file.imports.len() + MOST_EXPORTED;
        let visible = visible(file, most);
        if visible.len() > most {
            return None;
        }
        for tables in visible {
            for part in tables.package().split('.').skip(1) {
                if packages.insert(part.to_owned(), 0).is_none() {
                    *names.declared.entry(part.to_owned()).or_default() += 1;
                }
            }
            names.declare(&tables, Arc::ptr_eq(&tables, file));
        }
        Some(names)
    }

    fn declare(&mut self, tables: &Arc<FileTables>, is_own: bool) {
        let mut name = |name: &str| *self.declared.entry(name.to_owned()).or_default() += 1;
        for message in &tables.messages {
            if is_own || message.parent.is_none() {
                name(tables.text(message.name.last));
            }
        }
        for enumeration in &tables.enums {
            if is_own || enumeration.parent.is_none() {
                name(tables.text(enumeration.name.last));
                for value in enumeration.values.of(&tables.values) {
                    name(tables.text(value.name.last));
                }
            }
        }
        for field in &tables.fields {
            if is_own || (field.is_extension && field.scope.is_none()) {
                name(tables.text(field.name.last));
            }
        }
        if is_own {
            for oneof in &tables.oneofs {
                name(tables.text(oneof.name.last));
            }
        }
        if tables.package().is_empty() {
            for message in tables.top_messages.of(&tables.messages) {
                self.roots.insert(tables.text(message.name.last).to_owned(), 0);
            }
            for enumeration in tables.top_enums.of(&tables.enums) {
                self.roots.insert(tables.text(enumeration.name.last).to_owned(), 0);
            }
        }
        for service in &tables.services {
            name(tables.text(service.name.last));
        }
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
        let key = key(extendee, number);
        let (visible, by_key) = self.extensions.get_or_init(|| extensions(&visible(&self.file, usize::MAX)));
        if let Some(at) = by_key.get(&key) {
            return Some(&visible[*at]);
        }
        let (remote, by_key) = self.remote.get_or_init(|| extensions(&reaching_extensions(&self.file)));
        Some(&remote[*by_key.get(&key)?])
    }

    /// A full name, with a leading dot where it would otherwise be taken for something else.
    pub(super) fn type_name(&self, full: &str) -> String {
        let Some(names) = self.names.get_or_init(|| Names::of(&self.file)) else {
            return written(format_args!(".{full}"));
        };
        let first = full.split('.').next().unwrap_or_default();
        // A declaration without a package is one of those that its own name could run into.
        let own = usize::from(names.roots.contains_key(first));
        let is_plain =
            names.declared.get(first).copied().unwrap_or_default() <= own && !WORDS.contains(&first);
        if is_plain { full.to_owned() } else { written(format_args!(".{full}")) }
    }
}

/// A file, its imports, and their public imports, transitively: all, or more than `most` of them. Their names are
/// visible in the file.
fn visible(file: &Arc<FileTables>, most: usize) -> Vec<Arc<FileTables>> {
    let mut seen = Numbers::from([(Arc::as_ptr(file) as usize, 0)]);
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).filter(|_| files.len() <= most).cloned() {
        for import in &tables.imports {
            if (next == 0 || import.kind == ImportKind::Public)
                && let Some(at) = import.file
                && let import = &tables.reach[at as usize]
                && seen.insert(Arc::as_ptr(import) as usize, 0).is_none()
            {
                files.push(Arc::clone(import));
            }
        }
        next += 1;
    }
    files
}

/// The files that declare extensions, and those on the way to them: of a long chain of imports as a rule none.
fn reaching_extensions(file: &Arc<FileTables>) -> Vec<Arc<FileTables>> {
    let mut seen = Numbers::new();
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).cloned() {
        for file in &tables.reach {
            if file.reaches_extensions && seen.insert(Arc::as_ptr(file) as usize, 0).is_none() {
                files.push(Arc::clone(file));
            }
        }
        next += 1;
    }
    files
}

fn key(extendee: &str, number: u32) -> String {
    written(format_args!("{extendee}:{number}"))
}

fn extensions(files: &[Arc<FileTables>]) -> Extensions {
    let (mut extensions, mut by_key) = (Vec::new(), list::Names::new());
    for file in files {
        for extension in FileDescriptor::new(Arc::clone(file)).all_extensions() {
            by_key.insert(key(extension.extendee().full_name(), extension.number()), extensions.len());
            extensions.push(extension);
        }
    }
    (extensions, by_key)
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
