//! Visits every field of a message by reflection and adds up the values, so that all libraries must see the same.
//!
//! For every library a message is a separate function, and a single value is compiled at each use.

/// The weight of a value.
trait Weight {
    fn weight(self) -> u64;
}

macro_rules! weights {
    ($($ty:ty: $value:ident => $weight:expr;)*) => {
        $(impl Weight for $ty {
            #[inline]
            fn weight(self) -> u64 {
                let $value = self;
                $weight
            }
        })*
    };
}

weights! {
    bool: value => 1 + u64::from(value);
    i32: value => value as u64;
    i64: value => value as u64;
    u32: value => value.into();
    u64: value => value;
    f32: value => value.to_bits().into();
    f64: value => value.to_bits();
    &str: value => value.len() as u64;
    &[u8]: value => value.len() as u64;
}

/// Adds values up, in any order.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    #[inline]
    fn add(&mut self, value: impl Weight) {
        self.0 = self.0.wrapping_add(value.weight()).wrapping_add(1);
    }
}

pub fn tobu(message: tobu::reflect::MessageRef<'_>) -> u64 {
    let mut sum = Sum::default();
    tobu_message(message, &mut sum);
    sum.0
}

#[inline(never)]
fn tobu_message(message: tobu::reflect::MessageRef<'_>, sum: &mut Sum) {
    use tobu::reflect::{MapKeyRef, ValueRef};
    message.visit_fields(|_, value| {
        match value {
            ValueRef::List(list) => list.visit(|value| {
                tobu_single(value, sum);
                true
            }),
            ValueRef::Map(map) => map.visit(|key, value| {
                match key {
                    MapKeyRef::Bool(key) => sum.add(key),
                    MapKeyRef::I32(key) => sum.add(key),
                    MapKeyRef::I64(key) => sum.add(key),
                    MapKeyRef::U32(key) => sum.add(key),
                    MapKeyRef::U64(key) => sum.add(key),
                    MapKeyRef::Str(key) => sum.add(key),
                }
                tobu_single(value, sum);
                true
            }),
            single => tobu_single(single, sum),
        }
        true
    });
}

#[inline(always)]
fn tobu_single(value: tobu::reflect::ValueRef<'_>, sum: &mut Sum) {
    use tobu::reflect::ValueRef;
    match value {
        ValueRef::Bool(value) => sum.add(value),
        ValueRef::I32(value) | ValueRef::Enum(value) => sum.add(value),
        ValueRef::I64(value) => sum.add(value),
        ValueRef::U32(value) => sum.add(value),
        ValueRef::U64(value) => sum.add(value),
        ValueRef::F32(value) => sum.add(value),
        ValueRef::F64(value) => sum.add(value),
        ValueRef::Str(value) => sum.add(value),
        ValueRef::Bytes(value) => sum.add(value),
        ValueRef::Message(message) => tobu_message(message, sum),
        // Lists and maps hold neither.
        ValueRef::List(_) | ValueRef::Map(_) => {}
    }
}

pub fn prost(message: &prost_reflect::DynamicMessage) -> u64 {
    let mut sum = Sum::default();
    prost_message(message, &mut sum);
    sum.0
}

#[inline(never)]
fn prost_message(message: &prost_reflect::DynamicMessage, sum: &mut Sum) {
    use prost_reflect::{MapKey, Value};
    for (_, value) in message.fields() {
        match value {
            Value::List(list) => list.iter().for_each(|value| prost_single(value, sum)),
            Value::Map(map) => {
                for (key, value) in map {
                    match key {
                        MapKey::Bool(key) => sum.add(*key),
                        MapKey::I32(key) => sum.add(*key),
                        MapKey::I64(key) => sum.add(*key),
                        MapKey::U32(key) => sum.add(*key),
                        MapKey::U64(key) => sum.add(*key),
                        MapKey::String(key) => sum.add(&**key),
                    }
                    prost_single(value, sum);
                }
            }
            single => prost_single(single, sum),
        }
    }
}

#[inline(always)]
fn prost_single(value: &prost_reflect::Value, sum: &mut Sum) {
    use prost_reflect::Value;
    match value {
        Value::Bool(value) => sum.add(*value),
        Value::I32(value) | Value::EnumNumber(value) => sum.add(*value),
        Value::I64(value) => sum.add(*value),
        Value::U32(value) => sum.add(*value),
        Value::U64(value) => sum.add(*value),
        Value::F32(value) => sum.add(*value),
        Value::F64(value) => sum.add(*value),
        Value::String(value) => sum.add(&**value),
        Value::Bytes(value) => sum.add(&**value),
        Value::Message(message) => prost_message(message, sum),
        Value::List(_) | Value::Map(_) => {}
    }
}

pub fn buffa(message: &dyn buffa_descriptor::ReflectMessage) -> u64 {
    let mut sum = Sum::default();
    buffa_message(message, &mut sum);
    sum.0
}

#[inline(never)]
fn buffa_message(message: &dyn buffa_descriptor::ReflectMessage, sum: &mut Sum) {
    use buffa_descriptor::{MapKeyRef, ValueRef};
    message.for_each_set(&mut |_, value| match value {
        ValueRef::List(list) => list.for_each(&mut |value| buffa_single(value, sum)),
        ValueRef::Map(map) => map.for_each(&mut |key, value| {
            match key {
                MapKeyRef::Bool(key) => sum.add(key),
                MapKeyRef::I32(key) => sum.add(key),
                MapKeyRef::I64(key) => sum.add(key),
                MapKeyRef::U32(key) => sum.add(key),
                MapKeyRef::U64(key) => sum.add(key),
                MapKeyRef::String(key) => sum.add(key),
            }
            buffa_single(value, sum);
        }),
        single => buffa_single(single, sum),
    });
}

#[inline(always)]
fn buffa_single(value: buffa_descriptor::ValueRef<'_>, sum: &mut Sum) {
    use buffa_descriptor::ValueRef;
    match value {
        ValueRef::Bool(value) => sum.add(value),
        ValueRef::I32(value) | ValueRef::EnumNumber(value) => sum.add(value),
        ValueRef::I64(value) => sum.add(value),
        ValueRef::U32(value) => sum.add(value),
        ValueRef::U64(value) => sum.add(value),
        ValueRef::F32(value) => sum.add(value),
        ValueRef::F64(value) => sum.add(value),
        ValueRef::String(value) => sum.add(value),
        ValueRef::Bytes(value) => sum.add(value),
        ValueRef::Message(message) => buffa_message(&*message, sum),
        ValueRef::List(_) | ValueRef::Map(_) => {}
    }
}

pub fn rust_protobuf(message: &dyn rust_protobuf::MessageDyn) -> u64 {
    let mut sum = Sum::default();
    rust_protobuf_message(message, &mut sum);
    sum.0
}

#[inline(never)]
fn rust_protobuf_message(message: &dyn rust_protobuf::MessageDyn, sum: &mut Sum) {
    use rust_protobuf::reflect::ReflectFieldRef;
    for field in message.descriptor_dyn().fields() {
        match field.get_reflect(message) {
            ReflectFieldRef::Optional(value) => {
                if let Some(value) = value.value() {
                    rust_protobuf_value(value, sum);
                }
            }
            ReflectFieldRef::Repeated(list) => {
                list.into_iter().for_each(|value| rust_protobuf_value(value, sum));
            }
            ReflectFieldRef::Map(map) => {
                for (key, value) in &map {
                    rust_protobuf_value(key, sum);
                    rust_protobuf_value(value, sum);
                }
            }
        }
    }
}

#[inline(always)]
fn rust_protobuf_value(value: rust_protobuf::reflect::ReflectValueRef<'_>, sum: &mut Sum) {
    use rust_protobuf::reflect::ReflectValueRef;
    match value {
        ReflectValueRef::Bool(value) => sum.add(value),
        ReflectValueRef::I32(value) | ReflectValueRef::Enum(_, value) => sum.add(value),
        ReflectValueRef::I64(value) => sum.add(value),
        ReflectValueRef::U32(value) => sum.add(value),
        ReflectValueRef::U64(value) => sum.add(value),
        ReflectValueRef::F32(value) => sum.add(value),
        ReflectValueRef::F64(value) => sum.add(value),
        ReflectValueRef::String(value) => sum.add(value),
        ReflectValueRef::Bytes(value) => sum.add(value),
        ReflectValueRef::Message(message) => rust_protobuf_message(&*message, sum),
    }
}
