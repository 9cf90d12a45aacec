//! Registering what types declare, each component of them as a file, those that it imports first.

use super::file;
use super::graph::{Graph, Node, Target};
use crate::descriptor::raw::FileDescriptorProto;
use crate::descriptor::{self, EnumDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::shape::{EnumShape, MessageShape};
use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Declares a message and all that it reaches.
///
/// # Errors
/// A type on the way is not valid.
pub(super) fn message(shape: &'static MessageShape) -> Result<MessageDescriptor> {
    let full_name = declare(Target::Message(shape))?;
    let found = descriptor::global().message(&full_name);
    found.ok_or_else(|| Error::schema(format!("there is no message named {full_name:?}")))
}

/// Declares an enum.
///
/// # Errors
/// It is not valid.
pub(super) fn enumeration(shape: &'static EnumShape) -> Result<EnumDescriptor> {
    let full_name = declare(Target::Enum(shape))?;
    let found = descriptor::global().enumeration(&full_name);
    found.ok_or_else(|| Error::schema(format!("there is no enum named {full_name:?}")))
}

/// Every type that was declared, by full name.
static DECLARED: LazyLock<Mutex<HashMap<String, Node>>> = LazyLock::new(Mutex::default);

/// Registers what is new among all that `root` reaches, and gives the full name of `root`.
fn declare(root: Target) -> Result<String> {
    // Before the lock is taken: looking up what is bound runs code of others, which may declare types itself.
    let graph = Graph::of(root)?;
    let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
    for (nodes, file) in files(&graph)? {
        if is_known(&nodes, &declared)? {
            continue;
        }
        descriptor::register(&file.encode()).map_err(|error| {
            let names: Vec<String> = nodes.iter().map(|node| format!("`{}`", node.rust_name)).collect();
            Error::schema(format!("what {} declares is not valid: {error}", names.join(", ")))
        })?;
        declared.extend(nodes.into_iter().map(|node| (node.full_name(), node.clone())));
    }
    Ok(graph.nodes.first().map(Node::full_name).unwrap_or_default())
}

/// True if the types were declared before, in the same way.
fn is_known(nodes: &[&Node], declared: &HashMap<String, Node>) -> Result<bool> {
    let mut known = false;
    for node in nodes {
        if let Some(before) = declared.get(&node.full_name()) {
            before.check_same(node)?;
            known = true;
        }
    }
    Ok(known)
}

/// A file for every component, with its types, each file after those that it imports.
///
/// # Errors
/// Types that refer to each other are in different packages.
pub(super) fn files(graph: &Graph) -> Result<Vec<(Vec<&Node>, FileDescriptorProto)>> {
    let mut out = Vec::new();
    let mut file_names: HashMap<String, String> = HashMap::new();
    for component in graph.components() {
        let mut nodes: Vec<&Node> = component.iter().map(|&node| &graph.nodes[node]).collect();
        nodes.sort_by_key(|node| node.name);
        check_package(&nodes)?;
        let references = nodes.iter().flat_map(|node| node.references());
        // A type of this very component is in no file yet.
        let imports: BTreeSet<&String> = references
            .filter_map(|reference| reference.file.as_ref().or_else(|| file_names.get(&reference.full_name)))
            .collect();
        let file = file::file(&nodes, imports.into_iter().cloned().collect());
        let name = file.name.clone().unwrap_or_default();
        file_names.extend(nodes.iter().map(|node| (node.full_name(), name.clone())));
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
