//! Describes messages, enums and values as JSON Schema.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value, json};
use tobu::descriptor::Kind;
use tobu::{EnumDescriptor, FieldDescriptor, MessageDescriptor};

use crate::value::has_text_form;

/// The number of the extension `google.api.field_behavior` of `google.protobuf.FieldOptions`.
const FIELD_BEHAVIOR: u32 = 1052;

/// The schemas of messages and enums, by their full names.
pub(super) struct Schemas {
    /// The prefix of a reference to a schema in the document.
    base: &'static str,
    known: Map<String, Value>,
    /// Messages that schemas refer to and that are not yet described.
    open: Vec<MessageDescriptor>,
    seen: BTreeSet<String>,
}

impl Schemas {
    pub(super) fn new(base: &'static str) -> Self {
        Schemas { base, known: Map::new(), open: Vec::new(), seen: BTreeSet::new() }
    }

    fn reference(&self, name: &str) -> Value {
        json!({"$ref": format!("{}{name}", self.base)})
    }

    /// Returns the schemas of all messages and enums to which the document refers, directly or indirectly.
    pub(super) fn finish(mut self) -> Value {
        while let Some(message) = self.open.pop() {
            let schema = self.object(&message, &[]);
            self.known.insert(message.full_name().to_owned(), schema);
        }
        self.known.into()
    }

    /// Returns a reference to the schema of `google.rpc.Status`. The pool need not have this message.
    pub(super) fn status(&mut self) -> Value {
        const NAME: &str = "google.rpc.Status";
        if self.seen.insert(NAME.into()) {
            let status = json!({
                "type": "object",
                "properties": {
                    "code": {"type": "integer", "format": "int32", "description": "A code of `google.rpc.Code`."},
                    "message": {"type": "string", "description": "A description of the error for developers."},
                    "details": {"type": "array", "items": any(), "description": "Details of the error for programs."},
                },
            });
            self.known.insert(NAME.into(), status);
        }
        self.reference(NAME)
    }

    /// Returns the schema of a message: a reference, or the schema of the message's special JSON form.
    pub(super) fn message(&mut self, message: &MessageDescriptor) -> Value {
        let nullable = |kind: &str| json!({"type": [kind, "null"]});
        match message.full_name() {
            "google.protobuf.Timestamp" => json!({"type": "string", "format": "date-time"}),
            "google.protobuf.Duration" => json!({"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"}),
            "google.protobuf.FieldMask" => json!({"type": "string", "format": "field-mask"}),
            "google.protobuf.Empty" | "google.protobuf.Struct" => json!({"type": "object"}),
            "google.protobuf.Value" => json!({}),
            "google.protobuf.ListValue" => json!({"type": "array", "items": {}}),
            "google.protobuf.Any" => any(),
            "google.protobuf.BoolValue" => nullable("boolean"),
            "google.protobuf.Int32Value" | "google.protobuf.UInt32Value" => nullable("integer"),
            "google.protobuf.FloatValue" | "google.protobuf.DoubleValue" => nullable("number"),
            "google.protobuf.Int64Value"
            | "google.protobuf.UInt64Value"
            | "google.protobuf.StringValue"
            | "google.protobuf.BytesValue" => nullable("string"),
            name => {
                if self.seen.insert(name.to_owned()) {
                    self.open.push(message.clone());
                }
                self.reference(name)
            }
        }
    }

    /// Returns the schema of a message without the fields in `bound`.
    pub(super) fn without(&mut self, message: &MessageDescriptor, bound: &[FieldDescriptor]) -> Value {
        match bound.is_empty() {
            true => self.message(message),
            false => self.object(message, bound),
        }
    }

    fn object(&mut self, message: &MessageDescriptor, bound: &[FieldDescriptor]) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in message.fields().filter(|field| !bound.contains(field)) {
            let mut schema = self.field(&field);
            if let Some(comment) = comment(field.comments().leading()) {
                schema["description"] = comment.into();
            }
            if field.is_deprecated() {
                schema["deprecated"] = true.into();
            }
            match behaviors(&field).last() {
                Some(3) => schema["readOnly"] = true.into(),
                Some(4) => schema["writeOnly"] = true.into(),
                _ => {}
            }
            if is_required(&field) {
                required.push(field.json_name().to_owned());
            }
            properties.insert(field.json_name().to_owned(), schema);
        }
        let mut object = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            object["required"] = required.into();
        }
        if let Some(comment) = comment(message.comments().leading()) {
            object["description"] = comment.into();
        }
        object
    }

    /// Returns the schema of a field: of a value, a list or a map.
    pub(super) fn field(&mut self, field: &FieldDescriptor) -> Value {
        match field.map_value() {
            Some(value) => json!({"type": "object", "additionalProperties": self.value(&value)}),
            None if field.is_list() => json!({"type": "array", "items": self.value(field)}),
            None => self.value(field),
        }
    }

    /// Returns the schema of one value of a field.
    pub(super) fn value(&mut self, field: &FieldDescriptor) -> Value {
        match field.kind() {
            Kind::Double => json!({"type": "number", "format": "double"}),
            Kind::Float => json!({"type": "number", "format": "float"}),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => json!({"type": "integer", "format": "int32"}),
            Kind::UInt32 | Kind::Fixed32 => json!({"type": "integer", "format": "uint32", "minimum": 0}),
            // ProtoJSON writes 64-bit integers as strings, because many parsers of JSON read numbers as doubles.
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => json!({"type": "string", "format": "int64"}),
            Kind::UInt64 | Kind::Fixed64 => json!({"type": "string", "format": "uint64"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::String => json!({"type": "string"}),
            Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
            Kind::Enum(enumeration) => self.enumeration(&enumeration),
            Kind::Message(message) => self.message(&message),
        }
    }

    fn enumeration(&mut self, enumeration: &EnumDescriptor) -> Value {
        let name = enumeration.full_name();
        if name == "google.protobuf.NullValue" {
            return json!({"type": "null"});
        }
        if self.seen.insert(name.to_owned()) {
            // Aliases may have the same name in JSON.
            let mut seen = HashSet::new();
            let names = enumeration.values().map(|value| value.json_name().to_owned());
            let names: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
            let mut schema = json!({"type": "string", "enum": names});
            let mut text = comment(enumeration.comments().leading()).unwrap_or_default();
            for value in enumeration.values() {
                if let Some(comment) = comment(value.comments().leading()) {
                    text.push_str(&format!("\n* `{}`: {comment}", value.json_name()));
                }
            }
            if !text.is_empty() {
                schema["description"] = text.trim_start().into();
            }
            self.known.insert(name.to_owned(), schema);
        }
        self.reference(name)
    }
}

/// True for messages that JSON does not write as an object with their fields.
pub(super) fn has_own_form(message: &MessageDescriptor) -> bool {
    let name = message.full_name();
    has_text_form(message)
        || matches!(
            name,
            "google.protobuf.Any"
                | "google.protobuf.Struct"
                | "google.protobuf.Value"
                | "google.protobuf.ListValue"
        )
}

/// True if the schema or the annotation `google.api.field_behavior` says that a field is required.
pub(super) fn is_required(field: &FieldDescriptor) -> bool {
    field.is_required() || behaviors(field).contains(&2)
}

/// Returns the values of `google.api.field_behavior`: 2 is required, 3 output only, 4 input only.
fn behaviors(field: &FieldDescriptor) -> Vec<u64> {
    let options = field.options();
    let mut values = Vec::new();
    for packed in options.len_prefixed(FIELD_BEHAVIOR) {
        let mut reader = tobu::wire::Reader::new(packed);
        while let Ok(value) = reader.varint() {
            values.push(value);
        }
    }
    values.extend(options.varint(FIELD_BEHAVIOR));
    values
}

/// Returns the text of a comment without indentation, or `None` if the comment is empty.
pub(super) fn comment(text: &str) -> Option<String> {
    let lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn any() -> Value {
    json!({"type": "object", "properties": {"@type": {"type": "string"}}, "additionalProperties": true})
}
