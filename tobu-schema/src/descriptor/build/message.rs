//! Builds messages, fields and enums.

use std::borrow::Cow;
use std::ops::Range;

use crate::descriptor::build::file::{Scope, clamp, push_features, some, text};
use crate::descriptor::handle::{Names, Numbers, each};
use crate::descriptor::names::{entry_name, json_name, written};
use crate::descriptor::raw::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, ExtensionRange, FieldDescriptorProto,
    OneofDescriptorProto, Options, ReservedRange,
};
use crate::descriptor::{Edition, Type};

/// Builds a message of a [`FileBuilder`](super::FileBuilder), or a message nested in another message.
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
    /// The fields. A field in a oneof has the index of the oneof.
    fields: Vec<(FieldBuilder, Option<usize>)>,
    oneofs: Vec<String>,
    messages: Vec<MessageBuilder>,
    enums: Vec<EnumBuilder>,
    extensions: Vec<Range<u32>>,
    reserved: Vec<Range<u32>>,
    reserved_names: Vec<String>,
    options: Options,
}

/// Field numbers that are reserved for implementations of protobuf.
const IMPLEMENTATIONS: Range<u32> = 19_000..20_000;

impl MessageBuilder {
    /// Creates a message without fields.
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

    /// Adds a field. If the field has no number, it gets the next free number after the number of the previous field.
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

    /// Adds a field to the existing oneof with this index.
    #[doc(hidden)]
    pub fn field_in_oneof(mut self, oneof: usize, field: FieldBuilder) -> Self {
        self.fields.push((field, Some(oneof)));
        self
    }

    /// Adds a message that is nested in this message.
    pub fn message(mut self, message: MessageBuilder) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds an enum that is nested in this message.
    pub fn enumeration(mut self, enumeration: EnumBuilder) -> Self {
        self.enums.push(enumeration);
        self
    }

    /// Makes numbers available to extensions.
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

    /// Returns the numbers of the fields. A field without a number gets the next free number.
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

    /// Returns the first number after `last` that a field can have and no field has.
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

/// Returns the name of the synthetic oneof that expresses explicit presence in proto3. As compilers do, it adds `_`
/// before the name of the field, and then `X` until the name is unique.
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

/// Returns the index of an item in a list as `i32`. Lists are never longer than this type allows.
fn index(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}

/// Builds a field of a [`MessageBuilder`](super::MessageBuilder). The field is singular by default.
///
/// ```
/// use tobu::descriptor::{FieldBuilder, FileBuilder, MessageBuilder, Type};
///
/// let message = MessageBuilder::new("M")
///     .field(FieldBuilder::new("id", Type::Fixed64).number(5))
///     .field(FieldBuilder::new("note", Type::String).optional().json_name("remark"))
///     .field(FieldBuilder::new("samples", Type::SInt32).repeated().packed(false))
///     .field(FieldBuilder::message("children", "M").keyed_by(Type::String));
/// let pool = FileBuilder::new("a.proto").message(message).build()?;
/// let message = pool.message("M").unwrap();
/// let field = |number| message.field_by_number(number).unwrap();
/// assert!(field(6).has_presence() && field(6).json_name() == "remark");
/// assert!(field(7).is_list() && !field(7).is_packed());
/// assert!(field(8).is_map());
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#specifying-field-rules>.
#[derive(Clone, Debug)]
#[must_use]
pub struct FieldBuilder {
    pub(super) name: String,
    pub(super) number: Option<u32>,
    ty: Type,
    type_name: Option<String>,
    form: Form,
    key: Option<Type>,
    json_name: Option<String>,
    default: Option<String>,
    packed: Option<bool>,
    delimited: bool,
    redact: bool,
    options: Options,
}

/// How many values a field can have, and whether it has presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Singular,
    Implicit,
    Optional,
    Required,
    Repeated,
}

/// Field numbers of `google.protobuf.FieldOptions` and of its features.
mod option {
    pub(super) const PACKED: u32 = 2;
    pub(super) const DEBUG_REDACT: u32 = 16;
    pub(super) const FEATURES: u32 = 21;
    pub(super) const FIELD_PRESENCE: u32 = 1;
    pub(super) const IMPLICIT: u64 = 2;
    pub(super) const LEGACY_REQUIRED: u64 = 3;
    pub(super) const REPEATED_FIELD_ENCODING: u32 = 3;
    pub(super) const PACKED_ENCODING: u64 = 1;
    pub(super) const EXPANDED: u64 = 2;
    pub(super) const MESSAGE_ENCODING: u32 = 5;
    pub(super) const DELIMITED: u64 = 2;
}

const OPTIONAL: i32 = 1;

const REQUIRED: i32 = 2;

const REPEATED: i32 = 3;

const TYPE_GROUP: i32 = 10;

impl FieldBuilder {
    /// Creates a field of a scalar type. Without a number, the field gets the next free number after the number of the previous
    /// field.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        FieldBuilder {
            name: name.into(),
            number: None,
            ty,
            type_name: None,
            form: Form::Singular,
            key: None,
            json_name: None,
            default: None,
            packed: None,
            delimited: false,
            redact: false,
            options: Options::default(),
        }
    }

    /// Creates a field of a message type. The name of the type is resolved as in `.proto` source: the search starts in
    /// the message and continues outwards. If the name begins with a dot, it is a full name.
    pub fn message(name: impl Into<String>, type_name: impl Into<String>) -> Self {
        FieldBuilder { type_name: Some(type_name.into()), ..Self::new(name, Type::Message) }
    }

    /// Creates a field of an enum type. The name of the type is resolved as in `.proto` source: the search starts in
    /// the message and continues outwards. If the name begins with a dot, it is a full name.
    pub fn enumeration(name: impl Into<String>, type_name: impl Into<String>) -> Self {
        FieldBuilder { type_name: Some(type_name.into()), ..Self::new(name, Type::Enum) }
    }

    /// Sets the number.
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// Makes the field repeated.
    pub fn repeated(mut self) -> Self {
        self.form = Form::Repeated;
        self
    }

    /// Makes the field a map with keys of this type. The previous type of the field becomes the type of the values.
    pub fn keyed_by(mut self, key: Type) -> Self {
        self.key = Some(key);
        self
    }

    /// Gives the field explicit presence, as `optional` does in proto3. In proto2 and in editions this is the default.
    pub fn optional(mut self) -> Self {
        self.form = Form::Optional;
        self
    }

    /// Gives the field implicit presence: the field counts as set if its value is not the default value. This is only
    /// necessary in editions, because their default is explicit presence.
    pub fn implicit(mut self) -> Self {
        self.form = Form::Implicit;
        self
    }

    /// Makes the field required, as `required` does in proto2 and `LEGACY_REQUIRED` in editions.
    pub fn required(mut self) -> Self {
        self.form = Form::Required;
        self
    }

    /// Sets whether a repeated field is packed.
    pub fn packed(mut self, packed: bool) -> Self {
        self.packed = Some(packed);
        self
    }

    /// Encodes a message between two tags instead of after a length prefix: as a group in proto2, with `DELIMITED` in
    /// editions.
    pub fn delimited(mut self) -> Self {
        self.delimited = true;
        self
    }

    /// Sets the name in JSON.
    pub fn json_name(mut self, json_name: impl Into<String>) -> Self {
        self.json_name = Some(json_name.into());
        self
    }

    /// Sets the default value in the syntax of descriptors, such as `-1`, `inf` or `true`. A string is unchanged,
    /// bytes are escaped, and an enum value is given by its name.
    pub fn default(mut self, text: impl Into<String>) -> Self {
        self.default = Some(text.into());
        self
    }

    /// Sets the option `debug_redact`, which hides the value of the field in output for people.
    pub fn debug_redact(mut self) -> Self {
        self.redact = true;
        self
    }

    /// Adds options: a serialized `google.protobuf.FieldOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    /// Returns the field as the descriptor of an extension of a message.
    pub(super) fn extension<'a>(&'a self, extendee: &'a str, scope: Scope<'_>) -> FieldDescriptorProto<'a> {
        FieldDescriptorProto { extendee: Some(text(extendee)), ..self.raw(scope, self.number.map(clamp)) }
    }

    /// True if the field is `optional` in proto3, so that it needs a synthetic oneof.
    pub(super) fn is_proto3_optional(&self, edition: Edition) -> bool {
        edition == Edition::Proto3 && self.form == Form::Optional && self.key.is_none()
    }

    /// Returns the field as a descriptor. A map has no type yet, because its type is the message of its entries.
    pub(super) fn raw(&self, scope: Scope<'_>, number: Option<i32>) -> FieldDescriptorProto<'_> {
        let has_features = scope.edition.has_features();
        let mut raw = FieldDescriptorProto { number, ..self.value(text(&self.name), scope) };
        raw.json_name = Some(self.json_name.as_deref().map_or_else(|| json_name(&self.name).into(), text));
        raw.default_value = self.default.as_deref().map(text);
        let (mut options, mut features) = (Options::default(), Options::default());
        match self.form {
            Form::Implicit if scope.edition != Edition::Proto3 => {
                features.push_varint(option::FIELD_PRESENCE, option::IMPLICIT);
            }
            Form::Required if has_features => {
                features.push_varint(option::FIELD_PRESENCE, option::LEGACY_REQUIRED);
            }
            Form::Required => raw.label = Some(REQUIRED),
            Form::Repeated => raw.label = Some(REPEATED),
            Form::Singular | Form::Implicit | Form::Optional => {}
        }
        match self.packed {
            Some(packed) if has_features => {
                let encoding = if packed { option::PACKED_ENCODING } else { option::EXPANDED };
                features.push_varint(option::REPEATED_FIELD_ENCODING, encoding);
            }
            Some(packed) => options.push_varint(option::PACKED, u64::from(packed)),
            None => {}
        }
        if self.delimited && has_features {
            features.push_varint(option::MESSAGE_ENCODING, option::DELIMITED);
        }
        if self.redact {
            options.push_varint(option::DEBUG_REDACT, 1);
        }
        push_features(&mut options, option::FEATURES, &features);
        options.extend(self.options.encoded());
        raw.options = some(&options);
        raw
    }

    /// Returns a field descriptor with the type of the field's values.
    fn value<'a>(&'a self, name: Cow<'a, str>, scope: Scope<'_>) -> FieldDescriptorProto<'a> {
        let is_group = self.delimited && !scope.edition.has_features();
        FieldDescriptorProto {
            name: Some(name),
            label: Some(OPTIONAL),
            ty: Some(if is_group { TYPE_GROUP } else { self.ty.number() }),
            type_name: self.type_name.as_deref().map(text),
            ..FieldDescriptorProto::default()
        }
    }

    /// Returns the message of a map's entries, and sets it as the type of the field; `None` if the field is not a map.
    pub(super) fn entry<'a>(
        &'a self,
        field: &mut FieldDescriptorProto<'a>,
        scope: Scope<'_>,
    ) -> Option<DescriptorProto<'a>> {
        let plain = |name: &'static str, number| FieldDescriptorProto {
            number: Some(number),
            json_name: Some(name.into()),
            ..self.value(name.into(), scope)
        };
        let key = FieldDescriptorProto { ty: Some(self.key?.number()), type_name: None, ..plain("key", 1) };
        let name = entry_name(&self.name);
        field.label = Some(REPEATED);
        field.ty = Some(Type::Message.number());
        field.type_name = Some(written(format_args!(".{}", scope.full_name(&name))).into());
        let mut options = Options::default();
        options.push_varint(7, 1);
        Some(DescriptorProto {
            name: Some(name.into()),
            field: vec![key, plain("value", 2)],
            options: Some(options),
            ..DescriptorProto::default()
        })
    }
}

/// Builds an enum of a [`FileBuilder`](super::FileBuilder) or of a [`MessageBuilder`](super::MessageBuilder).
///
/// ```
/// use tobu::descriptor::{EnumBuilder, FileBuilder};
///
/// let genre = EnumBuilder::new("Genre").value("UNKNOWN", 0).value("FICTION", 1);
/// let pool = FileBuilder::new("library.proto").enumeration(genre).build()?;
/// assert_eq!(pool.enumeration("Genre").unwrap().value_by_name("FICTION").unwrap().number(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#enum>.
#[derive(Clone, Debug)]
#[must_use]
pub struct EnumBuilder {
    name: String,
    values: Vec<(String, i32, Options)>,
    alias: bool,
    closed: bool,
    options: Options,
}

/// Field numbers of `google.protobuf.EnumOptions` and of its features.
mod enum_option {
    pub(super) const ALLOW_ALIAS: u32 = 2;
    pub(super) const FEATURES: u32 = 7;
    pub(super) const ENUM_TYPE: u32 = 2;
    pub(super) const CLOSED: u64 = 2;
}

impl EnumBuilder {
    /// Creates an enum without values.
    pub fn new(name: impl Into<String>) -> Self {
        EnumBuilder {
            name: name.into(),
            values: Vec::new(),
            alias: false,
            closed: false,
            options: Options::default(),
        }
    }

    /// Adds a value.
    pub fn value(mut self, name: impl Into<String>, number: i32) -> Self {
        self.values.push((name.into(), number, Options::default()));
        self
    }

    /// Adds a value with a separate name in JSON, by the option `(pb.enumvalue.json).string`.
    pub fn value_with_json_name(mut self, name: impl Into<String>, number: i32, json_name: &str) -> Self {
        let (mut json, mut options) = (Options::default(), Options::default());
        json.push_bytes(1, json_name.as_bytes());
        options.push_bytes(998, json.encoded());
        self.values.push((name.into(), number, options));
        self
    }

    /// Allows several values with the same number.
    pub fn allow_alias(mut self) -> Self {
        self.alias = true;
        self
    }

    /// Makes the enum closed, so that it rejects numbers that it does not declare. This has an effect only in editions, because
    /// all enums are closed in proto2, and open in proto3.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Adds options: a serialized `google.protobuf.EnumOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    pub(super) fn raw(&self, scope: Scope<'_>) -> EnumDescriptorProto<'_> {
        let (mut options, mut features) = (Options::default(), Options::default());
        if self.alias {
            options.push_varint(enum_option::ALLOW_ALIAS, 1);
        }
        if self.closed && scope.edition.has_features() {
            features.push_varint(enum_option::ENUM_TYPE, enum_option::CLOSED);
        }
        push_features(&mut options, enum_option::FEATURES, &features);
        options.extend(self.options.encoded());
        let value = |(name, number, options): &'_ (String, i32, Options)| EnumValueDescriptorProto {
            name: Some(name.clone().into()),
            number: Some(*number),
            options: some(options),
            ..EnumValueDescriptorProto::default()
        };
        EnumDescriptorProto {
            name: Some(text(&self.name)),
            value: each(&self.values, value),
            options: some(&options),
            ..EnumDescriptorProto::default()
        }
    }
}
