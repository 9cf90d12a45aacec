//! The options that say how messages become columns.

use crate::columns::Columns;
use arrow_schema::TimeUnit;
use tobu::{DecodeOptions, MessageDescriptor, Pool, Result};

/// How messages become columns: which fields, and as which types of Arrow.
///
/// | field | type of Arrow |
/// | --- | --- |
/// | numbers and `bool` | the type of the same width and sign |
/// | `string`, `bytes` | `Utf8` and `Binary`, or [views](Texts) |
/// | an enum | a [dictionary](Enums) of the names of its values |
/// | a message | `Struct` |
/// | a repeated field | `List` |
/// | a map | `Map` |
/// | the members of a oneof | a nullable column each, or a [union](Oneofs) |
/// | `google.protobuf.Timestamp` | `Timestamp`, in UTC |
/// | `google.protobuf.Duration` | `Duration` |
/// | wrappers, such as `google.protobuf.Int64Value` | what they wrap, nullable |
/// | `google.protobuf.Struct`, `Value`, `ListValue` | `Utf8` with JSON, marked as `arrow.json` |
///
/// Fields with presence are nullable. If other fields are absent, the column has their default, or an empty list. All
/// fields keep their proto names.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
/// use tobu_arrow::{Enums, Options};
///
/// let columns = Options::new().fields(&["title", "genre"]).enums(Enums::Number).columns(&Book::descriptor())?;
/// let fields: Vec<String> = columns.schema().fields().iter().map(|field| field.to_string()).collect();
/// assert_eq!(columns.schema().field(1).name(), "genre");
/// assert_eq!(columns.schema().field(1).data_type(), &arrow_schema::DataType::Int32);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) enums: Enums,
    pub(crate) oneofs: Oneofs,
    pub(crate) texts: Texts,
    pub(crate) unit: TimeUnit,
    pub(crate) recursion: Option<usize>,
    pub(crate) most: usize,
    pub(crate) decode: DecodeOptions,
    pub(crate) pool: Option<Pool>,
}

/// The type of the columns of enums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enums {
    /// A dictionary of the names, with `Int32` keys. Numbers without a name are in it as decimal text.
    #[default]
    Dictionary,
    /// `Utf8`: the name, or the number as decimal text.
    Text,
    /// `Int32`: the number.
    Number,
}

/// The type of the columns of oneofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oneofs {
    /// A nullable column for each member.
    #[default]
    Columns,
    /// A sparse `Union` that is named like the oneof. Its type 0, named `none`, says that no member is set; each other type is
    /// one more than the position of the member in its oneof.
    Union,
}

/// The types of the columns of strings and byte strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// `Utf8` and `Binary`.
    #[default]
    Plain,
    /// `Utf8View` and `BinaryView`: short values lie in the column itself.
    Views,
}

impl Options {
    /// Returns all fields, with the first choice of each enum.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects only the fields that the paths of a field mask name, as in a [`Projection`](tobu::Projection). A path
    /// has proto names or JSON names, joined by dots, and also leads into the elements of lists and the values of maps.
    /// An extension is its full name in brackets.
    #[must_use]
    pub fn fields<P: AsRef<str>>(self, paths: &[P]) -> Self {
        Options { fields: Some(paths.iter().map(|path| path.as_ref().to_owned()).collect()), ..self }
    }

    /// The type of the columns of enums.
    #[must_use]
    pub fn enums(self, enums: Enums) -> Self {
        Options { enums, ..self }
    }

    /// The type of the columns of oneofs.
    #[must_use]
    pub fn oneofs(self, oneofs: Oneofs) -> Self {
        Options { oneofs, ..self }
    }

    /// The types of the columns of strings and byte strings.
    #[must_use]
    pub fn texts(self, texts: Texts) -> Self {
        Options { texts, ..self }
    }

    /// Sets the unit of timestamps and durations; nanoseconds by default. Times that are not a multiple of the unit are
    /// rounded down. A message with a time that 64 bits of the unit cannot hold is a bad message: nanoseconds reach
    /// from the year 1677 to 2262.
    #[must_use]
    pub fn time_unit(self, unit: TimeUnit) -> Self {
        Options { unit, ..self }
    }

    /// Follows message types that contain themselves, up to this many messages of one type inside of each other. Messages that
    /// are deeper become the bytes that encode them, as `Binary`. By default such types are refused.
    ///
    /// ```
    /// let schema = r#"syntax = "proto3"; message Node { string name = 1; Node next = 2; }"#;
    /// let node = tobu::Pool::from_sources(&[("node.proto", schema)])?.message("Node").unwrap();
    ///
    /// let error = tobu_arrow::Options::new().columns(&node).unwrap_err();
    /// assert_eq!(error.to_string(), "Node.next: Node contains itself: set `recursion`, or leave the field out by `fields`");
    ///
    /// let columns = tobu_arrow::Options::new().recursion(1).columns(&node)?;
    /// assert_eq!(columns.schema().field(1).data_type(), &arrow_schema::DataType::Binary);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recursion(self, levels: usize) -> Self {
        Options { recursion: Some(levels.max(1)), ..self }
    }

    /// Sets the maximum number of columns, including columns in other columns; 10,000 by default.
    #[must_use]
    pub fn most_columns(self, most: usize) -> Self {
        Options { most, ..self }
    }

    /// Sets the limits of each message, and whether required fields may be missing.
    #[must_use]
    pub fn decode(self, decode: DecodeOptions) -> Self {
        Options { decode, ..self }
    }

    /// Sets the pool in which extensions are looked up; the [global pool](Pool::global) by default.
    #[must_use]
    pub fn pool(self, pool: &Pool) -> Self {
        Options { pool: Some(pool.clone()), ..self }
    }

    /// Returns the columns of a message type.
    ///
    /// # Errors
    /// A path names no field, a type contains itself, or there are too many columns.
    pub fn columns(&self, descriptor: &MessageDescriptor) -> Result<Columns> {
        Columns::with_options(descriptor, self)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fields: None,
            enums: Enums::default(),
            oneofs: Oneofs::default(),
            texts: Texts::default(),
            unit: TimeUnit::Nanosecond,
            recursion: None,
            most: 10_000,
            decode: DecodeOptions::new(),
            pool: None,
        }
    }
}
