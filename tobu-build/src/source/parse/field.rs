//! Fields, maps, groups and extensions.

use super::super::ast::{Field, Label, Message, Part, Type};
use super::*;

/// Where a group or a map puts its message: the path of the next message, and the messages of the scope.
type Nested<'m> = (Vec<i32>, &'m mut Vec<Message>);

impl Parser<'_> {
    /// `extend Message { ... }`, whose fields have the number `extension` in the scope, and groups in it `message`.
    pub(super) fn extend(
        &mut self,
        path: &[i32],
        extension: i32,
        message: i32,
        extensions: &mut Vec<Field>,
        messages: &mut Vec<Message>,
    ) -> Result<()> {
        self.advance();
        let extendee = self.path("the name of a message", true)?;
        self.block("", |parser| {
            let field_path = step(path, extension, extensions.len());
            let nested = (step(path, message, messages.len()), &mut *messages);
            let field = parser.field(field_path, nested, Some(&extendee), None)?;
            extensions.push(field);
            Ok(())
        })?;
        Ok(())
    }

    pub(super) fn field(
        &mut self,
        path: Vec<i32>,
        nested: Nested<'_>,
        extendee: Option<&str>,
        oneof: Option<usize>,
    ) -> Result<Field> {
        let (location, position) = (self.open(path), self.position());
        let label = self.label(oneof.is_some())?;
        if self.is("map") && self.text_of(&self.tokens[self.next + 1]) == "<" {
            if label.is_some() || extendee.is_some() || oneof.is_some() {
                return self
                    .fault(position, "a map has no label, and is neither in a oneof nor an extension");
            }
            return self.map(location, nested);
        }
        let is_group = self.is("group") && self.is_next_identifier();
        let (ty, name) = if is_group {
            self.advance();
            let position = self.position();
            if self.syntax != Syntax::Proto2 {
                return self.fault(
                    position,
                    "groups are of proto2: use a message, with DELIMITED encoding in editions",
                );
            }
            let group = self.declare("the name of a group")?;
            if !group.starts_with(|c: char| c.is_ascii_uppercase()) {
                return self.fault(position, "the name of a group begins with a capital letter");
            }
            let name = group.to_ascii_lowercase();
            self.positions.entry(scoped(&self.scope, &name)).or_insert(position);
            (Type::Group(group), name)
        } else {
            let ty = self.field_type()?;
            (ty, self.declare("the name of a field")?)
        };
        if label.is_none() && self.syntax == Syntax::Proto2 && oneof.is_none() {
            return self.fault(position, "a field of proto2 is `optional`, `required` or `repeated`");
        }
        let mut field = Field::new(name, ty);
        field.label = label.unwrap_or(Label::Optional);
        field.extendee = extendee.map(str::to_owned);
        field.oneof = oneof;
        field.is_proto3_optional = label == Some(Label::Optional) && self.syntax == Syntax::Proto3;
        self.expect("=")?;
        field.number = self.int32("a field number")?;
        self.field_options(&mut field)?;
        let behind = match &field.ty {
            Type::Group(group) => {
                let (path, messages) = nested;
                let mut message = Message { name: group.clone(), ..Message::default() };
                let behind = self.body(&path, &mut message)?;
                messages.push(message);
                behind
            }
            _ => self.semicolon()?,
        };
        self.close(location, behind);
        Ok(field)
    }

    fn label(&mut self, is_in_oneof: bool) -> Result<Option<Label>> {
        let position = self.position();
        let label = match self.text() {
            "optional" => Label::Optional,
            "required" => Label::Required,
            "repeated" => Label::Repeated,
            _ => return Ok(None),
        };
        // The label may be the name of a type: `optional = 1` is no field, so a name follows it.
        if !self.is_next_identifier() && self.text_of(&self.tokens[self.next + 1]) != "." {
            return Ok(None);
        }
        self.advance();
        match (label, self.syntax) {
            _ if is_in_oneof => self.fault(position, "a field of a oneof has no label"),
            (Label::Optional, Syntax::Edition(_)) => self.fault(
                position,
                "there is no `optional` in editions: fields have presence unless features say otherwise",
            ),
            (Label::Required, Syntax::Edition(_)) => self.fault(
                position,
                "there is no `required` in editions: use features.field_presence = LEGACY_REQUIRED",
            ),
            (Label::Required, Syntax::Proto3) => {
                self.fault(position, "there are no required fields in proto3")
            }
            _ => Ok(Some(label)),
        }
    }

    fn field_type(&mut self) -> Result<Type> {
        let scalar = (self.kind() == Kind::Identifier).then(|| scalar(self.text())).flatten();
        match scalar {
            Some(number) => {
                self.advance();
                Ok(Type::Scalar(number))
            }
            None => Ok(Type::Named(self.path("the type of a field", true)?)),
        }
    }

    /// `map<Key, Value> name = 1;`, which declares the message of its entries, too.
    fn map(&mut self, location: usize, (_, messages): Nested<'_>) -> Result<Field> {
        self.advance();
        self.advance();
        let key_position = self.position();
        let key = self.field_type()?;
        self.expect(",")?;
        let value_position = self.position();
        let value = self.field_type()?;
        self.expect(">")?;
        let position = self.position();
        let name = self.declare("the name of a field")?;
        let entry = format!("{}Entry", camel_case(&name, true));
        let full_name = scoped(&self.scope, &entry);
        self.positions.entry(scoped(&full_name, "key")).or_insert(key_position);
        self.positions.entry(scoped(&full_name, "value")).or_insert(value_position);
        self.positions.entry(full_name).or_insert(position);
        let mut field = Field::new(name, Type::Named(entry.clone()));
        field.label = Label::Repeated;
        self.expect("=")?;
        field.number = self.int32("a field number")?;
        self.field_options(&mut field)?;
        let behind = self.semicolon()?;
        self.close(location, behind);
        // Key and value have the features of the map.
        let is_feature = |path: &[Part]| path[0].name == "features" && !path[0].is_extension;
        let mut features = field.options.clone();
        features.statements.retain(|statement| is_feature(&statement.path));
        let member = |name: &str, number, ty| {
            let member = Field::new(name.to_owned(), ty);
            Field { number, options: features.clone(), ..member }
        };
        messages.push(Message {
            name: entry,
            fields: vec![member("key", 1, key), member("value", 2, value)],
            is_map_entry: true,
            ..Message::default()
        });
        Ok(field)
    }

    fn field_options(&mut self, field: &mut Field) -> Result<()> {
        if !self.is("[") {
            return Ok(());
        }
        let (mut default, mut json_name) = (None, None);
        let ty = field.ty.clone();
        let is_extension = field.extendee.is_some();
        let is_repeated = field.label == Label::Repeated;
        self.bracket_options(&mut field.options, |parser, name| {
            let position = parser.position();
            match name {
                "default" => {
                    parser.advance();
                    parser.expect("=")?;
                    let value = parser.default(&ty)?;
                    if parser.syntax == Syntax::Proto3 || is_repeated {
                        return parser.fault(position, "a field of proto3 or a repeated one has no default");
                    }
                    if default.replace(value).is_some() {
                        return parser.fault(position, "the default is set already");
                    }
                }
                "json_name" if is_extension => {
                    return parser.fault(position, "an extension has no `json_name`: JSON has its full name");
                }
                "json_name" => {
                    parser.advance();
                    parser.expect("=")?;
                    let value = parser.string("a string")?;
                    if json_name.replace(value).is_some() {
                        return parser.fault(position, "the JSON name is set already");
                    }
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        (field.default, field.json_name) = (default, json_name);
        Ok(())
    }

    /// A default, as descriptors write it.
    fn default(&mut self, ty: &Type) -> Result<String> {
        let position = self.position();
        let Type::Scalar(number) = ty else { return self.identifier("the name of an enum value") };
        match SCALARS[*number as usize] {
            "string" => self.string("a string"),
            "bytes" => Ok(escape(&self.bytes("a string")?)),
            "bool" => match self.identifier("`true` or `false`")?.as_str() {
                word @ ("true" | "false") => Ok(word.to_owned()),
                _ => self.fault(position, "expected `true` or `false`"),
            },
            name @ ("float" | "double") => {
                let sign = if self.eat("-") { "-" } else { "" };
                let text = self.text();
                let is_float = name == "float";
                let value = match (self.kind(), text) {
                    (Kind::Identifier, "inf" | "nan") => text.to_owned(),
                    (Kind::Integer, _) => decimal(lex::integer(text).unwrap_or_default() as f64, is_float),
                    (Kind::Float, _) => decimal(text.parse().unwrap_or_default(), is_float),
                    _ => return self.unexpected("a number"),
                };
                self.advance();
                Ok(format!("{sign}{value}"))
            }
            _ => {
                let sign = if self.eat("-") { "-" } else { "" };
                Ok(format!("{sign}{}", self.unsigned("an integer")?))
            }
        }
    }
}

/// The names of scalar types, by their numbers in `google.protobuf.FieldDescriptorProto.Type`.
const SCALARS: [&str; 19] = [
    "", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "", "",
    "bytes", "uint32", "", "sfixed32", "sfixed64", "sint32", "sint64",
];

fn scalar(name: &str) -> Option<i32> {
    SCALARS.iter().position(|scalar| *scalar == name && !name.is_empty()).map(|number| number as i32)
}

/// A float as protoc writes it: with the digits that the type always holds, or where these are another number, with
/// those that tell all numbers of the type apart.
fn decimal(value: f64, is_float: bool) -> String {
    let (digits, all_digits) = if is_float { (6, 9) } else { (15, 17) };
    let short = significant(value, digits);
    let is_exact = match is_float {
        true => short.parse() == Ok(value as f32),
        false => short.parse() == Ok(value),
    };
    if is_exact { short } else { significant(value, all_digits) }
}

/// A float with as many significant digits at most, as `%g` of C writes it.
fn significant(value: f64, digits: i32) -> String {
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    let scientific = format!("{value:.*e}", digits as usize - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..digits).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (digits - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

/// Bytes as descriptors write them: in C's escapes.
fn escape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\'' | b'\\' => out.extend(['\\', byte as char]),
            0x20..=0x7e => out.push(byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out
}

/// `book_count` as `bookCount`, or as `BookCount`.
pub(in crate::source) fn camel_case(name: &str, is_first_upper: bool) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_upper = is_first_upper;
    for c in name.chars() {
        match c {
            '_' => is_upper = true,
            c if is_upper => {
                out.push(c.to_ascii_uppercase());
                is_upper = false;
            }
            c => out.push(c),
        }
    }
    out
}
