//! Compares two descriptors, one of the program that writes a message and one of the program that reads it.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;

use crate::descriptor::{
    DefaultValue, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor, Type,
};

/// Compares the writer's descriptor of a message with the reader's, and also the types of their fields. The differences of one
/// message are in the order of the writer's fields.
///
/// The function compares two types only once, even if fields refer to them several times. It skips a pair of types if
/// its differences follow from pairs that were already compared. Therefore the time is linear in the size of both
/// schemas. Extensions are not compared.
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#updating>.
///
/// ```
/// use tobu::Message;
/// use tobu::descriptor::{Severity, compare};
///
/// #[derive(Message)]
/// #[tobu(package = "library.v1", name = "Loan")]
/// struct Old {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     days: u64,
/// }
///
/// #[derive(Message)]
/// #[tobu(package = "library.v2", name = "Loan")]
/// struct New {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     days: u32,
/// }
///
/// let differences = compare(&Old::descriptor(), &New::descriptor());
/// assert_eq!(differences[0].to_string(), "library.v1.Loan: the reader calls it library.v2.Loan");
/// assert_eq!(differences[1].severity(), Severity::Lossy);
/// assert_eq!(
///     differences[1].to_string(),
///     "library.v1.Loan.days: is uint64, but uint32 for the reader: numbers that do not fit are changed"
/// );
/// ```
pub fn compare(writer: &MessageDescriptor, reader: &MessageDescriptor) -> Vec<Difference> {
    let mut walk = Walk::new(Severity::Note, usize::MAX);
    run(&mut walk, writer, reader);
    walk.found
}

/// Returns the text of the first difference with the severity [`Severity::Breaking`]; `None` if no difference has this
/// severity.
pub fn find_breaking(writer: &MessageDescriptor, reader: &MessageDescriptor) -> Option<String> {
    let mut walk = Walk::new(Severity::Breaking, 1);
    run(&mut walk, writer, reader);
    walk.found.first().map(Difference::to_string)
}

/// Compares two messages, and all pairs of types that their fields contain.
fn run(walk: &mut Walk, writer: &MessageDescriptor, reader: &MessageDescriptor) {
    walk.messages.add(writer, reader);
    while walk.found.len() < walk.most {
        if let Some((writer, reader)) = walk.enums.next() {
            compare_enums(walk, &writer, &reader);
        } else if let Some((writer, reader)) = walk.messages.next() {
            compare_fields(walk, &writer, &reader);
        } else {
            break;
        }
    }
}

/// The effect of a difference on reading messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The reader can read all values. Some values have another name for the reader, or become unknown fields.
    Note,
    /// Some values change or are lost, or the reader rejects messages with these values. The reader can read all other values.
    Lossy,
    /// The reader cannot read a field, or would read it as another field.
    Breaking,
}

/// A difference between the writer's descriptor and the reader's descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    severity: Severity,
    path: String,
    message: String,
}

impl Difference {
    /// Returns how severe the difference is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the full name of the element that differs. The name is from the writer's schema, or from the reader's if
    /// the writer's schema does not have the element.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Describes the difference.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The state of a comparison: pairs of messages and of enums, and the differences that were found.
struct Walk {
    found: Vec<Difference>,
    /// The lowest severity that is recorded.
    least: Severity,
    /// The maximum number of differences that are recorded.
    most: usize,
    messages: Pairs<MessageDescriptor>,
    enums: Pairs<EnumDescriptor>,
}

/// Pairs of a writer's type and a reader's type that have not been compared yet, in the order in which they were found.
///
/// A type is in the same set as all types with which it was compared. If both types of a pair are in one set, this pair
/// is skipped, because its differences follow from the pairs that formed the set. Therefore fewer pairs are compared
/// than there are types. Without the sets, two rings of types could lead to all combinations of their types.
struct Pairs<T> {
    open: VecDeque<(T, T)>,
    /// The index of each type in `sets`.
    indices: HashMap<T, usize>,
    /// For each type, the index of another type in the same set, or its own index if the type represents the set.
    sets: Vec<usize>,
}

impl<T: Clone + Eq + Hash> Pairs<T> {
    fn new() -> Self {
        Pairs { open: VecDeque::new(), indices: HashMap::new(), sets: Vec::new() }
    }

    fn add(&mut self, writer: &T, reader: &T) {
        let (one, other) = (self.set(writer), self.set(reader));
        if one != other {
            self.sets[one] = other;
            self.open.push_back((writer.clone(), reader.clone()));
        }
    }

    /// Returns the index of the type that represents the set with the type `of`.
    fn set(&mut self, of: &T) -> usize {
        let mut index = *self.indices.entry(of.clone()).or_insert_with(|| {
            self.sets.push(self.sets.len());
            self.sets.len() - 1
        });
        while self.sets[index] != index {
            // This halves the path to the representative for the next search.
            self.sets[index] = self.sets[self.sets[index]];
            index = self.sets[index];
        }
        index
    }

    fn next(&mut self) -> Option<(T, T)> {
        self.open.pop_front()
    }
}

impl Walk {
    fn new(least: Severity, most: usize) -> Self {
        Walk { found: Vec::new(), least, most, messages: Pairs::new(), enums: Pairs::new() }
    }

    /// Records a difference, if it is severe enough and fewer than `most` differences were recorded.
    fn add(&mut self, severity: Severity, path: &str, message: fmt::Arguments<'_>) {
        if severity >= self.least && self.found.len() < self.most {
            self.found.push(Difference { severity, path: path.to_owned(), message: message.to_string() });
        }
    }
}

fn compare_enums(walk: &mut Walk, writer: &EnumDescriptor, reader: &EnumDescriptor) {
    if writer.full_name() != reader.full_name() {
        walk.add(
            Severity::Note,
            writer.full_name(),
            format_args!("the reader calls it {}", reader.full_name()),
        );
    }
    if !writer.is_closed() && reader.is_closed() {
        walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("takes any number, but for the reader, numbers without a name are unknown fields"),
        );
    }
    for value in writer.values() {
        match reader.value_name(value.number()) {
            // If several values of the reader have this number, one of them must have the same name.
            Some(name) if name == value.name() || reader.value_by_name(value.name()).is_some() => {}
            Some(name) => {
                walk.add(Severity::Note, value.full_name(), format_args!("the reader calls it {name}"));
            }
            None if reader.is_closed() => walk.add(
                Severity::Lossy,
                value.full_name(),
                format_args!("the reader does not have it: it becomes an unknown field"),
            ),
            None => walk.add(
                Severity::Note,
                value.full_name(),
                format_args!("the reader does not have it: it is a number without a name"),
            ),
        }
    }
}

fn compare_fields(walk: &mut Walk, writer: &MessageDescriptor, reader: &MessageDescriptor) {
    let path = writer.full_name();
    // The name of a map entry only depends on the name of the map, so it is not compared.
    let is_named = !(writer.is_map_entry() && reader.is_map_entry());
    if path != reader.full_name() && is_named {
        walk.add(Severity::Note, path, format_args!("the reader calls it {}", reader.full_name()));
    }
    if writer.is_message_set() != reader.is_message_set() {
        walk.add(
            Severity::Breaking,
            path,
            format_args!("is in the format of message sets only for one side: it cannot be read"),
        );
    }
    for field in writer.fields() {
        match reader.field_by_number(field.number()) {
            Some(other) => same_number(walk, &field, &other),
            None => removed(walk, &field, reader),
        }
    }
    for field in reader.fields().filter(|field| writer.field_by_number(field.number()).is_none()) {
        added(walk, &field, writer);
    }
    reader.oneofs().for_each(|oneof| joined(walk, &oneof, writer));
    writer.oneofs().for_each(|oneof| parted(walk, &oneof, reader));
}

fn same_number(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    if writer.name() != reader.name() {
        walk.add(Severity::Note, writer.full_name(), format_args!("the reader calls it {}", reader.name()));
    }
    compare_types(walk, writer, reader);
    occurrence(walk, writer, reader);
    if reader.is_required() && !writer.is_required() {
        walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("is required by the reader, which refuses messages without it"),
        );
    }
    let is_single = |field: &FieldDescriptor| !field.is_list() && !field.is_map();
    if !is_single(writer) || !is_single(reader) {
        return;
    }
    match (writer.has_presence(), reader.has_presence()) {
        (true, false) => walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("the reader does not see whether it is set to its default"),
        ),
        (false, true) => walk.add(
            Severity::Note,
            writer.full_name(),
            format_args!("the reader sees its default as not set"),
        ),
        _ => {}
    }
    if writer.ty() == reader.ty() && default(writer) != default(reader) {
        walk.add(Severity::Lossy, writer.full_name(), format_args!("has another default for the reader"));
    }
}

fn occurrence(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    let path = writer.full_name();
    let (from, to) = (occurs(writer), occurs(reader));
    match (from, to) {
        _ if from == to => {}
        ("a list", "a map") => walk.add(
            Severity::Lossy,
            path,
            format_args!("is a list, but a map for the reader, which keeps the last of equal keys"),
        ),
        (_, "singular") if writer.is_packed() => walk.add(
            Severity::Breaking,
            path,
            format_args!("is a packed list, but singular for the reader: it cannot be read"),
        ),
        (_, "singular") => walk.add(
            Severity::Lossy,
            path,
            format_args!("is {from}, but singular for the reader: the last value replaces the value before it, or is merged into it"),
        ),
        _ => walk.add(Severity::Note, path, format_args!("is {from}, and {to} for the reader")),
    }
}

fn occurs(field: &FieldDescriptor) -> &'static str {
    match (field.is_map(), field.is_list()) {
        (true, _) => "a map",
        (_, true) => "a list",
        _ => "singular",
    }
}

/// Returns the default value as text, so that two NaN values are equal.
fn default(field: &FieldDescriptor) -> Option<String> {
    let first =
        |field: &FieldDescriptor| Some(DefaultValue::Enum(field.enum_type()?.default_value().number()));
    let default = field.default().cloned().or_else(|| first(field));
    default.map(|default| format!("{default:?}"))
}

fn removed(walk: &mut Walk, field: &FieldDescriptor, reader: &MessageDescriptor) {
    let path = field.full_name();
    match reader.field_by_name(field.name()) {
        Some(other) => walk.add(
            Severity::Breaking,
            path,
            format_args!("has number {}, but {} for the reader", field.number(), other.number()),
        ),
        None => walk.add(
            Severity::Note,
            path,
            format_args!("the reader does not have it: it becomes an unknown field"),
        ),
    }
}

fn added(walk: &mut Walk, field: &FieldDescriptor, writer: &MessageDescriptor) {
    if field.is_required() {
        walk.add(
            Severity::Breaking,
            field.full_name(),
            format_args!("is required by the reader, but the writer does not have it"),
        );
    } else if writer.field_by_name(field.name()).is_none() {
        walk.add(Severity::Note, field.full_name(), format_args!("the writer does not have it"));
    }
}

/// Reports a oneof of the reader if the writer may set several of its fields, because the reader keeps only one.
fn joined(walk: &mut Walk, oneof: &OneofDescriptor, writer: &MessageDescriptor) {
    if let Some((first, other)) = apart(oneof, writer) {
        walk.add(
            Severity::Lossy,
            oneof.full_name(),
            format_args!(
                "the writer may set both {} and {}, but the reader keeps only one",
                first.name(),
                other.name()
            ),
        );
    }
}

/// Reports a oneof of the writer whose fields are not in one oneof of the reader.
fn parted(walk: &mut Walk, oneof: &OneofDescriptor, reader: &MessageDescriptor) {
    if apart(oneof, reader).is_some() {
        walk.add(
            Severity::Note,
            oneof.full_name(),
            format_args!("its fields are not in one oneof for the reader"),
        );
    }
}

/// Finds two fields of `oneof` that are not together in a oneof of the message `other`.
fn apart(oneof: &OneofDescriptor, other: &MessageDescriptor) -> Option<(FieldDescriptor, FieldDescriptor)> {
    let mut first: Option<FieldDescriptor> = None;
    for field in oneof.fields() {
        let Some(field) = other.field_by_number(field.number()) else { continue };
        match &first {
            None => first = Some(field),
            Some(first) if field.oneof().is_none() || field.oneof() != first.oneof() => {
                return Some((first.clone(), field));
            }
            Some(_) => {}
        }
    }
    None
}

/// How a reader reads a value whose writer used another type.
enum Reading {
    /// The reader can read all values.
    Whole,
    /// The reader cannot read some values. The text is the reason.
    Partly(&'static str),
    /// The wire types differ, so the reader does not read the value.
    Not,
    /// The bytes have another meaning for the reader.
    Wrongly,
}

fn compare_types(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    match (writer.kind(), reader.kind()) {
        (Kind::Message(one), Kind::Message(other)) => {
            walk.messages.add(&one, &other);
            let how = |delimited| if delimited { "as a group" } else { "after its length" };
            let (written, read) = (how(writer.is_delimited()), how(reader.is_delimited()));
            if written != read {
                walk.add(
                    Severity::Breaking,
                    writer.full_name(),
                    format_args!("is written {written}, but {read} for the reader: it cannot be read"),
                );
            }
        }
        (Kind::Enum(one), Kind::Enum(other)) => walk.enums.add(&one, &other),
        (Kind::String, Kind::String) if reader.validates_utf8() && !writer.validates_utf8() => walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("need not be UTF-8, but the reader refuses strings that are not UTF-8"),
        ),
        (one, other) if one.ty() == other.ty() => {}
        (one, other) => {
            let (severity, words, rest) = match reading(writer, reader) {
                Reading::Whole => (Severity::Note, "and", ""),
                Reading::Partly(rest) => (Severity::Lossy, "but", rest),
                Reading::Not => (Severity::Breaking, "but", "it cannot be read"),
                Reading::Wrongly => (Severity::Breaking, "but", "it would be read as something else"),
            };
            let colon = if rest.is_empty() { "" } else { ": " };
            walk.add(
                severity,
                writer.full_name(),
                format_args!("is {}, {words} {} for the reader{colon}{rest}", one.ty(), other.ty()),
            );
        }
    }
}

fn reading(writer: &FieldDescriptor, reader: &FieldDescriptor) -> Reading {
    let (from, to) = (writer.ty(), reader.ty());
    match (from, to) {
        (Type::Message, _) if writer.is_delimited() => return Reading::Not,
        (_, Type::Message) if reader.is_delimited() => return Reading::Not,
        (Type::String | Type::Message, Type::Bytes) => return Reading::Whole,
        (Type::Bytes, Type::String) if !reader.validates_utf8() => return Reading::Whole,
        (Type::Bytes, Type::String) => return Reading::Partly("bytes that are not UTF-8 are refused"),
        (Type::Bytes, Type::Message) => {
            return Reading::Partly("bytes that are not such a message are refused");
        }
        _ => {}
    }
    if from.wire_type() != to.wire_type() {
        return Reading::Not;
    }
    const CHANGED: Reading = Reading::Partly("numbers that do not fit are changed");
    match (from, to) {
        (Type::SInt32, Type::SInt64) => Reading::Whole,
        (Type::SInt64, Type::SInt32) => CHANGED,
        (Type::Fixed32, Type::SFixed32) | (Type::SFixed32, Type::Fixed32) => CHANGED,
        (Type::Fixed64, Type::SFixed64) | (Type::SFixed64, Type::Fixed64) => CHANGED,
        _ => match (range(from), range(to)) {
            (Some((least, most)), Some((lower, upper))) => {
                let is_closed = reader.enum_type().is_some_and(|reader| reader.is_closed());
                match lower <= least && most <= upper {
                    _ if is_closed => Reading::Partly("numbers without a name are unknown fields"),
                    true => Reading::Whole,
                    false => CHANGED,
                }
            }
            _ => Reading::Wrongly,
        },
    }
}

/// Returns the range of numbers of a type whose values are written as plain varints; `None` for other types.
fn range(ty: Type) -> Option<(i128, i128)> {
    Some(match ty {
        Type::Bool => (0, 1),
        Type::Int32 | Type::Enum => (i32::MIN.into(), i32::MAX.into()),
        Type::UInt32 => (0, u32::MAX.into()),
        Type::Int64 => (i64::MIN.into(), i64::MAX.into()),
        Type::UInt64 => (0, u64::MAX.into()),
        _ => return None,
    })
}
