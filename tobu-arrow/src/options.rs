//! Options that say how messages are converted to columns.

use crate::columns::Columns;
use arrow_schema::TimeUnit;
use tobu::{DecodeOptions, MessageDescriptor, Pool, Result};

/// Says which fields become columns, and which Arrow types the columns have.
///
/// | field | Arrow type |
/// | --- | --- |
/// | numbers and `bool` | the type of the same width and sign |
/// | `string`, `bytes` | `Utf8` and `Binary`, or [views](Texts) |
/// | an enum | a [dictionary](Enums) of the names of its values |
/// | a message | `Struct` |
/// | a repeated field | `List` |
/// | a map | `Map` |
/// | fields of a oneof | a nullable column for each field, or a [union](Oneofs) |
/// | `google.protobuf.Timestamp` | `Timestamp`, in UTC |
/// | `google.protobuf.Duration` | `Duration` |
/// | wrappers, such as `google.protobuf.Int64Value` | the type of the wrapped value, nullable |
/// | `google.protobuf.Struct`, `Value`, `ListValue` | `Utf8` with JSON, marked as `arrow.json` |
///
/// Fields with presence become nullable columns. If a field without presence is absent, its column has the default value or an
/// empty list. A column has the proto name of its field. The column of an extension has the full name of the extension in
/// brackets.
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

/// The type of a column for an enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enums {
    /// A dictionary of the names, with `Int32` keys. The dictionary also has the numbers without a name, as decimal text.
    #[default]
    Dictionary,
    /// `Utf8` with the names. A number without a name is written as decimal text.
    Text,
    /// `Int32` with the numbers.
    Number,
}

/// The type of the columns for a oneof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oneofs {
    /// A nullable column for each field of the oneof.
    #[default]
    Columns,
    /// A sparse `Union` with the name of the oneof. The type id 0, named `none`, means that no field is set. The type id of
    /// each field is its position in the oneof, counted from 1.
    Union,
}

/// The types of columns for strings and byte strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// `Utf8` and `Binary`.
    #[default]
    Plain,
    /// `Utf8View` and `BinaryView`. Short values are stored in the column itself.
    Views,
}

impl Options {
    /// Returns options that select all fields, with the default type for each column.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects only the fields that the paths of a field mask name, as for a [`Projection`](tobu::Projection). A path consists
    /// of proto names or JSON names, joined by dots. It can lead into the elements of lists and the values of maps. An
    /// extension has its full name in brackets.
    #[must_use]
    pub fn fields<P: AsRef<str>>(self, paths: &[P]) -> Self {
        Options { fields: Some(paths.iter().map(|path| path.as_ref().to_owned()).collect()), ..self }
    }

    /// Sets the type of columns for enums.
    #[must_use]
    pub fn enums(self, enums: Enums) -> Self {
        Options { enums, ..self }
    }

    /// Sets the type of columns for oneofs.
    #[must_use]
    pub fn oneofs(self, oneofs: Oneofs) -> Self {
        Options { oneofs, ..self }
    }

    /// Sets the types of columns for strings and byte strings.
    #[must_use]
    pub fn texts(self, texts: Texts) -> Self {
        Options { texts, ..self }
    }

    /// Sets the unit of timestamps and durations. The default is nanoseconds. A time that is not a multiple of the unit is
    /// rounded down. A message is bad if it has a time that does not fit in 64 bits in this unit: nanoseconds reach from the
    /// year 1677 to 2262.
    #[must_use]
    pub fn time_unit(self, unit: TimeUnit) -> Self {
        Options { unit, ..self }
    }

    /// Allows message types that contain themselves, with up to `levels` messages of the same type inside one another. A deeper
    /// message becomes a `Binary` value with its encoded bytes. By default, such types are refused.
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

    /// Sets the maximum number of columns, including columns inside other columns. The default is 10,000.
    #[must_use]
    pub fn most_columns(self, most: usize) -> Self {
        Options { most, ..self }
    }

    /// Sets the options with which each message is decoded: its limits, and whether required fields may be missing.
    #[must_use]
    pub fn decode(self, decode: DecodeOptions) -> Self {
        Options { decode, ..self }
    }

    /// Sets the pool in which extensions are looked up. The default is the [global pool](Pool::global).
    #[must_use]
    pub fn pool(self, pool: &Pool) -> Self {
        Options { pool: Some(pool.clone()), ..self }
    }

    /// Makes the columns of a message type.
    ///
    /// # Errors
    /// A path does not name a field, a type contains itself, messages nest deeper than 100 levels, there are too many columns,
    /// or a oneof has more than 127 fields, which no union can have.
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
