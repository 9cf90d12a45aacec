//! The derive macros of `tobu`; use them through that crate, which re-exports them next to the traits.
//!
//! Every macro has these steps: `attr` and `ast` parse, `valid` checks, and `expand` writes the impls. After an
//! error, `fallback` writes replacements, so that one mistake gives one message.

mod ast;
mod attr;
mod case;
mod errors;
mod expand;
mod fallback;
mod row;
mod serde_attr;
mod valid;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// The macro that is running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Derive {
    Message,
    Oneof,
    Enumeration,
    Serialize,
    Deserialize,
    Debug,
}

/// Makes a struct with named fields a protobuf message.
///
/// ```
/// use std::collections::BTreeMap;
/// use tobu::Message;
///
/// #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// #[tobu(package = "library.v1")]
/// struct Shelf {
///     #[tobu(1)]
///     name: String,
///     #[tobu(2)]
///     theme: Option<String>,
///     #[tobu(3, sint32)]
///     levels: Vec<i32>,
///     #[tobu(4, key = "fixed64")]
///     books: BTreeMap<u64, String>,
///     #[tobu(oneof)]
///     owner: Option<Owner>,
///     #[tobu(unknown)]
///     unknown_fields: tobu::UnknownFields,
/// }
///
/// #[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
/// enum Owner {
///     #[tobu(5)]
///     Person(String),
///     #[tobu(6, fixed64)]
///     Company(u64),
/// }
///
/// let shelf = Shelf { name: "Poems".into(), levels: vec![-1, 1], ..Shelf::default() };
/// let bytes = tobu::to_vec(&shelf)?;
/// assert_eq!(bytes, b"\x0a\x05Poems\x1a\x02\x01\x02");
/// assert_eq!(tobu::from_slice::<Shelf>(&bytes)?, shelf);
/// assert_eq!(Shelf::descriptor().full_name(), "library.v1.Shelf");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # On the struct
///
/// | attribute | meaning |
/// | --- | --- |
/// | `package = "library.v1"` | the proto package of a message that declares its own schema; none by default |
/// | `name = "Shelf"` | the name in that package; the Rust name by default |
/// | `descriptor = EXPR, message = "library.v1.Shelf"` | the message is not declared here: it is the one of that name in `EXPR`, a pool, a file descriptor, a generated file or the message descriptor itself |
/// | `crate = "path"` | where `tobu` is found, if not at `::tobu` |
/// | `json(ignore_unknown)` | a format of serde that people read, as `serde_json`, skips members that the schema does not have, in the messages inside, too |
/// | `direct` | `Serialize` and `Deserialize` are tobu's own, and `Default` gives the empty message: tobu's verbs go past the traits, which is a little faster; generated types have it |
/// | `stated = SLOT`, `extendable`, `lookup` | the attributes and types say all that the descriptor does, whether messages may have extensions, and whether they lead to such or to `google.protobuf.Any`: a program that only encodes, decodes and prints by `Debug` does not link the descriptor. For generated types: nothing compares them with the descriptor again. `SLOT` is the `tobu::descriptor::FileSlot` of the file |
///
/// # On a field
///
/// | attribute | meaning |
/// | --- | --- |
/// | `1` or `number = 1` | the field number; a bound message may leave it out, then the field is looked up by name |
/// | `sint32`, `sint64`, `fixed32`, `fixed64`, `sfixed32`, `sfixed64` | the wire kind of the value, element or map value |
/// | `key = "sint32"`, `value = "fixed64"` | the wire kinds of a map |
/// | `name = "proto_name"`, `json_name = "jsonName"` | names, where they are not the usual ones |
/// | `packed`, `packed = false` | the layout of a list of numbers |
/// | `default = 7` | the default value; an enum value by its proto name, as a string |
/// | `required` | the field must have a value |
/// | `delimited` or `group` | the message is written between two tags, not after its length. Where the schema is `stated`, `group` says that proto2 declares it, so that text calls it by the name of its message |
/// | `loose` | strings need not be UTF-8 by the schema; for a type whose schema is `stated` |
/// | `oneof` | the member is an `Option` of an enum that derives [`Oneof`](macro@Oneof) |
/// | `unknown` | the member is a `tobu::UnknownFields` and keeps what the struct does not name |
/// | `redact` | [`Debug`](macro@Debug) does not show the value |
/// | `with = path::to::Type` | a string or bytes in a type of your own, by a `tobu::member::Convert<T>` that `Type` implements: the member is a `T`, an `Option<T>`, a `Vec<T>` or a map to `T` |
/// | `presence`, `bit = 0` | the member is a `tobu::Presence`; a field with `bit` is set where that bit of it is set, and is stored without an `Option` |
/// | `skip` | the member is not a field; it is `Default::default()` after decoding |
///
/// For a bound message, the schema decides everything, unless the message is `stated`. It is written fastest if the
/// attributes say the number, the wire kind and `required` as the schema does.
///
/// `#[serde(rename)]`, `#[serde(rename_all)]` and `#[serde(skip)]` are understood, so that serde's own `Serialize`
/// and `Deserialize` can be derived instead of tobu's. They change what other serde formats see, not the proto names.
#[proc_macro_derive(Message, attributes(tobu, serde))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Message, &input).into()
}

/// Makes an enum of newtype variants the alternatives of a oneof.
///
/// ```
/// #[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
/// enum Owner {
///     #[tobu(5)]
///     Person(String),
///     #[tobu(6, fixed64, name = "company_id")]
///     Company(u64),
/// }
///
/// #[derive(tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Shelf {
///     #[tobu(oneof)]
///     owner: Option<Owner>,
/// }
///
/// let bytes = tobu::to_vec(&Shelf { owner: Some(Owner::Person("Ada".into())) })?;
/// assert_eq!(bytes, b"\x2a\x03Ada");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A variant accepts the field attributes of [`Message`](macro@Message) that make sense for a single value. Its proto
/// name is its name in snake case, unless `name` sets another. Use `stated` on the enum for a oneof of messages that
/// are `stated`.
#[proc_macro_derive(Oneof, attributes(tobu, serde))]
pub fn derive_oneof(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Oneof, &input).into()
}

/// Makes a Rust enum, or a newtype over `i32`, a protobuf enumeration.
///
/// A Rust enum is closed, because it cannot hold a number without a variant, unless it has a variant for all others.
/// A newtype is open.
///
/// ```
/// use tobu::Enumeration;
///
/// #[derive(Clone, Copy, Debug, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
/// #[tobu(package = "library.v1")]
/// enum Binding {
///     Paperback = 0,
///     #[tobu(name = "BINDING_HARD")]
///     Hardcover = 1,
/// }
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
/// #[tobu(package = "library.v1", values(WHITE = 0, BLACK = 1))]
/// struct Color(pub i32);
///
/// assert_eq!(Color::BLACK, Color(1));
/// assert_eq!(Color(7).number(), 7);
/// assert_eq!(Binding::from_number(7), None);
/// assert_eq!(Binding::Hardcover.name(), Some("BINDING_HARD"));
/// ```
///
/// A Rust enum is open if it has a variant with `unknown`, which holds all numbers without a variant. The attributes
/// give its values their numbers. Do not make the unknown variant with one of these numbers, because it would differ
/// from the named variant.
///
/// ```
/// # use tobu::Enumeration;
/// #[derive(Clone, Copy, Debug, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
/// #[tobu(package = "library.v1", conversions)]
/// enum Shade {
///     #[tobu(0)]
///     Light,
///     #[tobu(1)]
///     Dark,
///     #[tobu(unknown)]
///     Unknown(i32),
/// }
///
/// assert_eq!(Shade::from(7), Shade::Unknown(7));
/// assert_eq!("DARK".parse::<Shade>()?, Shade::Dark);
/// assert_eq!(format!("{} {}", Shade::Dark, Shade::Unknown(7)), "DARK 7");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// `conversions` adds `From<i32>`, or `TryFrom<i32>` for a closed enum, and `From` the type for `i32`. It also adds
/// `Display`, `FromStr` and `TryFrom<&str>`, which use the proto name, or the number if there is none. Generated
/// types have these.
///
/// `package`, `name` and `crate` have the meaning that [`Message`](macro@Message) describes; `descriptor = EXPR,
/// enumeration = "library.v1.Color"` binds either form to a descriptor that exists elsewhere. The proto name of a
/// variant is its name in screaming snake case, unless `name` sets another. `json_name` gives a value another name in
/// JSON: on a variant, or as `values(WHITE = 0, #[tobu(json_name = "ink")] BLACK = 1)`. The default value of a Rust
/// enum is the variant with number zero, or the first variant if there is none; a plain member with such an enum is
/// always written. `stated = SLOT` works as for messages. `closed(0, 1)` says that the enum of the schema is closed,
/// and lists its numbers in the order of declaration.
///
/// The names of values are names in the package, as in C++, so two enumerations of one package must not share them.
#[proc_macro_derive(Enumeration, attributes(tobu, serde))]
pub fn derive_enumeration(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Enumeration, &input).into()
}

/// Derives serde's `Serialize` for a type that derives [`Message`](macro@Message), [`Oneof`](macro@Oneof) or
/// [`Enumeration`](macro@Enumeration).
///
/// It differs from serde's own derive in three ways. Byte strings are bytes and not lists. Messages are passed as a
/// whole. An enumeration is its number, or its proto name in human-readable formats.
///
/// ```
/// #[derive(tobu::Message, tobu::Serialize)]
/// struct Blob {
///     #[tobu(1)]
///     content: Vec<u8>,
/// }
/// assert_eq!(tobu::to_vec(&Blob { content: vec![7] }).unwrap(), [0x0A, 1, 7]);
/// ```
#[proc_macro_derive(Serialize, attributes(tobu, serde))]
pub fn derive_serialize(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Serialize, &input).into()
}

/// Derives serde's `Deserialize`, and `Merge` or `MergeOneof`, for a type that derives [`Message`](macro@Message),
/// [`Oneof`](macro@Oneof) or [`Enumeration`](macro@Enumeration).
///
/// It differs from serde's own derive in that a value is merged into the existing one, as protobuf requires: a
/// missing field is not an error, a field that occurs twice is merged, and allocations are used again. A struct may
/// borrow from the input: `&'a str`, `&'a [u8]`, `Cow<'a, str>`.
///
/// ```
/// #[derive(tobu::Message, tobu::Deserialize)]
/// struct Line<'a> {
///     #[tobu(1)]
///     text: &'a str,
/// }
/// assert_eq!(tobu::from_slice::<Line<'_>>(&[0x0A, 2, b'h', b'i']).unwrap().text, "hi");
/// ```
#[proc_macro_derive(Deserialize, attributes(tobu, serde))]
pub fn derive_deserialize(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Deserialize, &input).into()
}

/// Derives `Debug` for a type that derives [`Message`](macro@Message), [`Oneof`](macro@Oneof) or
/// [`Enumeration`](macro@Enumeration).
///
/// It differs from the standard derive in three ways. Enum values have their names. Fields that are not set are
/// omitted. The value of a field with the option `debug_redact` or the attribute `redact` is hidden. The text is for
/// people and may change; the text format is stable, see `tobu::text`.
///
/// ```
/// #[derive(tobu::Message, tobu::Debug)]
/// struct Login {
///     #[tobu(1)]
///     user: String,
///     #[tobu(2, redact)]
///     password: String,
///     #[tobu(3)]
///     attempts: u32,
/// }
///
/// let login = Login { user: "ann".into(), password: "secret".into(), attempts: 0 };
/// assert_eq!(format!("{login:?}"), r#"Login { user: "ann" password: [REDACTED] }"#);
/// ```
#[proc_macro_derive(Debug, attributes(tobu, serde))]
pub fn derive_debug(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Debug, &input).into()
}

/// Binds the members of a struct to fields of a message by paths, so that `tobu::sink::rows` can read the struct from
/// bytes.
///
/// ```
/// #[derive(tobu::Message)]
/// #[tobu(package = "library.v1")]
/// struct Shelf {
///     #[tobu(1)]
///     name: String,
///     #[tobu(2)]
///     books: Vec<Book>,
/// }
///
/// #[derive(tobu::Message)]
/// #[tobu(package = "library.v1")]
/// struct Book {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     pages: Option<u32>,
/// }
///
/// #[derive(Debug, PartialEq, tobu::Row)]
/// #[tobu(message = Shelf)]
/// struct BookRow<'a> {
///     #[tobu(path = "name")]
///     shelf: &'a str,
///     #[tobu(path = "books[].title")]
///     title: &'a str,
///     #[tobu(path = "books[].pages")]
///     pages: Option<u32>,
/// }
///
/// let bytes = b"\x0a\x01A\x12\x09\x0a\x04Dune\x10\x9c\x03\x12\x06\x0a\x04Emma";
/// let rows: Vec<_> = tobu::sink::rows::<BookRow>(bytes).collect::<tobu::Result<_>>()?;
/// assert_eq!(rows[0], BookRow { shelf: "A", title: "Dune", pages: Some(412) });
/// assert_eq!(rows[1], BookRow { shelf: "A", title: "Emma", pages: None });
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// `tobu::sink::Row` lists the types that members can have, and `tobu::sink::Plan` describes paths. The struct may
/// have one lifetime, that of the input. Members outside of the innermost repeated message must be `Clone`.
///
/// | attribute of the struct | meaning |
/// | --- | --- |
/// | `message = Type` | the message, by its Rust type. Without it rows are read by a `tobu::sink::RowPlan`, of a message found at run time |
/// | `descriptor = EXPR, message = "library.v1.Shelf"` | the message of that name in `EXPR`, as for [`Message`](macro@Message) |
/// | `rows = "books[]"` | the repeated message whose elements are rows, where no member says it |
/// | `crate = "path"` | where `tobu` is found, if not at `::tobu` |
///
/// Each member has a `path`.
#[proc_macro_derive(Row, attributes(tobu))]
pub fn derive_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    row::derive(&input).into()
}

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
