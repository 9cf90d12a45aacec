//! What a format must be able to write.

use crate::error::Result;
use crate::plan::{EnumPlan, FieldPlan, Kind};

/// Writes one format: bytes and syntax only.
///
/// What is written, under which field, whether it is present, packed, an entry of a map: all that is decided by the
/// caller, from the plan. A sink is told where it is and puts down what the format wants there.
pub(crate) trait Sink: Sized {
    /// An open message.
    type Message;
    /// An open list.
    type List;
    /// An open map entry.
    type Entry;

    /// An empty sink for a piece of output that is put in later with `append`.
    fn fork(&self) -> Self;
    fn append(&mut self, piece: Self) -> Result<()>;

    /// A field with one value comes; the value follows.
    fn field(&mut self, field: &FieldPlan);

    /// A message: the outermost one where there is no field.
    fn begin_message(&mut self, field: Option<&FieldPlan>) -> Self::Message;
    fn end_message(&mut self, field: Option<&FieldPlan>, message: Self::Message);

    /// A list that is not empty; `len` is a guess at its length. Each value follows an `element`.
    fn begin_list(&mut self, field: &FieldPlan, len: usize) -> Self::List;
    fn element(&mut self, field: &FieldPlan, first: bool);
    fn end_list(&mut self, field: &FieldPlan, list: Self::List);

    /// A map that is not empty: entries of a key that follows `begin_entry` and a value that follows `entry_value`.
    fn begin_map(&mut self, field: &FieldPlan);
    fn begin_entry(&mut self, field: &FieldPlan, key: &FieldPlan, first: bool) -> Self::Entry;
    fn entry_value(&mut self, value: &FieldPlan);
    fn end_entry(&mut self, entry: Self::Entry);
    fn end_map(&mut self, field: &FieldPlan);

    fn bool(&mut self, value: bool);
    /// `kind` is int32, sint32 or sfixed32; likewise below.
    fn i32(&mut self, kind: Kind, value: i32);
    fn i64(&mut self, kind: Kind, value: i64);
    fn u32(&mut self, kind: Kind, value: u32);
    fn u64(&mut self, kind: Kind, value: u64);
    fn f32(&mut self, value: f32);
    fn f64(&mut self, value: f64);
    fn str(&mut self, value: &str);
    fn bytes(&mut self, value: &[u8]);
    fn enumeration(&mut self, plan: &EnumPlan, number: i32);

    /// Fields that the schema does not know, as wire bytes.
    fn unknown(&mut self, fields: &[u8]);
}
