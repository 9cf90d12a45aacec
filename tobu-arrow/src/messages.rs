//! Encodes batches as messages.

use crate::columns::well_known;
use crate::slot::Special;
use crate::wanted::step;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch, UnionArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, FieldRef, Schema, TimeUnit};
use bytes::Bytes;
use tobu::descriptor::Type;
use tobu::wire::{Tag, WireType, Writer, zigzag32, zigzag64};
use tobu::{Error, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor, Pool, Result, convert};

/// Encodes the rows of batches as messages. This is the inverse of a [`Batcher`](crate::Batcher).
///
/// A column belongs to the field whose name or JSON name it has. A column named `[full.name]` belongs to that extension. A
/// column that is a union belongs to the oneof with its name. A column may have any of the types that
/// [`Options`](crate::Options) can select for its field. Strings and byte strings may also be `LargeUtf8` and `LargeBinary`,
/// and a list may be `LargeList`. A field is absent in a row if its column is null there, or if the batch has no column for it.
/// Elements of lists cannot be null.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
/// use tobu_arrow::{Batcher, Columns, Messages};
///
/// let columns = Columns::new(&Book::descriptor())?;
/// let mut batcher = Batcher::new(&columns);
/// batcher.push(b"\x0a\x04Dune\x18\x9c\x03")?;
/// let batch = batcher.finish()?.unwrap();
///
/// let messages = Messages::new(&Book::descriptor());
/// assert_eq!(messages.encode(&batch)?, [&b"\x0a\x04Dune\x18\x9c\x03"[..]]);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Messages {
    descriptor: MessageDescriptor,
    pool: Pool,
}

impl Messages {
    /// Creates an encoder for messages of a type. Extensions come from the [global pool](Pool::global).
    pub fn new(descriptor: &MessageDescriptor) -> Self {
        Self::with_pool(descriptor, &Pool::global())
    }

    /// Creates an encoder for messages of a type. Extensions come from `pool`.
    pub fn with_pool(descriptor: &MessageDescriptor, pool: &Pool) -> Self {
        Messages { descriptor: descriptor.clone(), pool: pool.clone() }
    }

    /// Returns the message type.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Encodes each row of a batch as a message.
    ///
    /// # Errors
    /// No field belongs to a column, the type of a column does not fit its field, or a value is not valid for its field. A row
    /// has two fields of a oneof. A required field has no column, or its column is null in a row. The error names the field
    /// and, if it was found while a row was written, the index of the row.
    pub fn encode(&self, batch: &RecordBatch) -> Result<Vec<Bytes>> {
        let mut messages = Vec::with_capacity(batch.num_rows());
        self.each(batch, |bytes| messages.push(Bytes::copy_from_slice(bytes)))?;
        Ok(messages)
    }

    /// Appends the encoded message of each row, with its length before it, as [`MessageReader`](tobu::MessageReader) reads it.
    ///
    /// # Errors
    /// Fails if [`encode`](Self::encode) would fail.
    pub fn encode_delimited(&self, batch: &RecordBatch, out: &mut Vec<u8>) -> Result<()> {
        self.each(batch, |bytes| {
            let mut length = bytes.len();
            while length >= 0x80 {
                out.push(length as u8 | 0x80);
                length >>= 7;
            }
            out.push(length as u8);
            out.extend_from_slice(bytes);
        })
    }

    fn each(&self, batch: &RecordBatch, mut message: impl FnMut(&[u8])) -> Result<()> {
        let named = |error: Error| error.in_message(self.descriptor.full_name());
        let schema: &Schema = batch.schema_ref();
        let bind = Bind { pool: &self.pool };
        let members =
            bind.members(&self.descriptor, schema.fields().iter().zip(batch.columns())).map_err(named)?;
        let mut writer = Writer::new();
        for row in 0..batch.num_rows() {
            writer.restart(Vec::new());
            write_members(&mut writer, &members, row).map_err(|error| named(error.in_index(row)))?;
            let written = writer.take().map_err(|error| named(error.in_index(row)))?;
            message(&written);
        }
        Ok(())
    }
}

/// A column, and the field to which it belongs.
struct Member<'b> {
    field: FieldDescriptor,
    number: u32,
    nulls: Option<&'b NullBuffer>,
    /// The union, if the column is one of its members.
    union: Option<InUnion<'b>>,
    shape: Shape<'b>,
}

struct InUnion<'b> {
    /// For each row, the type id of the member that is set.
    types: &'b [i8],
    id: i8,
    /// In a dense union, the index of each row's value in the column.
    offsets: Option<&'b [i32]>,
}

enum Shape<'b> {
    One(Values<'b>),
    List(Offsets<'b>, Values<'b>),
    Map(Offsets<'b>, Box<[Member<'b>; 2]>),
}

#[derive(Clone, Copy)]
enum Offsets<'b> {
    Small(&'b [i32]),
    Large(&'b [i64]),
}

impl Offsets<'_> {
    fn range(self, row: usize) -> std::ops::Range<usize> {
        match self {
            Offsets::Small(all) => all[row] as usize..all[row + 1] as usize,
            Offsets::Large(all) => all[row] as usize..all[row + 1] as usize,
        }
    }
}

enum Values<'b> {
    Bool(&'b arrow_array::BooleanArray),
    I32(&'b [i32]),
    I64(&'b [i64]),
    U32(&'b [u32]),
    U64(&'b [u64]),
    F32(&'b [f32]),
    F64(&'b [f64]),
    /// The numbers of enum values.
    Numbers(Vec<i32>),
    Text(Texts<'b>),
    /// The second value is the number of units per second. It is negative if the column has durations.
    Time(&'b [i64], i64),
    Wrapper(Box<Values<'b>>, Type),
    Json(Texts<'b>, MessageDescriptor),
    Raw(Texts<'b>),
    Message(Vec<Member<'b>>),
}

enum Texts<'b> {
    Utf8(&'b arrow_array::StringArray),
    LargeUtf8(&'b arrow_array::LargeStringArray),
    Utf8View(&'b arrow_array::StringViewArray),
    Binary(&'b arrow_array::BinaryArray),
    LargeBinary(&'b arrow_array::LargeBinaryArray),
    BinaryView(&'b arrow_array::BinaryViewArray),
    Dictionary(&'b [i32], Box<Texts<'b>>),
}

impl Texts<'_> {
    fn get(&self, row: usize) -> &[u8] {
        match self {
            Texts::Utf8(texts) => texts.value(row).as_bytes(),
            Texts::LargeUtf8(texts) => texts.value(row).as_bytes(),
            Texts::Utf8View(texts) => texts.value(row).as_bytes(),
            Texts::Binary(texts) => texts.value(row),
            Texts::LargeBinary(texts) => texts.value(row),
            Texts::BinaryView(texts) => texts.value(row),
            Texts::Dictionary(keys, texts) => texts.get(keys[row] as usize),
        }
    }
}

struct Bind<'p> {
    pool: &'p Pool,
}

impl Bind<'_> {
    /// Finds the field of each column of a message, and sorts the columns by field number.
    ///
    /// # Errors
    /// A column belongs to no field, or has a type that does not fit its field. A required field has no column.
    fn members<'b>(
        &self,
        message: &MessageDescriptor,
        columns: impl Iterator<Item = (&'b FieldRef, &'b ArrayRef)>,
    ) -> Result<Vec<Member<'b>>> {
        let mut members = Vec::new();
        for (column, array) in columns {
            let name = column.name();
            if let DataType::Union(..) = column.data_type() {
                let Some(oneof) = message.oneofs().find(|oneof| oneof.name() == name) else {
                    return Err(Error::schema(format!("{} has no oneof {name:?}", message.full_name())));
                };
                self.union(&oneof, array.as_union(), &mut members)?;
                continue;
            }
            let extension = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let found = match extension {
                Some(name) => self
                    .pool
                    .extension(name)
                    .filter(|found| found.extendee() == *message)
                    .map(|found| found.field().clone()),
                None => message.field_by_name(name).or_else(|| message.field_by_json_name(name)),
            };
            let Some(field) = found else {
                return Err(Error::schema(format!("{} has no field {name:?}", message.full_name())));
            };
            members.push(self.member(field, array)?);
        }
        members.sort_by_key(|member| member.number);
        let is_missing = |field: &FieldDescriptor| {
            field.is_required()
                && members.binary_search_by_key(&field.number(), |member| member.number).is_err()
        };
        match message.fields().find(is_missing) {
            Some(field) => Err(Error::schema("the required field has no column").in_field(field.name())),
            None => Ok(members),
        }
    }

    fn union<'b>(
        &self,
        oneof: &OneofDescriptor,
        union: &'b UnionArray,
        members: &mut Vec<Member<'b>>,
    ) -> Result<()> {
        for (id, child) in union.fields().iter() {
            if *child.data_type() == DataType::Null {
                continue;
            }
            let Some(field) = oneof.fields().find(|field| step(field) == *child.name()) else {
                return Err(Error::schema(format!("{} has no member {:?}", oneof.full_name(), child.name())));
            };
            let mut member = self.member(field, union.child(id))?;
            member.union = Some(InUnion {
                types: union.type_ids(),
                id,
                offsets: union.offsets().map(|offsets| &**offsets),
            });
            members.push(member);
        }
        Ok(())
    }

    fn member<'b>(&self, field: FieldDescriptor, array: &'b ArrayRef) -> Result<Member<'b>> {
        let name = field.name().to_owned();
        self.shape(&field, array).map_err(|error| error.in_field(&name)).map(|shape| Member {
            number: field.number(),
            field,
            nulls: array.nulls(),
            union: None,
            shape,
        })
    }

    fn shape<'b>(&self, field: &FieldDescriptor, array: &'b ArrayRef) -> Result<Shape<'b>> {
        if let (Some(key), Some(value)) = (field.map_key(), field.map_value()) {
            let Some(map) = array.as_map_opt() else { return Err(mismatch(field, array)) };
            let entry = [self.member(key, map.keys())?, self.member(value, map.values())?];
            return Ok(Shape::Map(Offsets::Small(map.value_offsets()), Box::new(entry)));
        }
        if !field.is_list() {
            return Ok(Shape::One(self.values(field, array)?));
        }
        let (offsets, items) = match (array.as_list_opt::<i32>(), array.as_list_opt::<i64>()) {
            (Some(list), _) => (Offsets::Small(list.value_offsets()), list.values()),
            (_, Some(list)) => (Offsets::Large(list.value_offsets()), list.values()),
            _ => return Err(mismatch(field, array)),
        };
        if items.logical_null_count() > 0 {
            return Err(Error::ty("a list of protobuf has no nulls"));
        }
        Ok(Shape::List(offsets, self.values(field, items)?))
    }

    fn values<'b>(&self, field: &FieldDescriptor, array: &'b ArrayRef) -> Result<Values<'b>> {
        let kind = field.kind();
        let Kind::Message(message) = &kind else {
            return match &kind {
                Kind::Enum(_) => numbers(field, array).map(Values::Numbers),
                _ => scalar(field.ty(), array).ok_or_else(|| mismatch(field, array)),
            };
        };
        match well_known(message) {
            Some(Special::Timestamp | Special::Duration) => {
                if let Some(time) = time(array) {
                    return Ok(time);
                }
            }
            Some(Special::Wrapper(ty)) => {
                if let Some(values) = scalar(ty, array) {
                    return Ok(Values::Wrapper(Box::new(values), ty));
                }
            }
            Some(Special::Json(message)) => {
                if let Some(texts) = texts(array).filter(|texts| texts.is_text()) {
                    return Ok(Values::Json(texts, message));
                }
            }
            _ => {}
        }
        if let Some(texts) = texts(array).filter(|texts| !texts.is_text()) {
            return Ok(Values::Raw(texts));
        }
        let Some(members) = array.as_struct_opt() else { return Err(mismatch(field, array)) };
        let columns = members.fields().iter().zip(members.columns());
        self.members(message, columns).map(Values::Message)
    }
}

impl Texts<'_> {
    fn is_text(&self) -> bool {
        match self {
            Texts::Dictionary(_, texts) => texts.is_text(),
            _ => matches!(self, Texts::Utf8(_) | Texts::LargeUtf8(_) | Texts::Utf8View(_)),
        }
    }
}

#[cold]
fn mismatch(field: &FieldDescriptor, array: &ArrayRef) -> Error {
    let shape = match field.is_list() {
        true => "a list of ",
        false => "",
    };
    let kind = match field.kind() {
        _ if field.is_map() => "a map".to_owned(),
        Kind::Message(message) => message.full_name().to_owned(),
        Kind::Enum(ty) => ty.full_name().to_owned(),
        _ => field.ty().name().to_owned(),
    };
    Error::ty(format!("the field is {shape}{kind}, but the column is {}", array.data_type()))
}

fn texts(array: &ArrayRef) -> Option<Texts<'_>> {
    Some(match array.data_type() {
        DataType::Utf8 => Texts::Utf8(array.as_string()),
        DataType::LargeUtf8 => Texts::LargeUtf8(array.as_string()),
        DataType::Utf8View => Texts::Utf8View(array.as_string_view()),
        DataType::Binary => Texts::Binary(array.as_binary()),
        DataType::LargeBinary => Texts::LargeBinary(array.as_binary()),
        DataType::BinaryView => Texts::BinaryView(array.as_binary_view()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary_opt::<Int32Type>()?;
            Texts::Dictionary(dictionary.keys().values(), Box::new(texts(dictionary.values())?))
        }
        _ => return None,
    })
}

fn scalar(ty: Type, array: &ArrayRef) -> Option<Values<'_>> {
    Some(match (ty, array.data_type()) {
        (Type::Bool, DataType::Boolean) => Values::Bool(array.as_boolean()),
        (Type::Int32 | Type::SInt32 | Type::SFixed32, DataType::Int32) => {
            Values::I32(array.as_primitive::<Int32Type>().values())
        }
        (Type::Int64 | Type::SInt64 | Type::SFixed64, DataType::Int64) => {
            Values::I64(array.as_primitive::<Int64Type>().values())
        }
        (Type::UInt32 | Type::Fixed32, DataType::UInt32) => {
            Values::U32(array.as_primitive::<UInt32Type>().values())
        }
        (Type::UInt64 | Type::Fixed64, DataType::UInt64) => {
            Values::U64(array.as_primitive::<UInt64Type>().values())
        }
        (Type::Float, DataType::Float32) => Values::F32(array.as_primitive::<Float32Type>().values()),
        (Type::Double, DataType::Float64) => Values::F64(array.as_primitive::<Float64Type>().values()),
        (Type::String, _) => Values::Text(texts(array).filter(Texts::is_text)?),
        (Type::Bytes, _) => Values::Text(texts(array)?),
        _ => return None,
    })
}

/// Returns the number of the enum value in each row.
fn numbers(field: &FieldDescriptor, array: &ArrayRef) -> Result<Vec<i32>> {
    let Some(ty) = field.enum_type() else { return Err(mismatch(field, array)) };
    let number = |name: &str| {
        let open = || name.parse().ok().filter(|_| !ty.is_closed());
        let found = ty.value_by_name(name).map(|value| value.number()).or_else(open);
        found.ok_or_else(|| Error::ty(format!("the enum {} has no value {name:?}", ty.full_name())))
    };
    let named = |texts: &Texts<'_>, row: usize| number(&String::from_utf8_lossy(texts.get(row)));
    if let Some(numbers) = array.as_primitive_opt::<Int32Type>() {
        for (row, value) in numbers.values().iter().enumerate() {
            if ty.is_closed() && numbers.is_valid(row) && ty.value_by_number(*value).is_none() {
                return Err(Error::ty(format!("the enum {} has no value {value}", ty.full_name())));
            }
        }
        return Ok(numbers.values().to_vec());
    }
    let (values, keys) = match array.as_dictionary_opt::<Int32Type>() {
        Some(dictionary) => (dictionary.values(), Some(dictionary.keys())),
        None => (array, None),
    };
    let Some(texts) = texts(values).filter(Texts::is_text) else { return Err(mismatch(field, array)) };
    let Some(keys) = keys else {
        return (0..array.len())
            .map(|row| if array.is_null(row) { Ok(0) } else { named(&texts, row) })
            .collect();
    };
    let mut known = vec![None; values.len()];
    let number_of = |(row, key): (usize, &i32)| {
        if keys.is_null(row) {
            return Ok(0);
        }
        let key = *key as usize;
        match known[key] {
            Some(number) => Ok(number),
            None => named(&texts, key).inspect(|number| known[key] = Some(*number)),
        }
    };
    keys.values().iter().enumerate().map(number_of).collect()
}

fn time(array: &ArrayRef) -> Option<Values<'_>> {
    let unit = match array.data_type() {
        DataType::Timestamp(unit, _) | DataType::Duration(unit) => *unit,
        _ => return None,
    };
    let is_duration = matches!(array.data_type(), DataType::Duration(_));
    let (values, per_second): (&[i64], i64) = match (unit, is_duration) {
        (TimeUnit::Second, false) => (array.as_primitive::<TimestampSecondType>().values(), 1),
        (TimeUnit::Millisecond, false) => (array.as_primitive::<TimestampMillisecondType>().values(), 1_000),
        (TimeUnit::Microsecond, false) => {
            (array.as_primitive::<TimestampMicrosecondType>().values(), 1_000_000)
        }
        (TimeUnit::Nanosecond, false) => {
            (array.as_primitive::<TimestampNanosecondType>().values(), 1_000_000_000)
        }
        (TimeUnit::Second, true) => (array.as_primitive::<DurationSecondType>().values(), 1),
        (TimeUnit::Millisecond, true) => (array.as_primitive::<DurationMillisecondType>().values(), 1_000),
        (TimeUnit::Microsecond, true) => {
            (array.as_primitive::<DurationMicrosecondType>().values(), 1_000_000)
        }
        (TimeUnit::Nanosecond, true) => {
            (array.as_primitive::<DurationNanosecondType>().values(), 1_000_000_000)
        }
    };
    // The nanoseconds of a timestamp are not negative, while the seconds and the nanoseconds of a duration have the same sign.
    Some(Values::Time(values, if is_duration { -per_second } else { per_second }))
}

/// Encodes the fields of a row.
fn write_members(writer: &mut Writer, members: &[Member<'_>], row: usize) -> Result<()> {
    let mut oneofs: Vec<u32> = Vec::new();
    for member in members {
        let mut at = row;
        let is_there = match &member.union {
            Some(union) => {
                at = union.offsets.map_or(row, |offsets| offsets[row] as usize);
                union.types[row] == union.id
            }
            None => member.nulls.is_none_or(|nulls| nulls.is_valid(row)),
        };
        if !is_there {
            if member.field.is_required() {
                return Err(Error::required(member.field.name()));
            }
            continue;
        }
        if let Some(oneof) = member.field.oneof() {
            if oneofs.contains(&(oneof.index() as u32)) {
                let error = Error::ty(format!("the oneof {} has a value already", oneof.name()));
                return Err(error.in_field(member.field.name()));
            }
            oneofs.push(oneof.index() as u32);
        }
        write_member(writer, member, at).map_err(|error| error.in_field(member.field.name()))?;
    }
    Ok(())
}

fn write_member(writer: &mut Writer, member: &Member<'_>, row: usize) -> Result<()> {
    let field = &member.field;
    match &member.shape {
        Shape::One(values) => {
            // The key and the value of a map entry are always written.
            let is_implicit = !field.has_presence() && !field.message().is_map_entry();
            if !(is_implicit && is_default(values, row)) {
                write_field(writer, field, member.number, values, row)?;
            }
        }
        Shape::List(offsets, values) => {
            let range = offsets.range(row);
            if field.is_packed() && !range.is_empty() {
                let open = writer.open(Tag::new(member.number, WireType::Len));
                for at in range {
                    write_value(writer, field.ty(), values, at)?;
                }
                writer.close(open);
            } else {
                for (index, at) in range.enumerate() {
                    write_field(writer, field, member.number, values, at)
                        .map_err(|error| error.in_index(index))?;
                }
            }
        }
        Shape::Map(offsets, entry) => {
            for at in offsets.range(row) {
                let open = writer.open(Tag::new(member.number, WireType::Len));
                write_members(writer, &entry[..], at)?;
                writer.close(open);
            }
        }
    }
    Ok(())
}

fn is_default(values: &Values<'_>, row: usize) -> bool {
    match values {
        Values::Bool(all) => !all.value(row),
        Values::I32(all) => all[row] == 0,
        Values::I64(all) => all[row] == 0,
        Values::U32(all) => all[row] == 0,
        Values::U64(all) => all[row] == 0,
        Values::F32(all) => all[row].to_bits() == 0,
        Values::F64(all) => all[row].to_bits() == 0,
        Values::Numbers(all) => all[row] == 0,
        Values::Text(all) => all.get(row).is_empty(),
        _ => false,
    }
}

/// Writes the tag and the value of a field.
fn write_field(
    writer: &mut Writer,
    field: &FieldDescriptor,
    number: u32,
    values: &Values<'_>,
    row: usize,
) -> Result<()> {
    if !field.is_delimited() {
        writer.tag(Tag::new(number, wire_type(field.ty())));
        return write_value(writer, field.ty(), values, row);
    }
    writer.tag(Tag::new(number, WireType::StartGroup));
    write_message(writer, values, row)?;
    writer.tag(Tag::new(number, WireType::EndGroup));
    Ok(())
}

fn wire_type(ty: Type) -> WireType {
    match ty {
        Type::Double | Type::Fixed64 | Type::SFixed64 => WireType::Fixed64,
        Type::Float | Type::Fixed32 | Type::SFixed32 => WireType::Fixed32,
        Type::String | Type::Bytes | Type::Message => WireType::Len,
        _ => WireType::Varint,
    }
}

fn write_value(writer: &mut Writer, ty: Type, values: &Values<'_>, row: usize) -> Result<()> {
    match (values, ty) {
        (Values::Bool(all), _) => writer.varint(all.value(row).into()),
        (Values::I32(all), Type::SInt32) => writer.varint(zigzag32(all[row]).into()),
        (Values::I32(all), Type::SFixed32) => writer.fixed32(all[row] as u32),
        (Values::I32(all), _) => writer.varint(i64::from(all[row]) as u64),
        (Values::I64(all), Type::SInt64) => writer.varint(zigzag64(all[row])),
        (Values::I64(all), Type::SFixed64) => writer.fixed64(all[row] as u64),
        (Values::I64(all), _) => writer.varint(all[row] as u64),
        (Values::U32(all), Type::Fixed32) => writer.fixed32(all[row]),
        (Values::U32(all), _) => writer.varint(all[row].into()),
        (Values::U64(all), Type::Fixed64) => writer.fixed64(all[row]),
        (Values::U64(all), _) => writer.varint(all[row]),
        (Values::F32(all), _) => writer.fixed32(all[row].to_bits()),
        (Values::F64(all), _) => writer.fixed64(all[row].to_bits()),
        (Values::Numbers(all), _) => writer.varint(i64::from(all[row]) as u64),
        (Values::Text(all), _) => writer.len_prefixed(all.get(row)),
        _ => {
            let open = writer.open_len();
            write_message(writer, values, row)?;
            writer.close(open);
        }
    }
    Ok(())
}

/// Writes the fields of a message, without a tag and a length.
fn write_message(writer: &mut Writer, values: &Values<'_>, row: usize) -> Result<()> {
    match values {
        Values::Message(members) => write_members(writer, members, row)?,
        Values::Raw(all) => writer.raw(all.get(row)),
        Values::Json(all, message) => {
            let mut bytes = Vec::new();
            // The position in this error is a position in the JSON text, so it becomes a part of the error's text.
            convert::json_to_wire(message, all.get(row), &mut bytes)
                .map_err(|error| Error::ty(error.to_string()))?;
            writer.raw(&bytes);
        }
        Values::Time(all, per_second) => {
            let (value, parts) = (all[row], per_second.abs());
            let (seconds, rest) = match *per_second < 0 {
                true => (value / parts, value % parts),
                false => (value.div_euclid(parts), value.rem_euclid(parts)),
            };
            for (number, part) in [(1, seconds), (2, rest * (1_000_000_000 / parts))] {
                if part != 0 {
                    writer.tag(Tag::new(number, WireType::Varint));
                    writer.varint(part as u64);
                }
            }
        }
        Values::Wrapper(values, ty) if !is_default(values, row) => {
            writer.tag(Tag::new(1, wire_type(*ty)));
            write_value(writer, *ty, values, row)?;
        }
        _ => {}
    }
    Ok(())
}
