//! The types that a type reaches, and which of them must be in one file because they refer to each other.

use super::decl::{Decl, EnumDecl, MessageDecl};
use super::reference::{Reference, Target, full_name};
use crate::error::{Error, Result};
use crate::layout::{Declaration, Described, Schema};
use std::collections::HashMap;

/// A declared type and its declarations.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) rust_name: &'static str,
    pub(super) package: &'static str,
    pub(super) name: &'static str,
    pub(super) decl: Decl,
}

/// The declared types that a type reaches, by full name, each once.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    index: HashMap<String, u32>,
}

impl Node {
    /// The declarations of a type.
    fn of(target: Target) -> Result<Self> {
        let (rust_name, (package, name)) = match target {
            Target::Message(shape) => (shape.rust_name(), declared(&shape.schema)),
            Target::Enum(shape) => (shape.rust_name(), declared(&shape.schema)),
        };
        let decl = match target {
            Target::Message(shape) => Decl::Message(MessageDecl::of(shape)?),
            Target::Enum(shape) => Decl::Enum(EnumDecl::of(shape)?),
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
    /// Two types have one name and do not say the same.
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
    /// Everything declared that the type reaches, itself included.
    ///
    /// # Errors
    /// A type on the way is not valid, or two of one name differ.
    pub(super) fn of(root: Target) -> Result<Self> {
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

    /// The strongly connected components, each after those that it refers to; Tarjan's algorithm with an explicit
    /// stack, since a chain of types may be long.
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
    /// From one, in the order in which nodes are found; zero before.
    order: usize,
    /// The earliest node on the stack that can be reached from here.
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

    /// Takes the component that `node` was the first of from the stack.
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
