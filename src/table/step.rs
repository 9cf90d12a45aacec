//! The steps of the wire encoder for a Rust type. There is one step for each field outside of oneofs, and one for each run of
//! fields of the same oneof, in the order of field numbers.
//!
//! The table has a row for each field. A step contains those parts of a row that the encoder reads for every message. Steps are
//! leaked, so they live as long as a static, and a program needs no code to drop them.

use super::{Kind, Location, Op, Presence, Row, Shape};
use crate::layout::{LEAF_ROOM, LeavesFn, MessageShape, OneofFunctions, PresenceFn, Storage, WireKind};

/// How the encoder writes a field, or a run of adjacent fields of the same oneof.
#[derive(Debug)]
pub(crate) struct Step {
    /// The tag in memory order, padded with zero bytes.
    pub(crate) tag: u64,
    /// The offset in the struct of the value, or of its container (an option, list, map or oneof). If the offset of the value
    /// in an option is known, the step is for this value, without an option. A step for a value in a container has the offset
    /// 0.
    pub(crate) offset: u32,
    /// The index of the row. For a run of fields of a oneof, the index of the first row.
    pub(crate) row: u16,
    pub(crate) tag_len: u8,
    /// The operation of a single value. For other fields, it is [`Op::OptionMessage`], [`Op::Option`], [`Op::List`],
    /// [`Op::Messages`], [`Op::Map`] or [`Op::Variant`].
    pub(crate) op: Op,
    pub(crate) packed: bool,
    /// How the value at the offset is stored.
    pub(crate) storage: Storage,
    pub(crate) inner: Inner,
}

/// The steps for the values in the container of a step.
#[derive(Debug)]
pub(crate) enum Inner {
    None,
    /// The step for the value of an option, an element of a list, or the proto value that a conversion makes.
    Value(&'static Step),
    /// The steps for the key and the value of a map entry.
    Entry(&'static [Step; 2]),
    Oneof(&'static OneofMembers),
}

/// The steps for a run of fields of a oneof.
#[derive(Debug)]
pub(crate) struct OneofMembers {
    pub(crate) functions: OneofFunctions,
    steps: &'static [Step],
    /// Maps the index of a variant to the index of its step, or to `NONE`.
    variants: &'static [u16],
}

const NONE: u16 = u16::MAX;

#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) parts: &'static [Part],
    /// True if the type has one part, in which all steps are leaves and no field is required. A leaf is a step that
    /// `Part::write` handles.
    pub(crate) are_leaves: bool,
}

/// Up to 64 consecutive steps of a message type, each with a bit, with functions that find the steps that a message needs and
/// that write leaves.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) steps: &'static [Step],
    /// Writes the leaves whose bits are set.
    pub(crate) write: Option<LeavesFn>,
    /// The bits of the leaves: the steps that `write` handles. `leaf_room` is the number of bytes that they need, besides their
    /// strings.
    pub(crate) leaves: u64,
    pub(crate) leaf_room: usize,
    /// A function that finds the members that are set.
    pub(crate) presence: PresenceFn,
    /// For each member of the struct, in the order of its shape, the bits of its steps.
    pub(crate) masks: &'static [u64],
    /// The bits of the steps that every message needs.
    pub(crate) always: u64,
    /// The bits of the steps for required fields.
    pub(crate) required: u64,
}

impl Steps {
    /// Builds the steps for the rows of a Rust type. `presence` is the function that finds the members that are set.
    pub(super) fn new(
        rows: &[Row],
        shape: Option<&'static MessageShape>,
        presence: Option<PresenceFn>,
    ) -> Steps {
        let mut parts = Vec::new();
        for steps in Step::all(rows).chunks(64) {
            parts.push(Part::new(steps, rows, shape, presence));
        }
        let are_leaves = match &*parts {
            [part] => part.leaves.count_ones() as usize == part.steps.len() && part.required == 0,
            _ => false,
        };
        Steps { parts: parts.leak(), are_leaves }
    }
}

impl Part {
    fn new(
        steps: &'static [Step],
        rows: &[Row],
        shape: Option<&'static MessageShape>,
        presence: Option<PresenceFn>,
    ) -> Part {
        let members = shape.map_or(1, |shape| shape.members.len());
        let (mut masks, mut always, mut required, mut leaves) = (vec![0; members], 0, 0, 0);
        let mut leaf_room = LEAF_ROOM;
        let write = shape.and_then(|shape| shape.leaves);
        for (index, step) in steps.iter().enumerate() {
            let (bit, row) = (1 << index, &rows[usize::from(step.row)]);
            if let Some(mask) = masks.get_mut(usize::from(row.member)) {
                *mask |= bit;
            }
            if row.presence != Presence::Implicit
                && matches!(row.location, Location::Member { storage, .. } if !matches!(storage.proto(), Storage::Option(_)))
            {
                always |= bit;
            } else if write.is_some() && shape.is_some_and(|shape| is_leaf(shape, row, step)) {
                leaves |= bit;
                leaf_room += if row.is_text() { 0 } else { usize::from(step.tag_len) + most_bytes(row.kind) };
            }
            if row.presence == Presence::Required {
                required |= bit;
            }
        }
        let presence = presence.expect("what has fields says which of them are set");
        Part { steps, write, leaves, leaf_room, presence, masks: masks.leak(), always, required }
    }
}

impl Step {
    /// Returns the steps of the rows of a message struct.
    fn all(rows: &[Row]) -> &'static [Step] {
        let mut steps = Vec::with_capacity(rows.len());
        // The index of a oneof tells which fields are in a run. The address does not, because two oneofs have the same address
        // if one of them has size zero.
        let mut index = 0;
        while let Some(row) = rows.get(index) {
            index += 1;
            match row.location {
                Location::Variant { offset, variant, oneof, storage } => {
                    let mut members = vec![(variant, Step::value(row, storage))];
                    while let Some(next) = rows.get(index).filter(|next| next.oneof == row.oneof) {
                        if let Location::Variant { variant, storage, .. } = next.location {
                            members.push((variant, Step::value(next, storage)));
                        }
                        index += 1;
                    }
                    let inner = Inner::Oneof(leak(OneofMembers::new(oneof.functions, members)));
                    steps.push(Step { offset, op: Op::Variant, inner, ..Step::plain(row, storage) });
                }
                Location::Member { offset, storage } => {
                    let step = Step::field(row, storage);
                    steps.push(Step { offset: offset + step.offset, ..step });
                }
                Location::Arena => {}
            }
        }
        steps.leak()
    }

    /// Builds the step for a field of any shape.
    fn field(row: &Row, storage: Storage) -> Step {
        let (op, inner) = match (row.shape, storage) {
            (Shape::Singular, Storage::Option(option)) => {
                let value = Step::value(row, option.value());
                match (option.offset(), value.op) {
                    (Some(offset), _) => return Step { offset, ..value },
                    (None, Op::Message) if option.lazy().is_none() => (Op::OptionMessage, Inner::None),
                    _ => (Op::Option, Inner::Value(leak(value))),
                }
            }
            (Shape::List, Storage::List(list)) => {
                let element = Step::value(row, list.element);
                let op =
                    if element.op == Op::Message && list.lazy.is_none() { Op::Messages } else { Op::List };
                (op, Inner::Value(leak(element)))
            }
            (Shape::Map, Storage::Map(map)) => {
                let rows = row.map();
                let entry = [Step::value(&rows.key, map.key), Step::value(&rows.value, map.value)];
                (Op::Map, Inner::Entry(leak(entry)))
            }
            // Any other field has a single value.
            _ => return Step::value(row, storage),
        };
        Step { op, inner, ..Step::plain(row, storage) }
    }

    /// Builds the step for a single value. If a conversion makes a proto value for the member, the step for the proto value is
    /// in `inner`.
    fn value(row: &Row, storage: Storage) -> Step {
        let inner = match (storage, row.made()) {
            (Storage::Made(_), Some((functions, table))) => {
                Inner::Value(leak(Step::field(&table.rows[0], functions.proto)))
            }
            _ => Inner::None,
        };
        Step { inner, ..Step::plain(row, storage) }
    }

    /// Builds the step for a value, without an inner step.
    fn plain(row: &Row, storage: Storage) -> Step {
        Step {
            tag: u64::from_le_bytes(row.tag_bytes),
            offset: 0,
            row: row.index,
            tag_len: row.tag_len,
            op: written(row, storage),
            packed: row.packed,
            storage,
            inner: Inner::None,
        }
    }
}

/// Returns the operation with which a single value is written. A closed enum whose Rust type accepts every number is written
/// like an open enum.
fn written(row: &Row, storage: Storage) -> Op {
    use Storage as S;
    match (row.kind, storage) {
        (Kind::Enum, S::I32 | S::OpenEnum(_)) => Op::Int32,
        (Kind::Group, _) => Op::Group,
        // If the Rust type need not be UTF-8 and the schema requires it, the value must be checked.
        (Kind::String, S::Text(functions)) if row.utf8 && !functions.is_string => Op::Other,
        _ => Op::single(row, storage),
    }
}

/// True if the derived code of the type writes the field exactly as this step would. The derived code follows the attributes of
/// the member, and the descriptor to which the type is bound may differ from the attributes.
fn is_leaf(shape: &MessageShape, row: &Row, step: &Step) -> bool {
    let Some(field) = shape.field(usize::from(row.member)) else { return false };
    if !field.storage.is_leaf() || field.number != Some(row.number) {
        return false;
    }
    let storage = if let Storage::Option(option) = field.storage { option.value() } else { field.storage };
    let op = match (storage, field.attributes.kind) {
        (Storage::I32, Some(WireKind::SInt32)) => Op::SInt32,
        (Storage::I64, Some(WireKind::SInt64)) => Op::SInt64,
        (Storage::I32, Some(WireKind::SFixed32)) | (Storage::U32, Some(WireKind::Fixed32)) => Op::Fixed32,
        (Storage::I64, Some(WireKind::SFixed64)) | (Storage::U64, Some(WireKind::Fixed64)) => Op::Fixed64,
        (Storage::I32 | Storage::OpenEnum(_), _) => Op::Int32,
        (Storage::U32, _) => Op::UInt32,
        (Storage::I64 | Storage::U64, _) => Op::Int64,
        (Storage::F32, _) => Op::Fixed32,
        (Storage::F64, _) => Op::Fixed64,
        (Storage::Bool, _) => Op::Bool,
        (Storage::ClosedEnum(_), _) => Op::Enum,
        (Storage::String, _) => Op::String,
        (Storage::Str, _) => Op::Str,
        (Storage::Vec, _) => Op::Vec,
        (Storage::Slice, _) => Op::Slice,
        (Storage::Text(_), _) => Op::Text,
        (Storage::List(list), _) if matches!(list.element, Storage::String) => Op::String,
        (Storage::List(_), _) => Op::Vec,
        _ => return false,
    };
    let inner = if let Inner::Value(value) = step.inner { value.op } else { step.op };
    inner == op
}

/// Returns the largest number of bytes that an encoded number takes.
fn most_bytes(kind: Kind) -> usize {
    match kind {
        Kind::Bool => 1,
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => 4,
        Kind::UInt32 | Kind::SInt32 => 5,
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => 8,
        _ => 10,
    }
}

/// Leaks a value, because tables of types are never dropped.
fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

impl OneofMembers {
    fn new(functions: OneofFunctions, members: Vec<(u16, Step)>) -> Self {
        let (mut steps, mut variants) = (Vec::with_capacity(members.len()), Vec::new());
        for (index, (variant, step)) in (0..).zip(members) {
            let variant = usize::from(variant);
            if variants.len() <= variant {
                variants.resize(variant + 1, NONE);
            }
            variants[variant] = index;
            steps.push(step);
        }
        OneofMembers { functions, steps: steps.leak(), variants: variants.leak() }
    }

    /// Returns the step for a variant, or `None` if the variant is not in this run.
    #[inline]
    pub(crate) fn get(&self, variant: usize) -> Option<&Step> {
        self.steps.get(usize::from(*self.variants.get(variant)?))
    }
}
