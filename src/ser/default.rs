//! Fields that have no presence and were not given.

use super::Sink;
use crate::plan::{FieldPlan, Kind, PlanSet, Presence, Shape};

/// Writes the default of a field that has no presence; nothing for one that has.
#[cold]
pub(crate) fn write_default<K: Sink>(sink: &mut K, set: &PlanSet, field: &FieldPlan) {
    match field.shape {
        Shape::List => {
            let list = sink.begin_list(field, 0);
            sink.end_list(field, list);
        }
        Shape::Map => {
            sink.begin_map(field);
            sink.end_map(field);
        }
        Shape::Singular if field.presence == Presence::Implicit && field.oneof.is_none() => {
            sink.field(field);
            write_default_value(sink, set, field);
        }
        Shape::Singular => {}
    }
}

/// Writes the zero of a single value that is no message.
#[cold]
pub(crate) fn write_default_value<K: Sink>(sink: &mut K, set: &PlanSet, field: &FieldPlan) {
    match field.kind {
        kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => sink.i32(kind, 0),
        kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => sink.i64(kind, 0),
        kind @ (Kind::UInt32 | Kind::Fixed32) => sink.u32(kind, 0),
        kind @ (Kind::UInt64 | Kind::Fixed64) => sink.u64(kind, 0),
        Kind::Float => sink.f32(0.0),
        Kind::Double => sink.f64(0.0),
        Kind::Bool => sink.bool(false),
        Kind::Enum => {
            let plan = &set.enums[field.sub as usize];
            sink.enumeration(plan, plan.default);
        }
        Kind::Bytes => sink.bytes(&[]),
        Kind::String => sink.str(""),
        Kind::Message | Kind::Group => {}
    }
}
