//! Creates and reads a [`Value`].

pub use super::structure::Kind;
use super::{ListValue, NullValue, Struct, Value};
use crate::UnknownFields;
use std::collections::BTreeMap;

impl Value {
    /// Creates a value of the given kind.
    pub const fn new(kind: Kind) -> Self {
        Value { kind: Some(kind), unknown_fields: UnknownFields::new() }
    }

    /// Creates the value null.
    pub const fn null() -> Self {
        Value::new(Kind::NullValue(NullValue::NULL_VALUE))
    }

    /// True if the value is null. False for a value without a kind.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, Some(Kind::NullValue(_)))
    }

    /// Returns the boolean, or `None` if the value is not a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Some(Kind::BoolValue(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the number, or `None` if the value is not a number.
    pub fn as_f64(&self) -> Option<f64> {
        match self.kind {
            Some(Kind::NumberValue(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the string, or `None` if the value is not a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Some(Kind::StringValue(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the object, or `None` if the value is not an object.
    pub fn as_struct(&self) -> Option<&Struct> {
        match &self.kind {
            Some(Kind::StructValue(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns a mutable reference to the object, or `None` if the value is not an object.
    pub fn as_struct_mut(&mut self) -> Option<&mut Struct> {
        match &mut self.kind {
            Some(Kind::StructValue(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the elements, or `None` if the value is not an array.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.kind {
            Some(Kind::ListValue(list)) => Some(&list.values),
            _ => None,
        }
    }

    /// Returns a mutable reference to the elements, or `None` if the value is not an array.
    pub fn as_list_mut(&mut self) -> Option<&mut Vec<Value>> {
        match &mut self.kind {
            Some(Kind::ListValue(list)) => Some(&mut list.values),
            _ => None,
        }
    }
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Value::new(kind)
    }
}

/// Implements the conversions to each kind. Integers of 64 bits have no conversion, because an `f64` cannot represent all of
/// them.
macro_rules! kinds {
    ($($from:ty, $kind:ident, |$value:ident| $convert:expr;)*) => {
        $(
            impl From<$from> for Value {
                fn from($value: $from) -> Self {
                    Value::new(Kind::$kind($convert))
                }
            }
        )*
    };
}

kinds! {
    NullValue, NullValue, |value| value;
    (), NullValue, |_value| NullValue::NULL_VALUE;
    f64, NumberValue, |value| value;
    f32, NumberValue, |value| value.into();
    i8, NumberValue, |value| value.into();
    i16, NumberValue, |value| value.into();
    i32, NumberValue, |value| value.into();
    u8, NumberValue, |value| value.into();
    u16, NumberValue, |value| value.into();
    u32, NumberValue, |value| value.into();
    String, StringValue, |value| value;
    &str, StringValue, |value| value.to_owned();
    bool, BoolValue, |value| value;
    Struct, StructValue, |value| value;
    BTreeMap<String, Value>, StructValue, |value| value.into();
    ListValue, ListValue, |value| value;
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

/// Converts `None` to null.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Value::null, Into::into)
    }
}

/// Creates an array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Value::new(Kind::ListValue(values.into_iter().collect()))
    }
}
