//! What is inside a [`Value`](super::Value).

use super::{ListValue, NullValue, Struct};

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq, crate::Oneof, crate::Serialize, crate::Deserialize)]
pub enum Kind {
    /// Null.
    #[tobu(1)]
    NullValue(NullValue),
    /// A number; JSON has no room for infinities and NaN.
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
