//! The types of settings that choose a Rust type or an API.

/// Says which kinds of types are generated for messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Views {
    /// Only types that own their contents.
    #[default]
    None,
    /// For a message `Shelf`, the owned type `Shelf` and the type `ShelfView<'a>`, whose strings and byte strings borrow from
    /// the input.
    Both,
    /// Only types that borrow from the input.
    Only,
}

/// Says how the type of a message gives access to its fields.
///
/// The choice does not change what a message can contain, or its bytes, JSON, text and reflection. Views, which borrow from the
/// input, are always [`Open`](Api::Open).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// Fields are public members. Fields with presence have getters. With [`Config::accessors`](super::Config::accessors), all
    /// fields have all accessors.
    #[default]
    Open,
    /// Fields are public members. All fields also have accessors, and the message has a builder. Code that uses only accessors
    /// and builders also compiles with [`Opaque`](Api::Opaque).
    Hybrid,
    /// Fields are private. They have accessors, and the message has a builder.
    ///
    /// Because fields are private, tobu can choose how to store them. With the other APIs, a number, string, byte string or
    /// enum with presence is in an `Option`. With this API, a presence bit says whether the field is set, and one member
    /// (`tobu::Presence`) contains the bits of all fields. Large single messages are boxed. Messages take less memory,
    /// especially messages with many optional fields.
    Opaque,
}

/// The Rust type of a `bytes` field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesType {
    /// `Vec<u8>`.
    #[default]
    Vec,
    /// `bytes::Bytes`. The crate needs a dependency on `bytes`.
    Bytes,
    /// The type with this absolute path. It must implement `Deref` with the target `[u8]`.
    Custom(String),
}

/// The Rust type of a `string` field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringType {
    /// `String`.
    #[default]
    String,
    /// `Box<str>`.
    BoxStr,
    /// The type with this absolute path. It must implement `Deref` with the target `str`.
    Custom(String),
}

/// The Rust type of a map field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapType {
    /// `std::collections::HashMap`. This is the default for owned types.
    #[default]
    HashMap,
    /// `std::collections::BTreeMap`, whose entries are sorted by key.
    BTreeMap,
    /// `tobu::VecMap`, which is a list while it is short or its keys ascend. This is the default for views.
    VecMap,
    /// The type with this absolute path. Its type parameters are the key and the value.
    Custom(String),
}

/// A Rust type for a field, and the conversion between it and the field's proto value.
#[derive(Clone, Debug)]
pub(crate) struct With {
    pub(crate) ty: String,
    pub(crate) convert: String,
    /// True if `ty` is the type of the whole member. False if it is the type of each value in the member.
    pub(crate) whole: bool,
    /// True if the conversion is between messages of the generated type and messages of prost.
    pub(crate) prost: bool,
}

/// The Rust type of an enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumType {
    /// A newtype over `i32` with an associated constant for each value: `Genre::FICTION`.
    #[default]
    Newtype,
    /// A Rust enum with a variant for each value: `Genre::Fiction`. An open enum has an additional variant `Unknown(i32)` for
    /// numbers without a name. If the schema has a value with the name `Unknown`, the additional variant is `Unknown_`. If a
    /// number has several names, the first name is a variant and each further name is a constant.
    Rust,
    /// `i32` in messages, as in prost. This is for code that moves from prost. In addition, there is a Rust enum with a variant
    /// for each value, but none for other numbers: `Genre::Fiction as i32` and `Genre::try_from(number)` compile. A field that
    /// is not a list or a map has a getter and a setter. The getter returns the enum; for a number without a name, it returns
    /// the default value. The setter takes the enum or the number.
    I32,
}
