//! Any serde type over a schema that is known only at run time.
//!
//! Layer 4: gives message descriptors their verbs.

use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::plan::PlanSet;
use serde::{Deserialize, Serialize};

impl MessageDescriptor {
    /// Decodes a message into any type that serde can deserialize.
    ///
    /// Members are matched by proto name or JSON name; fields that the type does not name are skipped. Enums are given
    /// as numbers to types that want numbers and as names to others, oneofs as an enum named like the oneof or as
    /// one optional member per field.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use tobu::Message;
    /// # #[derive(tobu::Message)] #[tobu(package = "library.v1", name = "Book")]
    /// # struct Schema { #[tobu(1)] title: String, #[tobu(2)] pages: u32 }
    /// # let descriptor = Schema::descriptor();
    /// #[derive(serde::Deserialize, Debug, PartialEq)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let bytes = b"\x0a\x04Dune\x10\x9c\x03";
    /// assert_eq!(descriptor.decode::<Title>(bytes)?, Title { title: "Dune".into() });
    ///
    /// let tree: serde_json::Value = descriptor.decode(bytes)?;
    /// assert_eq!(tree, serde_json::json!({"title": "Dune", "pages": 412}));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The bytes are malformed or go past a limit, a required field is missing, or the type wants something else than
    /// the schema has; the error tells the field.
    pub fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.decode_with(bytes, DecodeOptions::new())
    }

    /// [`decode`](Self::decode) with options.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_with<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        options: DecodeOptions,
    ) -> Result<T> {
        options.decode(self.plans()?, bytes)
    }

    /// Encodes any value that serde can serialize as a struct or as a map from names.
    ///
    /// Every member must be a field or a oneof of the message, by proto name or JSON name; none and unit stand for
    /// fields that are not set.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use tobu::Message;
    /// # #[derive(tobu::Message)] #[tobu(package = "library.v1", name = "Book2")]
    /// # struct Schema { #[tobu(1)] title: String, #[tobu(2)] pages: u32 }
    /// # let descriptor = Schema::descriptor();
    /// let bytes = descriptor.encode(&serde_json::json!({"title": "Dune", "pages": 412}))?;
    /// assert_eq!(bytes, b"\x0a\x04Dune\x10\x9c\x03");
    ///
    /// let error = descriptor.encode(&serde_json::json!({"pages": "many"})).unwrap_err();
    /// assert_eq!(error.to_string(), "library.v1.Book2.pages: the field is a uint32, which a string does not fit");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A member is not in the schema or of another kind, a required field is missing, or a limit is passed; the error
    /// tells the field.
    pub fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.encode_with(value, EncodeOptions::new())
    }

    /// [`encode`](Self::encode) with options.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_with<T: Serialize + ?Sized>(&self, value: &T, options: EncodeOptions) -> Result<Vec<u8>> {
        options.encode(self.plans()?, value, Vec::new())
    }

    /// The plans of the message, compiled on first use.
    pub(crate) fn plans(&self) -> Result<&PlanSet> {
        type Slot = Result<PlanSet, Box<str>>;
        let compile = || PlanSet::of_descriptor(self).map_err(|error| error.to_string().into());
        match self.cache::<Slot>(compile) {
            Ok(plans) => Ok(plans),
            Err(error) => Err(Error::schema(error.to_string())),
        }
    }
}
