//! The types of a parsed `.proto` file. They have the structure of the descriptors that the file is converted to.

use std::collections::HashMap;

use super::comments::Gap;
use super::lex::{Position, Token};

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

    /// Returns the number in `google.protobuf.Edition`.
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
    pub(super) source: String,
    /// The tokens of `source`. They are kept only if the value of an option is a message, which is parsed later.
    pub(super) tokens: Vec<Token>,
    pub(super) syntax: Syntax,
    pub(super) package: String,
    pub(super) imports: Vec<Import>,
    pub(super) messages: Vec<Message>,
    pub(super) enums: Vec<Enum>,
    pub(super) services: Vec<Service>,
    pub(super) extensions: Vec<Field>,
    pub(super) options: Options,
    pub(super) locations: Vec<Location>,
    /// The concatenated paths of all locations.
    pub(super) paths: Vec<i32>,
    /// The positions at which elements are declared, by the full names of the elements.
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
    /// Pairs of the first number and the number after the last number.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
    pub(super) options: Options,
    pub(super) is_map_entry: bool,
}

pub(super) struct ExtensionRange {
    pub(super) start: i32,
    /// The number after the last number of the range.
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
    /// The name of a message or an enum.
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
    /// Creates an optional field without a number.
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
    pub(super) values: Vec<EnumValue>,
    /// Pairs of the first and the last number.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
    pub(super) options: Options,
}

pub(super) struct EnumValue {
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

/// The options of an element, as they are written and as they are encoded.
#[derive(Clone, Default)]
pub(super) struct Options {
    pub(super) statements: Vec<Statement>,
    pub(super) encoded: Vec<u8>,
    /// True if the options message is written even if no option is set. protoc does so for a method with braces.
    pub(super) is_present: bool,
}

/// A statement that sets an option: `(custom).part = value`.
#[derive(Clone)]
pub(super) struct Statement {
    pub(super) path: Vec<Part>,
    pub(super) value: Value,
    pub(super) position: Position,
    pub(super) value_position: Position,
    /// The index of the statement's location. `None` if the statement is a copy for the entry of a map.
    pub(super) location: Option<u32>,
}

#[derive(Clone)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) is_extension: bool,
}

/// The value of an option, in the form of `google.protobuf.UninterpretedOption`.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Identifier(String),
    Unsigned(u64),
    Negative(i64),
    Float(f64),
    Text(Vec<u8>),
    /// A message in braces: the index of the opening brace among the tokens, and the index after the closing brace.
    Message(u32, u32),
}

/// An entry of `google.protobuf.SourceCodeInfo`. `start` and `end` are lines and columns, counted as in [`Position`].
pub(super) struct Location {
    /// The start and the length of the location's path in `File::paths`.
    pub(super) path: (u32, u32),
    pub(super) start: (u32, u32),
    pub(super) end: (u32, u32),
    pub(super) comments: Option<Box<Gap>>,
    /// The last steps of the path of an option: the numbers of the fields to which the option's name resolves.
    pub(super) option: Vec<i32>,
}

/// The kind of element to which options belong. Each kind has its own options message.
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
    /// Returns the full name of the options message.
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
}

/// The name of a file as an element of its package, for resolving the names in its options.
pub(super) const FILE: &str = "dummy";

/// Visits the options of elements, each with the full name of the element.
pub(super) trait VisitOptions {
    fn visit(&mut self, target: Target, element: &str, options: &mut Options);
}

impl File {
    /// Visits the options of every element that has options.
    pub(super) fn each_options(&mut self, visitor: &mut dyn VisitOptions) {
        let mut scope = self.package.clone();
        // The options of a file are resolved like the options of an element of its package.
        each(visitor, Target::File, &mut scope, FILE, &mut self.options);
        for message in &mut self.messages {
            message.each_options(&mut scope, visitor);
        }
        for enumeration in &mut self.enums {
            enumeration.each_options(&mut scope, visitor);
        }
        for extension in &mut self.extensions {
            each(visitor, Target::Field, &mut scope, &extension.name, &mut extension.options);
        }
        for service in &mut self.services {
            each(visitor, Target::Service, &mut scope, &service.name, &mut service.options);
            let outer = enter(&mut scope, &service.name);
            for method in &mut service.methods {
                each(visitor, Target::Method, &mut scope, &method.name, &mut method.options);
            }
            scope.truncate(outer);
        }
    }
}

impl Message {
    fn each_options(&mut self, scope: &mut String, visitor: &mut dyn VisitOptions) {
        each(visitor, Target::Message, scope, &self.name, &mut self.options);
        let outer = enter(scope, &self.name);
        for oneof in &mut self.oneofs {
            each(visitor, Target::Oneof, scope, &oneof.name, &mut oneof.options);
        }
        for field in self.fields.iter_mut().chain(&mut self.extensions) {
            each(visitor, Target::Field, scope, &field.name, &mut field.options);
        }
        if self.extension_ranges.iter().any(|range| !range.options.statements.is_empty()) {
            // protoc resolves the names in the options of extension ranges in the scope of the message.
            let name = scope.clone();
            for range in &mut self.extension_ranges {
                visitor.visit(Target::ExtensionRange, &name, &mut range.options);
            }
        }
        for enumeration in &mut self.enums {
            enumeration.each_options(scope, visitor);
        }
        for message in &mut self.messages {
            message.each_options(scope, visitor);
        }
        scope.truncate(outer);
    }
}

impl Enum {
    fn each_options(&mut self, scope: &mut String, visitor: &mut dyn VisitOptions) {
        each(visitor, Target::Enum, scope, &self.name, &mut self.options);
        // The full names of values are in the scope around the enum, as in C++.
        for value in &mut self.values {
            each(visitor, Target::EnumValue, scope, &value.name, &mut value.options);
        }
    }
}

fn each(
    visitor: &mut dyn VisitOptions,
    target: Target,
    scope: &mut String,
    name: &str,
    options: &mut Options,
) {
    if options.statements.is_empty() {
        return;
    }
    let outer = enter(scope, name);
    visitor.visit(target, scope, options);
    scope.truncate(outer);
}

/// Enters the scope of an element: appends its name to `scope`. Returns the previous length of `scope`, to which the
/// caller truncates it later.
pub(super) fn enter(scope: &mut String, name: &str) -> usize {
    let outer = scope.len();
    if outer > 0 {
        scope.push('.');
    }
    scope.push_str(name);
    outer
}

pub(super) fn scoped(scope: &str, name: &str) -> String {
    let mut full = String::with_capacity(scope.len() + 1 + name.len());
    full.push_str(scope);
    enter(&mut full, name);
    full
}
