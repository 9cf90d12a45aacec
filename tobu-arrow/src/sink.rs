//! The sink that appends the values of messages to columns.

use crate::columns::Columns;
use crate::slot::{Slot, Special, Values};
use arrow_schema::TimeUnit;
use std::borrow::Cow;
use tobu::descriptor::Type;
use tobu::sink::{Flow, Sink, Stop};
use tobu::wire::{Reader, Tag, WireType};
use tobu::{Error, convert};

/// The values of the messages in a batch, while the batch is filled. A space is a sequence of rows: one row for each message,
/// or for each element of one list.
///
/// Each value is appended to its slot, which becomes a column. The slots of absent fields are not changed; the missing rows are
/// added before the next value of the slot, or at the end. So a message in the usual form only appends values. A message is
/// *odd* if it has two fields of a oneof, a message field that occurs twice, or a map key that occurs twice. The batcher
/// removes the values of an odd message, decodes the message, encodes it again, and reads the result.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) slots: Vec<Slot>,
    /// The number of rows of each space, including the row that is being filled.
    pub(crate) rows: Vec<usize>,
    /// An upper bound for the bytes that the columns take.
    pub(crate) bytes: usize,
    pub(crate) most_bytes: usize,
    pub(crate) unit: TimeUnit,
    /// The reason why reading the message stopped, if it stopped.
    pub(crate) halt: Option<Halt>,
    /// True if the message was decoded and encoded again, so it is not odd.
    pub(crate) is_plain: bool,
    /// The indices of the slots for maps.
    maps: Vec<u32>,
}

/// The reason why a message is not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Odd,
    /// The message takes more bytes than the batch has left.
    Full,
}

impl Store {
    pub(crate) fn new(columns: &Columns, most_bytes: usize) -> Self {
        let inner = &columns.0;
        let is_map = |slot: &Slot| slot.list.as_ref().is_some_and(|list| list.keys.is_some());
        let maps = (0..).zip(&inner.slots).filter(|(_, slot)| is_map(slot)).map(|(index, _)| index).collect();
        Store {
            slots: inner.slots.clone(),
            rows: vec![0; inner.spaces],
            bytes: 0,
            most_bytes,
            unit: inner.options.unit,
            halt: None,
            is_plain: false,
            maps,
        }
    }

    /// Begins the row of a message. `len` is its encoded length, and `cost` is the number of bytes of its row.
    pub(crate) fn begin_row(&mut self, len: usize, cost: usize) {
        self.rows[0] += 1;
        self.halt = None;
        // `len` covers the strings, because a string takes no more bytes in a column than in the encoded message.
        self.bytes = self.bytes.saturating_add(len).saturating_add(cost);
        if self.bytes > self.most_bytes {
            self.halt = Some(Halt::Full);
        }
    }

    /// Removes all messages after the first `rows` messages. `bytes` is the number of bytes that the remaining messages take.
    pub(crate) fn truncate(&mut self, rows: usize, bytes: usize) {
        self.rows[0] = rows;
        self.bytes = bytes;
        // The slot of a list comes before the slots of its elements, so the number of elements is corrected first.
        for slot in &mut self.slots {
            if let Some(list) = &mut slot.list {
                list.truncate(&mut self.rows);
            }
            slot.values.truncate(self.rows[slot.space as usize]);
        }
    }

    /// True if a map in the last message has a key twice.
    pub(crate) fn has_twin_keys(&mut self) -> bool {
        let mut found = false;
        for map in &self.maps {
            let (before, after) = self.slots.split_at_mut(*map as usize + 1);
            let Some(list) = before.last_mut().and_then(|slot| slot.list.as_mut()) else { continue };
            let Some(keys) = list.keys.and_then(|keys| after.get((keys - map - 1) as usize)) else {
                continue;
            };
            for (from, to) in list.unchecked(&self.rows) {
                found |= to - from > 1 && keys.values.has_twins(from, to);
            }
        }
        found
    }

    #[cold]
    #[inline(never)]
    fn halt(&mut self, halt: Halt) -> Flow {
        self.halt = Some(halt);
        Err(Stop::ENOUGH)
    }

    /// Counts bytes that a value takes in the columns, but not in the input.
    fn charge(&mut self, bytes: usize) -> Flow {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.most_bytes { self.halt(Halt::Full) } else { Ok(()) }
    }

    /// Appends a message that is stored as a single value. The message may be an element of a list.
    #[inline(never)]
    fn special(&mut self, field: u32, message: &[u8]) -> Flow {
        let slot = &self.slots[field as usize];
        if slot.values.has(self.rows[slot.space as usize]) {
            // A message field that occurs again must be merged with the earlier message.
            return self.halt(Halt::Odd);
        }
        let made = match &slot.special {
            Special::Timestamp => time(message).and_then(|time| timestamp(time, self.unit)).map(One::Bits),
            Special::Duration => time(message).and_then(|time| duration(time, self.unit)).map(One::Bits),
            Special::Wrapper(ty) => wrapped(message, *ty),
            Special::Json(descriptor) => {
                let mut text = Vec::new();
                convert::wire_to_json(descriptor, message, &mut text).map(|()| One::Text(text.into()))
            }
            Special::Raw | Special::None => Ok(One::Text(message.into())),
        };
        match made {
            // The batcher then decodes the whole message, which reports the error.
            Err(_) if !self.is_plain => self.halt(Halt::Odd),
            // The path of this error begins inside the message, so only the text of the error is kept.
            Err(error) => Err(Stop::error(error.message())),
            Ok(value) => self.put(field, value),
        }
    }

    fn put(&mut self, field: u32, value: One<'_>) -> Flow {
        if let One::Text(Cow::Owned(text)) = &value {
            self.charge(text.len())?;
        }
        let slot = &mut self.slots[field as usize];
        let rows = self.rows[slot.space as usize];
        match (&mut slot.values, value) {
            (Values::Bit(column), One::Bits(bits)) => column.put(rows, bits != 0),
            (Values::Half(column), One::Bits(bits)) => column.put(rows, bits as u32),
            (Values::Word(column), One::Bits(bits)) => column.put(rows, bits),
            (Values::Text(column), One::Text(text)) => column.put(rows, &text),
            (Values::View(column), One::Text(text)) => column.put(rows, &text),
            _ => return self.halt(Halt::Odd),
        }
        Ok(())
    }
}

enum One<'a> {
    Bits(u64),
    Text(Cow<'a, [u8]>),
}

/// Appends a value to the slot of a field. If the field is a list, appends an element to the list first.
macro_rules! append {
    ($self:ident, $field:ident, |$rows:ident| { $($values:pat => $put:expr,)+ }) => {{
        let Some(slot) = $self.slots.get_mut($field as usize) else { return $self.halt(Halt::Odd) };
        if let Some(list) = &mut slot.list {
            list.open(&mut $self.rows, 1);
            $self.bytes += list.cost;
            if $self.bytes > $self.most_bytes {
                return $self.halt(Halt::Full);
            }
        }
        let Some(&$rows) = $self.rows.get(slot.space as usize) else { return $self.halt(Halt::Odd) };
        match &mut slot.values {
            $($values => $put,)+
            _ => return $self.halt(Halt::Odd),
        }
        Ok(())
    }};
}

/// Appends the elements of a packed list to the slot of a field.
macro_rules! append_all {
    ($self:ident, $field:ident, $kind:ident, $values:expr) => {{
        let Some(slot) = $self.slots.get_mut($field as usize) else { return $self.halt(Halt::Odd) };
        let (Some(list), Values::$kind(column)) = (&mut slot.list, &mut slot.values) else {
            return $self.halt(Halt::Odd);
        };
        let values = $values;
        list.open(&mut $self.rows, values.len());
        $self.bytes += list.cost * values.len();
        if $self.bytes > $self.most_bytes {
            return $self.halt(Halt::Full);
        }
        column.values.extend(values);
        Ok(())
    }};
}

impl<'a> Sink<'a> for Store {
    #[inline(always)]
    fn i64(&mut self, field: u32, value: i64) -> Flow {
        self.u64(field, value as u64)
    }

    #[inline(always)]
    fn u64(&mut self, field: u32, value: u64) -> Flow {
        append!(self, field, |rows| { Values::Word(column) => column.put(rows, value), })
    }

    #[inline(always)]
    fn f64(&mut self, field: u32, value: f64) -> Flow {
        self.u64(field, value.to_bits())
    }

    #[inline(always)]
    fn i32(&mut self, field: u32, value: i32) -> Flow {
        self.u32(field, value as u32)
    }

    #[inline(always)]
    fn u32(&mut self, field: u32, value: u32) -> Flow {
        append!(self, field, |rows| { Values::Half(column) => column.put(rows, value), })
    }

    #[inline(always)]
    fn f32(&mut self, field: u32, value: f32) -> Flow {
        self.u32(field, value.to_bits())
    }

    #[inline(always)]
    fn bool(&mut self, field: u32, value: bool) -> Flow {
        append!(self, field, |rows| { Values::Bit(column) => column.put(rows, value), })
    }

    #[inline(always)]
    fn enumeration(&mut self, field: u32, number: i32) -> Flow {
        self.u32(field, number as u32)
    }

    #[inline(always)]
    fn str(&mut self, field: u32, value: &'a str) -> Flow {
        append!(self, field, |rows| {
            Values::Text(column) => column.put(rows, value.as_bytes()),
            Values::View(column) => column.put(rows, value.as_bytes()),
        })
    }

    #[inline(always)]
    fn bytes(&mut self, field: u32, value: &'a [u8]) -> Flow {
        if self.slots.get(field as usize).is_some_and(|slot| slot.is_text) {
            return Err(not_utf8());
        }
        append!(self, field, |rows| {
            Values::Text(column) => column.put(rows, value),
            Values::View(column) => column.put(rows, value),
        })
    }

    #[inline]
    fn i64s(&mut self, field: u32, values: &[i64]) -> Flow {
        append_all!(self, field, Word, values.iter().map(|value| *value as u64))
    }

    #[inline]
    fn u64s(&mut self, field: u32, values: &[u64]) -> Flow {
        append_all!(self, field, Word, values.iter().copied())
    }

    #[inline]
    fn f64s(&mut self, field: u32, values: &[f64]) -> Flow {
        append_all!(self, field, Word, values.iter().map(|value| value.to_bits()))
    }

    #[inline]
    fn i32s(&mut self, field: u32, values: &[i32]) -> Flow {
        append_all!(self, field, Half, values.iter().map(|value| *value as u32))
    }

    #[inline]
    fn u32s(&mut self, field: u32, values: &[u32]) -> Flow {
        append_all!(self, field, Half, values.iter().copied())
    }

    #[inline]
    fn f32s(&mut self, field: u32, values: &[f32]) -> Flow {
        append_all!(self, field, Half, values.iter().map(|value| value.to_bits()))
    }

    #[inline]
    fn bools(&mut self, field: u32, values: &[bool]) -> Flow {
        append_all!(self, field, Bit, values.iter().copied())
    }

    #[inline]
    fn enumerations(&mut self, field: u32, numbers: &[i32]) -> Flow {
        self.i32s(field, numbers)
    }

    #[inline(always)]
    fn begin(&mut self, field: u32, message: &'a [u8]) -> Flow {
        let Some(slot) = self.slots.get_mut(field as usize) else { return self.halt(Halt::Odd) };
        if let Some(list) = &mut slot.list {
            list.open(&mut self.rows, 1);
            self.bytes += list.cost;
            if self.bytes > self.most_bytes {
                return self.halt(Halt::Full);
            }
        }
        match &mut slot.values {
            Values::Inside => Ok(()),
            Values::Struct(presence) => {
                presence.set(self.rows[slot.space as usize]);
                Ok(())
            }
            _ => self.special(field, message),
        }
    }

    #[cold]
    fn clear(&mut self, _: u32) -> Flow {
        self.halt(Halt::Odd)
    }
}

#[cold]
fn not_utf8() -> Stop {
    Stop::error("the string is not UTF-8, as a column of texts must be")
}

/// Decodes the seconds and nanoseconds of a timestamp or duration.
///
/// # Errors
/// The bytes are malformed.
fn time(message: &[u8]) -> tobu::Result<(i64, i32)> {
    let (mut seconds, mut nanos) = (0, 0);
    each_field(message, |tag, reader| {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Varint) => seconds = reader.varint()? as i64,
            (2, WireType::Varint) => nanos = reader.varint()? as i32,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok((seconds, nanos))
}

/// Calls `field` for each field of a message, and skips the fields for which `field` returns false.
fn each_field<'m>(
    message: &'m [u8],
    mut field: impl FnMut(Tag, &mut Reader<'m>) -> tobu::Result<bool>,
) -> tobu::Result<()> {
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        if !field(tag, &mut reader)? {
            reader.skip(tag, 100)?;
        }
    }
    Ok(())
}

/// The seconds from the year 1 to the year 9999.
const TIMESTAMPS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// The seconds of a duration, up to about 10,000 years.
const DURATIONS: std::ops::RangeInclusive<i64> = -315_576_000_000..=315_576_000_000;

fn timestamp((seconds, nanos): (i64, i32), unit: TimeUnit) -> tobu::Result<u64> {
    if !TIMESTAMPS.contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
        return Err(Error::ty(format!("{seconds} seconds and {nanos} nanoseconds are not a timestamp")));
    }
    in_unit(seconds, nanos, unit)
}

fn duration((seconds, nanos): (i64, i32), unit: TimeUnit) -> tobu::Result<u64> {
    let is_one_sign = seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0);
    if !DURATIONS.contains(&seconds) || !(-999_999_999..1_000_000_000).contains(&nanos) || !is_one_sign {
        return Err(Error::ty(format!("{seconds} seconds and {nanos} nanoseconds are not a duration")));
    }
    in_unit(seconds, nanos, unit)
}

fn in_unit(seconds: i64, nanos: i32, unit: TimeUnit) -> tobu::Result<u64> {
    let (per_second, name) = match unit {
        TimeUnit::Second => (1, "seconds"),
        TimeUnit::Millisecond => (1_000, "milliseconds"),
        TimeUnit::Microsecond => (1_000_000, "microseconds"),
        TimeUnit::Nanosecond => (1_000_000_000, "nanoseconds"),
    };
    let value = i128::from(seconds) * per_second + i128::from(nanos).div_euclid(1_000_000_000 / per_second);
    match i64::try_from(value) {
        Ok(value) => Ok(value as u64),
        Err(_) => Err(Error::ty(format!("64 bits do not hold {value} {name}"))),
    }
}

/// Decodes the value of a wrapper message. `ty` is the type of the value.
fn wrapped(message: &[u8], ty: Type) -> tobu::Result<One<'_>> {
    if matches!(ty, Type::String | Type::Bytes) {
        let mut text: &[u8] = &[];
        each_field(message, |tag, reader| {
            let is_it = (tag.number(), tag.wire_type()) == (1, WireType::Len);
            if is_it && ty == Type::String {
                text = reader.string()?.as_bytes();
            } else if is_it {
                text = reader.len_prefixed()?;
            }
            Ok(is_it)
        })?;
        return Ok(One::Text(text.into()));
    }
    let mut bits = 0;
    let wanted = match ty {
        Type::Double => WireType::Fixed64,
        Type::Float => WireType::Fixed32,
        _ => WireType::Varint,
    };
    each_field(message, |tag, reader| {
        if (tag.number(), tag.wire_type()) != (1, wanted) {
            return Ok(false);
        }
        bits = match wanted {
            WireType::Fixed64 => reader.fixed64()?,
            WireType::Fixed32 => reader.fixed32()?.into(),
            _ => reader.varint()?,
        };
        Ok(true)
    })?;
    Ok(One::Bits(bits))
}
