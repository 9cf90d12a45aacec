//! A parsed `.proto` file, shaped like the descriptors that it becomes.

use std::collections::HashMap;

use super::comments::Gap;
use super::lex::{Fault, Position};

/// How a file says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Proto2,
    Proto3,
    /// A number of `google.protobuf.Edition`.
    Edition(i32),
}

impl Syntax {
    pub(super) fn has_features(self) -> bool {
        matches!(self, Syntax::Edition(_))
    }

    /// The number in `google.protobuf.Edition`.
    pub(super) fn edition(self) -> i32 {
        match self {
            Syntax::Proto2 => 998,
            Syntax::Proto3 => 999,
            Syntax::Edition(number) => number,
        }
    }
}

pub(super) const EDITION_2024: i32 = 1001;

pub(super) struct File {
    pub(super) name: String,
    pub(super) syntax: Syntax,
    pub(super) package: String,
    pub(super) imports: Vec<Import>,
    pub(super) messages: Vec<Message>,
    pub(super) enums: Vec<Enum>,
    pub(super) services: Vec<Service>,
    pub(super) extensions: Vec<Field>,
    pub(super) options: Options,
    pub(super) locations: Vec<Location>,
    /// Where elements are declared, by full name.
    pub(super) positions: HashMap<String, Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportKind {
    Plain,
    Public,
    Weak,
    Option,
}

pub(super) struct Import {
    pub(super) name: String,
    pub(super) kind: ImportKind,
    pub(super) position: Position,
}

#[derive(Default)]
pub(super) struct Message {
    pub(super) name: String,
    /// A number of `google.protobuf.SymbolVisibility`.
    pub(super) visibility: i32,
    pub(super) fields: Vec<Field>,
    pub(super) oneofs: Vec<Oneof>,
    pub(super) messages: Vec<Message>,
    pub(super) enums: Vec<Enum>,
    pub(super) extensions: Vec<Field>,
    pub(super) extension_ranges: Vec<ExtensionRange>,
    /// The end is exclusive.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
    pub(super) options: Options,
    pub(super) is_map_entry: bool,
}

pub(super) struct ExtensionRange {
    pub(super) start: i32,
    /// Exclusive.
    pub(super) end: i32,
    pub(super) options: Options,
}

pub(super) struct Oneof {
    pub(super) name: String,
    pub(super) options: Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Optional = 1,
    Required = 2,
    Repeated = 3,
}

#[derive(Clone, Debug)]
pub(super) enum Type {
    /// A number of `google.protobuf.FieldDescriptorProto.Type`.
    Scalar(i32),
    /// A message or an enum, as the source names it.
    Named(String),
    Group(String),
}

pub(super) struct Field {
    pub(super) name: String,
    pub(super) number: i32,
    pub(super) label: Label,
    pub(super) ty: Type,
    pub(super) extendee: Option<String>,
    pub(super) default: Option<String>,
    pub(super) json_name: Option<String>,
    pub(super) oneof: Option<usize>,
    pub(super) is_proto3_optional: bool,
    pub(super) options: Options,
}

impl Field {
    /// An optional field without a number.
    pub(super) fn new(name: String, ty: Type) -> Self {
        Field {
            name,
            number: 0,
            label: Label::Optional,
            ty,
            extendee: None,
            default: None,
            json_name: None,
            oneof: None,
            is_proto3_optional: false,
            options: Options::default(),
        }
    }
}

pub(super) struct Enum {
    pub(super) name: String,
    pub(super) visibility: i32,
    pub(super) values: Vec<Value>,
    /// The end is inclusive.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
    pub(super) options: Options,
}

pub(super) struct Value {
    pub(super) name: String,
    pub(super) number: i32,
    pub(super) options: Options,
}

pub(super) struct Service {
    pub(super) name: String,
    pub(super) methods: Vec<Method>,
    pub(super) options: Options,
}

pub(super) struct Method {
    pub(super) name: String,
    pub(super) input: String,
    pub(super) output: String,
    pub(super) client_streaming: bool,
    pub(super) server_streaming: bool,
    pub(super) options: Options,
}

/// The options of an element: as they are written, and as they are encoded.
#[derive(Clone, Default)]
pub(super) struct Options {
    pub(super) statements: Vec<Statement>,
    pub(super) encoded: Vec<u8>,
    /// They are there even if none is set: protoc writes so for a method with braces.
    pub(super) is_present: bool,
}

/// `(custom).part = value`.
#[derive(Clone)]
pub(super) struct Statement {
    pub(super) path: Vec<Part>,
    /// In the text format, whose values are those of options.
    pub(super) value: String,
    pub(super) position: Position,
}

#[derive(Clone)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) is_extension: bool,
}

/// An entry of `google.protobuf.SourceCodeInfo`.
pub(super) struct Location {
    pub(super) path: Vec<i32>,
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) trailing: Option<String>,
    pub(super) detached: Vec<String>,
    pub(super) leading: Option<String>,
}

impl Location {
    /// The comments before what begins after the gap.
    pub(super) fn lead(&mut self, gap: &Gap) {
        self.detached.clone_from(&gap.detached);
        self.leading.clone_from(&gap.leading);
    }
}

/// What an options message belongs to, by the name of that message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    File = 1,
    ExtensionRange = 2,
    Message = 3,
    Field = 4,
    Oneof = 5,
    Enum = 6,
    EnumValue = 7,
    Service = 8,
    Method = 9,
}

impl Target {
    /// The full name of the options message.
    pub(super) fn message(self) -> &'static str {
        match self {
            Target::File => "google.protobuf.FileOptions",
            Target::ExtensionRange => "google.protobuf.ExtensionRangeOptions",
            Target::Message => "google.protobuf.MessageOptions",
            Target::Field => "google.protobuf.FieldOptions",
            Target::Oneof => "google.protobuf.OneofOptions",
            Target::Enum => "google.protobuf.EnumOptions",
            Target::EnumValue => "google.protobuf.EnumValueOptions",
            Target::Service => "google.protobuf.ServiceOptions",
            Target::Method => "google.protobuf.MethodOptions",
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Target::File => "a file",
            Target::ExtensionRange => "an extension range",
            Target::Message => "a message",
            Target::Field => "a field",
            Target::Oneof => "a oneof",
            Target::Enum => "an enum",
            Target::EnumValue => "an enum value",
            Target::Service => "a service",
            Target::Method => "a method",
        }
    }
}

/// What to do with the options of an element; it is given the scope that names in them are looked up from.
pub(super) type Visit<'v> = dyn FnMut(Target, &str, &mut Options) -> Result<(), Fault> + 'v;

impl File {
    /// Visits the options of every element.
    pub(super) fn each_options(&mut self, visit: &mut Visit<'_>) -> Result<(), Fault> {
        let package = self.package.clone();
        visit(Target::File, &package, &mut self.options)?;
        for message in &mut self.messages {
            message.each_options(&package, visit)?;
        }
        for enumeration in &mut self.enums {
            enumeration.each_options(&package, visit)?;
        }
        for extension in &mut self.extensions {
            visit(Target::Field, &package, &mut extension.options)?;
        }
        for service in &mut self.services {
            let scope = scoped(&package, &service.name);
            visit(Target::Service, &scope, &mut service.options)?;
            for method in &mut service.methods {
                visit(Target::Method, &scope, &mut method.options)?;
            }
        }
        Ok(())
    }
}

impl Message {
    fn each_options(&mut self, scope: &str, visit: &mut Visit<'_>) -> Result<(), Fault> {
        let scope = scoped(scope, &self.name);
        visit(Target::Message, &scope, &mut self.options)?;
        for oneof in &mut self.oneofs {
            visit(Target::Oneof, &scope, &mut oneof.options)?;
        }
        for field in self.fields.iter_mut().chain(&mut self.extensions) {
            visit(Target::Field, &scope, &mut field.options)?;
        }
        for range in &mut self.extension_ranges {
            visit(Target::ExtensionRange, &scope, &mut range.options)?;
        }
        for enumeration in &mut self.enums {
            enumeration.each_options(&scope, visit)?;
        }
        for message in &mut self.messages {
            message.each_options(&scope, visit)?;
        }
        Ok(())
    }
}

impl Enum {
    fn each_options(&mut self, scope: &str, visit: &mut Visit<'_>) -> Result<(), Fault> {
        let scope = scoped(scope, &self.name);
        visit(Target::Enum, &scope, &mut self.options)?;
        for value in &mut self.values {
            visit(Target::EnumValue, &scope, &mut value.options)?;
        }
        Ok(())
    }
}

/// The full name of an element of a scope.
pub(super) fn scoped(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}
