//! Goes through an encoded message by a plan, with the cursor of `object/wire/view.rs`.

use super::node::{NONE, Node, Nodes, Step};
use super::{Flow, Sink, Stop, Unknown};
use crate::error::{Error, Result};
use crate::message::reflect::{ValueRef, check::default_of};
use crate::object::wire::{Fields, Next, Noted, Number, after_tag, again, len_prefixed, scalar};
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

/// Calls a macro with each kind of numbers and its type, and then with the rest.
macro_rules! for_numbers {
    ($kind:expr, $number:ident, { $($rest:tt)* }) => {
        match $kind {
            Kind::Int32 => $number!(i32, Int32),
            Kind::SInt32 => $number!(i32, SInt32),
            Kind::SFixed32 => $number!(i32, SFixed32),
            Kind::Int64 => $number!(i64, Int64),
            Kind::SInt64 => $number!(i64, SInt64),
            Kind::SFixed64 => $number!(i64, SFixed64),
            Kind::UInt32 => $number!(u32, UInt32),
            Kind::Fixed32 => $number!(u32, Fixed32),
            Kind::UInt64 => $number!(u64, UInt64),
            Kind::Fixed64 => $number!(u64, Fixed64),
            Kind::Float => $number!(f32, Float),
            Kind::Double => $number!(f64, Double),
            Kind::Bool => $number!(bool, Bool),
            $($rest)*
        }
    };
}

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Reads the fields of a message. If `again` is true, the message is merged into a message that came before. Most
    /// small messages have only usual fields, and are read here without the stack frame of [`fields`](Self::fields).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message(
        &mut self,
        table: &'a Table,
        node: &'a Node,
        bytes: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked {
        let mut fields = Fields::<true>::new(table, bytes, depth, self.plan.order)?;
        let mut noted = if again { all_members(table) } else { Noted::default() };
        if node.has_usual {
            self.usual(table, node, &mut fields, &mut noted, again)?;
            if fields.rest.is_empty() && !node.is_noted {
                return Ok(());
            }
        }
        self.fields(table, node, bytes, &mut fields, &mut noted, again)
    }

    /// Reads the fields of a message from some field on.
    #[inline(never)]
    fn fields(
        &mut self,
        table: &'a Table,
        node: &'a Node,
        bytes: &'a [u8],
        fields: &mut Fields<'a, 'a, true>,
        noted: &mut Noted,
        again: bool,
    ) -> Walked {
        loop {
            // Fields that come in the usual order are read without their rows.
            if let Some(step) = node.steps.get(fields.guess)
                && let Some(value) = step.after_tag(fields.rest)
            {
                if step.is_usual {
                    self.usual(table, node, fields, noted, again)?;
                } else if let Some(row) = table.rows.get(fields.guess) {
                    let inside = step.is_noted && self.note(table, row, node, noted, again)?;
                    let mut rest = value;
                    let body = some(len_prefixed(&mut rest))?;
                    if let Err(halt) = self.sub(row, step, body, fields.depth, inside) {
                        return Err(self.named(halt, row, value));
                    }
                    fields.rest = rest;
                    fields.guess += 1;
                }
                continue;
            }
            if node.short(fields.rest).is_some() {
                self.usual(table, node, fields, noted, again)?;
                continue;
            }
            match fields.next(noted)? {
                Next::Field(row, tag) => {
                    let Some(step) = node.steps.get(usize::from(row.index)) else { return Err(Halt::Input) };
                    let value = fields.rest;
                    let read = match step.kind {
                        Some(Kind::Message) => {
                            let inside = step.is_noted && self.note(table, row, node, noted, again)?;
                            self.single(Kind::Message, row, step, node, value, fields.depth, inside)
                        }
                        Some(_) => {
                            let inside = step.is_noted && self.note(table, row, node, noted, again)?;
                            self.any(row, step, node, value, fields.depth, inside)
                        }
                        None => self.other(table, row, tag, step, node, value, fields.depth, noted, bytes),
                    };
                    match read {
                        Ok(rest) => fields.rest = rest,
                        Err(halt) => return Err(self.named(halt, row, value)),
                    }
                }
                Next::Unknown(unknown) => self.unknown(node.unknown, unknown, fields.depth)?,
                Next::Replaced(oneof) => self.clear(table, node, oneof, None, noted)?,
                Next::End => break,
            }
        }
        if node.is_noted { self.absent(table, node, noted, again) } else { Ok(()) }
    }

    /// Reads consecutive usual fields. This is a separate function, so that its loop can use all registers.
    #[inline(never)]
    fn usual(
        &mut self,
        table: &'a Table,
        node: &'a Node,
        fields: &mut Fields<'a, 'a, true>,
        noted: &mut Noted,
        again: bool,
    ) -> Walked {
        let (mut rest, mut guess) = (fields.rest, fields.guess);
        loop {
            let expected = node.steps.get(guess).and_then(|step| Some((step, step.after_tag(rest)?)));
            let (step, value) = match expected {
                Some((step, value)) if step.is_usual => (step, value),
                Some(_) => break,
                None => {
                    let Some((index, value)) = node.short(rest) else { break };
                    guess = index;
                    (&node.steps[index], value)
                }
            };
            let Some(row) = table.rows.get(guess) else { break };
            if step.is_noted {
                self.note(table, row, node, noted, again)?;
            }
            let mut after = value;
            match self.plain(step, row, &mut after) {
                Ok(()) => rest = after,
                Err(halt) => return Err(self.named(halt, row, value)),
            }
            guess += 1;
        }
        (fields.rest, fields.guess) = (rest, guess);
        Ok(())
    }

    /// Reads the value of a usual field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plain(&mut self, step: &'a Step, row: &'a Row, rest: &mut &'a [u8]) -> Walked {
        macro_rules! number {
            ($ty:ident, $kind:ident) => {
                some(<$ty as Number>::take(Kind::$kind, row, rest))?.give(step.index, self.sink)?
            };
        }
        for_numbers!(step.kind.ok_or(Halt::Input)?, number, {
            Kind::Enum => {
                let number = some(<i32 as Number>::take(Kind::Int32, row, rest))?;
                self.sink.enumeration(step.index, number)?;
            }
            Kind::String => match utf8(some(len_prefixed(rest))?) {
                Ok(text) => self.sink.str(step.index, text)?,
                Err(_) => return Err(Halt::Input),
            },
            Kind::Bytes => self.sink.bytes(step.index, some(len_prefixed(rest))?)?,
            Kind::Message | Kind::Group => return Err(Halt::Input),
        });
        Ok(())
    }

    /// Reads the key or the value of an entry that is a number, a string or bytes.
    #[inline(never)]
    fn plain_part(&mut self, step: &'a Step, row: &'a Row, mut value: &'a [u8]) -> Walked {
        self.plain(step, row, &mut value)
    }

    /// Records that a singular field comes, and clears the other fields of its oneof. Returns true if a message in the
    /// field is merged into a message that came before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note(
        &mut self,
        table: &'a Table,
        row: &'a Row,
        node: &'a Node,
        noted: &mut Noted,
        again: bool,
    ) -> Walked<bool> {
        if let Some(oneof) = row.oneof
            && !noted.oneofs.note(usize::from(oneof))
        {
            self.clear(table, node, oneof, Some(row), noted)?;
        }
        Ok(!noted.rows.note(usize::from(row.index)) || again && row.oneof.is_none())
    }

    /// Names the field of a sink's error, and the position of its value.
    #[cold]
    #[inline(never)]
    fn named(&self, halt: Halt, row: &Row, value: &[u8]) -> Halt {
        let at = (value.as_ptr() as usize).wrapping_sub(self.start.as_ptr() as usize);
        halt.amend(|error| error.in_field(&row.name).at_byte(at))
    }

    /// Reads a single value, whose tag was read, and returns the input after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(clippy::too_many_arguments, reason = "they are what the loop of a message has")]
    fn single(
        &mut self,
        kind: Kind,
        row: &'a Row,
        step: &'a Step,
        node: &'a Node,
        mut rest: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked<&'a [u8]> {
        macro_rules! number {
            ($ty:ident, $kind:ident) => {
                some(<$ty as Number>::take(Kind::$kind, row, &mut rest))?.give(step.index, self.sink)?
            };
        }
        for_numbers!(kind, number, {
            Kind::Enum => {
                let number = some(<i32 as Number>::take(Kind::Int32, row, &mut rest))?;
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
                self.sub(row, step, body, depth, again)?;
            }
            Kind::Group => return self.group(row, step, rest, depth, again),
        });
        Ok(rest)
    }

    /// Does what [`single`](Self::single) does, for rare kinds of fields.
    #[inline(never)]
    fn any(
        &mut self,
        row: &'a Row,
        step: &'a Step,
        node: &'a Node,
        rest: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked<&'a [u8]> {
        self.single(row.kind, row, step, node, rest, depth, again)
    }

    /// Reads a message in a field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&mut self, row: &'a Row, step: &'a Step, body: &'a [u8], depth: u32, again: bool) -> Walked {
        if step.index != NONE {
            self.sink.begin(step.index, body)?;
        }
        if step.node != NONE {
            self.message(row.message()?, self.plan.node(step.node), body, depth, again)?;
        }
        if step.index != NONE {
            self.sink.end(step.index)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn group(
        &mut self,
        row: &'a Row,
        step: &'a Step,
        rest: &'a [u8],
        depth: u32,
        again: bool,
    ) -> Walked<&'a [u8]> {
        let mut reader = Reader::new(rest);
        let body = reader.group(row.number, depth)?;
        self.sub(row, step, body, depth, again)?;
        Ok(reader.rest())
    }

    /// Reads a repeated field, a field that is not wanted, or an enum whose number may be unknown if unknown fields are
    /// wanted. Returns the input after the field.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "they are what the loop of a message has")]
    fn other(
        &mut self,
        table: &'a Table,
        row: &'a Row,
        tag: u32,
        step: &'a Step,
        node: &'a Node,
        value: &'a [u8],
        depth: u32,
        noted: &mut Noted,
        message: &'a [u8],
    ) -> Walked<&'a [u8]> {
        if step.is_skipped() {
            let mut reader = Reader::new(value);
            reader.skip(some(Tag::from_value(tag))?, depth)?;
            return Ok(reader.rest());
        }
        match row.shape {
            Shape::Singular => {
                let number = some(<i32 as Number>::take(Kind::Int32, row, &mut { value }))?;
                if row.takes_number(number) {
                    self.note(table, row, node, noted, false)?;
                }
                self.any(row, step, node, value, depth, false)
            }
            Shape::List => {
                let read = self.list(row, tag, step, node, value, depth);
                read.map_err(|halt| halt.amend(|error| shifted(error, message, row, value)))
            }
            Shape::Map => {
                let mut rest = value;
                loop {
                    let entry = some(len_prefixed(&mut rest))?;
                    self.entry(row, step, node, entry, depth)?;
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
    fn clear(
        &mut self,
        table: &'a Table,
        node: &'a Node,
        oneof: u16,
        but: Option<&Row>,
        noted: &mut Noted,
    ) -> Walked {
        for (row, step) in table.rows.iter().zip(&node.steps) {
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list(
        &mut self,
        row: &'a Row,
        tag: u32,
        step: &'a Step,
        node: &'a Node,
        mut rest: &'a [u8],
        depth: u32,
    ) -> Walked<&'a [u8]> {
        if row.other_tag != 0 && tag & 7 == WireType::Len as u32 {
            let run = some(len_prefixed(&mut rest))?;
            self.packed(row, step, node, run)?;
            return Ok(rest);
        }
        let mut index = 0;
        loop {
            let read = match row.kind {
                Kind::Message => {
                    let body = some(len_prefixed(&mut rest))?;
                    self.sub(row, step, body, depth, false).map(|()| rest)
                }
                _ => self.any(row, step, node, rest, depth, false),
            };
            let after = match read {
                Ok(after) => after,
                Err(halt) => return Err(halt.amend(|error| error.in_index(index))),
            };
            index += 1;
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
        for_numbers!(row.kind, numbers, {
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
    fn entry(&mut self, row: &'a Row, step: &'a Step, node: &'a Node, entry: &'a [u8], depth: u32) -> Walked {
        let rows = row.map();
        let usual;
        let unusual;
        let (key, values) = match in_order(rows, entry) {
            Some((key, value)) => {
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
            let read = self
                .part(&rows.key, key_step, inside, key.as_slice(), depth)
                .and_then(|()| self.part(&rows.value, value_step, inside, values, depth.saturating_sub(1)));
            read.map_err(|halt| halt.amend(|error| error.in_key(key_text(&rows.key, key))))?;
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
            [] if row.is_message() => self.sub(row, step, &[], depth, false),
            [] => Ok(self.default(row, step.index)?),
            [value] if step.is_usual => self.plain_part(step, row, value),
            [value] => self.any(row, step, node, value, depth, false).map(|_| ()),
            [.., last] if !row.is_message() => self.any(row, step, node, last, depth, false).map(|_| ()),
            _ => {
                for (index, value) in values.iter().enumerate() {
                    self.any(row, step, node, value, depth, index > 0)?;
                }
                Ok(())
            }
        }
    }

    /// Handles the end of a message: passes defaults of absent fields, and finds missing required fields.
    #[inline(never)]
    fn absent(&mut self, table: &'a Table, node: &Node, noted: &Noted, again: bool) -> Walked {
        for index in &node.defaults {
            // An earlier occurrence of the message may have had the field.
            if !again && !noted.rows.has(*index) {
                let index = usize::from(*index);
                self.default(&table.rows[index], node.steps[index].index)?;
            }
        }
        self.is_incomplete |= table.required.iter().any(|index| !noted.rows.has(*index));
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
    key_text(&row.map().key, key)
}

/// Returns the text of a key.
#[cold]
fn key_text(row: &Row, key: Option<&[u8]>) -> String {
    let mut rest = key.unwrap_or_default();
    if row.kind == Kind::String {
        let text = len_prefixed(&mut rest).unwrap_or_default();
        return String::from_utf8_lossy(text).into_owned();
    }
    let bits = scalar(row.kind, row, &mut rest).unwrap_or_default();
    crate::object::key_of(row.kind, bits).to_string()
}

/// Corrects the index in a sink's error for an element of a list. `piece` is the run in which the element is. The
/// number of elements before this run is added to the index.
#[cold]
#[inline(never)]
fn shifted(error: Error, message: &[u8], row: &Row, piece: &[u8]) -> Error {
    let is_element = matches!(error.path().next(), Some(crate::error::Segment::Index(_)));
    if is_element { error.shift_index(before(message, row, piece)) } else { error }
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
