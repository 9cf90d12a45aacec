//! Whether the straight-line code of a Rust type is equivalent to the steps of its table.

use super::{Action, Kind, Row, Shape, Step, Straight};
use crate::layout::{FieldShape, MessageShape, Plan, Storage, WireKind};
use crate::sort::sort_by_key;
use once_cell::sync::OnceCell;

impl Straight {
    /// The code of a type, if it is equivalent to its steps.
    pub(super) fn new(
        shape: &MessageShape,
        rows: &[Row],
        steps: &[Step],
        unknown: Option<u32>,
    ) -> Option<Straight> {
        let function = shape.straight?;
        let mut fields = Vec::new();
        for field in (0..shape.members.len()).filter_map(|index| shape.field(index)) {
            fields.push((field.number?, field));
        }
        sort_by_key(&mut fields, |(number, _)| *number);
        let (mut oneofs, mut indices) = (0_u64, Vec::new());
        let mut single_oneofs = vec![None; fields.len() + 1];
        for (index, step) in (0..).zip(steps) {
            if step.action == Action::Oneof {
                let bit = 1_u64.checked_shl(indices.len() as u32)?;
                single_oneofs[indices.len()] = (oneofs & bit == 0).then_some(index);
                oneofs |= bit;
                continue;
            }
            let (number, field) = fields.get(indices.len())?;
            let row = &rows[usize::from(step.row)];
            if row.number != *number || !fits(field, row, step) {
                return None;
            }
            indices.push(index);
        }
        if indices.len() != fields.len() {
            return None;
        }
        let fields = fields.iter().map(|_| OnceCell::new()).collect::<Vec<_>>().leak();
        let plan = Plan { function, oneofs, single_oneofs: single_oneofs.leak(), unknown, fields };
        Some(Straight { plan, steps: indices.leak() })
    }
}

/// True if straight-line code writes the field as its step does.
fn fits(field: &FieldShape, row: &Row, step: &Step) -> bool {
    let (value, is_option) = match field.storage {
        // It is left to the step.
        Storage::Option(option) if option.lazy().is_some() => return !step.required,
        Storage::Option(option) => (option.value(), true),
        Storage::List(list) if matches!(list.element, Storage::String) => {
            return row.shape == Shape::List && matches!(row.kind, Kind::String | Kind::Bytes);
        }
        storage => (storage, false),
    };
    match written(value, field.attributes.kind) {
        // It is left to the step.
        None => !step.required,
        Some(action) => {
            let is_always = match value {
                Storage::Message(_) | Storage::Box(_) if !is_option => true,
                // Whether a zero is written is left to the step.
                Storage::ClosedEnum(_) => step.always || !is_option,
                _ => step.always == is_option,
            };
            row.shape == Shape::Singular && !step.required && is_always && Action::value(row, value) == action
        }
    }
}

/// How straight-line code writes a value.
fn written(storage: Storage, kind: Option<WireKind>) -> Option<Action> {
    use WireKind as W;
    Some(match (storage, kind) {
        _ if !storage.is_straight() => return None,
        (Storage::I32, Some(W::SInt32)) => Action::SInt32,
        (Storage::I64, Some(W::SInt64)) => Action::SInt64,
        (Storage::I32, Some(W::SFixed32)) | (Storage::U32, Some(W::Fixed32)) | (Storage::F32, _) => {
            Action::Fixed32
        }
        (Storage::I64, Some(W::SFixed64)) | (Storage::U64, Some(W::Fixed64)) | (Storage::F64, _) => {
            Action::Fixed64
        }
        (Storage::I32 | Storage::OpenEnum(_), _) => Action::Int32,
        (Storage::U32, _) => Action::UInt32,
        (Storage::I64 | Storage::U64, _) => Action::Int64,
        (Storage::Bool, _) => Action::Bool,
        (Storage::String, _) => Action::String,
        (Storage::Str, _) => Action::Str,
        (Storage::Vec, _) => Action::Vec,
        (Storage::Slice, _) => Action::Slice,
        (Storage::Text(_), _) => Action::Text,
        (Storage::Message(_), _) => Action::Message,
        (Storage::Box(_), _) => Action::BoxMessage,
        (Storage::ClosedEnum(_), _) => Action::Enum,
        (Storage::Option(_) | Storage::List(_) | Storage::Map(_), _) => return None,
    })
}
