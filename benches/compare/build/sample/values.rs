//! Messages of any type with values that look random, as their shapes say.

use super::shapes::{self, Shape};
use ::tobu::reflect::{MapKey, Value};
use ::tobu::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Reflect, Result};
use std::collections::HashMap;
use tobu_compile::rng::Rng;

/// How deep messages are nested at most.
const LEVELS: usize = 4;

const WORDS: &[&str] = &[
    "a", "and", "answer", "begins", "between", "cold", "copper", "dark", "early", "ends", "field", "green",
    "harbour", "in", "its", "kept", "lantern", "late", "message", "never", "north", "of", "old", "on",
    "open", "over", "quiet", "river", "slow", "stone", "the", "thread", "under", "upon", "waits", "window",
    "with",
];
const FOREIGN: &[&str] = &["été", "Übergröße", "señal", "Łódź", "飛行機", "数据", "한글"];

/// Makes messages, one after another, from a seed.
pub(super) struct Values {
    rng: Rng,
    shapes: HashMap<&'static str, Shape>,
}

impl Values {
    pub(super) fn new(seed: u64) -> Self {
        Values { rng: Rng::new(seed), shapes: shapes::SHAPES.iter().copied().collect() }
    }

    pub(super) fn message(&mut self, descriptor: &MessageDescriptor) -> Result<DynamicMessage> {
        self.nested(descriptor, 0)
    }

    fn nested(&mut self, descriptor: &MessageDescriptor, depth: usize) -> Result<DynamicMessage> {
        let mut message = DynamicMessage::new(descriptor)?;
        let mut chosen = Vec::new();
        for oneof in descriptor.oneofs() {
            let members: Vec<u32> = oneof.fields().map(|field| field.number()).collect();
            chosen.push(*self.rng.pick(&members));
        }
        for field in descriptor.fields() {
            let shape = self.shape(&field);
            let left_out = field.oneof().is_some() && !chosen.contains(&field.number())
                || field.message_type().is_some() && !field.is_map() && depth == LEVELS;
            if !left_out && self.rng.chance(shape.chance) {
                let value = self.field(&field, shape, depth)?;
                message.set(&field, value)?;
            }
        }
        Ok(message)
    }

    /// The shape of a field, or of the message or the package it is in.
    fn shape(&self, field: &FieldDescriptor) -> Shape {
        let (message, file) = (field.message(), field.file());
        let names = [field.full_name(), message.full_name(), file.package()];
        names.iter().find_map(|name| self.shapes.get(name).copied()).unwrap_or(shapes::ANY)
    }

    fn field(&mut self, field: &FieldDescriptor, shape: Shape, depth: usize) -> Result<Value> {
        if !field.is_map() && !field.is_list() {
            return self.value(field, shape, depth);
        }
        let count = self.range(shape.count);
        let Some(value) = field.map_value() else {
            return Ok(Value::List(
                (0..count).map(|_| self.value(field, shape, depth)).collect::<Result<_>>()?,
            ));
        };
        let entries = (0..count).map(|index| {
            // The number makes the key another one than those before.
            let key = MapKey::String(format!("{}-{index}", self.rng.pick(WORDS)));
            Ok((key, self.value(&value, shape, depth)?))
        });
        Ok(Value::Map(entries.collect::<Result<_>>()?))
    }

    fn value(&mut self, field: &FieldDescriptor, shape: Shape, depth: usize) -> Result<Value> {
        Ok(match field.kind() {
            Kind::Message(message) => Value::Message(self.nested(&message, depth + 1)?),
            Kind::Enum(enumeration) => {
                let numbers: Vec<i32> = enumeration.values().map(|value| value.number()).collect();
                Value::Enum(*self.rng.pick(&numbers))
            }
            Kind::String => Value::String(self.text(shape)),
            Kind::Bytes => {
                let length = self.range(shape.size);
                Value::from((0..length).map(|_| self.rng.number() as u8).collect::<Vec<u8>>())
            }
            Kind::Bool => Value::Bool(self.rng.chance(50)),
            Kind::Double => Value::F64(self.decimal()),
            Kind::Float => Value::F32(self.decimal() as f32),
            Kind::UInt32 | Kind::Fixed32 => Value::U32(self.whole(shape) as u32),
            Kind::UInt64 | Kind::Fixed64 => Value::U64(self.whole(shape)),
            Kind::Int32 => Value::I32(self.signed(shape) as i32),
            Kind::Int64 => Value::I64(self.signed(shape)),
            Kind::SInt32 | Kind::SFixed32 => Value::I32(self.either(shape) as i32),
            Kind::SInt64 | Kind::SFixed64 => Value::I64(self.either(shape)),
        })
    }

    /// Words, up to a number of letters.
    fn text(&mut self, shape: Shape) -> String {
        let length = self.range(shape.size);
        let mut text = String::new();
        while text.len() < length {
            let words = if self.rng.chance(shape.foreign) { FOREIGN } else { WORDS };
            text.push_str(self.rng.pick::<&str>(words));
            text.push(' ');
        }
        text.chars().take(length).collect()
    }

    /// A number of so many bits.
    fn whole(&mut self, shape: Shape) -> u64 {
        let bits = self.range(shape.size);
        (1 << bits) | (self.rng.number() & ((1 << bits) - 1))
    }

    fn signed(&mut self, shape: Shape) -> i64 {
        let number = self.whole(shape) as i64;
        if shape.negative { -number } else { number }
    }

    fn either(&mut self, shape: Shape) -> i64 {
        let negative = self.rng.chance(50);
        self.signed(Shape { negative, ..shape })
    }

    /// A number whose fraction takes all digits.
    fn decimal(&mut self) -> f64 {
        self.either(shapes::ANY.size(0, 24)) as f64 / 1009.0
    }

    fn range(&mut self, (least, most): (usize, usize)) -> usize {
        self.rng.range(least, most)
    }
}
