//! Writes and reads parsed messages in other formats, like dynamic messages.

use crate::message::parsed::Parsed;
use crate::message::{Message, described};
use crate::serde::others::MessageSeed;
use crate::serde::others::dynamic::serialize;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// Writes ProtoJSON to human-readable formats. To other formats, writes a map from the proto names of the fields that
/// are set to their values, as for a [`DynamicMessage`](crate::DynamicMessage).
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::Parsed;
///
/// let book = Parsed::<Book>::decode(b"\x0a\x04Dune")?;
/// let json = serde_json::to_string(&book).unwrap();
/// assert_eq!(json, r#"{"title":"Dune"}"#);
/// assert_eq!(serde_json::from_str::<Parsed<Book>>(&json).unwrap(), book);
/// # Ok::<(), tobu::Error>(())
/// ```
impl<T: Message> Serialize for Parsed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.untyped().0, serializer)
    }
}

impl<'de, T: Message> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let descriptor = described::<T>().descriptor().map_err(D::Error::custom)?;
        let message = MessageSeed::new(descriptor).deserialize(deserializer)?;
        message.try_into().map_err(D::Error::custom)
    }
}
