//! The derive macros of `tobu`. Use them through `tobu`, which re-exports them next to the traits.
//!
//! Every macro has these steps: `attr` and `ast` parse the input, `valid` checks the parsed input, and `expand` generates the
//! impls. After an error, `fallback` generates replacements, so that one mistake leads to one message.

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

/// Implements a protobuf message for a struct with named fields.
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
/// | `package = "library.v1"` | the proto package of a message that declares its own schema; by default there is no package |
/// | `name = "Shelf"` | the name in the package; by default the Rust name |
/// | `descriptor = EXPR, message = "library.v1.Shelf"` | the message is declared elsewhere: `EXPR` is a pool, a file descriptor, a generated file or the message descriptor itself, and `message` is the full name of the message |
/// | `crate = "path"` | the path of the crate `tobu`, if it is not `::tobu` |
/// | `json(ignore_unknown)` | a human-readable format of serde, such as `serde_json`, skips members that the schema does not have, also in the messages inside |
/// | `direct` | `Serialize` and `Deserialize` are derived by tobu, and `Default` returns the empty message. Therefore tobu's functions need not call these traits, which is a little faster. Generated types have this attribute |
/// | `stated = SLOT`, `extendable`, `lookup` | for generated types. `stated`: the attributes and types say everything that the descriptor says, so a program that only encodes, decodes and prints with `Debug` does not link the descriptor; nothing checks the attributes against the descriptor. `extendable`: the message may have extensions. `lookup`: the message may contain extensions or a `google.protobuf.Any`, also in the messages inside. `SLOT` is the `tobu::descriptor::FileSlot` of the file |
///
/// # On a field
///
/// | attribute | meaning |
/// | --- | --- |
/// | `1` or `number = 1` | the field number. If the message has a `descriptor`, the number is optional, and the field is looked up by name |
/// | `sint32`, `sint64`, `fixed32`, `fixed64`, `sfixed32`, `sfixed64` | the wire kind of the value, of the elements or of the map values |
/// | `key = "sint32"`, `value = "fixed64"` | the wire kinds of a map |
/// | `name = "proto_name"`, `json_name = "jsonName"` | the names of the field, if they are not the default names |
/// | `packed`, `packed = false` | whether a list of numbers is packed |
/// | `default = 7` | the default value. For an enum it is the proto name of the value, as a string |
/// | `required` | the field must have a value |
/// | `delimited` or `group` | the message is written between two tags, and not after a length prefix. If the schema is `stated`, `group` says that it is a group of proto2, so the text format uses the name of the group's message for the field |
/// | `loose` | the schema allows strings that are not UTF-8; for a type whose schema is `stated` |
/// | `oneof` | the member is an `Option` of an enum that derives [`Oneof`](macro@Oneof) |
/// | `unknown` | the member is a `tobu::UnknownFields`, which keeps the fields that the struct does not have |
/// | `redact` | [`Debug`](macro@Debug) does not show the value |
/// | `with = path::to::Type` | converts the values of the field to a type of your own: `Type` implements `tobu::member::Convert<T>`, and the member is a `T`, an `Option<T>`, a `Vec<T>` or a map to `T` |
/// | `presence`, `bit = 0` | `presence`: the member is a `tobu::Presence`. `bit`: the field is set if this bit of the `Presence` is set, so it is stored without an `Option` |
/// | `skip` | the member is not a field; it is `Default::default()` after decoding |
///
/// If the message has a `descriptor` and is not `stated`, the schema, and not the attributes, describes the fields. Encoding is
/// fastest if the attributes give the number, the wire kind and `required` as the schema does.
///
/// The macro also reads `#[serde(rename)]`, `#[serde(rename_all)]` and `#[serde(skip)]`, so you can derive serde's own
/// `Serialize` and `Deserialize` instead of tobu's. These attributes change the names in formats of serde, not the proto names.
#[proc_macro_derive(Message, attributes(tobu, serde))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Message, &input).into()
}

/// Implements a oneof for an enum of newtype variants, which are the alternatives.
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
/// A variant accepts the field attributes of [`Message`](macro@Message) that make sense for a single value. Its proto name is
/// its name in snake case, unless `name` sets another one. If the messages with the oneof are `stated`, the enum must be
/// `stated`, too.
#[proc_macro_derive(Oneof, attributes(tobu, serde))]
pub fn derive_oneof(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Oneof, &input).into()
}

/// Implements a protobuf enum for a Rust enum or for a newtype over `i32`.
///
/// A Rust enum is closed, unless one variant holds all numbers without a variant of their own. A newtype is open.
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
/// A Rust enum is open if one variant has the attribute `unknown`. This variant holds all numbers without a variant. The
/// attributes of the other variants give them their numbers. Do not create the unknown variant with one of these numbers,
/// because this value would differ from the named variant.
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
/// `conversions` adds `From<i32>`, or `TryFrom<i32>` for a closed enum, and a conversion from the type to `i32`. It also adds
/// `Display`, `FromStr` and `TryFrom<&str>`, which use the proto name, or the number if it has no name. Generated types have
/// these conversions.
///
/// `package`, `name` and `crate` have the meaning that [`Message`](macro@Message) describes. `descriptor = EXPR, enumeration =
/// "library.v1.Color"` binds a Rust enum or a newtype to a descriptor that exists elsewhere. The proto name of a variant is its
/// name in screaming snake case, unless `name` sets another one. `json_name` gives a value another name in JSON, on a variant
/// or as `values(WHITE = 0, #[tobu(json_name = "ink")] BLACK = 1)`. The default value of a Rust enum is the variant with number
/// zero, or the first variant if no variant has this number; a member with such an enum and without an `Option` is always
/// written. `stated = SLOT` works as it does for messages. `closed(0, 1)` says that the enum in the schema is closed, and lists
/// its numbers in the order of declaration.
///
/// Names of values belong to the package, as in C++, so two enums of one package must not have a value with the same name.
#[proc_macro_derive(Enumeration, attributes(tobu, serde))]
pub fn derive_enumeration(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(Derive::Enumeration, &input).into()
}

/// Derives serde's `Serialize` for a type that derives [`Message`](macro@Message), [`Oneof`](macro@Oneof) or
/// [`Enumeration`](macro@Enumeration).
///
/// It differs from serde's own derive. In human-readable formats, a message has its ProtoJSON form. In other formats, byte
/// strings are written as bytes and not as lists, and an enum is written as its number. tobu's own formats get a message as a
/// whole.
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
/// It differs from serde's own derive, because it merges the input into the existing value, as protobuf requires: a missing
/// field is not an error, a field that occurs twice is merged, and allocations are reused. A struct may borrow from the input
/// with members such as `&'a str`, `&'a [u8]` and `Cow<'a, str>`.
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
/// It differs from the standard derive: enum values are printed with their names, fields that are not set are omitted, and the
/// value of a field with the option `debug_redact` or the attribute `redact` is hidden. The output is for people and may change
/// in new versions. The text format is stable, see `tobu::text`.
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

/// Binds the members of a struct to fields of a message. A member has the path of its field, so that `tobu::sink::rows` can
/// fill the struct from bytes.
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
/// `tobu::sink::Row` lists the types that members can have, and `tobu::sink::Plan` describes paths. The struct may have one
/// lifetime, the lifetime of the input. Members for fields outside of the innermost repeated message must be `Clone`.
///
/// | attribute of the struct | meaning |
/// | --- | --- |
/// | `message = Type` | the Rust type of the message. Without this attribute, a `tobu::sink::RowPlan` reads the rows of a message that is found at run time |
/// | `descriptor = EXPR, message = "library.v1.Shelf"` | the message with this full name in `EXPR`, as for [`Message`](macro@Message) |
/// | `rows = "books[]"` | the repeated message whose elements are rows, if no member has a path through it |
/// | `crate = "path"` | the path of the crate `tobu`, if it is not `::tobu` |
///
/// Each member has the attribute `path`.
#[proc_macro_derive(Row, attributes(tobu))]
pub fn derive_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    row::derive(&input).into()
}

/// The doctest compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
