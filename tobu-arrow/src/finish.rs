//! Makes Arrow arrays from the stored values.

use crate::columns::{Inner, Names, Node, Shape};
use crate::sink::Store;
use crate::slot::{Fixed, Values};
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Int32Array, ListArray, MapArray, NullArray, RecordBatch,
    RecordBatchOptions, StringArray, StructArray, UnionArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Fields, TimeUnit};
use std::collections::HashMap;
use std::sync::Arc;

/// Makes a batch of all rows, and empties the store.
///
/// # Errors
/// A value is not valid for the type of its column. For example, a string is not valid UTF-8, which is possible if the schema
/// does not require UTF-8.
pub(crate) fn batch(columns: &Inner, store: &mut Store) -> Result<RecordBatch, ArrowError> {
    let mut finish = Finish { columns, store };
    let arrays = finish.arrays(&columns.nodes);
    let options = RecordBatchOptions::new().with_row_count(Some(store.rows[0]));
    store.rows.fill(0);
    store.bytes = 0;
    RecordBatch::try_new_with_options(columns.schema.clone(), arrays?, &options)
}

struct Finish<'s> {
    columns: &'s Inner,
    store: &'s mut Store,
}

impl Finish<'_> {
    fn arrays(&mut self, nodes: &[Node]) -> Result<Vec<ArrayRef>, ArrowError> {
        nodes.iter().map(|node| self.array(node)).collect()
    }

    fn array(&mut self, node: &Node) -> Result<ArrayRef, ArrowError> {
        let rows = self.store.rows[node.space];
        Ok(match &node.shape {
            Shape::Leaf(slot) => leaf(&mut self.store.slots[*slot].values, node.field.data_type(), rows)?,
            Shape::Enum(slot, names) => {
                let Values::Half(numbers) = &mut self.store.slots[*slot].values else { return Err(other()) };
                enumeration(numbers, &self.columns.enums[*names], node.field.data_type(), rows)?
            }
            Shape::Struct(slot, members) => {
                let nulls = match slot.map(|slot| &mut self.store.slots[slot].values) {
                    Some(Values::Struct(presence)) => presence.take(rows),
                    _ => None,
                };
                let arrays = self.arrays(members)?;
                let fields = members.iter().map(|node| node.field.clone()).collect();
                structs(fields, arrays, nulls, rows)?
            }
            Shape::List(slot, item) => {
                let offsets = self.offsets(*slot)?;
                let items = self.array(item)?;
                Arc::new(ListArray::try_new(item.field.clone(), offsets, items, None)?)
            }
            Shape::Map(slot, entry) => {
                let offsets = self.offsets(*slot)?;
                let entries = self.store.rows[entry[0].space];
                let arrays = self.arrays(&entry[..])?;
                let DataType::Map(field, _) = node.field.data_type() else { return Err(other()) };
                let fields = entry.iter().map(|node| node.field.clone()).collect();
                let entries = StructArray::try_new_with_length(fields, arrays, None, entries)?;
                Arc::new(MapArray::try_new(field.clone(), offsets, entries, None, false)?)
            }
            Shape::Union(members) => {
                let mut arrays = self.arrays(members)?;
                let DataType::Union(fields, _) = node.field.data_type() else { return Err(other()) };
                let mut types = vec![0; rows];
                for (array, (id, _)) in arrays.iter().zip(fields.iter().skip(1)) {
                    for (row, ty) in types.iter_mut().enumerate() {
                        if array.is_valid(row) {
                            *ty = id;
                        }
                    }
                }
                arrays.insert(0, Arc::new(NullArray::new(rows)));
                Arc::new(UnionArray::try_new(fields.clone(), types.into(), None, arrays)?)
            }
        })
    }

    fn offsets(&mut self, slot: usize) -> Result<arrow_buffer::OffsetBuffer<i32>, ArrowError> {
        let list = self.store.slots[slot].list.as_mut().ok_or_else(other)?;
        Ok(list.take(&self.store.rows))
    }
}

fn structs(
    fields: Fields,
    arrays: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
    rows: usize,
) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, rows)?))
}

#[cold]
fn other() -> ArrowError {
    ArrowError::SchemaError("a column is not of the type of its values".to_owned())
}

fn leaf(values: &mut Values, ty: &DataType, rows: usize) -> Result<ArrayRef, ArrowError> {
    Ok(match (values, ty) {
        (Values::Bit(column), DataType::Boolean) => Arc::new(column.array(rows)),
        (Values::Half(column), DataType::Int32) => Arc::new(column.array::<Int32Type>(rows)),
        (Values::Half(column), DataType::UInt32) => Arc::new(column.array::<UInt32Type>(rows)),
        (Values::Half(column), DataType::Float32) => Arc::new(column.array::<Float32Type>(rows)),
        (Values::Word(column), DataType::Int64) => Arc::new(column.array::<Int64Type>(rows)),
        (Values::Word(column), DataType::UInt64) => Arc::new(column.array::<UInt64Type>(rows)),
        (Values::Word(column), DataType::Float64) => Arc::new(column.array::<Float64Type>(rows)),
        (Values::Word(column), DataType::Timestamp(unit, _)) => match unit {
            TimeUnit::Second => utc(column.array::<TimestampSecondType>(rows)),
            TimeUnit::Millisecond => utc(column.array::<TimestampMillisecondType>(rows)),
            TimeUnit::Microsecond => utc(column.array::<TimestampMicrosecondType>(rows)),
            TimeUnit::Nanosecond => utc(column.array::<TimestampNanosecondType>(rows)),
        },
        (Values::Word(column), DataType::Duration(unit)) => match unit {
            TimeUnit::Second => Arc::new(column.array::<DurationSecondType>(rows)),
            TimeUnit::Millisecond => Arc::new(column.array::<DurationMillisecondType>(rows)),
            TimeUnit::Microsecond => Arc::new(column.array::<DurationMicrosecondType>(rows)),
            TimeUnit::Nanosecond => Arc::new(column.array::<DurationNanosecondType>(rows)),
        },
        (Values::Text(column), DataType::Utf8) => {
            let (offsets, bytes, nulls) = column.take(rows);
            Arc::new(StringArray::try_new(offsets, bytes, nulls)?)
        }
        (Values::Text(column), DataType::Binary) => {
            let (offsets, bytes, nulls) = column.take(rows);
            Arc::new(BinaryArray::try_new(offsets, bytes, nulls)?)
        }
        (Values::View(column), DataType::Utf8View) => Arc::new(column.array::<StringViewType>(rows)?),
        (Values::View(column), DataType::BinaryView) => Arc::new(column.array::<BinaryViewType>(rows)?),
        _ => return Err(other()),
    })
}

fn utc<T: ArrowTimestampType>(times: arrow_array::PrimitiveArray<T>) -> ArrayRef {
    Arc::new(times.with_timezone("UTC"))
}

/// Makes an array of enum names from the numbers of an enum column. The array has strings, or it is a dictionary.
fn enumeration(
    numbers: &mut Fixed<u32>,
    names: &Names,
    ty: &DataType,
    rows: usize,
) -> Result<ArrayRef, ArrowError> {
    let (mut keys, nulls) = numbers.take(rows);
    // A number without a name is shown as decimal digits. In the dictionary, such texts come after the names.
    let (mut more, mut texts) = (HashMap::new(), Vec::new());
    for key in &mut keys {
        let number = *key as i32;
        let index = names.index_of(number).unwrap_or_else(|| {
            *more.entry(number).or_insert_with(|| {
                texts.push(number.to_string());
                (names.names.len() + texts.len() - 1) as i32
            })
        });
        *key = index as u32;
    }
    let name = |index: u32| match names.names.get(index as usize) {
        Some(name) => name.as_str(),
        None => texts[index as usize - names.names.len()].as_str(),
    };
    if *ty == DataType::Utf8 {
        let texts = keys.iter().enumerate().map(|(row, key)| match &nulls {
            Some(nulls) if nulls.is_null(row) => None,
            _ => Some(name(*key)),
        });
        return Ok(Arc::new(StringArray::from_iter(texts)));
    }
    let all = (0..(names.names.len() + texts.len()) as u32).map(|index| Some(name(index)));
    let values = Arc::new(StringArray::from_iter(all));
    let keys = Int32Array::new(arrow_buffer::Buffer::from_vec(keys).into(), nulls);
    Ok(Arc::new(DictionaryArray::try_new(keys, values)?))
}
