//! Fills the well-known types whose fields depend on each other.

use super::{Arbitrary, DEPTH, Filler, Result, Unstructured, dynamic, message};
use crate::descriptor::{FieldDescriptor, MessageDescriptor, Pool};
use crate::reflect::{Reflect, Value};
use crate::types;

/// The message types that an arbitrary `Any` can contain.
const IN_ANY: [&str; 3] =
    ["google.protobuf.Duration", "google.protobuf.StringValue", "google.protobuf.UInt64Value"];

/// Words for the paths of a field mask. Converting a word to lowerCamelCase and back does not change it.
const WORDS: [&str; 4] = ["name", "display_name", "a", "create_time"];

/// The largest number of seconds in a `Duration` by its specification: 10,000 years.
const MOST_SECONDS: i64 = 315_576_000_000;

/// The seconds of the years 1 to 9999, which a `Timestamp` can hold.
const YEARS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

impl Filler<'_, '_> {
    /// Fills a well-known type by its rules. Returns false for all other messages.
    pub(super) fn known(
        &mut self,
        descriptor: &MessageDescriptor,
        message: &mut dyn Reflect,
        depth: u32,
    ) -> Result<bool> {
        match descriptor.full_name() {
            "google.protobuf.Timestamp" => {
                let nanos = self.input.int_in_range(0..=999_999_999)?;
                let seconds = self.input.int_in_range(YEARS)?;
                self.set_all(message, [Value::I64(seconds), Value::I32(nanos)]);
            }
            "google.protobuf.Duration" => {
                let seconds = self.input.int_in_range(0..=MOST_SECONDS)?;
                let most = if seconds == MOST_SECONDS { 0 } else { 999_999_999 };
                let nanos = self.input.int_in_range(0..=most)?;
                let sign = if self.input.arbitrary()? { -1 } else { 1 };
                self.set_all(message, [Value::I64(sign * seconds), Value::I32(sign as i32 * nanos)]);
            }
            "google.protobuf.FieldMask" => {
                let mut paths = Vec::new();
                while self.more()? {
                    let mut path = self.input.choose(&WORDS)?.to_string();
                    while self.more()? && path.len() < 60 {
                        path.push('.');
                        path.push_str(self.input.choose(&WORDS)?);
                    }
                    paths.push(Value::String(path));
                }
                self.set_all(message, [Value::List(paths)]);
            }
            "google.protobuf.Any" => {
                let name = *self.input.choose(&IN_ANY)?;
                let content = Pool::global().message(name).map(|descriptor| dynamic(&descriptor, self.input));
                if let Some(bytes) = content.transpose()?.and_then(|content| content.encode_to_vec().ok()) {
                    let url = format!("type.googleapis.com/{name}");
                    self.set_all(message, [Value::String(url), Value::Bytes(bytes.into())]);
                }
            }
            "google.protobuf.Value" => self.json(descriptor, message, depth)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets one field of a `Value`. If this is the field for a number, the number is finite.
    fn json(&mut self, descriptor: &MessageDescriptor, message: &mut dyn Reflect, depth: u32) -> Result<()> {
        // The last two kinds are objects and lists.
        let kinds = if depth < DEPTH { descriptor.field_count() } else { descriptor.field_count().min(4) };
        let index = self.input.choose_index(kinds)?;
        let Some(field) = descriptor.field(index) else { return Ok(()) };
        if field.name() == "number_value" {
            let number: f64 = self.input.arbitrary()?;
            let _ = message.set(&field, Value::F64(if number.is_finite() { number } else { 0.0 }));
            return Ok(());
        }
        self.field(message, &field, depth).map(drop)
    }

    /// Sets the first fields of a message in the order of their declaration.
    fn set_all<const N: usize>(&self, message: &mut dyn Reflect, values: [Value; N]) {
        let descriptor = message.message_descriptor();
        let fields: Vec<FieldDescriptor> = descriptor.fields().collect();
        for (field, value) in fields.iter().zip(values) {
            // A file may declare another message of this name, so fields that do not fit are omitted.
            let _ = message.set(field, value);
        }
    }
}

macro_rules! arbitrary {
    ($($ty:ident)*) => {
        $(
            impl<'a> Arbitrary<'a> for types::$ty {
                fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
                    message(input)
                }
            }
        )*
    };
}

arbitrary! {
    Any BoolValue BytesValue DoubleValue Duration Empty FieldMask FloatValue Int32Value Int64Value ListValue StringValue
    Struct Timestamp UInt32Value UInt64Value Value
}

impl<'a> Arbitrary<'a> for types::NullValue {
    fn arbitrary(_: &mut Unstructured<'a>) -> Result<Self> {
        Ok(types::NullValue::default())
    }
}
