//! Reads a parsed message by every accessor of its reference, for tests: what the accessors give is put into a dynamic message.

use tobu::parsed::{Key, List, Map, Parse, TypedRef, Untyped, Value as Accessed};
use tobu::reflect::{MapKey, Value};
use tobu::{DynamicMessage, Enumeration, Message, Reflect};

/// A reference, all of whose accessors are called.
pub trait Reread: Copy {
    /// Calls them.
    fn reread(self, to: &mut Reader);
}

/// A value that an accessor gives.
pub trait IntoValue {
    /// The same value for reflection.
    fn value(self) -> Value;
}

/// The message that is put together.
#[derive(Debug)]
pub struct Reader(DynamicMessage);

/// The message that a reference reads, by its accessors alone.
///
/// # Panics
/// Accessors contradict each other.
pub fn reread<'a, R: Reread + TypedRef<'a>>(reference: R) -> DynamicMessage {
    let descriptor = reference.reflect().descriptor();
    let mut reader = Reader(DynamicMessage::new(&descriptor).expect("its schema was used before"));
    reference.reread(&mut reader);
    reader.0.set_unknown_fields(reference.unknown_bytes()).expect("they were read before");
    reader.0
}

/// The same of the outermost message, through the type that it has.
///
/// # Panics
/// Accessors contradict each other.
pub fn reread_parsed<T: Parse>(parsed: &tobu::Parsed<T>) -> DynamicMessage
where
    for<'a> T::Ref<'a>: Reread,
{
    reread(parsed.get())
}

impl Reader {
    fn set(&mut self, number: u32, value: Value) {
        let field = self.0.descriptor().field_by_number(number).expect("a field of the message");
        self.0.set(&field, value).expect("a value of the field");
    }

    /// A field that does not know whether it is set.
    pub fn plain<T>(&mut self, number: u32, value: T, convert: impl Fn(T) -> Value) {
        self.set(number, convert(value));
    }

    /// A field that knows it: where it is not set, the accessor gives its default.
    pub fn optional<T>(&mut self, number: u32, is_set: bool, value: T, convert: impl Fn(T) -> Value) {
        let value = convert(value);
        if is_set {
            return self.set(number, value);
        }
        let empty = DynamicMessage::new(self.0.descriptor()).expect("it was made before");
        let field = self.0.descriptor().field_by_number(number).expect("a field of the message");
        let default = empty.get(&field).and_then(|value| value.to_value()).expect("the default");
        assert_eq!(format!("{value:?}"), format!("{default:?}"), "{field:?}");
    }

    /// A single message.
    pub fn message<T>(&mut self, number: u32, is_set: bool, value: Option<T>, convert: impl Fn(T) -> Value) {
        assert_eq!(is_set, value.is_some());
        if let Some(value) = value {
            self.set(number, convert(value));
        }
    }

    /// A list, forwards, backwards and by its indices.
    pub fn list<'a, T: Accessed<'a>>(
        &mut self,
        number: u32,
        list: List<'a, T>,
        convert: impl Fn(T) -> Value,
    ) {
        let values: Vec<Value> = list.iter().map(&convert).collect();
        let mut backwards: Vec<Value> = list.iter().rev().map(&convert).collect();
        backwards.reverse();
        let by_index = (0..list.len()).map(|index| convert(list.get(index).expect("an element")));
        let by_index: Vec<Value> = by_index.collect();
        assert_eq!(format!("{values:?}"), format!("{backwards:?}"));
        assert_eq!(format!("{values:?}"), format!("{by_index:?}"));
        assert!(list.get(list.len()).is_none() && list.iter().len() == values.len());
        assert_eq!(list.is_empty(), values.is_empty());
        if !values.is_empty() {
            self.set(number, Value::List(values));
        }
    }

    /// A map, by its entries and by its keys.
    pub fn map<'a, K: Key<'a> + IntoKey, V: Accessed<'a>>(
        &mut self,
        number: u32,
        map: Map<'a, K, V>,
        convert: impl Fn(V) -> Value,
    ) {
        let mut entries = std::collections::HashMap::new();
        assert_eq!(map.iter().len(), map.len());
        for (key, value) in map {
            let value = convert(value);
            let found = convert(map.get(key.shown()).expect("its keys are found"));
            assert_eq!(format!("{value:?}"), format!("{found:?}"));
            assert!(map.contains_key(key.shown()));
            assert!(entries.insert(key.key(), value).is_none(), "no key is there twice");
        }
        assert_eq!(entries.len(), map.len());
        if !map.is_empty() {
            self.set(number, Value::Map(entries));
        }
    }

    /// A oneof as a whole, before its fields.
    pub fn oneof(&mut self, is_set: bool, which: Option<(u32, Value)>) {
        assert_eq!(is_set, which.is_some());
        if let Some((number, value)) = which {
            self.set(number, value);
        }
    }
}

/// A key that an accessor gives.
pub trait IntoKey {
    /// The same key for reflection.
    fn key(self) -> MapKey;
}

macro_rules! values {
    ($($ty:ty => $variant:ident $(, $key:ident)?;)*) => {
        $(
            impl IntoValue for $ty {
                fn value(self) -> Value {
                    Value::$variant(self.into())
                }
            }

            $(
                impl IntoKey for $ty {
                    fn key(self) -> MapKey {
                        MapKey::$key(self.into())
                    }
                }
            )?
        )*
    };
}

values! {
    bool => Bool, Bool;
    i32 => I32, I32;
    i64 => I64, I64;
    u32 => U32, U32;
    u64 => U64, U64;
    f32 => F32;
    f64 => F64;
    &str => String, String;
}

impl IntoValue for &[u8] {
    fn value(self) -> Value {
        Value::Bytes(self.to_vec().into())
    }
}

macro_rules! well_known {
    ($($reference:ident)*) => {
        $(
            impl IntoValue for tobu::types::$reference<'_> {
                fn value(self) -> Value {
                    let message = self.to_message().expect("the type fits");
                    let dynamic = message.into_dynamic().expect("it nests no deeper than what was read");
                    let copy = self.untyped().to_dynamic().expect("it nests no deeper than what was read");
                    assert_eq!(format!("{dynamic:?}"), format!("{copy:?}"));
                    Value::Message(dynamic)
                }
            }
        )*
    };
}

well_known! {
    AnyRef BoolValueRef BytesValueRef DoubleValueRef DurationRef EmptyRef FieldMaskRef FloatValueRef Int32ValueRef
    Int64ValueRef ListValueRef StringValueRef StructRef TimestampRef UInt32ValueRef UInt64ValueRef ValueRef
}

/// The same value of an enum for reflection.
pub fn of_enum<E: Enumeration>(value: E) -> Value {
    Value::Enum(value.number())
}

impl IntoValue for Untyped<'_> {
    fn value(self) -> Value {
        Value::Message(self.to_dynamic().expect("it nests no deeper than what was read"))
    }
}

include!(concat!(env!("OUT_DIR"), "/readers.rs"));
