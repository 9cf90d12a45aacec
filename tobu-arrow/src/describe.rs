//! Makes a descriptor from an Arrow schema.

use crate::columns::Kept;
use arrow_schema::{DataType, Field, FieldRef, Schema};
use std::collections::BTreeSet;
use tobu::descriptor::{Edition, EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, Type};
use tobu::{Error, MessageDescriptor, Pool, Result};

/// Makes a descriptor for messages with this full name, from an Arrow schema. [`Messages`](crate::Messages) can encode the rows
/// of the schema as such messages.
///
/// The schema of [`Columns`](crate::Columns) records in its metadata from which fields the columns were made: the field
/// numbers, the type of a field if several types have the same Arrow type, and the values of enums. So the messages have the
/// same wire format as the original messages. Without this metadata, fields are numbered from 1. Message types and enum types
/// are named after their columns.
///
/// | Arrow type | field |
/// | --- | --- |
/// | numbers of 32 and 64 bits, `Boolean` | the type of the same width and sign |
/// | `Utf8`, `LargeUtf8`, `Utf8View`, dictionaries of `Utf8` by `Int32` | `string`, or an enum if the metadata has its values |
/// | `Binary`, `LargeBinary`, `BinaryView` | `bytes` |
/// | `Timestamp`, `Duration` | `google.protobuf.Timestamp`, `Duration` |
/// | `Struct` | a message |
/// | `List`, `LargeList` | a repeated field |
/// | `Map` | a map |
/// | `Union` | a oneof |
///
/// A column that is nullable becomes a field with presence.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
///
/// let fields = vec![Field::new("name", DataType::Utf8, false), Field::new("size", DataType::Int64, true)];
/// let message = tobu_arrow::descriptor(&Schema::new(fields), "files.v1.File")?;
/// assert_eq!(message.full_name(), "files.v1.File");
/// assert_eq!(message.field_by_name("size").unwrap().number(), 2);
/// assert!(message.field_by_name("size").unwrap().has_presence());
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// No field can have the type of a column, a column has a name that protobuf does not allow, or two fields share a name or a
/// number.
pub fn descriptor(schema: &Schema, full_name: &str) -> Result<MessageDescriptor> {
    let (package, name) = full_name.rsplit_once('.').unwrap_or(("", full_name));
    let mut describe = Describe { imports: BTreeSet::new() };
    let message = describe.message(name, schema.fields())?;
    let mut file = FileBuilder::new(format!("{}.proto", full_name.replace('.', "/")));
    file = file.package(package).edition(Edition::Edition2023).message(message);
    let mut imports = String::from("syntax = \"proto3\";");
    for import in describe.imports {
        let name = format!("google/protobuf/{import}.proto");
        imports.push_str(&format!("import \"{name}\";"));
        file = file.import(name);
    }
    // Compiling a source adds the files that it imports to the pool.
    let compiled = Pool::from_sources(&[("imports.proto", imports)]);
    let mut pool = compiled.map_err(|error| Error::schema(error.to_string()))?;
    file.add_to(&mut pool)?;
    pool.message(full_name)
        .ok_or_else(|| Error::schema(format!("{full_name:?} is not the name of a message")))
}

struct Describe {
    /// The names of the imported files of well-known types.
    imports: BTreeSet<&'static str>,
}

/// A field, and the message type that must be declared for the field.
struct Made {
    field: FieldBuilder,
    message: Option<MessageBuilder>,
    is_message: bool,
}

impl Describe {
    fn message(&mut self, name: &str, columns: &arrow_schema::Fields) -> Result<MessageBuilder> {
        let (mut message, mut next) = (MessageBuilder::new(name), 1);
        for column in columns {
            if let DataType::Union(members, _) = column.data_type() {
                let mut fields = Vec::new();
                for (_, member) in members.iter().filter(|(_, member)| *member.data_type() != DataType::Null)
                {
                    let (made, number) = self.numbered(member, &mut next)?;
                    message = declare(message, &made);
                    fields.push(made.field.number(number));
                }
                message = message.oneof(column.name(), fields);
                continue;
            }
            let (made, number) = self.numbered(column, &mut next)?;
            message = declare(message, &made);
            let mut field = made.field.number(number);
            let is_repeated = is_list(column.data_type()) || matches!(column.data_type(), DataType::Map(..));
            if !column.is_nullable() && !made.is_message && !is_repeated {
                field = field.implicit();
            }
            message = message.field(field);
        }
        Ok(message)
    }

    /// Makes the field of a column, and returns the field and its number.
    fn numbered(&mut self, column: &FieldRef, next: &mut u32) -> Result<(Made, u32)> {
        let made = self.column(column).map_err(|error| error.in_field(column.name()))?;
        let number = column.metadata().get(Kept::NUMBER).and_then(|number| number.parse().ok());
        let number = number.unwrap_or(*next);
        *next = number.saturating_add(1);
        Ok((made, number))
    }

    fn column(&mut self, column: &Field) -> Result<Made> {
        match column.data_type() {
            DataType::List(item) | DataType::LargeList(item) => {
                if is_list(item.data_type()) || matches!(item.data_type(), DataType::Map(..)) {
                    return Err(Error::schema("a list of lists cannot be a field"));
                }
                let made = self.value(column.name(), item)?;
                Ok(Made { field: made.field.repeated(), ..made })
            }
            DataType::Map(entries, _) => {
                let DataType::Struct(members) = entries.data_type() else { return Err(no_field(column)) };
                let [key, value] = &members[..] else { return Err(no_field(column)) };
                let Some(key) = scalar(key) else { return Err(no_field(key)) };
                if is_list(value.data_type()) || matches!(value.data_type(), DataType::Map(..)) {
                    return Err(Error::schema("a map of lists cannot be a field"));
                }
                let made = self.value(column.name(), value)?;
                Ok(Made { field: made.field.keyed_by(key), ..made })
            }
            _ => self.value(column.name(), column),
        }
    }

    /// Makes a field with this name for a single value of the column.
    fn value(&mut self, name: &str, column: &Field) -> Result<Made> {
        let noted = column.metadata().get(Kept::TYPE).map_or("", String::as_str);
        let known = noted.strip_prefix("google.protobuf.");
        let is_json = column.metadata().get("ARROW:extension:name").is_some_and(|name| name == "arrow.json");
        let known = match column.data_type() {
            DataType::Timestamp(..) => Some("Timestamp"),
            DataType::Duration(_) => Some("Duration"),
            DataType::Struct(_) => None,
            _ if is_json => Some(known.unwrap_or("Value")),
            _ => known,
        };
        let file = match known {
            Some("Timestamp") => Some("timestamp"),
            Some("Duration") => Some("duration"),
            Some("Struct" | "Value" | "ListValue") => Some("struct"),
            Some(wrapper) if wrapper.ends_with("Value") && !wrapper.contains('.') => Some("wrappers"),
            _ => None,
        };
        if let (Some(known), Some(file)) = (known, file) {
            self.imports.insert(file);
            let field = FieldBuilder::message(name, format!(".google.protobuf.{known}"));
            return Ok(Made { field, message: None, is_message: true });
        }
        if let DataType::Struct(members) = column.data_type() {
            let ty = type_name(name);
            let mut field = FieldBuilder::message(name, &ty);
            if noted == Kept::GROUP {
                field = field.delimited();
            }
            let message = Some(self.message(&ty, members)?);
            return Ok(Made { field, message, is_message: true });
        }
        if let Some(values) = column.metadata().get(Kept::VALUES) {
            let ty = type_name(name);
            let field = FieldBuilder::enumeration(name, format!("{ty}.Value"));
            // The enum is inside a message of its own, because the names of its values must be unique in the scope around the
            // enum.
            let message = Some(MessageBuilder::new(ty).enumeration(enumeration("Value", values)?));
            return Ok(Made { field, message, is_message: false });
        }
        let Some(ty) = scalar(column) else { return Err(no_field(column)) };
        Ok(Made { field: FieldBuilder::new(name, ty), message: None, is_message: false })
    }
}

fn declare(mut message: MessageBuilder, made: &Made) -> MessageBuilder {
    if let Some(inside) = &made.message {
        message = message.message(inside.clone());
    }
    message
}

/// Makes an enum from its values as the metadata records them.
fn enumeration(name: &str, noted: &str) -> Result<EnumBuilder> {
    let (mut built, mut first) = (EnumBuilder::new(name), None);
    for value in noted.split(',') {
        let parsed = value.split_once('=').and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let Some((name, number)) = parsed else {
            return Err(Error::schema(format!("{value:?} is not a value of an enum")));
        };
        first.get_or_insert(number);
        built = built.value(name, number);
    }
    // The first value of an open enum must be zero. So an enum with another first value is closed.
    Ok(if first == Some(0) { built } else { built.closed() })
}

fn is_list(ty: &DataType) -> bool {
    matches!(ty, DataType::List(_) | DataType::LargeList(_))
}

/// Returns `SpanLink_` for `span_link`. The underscore at the end keeps the type name different from the names of fields.
fn type_name(field: &str) -> String {
    let field = field.trim_matches(['[', ']']);
    let mut name = String::with_capacity(field.len() + 1);
    for part in field.split(['_', '.']) {
        let mut letters = part.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name.push('_');
    name
}

fn scalar(column: &Field) -> Option<Type> {
    let noted = column.metadata().get(Kept::TYPE).map_or("", String::as_str);
    Some(match (column.data_type(), noted) {
        (DataType::Boolean, _) => Type::Bool,
        (DataType::Int32, "sint32") => Type::SInt32,
        (DataType::Int32, "sfixed32") => Type::SFixed32,
        (DataType::Int32, _) => Type::Int32,
        (DataType::Int64, "sint64") => Type::SInt64,
        (DataType::Int64, "sfixed64") => Type::SFixed64,
        (DataType::Int64, _) => Type::Int64,
        (DataType::UInt32, "fixed32") => Type::Fixed32,
        (DataType::UInt32, _) => Type::UInt32,
        (DataType::UInt64, "fixed64") => Type::Fixed64,
        (DataType::UInt64, _) => Type::UInt64,
        (DataType::Float32, _) => Type::Float,
        (DataType::Float64, _) => Type::Double,
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, _) => Type::String,
        (DataType::Binary | DataType::LargeBinary | DataType::BinaryView, _) => Type::Bytes,
        (DataType::Dictionary(keys, values), _) if **keys == DataType::Int32 => match **values {
            DataType::Utf8 => Type::String,
            _ => return None,
        },
        _ => return None,
    })
}

#[cold]
fn no_field(column: &Field) -> Error {
    Error::schema(format!("no field has the type {}: cast the column", column.data_type()))
}
