//! The wanted fields, compiled to nodes: one for each table, with one step for each row.

use crate::descriptor::{ExtensionDescriptor, Mask, MessageDescriptor};
use crate::error::Result;
use crate::object::wire::Order;
use crate::table::{Kind, Presence, Row, Shape, Table, Tabled};
use crate::wire::WireType;

/// Stands for no field, or no node.
pub(super) const NONE: u32 = u32::MAX;

/// A table of the wanted fields, with a node for each of its messages.
pub(super) struct Nodes {
    pub(super) table: Table,
    /// The nodes of all messages, with the outermost message first.
    nodes: Vec<Node>,
    pub(super) order: Order,
}

impl Nodes {
    /// # Errors
    /// A message has too many fields, or an extension is in a message set.
    pub(super) fn new(
        descriptor: &MessageDescriptor,
        tree: &Tree,
        extensions: &[ExtensionDescriptor],
    ) -> Result<Self> {
        let unknown = wanted_unknown(tree);
        let table = table(descriptor, tree, extensions, &Mask::Fields(Vec::new()))?;
        let mut nodes = Vec::new();
        node(&table, tree, &mut nodes)?;
        Ok(Nodes { table, nodes, order: Order { unknown, ..Order::default() } })
    }

    #[inline(always)]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }
}

/// The wanted fields of a message.
#[derive(Debug)]
pub(super) struct Node {
    /// One step for each row of the table.
    pub(super) steps: Box<[Step]>,
    /// What is done with a field, by its tag. A tag that is not here is looked up in the table. Entries of a map have
    /// nothing here unless their key and their value are wanted and plain.
    pub(super) ops: Box<[Op]>,
    /// The index that the user gave the unknown fields of the message.
    pub(super) unknown: u32,
    /// The indices of the rows whose default is wanted if they are absent.
    pub(super) defaults: Box<[u16]>,
    /// True if it must be recorded which rows came, because some are required or their default is wanted.
    pub(super) is_noted: bool,
}

/// What is done with a field.
#[derive(Debug)]
pub(super) struct Step {
    /// What is done with a value after the tag that encoders write.
    pub(super) op: Op,
    /// True if it must be recorded that the field came, because it is in a oneof, holds messages, is required, or its
    /// default is wanted.
    pub(super) is_noted: bool,
    /// The index that the user gave the field.
    pub(super) index: u32,
    /// The node of the messages in the field, if fields in them are wanted.
    pub(super) node: u32,
}

impl Step {
    pub(super) const SKIPPED: Step = Step { op: Op::NONE, is_noted: false, index: NONE, node: NONE };

    pub(super) fn is_skipped(&self) -> bool {
        self.index == NONE && self.node == NONE
    }
}

/// What is done with the value after a tag. Everything that the fast path needs is here, in one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub(super) act: Act,
    /// True if it must be recorded that the field came before its value is read.
    pub(super) is_noted: bool,
    /// The index of the row.
    pub(super) row: u16,
    /// The index that the user gave the field.
    pub(super) index: u32,
}

impl Op {
    /// Leaves the field to the table.
    pub(super) const NONE: Op = Op { act: Act::Find, is_noted: false, row: 0, index: NONE };
}

/// How a value is read, and passed to the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Int32,
    SInt32,
    SFixed32,
    Int64,
    SInt64,
    SFixed64,
    UInt32,
    Fixed32,
    UInt64,
    Fixed64,
    Float,
    Double,
    Bool,
    /// A number of an open enum.
    Enum,
    /// A string that must be UTF-8.
    String,
    /// A string that need not be UTF-8.
    Text,
    Bytes,
    /// A message, or an element of a list of messages.
    Message,
    Packed,
    Entry,
    /// A value for which more must be looked up in the row.
    Other,
    /// Values that are not wanted.
    SkipVarint,
    SkipFixed32,
    SkipFixed64,
    SkipLen,
    /// The table says what the field is.
    Find,
}

impl Act {
    /// True for a value of which nothing must be looked up.
    fn is_plain(self) -> bool {
        self as u8 <= Act::Bytes as u8
    }

    /// Returns how a single value of a row is read.
    fn of(row: &Row) -> Act {
        match row.kind {
            Kind::Int32 => Act::Int32,
            Kind::SInt32 => Act::SInt32,
            Kind::SFixed32 => Act::SFixed32,
            Kind::Int64 => Act::Int64,
            Kind::SInt64 => Act::SInt64,
            Kind::SFixed64 => Act::SFixed64,
            Kind::UInt32 => Act::UInt32,
            Kind::Fixed32 => Act::Fixed32,
            Kind::UInt64 => Act::UInt64,
            Kind::Fixed64 => Act::Fixed64,
            Kind::Float => Act::Float,
            Kind::Double => Act::Double,
            Kind::Bool => Act::Bool,
            Kind::Enum if !row.closed => Act::Enum,
            Kind::String if row.utf8 => Act::String,
            Kind::String => Act::Text,
            Kind::Bytes => Act::Bytes,
            Kind::Message => Act::Message,
            Kind::Enum | Kind::Group => Act::Other,
        }
    }
}

/// The wanted fields of a message, before there are tables.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) index: u32,
    pub(super) unknown: u32,
    pub(super) default: bool,
    /// The wanted fields, in ascending order of their numbers.
    fields: Vec<(u32, Tree)>,
}

impl Tree {
    pub(super) const EMPTY: Tree = Tree { index: NONE, unknown: NONE, default: false, fields: Vec::new() };

    pub(super) fn field(&mut self, number: u32) -> &mut Tree {
        let at = match self.fields.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(at) => at,
            Err(at) => {
                self.fields.insert(at, (number, Tree::EMPTY));
                at
            }
        };
        &mut self.fields[at].1
    }

    /// Returns the tree of the field with this number, if it is wanted.
    fn find(&self, number: u32) -> Option<&Tree> {
        let at = self.fields.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.fields[at].1)
    }

    fn looks_inside(&self) -> bool {
        !self.fields.is_empty() || self.unknown != NONE
    }

    /// Returns the fields as a mask by which a table is projected. Messages into which no path leads have those of
    /// `given`.
    fn mask(
        &self,
        message: &MessageDescriptor,
        extensions: &[ExtensionDescriptor],
        given: &Mask,
    ) -> Vec<(u32, Mask)> {
        let mut mask = Vec::with_capacity(self.fields.len());
        for (number, tree) in &self.fields {
            let extended = || {
                let of = |found: &&ExtensionDescriptor| {
                    found.field().number() == *number && found.extendee() == *message
                };
                extensions.iter().find(of).map(|found| found.field().clone())
            };
            let Some(field) = message.field_by_number(*number).or_else(extended) else { continue };
            let (tree, inside) = match field.map_value() {
                Some(value) => (tree.find(2), value.message_type()),
                None => (Some(tree), field.message_type()),
            };
            let fields = |inside: MessageDescriptor| match tree {
                Some(tree) if tree.looks_inside() => Mask::Fields(tree.mask(&inside, extensions, given)),
                _ => given.clone(),
            };
            mask.push((*number, inside.map_or(Mask::Whole, fields)));
        }
        mask
    }
}

/// Returns the table of the wanted fields.
///
/// # Errors
/// A message has too many fields, or an extension is in a message set.
pub(super) fn table(
    descriptor: &MessageDescriptor,
    tree: &Tree,
    extensions: &[ExtensionDescriptor],
    given: &Mask,
) -> Result<Table> {
    let mask = tree.mask(descriptor, extensions, given);
    descriptor.table()?.project_with(&mask, extensions, wanted_unknown(tree))
}

fn wanted_unknown(tree: &Tree) -> bool {
    tree.unknown != NONE || tree.fields.iter().any(|(_, tree)| wanted_unknown(tree))
}

/// Adds the node of a message and those of the messages in it, and returns its index.
fn node(table: &Table, tree: &Tree, nodes: &mut Vec<Node>) -> Result<u32> {
    let index = add(nodes, tree.unknown);
    let (mut steps, mut defaults) = (Vec::with_capacity(table.rows.len()), Vec::new());
    for row in &table.rows {
        let Some(tree) = tree.find(row.number) else {
            // The table of a well-known type has all of its rows, even those that are not wanted.
            steps.push(Step::SKIPPED);
            continue;
        };
        if tree.default {
            defaults.push(row.index);
        }
        let node = match row.shape {
            Shape::Map if tree.looks_inside() => entry(row, tree, nodes)?,
            _ if tree.looks_inside() => node(row.message()?, tree, nodes)?,
            _ => NONE,
        };
        let index = tree.index;
        let is_noted =
            row.oneof.is_some() || node != NONE || tree.default || row.presence == Presence::Required;
        let act = match row.shape {
            _ if index == NONE && node == NONE => Act::Find,
            Shape::Map => Act::Entry,
            Shape::List if row.tag & 7 == WireType::Len as u32 && row.other_tag != 0 => Act::Packed,
            Shape::Singular | Shape::List => Act::of(row),
        };
        // The number of a closed enum decides whether the field came.
        let is_noted_first = is_noted && row.shape == Shape::Singular && act != Act::Other;
        let op = Op { act, is_noted: is_noted_first, row: row.index, index };
        steps.push(Step { op, is_noted, index, node });
    }
    let own = &mut nodes[index as usize];
    own.ops = ops(table, &steps);
    own.steps = steps.into();
    own.is_noted = !defaults.is_empty() || !table.required.is_empty();
    own.defaults = defaults.into();
    Ok(index)
}

/// The largest field number whose tags are looked up directly.
const MAX_DIRECT: u32 = 255;

/// Returns what is done with each field, by its tag.
fn ops(table: &Table, steps: &[Step]) -> Box<[Op]> {
    let all = table.unprojected().unwrap_or(table);
    let numbers = all.rows.iter().chain(&table.rows).map(|row| row.number);
    let max = numbers.filter(|number| *number <= MAX_DIRECT).max().unwrap_or(0);
    let skip = |tag: u32| {
        let act = match tag & 7 {
            0 => Act::SkipVarint,
            1 => Act::SkipFixed64,
            2 => Act::SkipLen,
            5 => Act::SkipFixed32,
            _ => Act::Find,
        };
        if tag >= 8 && table.drops(tag) { Op { act, ..Op::NONE } } else { Op::NONE }
    };
    let mut ops: Vec<Op> = (0..(max + 1) * 8).map(skip).collect();
    for (row, step) in table.rows.iter().zip(steps) {
        if let Some(op) = ops.get_mut(row.tag as usize) {
            *op = step.op;
        }
    }
    ops.into()
}

/// Returns the node of the entries of a map: a step for the key, and one for the value.
fn entry(row: &Row, tree: &Tree, nodes: &mut Vec<Node>) -> Result<u32> {
    let index = add(nodes, NONE);
    let value = &row.map().value;
    let inside = match tree.find(2) {
        Some(tree) if tree.looks_inside() => node(value.message()?, tree, nodes)?,
        _ => NONE,
    };
    let step = |row: &Row, number, node| {
        let index = tree.find(number).map_or(NONE, |tree| tree.index);
        let op = Op { act: Act::of(row), index, ..Op::NONE };
        Step { op, index, node, ..Step::SKIPPED }
    };
    let key = &row.map().key;
    let steps = [step(key, 1, NONE), step(value, 2, inside)];
    let entry = &mut nodes[index as usize];
    if steps.iter().all(|step| step.index != NONE && step.op.act.is_plain()) {
        let mut ops = vec![Op::NONE; 3 * 8];
        ops[key.tag as usize] = steps[0].op;
        ops[value.tag as usize] = steps[1].op;
        entry.ops = ops.into();
    }
    entry.steps = Box::new(steps);
    Ok(index)
}

fn add(nodes: &mut Vec<Node>, unknown: u32) -> u32 {
    let (steps, ops, defaults) = (Box::default(), Box::default(), Box::default());
    nodes.push(Node { steps, ops, unknown, defaults, is_noted: false });
    nodes.len() as u32 - 1
}
