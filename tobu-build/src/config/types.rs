//! The Rust types that a setting chooses between.

/// Which message types are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Views {
    /// Only types that own their contents.
    #[default]
    None,
    /// For each `Shelf` also a `ShelfView<'a>`, whose strings and bytes borrow from the input.
    Both,
    /// Only types that borrow.
    Only,
}

/// How the type of a message gives access to its fields.
///
/// All three store equal content, and equal messages have equal bytes, JSON, text and reflection with each. Views,
/// which borrow from the input, are always [`Open`](Api::Open).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// Fields are public members. There are getters of fields with presence, and, with
    /// [`Config::accessors`](super::Config::accessors), all other accessors.
    #[default]
    Open,
    /// Fields are public members. There are also all accessors and a builder; code that only uses these also compiles
    /// with [`Opaque`](Api::Opaque).
    Hybrid,
    /// Fields are private: there are accessors and a builder.
    ///
    /// This leaves open how fields are stored. Where the other APIs have an `Option` of a number, string, byte string
    /// or enum, a bit says whether it is set, in one member for all of them (`tobu::Presence`). Large single messages
    /// are boxed. Messages take less memory, especially those with many optional fields.
    Opaque,
}

/// The Rust type of a `bytes` field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesType {
    /// `Vec<u8>`.
    #[default]
    Vec,
    /// `bytes::Bytes`; the crate needs a dependency on `bytes`.
    Bytes,
    /// The type with this absolute path, which derefs to `[u8]`.
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
    /// The type with this absolute path, which derefs to `str`.
    Custom(String),
}

/// The Rust type of a map field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapType {
    /// `std::collections::HashMap`, the default for owned types.
    #[default]
    HashMap,
    /// `std::collections::BTreeMap`, which orders its entries.
    BTreeMap,
    /// `tobu::VecMap`, a list while it is short or its keys ascend; the default for views.
    VecMap,
    /// The type with this absolute path, which has a key and a value as parameters.
    Custom(String),
}

/// A Rust type for a field, and the conversion that makes it a member.
#[derive(Clone, Debug)]
pub(crate) struct With {
    pub(crate) ty: String,
    pub(crate) convert: String,
    /// It is the type of the member, not of each value in it.
    pub(crate) whole: bool,
    /// The conversion turns messages of the generated type into those of prost.
    pub(crate) prost: bool,
}

/// The Rust type of an enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumType {
    /// A newtype over `i32` with an associated constant for each value: `Genre::FICTION`.
    #[default]
    Newtype,
    /// A Rust enum with a variant for each value: `Genre::Fiction`. An open enum has an additional variant
    /// `Unknown(i32)` for numbers without a name; if a value has the name `Unknown`, the variant is `Unknown_`. Of
    /// two names of one number, the first is a variant, the other a constant.
    Rust,
    /// `i32` in messages, as in prost, for code that moves from there. There is also a Rust enum with a variant for
    /// each value and none for other numbers: `Genre::Fiction as i32` and `Genre::try_from(number)` compile. A field
    /// that is not a list or a map has a getter, which returns the enum, or its default for a number without a name,
    /// and a setter, which takes the enum or the number.
    I32,
}
