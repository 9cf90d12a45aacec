//! `Struct`, `Value`, `ListValue` and `NullValue`: JSON values as messages.

use crate::UnknownFields;
use std::collections::BTreeMap;

/// A JSON object: a map from names to values.
///
/// ```
/// use tobu::types::{Struct, Value};
///
/// let book = Struct::from([("title", Value::from("Dune")), ("pages", 412.into()), ("tags", ["new"].into())]);
/// assert_eq!(book.get("title").and_then(Value::as_str), Some("Dune"));
/// assert_eq!(book.get("pages").and_then(Value::as_f64), Some(412.0));
/// assert_eq!(book.get("isbn"), None);
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#struct>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, stated = crate::types::files::STRUCT_SLOT, message = "google.protobuf.Struct", direct)]
pub struct Struct {
    /// The members of the object.
    #[tobu(1)]
    pub fields: BTreeMap<String, Value>,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// A JSON value of any kind.
///
/// ```
/// use tobu::types::Value;
///
/// assert_eq!(Value::from(0.5).as_f64(), Some(0.5));
/// assert_eq!(Value::from(None::<bool>), Value::null());
/// assert_eq!(Value::from(vec![true]).as_list(), Some(&[Value::from(true)][..]));
/// assert_eq!(tobu::to_vec(&Value::from("x"))?, b"\x1a\x01x");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#value>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, stated = crate::types::files::STRUCT_SLOT, message = "google.protobuf.Value", direct)]
pub struct Value {
    /// The value. A `Value` without a kind has no JSON form, not even null.
    #[tobu(oneof)]
    pub kind: Option<Kind>,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq, crate::Oneof, crate::Serialize, crate::Deserialize)]
#[tobu(stated)]
pub enum Kind {
    /// Null.
    #[tobu(1)]
    NullValue(NullValue),
    /// A number. JSON has no form for infinities and NaN.
    #[tobu(2)]
    NumberValue(f64),
    /// A string.
    #[tobu(3)]
    StringValue(String),
    /// A boolean.
    #[tobu(4)]
    BoolValue(bool),
    /// An object.
    #[tobu(5)]
    StructValue(Struct),
    /// An array.
    #[tobu(6)]
    ListValue(ListValue),
}

/// A JSON array.
///
/// ```
/// use tobu::types::{ListValue, Value};
///
/// let list: ListValue = [1, 2].into_iter().collect();
/// assert_eq!(list.values, [Value::from(1), Value::from(2)]);
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#list-value>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, stated = crate::types::files::STRUCT_SLOT, message = "google.protobuf.ListValue", direct)]
pub struct ListValue {
    /// The elements of the array.
    #[tobu(1)]
    pub values: Vec<Value>,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// The JSON value null. It is an enum with one value.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#null-value>.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    crate::Enumeration,
    crate::Serialize,
    crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::STRUCT, stated = crate::types::files::STRUCT_SLOT, enumeration = "google.protobuf.NullValue")]
#[repr(transparent)]
pub struct NullValue(pub i32);

impl NullValue {
    /// Null.
    pub const NULL_VALUE: NullValue = NullValue(0);
}

impl Struct {
    /// Creates an object without members.
    pub const fn new() -> Self {
        Struct { fields: BTreeMap::new(), unknown_fields: UnknownFields::new() }
    }

    /// Returns the value of the member `name`, or `None`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// Adds a member and returns the previous value of this name, or `None`.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.fields.insert(name.into(), value.into())
    }
}

impl From<BTreeMap<String, Value>> for Struct {
    fn from(fields: BTreeMap<String, Value>) -> Self {
        Struct { fields, unknown_fields: UnknownFields::new() }
    }
}

impl From<Struct> for BTreeMap<String, Value> {
    fn from(object: Struct) -> Self {
        object.fields
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Struct {
    fn from(members: [(K, V); N]) -> Self {
        members.into_iter().collect()
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Struct {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        let members = members.into_iter().map(|(name, value)| (name.into(), value.into()));
        members.collect::<BTreeMap<_, _>>().into()
    }
}

impl ListValue {
    /// Creates an array without elements.
    pub const fn new() -> Self {
        ListValue { values: Vec::new(), unknown_fields: UnknownFields::new() }
    }
}

impl<T: Into<Value>> From<Vec<T>> for ListValue {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl From<ListValue> for Vec<Value> {
    fn from(list: ListValue) -> Self {
        list.values
    }
}

impl<T: Into<Value>> FromIterator<T> for ListValue {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        ListValue { values, unknown_fields: UnknownFields::new() }
    }
}
