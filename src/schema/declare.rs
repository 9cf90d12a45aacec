//! Registering what types declare, each component of them as a file, those that it imports first.

use super::file;
use super::graph::{Graph, Node, Target};
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
    descriptor::generated_message(&full_name)
}

/// Declares an enum.
///
/// # Errors
/// It is not valid.
pub(super) fn enumeration(shape: &'static EnumShape) -> Result<EnumDescriptor> {
    let full_name = declare(Target::Enum(shape))?;
    descriptor::generated_enum(&full_name)
}

/// Every type that was declared, by full name.
static DECLARED: LazyLock<Mutex<HashMap<String, Declared>>> = LazyLock::new(Mutex::default);

struct Declared {
    node: Node,
    file: String,
}

/// Registers what is new among all that `root` reaches, and gives the full name of `root`.
fn declare(root: Target) -> Result<String> {
    // Before the lock is taken: looking up what is bound runs code of others, which may declare types itself.
    let graph = Graph::of(root)?;
    let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
    for component in graph.components() {
        let mut nodes: Vec<&Node> = component.iter().map(|&node| &graph.nodes[node]).collect();
        nodes.sort_by_key(|node| node.name);
        if is_known(&nodes, &declared)? {
            continue;
        }
        check_package(&nodes)?;
        let imports = imports(&nodes, &declared);
        let proto = file::file(&nodes, imports.into_iter().collect());
        descriptor::register(&proto.encode()).map_err(|error| {
            let names: Vec<String> = nodes.iter().map(|node| format!("`{}`", node.rust_name)).collect();
            Error::schema(format!("what {} declares is not valid: {error}", names.join(", ")))
        })?;
        for node in nodes.iter().copied() {
            let file = proto.name.clone().unwrap_or_default();
            declared.insert(node.full_name(), Declared { node: node.clone(), file });
        }
    }
    Ok(graph.nodes.first().map(Node::full_name).unwrap_or_default())
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

/// The files of the types that the component refers to outside of itself.
fn imports(nodes: &[&Node], declared: &HashMap<String, Declared>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for reference in nodes.iter().flat_map(|node| node.references()) {
        match &reference.file {
            Some(file) => {
                out.insert(file.clone());
            }
            // A type of this very component is not declared yet.
            None => out.extend(declared.get(&reference.full_name).map(|declared| declared.file.clone())),
        }
    }
    out
}
