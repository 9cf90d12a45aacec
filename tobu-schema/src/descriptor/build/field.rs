//! Fields.

use super::scope::{Scope, clamp, push_features, some, text};
use crate::descriptor::names::written;
use crate::descriptor::names::{entry_name, json_name};
use crate::descriptor::raw::{DescriptorProto, FieldDescriptorProto, Options};
use crate::descriptor::{Edition, Type};
use std::borrow::Cow;

/// Builds a field of a [`MessageBuilder`](super::MessageBuilder): singular unless it is said otherwise.
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

/// How many values a field has, and whether it knows that it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Singular,
    Implicit,
    Optional,
    Required,
    Repeated,
}

/// Numbers of `google.protobuf.FieldOptions`, and in its features.
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
    /// A field of a scalar type. It has the number after that of the field before it, unless it is given one.
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

    /// A field of a message type, whose name is looked for as in `.proto` source: from the message outwards, or from
    /// the top where it begins with a dot.
    pub fn message(name: impl Into<String>, type_name: impl Into<String>) -> Self {
        FieldBuilder { type_name: Some(type_name.into()), ..Self::new(name, Type::Message) }
    }

    /// A field of an enum, whose name is resolved the same way.
    pub fn enumeration(name: impl Into<String>, type_name: impl Into<String>) -> Self {
        FieldBuilder { type_name: Some(type_name.into()), ..Self::new(name, Type::Enum) }
    }

    /// Sets the number.
    pub fn number(mut self, number: u32) -> Self {
        self.number = Some(number);
        self
    }

    /// Makes it repeated.
    pub fn repeated(mut self) -> Self {
        self.form = Form::Repeated;
        self
    }

    /// Makes it a map from keys of this type; the type so far becomes the type of its values.
    pub fn keyed_by(mut self, key: Type) -> Self {
        self.key = Some(key);
        self
    }

    /// Lets it know whether it was set: `optional` of proto3. In proto2 and in editions fields are so anyway.
    pub fn optional(mut self) -> Self {
        self.form = Form::Optional;
        self
    }

    /// Makes it count as set when it is not the default: in editions, where fields are otherwise `optional`.
    pub fn implicit(mut self) -> Self {
        self.form = Form::Implicit;
        self
    }

    /// Makes it required: `required` of proto2, `LEGACY_REQUIRED` of editions.
    pub fn required(mut self) -> Self {
        self.form = Form::Required;
        self
    }

    /// Sets whether a repeated field is packed.
    pub fn packed(mut self, packed: bool) -> Self {
        self.packed = Some(packed);
        self
    }

    /// Puts tags around a message instead of its length before it: a group of proto2, `DELIMITED` of editions.
    pub fn delimited(mut self) -> Self {
        self.delimited = true;
        self
    }

    /// Sets the name in JSON.
    pub fn json_name(mut self, json_name: impl Into<String>) -> Self {
        self.json_name = Some(json_name.into());
        self
    }

    /// Sets the default, as descriptors spell it: `-1`, `inf`, `true`, a text unchanged, bytes with escapes, the name
    /// of an enum value.
    pub fn default(mut self, text: impl Into<String>) -> Self {
        self.default = Some(text.into());
        self
    }

    /// Keeps its value out of text for people: `debug_redact`.
    pub fn debug_redact(mut self) -> Self {
        self.redact = true;
        self
    }

    /// Adds options: a serialized `google.protobuf.FieldOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    /// The extension of a message, as a descriptor.
    pub(super) fn extension<'a>(&'a self, extendee: &'a str, scope: Scope<'_>) -> FieldDescriptorProto<'a> {
        FieldDescriptorProto { extendee: Some(text(extendee)), ..self.raw(scope, self.number.map(clamp)) }
    }

    /// True for `optional` of proto3, which has its own synthetic oneof.
    pub(super) fn is_proto3_optional(&self, edition: Edition) -> bool {
        edition == Edition::Proto3 && self.form == Form::Optional && self.key.is_none()
    }

    /// The field as a descriptor; of a map without the type, which is that of its entries.
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

    /// The type of its values, as a field.
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

    /// The message of the entries of a map, which the field is made to be one of.
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
