//! Goes through an encoded message by a plan, with the cursor of `object/wire/view.rs`.

use super::node::{Act, NONE, Node, Nodes, Op, Step};
use super::{Flow, Sink, Stop, Unknown};
use crate::error::{Error, Result};
use crate::message::reflect::{ValueRef, check::default_of};
use crate::object::wire::{
    Fields, Next, Noted, Number, after_tag, after_varint, again, len_prefixed, scalar,
};
use crate::table::{Kind, MapRows, Row, Shape, Table};
use crate::wire::{Reader, Tag, WireType, utf8};

/// How the reading of a message ended, unless the sink stopped it.
pub(super) enum Ended {
    Whole,
    /// A required field was missing in an occurrence of its message.
    Incomplete,
    /// The bytes are malformed, or messages are nested too deep.
    Malformed,
}

/// Why a walk is left.
enum Halt {
    /// The bytes are not valid; decoding them finds the exact error.
    Input,
    Sink(Stop),
}

type Walked<T = ()> = Result<T, Halt>;

/// Reads the message `bytes`, which is the input that starts at `start` or a part of it.
///
/// # Errors
/// The sink stopped.
#[inline]
pub(super) fn walk<'a, S: Sink<'a>>(
    plan: &'a Nodes,
    start: &'a [u8],
    bytes: &'a [u8],
    depth: u32,
    sink: &mut S,
) -> Result<Ended, Stop> {
    let mut walk = Walk { plan, start, sink, is_incomplete: false };
    match walk.message(&plan.table, plan.node(0), bytes, depth, false) {
        Ok(()) if walk.is_incomplete => Ok(Ended::Incomplete),
        Ok(()) => Ok(Ended::Whole),
        Err(Halt::Input) => Ok(Ended::Malformed),
        Err(Halt::Sink(stop)) => Err(stop),
    }
}

struct Walk<'s, 'a, S> {
    plan: &'a Nodes,
    /// The whole input.
    start: &'a [u8],
    sink: &'s mut S,
    is_incomplete: bool,
}

/// An error of the cursor means that the bytes are malformed, because this cursor allows fields to occur several times.
impl From<Error> for Halt {
    #[cold]
    fn from(_: Error) -> Halt {
        Halt::Input
    }
}

impl From<Stop> for Halt {
    #[cold]
    fn from(stop: Stop) -> Halt {
        Halt::Sink(stop)
    }
}

/// A message that is read.
struct At<'a> {
    table: &'a Table,
    node: &'a Node,
    bytes: &'a [u8],
    /// How many levels the messages in this message may nest.
    depth: u32,
    /// True if the message is merged into one that came before.
    again: bool,
    /// True for the entry of a map. The table is then that of the message with the map.
    is_entry: bool,
}

impl<'a> At<'a> {
    /// Returns the row and the step of a field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&self, op: Op) -> Walked<(&'a Row, &'a Step)> {
        let index = usize::from(op.row);
        some(self.table.rows.get(index).zip(self.node.steps.get(index)))
    }
}

impl Halt {
    /// Lets `change` add the path or the position to the error of a sink.
    #[cold]
    #[inline(never)]
    fn amend(self, change: impl FnOnce(Error) -> Error) -> Halt {
        match self {
            Halt::Sink(Stop(Some(error))) => Halt::Sink(Stop(Some(change(error)))),
            other => other,
        }
    }
}

/// Returns the value, or reports malformed bytes if there is none.
#[cfg_attr(not(debug_assertions), inline(always))]
fn some<T>(value: Option<T>) -> Walked<T> {
    value.ok_or(Halt::Input)
}

/// A type of numbers, and the methods of a sink that take it.
trait Event: Number + Copy + Default {
    fn give<'a>(self, field: u32, sink: &mut impl Sink<'a>) -> Flow;
    fn give_all<'a>(values: &[Self], field: u32, sink: &mut impl Sink<'a>) -> Flow;
}

macro_rules! events {
    ($($ty:ident $many:ident;)*) => {
        $(
            impl Event for $ty {
                #[inline(always)]
                fn give<'a>(self, field: u32, sink: &mut impl Sink<'a>) -> Flow {
                    sink.$ty(field, self)
                }

                #[inline(always)]
                fn give_all<'a>(values: &[$ty], field: u32, sink: &mut impl Sink<'a>) -> Flow {
                    sink.$many(field, values)
                }
            }
        )*
    };
}

events! {
    i32 i32s;
    i64 i64s;
    u32 u32s;
    u64 u64s;
    f32 f32s;
    f64 f64s;
    bool bools;
}

/// Matches a [`Kind`] or an [`Act`]: calls a macro with each kind of numbers and its type, and then has the rest.
macro_rules! for_numbers {
    ($of:ident, $kind:expr, $number:ident, { $($rest:tt)* }) => {
        match $kind {
            $of::Int32 => $number!(i32, Int32),
            $of::SInt32 => $number!(i32, SInt32),
            $of::SFixed32 => $number!(i32, SFixed32),
            $of::Int64 => $number!(i64, Int64),
            $of::SInt64 => $number!(i64, SInt64),
            $of::SFixed64 => $number!(i64, SFixed64),
            $of::UInt32 => $number!(u32, UInt32),
            $of::Fixed32 => $number!(u32, Fixed32),
            $of::UInt64 => $number!(u64, UInt64),
            $of::Fixed64 => $number!(u64, Fixed64),
            $of::Float => $number!(f32, Float),
            $of::Double => $number!(f64, Double),
            $of::Bool => $number!(bool, Bool),
            $($rest)*
        }
    };
}

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Reads the fields of a message. Most messages have only fields that their tags lead to, and are read here without
    /// the stack frame of [`fields`](Self::fields).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message(
        &mut self,
        table: &'a Table,
        node: &'a Node,
        bytes: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked {
        let at = At { table, node, bytes, depth: some(depth.checked_sub(1))?, again, is_entry: false };
        let mut noted = if again { all_members(table) } else { Noted::default() };
        self.read(&at, &mut noted)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read(&mut self, at: &At<'a>, noted: &mut Noted) -> Walked {
        let rest = self.known(at, at.bytes, noted)?;
        if rest.is_empty() && !at.node.is_noted { Ok(()) } else { self.fields(at, rest, noted) }
    }

    /// Reads the fields of a message from some field on, which only the table knows.
    #[inline(never)]
    fn fields(&mut self, at: &At<'a>, rest: &'a [u8], noted: &mut Noted) -> Walked {
        let mut fields = Fields::<true>::new(at.table, rest, at.depth + 1, self.plan.order)?;
        loop {
            match fields.next(noted)? {
                Next::Field(row, tag) => {
                    let Some(step) = at.node.steps.get(usize::from(row.index)) else {
                        return Err(Halt::Input);
                    };
                    let value = fields.rest;
                    fields.rest = match step.op.act {
                        Act::Find => self.skip(tag, value, at.depth)?,
                        _ => match self.other(at, row, tag, step, value, noted) {
                            Ok(after) => after,
                            Err(halt) => return Err(self.named(halt, row, value)),
                        },
                    };
                }
                Next::Unknown(unknown) => self.unknown(at.node.unknown, unknown, at.depth)?,
                Next::Replaced(oneof) => self.clear(at, oneof, None, noted)?,
                Next::End => break,
            }
            fields.rest = self.known(at, fields.rest, noted)?;
        }
        if at.node.is_noted { self.absent(at, noted) } else { Ok(()) }
    }

    /// Reads consecutive fields that their tags lead to, and returns the input after them. This is a separate function,
    /// so that its loop can use all registers, and each of its arms goes on with the next field by itself.
    #[inline(never)]
    fn known(&mut self, at: &At<'a>, mut rest: &'a [u8], noted: &mut Noted) -> Walked<&'a [u8]> {
        loop {
            let (tag, value) = match rest {
                [a, value @ ..] if *a < 0x80 => (usize::from(*a), value),
                [a, b, value @ ..] if *b < 0x80 => (usize::from(*a & 0x7f) | usize::from(*b) << 7, value),
                _ => return Ok(rest),
            };
            let Some(op) = at.node.ops.get(tag) else { return Ok(rest) };
            let again = op.is_noted && self.note(at, op.row, noted)?;
            let mut after = value;
            macro_rules! give {
                ($given:expr) => {
                    if let Err(stop) = $given {
                        return Err(self.failed(at, *op, stop.into(), value));
                    }
                };
            }
            macro_rules! number {
                ($ty:ident, $kind:ident) => {
                    give!(some(<$ty as Number>::take_any(Kind::$kind, &mut after))?.give(op.index, self.sink))
                };
            }
            for_numbers!(Act, op.act, number, {
                Act::Enum => {
                    let number = some(<i32 as Number>::take_any(Kind::Int32, &mut after))?;
                    give!(self.sink.enumeration(op.index, number));
                }
                Act::String => match utf8(some(len_prefixed(&mut after))?) {
                    Ok(text) => give!(self.sink.str(op.index, text)),
                    Err(_) => return Err(Halt::Input),
                },
                Act::Text => {
                    let bytes = some(len_prefixed(&mut after))?;
                    match utf8(bytes) {
                        Ok(text) => give!(self.sink.str(op.index, text)),
                        Err(_) => give!(self.sink.bytes(op.index, bytes)),
                    }
                }
                Act::Bytes => give!(self.sink.bytes(op.index, some(len_prefixed(&mut after))?)),
                Act::Message => after = self.messages(at, *op, value, again)?,
                Act::Packed | Act::Entry | Act::Other => after = self.rare(at, *op, value, noted)?,
                Act::SkipVarint => after = some(after_varint(value))?,
                Act::SkipFixed32 => after = some(value.get(4..))?,
                Act::SkipFixed64 => after = some(value.get(8..))?,
                Act::SkipLen => drop(some(len_prefixed(&mut after))?),
                Act::Find => return Ok(rest),
            });
            rest = after;
        }
    }

    /// Reads consecutive elements of a list of messages, or a message in another field.
    #[inline(never)]
    fn messages(&mut self, at: &At<'a>, op: Op, mut rest: &'a [u8], again: bool) -> Walked<&'a [u8]> {
        let (row, step) = at.field(op)?;
        let Some((table, node)) = self.inside(row, step)? else { return self.body(at, op, rest) };
        let depth = some(at.depth.checked_sub(1))?;
        let mut element = At { table, node, bytes: &[], depth, again, is_entry: false };
        let mut noted = if again { all_members(table) } else { Noted::default() };
        loop {
            let value = rest;
            element.bytes = some(len_prefixed(&mut rest))?;
            if let Err(halt) = self.element(op.index, &element, &mut noted) {
                return Err(self.failed(at, op, halt, value));
            }
            match after_tag(row, rest) {
                Some(after) if row.shape == Shape::List => rest = after,
                _ => return Ok(rest),
            }
            noted.clear();
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(&mut self, index: u32, at: &At<'a>, noted: &mut Noted) -> Walked {
        if index != NONE {
            self.sink.begin(index, at.bytes)?;
        }
        self.read(at, noted)?;
        if index != NONE {
            self.sink.end(index)?;
        }
        Ok(())
    }

    /// Reads a message of which no field is wanted.
    #[inline(never)]
    fn body(&mut self, at: &At<'a>, op: Op, mut rest: &'a [u8]) -> Walked<&'a [u8]> {
        let value = rest;
        let body = some(len_prefixed(&mut rest))?;
        match self.sub(None, op.index, body, at.depth, false) {
            Ok(()) => Ok(rest),
            Err(halt) => Err(self.failed(at, op, halt, value)),
        }
    }

    /// Reads packed numbers, entries of a map, or a field of a rare kind.
    #[inline(never)]
    fn rare(&mut self, at: &At<'a>, op: Op, value: &'a [u8], noted: &mut Noted) -> Walked<&'a [u8]> {
        let (row, step) = at.field(op)?;
        self.other(at, row, row.tag, step, value, noted).map_err(|halt| self.named(halt, row, value))
    }

    /// Skips a field of a well-known type that is not wanted.
    #[cold]
    fn skip(&mut self, tag: u32, value: &'a [u8], depth: u32) -> Walked<&'a [u8]> {
        let mut reader = Reader::new(value);
        reader.skip(some(Tag::from_value(tag))?, depth)?;
        Ok(reader.rest())
    }

    /// Records that a singular field comes, and clears the other fields of its oneof. Returns true if a message in the
    /// field is merged into a message that came before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note(&mut self, at: &At<'a>, index: u16, noted: &mut Noted) -> Walked<bool> {
        let row = some(at.table.rows.get(usize::from(index)))?;
        if let Some(oneof) = row.oneof
            && !noted.oneofs.note(usize::from(oneof))
        {
            self.clear(at, oneof, Some(row), noted)?;
        }
        Ok(!noted.rows.note(usize::from(index)) || at.again && row.oneof.is_none())
    }

    /// Names the field of a sink's error, with the index of the value if the field is a list.
    #[cold]
    #[inline(never)]
    fn failed(&self, at: &At<'a>, op: Op, halt: Halt, value: &[u8]) -> Halt {
        if at.is_entry {
            return halt;
        }
        let row = &at.table.rows[usize::from(op.row)];
        let halt = match row.shape {
            Shape::List => halt.amend(|error| error.in_index(before(at.bytes, row, value))),
            _ => halt,
        };
        self.named(halt, row, value)
    }

    /// Names the field of a sink's error, and the position of its value.
    #[cold]
    #[inline(never)]
    fn named(&self, halt: Halt, row: &Row, value: &[u8]) -> Halt {
        let at = (value.as_ptr() as usize).wrapping_sub(self.start.as_ptr() as usize);
        halt.amend(|error| error.in_field(&row.name).at_byte(at))
    }

    /// Reads a single value, whose tag was read, and returns the input after it.
    #[inline(never)]
    fn single(
        &mut self,
        row: &'a Row,
        step: &'a Step,
        node: &'a Node,
        mut rest: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked<&'a [u8]> {
        macro_rules! number {
            ($ty:ident, $kind:ident) => {
                some(<$ty as Number>::take_any(Kind::$kind, &mut rest))?.give(step.index, self.sink)?
            };
        }
        for_numbers!(Kind, row.kind, number, {
            Kind::Enum => {
                let number = some(<i32 as Number>::take_any(Kind::Int32, &mut rest))?;
                match row.takes_number(number) {
                    true => self.sink.enumeration(step.index, number)?,
                    false => self.unknown_number(row, number, node.unknown)?,
                }
            }
            Kind::String => {
                let bytes = some(len_prefixed(&mut rest))?;
                match utf8(bytes) {
                    Ok(text) => self.sink.str(step.index, text)?,
                    Err(_) if row.utf8 => return Err(Halt::Input),
                    Err(_) => self.sink.bytes(step.index, bytes)?,
                }
            }
            Kind::Bytes => self.sink.bytes(step.index, some(len_prefixed(&mut rest))?)?,
            Kind::Message => {
                let body = some(len_prefixed(&mut rest))?;
                self.sub(self.inside(row, step)?, step.index, body, depth, again)?;
            }
            Kind::Group => {
                let mut reader = Reader::new(rest);
                let body = reader.group(row.number, depth)?;
                self.sub(self.inside(row, step)?, step.index, body, depth, again)?;
                rest = reader.rest();
            }
        });
        Ok(rest)
    }

    /// Returns the table and the node of the messages in a field, if fields in them are wanted.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(&self, row: &'a Row, step: &'a Step) -> Walked<Option<(&'a Table, &'a Node)>> {
        Ok(match step.node {
            NONE => None,
            node => Some((row.message()?, self.plan.node(node))),
        })
    }

    /// Reads a message in a field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(
        &mut self,
        inside: Option<(&'a Table, &'a Node)>,
        index: u32,
        body: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked {
        if index != NONE {
            self.sink.begin(index, body)?;
        }
        if let Some((table, node)) = inside {
            self.message(table, node, body, depth, again)?;
        }
        if index != NONE {
            self.sink.end(index)?;
        }
        Ok(())
    }

    /// Reads a value that [`known`](Self::known) does not: packed numbers, an entry, a group, a number of a closed
    /// enum, or a value after the other tag of its list. Returns the input after the value.
    fn other(
        &mut self,
        at: &At<'a>,
        row: &'a Row,
        tag: u32,
        step: &'a Step,
        value: &'a [u8],
        noted: &mut Noted,
    ) -> Walked<&'a [u8]> {
        match row.shape {
            Shape::Singular => {
                let comes = row.kind != Kind::Enum
                    || row.takes_number(some(<i32 as Number>::take_any(Kind::Int32, &mut { value }))?);
                let again = step.is_noted && comes && self.note(at, row.index, noted)?;
                self.single(row, step, at.node, value, at.depth, again)
            }
            Shape::List => self.list(at, row, tag, step, value),
            Shape::Map => {
                let mut rest = value;
                loop {
                    let entry = some(len_prefixed(&mut rest))?;
                    if let Err(halt) = self.entry(at, row, step, entry) {
                        return Err(halt.amend(|error| error.in_key(entry_key(row, entry))));
                    }
                    match after_tag(row, rest) {
                        Some(after) => rest = after,
                        None => return Ok(rest),
                    }
                }
            }
        }
    }

    /// Clears the fields of a oneof that came, except for the field `but`.
    #[cold]
    #[inline(never)]
    fn clear(&mut self, at: &At<'a>, oneof: u16, but: Option<&Row>, noted: &mut Noted) -> Walked {
        for (row, step) in at.table.rows.iter().zip(&at.node.steps) {
            let is_it = row.oneof == Some(oneof) && but.is_none_or(|but| but.index != row.index);
            if is_it && noted.rows.forget(row.index) {
                self.clear_all(step)?;
            }
        }
        Ok(())
    }

    /// Clears a field and all wanted fields inside it.
    fn clear_all(&mut self, step: &Step) -> Walked {
        if step.index != NONE {
            self.sink.clear(step.index)?;
        }
        if step.node != NONE {
            let plan = self.plan;
            plan.node(step.node).steps.iter().try_for_each(|step| self.clear_all(step))?;
        }
        Ok(())
    }

    /// Reads consecutive elements, or a packed run, and returns the input after them.
    fn list(
        &mut self,
        at: &At<'a>,
        row: &'a Row,
        tag: u32,
        step: &'a Step,
        mut rest: &'a [u8],
    ) -> Walked<&'a [u8]> {
        if row.other_tag != 0 && tag & 7 == WireType::Len as u32 {
            let run = some(len_prefixed(&mut rest))?;
            self.packed(row, step, at.node, run)?;
            return Ok(rest);
        }
        loop {
            let after = match self.single(row, step, at.node, rest, at.depth, false) {
                Ok(after) => after,
                Err(halt) => {
                    return Err(halt.amend(|error| error.in_index(before(at.bytes, row, rest))));
                }
            };
            match again(row, tag, after) {
                Some(after) => rest = after,
                None => return Ok(after),
            }
        }
    }

    /// Reads packed numbers, and passes them to the sink in slices.
    #[inline(never)]
    fn packed(&mut self, row: &Row, step: &Step, node: &Node, mut run: &[u8]) -> Walked {
        macro_rules! numbers {
            ($ty:ident, $kind:ident) => {
                numbers::<$ty>(
                    &mut run,
                    |rest| <$ty as Number>::take(Kind::$kind, row, rest),
                    |numbers| <$ty as Event>::give_all(numbers, step.index, self.sink),
                )
            };
        }
        for_numbers!(Kind, row.kind, numbers, {
            Kind::Enum if row.closed => self.closed(row, step, node, run),
            Kind::Enum => numbers::<i32>(
                &mut run,
                |rest| <i32 as Number>::take(Kind::Int32, row, rest),
                |numbers| self.sink.enumerations(step.index, numbers),
            ),
            Kind::String | Kind::Bytes | Kind::Message | Kind::Group => Err(Halt::Input),
        })
    }

    /// Reads the packed numbers of a closed enum.
    #[cold]
    fn closed(&mut self, row: &Row, step: &Step, node: &Node, mut run: &[u8]) -> Walked {
        while !run.is_empty() {
            let number = some(<i32 as Number>::take(Kind::Int32, row, &mut run))?;
            match row.takes_number(number) {
                true => self.sink.enumeration(step.index, number)?,
                false => self.unknown_number(row, number, node.unknown)?,
            }
        }
        Ok(())
    }

    /// Reads the entry of a map.
    fn entry(&mut self, at: &At<'a>, row: &'a Row, step: &'a Step, entry: &'a [u8]) -> Walked {
        let (rows, node, depth) = (row.map(), at.node, at.depth);
        let usual;
        let unusual;
        let (key, values) = match in_order(rows, entry) {
            Some((key, value)) => {
                if step.node != NONE && !self.plan.node(step.node).ops.is_empty() {
                    let node = self.plan.node(step.node);
                    let entry =
                        At { table: at.table, node, bytes: entry, depth, again: false, is_entry: true };
                    return self.element(step.index, &entry, &mut Noted::default());
                }
                usual = [value];
                (Some(key), &usual[..])
            }
            None => {
                let key;
                (key, unusual) = parts(rows, entry, depth)?;
                (key, &unusual[..])
            }
        };
        if rows.value.kind == Kind::Enum && rows.value.closed {
            let mut last = *values.last().unwrap_or(&&[][..]);
            let number = match last.is_empty() {
                true => rows.value.enumeration().default,
                false => some(<i32 as Number>::take(Kind::Int32, row, &mut last))?,
            };
            if !rows.value.takes_number(number) {
                return match node.unknown {
                    NONE => Ok(()),
                    field => Ok(self.sink.unknown(field, row.number, Unknown::Bytes(entry))?),
                };
            }
        }
        if step.index != NONE {
            self.sink.begin(step.index, entry)?;
        }
        if step.node != NONE {
            let inside = self.plan.node(step.node);
            let [key_step, value_step] = &inside.steps[..] else { return Err(Halt::Input) };
            self.part(&rows.key, key_step, inside, key.as_slice(), depth)?;
            self.part(&rows.value, value_step, inside, values, depth.saturating_sub(1))?;
        } else {
            self.part(&rows.key, &Step::SKIPPED, node, key.as_slice(), depth)?;
        }
        if step.index != NONE {
            self.sink.end(step.index)?;
        }
        Ok(())
    }

    /// Reads the key or the value of an entry. If it occurs several times, the last value counts, but messages are
    /// merged.
    fn part(
        &mut self,
        row: &'a Row,
        step: &'a Step,
        node: &'a Node,
        values: &[&'a [u8]],
        depth: u32,
    ) -> Walked {
        if step.is_skipped() {
            // A string in a map entry is always checked to be UTF-8, even if the string is not wanted.
            let is_text = row.kind == Kind::String && row.utf8;
            return match values.last() {
                Some(value) if is_text => {
                    some(len_prefixed(&mut { *value })).and_then(|text| match utf8(text) {
                        Ok(_) => Ok(()),
                        Err(_) => Err(Halt::Input),
                    })
                }
                _ => Ok(()),
            };
        }
        match values {
            [] if row.is_message() => self.sub(self.inside(row, step)?, step.index, &[], depth, false),
            [] => Ok(self.default(row, step.index)?),
            [value] => self.single(row, step, node, value, depth, false).map(drop),
            [.., last] if !row.is_message() => self.single(row, step, node, last, depth, false).map(drop),
            _ => {
                for (index, value) in values.iter().enumerate() {
                    self.single(row, step, node, value, depth, index > 0)?;
                }
                Ok(())
            }
        }
    }

    /// Handles the end of a message: passes defaults of absent fields, and finds missing required fields.
    #[inline(never)]
    fn absent(&mut self, at: &At<'a>, noted: &Noted) -> Walked {
        for index in &at.node.defaults {
            // An earlier occurrence of the message may have had the field.
            if !at.again && !noted.rows.has(*index) {
                let index = usize::from(*index);
                self.default(&at.table.rows[index], at.node.steps[index].index)?;
            }
        }
        self.is_incomplete |= at.table.required.iter().any(|index| !noted.rows.has(*index));
        Ok(())
    }

    /// Passes the default of a field to the sink.
    fn default(&mut self, row: &'a Row, field: u32) -> Flow {
        match default_of(row) {
            ValueRef::Bool(value) => self.sink.bool(field, value),
            ValueRef::I32(value) => self.sink.i32(field, value),
            ValueRef::I64(value) => self.sink.i64(field, value),
            ValueRef::U32(value) => self.sink.u32(field, value),
            ValueRef::U64(value) => self.sink.u64(field, value),
            ValueRef::F32(value) => self.sink.f32(field, value),
            ValueRef::F64(value) => self.sink.f64(field, value),
            ValueRef::Str(value) => self.sink.str(field, value),
            ValueRef::Bytes(value) => self.sink.bytes(field, value),
            ValueRef::Enum(value) => self.sink.enumeration(field, value),
            _ => Ok(()),
        }
    }

    /// Passes unknown fields to the sink.
    #[cold]
    #[inline(never)]
    fn unknown(&mut self, field: u32, fields: &'a [u8], depth: u32) -> Walked {
        if field == NONE {
            return Ok(());
        }
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            let value = match tag.wire_type() {
                WireType::Varint => Unknown::Varint(reader.varint()?),
                WireType::Fixed32 => Unknown::Fixed32(reader.fixed32()?),
                WireType::Fixed64 => Unknown::Fixed64(reader.fixed64()?),
                WireType::Len => Unknown::Bytes(reader.len_prefixed()?),
                WireType::StartGroup => Unknown::Group(reader.group(tag.number(), depth)?),
                WireType::EndGroup => return Err(Halt::Input),
            };
            self.sink.unknown(field, tag.number(), value)?;
        }
        Ok(())
    }

    /// Passes a number that a closed enum does not have to the sink, as an unknown field.
    #[cold]
    #[inline(never)]
    fn unknown_number(&mut self, row: &Row, number: i32, field: u32) -> Walked {
        match field {
            NONE => Ok(()),
            field => Ok(self.sink.unknown(field, row.number, Unknown::Varint(i64::from(number) as u64))?),
        }
    }
}

/// Returns a record in which every field of a oneof may have come before.
#[cold]
fn all_members(table: &Table) -> Noted {
    let mut noted = Noted::default();
    for row in &table.rows {
        if row.oneof.is_some() {
            noted.rows.note(usize::from(row.index));
        }
    }
    for oneof in 0..table.oneofs.len() {
        noted.oneofs.note(oneof);
    }
    noted
}

/// Reads packed numbers with `take`, and passes them on in slices with `give`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn numbers<T: Copy + Default>(
    run: &mut &[u8],
    mut take: impl FnMut(&mut &[u8]) -> Option<T>,
    mut give: impl FnMut(&[T]) -> Flow,
) -> Walked {
    let mut buffer = [T::default(); 32];
    while !run.is_empty() {
        let mut len = 0;
        for slot in &mut buffer {
            if run.is_empty() {
                break;
            }
            *slot = some(take(run))?;
            len += 1;
        }
        give(&buffer[..len])?;
    }
    Ok(())
}

/// Returns the key and the value of an entry in the form that encoders usually write, each with the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn in_order<'a>(rows: &MapRows, entry: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let key = after_tag(&rows.key, entry)?;
    let value = after_tag(&rows.value, after_value(&rows.key, key)?)?;
    after_value(&rows.value, value)?.is_empty().then_some((key, value))
}

/// Returns the input after a value.
#[cfg_attr(not(debug_assertions), inline(always))]
fn after_value<'a>(row: &Row, mut input: &'a [u8]) -> Option<&'a [u8]> {
    match row.kind.wire_type() {
        WireType::Varint => drop(scalar(Kind::UInt64, row, &mut input)?),
        WireType::Fixed32 => return input.get(4..),
        WireType::Fixed64 => return input.get(8..),
        WireType::Len => drop(len_prefixed(&mut input)?),
        WireType::StartGroup | WireType::EndGroup => return None,
    }
    Some(input)
}

/// The last key of an entry, and its values, each with the bytes after it.
type Parts<'a> = (Option<&'a [u8]>, Vec<&'a [u8]>);

/// Returns the parts of an entry in any order.
///
/// # Errors
/// The entry is malformed.
#[cold]
#[inline(never)]
fn parts<'a>(rows: &MapRows, entry: &'a [u8], depth: u32) -> Walked<Parts<'a>> {
    let (mut key, mut values) = (None, Vec::new());
    let mut reader = Reader::new(entry);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        if tag.value() == rows.key.tag {
            key = Some(reader.rest());
            check_text(&rows.key, reader.rest())?;
        } else if tag.value() == rows.value.tag {
            values.push(reader.rest());
            check_text(&rows.value, reader.rest())?;
        }
        reader.skip(tag, depth)?;
    }
    Ok((key, values))
}

/// Checks that a string that is not wanted is UTF-8, because a map is checked as a whole.
///
/// # Errors
/// The string must be UTF-8 and is not.
fn check_text(row: &Row, mut value: &[u8]) -> Walked {
    if row.kind != Kind::String || !row.utf8 {
        return Ok(());
    }
    match utf8(some(len_prefixed(&mut value))?) {
        Ok(_) => Ok(()),
        Err(_) => Err(Halt::Input),
    }
}

/// Returns the key of the entry of a map, for the path of an error.
#[cold]
pub(super) fn entry_key(row: &Row, entry: &[u8]) -> String {
    let key = parts(row.map(), entry, u32::MAX).map_or(None, |(key, _)| key);
    let (row, mut rest) = (&row.map().key, key.unwrap_or_default());
    if row.kind == Kind::String {
        let text = len_prefixed(&mut rest).unwrap_or_default();
        return String::from_utf8_lossy(text).into_owned();
    }
    let bits = scalar(row.kind, row, &mut rest).unwrap_or_default();
    crate::object::key_of(row.kind, bits).to_string()
}

/// Counts the elements of a list in `message` before `piece`.
fn before(message: &[u8], row: &Row, piece: &[u8]) -> usize {
    let (mut reader, mut count) = (Reader::new(message), 0);
    while let Ok(tag) = reader.tag() {
        let value = reader.rest();
        if value.len() <= piece.len() || reader.skip(tag, u32::MAX).is_err() {
            break;
        }
        count += match row.takes_value(tag, Reader::new(value)) {
            false => 0,
            true if tag.wire_type() != WireType::Len || row.other_tag == 0 => 1,
            true => {
                let run = len_prefixed(&mut { value }).unwrap_or_default();
                match row.kind.wire_type() {
                    WireType::Fixed32 => run.len() / 4,
                    WireType::Fixed64 => run.len() / 8,
                    _ => crate::wire::packed::count(run),
                }
            }
        };
    }
    count
}
