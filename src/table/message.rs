//! The table of a message type: one row for each field, and data derived from the rows.

use super::names::{LastName, Names, Target};
use super::tabled::Tabled;
use super::{
    Clear, Keys, Link, Location, NumberTable, OmittedFields, OneofRow, Projected, Row, Shape, Steps,
    TextNames, WellKnown,
};
use crate::descriptor::{FieldDescriptor, MessageDescriptor, WeakMessage};
use crate::error::Result;
use crate::layout::{FieldShape, MessageShape, PresenceFn};
use once_cell::sync::OnceCell;
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A message type: its schema and, for a Rust type, the offsets of its members.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) full_name: Box<str>,
    pub(super) origin: Origin,
    #[expect(dead_code, reason = "it only keeps it alive")]
    pub(super) kept: Option<Kept>,
    /// The fields, sorted by number. A table of a Rust type has only the fields for which there are members.
    pub(crate) rows: Box<[Row]>,
    /// Maps a field number to an index into `rows`.
    pub(crate) numbers: NumberTable,
    pub(crate) oneofs: Box<[OneofRow]>,
    /// What the decoder does with fields that have no row.
    pub(crate) passing: OmittedFields,
    /// The number of cells that a message takes in an arena, even if only some of its fields have rows.
    pub(super) cells: u32,
    /// Set in a projection: a table that has only some of the fields of another table.
    pub(super) projected: Option<Box<Projected>>,
    /// The Rust type, if the table is for one.
    pub(crate) shape: Option<&'static MessageShape>,
    pub(crate) unknown: Option<u32>,
    /// In the table of a Rust type, a link to the table of all fields of the message.
    pub(super) whole: Option<Link>,
    /// Indices of the required fields.
    pub(crate) required: Box<[u16]>,
    /// The bits of the required fields. The highest bit, which no row has, is set if a required field has no bit, or if a
    /// conversion makes a member from a proto value (the value that was decoded). In both cases the decoder has more to do at
    /// the end of a message.
    pub(crate) required_bits: u64,
    /// The encoded size of a message with all fields set, if all fields are numbers of a fixed width. Otherwise zero.
    pub(crate) fixed_len: u32,
    /// The keys of the fields in JSON objects, built on first use.
    pub(super) keys: OnceCell<Keys>,
    /// Proto names and JSON names, built on first use.
    pub(super) names: OnceCell<Names>,
    /// Names in the text format, built on first use.
    pub(super) text_names: OnceCell<TextNames>,
    /// The size of the Rust type in bytes, or an estimate for a message without a Rust type.
    pub(crate) size: u32,
    /// The well-known type, or [`WellKnown::No`]. Well-known types have a special form in some formats.
    pub(crate) known: WellKnown,
    /// True if extensions may be among the unknown fields.
    pub(crate) extendable: bool,
    /// True if the unknown fields are the items of a message set.
    pub(crate) message_set: bool,
    /// A function that finds the members of the Rust type that are set.
    pub(crate) presence: Option<PresenceFn>,
    /// The instructions that encode a Rust type to the wire format, built on first use.
    pub(super) steps: OnceCell<Steps>,
    /// The instructions that clear a struct of the Rust type, built on first use.
    pub(super) clear: OnceCell<Clear>,
    /// A guess at the encoded size of the next message, learned from earlier messages.
    pub(super) last_size: AtomicUsize,
    /// A guess at the size of the next message in JSON.
    pub(super) last_json_size: AtomicUsize,
    /// A guess at the size of the next message in the text format.
    pub(super) last_text_size: AtomicUsize,
    /// A guess at the number of cells that an arena takes per byte of the input, times 64.
    pub(super) cells_per_byte: AtomicUsize,
    /// The table that checks all strings, built on first use. The option is `None` if this table already checks all strings.
    pub(super) checked: OnceCell<Option<Box<Table>>>,
}

/// Data that the table keeps alive: the descriptors of the fields in a table of extensions, or the tables and extensions of a
/// projection. The data has no concrete type, so that programs without such tables do not contain the code that drops the data.
pub(super) type Kept = Box<dyn Any + Send + Sync>;

/// How the descriptor of a table is found.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The table was built from this descriptor. The reference is weak, because the file of a run-time schema keeps the table.
    Described(WeakMessage),
    /// The table was built from attributes of the Rust type. A caller that needs the descriptor has registered the file.
    Stated(&'static MessageShape),
}

impl Table {
    /// Returns a table of this message with the rows `rows`, for messages in an arena.
    pub(super) fn with_rows(&self, rows: Box<[Row]>, oneofs: Box<[OneofRow]>) -> Table {
        Table {
            full_name: self.full_name.clone(),
            origin: self.origin.clone(),
            kept: None,
            numbers: self.numbers.clone(),
            cells: self.cells,
            passing: self.passing,
            projected: None,
            whole: self.whole.clone(),
            required: self.required.clone(),
            required_bits: self.required_bits,
            fixed_len: 0,
            keys: OnceCell::new(),
            rows,
            oneofs,
            shape: self.shape,
            unknown: self.unknown,
            names: OnceCell::new(),
            text_names: OnceCell::new(),
            size: self.size,
            known: self.known,
            extendable: self.extendable,
            message_set: self.message_set,
            presence: self.presence,
            steps: OnceCell::new(),
            clear: OnceCell::new(),
            last_size: AtomicUsize::default(),
            last_json_size: AtomicUsize::default(),
            last_text_size: AtomicUsize::default(),
            cells_per_byte: AtomicUsize::default(),
            checked: OnceCell::new(),
        }
    }

    /// Returns the descriptor of the message. The caller either holds the file of the table or has registered this file.
    pub(crate) fn handle(&self) -> MessageDescriptor {
        self.descriptor().expect("whoever has the table holds the file that it is of")
    }

    /// Returns the descriptor of the message, or `None` if its file was dropped or is not registered.
    pub(crate) fn descriptor(&self) -> Option<MessageDescriptor> {
        match &self.origin {
            Origin::Described(descriptor) => descriptor.upgrade(),
            Origin::Stated(shape) => shape.descriptor().ok().cloned(),
        }
    }

    /// Returns the descriptor of a field. The caller holds the file of the table, or has registered this file.
    #[inline]
    pub(crate) fn field(&self, row: &Row) -> FieldDescriptor {
        row.field_of(self.handle())
    }

    #[inline]
    pub(crate) fn has_field(&self, field: &FieldDescriptor) -> bool {
        match &self.origin {
            Origin::Described(descriptor) => field.is_field_of_weak(descriptor),
            Origin::Stated(shape) => field.is_field_of(shape.expect_descriptor()),
        }
    }

    /// True if `message` is the descriptor of this message.
    pub(crate) fn is_of(&self, message: &MessageDescriptor) -> bool {
        match &self.origin {
            Origin::Described(descriptor) => descriptor.is(message),
            Origin::Stated(shape) => shape.descriptor().is_ok_and(|descriptor| descriptor == message),
        }
    }

    /// Returns the table of all fields of the message, including those for which the Rust type has no member.
    ///
    /// # Errors
    /// The message has more than 65,534 fields, or the file of the Rust type is not registered.
    pub(crate) fn whole(&self) -> Result<&Table> {
        match (&self.whole, &self.origin) {
            (Some(link), _) => link.table(),
            (None, Origin::Stated(shape)) => shape.descriptor()?.table(),
            (None, Origin::Described(_)) => Ok(self),
        }
    }

    #[inline]
    pub(crate) fn cells(&self) -> u32 {
        self.cells
    }

    /// Returns the rows of the fields with numbers above `number`, in ascending order.
    #[inline]
    pub(crate) fn rows_above(&self, number: u32) -> &[Row] {
        let start = match number {
            0 => 0,
            // `number` is usually the number of the field that was visited last, so it has a row.
            number => match self.numbers.get(number) {
                Some(index) => index + 1,
                None => self.rows.partition_point(|row| row.number <= number),
            },
        };
        &self.rows[start..]
    }

    /// True if both tables are tables of the same message in the same pool.
    pub(crate) fn is_same_message(&self, other: &Table) -> bool {
        match (&self.origin, &other.origin) {
            (Origin::Described(own), Origin::Described(other)) => own.is_same(other),
            (Origin::Stated(own), Origin::Stated(other)) if std::ptr::eq(own.cells(), other.cells()) => true,
            _ => other.descriptor().is_some_and(|other| self.is_of(&other)),
        }
    }

    #[inline]
    pub(crate) fn row(&self, number: u32) -> Option<&Row> {
        match self.numbers.dense(number) {
            Some(index) => self.rows.get(index),
            None => self.sparse_row(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn sparse_row(&self, number: u32) -> Option<&Row> {
        self.rows.get(self.numbers.sparse(number))
    }

    /// Returns the row of another variant of the oneof to which `row` belongs, or `None` if the table has no row for the
    /// variant.
    pub(crate) fn member(&self, row: &Row, variant: usize) -> Option<&Row> {
        let members = self.oneofs[usize::from(row.oneof?)].rows.iter();
        members.map(|index| &self.rows[usize::from(*index)]).find(|row| match row.location {
            Location::Variant { variant: own, .. } => usize::from(own) == variant,
            Location::Member { .. } | Location::Arena => false,
        })
    }

    /// Returns the row of a member of a struct or a variant of a oneof.
    pub(crate) fn row_of(&self, field: &FieldShape) -> Option<&Row> {
        self.row_called_by(field.number.unwrap_or_default(), || field.name)
    }

    /// Returns the row with this field number or, if the number is zero, with this proto name.
    pub(crate) fn row_called_by(&self, number: u32, name: impl FnOnce() -> &'static str) -> Option<&Row> {
        if number != 0 {
            return self.row(number);
        }
        let name = name();
        self.rows.iter().find(|row| *row.name == *name)
    }

    /// Returns the field or oneof with this proto name or JSON name. `last` describes the previous lookup, and is updated.
    #[inline]
    pub(crate) fn find(&self, name: &str, last: &mut LastName) -> Option<Target> {
        self.names().next(name, last)
    }

    /// Returns the field or oneof with a `'static` name. The lookup remembers the address of the name for `next_field`.
    pub(crate) fn find_static(&self, name: &'static str, last: &mut LastName) -> Option<Target> {
        self.names().learn_static(name, last)
    }

    /// Returns the field with a `'static` name, if a name at this address also followed the previous name last time. Otherwise,
    /// and for a field in a oneof, returns `None`.
    #[inline]
    pub(crate) fn next_field(&self, name: &'static str, last: &mut LastName) -> Option<&Row> {
        let (index, found) = self.names.get()?.next_static(name, *last)?;
        *last = found;
        self.rows.get(usize::from(index))
    }

    /// Returns the index of the row with this JSON name or proto name. A JSON name takes precedence.
    pub(crate) fn row_called(&self, name: &str) -> Option<u16> {
        let names = self.names();
        if names.crossed
            && let Some(index) = self.rows.iter().position(|row| *row.json_name == *name)
        {
            return Some(index as u16);
        }
        match names.get(name) {
            Some(Target::Field(index)) => Some(index),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn keys(&self) -> &Keys {
        self.keys.get_or_init(|| Keys::new(self.rows.len(), &|index| self.rows[index].json_key().text()))
    }

    #[inline]
    pub(crate) fn names(&self) -> &Names {
        match self.names.get() {
            Some(names) => names,
            None => self.make_names(),
        }
    }

    #[cold]
    #[inline(never)]
    fn make_names(&self) -> &Names {
        self.names.get_or_init(|| {
            let (mut fields, mut oneofs) = (Vec::with_capacity(self.rows.len()), Vec::new());
            for row in &self.rows {
                fields.push((&*row.name, &*row.json_name, row.oneof.is_some()));
            }
            for oneof in &self.oneofs {
                oneofs.push(&*oneof.name);
            }
            Names::new(&fields, &oneofs)
        })
    }

    #[inline]
    pub(crate) fn text_names(&self) -> &TextNames {
        self.text_names.get_or_init(|| {
            let mut fields = Vec::with_capacity(self.rows.len());
            for row in &self.rows {
                // The printer writes the name of the message type instead of the field name.
                let name = if row.has_name_of_message { "" } else { &*row.name };
                fields.push((name, row.is_message() || row.shape == Shape::Map));
            }
            TextNames::new(&fields)
        })
    }

    #[inline]
    pub(crate) fn clear(&self) -> &Clear {
        self.clear.get_or_init(|| Clear::new(&self.rows))
    }

    #[inline]
    pub(crate) fn steps(&self) -> &Steps {
        match self.steps.get() {
            Some(steps) => steps,
            None => self.find_steps(),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_steps(&self) -> &Steps {
        debug_assert!(self.projected.is_none(), "a projection is dropped, and only decoded into");
        self.steps.get_or_init(|| Steps::new(&self.rows, self.shape, self.presence))
    }

    #[inline]
    pub(crate) fn learned_size(&self) -> usize {
        self.last_size.load(Ordering::Relaxed) + 32
    }

    #[inline]
    pub(crate) fn learn_size(&self, size: usize) {
        learn(&self.last_size, size);
    }

    /// Reserves room for the JSON of a message, by the sizes of earlier messages.
    #[inline]
    pub(crate) fn reserve_json(&self, out: &mut Vec<u8>) {
        reserve(&self.last_json_size, out);
    }

    /// Reserves room for the text format of a message, by the sizes of earlier messages.
    #[inline]
    pub(crate) fn reserve_text(&self, out: &mut Vec<u8>) {
        reserve(&self.last_text_size, out);
    }

    #[inline]
    pub(crate) fn learn_text_size(&self, size: usize) {
        learn(&self.last_text_size, size);
    }

    #[inline]
    pub(crate) fn learn_json_size(&self, size: usize) {
        learn(&self.last_json_size, size);
    }

    /// Returns a guess at the number of cells that an arena takes for an input of `input` bytes, without the cells of the
    /// outermost message.
    #[inline]
    pub(crate) fn learned_cells(&self, input: usize) -> usize {
        // The guess is bounded, so a large arena starts small and grows as it is filled.
        (input.saturating_mul(self.cells_per_byte.load(Ordering::Relaxed)) >> 6).min(1 << 20)
    }

    /// Remembers how many cells an arena took. The guess follows the largest recent arenas, so most arenas never grow.
    #[inline]
    pub(crate) fn learn_cells(&self, input: usize, cells: usize) {
        let (most, before) = (1 << 7, self.cells_per_byte.load(Ordering::Relaxed));
        let (took, room) = (cells << 6, before.saturating_mul(input));
        if took > room && before < most {
            self.cells_per_byte.store(took.div_ceil(input.max(1)).min(most), Ordering::Relaxed);
        } else if took < room - room / 8 && before >= 16 {
            self.cells_per_byte.store(before - before / 16, Ordering::Relaxed);
        }
    }
}

/// Reserves room for a text of the remembered size.
#[inline]
fn reserve(learned: &AtomicUsize, out: &mut Vec<u8>) {
    let guess = learned.load(Ordering::Relaxed);
    // The printer writes whole words (64 bits), so it needs a few bytes more than the final length.
    if out.capacity() == 0 {
        *out = Vec::with_capacity(guess + 32);
    } else if out.capacity() - out.len() < guess {
        out.reserve(guess + 32);
    }
}

/// Updates a remembered size. The size rises at once and falls slowly, because too little capacity costs more than too much. It
/// never exceeds a mebibyte, so that a tiny message after a huge message does not take much memory.
#[inline]
fn learn(guess: &AtomicUsize, size: usize) {
    let old = guess.load(Ordering::Relaxed);
    // A difference below 32, divided by 32, is zero. If `size` is larger than `old`, the difference wraps around and is large.
    if old.wrapping_sub(size) < 32 {
        return;
    }
    let size = size.min((1 << 20) - 32);
    let new = if size > old { size } else { old - (old - size) / 32 };
    if new != old {
        guess.store(new, Ordering::Relaxed);
    }
}
