//! Wire to JSON.

use super::{Ordinary, begins};
use crate::de::{Keys, Wire};
use crate::json::print::Numbers;
use crate::plan::{FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Shape};
use crate::relay::Relay;
use crate::ser::{Json, Sink, write_default_value};
use crate::wire::{Reader, WireType, quick_varint, unzigzag32, unzigzag64};
use std::hash::Hash;

/// Hands encoded messages to a JSON sink.
pub(crate) struct ToJson<'a, 'p, 'o> {
    pub(crate) sink: &'a mut Json<'o>,
    pub(crate) set: &'p PlanSet,
    pub(crate) max_depth: u32,
    /// Required fields may be missing.
    pub(crate) partial: bool,
}

impl ToJson<'_, '_, '_> {
    /// Writes a message, where `depth` more may be opened.
    pub(crate) fn message(&mut self, plan: &MessagePlan, input: &[u8], depth: u32) -> Ordinary<()> {
        if !super::is_plain(plan) {
            let mut source = Wire::new(input, false);
            let (set, max_depth, partial) = (self.set, self.max_depth, self.partial);
            let sink = &mut *self.sink;
            let mut relay =
                Relay { source: &mut source, sink, set, depth, max_depth, partial, defaults: false };
            return relay.message(None, plan).ok();
        }
        let depth = depth.checked_sub(1)?;
        let message = self.sink.begin_message(None, plan);
        self.fields(plan, input, depth)?;
        self.sink.end_message(None, plan, message).ok()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(&mut self, plan: &MessagePlan, mut input: &[u8], depth: u32) -> Ordinary<()> {
        // Bits of the fields and of the oneofs that came.
        let (mut seen, mut set) = (0u64, 0u64);
        let mut unknown = Vec::new();
        while let [byte, rest @ ..] = input {
            let (tag, index) = match plan.tags.get(*byte) {
                Some(index) => {
                    input = rest;
                    (u32::from(*byte), index)
                }
                None => {
                    let (found, rest) = other_field(plan, input, depth, &mut unknown)?;
                    input = rest;
                    match found {
                        Some(found) => found,
                        None => continue,
                    }
                }
            };
            let field = plan.fields.get(index)?;
            if seen >> index & 1 != 0 {
                return None;
            }
            seen |= 1 << index;
            if let Some(oneof) = field.oneof {
                if set >> oneof & 1 != 0 {
                    return None;
                }
                set |= 1 << oneof;
            }
            match field.shape {
                Shape::Singular => self.value::<true>(&mut input, field, depth)?,
                Shape::List => input = self.list(input, field, tag, depth)?,
                Shape::Map => input = self.map(input, field, depth)?,
            }
        }
        if !self.partial && plan.required.iter().any(|index| seen >> index & 1 == 0) {
            return None;
        }
        match unknown.is_empty() {
            true => Some(()),
            false => self.sink.unknown(plan, &unknown).ok(),
        }
    }

    /// Writes a single value, after its key where it is a `FIELD`, and not an element or a part of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<const FIELD: bool>(&mut self, input: &mut &[u8], field: &FieldPlan, depth: u32) -> Ordinary<()> {
        match field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let value = int32(input, kind)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.i32(kind, value);
                }
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let value = int64(input, kind)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.i64(kind, value);
                }
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let value = uint32(input, kind)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.u32(kind, value);
                }
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let value = uint64(input, kind)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.u64(kind, value);
                }
            }
            Kind::Float => {
                let value = f32::from_bits(fixed32(input)?);
                if begins::<FIELD, _>(self.sink, field, value.to_bits() == 0) {
                    self.sink.f32(value);
                }
            }
            Kind::Double => {
                let value = f64::from_bits(fixed64(input)?);
                if begins::<FIELD, _>(self.sink, field, value.to_bits() == 0) {
                    self.sink.f64(value);
                }
            }
            Kind::Bool => {
                let value = varint(input)? != 0;
                if begins::<FIELD, _>(self.sink, field, !value) {
                    self.sink.bool(value);
                }
            }
            Kind::Enum => {
                let plan = self.set.enums.get(field.sub as usize)?;
                let value = varint(input)? as i32;
                if field.closed && !plan.contains(value) {
                    return None;
                }
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.enumeration(plan, value);
                }
            }
            Kind::String => {
                let value = len_prefixed(input)?;
                if begins::<FIELD, _>(self.sink, field, value.is_empty()) && !self.sink.out.utf8(value) {
                    return None;
                }
            }
            Kind::Bytes => {
                let value = len_prefixed(input)?;
                if begins::<FIELD, _>(self.sink, field, value.is_empty()) {
                    self.sink.bytes(value);
                }
            }
            Kind::Message => {
                let content = len_prefixed(input)?;
                if FIELD {
                    self.sink.field(field);
                }
                return self.message(self.set.messages.get(field.sub as usize)?, content, depth);
            }
            Kind::Group => return None,
        }
        Some(())
    }

    /// Writes a list whose first tag was read: a packed run, or elements that follow each other.
    #[inline(never)]
    fn list<'i>(
        &mut self,
        mut input: &'i [u8],
        field: &FieldPlan,
        tag: u32,
        depth: u32,
    ) -> Ordinary<&'i [u8]> {
        if field.other_tag != 0 && tag & 7 == WireType::Len as u32 {
            let run = len_prefixed(&mut input)?;
            if !run.is_empty() {
                let list = self.sink.begin_list(field, 1);
                self.run(run, field, depth)?;
                self.sink.end_list(field, list);
            }
            return Some(input);
        }
        let list = self.sink.begin_list(field, 1);
        loop {
            self.sink.element(field, false);
            self.value::<false>(&mut input, field, depth)?;
            match input.strip_prefix(field.tag_bytes()) {
                Some(rest) if tag == field.tag => input = rest,
                _ => break,
            }
        }
        self.sink.end_list(field, list);
        Some(input)
    }

    /// Writes the numbers of a packed run.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run(&mut self, mut run: &[u8], field: &FieldPlan, depth: u32) -> Ordinary<()> {
        self.sink.numbers(|numbers, quote64| numbers_of(&mut run, field.kind, numbers, quote64));
        while !run.is_empty() {
            self.sink.element(field, false);
            self.value::<false>(&mut run, field, depth)?;
        }
        Some(())
    }

    /// Writes a map whose first tag was read.
    #[inline(never)]
    fn map<'i>(&mut self, input: &'i [u8], field: &FieldPlan, depth: u32) -> Ordinary<&'i [u8]> {
        let plan = self.set.maps.get(field.sub as usize)?;
        let kind = plan.key.kind;
        match kind {
            Kind::String => {
                let write = |sink: &mut Json<'_>, key: &&[u8]| sink.out.utf8(key).then_some(());
                self.entries(input, field, plan, depth, len_prefixed, write)
            }
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => {
                let write = |sink: &mut Json<'_>, key: &i32| {
                    sink.i32(kind, *key);
                    Some(())
                };
                self.entries(input, field, plan, depth, |input| int32(input, kind), write)
            }
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                let write = |sink: &mut Json<'_>, key: &i64| {
                    sink.i64(kind, *key);
                    Some(())
                };
                self.entries(input, field, plan, depth, |input| int64(input, kind), write)
            }
            Kind::UInt32 | Kind::Fixed32 => {
                let write = |sink: &mut Json<'_>, key: &u32| {
                    sink.u32(kind, *key);
                    Some(())
                };
                self.entries(input, field, plan, depth, |input| uint32(input, kind), write)
            }
            Kind::UInt64 | Kind::Fixed64 => {
                let write = |sink: &mut Json<'_>, key: &u64| {
                    sink.u64(kind, *key);
                    Some(())
                };
                self.entries(input, field, plan, depth, |input| uint64(input, kind), write)
            }
            Kind::Bool => {
                let write = |sink: &mut Json<'_>, key: &bool| {
                    sink.bool(*key);
                    Some(())
                };
                self.entries(input, field, plan, depth, |input| Some(varint(input)? != 0), write)
            }
            _ => None,
        }
    }

    /// The entries of a map, each of a key and a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entries<'i, K: Clone + Ord + Hash>(
        &mut self,
        mut input: &'i [u8],
        field: &FieldPlan,
        plan: &MapPlan,
        depth: u32,
        read: impl Fn(&mut &'i [u8]) -> Ordinary<K>,
        write: impl Fn(&mut Json<'_>, &K) -> Ordinary<()>,
    ) -> Ordinary<&'i [u8]> {
        let mut keys = Keys::default();
        self.sink.begin_map(field);
        loop {
            let mut entry = len_prefixed(&mut input)?;
            entry = entry.strip_prefix(plan.key.tag_bytes())?;
            let key = read(&mut entry)?;
            if !keys.note(&key) {
                return None;
            }
            self.sink.begin_entry(field, &plan.key, false);
            write(self.sink, &key)?;
            self.sink.entry_value(&plan.value);
            match entry.strip_prefix(plan.value.tag_bytes()) {
                Some(value) => {
                    entry = value;
                    self.value::<false>(&mut entry, &plan.value, depth)?;
                }
                None if plan.value.is_message() => return None,
                None => write_default_value(self.sink, self.set, &plan.value),
            }
            if !entry.is_empty() {
                return None;
            }
            match input.strip_prefix(field.tag_bytes()) {
                Some(rest) => input = rest,
                None => break,
            }
        }
        self.sink.end_map(field);
        Some(input)
    }
}

/// A tag, and the place of its field.
type Found = (u32, usize);

/// The field at the cursor, whatever its tag, and what follows; nothing for one that the plan does not have, which is
/// passed over.
#[inline(never)]
fn other_field<'i>(
    plan: &MessagePlan,
    input: &'i [u8],
    depth: u32,
    unknown: &mut Vec<u8>,
) -> Ordinary<(Option<Found>, &'i [u8])> {
    let mut reader = Reader::new(input);
    let tag = reader.tag().ok()?;
    if let Some(index) = plan.numbers.get(tag.number())
        && plan.fields.get(index)?.takes(tag)
    {
        return Some((Some((tag.value(), index)), reader.rest()));
    }
    reader.skip(tag, depth).ok()?;
    if plan.extendable {
        let (raw, _) = input.split_at_checked(input.len() - reader.rest().len())?;
        unknown.extend_from_slice(raw);
    }
    Some((None, reader.rest()))
}

/// Writes the numbers of a packed run, by one loop per kind, up to one that has no such form, or is malformed.
#[cfg_attr(not(debug_assertions), inline(always))]
fn numbers_of<'b>(run: &mut &[u8], kind: Kind, mut numbers: Numbers<'b>, quote64: bool) -> Numbers<'b> {
    macro_rules! each {
        ($($($kind:ident)+: $read:ident, $write:expr;)+) => {
            match kind {
                $($(Kind::$kind => {
                    let mut input = *run;
                    while let Some(value) = $read(&mut input, Kind::$kind) {
                        numbers = $write(numbers.element(), value.into());
                        *run = input;
                    }
                })+)+
                _ => {}
            }
        };
    }
    if quote64 {
        each! {
            Int64 SInt64 SFixed64: int64, Numbers::quoted_signed;
            UInt64 Fixed64: uint64, Numbers::quoted_unsigned;
        }
    } else {
        each! {
            Int64 SInt64 SFixed64: int64, Numbers::signed;
            UInt64 Fixed64: uint64, Numbers::unsigned;
        }
    }
    each! {
        Int32 SInt32 SFixed32: int32, Numbers::signed;
        UInt32 Fixed32: uint32, Numbers::unsigned;
        Float: finite_float, Numbers::float::<f32>;
        Double: finite_double, Numbers::float::<f64>;
    }
    numbers
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varint(input: &mut &[u8]) -> Ordinary<u64> {
    match quick_varint(input) {
        Some((value, rest)) => {
            *input = rest;
            Some(value)
        }
        None => {
            let (value, rest) = other_varint(input)?;
            *input = rest;
            Some(value)
        }
    }
}

#[inline(never)]
fn other_varint(input: &[u8]) -> Ordinary<(u64, &[u8])> {
    let mut reader = Reader::new(input);
    let value = reader.varint().ok()?;
    Some((value, reader.rest()))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn fixed32(input: &mut &[u8]) -> Ordinary<u32> {
    let (bytes, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u32::from_le_bytes(*bytes))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn fixed64(input: &mut &[u8]) -> Ordinary<u64> {
    let (bytes, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u64::from_le_bytes(*bytes))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn len_prefixed<'i>(input: &mut &'i [u8]) -> Ordinary<&'i [u8]> {
    let len = varint(input)?;
    let (bytes, rest) = input.split_at_checked(i32::try_from(len).ok()? as usize)?;
    *input = rest;
    Some(bytes)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn finite_float(input: &mut &[u8], _: Kind) -> Ordinary<f32> {
    Some(f32::from_bits(fixed32(input)?)).filter(|value| value.is_finite())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn finite_double(input: &mut &[u8], _: Kind) -> Ordinary<f64> {
    Some(f64::from_bits(fixed64(input)?)).filter(|value| value.is_finite())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn int32(input: &mut &[u8], kind: Kind) -> Ordinary<i32> {
    match kind {
        Kind::SInt32 => Some(unzigzag32(varint(input)? as u32)),
        Kind::SFixed32 => Some(fixed32(input)? as i32),
        _ => Some(varint(input)? as i32),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn int64(input: &mut &[u8], kind: Kind) -> Ordinary<i64> {
    match kind {
        Kind::SInt64 => Some(unzigzag64(varint(input)?)),
        Kind::SFixed64 => Some(fixed64(input)? as i64),
        _ => Some(varint(input)? as i64),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn uint32(input: &mut &[u8], kind: Kind) -> Ordinary<u32> {
    match kind {
        Kind::Fixed32 => fixed32(input),
        _ => Some(varint(input)? as u32),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn uint64(input: &mut &[u8], kind: Kind) -> Ordinary<u64> {
    match kind {
        Kind::Fixed64 => fixed64(input),
        _ => varint(input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    #[test]
    fn varints_of_every_length_wherever_the_input_ends() {
        for bits in 0..64 {
            for value in [1u64 << bits, (1u64 << bits) - 1, u64::MAX >> bits, 0x5555_5555_5555_5555 >> bits] {
                let mut writer = Writer::new();
                writer.varint(value);
                let whole = writer.finish().unwrap();
                for after in 0..10 {
                    let bytes = [&whole[..], &vec![0xff; after]].concat();
                    let mut input = &bytes[..];
                    assert_eq!(varint(&mut input), Some(value));
                    assert_eq!(input.len(), after);
                }
                for cut in 0..whole.len() {
                    assert_eq!(varint(&mut &whole[..cut]), None);
                }
            }
        }
        let too_long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0];
        assert_eq!(varint(&mut &too_long[..]), None);
        assert_eq!(varint(&mut &[0x80; 12][..]), None);
        assert_eq!(varint(&mut &[0x80, 0x80, 0x00][..]), Some(0));
    }
}
