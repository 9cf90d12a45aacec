//! The methods of descriptors that read and write messages. They work with any type that implements serde's traits, for a
//! schema that is known only at run time.
//!
//! This module is in layer 8 (see DESIGN.md). The methods are in traits, because descriptors belong to `tobu-schema`, which has
//! no codec.

use crate::descriptor::{ExtensionDescriptor, MessageDescriptor, OptionsRef, Pool};
use crate::error::{Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::projection::Projection;
use crate::message::reflect::{ExtensionKey, extension_of_options, options_message};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::Schema;
use crate::serde::encode::wire_bytes;
use crate::serde::others::MessageSeed;
use crate::table::{Tabled, extension_table};
use crate::{json, text};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

mod sealed {
    use super::{ExtensionDescriptor, MessageDescriptor, OptionsRef};

    pub trait Sealed {}

    impl Sealed for MessageDescriptor {}
    impl Sealed for ExtensionDescriptor {}
    impl Sealed for OptionsRef<'_> {}
}

/// Methods of a [`MessageDescriptor`] that convert values of any serde type to and from messages, for a schema that is known
/// only at run time.
///
/// `use tobu::prelude::*` brings this trait into scope.
pub trait MessageDescriptorExt: sealed::Sealed {
    /// Decodes a message into any type that serde can deserialize.
    ///
    /// Members of the type are matched with fields by proto name or JSON name. Fields without a member are skipped. For an enum
    /// value, a type that requests a number gets the number, and any other type gets the name. A oneof is an enum with the name
    /// of the oneof, or one optional member per field.
    ///
    /// If the type derives [`Message`](crate::Message), its message must have the same full name as this one. Its members are
    /// then matched by field number.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
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
    /// The bytes are malformed or exceed a limit, a required field is missing, or a member does not fit the schema. The error
    /// names the field.
    fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T>;

    /// Decodes a message like [`decode`](Self::decode), with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    fn decode_with<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8], options: DecodeOptions) -> Result<T>;

    /// Encodes any value that serde can serialize as a struct or as a map from names.
    ///
    /// Every member must have the proto name or JSON name of a field or a oneof of the message. `None` and unit are unset
    /// fields. If the type derives [`Message`](crate::Message), its message must have the same full name as this one. Its
    /// members are then matched by field number.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
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
    /// A member is not in the schema or has another kind, a required field is missing, or a limit is exceeded. The error names
    /// the field.
    fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>>;

    /// Encodes a value like [`encode`](Self::encode), with options.
    ///
    /// # Errors
    /// Fails if [`encode`](Self::encode) would fail.
    fn encode_with<T: Serialize + ?Sized>(&self, value: &T, options: EncodeOptions) -> Result<Vec<u8>>;

    /// Reads a message of this type from JSON into any type that serde can deserialize.
    /// [`decode`](MessageDescriptorExt::decode) says how members are matched.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # fn example(event: tobu::MessageDescriptor) -> Result<(), tobu::Error> {
    /// #[derive(serde::Deserialize)]
    /// struct Event {
    ///     user_id: u64,
    ///     tags: Vec<String>,
    /// }
    ///
    /// let event: Event = event.decode_json(r#"{"userId": "7", "tags": ["new"]}"#)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if [`json::from_str`](crate::json::from_str) would fail.
    fn decode_json<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T>;

    /// Reads JSON like [`decode_json`](Self::decode_json), with options.
    ///
    /// # Errors
    /// Fails if [`decode_json`](Self::decode_json) would fail.
    fn decode_json_with<'de, T: Deserialize<'de>>(
        &self,
        text: &'de str,
        options: &json::Options,
    ) -> Result<T>;

    /// Writes a value as JSON of this message type. The value may have any type that serde can serialize as a struct or as a
    /// map from names.
    ///
    /// [`encode`](Self::encode) says how members are matched.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # #[derive(tobu::Message)] #[tobu(package = "library.v1", name = "Book3")]
    /// # struct Schema { #[tobu(1)] title: String, #[tobu(2)] copies_sold: u64 }
    /// # let descriptor = Schema::descriptor();
    /// #[derive(serde::Serialize)]
    /// struct Book {
    ///     title: &'static str,
    ///     copies_sold: u64,
    /// }
    ///
    /// let book = Book { title: "Dune", copies_sold: 20_000_000 };
    /// assert_eq!(descriptor.encode_json(&book)?, r#"{"title":"Dune","copiesSold":"20000000"}"#);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A member is not in the schema or has another kind, or [`json::to_string`](crate::json::to_string) would fail.
    fn encode_json<T: Serialize + ?Sized>(&self, value: &T) -> Result<String>;

    /// Writes JSON like [`encode_json`](Self::encode_json), with options.
    ///
    /// # Errors
    /// Fails if [`encode_json`](Self::encode_json) would fail.
    fn encode_json_with<T: Serialize + ?Sized>(&self, value: &T, options: &json::Options) -> Result<String>;

    /// Reads a message of this type from the text format into any type that serde can deserialize.
    /// [`decode`](MessageDescriptorExt::decode) says how members are matched.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// let duration = tobu::types::Duration::descriptor();
    /// let tree: serde_json::Value = duration.decode_text("seconds: 5", &tobu::text::Options::new())?;
    /// assert_eq!(tree, serde_json::json!({"seconds": 5}));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`text::from_str`](crate::text::from_str) would fail.
    fn decode_text<'de, T: Deserialize<'de>>(&self, text: &'de str, options: &text::Options) -> Result<T>;

    /// Writes a value in the text format of this message type. The value may have any type that serde can serialize as a struct
    /// or as a map from names.
    ///
    /// [`encode`](Self::encode) says how members are matched.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// let duration = tobu::types::Duration::descriptor();
    /// let value = serde_json::json!({"seconds": 5});
    /// assert_eq!(duration.encode_text(&value, &tobu::text::Options::new())?, "seconds: 5\n");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A member is not in the schema or has another kind, or [`text::to_string`](crate::text::to_string) would fail.
    fn encode_text<T: Serialize + ?Sized>(&self, value: &T, options: &text::Options) -> Result<String>;

    /// Returns a projection to the fields of the message that the paths name.
    ///
    /// A path is a list of field names joined by dots, such as `title` or `author.last_name`. Each name is the proto name or
    /// the JSON name. The path selects the whole field at its end. It can lead through single messages, through all elements of
    /// a list and through all values of a map. A `*` may stand for these elements or values, as in `authors.*.name`. At the end
    /// of a path, a `*` stands for all fields. A message with a special JSON form, such as `google.protobuf.Timestamp`, is one
    /// value, so a path into it selects all of it. Extensions count as unknown fields and have no paths. An empty list of paths
    /// selects nothing.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// use tobu::{DynamicMessage, Message, types::Duration};
    ///
    /// let error = Duration::descriptor().project(&["minutes"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"google.protobuf.Duration: the path "minutes": google.protobuf.Duration has no field "minutes""#
    /// );
    /// ```
    ///
    /// # Errors
    /// A path does not fit the message or leads through more than 100 fields, or the schema has more fields than a
    /// codec can handle.
    fn project<P: AsRef<str>>(&self, paths: &[P]) -> Result<Projection>;

    /// Returns a seed that deserializes a message of this descriptor from any serde format. The input must have the form that
    /// [`DynamicMessage`] has when serde serializes it.
    ///
    /// ```
    /// # use tobu::{DynamicMessage, Message, types::StringValue};
    /// use tobu::prelude::*;
    /// use serde::de::DeserializeSeed;
    ///
    /// let descriptor = StringValue::descriptor();
    /// let message = DynamicMessage::decode(&descriptor, b"\x0a\x02hi")?;
    /// let bytes = descriptor.encode(&message)?;
    ///
    /// let mut format = tobu::Deserializer::new(&descriptor, &bytes, tobu::DecodeOptions::new())?;
    /// assert_eq!(descriptor.seed().deserialize(&mut format)?, message);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    fn seed(&self) -> MessageSeed<'_>;
}

impl MessageDescriptorExt for MessageDescriptor {
    fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.decode_with(bytes, DecodeOptions::new())
    }

    fn decode_with<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8], options: DecodeOptions) -> Result<T> {
        options.read(Schema::Table(self.table()?), bytes, None)
    }

    fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.encode_with(value, EncodeOptions::new())
    }

    fn encode_with<T: Serialize + ?Sized>(&self, value: &T, options: EncodeOptions) -> Result<Vec<u8>> {
        wire_bytes(Schema::Table(self.table()?), value, options)
    }

    fn decode_json<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T> {
        self.decode_json_with(text, &json::Options::new())
    }

    fn decode_json_with<'de, T: Deserialize<'de>>(
        &self,
        text: &'de str,
        options: &json::Options,
    ) -> Result<T> {
        json::decode(self, text, options)
    }

    fn encode_json<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        self.encode_json_with(value, &json::Options::default())
    }

    fn encode_json_with<T: Serialize + ?Sized>(&self, value: &T, options: &json::Options) -> Result<String> {
        json::encode(self, value, options)
    }

    fn decode_text<'de, T: Deserialize<'de>>(&self, text: &'de str, options: &text::Options) -> Result<T> {
        text::decode(self, text, options)
    }

    fn encode_text<T: Serialize + ?Sized>(&self, value: &T, options: &text::Options) -> Result<String> {
        text::encode(self, value, options)
    }

    fn project<P: AsRef<str>>(&self, paths: &[P]) -> Result<Projection> {
        Projection::new(self, paths)
    }

    fn seed(&self) -> MessageSeed<'_> {
        MessageSeed::new(self)
    }
}

/// Reads an extension by its [`ExtensionDescriptor`].
///
/// `use tobu::prelude::*` brings this trait into scope.
pub trait ExtensionDescriptorExt: sealed::Sealed {
    /// Reads the extension from unknown fields, or from the bytes of options. Returns `None` if the extension is not set.
    ///
    /// The value may have any type that serde can deserialize, as for [`MessageDescriptorExt::decode`].
    ///
    /// ```
    /// use tobu::prelude::*;
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
    /// The value is malformed, exceeds a limit, or does not fit the type.
    fn decode<'de, T: Deserialize<'de>>(&self, fields: &'de [u8]) -> Result<Option<T>>;
}

impl ExtensionDescriptorExt for ExtensionDescriptor {
    fn decode<'de, T: Deserialize<'de>>(&self, fields: &'de [u8]) -> Result<Option<T>> {
        let table = extension_table(self)?;
        let Only(value) = DecodeOptions::new().partial(true).read(Schema::Table(&table), fields, None)?;
        Ok(value)
    }
}

/// Reads the options of an element of a schema, including custom options.
///
/// `use tobu::prelude::*` brings this trait into scope.
pub trait OptionsExt: sealed::Sealed {
    /// Reads a custom option by the full name of its extension. Returns `None` if the option is not set.
    ///
    /// The file of the element knows the extensions that its options use, because it imports them. If the file does not know
    /// the name, the result is `None`. To avoid misspelled names, call [`extension`](Self::extension) with a constant.
    ///
    /// ```no_run
    /// use tobu::prelude::*;
    /// # fn example(method: &tobu::MethodDescriptor) -> Result<(), tobu::Error> {
    /// #[derive(serde::Deserialize)]
    /// struct HttpRule {
    ///     get: Option<String>,
    ///     post: Option<String>,
    ///     body: String,
    /// }
    ///
    /// let rule: Option<HttpRule> = method.options().get("google.api.http")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The extension belongs to other options, or [`ExtensionDescriptorExt::decode`] would fail.
    fn get<T: DeserializeOwned>(&self, extension: &str) -> Result<Option<T>>;

    /// Returns the value of a custom option, or `None` if the option is not set.
    ///
    /// For example, `method.options().extension(&HTTP)?` is the typed rule of `google.api.http`. If `extension` is an
    /// [`ExtensionDescriptor`], the result is a [`Value`](crate::reflect::Value).
    ///
    /// # Errors
    /// The extension belongs to the options of another kind of element, or its value is malformed.
    fn extension<E: ExtensionKey>(&self, extension: &E) -> Result<Option<E::Value>>;

    /// Returns the options as a message. Its extensions are the custom options.
    ///
    /// The message type comes from the pool, or from this crate if the pool does not have
    /// `google/protobuf/descriptor.proto`.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use tobu::prelude::*;
    /// use library::v1::Book;
    /// use tobu::{Message, Pool};
    ///
    /// let descriptor = Book::descriptor();
    /// let options = descriptor.options().message(&Pool::global())?;
    /// assert_eq!(options.descriptor().full_name(), "google.protobuf.MessageOptions");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The options are malformed.
    fn message(&self, pool: &Pool) -> Result<DynamicMessage>;
}

impl OptionsExt for OptionsRef<'_> {
    fn get<T: DeserializeOwned>(&self, extension: &str) -> Result<Option<T>> {
        let Some(found) = self.extension_named(extension) else { return Ok(None) };
        if found.extendee().full_name() != self.message_name() {
            let (extendee, options) = (found.extendee(), self.message_name());
            let message = format!("{extension} extends {}, not {options}", extendee.full_name());
            return Err(Error::schema(message));
        }
        found.decode(self.encoded())
    }

    fn extension<E: ExtensionKey>(&self, extension: &E) -> Result<Option<E::Value>> {
        extension_of_options(self, extension)
    }

    fn message(&self, pool: &Pool) -> Result<DynamicMessage> {
        options_message(self, pool)
    }
}

/// The value of a message's only field.
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
