//! Parses fields, maps, groups and extensions.

use super::super::ast::{Field, Label, Message, Options, Type};
use super::message::Nested;
use super::*;
use crate::descriptor::json_name;

impl Parser<'_, '_> {
    /// Parses `extend Message { ... }`. `extension` is the number of the field in which the surrounding descriptor lists
    /// extensions, and `message` is the number of the field in which it lists messages, for groups in the block.
    pub(super) fn extend(
        &mut self,
        parent: LocationIndex,
        extension: i32,
        message: i32,
        extensions: &mut Vec<Field>,
        messages: &mut Vec<Message>,
    ) -> Result<()> {
        let location = self.open(parent, &[extension]);
        self.advance();
        let first = self.token();
        let extendee = self.message_name()?;
        let last = self.tokens[self.next - 1];
        let position = self.position();
        self.enter_block(location)?;
        if self.is("}") {
            self.faults.error(position, "an `extend` has at least one field");
        }
        while !self.leave_full_block() {
            let at = self.open(location, &[extensions.len() as i32]);
            self.locate(at, &[2], first, last);
            let nested = Nested { parent, number: message, messages: &mut *messages };
            match self.field(at, nested, Some(&extendee), None) {
                Ok(field) => extensions.push(field),
                Err(Reported) => self.skip_statement(),
            }
        }
        self.close(location);
        Ok(())
    }

    pub(super) fn field(
        &mut self,
        location: LocationIndex,
        nested: Nested<'_>,
        extendee: Option<&str>,
        oneof: Option<usize>,
    ) -> Result<Field> {
        let position = self.position();
        let label = self.label(location, oneof.is_some())?;
        let is_map = self.is("map") && self.is_followed_by("<");
        if is_map && (label.is_some() || extendee.is_some() || oneof.is_some()) {
            return self.fault(position, "a map has no label, and is neither in a oneof nor an extension");
        }
        // The name in a group declaration is the name of the type. In lower case, it is also the name of the field.
        let is_group = !is_map && self.is("group") && self.is_next_identifier();
        let type_location = self.open(location, &[]);
        let map = if is_map { Some(self.map_type()?) } else { None };
        let mut ty = match is_map || is_group {
            true => {
                if is_group {
                    self.group_keyword()?;
                }
                Type::Scalar(0)
            }
            false => self.field_type()?,
        };
        self.end_type(type_location, is_group || matches!(ty, Type::Scalar(number) if number > 0));
        let name_token = self.token();
        let name_location = self.open(location, &[1]);
        let name = match is_group {
            true => {
                let text = self.text();
                ty = Type::Group(text.to_owned());
                self.group_name()?
            }
            false => self.declare("the name of a field")?,
        };
        self.close(name_location);
        if label.is_none() && !is_map && self.syntax == Syntax::Proto2 && oneof.is_none() {
            // The parser continues as if the field were optional.
            self.faults.error(position, "a field of proto2 is `optional`, `required` or `repeated`");
        }
        let mut field = Field::new(name, ty);
        field.label = if is_map { Label::Repeated } else { label.unwrap_or(Label::Optional) };
        field.extendee = extendee.map(str::to_owned);
        field.oneof = oneof;
        field.is_proto3_optional = label == Some(Label::Optional) && self.syntax == Syntax::Proto3;
        self.expect("=")?;
        let number_location = self.open(location, &[3]);
        field.number = self.int32("a field number")?;
        self.close(number_location);
        if self.is("[") {
            let mut options = Options::default();
            self.bracket_options(location, 8, &mut options, Some(&mut field))?;
            field.options = options;
        }
        match (map, &field.ty) {
            (Some(types), _) => {
                self.expect_end(";", location)?;
                let entry = self.map_entry(&field, types, name_token.position)?;
                field.ty = Type::Named(entry.name.clone());
                nested.messages.push(entry);
            }
            (None, Type::Group(group)) => {
                let name = group.clone();
                self.group(location, nested, name, name_token)?;
            }
            (None, _) => self.expect_end(";", location)?,
        }
        self.close(location);
        Ok(field)
    }

    fn label(&mut self, location: LocationIndex, is_in_oneof: bool) -> Result<Option<Label>> {
        let position = self.position();
        let label = match self.text() {
            "optional" => Label::Optional,
            "required" => Label::Required,
            "repeated" => Label::Repeated,
            _ => return Ok(None),
        };
        // The word may also be the name of a type. It is a label only if the type of the field follows.
        if !self.is_next_identifier() && !self.is_followed_by(".") {
            return Ok(None);
        }
        let fault = match (label, self.syntax) {
            _ if is_in_oneof => "a field of a oneof has no label",
            (Label::Optional, Syntax::Edition(_)) => {
                "there is no `optional` in editions: fields have presence unless features say otherwise"
            }
            (Label::Required, Syntax::Edition(_)) => {
                "there is no `required` in editions: use features.field_presence = LEGACY_REQUIRED"
            }
            (Label::Required, Syntax::Proto3) => "there are no required fields in proto3",
            _ => "",
        };
        if !fault.is_empty() {
            // The intention is clear, so the parser reads the rest of the field, too.
            self.faults.error(position, fault);
        }
        let at = self.open(location, &[4]);
        self.advance();
        self.close(at);
        Ok(if is_in_oneof { None } else { Some(label) })
    }

    fn field_type(&mut self) -> Result<Type> {
        match scalar(self.text()) {
            _ if self.is("group") => self.unexpected("the type of a field"),
            Some(number) => {
                self.advance();
                Ok(Type::Scalar(number))
            }
            None => Ok(Type::Named(self.path("the type of a field", true)?)),
        }
    }

    /// Parses the name of a message, in a place where no other type is allowed.
    pub(super) fn message_name(&mut self) -> Result<String> {
        match self.is("group") || scalar(self.text()).is_some() {
            true => self.unexpected("the name of a message"),
            false => self.path("the name of a message", true),
        }
    }

    /// Ends the location of a type. The last step of its path depends on the kind of the type: 5 (`type`) or 6 (`type_name`).
    fn end_type(&mut self, location: LocationIndex, is_known: bool) {
        self.close(location);
        let path = self.locations[location.0].path;
        debug_assert_eq!((path.0 + path.1) as usize, self.paths.len(), "nothing was located since");
        self.paths.push(if is_known { 5 } else { 6 });
        self.locations[location.0].path.1 += 1;
    }

    /// Parses the name of a group: the name of its message. Returns the name of its field, which is the same in lower case.
    fn group_name(&mut self) -> Result<String> {
        let position = self.position();
        let group = self.declare("the name of a group")?;
        if !group.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.faults.error(position, "the name of a group begins with a capital letter");
        }
        let name = group.to_ascii_lowercase();
        self.declare_at(&name, position)?;
        Ok(name)
    }

    fn group_keyword(&mut self) -> Result<()> {
        self.advance();
        match self.syntax {
            Syntax::Proto2 => Ok(()),
            _ => {
                let text = "only proto2 has groups: use a message, with DELIMITED encoding in editions";
                self.fault(self.position(), text)
            }
        }
    }

    /// Parses the block of a group, which declares a message.
    fn group(
        &mut self,
        field: LocationIndex,
        nested: Nested<'_>,
        name: String,
        name_token: Token,
    ) -> Result<()> {
        let location = self.open(nested.parent, &[nested.number, nested.messages.len() as i32]);
        self.locations[location.0].start = self.locations[field.0].start;
        self.locate(location, &[1], name_token, name_token);
        self.locate(field, &[6], name_token, name_token);
        let mut message = Message { name, ..Message::default() };
        self.body(location, &mut message)?;
        self.close(location);
        nested.messages.push(message);
        Ok(())
    }

    /// Parses `map<Key, Value>`. Returns both types with their positions.
    fn map_type(&mut self) -> Result<[(Type, Position); 2]> {
        self.advance();
        self.advance();
        let position = self.position();
        let key = (self.field_type()?, position);
        self.expect(",")?;
        let position = self.position();
        let value = (self.field_type()?, position);
        self.expect(">")?;
        Ok([key, value])
    }

    /// Creates the message type of the entries of a map.
    fn map_entry(
        &mut self,
        map: &Field,
        types: [(Type, Position); 2],
        position: Position,
    ) -> Result<Message> {
        let name = format!("{}Entry", lex::title_case(&map.name));
        self.declare_at(&name, position)?;
        let outer = self.enter_scope(&name);
        let mut entry = Message { name, is_map_entry: true, ..Message::default() };
        for ((ty, position), (name, number)) in types.into_iter().zip([("key", 1), ("value", 2)]) {
            self.declare_at(name, position)?;
            let mut member = Field::new(name.to_owned(), ty);
            member.number = number;
            let is_string = matches!(member.ty, Type::Scalar(9));
            // The key and the value inherit the features of the map, and `enforce_utf8`, an option that is equivalent to a
            // feature.
            for statement in &map.options.statements {
                let first = &statement.path[0];
                let is_copied = match &*first.name {
                    "features" => true,
                    "enforce_utf8" => is_string && statement.path.len() == 1,
                    _ => false,
                };
                if is_copied && !first.is_extension {
                    let mut statement = statement.clone();
                    statement.location = None;
                    member.options.statements.push(statement);
                }
            }
            entry.fields.push(member);
        }
        self.scope.truncate(outer);
        Ok(entry)
    }

    /// Parses `default` or `json_name`. They look like options, but they are fields of the descriptor. Returns false if the
    /// current token is neither.
    pub(super) fn special_option(&mut self, location: LocationIndex, field: &mut Field) -> Result<bool> {
        let position = self.position();
        match self.text() {
            "default" => {
                self.advance();
                self.expect("=")?;
                let at = self.open(location, &[7]);
                let value = self.default(&field.ty)?;
                self.close(at);
                if self.syntax == Syntax::Proto3 || field.label == Label::Repeated {
                    self.faults.error(position, "a field of proto3 and a repeated field have no default");
                }
                if field.default.replace(value).is_some() {
                    self.faults.error(position, "the default is set already");
                }
            }
            "json_name" => {
                let at = self.open(location, &[10]);
                self.advance();
                self.expect("=")?;
                let value_at = self.open(at, &[]);
                let value = self.string("a string")?;
                self.close(value_at);
                self.close(at);
                // A `json_name` that equals the derived name is accepted, because protoc writes the derived name into the
                // descriptors of all fields.
                if field.extendee.is_some() && value != json_name(&field.name) {
                    let text = "an extension has no `json_name`: JSON has its full name";
                    self.faults.error(position, text);
                }
                if field.json_name.replace(value).is_some() {
                    self.faults.error(position, "the JSON name is set already");
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses a default value. Returns the value as descriptors write it.
    fn default(&mut self, ty: &Type) -> Result<String> {
        let Type::Scalar(number) = ty else {
            return Ok(self.identifier("the name of an enum value")?.to_owned());
        };
        let name = SCALARS[*number as usize];
        let (bits, is_signed) = match name {
            "string" => return self.string("a string"),
            "bytes" => return Ok(lex::escape(&self.bytes("a string")?)),
            "bool" if self.is("true") || self.is("false") => {
                return Ok(self.identifier("a word")?.to_owned());
            }
            "bool" => return self.unexpected("`true` or `false`"),
            "float" | "double" => return self.default_float(name == "float"),
            "uint32" | "fixed32" => (32, false),
            "uint64" | "fixed64" => (64, false),
            "int64" | "sint64" | "sfixed64" => (63, true),
            _ => (31, true),
        };
        let is_negative = is_signed && self.eat("-");
        let most = (u64::MAX >> (64 - bits)) + u64::from(is_negative);
        let value = self.unsigned("an integer", most)?;
        Ok(format!("{}{value}", if is_negative && value > 0 { "-" } else { "" }))
    }

    fn default_float(&mut self, is_float: bool) -> Result<String> {
        let is_negative = self.eat("-");
        let value = match (self.kind(), self.text()) {
            (Kind::Identifier, "inf") => f64::INFINITY,
            (Kind::Identifier, "nan") => f64::NAN,
            (Kind::Integer, text) => match lex::float(text) {
                Some(value) => value,
                None => return self.fault(self.position(), &format!("{} is too large", shown(text))),
            },
            // Text that is not a number was already reported, so any value will do.
            (Kind::Float, text) => lex::float(text).unwrap_or_default(),
            _ => return self.unexpected("a number"),
        };
        self.advance();
        Ok(lex::decimal(if is_negative { -value } else { value }, is_float))
    }
}

/// The names of scalar types, by their numbers in `google.protobuf.FieldDescriptorProto.Type`.
const SCALARS: [&str; 19] = [
    "", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "", "",
    "bytes", "uint32", "", "sfixed32", "sfixed64", "sint32", "sint64",
];

fn scalar(name: &str) -> Option<i32> {
    let number = SCALARS.iter().position(|scalar| *scalar == name)?;
    if number > 0 { Some(number as i32) } else { None }
}
