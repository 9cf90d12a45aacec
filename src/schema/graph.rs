//! Finds the types that a type reaches. Types that refer to each other must be in one file.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::descriptor::{
    self, Edition, EnumBuilder, EnumDescriptor, FieldBuilder, FileBuilder, FileDescriptor, MessageBuilder,
    MessageDescriptor,
};
use crate::error::{Error, Result};
use crate::layout::{Declaration, Described, EnumShape, MessageShape, Schema};
use crate::schema::decl::{
    Decl, EnumDecl, FieldDecl, Form, Kind, MessageDecl, Reference, ReferredType, full_name,
};
use crate::sort::{sort_by, sort_by_key};

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) rust_name: &'static str,
    pub(super) package: &'static str,
    pub(super) name: &'static str,
    pub(super) decl: Decl,
}

/// The declared types that a type reaches: the types to which it refers, directly or through other types. Each full name occurs
/// once.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    index: HashMap<String, u32>,
}

impl Node {
    fn of(target: ReferredType) -> Result<Self> {
        let (rust_name, (package, name)) = match target {
            ReferredType::Message(shape) => (shape.rust_name(), declared(&shape.schema)),
            ReferredType::Enum(shape) => (shape.rust_name(), declared(&shape.schema)),
        };
        let decl = match target {
            ReferredType::Message(shape) => Decl::Message(MessageDecl::of(shape)?),
            ReferredType::Enum(shape) => Decl::Enum(EnumDecl::of(shape)?),
        };
        Ok(Node { rust_name, package, name, decl })
    }

    pub(super) fn full_name(&self) -> String {
        full_name(self.package, self.name)
    }

    pub(super) fn references(&self) -> Vec<&Reference> {
        match &self.decl {
            Decl::Message(message) => message.references(),
            Decl::Enum(_) => Vec::new(),
        }
    }

    /// # Errors
    /// Two types have one name and different declarations.
    pub(super) fn check_same(&self, other: &Node) -> Result<()> {
        if self.decl == other.decl {
            return Ok(());
        }
        Err(Error::schema(format!(
            "`{}` and `{}` both declare `{}`, but not in the same way",
            self.rust_name,
            other.rust_name,
            self.full_name()
        )))
    }
}

impl Graph {
    /// Collects the declared types that `root` reaches, including `root`.
    ///
    /// # Errors
    /// One of the types is not valid, or two types with one name differ.
    pub(super) fn of(root: ReferredType) -> Result<Self> {
        let mut graph = Graph::default();
        let mut seen = vec![root.address()];
        let mut open = vec![root];
        while let Some(target) = open.pop() {
            let node = Node::of(target)?;
            for reference in node.references() {
                if reference.target.declares()
                    && let Err(at) = seen.binary_search(&reference.target.address())
                {
                    seen.insert(at, reference.target.address());
                    open.push(reference.target);
                }
            }
            match graph.index.get(&node.full_name()) {
                Some(&first) => graph.nodes[first as usize].check_same(&node)?,
                None => {
                    graph.index.insert(node.full_name(), graph.nodes.len() as u32);
                    graph.nodes.push(node);
                }
            }
        }
        Ok(graph)
    }

    /// Returns the strongly connected components. Each component comes after the components to which it refers. This is
    /// Tarjan's algorithm with an explicit stack, because a chain of types may be long.
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let mut edges = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            edges.push(self.edges(node));
        }
        let mut tarjan = Tarjan { states: vec![State::default(); edges.len()], ..Tarjan::default() };
        for root in 0..edges.len() {
            if tarjan.states[root].order == 0 {
                tarjan.visit(root, &edges);
            }
        }
        tarjan.components
    }

    fn edges(&self, node: &Node) -> Vec<usize> {
        let mut edges = Vec::new();
        for reference in node.references() {
            if let Some(&index) = self.index.get(&reference.full_name) {
                edges.push(index as usize);
            }
        }
        edges
    }
}

#[derive(Default)]
struct Tarjan {
    states: Vec<State>,
    count: usize,
    stack: Vec<usize>,
    components: Vec<Vec<usize>>,
}

#[derive(Clone, Default)]
struct State {
    /// The position of the node in the order in which nodes are found, counted from one. Zero if the node was not found
    /// yet.
    order: usize,
    /// The `order` of the earliest node on the stack that is known to be reachable from this node.
    low: usize,
    on_stack: bool,
}

impl Tarjan {
    fn visit(&mut self, root: usize, edges: &[Vec<usize>]) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = edges[node].get(*next) {
                *next += 1;
                if self.states[target].order == 0 {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.states[target].on_stack {
                    self.states[node].low = self.states[node].low.min(self.states[target].order);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.states[*parent].low = self.states[*parent].low.min(self.states[node].low);
            }
            if self.states[node].low == self.states[node].order {
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.count += 1;
        self.states[node] = State { order: self.count, low: self.count, on_stack: true };
        self.stack.push(node);
    }

    /// Moves the component whose first node is `node` from the stack to the result.
    fn leave(&mut self, node: usize) {
        let first = self.stack.iter().rposition(|&other| other == node).unwrap_or_default();
        let component = self.stack.split_off(first);
        for &member in &component {
            self.states[member].on_stack = false;
        }
        self.components.push(component);
    }
}

fn declared<D: Described>(schema: &Schema<D>) -> (&'static str, &'static str) {
    match *schema {
        Schema::Declared(&Declaration { package, name, .. }) => (package, name),
        Schema::Bound(_) | Schema::Given(_) | Schema::Stated(..) => ("", ""),
    }
}

/// Declares a message and all types that it reaches.
///
/// # Errors
/// One of the types is not valid, or another type has its name and a different declaration.
pub fn message(shape: &'static MessageShape) -> Result<MessageDescriptor> {
    let (file, full_name) = declare(ReferredType::Message(shape))?;
    let found = file.messages().find(|message| message.full_name() == full_name);
    found.ok_or_else(|| {
        Error::schema(format!("`{}` declares an enum named `{full_name}` as well", shape.rust_name()))
    })
}

/// Declares an enum.
///
/// # Errors
/// The enum is not valid, or another type has its name and a different declaration.
pub fn enumeration(shape: &'static EnumShape) -> Result<EnumDescriptor> {
    let (file, full_name) = declare(ReferredType::Enum(shape))?;
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

/// Registers all unregistered types that `root` reaches, and returns the file and the full name of `root`.
fn declare(root: ReferredType) -> Result<(FileDescriptor, String)> {
    // The graph is built before the lock is taken, because resolving bound types runs user code, which may declare
    // types itself.
    let graph = Graph::of(root)?;
    let full_name = graph.nodes.first().map(Node::full_name).unwrap_or_default();
    let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
    for (nodes, file) in files(&graph)? {
        if is_known(&nodes, &declared)? {
            continue;
        }
        let file = register(&nodes, &file).map_err(|error| {
            let names: Vec<String> = nodes.iter().map(|node| format!("`{}`", node.rust_name)).collect();
            Error::schema(format!("the schema that {} declares is not valid: {error}", names.join(" and ")))
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

/// Registers the files of the bound types to which `nodes` refer, and then the file of `nodes`.
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

/// Adds the imports of the file of a bound type, and then the file, to the global pool.
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

/// True if one of the types was declared before. Fails if its earlier declaration was different.
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

/// Builds a file for every component. Returns each file with its types, after the files that it imports.
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
                    // A type of this component is in no file yet.
                    None => imports.extend(file_names.get(&reference.full_name).cloned()),
                }
            }
        }
        sort_by(&mut imports, Ord::cmp);
        imports.dedup();
        let file = file(&nodes, imports);
        for node in &nodes {
            file_names.insert(node.full_name(), file.name().to_owned());
        }
        out.push((nodes, file));
    }
    Ok(out)
}

/// Checks that all types have one package. Types that refer to each other share a file, and a file has one package.
fn check_package(nodes: &[&Node]) -> Result<()> {
    match nodes.iter().find(|node| node.package != nodes[0].package) {
        None => Ok(()),
        Some(other) => Err(Error::schema(format!(
            "`{}` and `{}` refer to each other but declare the packages `{}` and `{}`; they need the same one",
            nodes[0].rust_name, other.rust_name, nodes[0].package, other.package
        ))),
    }
}

/// Builds the file of a component. The types of the component have one package and are sorted by name.
pub(super) fn file(nodes: &[&Node], imports: Vec<String>) -> FileBuilder {
    let is_proto3 = nodes.iter().all(|node| fits_proto3(node));
    let edition = if is_proto3 { Edition::Proto3 } else { Edition::Edition2023 };
    let first = nodes.first();
    let mut file = FileBuilder::new(first.map(|node| file_name(node)).unwrap_or_default())
        .package(first.map_or("", |node| node.package))
        .edition(edition);
    for import in imports {
        file = file.import(import);
    }
    for node in nodes {
        file = match &node.decl {
            Decl::Message(decl) => file.message(message_builder(node.name, decl)),
            Decl::Enum(decl) => file.enumeration(enum_builder(node.name, decl)),
        };
    }
    file
}

/// Returns the name of the file whose first type is `node`: `tobu/library/v1/Shelf.proto`.
fn file_name(node: &Node) -> String {
    format!("tobu/{}.proto", node.full_name().replace('.', "/"))
}

fn fits_proto3(node: &Node) -> bool {
    match &node.decl {
        Decl::Enum(decl) => !decl.closed,
        Decl::Message(decl) => decl.fields.iter().all(|field| {
            let closed = matches!(&field.kind, Kind::Enum(reference) if reference.closed);
            field.form != Form::Required && !closed && field.default.is_none() && !field.delimited
        }),
    }
}

fn message_builder(name: &str, decl: &MessageDecl) -> MessageBuilder {
    let mut message = MessageBuilder::new(name);
    for name in &decl.oneofs {
        message = message.oneof(*name, []);
    }
    for decl in &decl.fields {
        message = match decl.form {
            Form::Oneof(index) => message.field_in_oneof(index, field(decl)),
            _ => message.field(field(decl)),
        };
    }
    message
}

fn enum_builder(name: &str, decl: &EnumDecl) -> EnumBuilder {
    let mut out = EnumBuilder::new(name);
    for &(name, number) in &decl.values {
        out = match decl.json_names.iter().find(|(of, _)| *of == number) {
            Some((_, json_name)) => out.value_with_json_name(name, number, json_name),
            None => out.value(name, number),
        };
    }
    if decl.closed { out.closed() } else { out }
}

fn field(decl: &FieldDecl) -> FieldBuilder {
    let type_name = |reference: &Reference| format!(".{}", reference.full_name);
    let mut field = match &decl.kind {
        Kind::Scalar(scalar) => FieldBuilder::new(decl.name, scalar.ty()),
        Kind::Enum(reference) => FieldBuilder::enumeration(decl.name, type_name(reference)),
        Kind::Message(reference) => FieldBuilder::message(decl.name, type_name(reference)),
    };
    field = field.number(decl.number);
    field = match decl.form {
        Form::Implicit => field.implicit(),
        // Messages have presence anyway.
        Form::Explicit if matches!(decl.kind, Kind::Message(_)) => field,
        Form::Explicit => field.optional(),
        Form::Required => field.required(),
        Form::Oneof(_) => field,
        Form::List(None) => field.repeated(),
        Form::List(Some(packed)) => field.repeated().packed(packed),
        Form::Map(key) => field.keyed_by(key.ty()),
    };
    if let Some(json_name) = decl.json_name {
        field = field.json_name(json_name);
    }
    if let Some(default) = decl.default {
        field = field.default(default);
    }
    if decl.delimited {
        field = field.delimited();
    }
    if decl.redact { field.debug_redact() } else { field }
}
