//! Compares files and packages, and the types that they declare.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{ALL, CODE, Check, FILE, PACKAGE, Rule};
use crate::descriptor::{
    Edition, EnumDescriptor, ExtensionDescriptor, FileDescriptor, MessageDescriptor, ServiceDescriptor,
};

/// The elements of one version of a schema, found by their names.
pub(super) struct Schema {
    files: BTreeMap<String, FileDescriptor>,
    packages: BTreeSet<String>,
    pub(super) messages: BTreeMap<String, MessageDescriptor>,
    pub(super) enums: BTreeMap<String, EnumDescriptor>,
    pub(super) services: BTreeMap<String, ServiceDescriptor>,
    /// The extensions, by the extended message and the field number.
    pub(super) extensions: BTreeMap<(String, u32), ExtensionDescriptor>,
    extension_names: HashSet<String>,
}

impl Schema {
    pub(super) fn new(files: &[FileDescriptor]) -> Self {
        fn by_name<T>(all: impl Iterator<Item = T>, name: impl Fn(&T) -> &str) -> BTreeMap<String, T> {
            all.map(|item| (name(&item).to_owned(), item)).collect()
        }
        let extensions = || files.iter().flat_map(FileDescriptor::all_extensions);
        Schema {
            files: by_name(files.iter().cloned(), FileDescriptor::name),
            packages: files.iter().map(|file| file.package().to_owned()).collect(),
            messages: by_name(
                files.iter().flat_map(FileDescriptor::all_messages),
                MessageDescriptor::full_name,
            ),
            enums: by_name(files.iter().flat_map(FileDescriptor::all_enums), EnumDescriptor::full_name),
            services: by_name(files.iter().flat_map(FileDescriptor::services), ServiceDescriptor::full_name),
            extensions: extensions()
                .map(|field| ((field.extendee().full_name().to_owned(), field.number()), field))
                .collect(),
            extension_names: extensions().map(|field| field.full_name().to_owned()).collect(),
        }
    }
}

const FILE_SAME_SYNTAX: Rule = Rule("FILE_SAME_SYNTAX", CODE);
const FILE_SAME_PACKAGE: Rule = Rule("FILE_SAME_PACKAGE", ALL);
const FILE_NO_DELETE: Rule = Rule("FILE_NO_DELETE", FILE);
const PACKAGE_NO_DELETE: Rule = Rule("PACKAGE_NO_DELETE", PACKAGE);

/// A kind of element, and the rules that forbid deleting such an element from a file and from a package.
struct Declaration {
    noun: &'static str,
    in_file: Rule,
    in_package: Rule,
}

const MESSAGES: Declaration = Declaration {
    noun: "message",
    in_file: Rule("MESSAGE_NO_DELETE", FILE),
    in_package: Rule("PACKAGE_MESSAGE_NO_DELETE", PACKAGE),
};
const ENUMS: Declaration = Declaration {
    noun: "enum",
    in_file: Rule("ENUM_NO_DELETE", FILE),
    in_package: Rule("PACKAGE_ENUM_NO_DELETE", PACKAGE),
};
const SERVICES: Declaration = Declaration {
    noun: "service",
    in_file: Rule("SERVICE_NO_DELETE", FILE),
    in_package: Rule("PACKAGE_SERVICE_NO_DELETE", PACKAGE),
};
const EXTENSIONS: Declaration = Declaration {
    noun: "extension",
    in_file: Rule("EXTENSION_NO_DELETE", FILE),
    in_package: Rule("PACKAGE_EXTENSION_NO_DELETE", PACKAGE),
};

/// Options of a file that affect generated code: the rule, the name of the option and its field number.
const TEXTS: [(Rule, &str, u32); 10] = [
    (Rule("FILE_SAME_CSHARP_NAMESPACE", CODE), "csharp_namespace", 37),
    (Rule("FILE_SAME_GO_PACKAGE", CODE), "go_package", 11),
    (Rule("FILE_SAME_JAVA_OUTER_CLASSNAME", CODE), "java_outer_classname", 8),
    (Rule("FILE_SAME_JAVA_PACKAGE", CODE), "java_package", 1),
    (Rule("FILE_SAME_OBJC_CLASS_PREFIX", CODE), "objc_class_prefix", 36),
    (Rule("FILE_SAME_PHP_CLASS_PREFIX", CODE), "php_class_prefix", 40),
    (Rule("FILE_SAME_PHP_METADATA_NAMESPACE", CODE), "php_metadata_namespace", 44),
    (Rule("FILE_SAME_PHP_NAMESPACE", CODE), "php_namespace", 41),
    (Rule("FILE_SAME_RUBY_PACKAGE", CODE), "ruby_package", 45),
    (Rule("FILE_SAME_SWIFT_PREFIX", CODE), "swift_prefix", 39),
];
const SWITCHES: [(Rule, &str, u32, bool); 5] = [
    (Rule("FILE_SAME_CC_ENABLE_ARENAS", CODE), "cc_enable_arenas", 31, true),
    (Rule("FILE_SAME_CC_GENERIC_SERVICES", CODE), "cc_generic_services", 16, false),
    (Rule("FILE_SAME_JAVA_GENERIC_SERVICES", CODE), "java_generic_services", 17, false),
    (Rule("FILE_SAME_JAVA_MULTIPLE_FILES", CODE), "java_multiple_files", 10, false),
    (Rule("FILE_SAME_PY_GENERIC_SERVICES", CODE), "py_generic_services", 18, false),
];
const FILE_SAME_OPTIMIZE_FOR: Rule = Rule("FILE_SAME_OPTIMIZE_FOR", CODE);

impl Check {
    /// Compares what files and packages declare, and the options of files.
    pub(super) fn declarations(&mut self) {
        let previous: Vec<_> = self.previous.files.values().cloned().collect();
        for before in &previous {
            match self.current.files.get(before.name()).cloned() {
                Some(now) => {
                    self.file(before, &now);
                    self.deleted_from_file(before, &now);
                }
                None => self.add(FILE_NO_DELETE, before, "", format_args!("the file was deleted")),
            }
            if self.current.packages.contains(before.package()) {
                self.deleted_from_package(before);
            }
        }
        for package in self.previous.packages.clone() {
            let deleted = !self.current.packages.contains(&package);
            if let Some(file) = previous.iter().find(|file| file.package() == package).filter(|_| deleted) {
                self.add(PACKAGE_NO_DELETE, file, &package, format_args!("the package was deleted"));
            }
        }
    }

    fn file(&mut self, before: &FileDescriptor, now: &FileDescriptor) {
        let at = (now, "");
        self.changed(FILE_SAME_PACKAGE, at, "package", (before.package(), now.package()));
        self.changed(FILE_SAME_SYNTAX, at, "syntax", (syntax(before), syntax(now)));
        for (rule, name, number) in TEXTS {
            let value = |file: &FileDescriptor| {
                let last = file.options().len_prefixed(number).last();
                format!("{:?}", String::from_utf8_lossy(last.unwrap_or_default()))
            };
            self.changed(rule, at, name, (value(before), value(now)));
        }
        for (rule, name, number, default) in SWITCHES {
            let value = |file: &FileDescriptor| file.options().varint(number).map_or(default, |is| is != 0);
            self.changed(rule, at, name, (value(before), value(now)));
        }
        let value = |file: &FileDescriptor| match file.options().varint(9) {
            Some(2) => "CODE_SIZE",
            Some(3) => "LITE_RUNTIME",
            _ => "SPEED",
        };
        self.changed(FILE_SAME_OPTIMIZE_FOR, at, "optimize_for", (value(before), value(now)));
    }

    /// Records elements that were deleted from a file. Names are compared without the package, so that a new package
    /// of the file breaks only one rule.
    fn deleted_from_file(&mut self, before: &FileDescriptor, now: &FileDescriptor) {
        for (kind, names) in declared(before) {
            if !self.is_on(kind.in_file) {
                continue;
            }
            let kept: HashSet<String> = match declared(now).into_iter().find(|(of, _)| of.noun == kind.noun) {
                Some((_, names)) => names.iter().map(|name| in_package(name, now).to_owned()).collect(),
                None => HashSet::new(),
            };
            for name in names.iter().filter(|name| !kept.contains(in_package(name, before))) {
                self.add(
                    kind.in_file,
                    now,
                    name,
                    format_args!("the {} was deleted from its file", kind.noun),
                );
            }
        }
    }

    fn deleted_from_package(&mut self, before: &FileDescriptor) {
        for (kind, names) in declared(before) {
            for name in names {
                let kept = match kind.noun {
                    "message" => self.current.messages.contains_key(&name),
                    "enum" => self.current.enums.contains_key(&name),
                    "service" => self.current.services.contains_key(&name),
                    _ => self.current.extension_names.contains(&name),
                };
                if !kept {
                    let noun = kind.noun;
                    self.add(kind.in_package, before, &name, format_args!("the {noun} was deleted"));
                }
            }
        }
    }
}

/// Returns the full names of everything that a file declares.
fn declared(file: &FileDescriptor) -> [(Declaration, Vec<String>); 4] {
    let messages = file.all_messages().map(|message| message.full_name().to_owned());
    let enums = file.all_enums().map(|enumeration| enumeration.full_name().to_owned());
    let services = file.services().map(|service| service.full_name().to_owned());
    let extensions = file.all_extensions().map(|extension| extension.full_name().to_owned());
    [
        (MESSAGES, messages.collect()),
        (ENUMS, enums.collect()),
        (SERVICES, services.collect()),
        (EXTENSIONS, extensions.collect()),
    ]
}

/// Returns a full name without the package of its file.
fn in_package<'a>(name: &'a str, file: &FileDescriptor) -> &'a str {
    match file.package() {
        "" => name,
        package => name.get(package.len() + 1..).unwrap_or(name),
    }
}

fn syntax(file: &FileDescriptor) -> &'static str {
    match file.edition() {
        Edition::Proto2 => "proto2",
        Edition::Proto3 => "proto3",
        _ => "an edition",
    }
}
