//! Selects the files whose descriptors are embedded, and among them the files whose types are generated.

use std::collections::HashSet;

use tobu_schema::Pool;
use tobu_schema::descriptor::{
    EnumDescriptor, FieldDescriptor, FieldShape, FileDescriptor, Kind, MessageDescriptor, OneofDescriptor,
    ServiceDescriptor,
};

use crate::config::Config;
use crate::error::{Kind as ErrorKind, Result};
use crate::names;

/// The files of the output.
pub(super) struct Selection {
    /// Every file whose descriptor is embedded, imports before the files that import them.
    pub(super) embedded: Vec<FileDescriptor>,
    /// The names of the files whose types are generated.
    pub(super) generated: HashSet<String>,
    pub(super) pool: Pool,
}

/// Selects the given files and the files with the types of their fields. The files that these import are also selected:
/// their descriptors are embedded, and their types are generated if the settings say so.
pub(super) fn select<I>(config: &Config, pool: &Pool, files: I) -> Result<Selection>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let mut generated = HashSet::new();
    let mut open = Vec::new();
    for name in files {
        let name = name.as_ref();
        let file = pool.file(name).ok_or_else(|| ErrorKind::UnknownFile { file: name.to_owned() })?;
        if generated.insert(name.to_owned()) {
            open.push(file);
        }
    }
    if config.all_imports {
        let mut unseen = open.clone();
        while let Some(file) = unseen.pop() {
            for import in file.dependencies().filter(|import| !config.is_own(import.name())) {
                if generated.insert(import.name().to_owned()) {
                    open.push(import.clone());
                    unseen.push(import);
                }
            }
        }
    }
    let mut needed: HashSet<String> = HashSet::new();
    let mut imports = open.clone();
    while let Some(file) = open.pop() {
        let of_messages = file.all_messages().flat_map(|message| targets(config, &message));
        let of_services = file.services().flat_map(|service| service_targets(config, &service));
        for target in of_messages.chain(of_services) {
            if generated.insert(target.name().to_owned()) {
                imports.push(target.clone());
                open.push(target);
            }
        }
    }
    while let Some(file) = imports.pop() {
        if needed.insert(file.name().to_owned()) {
            imports.extend(file.dependencies());
        }
    }
    let embedded = in_order(pool, &needed);
    for file in &embedded {
        check(file)?;
    }
    Ok(Selection { embedded, generated, pool: pool.clone() })
}

/// Returns the files with these names. Imports come before the files that import them. Otherwise the order depends on
/// the names alone, so that a schema always gives the same code. The order of the pool depends on the order in which
/// somebody listed the files.
fn in_order(pool: &Pool, names: &HashSet<String>) -> Vec<FileDescriptor> {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort_unstable();
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for file in names.into_iter().filter_map(|name| pool.file(name)) {
        // Each file, and whether its imports were added. This is a list and not a recursive function, because a chain
        // of imports may be long.
        let mut open = vec![(file, false)];
        while let Some((file, follows_imports)) = open.pop() {
            if follows_imports {
                files.push(file);
            } else if seen.insert(file.name().to_owned()) {
                let imports: Vec<_> = file.dependencies().map(|import| (import, false)).collect();
                open.push((file, true));
                open.extend(imports.into_iter().rev());
            }
        }
    }
    files
}

/// Returns the files that declare the types of a message's fields, except types that are not generated.
fn targets(config: &Config, message: &MessageDescriptor) -> Vec<FileDescriptor> {
    if config.is_extern(message.full_name()) {
        return Vec::new();
    }
    let target = |kind: Kind| match kind {
        Kind::Message(message) if !config.is_extern(message.full_name()) => Some(message.file()),
        Kind::Enum(enumeration) if !config.is_extern(enumeration.full_name()) => Some(enumeration.file()),
        _ => None,
    };
    message
        .fields()
        .filter_map(|field| match field.shape() {
            FieldShape::Map { value, .. } => target(value.kind()),
            FieldShape::Singular(kind) | FieldShape::List(kind) => target(kind),
        })
        .collect()
}

/// Returns the files that declare the requests and responses of a service, except types that are not generated.
fn service_targets(config: &Config, service: &ServiceDescriptor) -> Vec<FileDescriptor> {
    if !config.generates(service) {
        return Vec::new();
    }
    let types = service.methods().flat_map(|method| [method.input(), method.output()]);
    types.filter(|message| !config.is_extern(message.full_name())).map(|message| message.file()).collect()
}

/// Returns an error for a name that is not a relative path of a file or not an identifier, because such a name could
/// add code to the output.
fn check(file: &FileDescriptor) -> Result<()> {
    let name = file.name();
    let plain = !name.chars().any(|c| c.is_control() || c == '\\')
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if !plain {
        return Err(ErrorKind::FileName { file: name.to_owned() }.into());
    }
    let identifier = |part: &str| {
        if names::is_identifier(part) {
            Ok(())
        } else {
            Err(ErrorKind::Name { file: name.to_owned(), name: part.to_owned() })
        }
    };
    if !file.package().is_empty() {
        file.package().split('.').try_for_each(identifier)?;
    }
    let enumeration = |declared: EnumDescriptor| {
        identifier(declared.name())?;
        declared.values().try_for_each(|value| identifier(value.name()))
    };
    for message in file.all_messages() {
        identifier(message.name())?;
        message.fields().try_for_each(|field: FieldDescriptor| identifier(field.name()))?;
        message.oneofs().try_for_each(|oneof: OneofDescriptor| identifier(oneof.name()))?;
    }
    file.all_enums().try_for_each(enumeration)?;
    for service in file.services() {
        identifier(service.name())?;
        service.methods().try_for_each(|method| identifier(method.name()))?;
    }
    Ok(())
}
