//! Registers declared types, each component of them as a file, after those that it imports.

use super::file;
use super::graph::{Graph, Node};
use super::reference::Target;
use crate::descriptor::{self, EnumDescriptor, FileBuilder, FileDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::layout::{EnumShape, MessageShape};
use crate::sort::{sort_by, sort_by_key};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Declares a message and all that it reaches.
///
/// # Errors
/// A type on the way is not valid.
pub fn message(shape: &'static MessageShape) -> Result<MessageDescriptor> {
    let (file, full_name) = declare(Target::Message(shape))?;
    let found = file.messages().find(|message| message.full_name() == full_name);
    found.ok_or_else(|| {
        Error::schema(format!("`{}` declares an enum named `{full_name}` as well", shape.rust_name()))
    })
}

/// Declares an enum.
///
/// # Errors
/// It is not valid.
pub fn enumeration(shape: &'static EnumShape) -> Result<EnumDescriptor> {
    let (file, full_name) = declare(Target::Enum(shape))?;
    let found = file.enums().find(|enumeration| enumeration.full_name() == full_name);
    found.ok_or_else(|| {
        Error::schema(format!("`{}` declares a message named `{full_name}` as well", shape.rust_name()))
    })
}

/// Every type that was declared, by full name.
static DECLARED: LazyLock<Mutex<HashMap<String, Declared>>> = LazyLock::new(Mutex::default);

struct Declared {
    node: Node,
    file: FileDescriptor,
}

/// Registers all unregistered types that `root` reaches, and returns the file and the full name of
/// `root`.
fn declare(root: Target) -> Result<(FileDescriptor, String)> {
    // Before the lock is taken: resolving bound types runs user code, which may declare types itself.
    let graph = Graph::of(root)?;
    let full_name = graph.nodes.first().map(Node::full_name).unwrap_or_default();
    let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
    for (nodes, file) in files(&graph)? {
        if is_known(&nodes, &declared)? {
            continue;
        }
        let file = register(&nodes, &file).map_err(|error| {
            let names: Vec<String> = nodes.iter().map(|node| format!("`{}`", node.rust_name)).collect();
            Error::schema(format!("what {} declares is not valid: {error}", names.join(" and ")))
        })?;
        for node in nodes {
            declared.insert(node.full_name(), Declared { node: node.clone(), file: file.clone() });
        }
    }
    match declared.get(&full_name) {
        Some(declared) => Ok((declared.file.clone(), full_name)),
        None => Err(Error::schema(format!("`{full_name}` could not be declared"))),
    }
}

/// Registers the file of some types after the files of bound types that they refer to.
fn register(nodes: &[&Node], file: &FileBuilder) -> Result<FileDescriptor> {
    for node in nodes {
        for reference in node.references() {
            if let Some(file) = &reference.file {
                import(file)?;
            }
        }
    }
    descriptor::register(&file.to_bytes())
}

/// Brings the file of a bound type into the pool that declared files are in, after its own imports.
fn import(file: &FileDescriptor) -> Result<()> {
    let known = descriptor::global();
    let is_known = |file: &FileDescriptor| known.file(file.name()).is_some_and(|known| known == *file);
    let mut seen: Vec<String> = Vec::new();
    let mut open = vec![(file.clone(), false)];
    while let Some((file, imported)) = open.pop() {
        if imported {
            descriptor::register(file.encoded())?;
        } else if !is_known(&file)
            && let Err(at) = seen.binary_search_by(|seen| (**seen).cmp(file.name()))
        {
            seen.insert(at, file.name().to_owned());
            open.push((file.clone(), true));
            for import in file.dependencies() {
                open.push((import, false));
            }
        }
    }
    Ok(())
}

/// True if the types were declared before, in the same way.
fn is_known(nodes: &[&Node], declared: &HashMap<String, Declared>) -> Result<bool> {
    let mut known = false;
    for node in nodes {
        if let Some(before) = declared.get(&node.full_name()) {
            before.node.check_same(node)?;
            known = true;
        }
    }
    Ok(known)
}

/// A file for every component, with its types, each file after those that it imports.
///
/// # Errors
/// Types that refer to each other are in different packages.
pub(super) fn files(graph: &Graph) -> Result<Vec<(Vec<&Node>, FileBuilder)>> {
    let mut out = Vec::new();
    let mut file_names: HashMap<String, String> = HashMap::new();
    for component in graph.components() {
        let mut nodes = Vec::with_capacity(component.len());
        for node in component {
            nodes.push(&graph.nodes[node]);
        }
        sort_by_key(&mut nodes, |node| node.name);
        check_package(&nodes)?;
        let mut imports: Vec<String> = Vec::new();
        for node in &nodes {
            for reference in node.references() {
                match &reference.file {
                    Some(file) => imports.push(file.name().to_owned()),
                    // A type of this very component is in no file yet.
                    None => imports.extend(file_names.get(&reference.full_name).cloned()),
                }
            }
        }
        sort_by(&mut imports, Ord::cmp);
        imports.dedup();
        let file = file::file(&nodes, imports);
        for node in &nodes {
            file_names.insert(node.full_name(), file.name().to_owned());
        }
        out.push((nodes, file));
    }
    Ok(out)
}

/// Types that refer to each other share a file, and a file has one package.
fn check_package(nodes: &[&Node]) -> Result<()> {
    match nodes.iter().find(|node| node.package != nodes[0].package) {
        None => Ok(()),
        Some(other) => Err(Error::schema(format!(
            "`{}` and `{}` refer to each other but declare the packages `{}` and `{}`; they need the same one",
            nodes[0].rust_name, other.rust_name, nodes[0].package, other.package
        ))),
    }
}
