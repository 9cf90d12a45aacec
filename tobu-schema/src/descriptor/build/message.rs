//! Messages.

use super::scope::{Scope, clamp, some, text};
use super::{EnumBuilder, FieldBuilder};
use crate::descriptor::list::{Names, Numbers, each};
use crate::descriptor::names::written;
use crate::descriptor::raw::{DescriptorProto, ExtensionRange, OneofDescriptorProto, Options, ReservedRange};
use std::ops::Range;

/// Builds a message of a [`FileBuilder`](super::FileBuilder), or one nested in another.
///
/// ```
/// use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder, Type};
///
/// let message = MessageBuilder::new("Book")
///     .field(FieldBuilder::new("title", Type::String))
///     .oneof("place", [FieldBuilder::new("position", Type::UInt32), FieldBuilder::message("loan", "Loan")])
///     .message(MessageBuilder::new("Loan").field(FieldBuilder::new("reader", Type::String)));
/// let pool = FileBuilder::new("library.proto").package("library").message(message).build()?;
/// assert_eq!(pool.oneof("library.Book.place").unwrap().fields().count(), 2);
/// assert_eq!(pool.field("library.Book.loan").unwrap().number(), 3);
/// assert!(pool.message("library.Book.Loan").is_some());
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#simple>.
#[derive(Clone, Debug)]
#[must_use]
pub struct MessageBuilder {
    name: String,
    /// With the index of the oneof of each.
    fields: Vec<(FieldBuilder, Option<usize>)>,
    oneofs: Vec<String>,
    messages: Vec<MessageBuilder>,
    enums: Vec<EnumBuilder>,
    extensions: Vec<Range<u32>>,
    reserved: Vec<Range<u32>>,
    reserved_names: Vec<String>,
    options: Options,
}

/// Numbers that are for the implementations of protobuf.
const IMPLEMENTATIONS: Range<u32> = 19_000..20_000;

impl MessageBuilder {
    /// A message without fields.
    pub fn new(name: impl Into<String>) -> Self {
        MessageBuilder {
            name: name.into(),
            fields: Vec::new(),
            oneofs: Vec::new(),
            messages: Vec::new(),
            enums: Vec::new(),
            extensions: Vec::new(),
            reserved: Vec::new(),
            reserved_names: Vec::new(),
            options: Options::default(),
        }
    }

    /// Adds a field. One without a number gets the next free one after that of the field before it.
    pub fn field(mut self, field: FieldBuilder) -> Self {
        self.fields.push((field, None));
        self
    }

    /// Adds a oneof and its fields.
    pub fn oneof(mut self, name: impl Into<String>, fields: impl IntoIterator<Item = FieldBuilder>) -> Self {
        let index = self.oneofs.len();
        self.oneofs.push(name.into());
        self.fields.extend(fields.into_iter().map(|field| (field, Some(index))));
        self
    }

    /// Adds a field to a oneof that was added, by its index.
    #[doc(hidden)]
    pub fn field_in_oneof(mut self, oneof: usize, field: FieldBuilder) -> Self {
        self.fields.push((field, Some(oneof)));
        self
    }

    /// Adds a message that is nested in this one.
    pub fn message(mut self, message: MessageBuilder) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds an enum that is nested in this message.
    pub fn enumeration(mut self, enumeration: EnumBuilder) -> Self {
        self.enums.push(enumeration);
        self
    }

    /// Leaves numbers to extensions.
    pub fn extensions(mut self, numbers: Range<u32>) -> Self {
        self.extensions.push(numbers);
        self
    }

    /// Reserves numbers, which no field may have.
    ///
    /// ```
    /// use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder, Type};
    ///
    /// let message = MessageBuilder::new("M").reserved(1..3).reserved_name("old");
    /// let pool = FileBuilder::new("a.proto").message(message.field(FieldBuilder::new("a", Type::Bool))).build()?;
    /// assert_eq!(pool.field("M.a").unwrap().number(), 3);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn reserved(mut self, numbers: Range<u32>) -> Self {
        self.reserved.push(numbers);
        self
    }

    /// Reserves a name, which no field may have.
    pub fn reserved_name(mut self, name: impl Into<String>) -> Self {
        self.reserved_names.push(name.into());
        self
    }

    /// Adds options: a serialized `google.protobuf.MessageOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    /// The message as a descriptor.
    pub(super) fn raw(&self, scope: Scope<'_>) -> DescriptorProto<'_> {
        let full_name = scope.full_name(&self.name);
        let scope = Scope { name: &full_name, ..scope };
        let oneof = |name| OneofDescriptorProto { name: Some(name), ..OneofDescriptorProto::default() };
        let mut raw = DescriptorProto {
            name: Some(text(&self.name)),
            oneof_decl: each(&self.oneofs, |name| oneof(text(name))),
            extension_range: each(&self.extensions, extension_range),
            reserved_range: each(&self.reserved, reserved_range),
            reserved_name: each(&self.reserved_names, |name| text(name)),
            options: some(&self.options),
            ..DescriptorProto::default()
        };
        let mut names = Names::new();
        for (field, _) in &self.fields {
            names.insert(field.name.clone(), 0);
        }
        for oneof in &self.oneofs {
            names.insert(oneof.clone(), 0);
        }
        for ((field, oneof_index), number) in self.fields.iter().zip(self.numbers()) {
            let mut proto = field.raw(scope, number);
            raw.nested_type.extend(field.entry(&mut proto, scope));
            proto.oneof_index = oneof_index.map(index);
            if field.is_proto3_optional(scope.edition) && oneof_index.is_none() {
                proto.proto3_optional = Some(true);
                proto.oneof_index = Some(index(raw.oneof_decl.len()));
                raw.oneof_decl.push(oneof(synthetic_oneof(&field.name, &mut names).into()));
            }
            raw.field.push(proto);
        }
        for message in &self.messages {
            raw.nested_type.push(message.raw(scope));
        }
        raw.enum_type = each(&self.enums, |enumeration| enumeration.raw(scope));
        raw
    }

    /// The numbers of the fields: as given, else the next that is free.
    fn numbers(&self) -> Vec<Option<i32>> {
        let mut taken = Numbers::new();
        for (field, _) in &self.fields {
            taken.extend(field.number.map(|number| (number as usize, 0)));
        }
        let mut last = 0;
        each(&self.fields, |(field, _)| {
            last = field.number.unwrap_or_else(|| self.next_free(last, &taken));
            taken.insert(last as usize, 0);
            Some(clamp(last))
        })
    }

    /// The first number after `last` that is neither used nor reserved.
    fn next_free(&self, last: u32, taken: &Numbers) -> u32 {
        let mut number = last.saturating_add(1);
        while number < u32::MAX {
            let mut end = None;
            for ranges in [&self.reserved[..], &self.extensions, &[IMPLEMENTATIONS]] {
                for range in ranges {
                    if range.contains(&number) {
                        end = Some(range.end);
                    }
                }
            }
            match end {
                Some(end) => number = end,
                None if taken.contains_key(&(number as usize)) => number += 1,
                None => break,
            }
        }
        number
    }
}

/// The name of the oneof for explicit presence in proto3, as compilers name it: `_name`, with as many `X` before it as
/// make it unique.
fn synthetic_oneof(field: &str, names: &mut Names) -> String {
    let mut name = if field.starts_with('_') { field.to_owned() } else { written(format_args!("_{field}")) };
    while names.insert(name.clone(), 0).is_some() {
        name.insert(0, 'X');
    }
    name
}

fn extension_range(range: &Range<u32>) -> ExtensionRange {
    ExtensionRange { start: Some(clamp(range.start)), end: Some(clamp(range.end)), ..Default::default() }
}

fn reserved_range(range: &Range<u32>) -> ReservedRange {
    ReservedRange { start: Some(clamp(range.start)), end: Some(clamp(range.end)), ..Default::default() }
}

/// An index of a list, which is never so long.
fn index(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}
