//! Any serde type over a schema that is known only at run time.
//!
//! Layer 8: the verbs of message descriptors.

use crate::descriptor::{ExtensionDescriptor, MessageDescriptor, OptionsRef, Pool};
use crate::encode::wire_bytes;
use crate::error::{Error, Result};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::Schema;
use crate::table::extension_table;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

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
    /// The bytes are malformed or exceed a limit, a required field is missing, or the type wants something else than
    /// the schema has; the error names the field.
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
        options.read(Schema::Table(self.table()?), bytes, None)
    }

    /// Encodes any value that serde can serialize as a struct or as a map from names.
    ///
    /// Every member must be a field or a oneof of the message, by proto name or JSON name; `None` and unit are
    /// unset fields.
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
    /// names the field.
    pub fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.encode_with(value, EncodeOptions::new())
    }

    /// [`encode`](Self::encode) with options.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_with<T: Serialize + ?Sized>(&self, value: &T, options: EncodeOptions) -> Result<Vec<u8>> {
        wire_bytes(Schema::Table(self.table()?), value, options)
    }
}

impl ExtensionDescriptor {
    /// Reads the extension from fields that a message does not name: unknown fields, or the bytes of options. `None`
    /// when they do not have it.
    ///
    /// The value may be of any type that serde can deserialize, as with
    /// [`MessageDescriptor::decode`].
    ///
    /// ```
    /// # use tobu::wire::{Tag, WireType, Writer};
    /// # fn text(number: u32, text: &str) -> Vec<u8> { field(number, text.as_bytes()) }
    /// # fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    /// #     let mut writer = Writer::new();
    /// #     writer.tag(Tag::new(number, WireType::Len));
    /// #     writer.len_prefixed(bytes);
    /// #     writer.finish().unwrap()
    /// # }
    /// # let extendable = [text(1, "Note"), field(5, &[0x08, 100, 0x10, 200, 1])].concat();
    /// # let extension = [text(1, "color"), text(2, ".Note"), vec![0x18, 100, 0x20, 1, 0x28, 9]].concat();
    /// # let file = [text(1, "note.proto"), field(4, &extendable), field(7, &extension)].concat();
    /// let mut pool = tobu::Pool::new();
    /// pool.add_file(&file)?; // message Note { extensions 100 to 199; }  extend Note { optional string color = 100; }
    /// let color = pool.extension("color").unwrap();
    /// assert_eq!(color.decode::<String>(b"\xa2\x06\x03red")?, Some("red".to_owned()));
    /// assert_eq!(color.decode::<String>(b"")?, None);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is malformed or exceeds a limit, or the type wants something else than the schema has.
    pub fn decode<'de, T: Deserialize<'de>>(&self, fields: &'de [u8]) -> Result<Option<T>> {
        let table = extension_table(self)?;
        let Only(value) = DecodeOptions::new().partial(true).read(Schema::Table(&table), fields, None)?;
        Ok(value)
    }
}

impl OptionsRef<'_> {
    /// Reads a custom option by the full name of its extension, which must be in the pool; `None` when it is not set.
    ///
    /// ```no_run
    /// # fn example(pool: &tobu::Pool, method: &tobu::MethodDescriptor) -> Result<(), tobu::Error> {
    /// #[derive(serde::Deserialize)]
    /// struct HttpRule {
    ///     get: Option<String>,
    ///     post: Option<String>,
    ///     body: String,
    /// }
    ///
    /// let rule: Option<HttpRule> = method.options().get(pool, "google.api.http")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The pool has no such extension, it is one of other options, or as [`ExtensionDescriptor::decode`].
    pub fn get<T: DeserializeOwned>(&self, pool: &Pool, extension: &str) -> Result<Option<T>> {
        let Some(found) = pool.extension(extension) else {
            return Err(Error::schema(format!("there is no extension named {extension:?} in the pool")));
        };
        if found.extendee().full_name() != self.message_name() {
            let (extendee, options) = (found.extendee(), self.message_name());
            let message = format!("{extension} extends {}, not {options}", extendee.full_name());
            return Err(Error::schema(message));
        }
        found.decode(self.encoded())
    }
}

/// The value of the only field that a message can have.
struct Only<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Only<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OnlyVisitor(PhantomData))
    }
}

struct OnlyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OnlyVisitor<T> {
    type Value = Only<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message with one field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Only<T>, A::Error> {
        let mut value = None;
        while fields.next_key::<IgnoredAny>()?.is_some() {
            value = Some(fields.next_value()?);
        }
        Ok(Only(value))
    }
}
