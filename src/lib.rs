//! Protocol Buffers as a real serde data format, with first-class reflection.
//!
//! A message is a plain Rust struct that implements serde's traits. Its *descriptor* has what serde does not know: field
//! numbers, wire types, presence and the names in the schema. tobu has one decoder and one encoder per format, which follow a
//! table of the fields, so it generates no codec for a type. There are three ways to get a message type.
//!
//! # Generate types from `.proto` files
//!
//! `tobu-build` generates structs in `build.rs`, without `protoc`:
//!
//! ```ignore
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     tobu_build::Config::new().compile(&["proto/library/v1/library.proto"], &["proto"])?;
//!     Ok(())
//! }
//! ```
//!
//! [`include_proto!`] then includes a module per package. Use the structs in this module like your own:
//!
//! ```
//! # use tobu_schemas::library;
//! use library::v1::{Book, Genre, book};
//!
//! let book = Book {
//!     title: "Dune".into(),
//!     genre: Genre::FICTION,
//!     place: Some(book::Place::Position(3)),
//!     ..Book::default()
//! };
//! let bytes = tobu::to_vec(&book)?;
//! let again: Book = tobu::from_slice(&bytes)?;
//! assert_eq!(again, book);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! # Derive on your own structs
//!
//! ```
//! use tobu::{Deserialize, Message, Serialize};
//!
//! #[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
//! #[tobu(package = "library.v1")]
//! struct Reader<'a> {
//!     #[tobu(1)]
//!     name: &'a str,
//!     #[tobu(2, sint32)]
//!     balance: i32,
//!     #[tobu(3)]
//!     email: Option<String>,
//! }
//!
//! let reader = Reader { name: "Ann", balance: -2, email: None };
//! let bytes = tobu::to_vec(&reader)?;
//! assert_eq!(bytes, b"\x0a\x03Ann\x10\x03");
//! assert_eq!(tobu::from_slice::<Reader>(&bytes)?, reader);
//!
//! let schema = Reader::descriptor().file().to_proto_text()?;
//! assert!(schema.contains("sint32 balance = 2;"));
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! Serde's own derives work, too. tobu's are faster, because tobu fills a type with its own derives directly, but reads a type
//! with serde's derives by way of a dynamic message. The derive [`Message`](derive@Message) lists the attributes.
//!
//! # Load a schema at run time
//!
//! ```
//! use tobu::prelude::*;
//! # let descriptor_set = { tobu_schemas::library::v1::Book::descriptor(); tobu::Pool::global().to_descriptor_set() };
//! let pool = tobu::Pool::from_descriptor_set(&descriptor_set)?;
//! let book = pool.message("library.v1.Book").unwrap();
//!
//! let bytes = book.encode(&serde_json::json!({"title": "Dune", "genre": "GENRE_FICTION"}))?;
//! let tree: serde_json::Value = book.decode(&bytes)?;
//! assert_eq!(tree["title"], "Dune");
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! `decode` reads not only such trees, but any type that implements serde's `Deserialize`: see
//! [`MessageDescriptorExt::decode`].
//!
//! # Where things are
//!
//! | for | see |
//! | --- | --- |
//! | encoding and decoding | the [functions](#functions) below, the methods of [`Message`]; [`EncodeOptions`], [`DecodeOptions`], [`Limits`] |
//! | JSON and the text format | [`json`], [`text`]; from one format to another, without a message: [`convert`] |
//! | your own types as messages | the derive [`Message`](derive@Message); as members: [`member`], [`lazy`], [`VecMap`] of [`vec_map`]; well-known ones: [`types`] |
//! | many messages, or a part of a large one | [`stream`], [`Projection`]; memory that is used again: [`reuse`] |
//! | reading without a struct | [`Parsed`] and [`parsed`]: accessors; with the feature `sink`, into rows and columns: `sink` and the derive `Row` |
//! | schemas | [`Pool`] and [`descriptor`]; with the feature `source`, `.proto` files at run time: `source` |
//! | messages of a schema at run time | [`DynamicMessage`] and [`dynamic`]; the methods of descriptors: [`prelude`] |
//! | reflection | [`Reflect`] and [`reflect`] |
//! | serde | [`Serialize`], [`Deserialize`]; a message through serde's traits: [`Serializer`], [`Deserializer`] |
//! | what went wrong, and where | [`Result`], [`Error`] with its [`Category`], path of [`Segment`]s and [`Position`] |
//!
//! The features `prost`, `rpc`, `arbitrary` and `proptest` add modules for messages of prost, for the status of a call, and for
//! fuzzers and property tests. [`wire`] reads and writes bytes without a schema.
//!
//! # Names
//!
//! Functions and options at the root of the crate belong to the wire format. An item of another format, or of one kind of
//! stream, has a short name in its module, as in other crates for serde: [`json::Options`], [`text::Options`],
//! [`json::Elements`].
#![deny(unsafe_code)]

// The code of the derives names `::tobu`, inside this crate too. The compiler counts an item that only macros name as
// unused.
#[allow(unused_extern_crates)]
extern crate self as tobu;
mod syntax;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(feature = "arbitrary")]
pub mod arbitrary;
mod codec;
pub mod convert;
mod deserializer;
mod deserializer_methods;
pub mod json;
mod layout;
mod message;
mod object;
mod options;
#[cfg(feature = "prost")]
pub mod prost;
pub mod reuse;
#[cfg(feature = "rpc")]
pub mod rpc;
mod schema;
mod serde;
mod serializer;
#[cfg(feature = "sink")]
pub mod sink;
pub mod stream;
mod table;
pub mod text;
#[cfg(feature = "derive")]
pub mod types;
/// The descriptors of the well-known types. With the feature `derive`, this module has the types, too.
#[cfg(not(feature = "derive"))]
#[path = "types/files_alone.rs"]
pub mod types;
pub mod vec_map;
mod verbs;

#[cfg(feature = "source")]
pub use tobu_schema::source;
pub use tobu_schema::{descriptor, wire};
use tobu_schema::{error, limits, sort};

pub use descriptor::{
    EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, FieldShape, FileDescriptor,
    Kind, MessageDescriptor, MethodDescriptor, OneofDescriptor, Pool, ServiceDescriptor,
};
pub use deserializer::Deserializer;
pub use error::{Category, Error, Position, Result, Segment};
pub use layout::member;
pub use layout::{Presence, UnknownFields};
pub use limits::Limits;
pub use message::dynamic::DynamicMessage;
pub use message::parsed::Parsed;
pub use message::projection::Projection;
pub use message::reflect::{Extension, Reflect, Reflection};
pub use message::{
    DefaultInstance, DescriptorSource, Enumeration, Merge, Message, MessageName, MessageOwned, Oneof,
};
pub use message::{dynamic, lazy, parsed, reflect};
pub use options::{DecodeOptions, EncodeOptions};
pub use serde::encode::Encode;
pub use serde::others::MessageSeed;
pub use serializer::Serializer;
#[cfg(feature = "streams")]
pub use stream::{Element, ElementDecoder, Elements, FromElement};
pub use stream::{MessageReader, MessageWriter};
pub use vec_map::VecMap;
pub use verbs::{
    ExtensionDescriptorExt, MessageDescriptorExt, OptionsExt, ProjectedOptions, encoded_len, from_buf,
    from_buf_delimited, from_bytes, from_reader, from_slice, from_slice_in_place, merge, to_buf,
    to_buf_delimited, to_vec, to_writer,
};

/// The traits whose methods a program calls, for `use tobu::prelude::*`.
///
/// | trait | methods |
/// | --- | --- |
/// | [`Message`] | methods that encode, decode and merge messages, and access to their schema |
/// | [`Enumeration`] | the name and the number of an enum value |
/// | [`Reflect`], [`Extensions`](crate::reflect::Extensions) | fields and extensions of any message |
/// | [`MessageDescriptorExt`] | `decode`, `encode` and `seed` for any type that implements the traits of serde; `project`, which makes a [`Projection`] |
/// | [`ExtensionDescriptorExt`] | `decode`, which reads the value of an extension |
/// | [`OptionsExt`] | `get`, `extension` and `message`, which read custom options |
///
/// ```
/// use tobu::prelude::*;
/// use tobu::types::Duration;
///
/// let duration = Duration::descriptor();
/// let bytes = duration.encode(&serde_json::json!({"seconds": 5}))?;
/// assert_eq!(Duration::decode(&bytes[..])?, Duration { seconds: 5, ..Duration::default() });
/// # Ok::<(), tobu::Error>(())
/// ```
pub mod prelude {
    pub use crate::message::reflect::{Extensions, Reflect};
    pub use crate::message::{Enumeration, Message};
    pub use crate::verbs::{ExtensionDescriptorExt, MessageDescriptorExt, OptionsExt};
}

#[doc(no_inline)]
pub use ::serde::{de::Deserialize, ser::Serialize};
#[cfg(all(feature = "derive", feature = "sink"))]
pub use tobu_derive::Row;
#[cfg(feature = "derive")]
pub use tobu_derive::{Debug, Deserialize, Enumeration, Message, Oneof, Serialize};

/// Includes the Rust file that `tobu-build` wrote in the build script: `tobu.rs`, or the file with the given name.
///
/// ```ignore
/// tobu::include_proto!(); // tobu.rs
///
/// mod weather {
///     tobu::include_proto!("weather"); // weather.rs, from `Config::out_file("weather.rs")`
/// }
/// ```
#[macro_export]
macro_rules! include_proto {
    () => {
        $crate::include_proto!("tobu");
    };
    ($file:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $file, ".rs"));
    };
}

/// Implements the traits of a generated type that refers to a parsed message. Only generated code uses this macro.
#[macro_export]
#[doc(hidden)]
macro_rules! __parsed_reference {
    ($reference:ident, $message:ident) => {
        #[allow(deprecated)]
        impl ::core::marker::Copy for $reference<'_> {}

        #[allow(deprecated)]
        impl ::core::clone::Clone for $reference<'_> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        #[allow(deprecated)]
        impl ::core::cmp::PartialEq for $reference<'_> {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::parsed::TypedRef::untyped(*self) == $crate::parsed::TypedRef::untyped(*other)
            }
        }

        #[allow(deprecated)]
        impl ::core::fmt::Debug for $reference<'_> {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&$crate::parsed::TypedRef::untyped(*self), f)
            }
        }

        #[allow(deprecated)]
        impl<'a> $crate::parsed::Value<'a> for $reference<'a> {
            #[inline]
            fn of(item: $crate::parsed::Item<'a>) -> Self {
                Self(item.fields())
            }
        }

        #[allow(deprecated)]
        impl<'a> $crate::parsed::TypedRef<'a> for $reference<'a> {
            type Message = $message;

            #[inline]
            fn untyped(self) -> $crate::parsed::Untyped<'a> {
                self.0.untyped::<$message>()
            }
        }

        #[allow(deprecated)]
        impl $crate::parsed::Parse for $message {
            type Ref<'a> = $reference<'a>;
        }
    };
}

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../README.md")]
struct Readme;
