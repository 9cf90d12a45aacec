//! The Rust types that a setting chooses between.

/// Which message types are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Views {
    /// Only types that own their contents.
    #[default]
    None,
    /// Next to each `Shelf` a `ShelfView<'a>`, whose strings and bytes are borrowed from the input.
    Both,
    /// Only types that borrow.
    Only,
}

/// How the type of a message gives access to its fields.
///
/// All three hold the same, and equal messages have equal bytes, JSON, text and reflection, whichever they are. Views,
/// which borrow from the input, are [`Open`](Api::Open) ones always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// Fields are public members. There are getters of fields that know whether they are set, and, with
    /// [`Config::accessors`](super::Config::accessors), all other accessors.
    #[default]
    Open,
    /// Fields are public members; there are all accessors and a builder, which code is to use: it then compiles with
    /// [`Opaque`](Api::Opaque), too.
    Hybrid,
    /// Fields are private: there are accessors and a builder.
    ///
    /// So it is open how fields are stored. Where the other APIs have an `Option` of a number, string, byte string or
    /// enum, a bit says whether it is set, in one member for all of them (`tobu::Presence`). Single messages that are
    /// large are boxed. Messages take less memory, most of all those with many optional fields.
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
    /// The type of this absolute path: it derefs to `[u8]`.
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
    /// The type of this absolute path: it derefs to `str`.
    Custom(String),
}

/// The Rust type of a map field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapType {
    /// `std::collections::HashMap`; of types that own what they hold, all that are not set otherwise.
    #[default]
    HashMap,
    /// `std::collections::BTreeMap`: ordered output.
    BTreeMap,
    /// `tobu::VecMap`, a list while it is short or its keys ascend; of views, all that are not set otherwise.
    VecMap,
    /// The type of this absolute path, which takes a key and a value type.
    Custom(String),
}

/// A Rust type for a field, and the conversion that makes it a member.
#[derive(Clone, Debug)]
pub(crate) struct With {
    pub(crate) ty: String,
    pub(crate) convert: String,
    /// It is the type of the member, not of each value in it.
    pub(crate) whole: bool,
    /// The conversion takes messages of the generated type to those of prost.
    pub(crate) prost: bool,
}

/// The Rust type of an enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumType {
    /// A newtype over `i32` with an associated constant for each value: `Genre::FICTION`.
    #[default]
    Newtype,
    /// A Rust enum with a variant for each value: `Genre::Fiction`. An open enum has one more, `Unknown(i32)`, for numbers
    /// that the schema does not name; where a value has that name, it is `Unknown_`. Of two names of one number the first
    /// is a variant, the other a constant.
    Rust,
    /// `i32` in messages, as prost has it, for code that moves from there. Beside it there is a Rust enum with a variant for
    /// each value and none for other numbers: `Genre::Fiction as i32` and `Genre::try_from(number)` compile. For a field
    /// that is not a list or a map there is a getter, which returns the enum and for a number without a name its default,
    /// and a setter, which takes the enum or the number.
    I32,
}
