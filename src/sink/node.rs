//! The wanted fields, compiled to nodes: one for each table, with one step for each row.

use crate::descriptor::{ExtensionDescriptor, Mask, MessageDescriptor};
use crate::error::Result;
use crate::object::wire::Order;
use crate::table::{Kind, Presence, Row, Shape, Table, Tabled};

/// Stands for no field, or no node.
pub(super) const NONE: u32 = u32::MAX;

/// Stands for no step in [`Node::short`].
pub(super) const NO_STEP: u8 = u8::MAX;

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

/// The wanted fields of a message, for the rows of its table.
#[derive(Debug)]
pub(super) struct Node {
    /// One step for each row of the table.
    pub(super) steps: Box<[Step]>,
    /// The indices of usual steps (see [`Step`]) by the byte that is their tag; 255 for other bytes.
    pub(super) short: Box<[u8; 128]>,
    pub(super) has_usual: bool,
    /// The index that the user gave the unknown fields of the message.
    pub(super) unknown: u32,
    /// The indices of the rows whose default is wanted if they are absent.
    pub(super) defaults: Box<[u16]>,
    /// True if it must be recorded which rows came, because some are required or their default is wanted.
    pub(super) is_noted: bool,
}

impl Node {
    /// Returns the index of the usual step whose tag, of one byte, comes next, and the input after the tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn short<'i>(&self, rest: &'i [u8]) -> Option<(usize, &'i [u8])> {
        let (tag, rest) = rest.split_first()?;
        let index = *self.short.get(usize::from(*tag))?;
        (index != NO_STEP).then_some((usize::from(index), rest))
    }
}

/// What is done with a field. Everything that the fast path needs is here.
#[derive(Debug)]
pub(super) struct Step {
    /// The tag of a usual field or a singular message, and the mask of its bits in a word, as in a row. For other
    /// fields this is a word that is no tag. A usual field is a singular number, string or byte string for which
    /// nothing must be looked up in its row.
    tag_word: u32,
    tag_mask: u32,
    tag_len: u8,
    pub(super) is_usual: bool,
    /// The kind of a single wanted value.
    pub(super) kind: Option<Kind>,
    /// True if it must be recorded that the field came, because it is in a oneof, holds messages, is required, or its
    /// default is wanted.
    pub(super) is_noted: bool,
    /// The index that the user gave the field.
    pub(super) index: u32,
    /// The node of the messages in the field, if fields in them are wanted.
    pub(super) node: u32,
}

impl Step {
    pub(super) const SKIPPED: Step = Step {
        tag_word: 1,
        tag_mask: 0,
        tag_len: 0,
        is_usual: false,
        kind: None,
        is_noted: false,
        index: NONE,
        node: NONE,
    };

    /// Returns the input after the tag, if the tag comes next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn after_tag<'i>(&self, input: &'i [u8]) -> Option<&'i [u8]> {
        let word = u32::from_le_bytes(*input.first_chunk()?);
        if word & self.tag_mask != self.tag_word {
            return None;
        }
        input.get(usize::from(self.tag_len)..)
    }

    pub(super) fn is_skipped(&self) -> bool {
        self.index == NONE && self.node == NONE
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
    let mut short = Box::new([NO_STEP; 128]);
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
        let is_single = row.shape == Shape::Singular && (index != NONE || node != NONE);
        let is_noted =
            row.oneof.is_some() || node != NONE || tree.default || row.presence == Presence::Required;
        // If a closed enum does not have the number, the field did not come.
        let is_sure = !(is_noted && row.kind == Kind::Enum && row.closed);
        let kind = (is_single && is_sure).then_some(row.kind);
        let is_usual = kind.is_some() && is_plain(row) && row.tag_len <= 4;
        if is_usual
            && let (1, Ok(index)) = (row.tag_len, u8::try_from(steps.len()))
            && index < NO_STEP
        {
            short[row.tag as usize] = index;
        }
        let none = Step::SKIPPED;
        let is_message = kind == Some(Kind::Message) && row.tag_len <= 4;
        let (tag_word, tag_mask, tag_len) = match is_usual || is_message {
            true => (row.tag_word, row.tag_mask, row.tag_len),
            false => (none.tag_word, none.tag_mask, none.tag_len),
        };
        steps.push(Step { tag_word, tag_mask, tag_len, is_usual, kind, is_noted, index, node });
    }
    let own = &mut nodes[index as usize];
    own.steps = steps.into();
    own.short = short;
    own.has_usual = own.steps.iter().any(|step| step.is_usual);
    own.is_noted = !defaults.is_empty() || !table.required.is_empty();
    own.defaults = defaults.into();
    Ok(index)
}

/// True for a number, a string or bytes of which nothing must be looked up in the row.
fn is_plain(row: &Row) -> bool {
    match row.kind {
        Kind::Message | Kind::Group => false,
        Kind::Enum => !row.closed,
        Kind::String => row.utf8,
        _ => true,
    }
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
        let is_usual = index != NONE && is_plain(row);
        Step { is_usual, kind: is_usual.then_some(row.kind), index, node, ..Step::SKIPPED }
    };
    nodes[index as usize].steps = Box::new([step(&row.map().key, 1, NONE), step(value, 2, inside)]);
    Ok(index)
}

fn add(nodes: &mut Vec<Node>, unknown: u32) -> u32 {
    let short = Box::new([NO_STEP; 128]);
    let (steps, defaults) = (Box::default(), Box::default());
    nodes.push(Node { steps, short, has_usual: false, unknown, defaults, is_noted: false });
    nodes.len() as u32 - 1
}
