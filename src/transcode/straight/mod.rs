//! From one format to the other, straight: for messages as every writer writes them.
//!
//! The same as [`Relay`](crate::relay::Relay), with everything left out that ordinary input does not need, so that the
//! place in the input stays in a register. It never fails: where a field comes again, where a tag or a name is not
//! known, where anything is malformed, it gives up, and the relay does the whole from the start. So what such input
//! means, and what is an error, is said in one place.

mod to_json;
mod to_wire;

pub(super) use to_json::ToJson;
pub(super) use to_wire::ToWire;

use crate::plan::{FieldPlan, MessagePlan, Presence, WellKnown};
use crate::ser::Sink;

/// Nothing where the input is not what it mostly is.
type Ordinary<T> = Option<T>;

/// True for messages that are written as their fields, few enough to have a bit each.
fn is_plain(plan: &MessagePlan) -> bool {
    plan.known == WellKnown::No && plan.fields.len() <= 64 && plan.oneofs.len() <= 64
}

/// Begins a single value: tells the field where it is a `FIELD`, and not an element or a part of an entry. False where
/// nothing is to be written, for a default without presence.
#[cfg_attr(not(debug_assertions), inline(always))]
fn begins<const FIELD: bool, K: Sink>(sink: &mut K, field: &FieldPlan, is_default: bool) -> bool {
    if FIELD {
        if is_default && field.presence == Presence::Implicit {
            return false;
        }
        sink.field(field);
    }
    true
}
