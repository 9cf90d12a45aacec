//! Parses messages in options. They are in the text format, but their tokens are the tokens of `.proto` sources.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

use std::collections::{HashMap, HashSet};

use super::super::ast::Value;
use super::super::diagnostic::shown;
use super::super::lex::{Kind, Token};
use super::{Interpreter, Mistake, scalar, tag, varint};
use crate::descriptor::{Cardinality, FieldDescriptor, Found, MessageDescriptor, Type};
use crate::source::lex;
use crate::wire::WireType;

/// How deep messages may be nested. Readers of the encoded message would refuse deeper nesting.
const MAX_NESTING: usize = 100;

type Result<T> = std::result::Result<T, Mistake>;

/// A message that is being parsed: the fields that were read, in the order of the source.
struct Fields {
    message: MessageDescriptor,
    list: Vec<Entry>,
    /// The field numbers of the singular fields in `list`.
    singular: HashSet<u32>,
    /// The field that is set in each oneof, by the index of the oneof.
    oneofs: HashMap<usize, FieldDescriptor>,
    required: usize,
}

struct Entry {
    number: u32,
    /// True if the field is packed. Then `bytes` has its value without a tag.
    is_packed: bool,
    bytes: Vec<u8>,
}

struct Reader<'r, 'p, 'f> {
    interpreter: &'r mut Interpreter<'p, 'f>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Interpreter<'_, '_> {
    /// Parses the tokens from `start` to `end`, which are a message in braces, and encodes the message.
    pub(super) fn aggregate(
        &mut self,
        message: &MessageDescriptor,
        start: usize,
        end: usize,
    ) -> Result<Vec<u8>> {
        let mut reader = Reader { interpreter: self, next: start, end, depth: 0 };
        reader.braces(message)
    }
}

impl<'f> Reader<'_, '_, 'f> {
    fn token(&self) -> Token {
        // `next` may be `end`. Then this returns the last token, the closing brace, at which every loop stops.
        self.interpreter.tokens[self.next.min(self.end - 1)]
    }

    fn text(&self) -> &'f str {
        self.text_of(self.token())
    }

    fn text_of(&self, token: Token) -> &'f str {
        &self.interpreter.source[token.position.offset as usize..token.end as usize]
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_there = self.text() == word;
        self.next += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.eat(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    #[cold]
    fn fail<T>(&self, token: Token, text: String) -> Result<T> {
        Err(Mistake { position: token.position, text })
    }

    #[cold]
    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        self.fail(self.token(), format!("expected {wanted}, but found `{}`", shown(self.text())))
    }

    /// Consumes the `{` or `<` of a message. Returns the token that closes the message.
    fn open(&mut self) -> Result<&'static str> {
        let close = match self.text() {
            "<" => ">",
            "{" => "}",
            _ => return self.unexpected("`{`"),
        };
        self.enter()?;
        Ok(close)
    }

    /// Consumes the opening token of a message or a list, and counts a level of nesting.
    fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_NESTING {
            return self.fail(self.token(), format!("nested deeper than {MAX_NESTING} levels"));
        }
        self.depth += 1;
        self.next += 1;
        Ok(())
    }

    /// Parses `{ fields }` or `< fields >`.
    fn braces(&mut self, message: &MessageDescriptor) -> Result<Vec<u8>> {
        let first = self.token();
        let close = self.open()?;
        let mut fields = Fields {
            message: message.clone(),
            list: Vec::new(),
            singular: HashSet::new(),
            oneofs: HashMap::new(),
            required: 0,
        };
        while !matches!(self.text(), "}" | ">") {
            self.field(&mut fields)?;
            let _ = self.eat(";") || self.eat(",");
        }
        self.expect(close)?;
        self.depth -= 1;
        if message.is_map_entry() {
            fields.complete_entry();
        }
        if fields.required < self.interpreter.required_fields(message) {
            let text = format!("a required field of {} is missing", message.full_name());
            return self.fail(first, text);
        }
        Ok(fields.encode())
    }

    /// Parses a field: `name: value`, `[extension]: value` or, in an `Any`, `[url/of.Type] { }`.
    fn field(&mut self, fields: &mut Fields) -> Result<()> {
        let first = self.token();
        let field = if self.text() == "[" {
            let (prefix, name) = self.bracketed()?;
            if is_any(&fields.message) {
                return self.any(fields, first, &prefix, &name);
            }
            if !prefix.is_empty() {
                return self.fail(first, "the name of an extension has no `/`".to_owned());
            }
            // The name is resolved in the scope of the message.
            let element = fields.message.full_name().to_owned();
            match self.interpreter.extension(&element, &fields.message, &name, true) {
                Ok(field) => field,
                Err(text) => return self.fail(first, text),
            }
        } else {
            if first.kind != Kind::Identifier {
                return self.unexpected("the name of a field");
            }
            let name = self.text();
            self.next += 1;
            match field_of(&fields.message, name) {
                Some(field) => field,
                None if fields.message.reserved_names().any(|reserved| reserved == name) => {
                    return self.skip();
                }
                None => {
                    return self
                        .fail(first, format!("{} has no field {}", fields.message.full_name(), shown(name)));
                }
            }
        };
        if let Err(text) = fields.check(&field) {
            return self.fail(first, text);
        }
        let is_message = field.ty() == Type::Message;
        if !self.eat(":") && !is_message {
            return self.unexpected("`:`");
        }
        let is_repeated = field.is_list() || field.is_map();
        if is_repeated && self.eat("[") {
            while !self.eat("]") {
                self.value(fields, &field)?;
                if self.text() != "]" {
                    self.expect(",")?;
                    if self.text() == "]" {
                        return self.unexpected("a value");
                    }
                }
            }
            return Ok(());
        }
        self.value(fields, &field)
    }

    fn value(&mut self, fields: &mut Fields, field: &FieldDescriptor) -> Result<()> {
        if let Some(message) = field.message_type() {
            let contents = self.braces(&message)?;
            let bytes = match fields.message.is_message_set() {
                true => message_set_item(field, &contents),
                false => scalar::message(field, &contents),
            };
            fields.push(field, bytes);
            return Ok(());
        }
        let token = self.token();
        let value = self.scalar(field.ty())?;
        let mut bytes = Vec::new();
        // The zero of a singular field without presence is not written. Map entries always have a key and a value.
        let is_implicit = !field.has_presence() && !field.is_list() && !fields.message.is_map_entry();
        let wanted = match scalar::bits(field, &value, true) {
            Some(0) if is_implicit => return Ok(()),
            Some(bits) if field.is_packed() => {
                scalar::put_bits(&mut bytes, field.ty(), bits);
                None
            }
            _ => scalar::put(&mut bytes, field, &value, true).err(),
        };
        if let Some(wanted) = wanted {
            let text = format!("expected {wanted}, but found `{}`", shown(self.text_of(token)));
            return self.fail(token, text);
        }
        let is_empty = matches!(&value, Value::Text(text) if text.is_empty());
        if is_empty && is_implicit {
            return Ok(());
        }
        fields.push(field, bytes);
        Ok(())
    }

    /// Parses a value that is not a message.
    fn scalar(&mut self, ty: Type) -> Result<Value> {
        let is_negative = self.eat("-");
        let (token, text) = (self.token(), self.text());
        let value = match token.kind {
            Kind::Text if !is_negative => {
                let mut bytes = Vec::new();
                while self.token().kind == Kind::Text {
                    if let Err(text) = lex::unescape(self.text(), &mut bytes) {
                        return self.fail(self.token(), text);
                    }
                    self.next += 1;
                }
                return Ok(Value::Text(bytes));
            }
            Kind::Identifier if !is_negative => Value::Identifier(text.to_owned()),
            Kind::Identifier => match negative_word(text) {
                Some(value) => Value::Float(value),
                None => return self.unexpected("a number"),
            },
            // In a float field, an integer must be decimal, not octal or hexadecimal.
            Kind::Integer | Kind::Float if matches!(ty, Type::Float | Type::Double) => {
                let is_decimal = token.kind == Kind::Float || text == "0" || !text.starts_with('0');
                match lex::float(text).filter(|_| is_decimal) {
                    Some(value) => Value::Float(if is_negative { -value } else { value }),
                    None => return self.unexpected("a decimal number"),
                }
            }
            Kind::Integer => match (lex::integer(text), is_negative) {
                (Some(value), false) => Value::Unsigned(value),
                (Some(value), true) if value <= 1 << 63 => Value::Negative((value as i64).wrapping_neg()),
                _ => return self.fail(token, format!("{} is too large", shown(text))),
            },
            Kind::Float => Value::Float(lex::float(text).unwrap_or_default()),
            _ => return self.unexpected("a value"),
        };
        self.next += 1;
        Ok(value)
    }

    /// Parses a name in brackets. Returns the prefix up to the last `/`, and the name after the prefix.
    fn bracketed(&mut self) -> Result<(String, String)> {
        let first = self.token();
        self.expect("[")?;
        let mut text = String::new();
        while self.text() != "]" {
            let is_part = match self.token().kind {
                Kind::Identifier | Kind::Integer | Kind::Float => true,
                Kind::Symbol => "-._~/%!$&()*+,;=".contains(self.text()),
                _ => false,
            };
            if !is_part || self.next + 1 >= self.end {
                return self.unexpected("a name or a type URL");
            }
            text.push_str(self.text());
            self.next += 1;
        }
        self.expect("]")?;
        let split = text.rfind('/').map_or(0, |slash| slash + 1);
        let name = text.split_off(split);
        if !name.split('.').all(crate::descriptor::is_identifier) {
            return self.fail(first, format!("\"{}\" is not a full name", shown(&name)));
        }
        Ok((text, name))
    }

    /// Parses the rest of `[type.googleapis.com/of.Type] { }` after the brackets.
    fn any(&mut self, fields: &mut Fields, first: Token, prefix: &str, name: &str) -> Result<()> {
        if !matches!(prefix, "type.googleapis.com/" | "type.googleprod.com/") {
            let text =
                format!("the URL of a type begins with `type.googleapis.com/`, not with `{}`", shown(prefix));
            return self.fail(first, text);
        }
        let message = match self.interpreter.scope.find(name) {
            Ok(Found::Message(message)) => message,
            Ok(Found::Hidden(file)) => {
                let (name, file) = (shown(name), shown(file.name()));
                return self.fail(first, format!("type {name} is declared in {file}, which is not imported"));
            }
            // The file may declare the type, but could not be linked. That was reported, so this error has no text.
            Ok(_) if self.interpreter.is_without_own => return self.fail(first, String::new()),
            Ok(_) => return self.fail(first, format!("type {} is not declared", shown(name))),
            Err(text) => return self.fail(first, text),
        };
        let (url, value) = (fields.message.field_by_number(1), fields.message.field_by_number(2));
        let (Some(url), Some(value)) = (url, value) else {
            return self.fail(first, "google.protobuf.Any is not declared as it should be".to_owned());
        };
        if let Err(text) = fields.check(&url).and_then(|()| fields.check(&value)) {
            return self.fail(first, text);
        }
        self.eat(":");
        let contents = self.braces(&message)?;
        for (field, contents) in [(url, [prefix, name].concat().into_bytes()), (value, contents)] {
            if !contents.is_empty() {
                let mut bytes = Vec::new();
                tag(&mut bytes, field.number(), WireType::Len);
                varint(&mut bytes, contents.len() as u64);
                bytes.extend_from_slice(&contents);
                fields.push(&field, bytes);
            }
        }
        Ok(())
    }

    /// Skips the value of a reserved field, or of a field inside such a value.
    fn skip(&mut self) -> Result<()> {
        match self.eat(":") && !matches!(self.text(), "{" | "<") {
            true => self.skip_value(),
            false => self.skip_message(),
        }
    }

    fn skip_message(&mut self) -> Result<()> {
        let close = self.open()?;
        while !matches!(self.text(), "}" | ">") {
            if self.text() == "[" {
                self.bracketed()?;
            } else if self.token().kind == Kind::Identifier {
                self.next += 1;
            } else {
                return self.unexpected("the name of a field");
            }
            self.skip()?;
            let _ = self.eat(";") || self.eat(",");
        }
        self.depth -= 1;
        self.expect(close)
    }

    fn skip_value(&mut self) -> Result<()> {
        if self.text() != "[" {
            return self.skip_scalar();
        }
        self.enter()?;
        if !self.eat("]") {
            loop {
                match self.text() {
                    "{" | "<" => self.skip_message()?,
                    _ => self.skip_value()?,
                }
                if self.eat("]") {
                    break;
                }
                self.expect(",")?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Skips a value that is not a message. Numbers may have any size.
    fn skip_scalar(&mut self) -> Result<()> {
        let is_negative = self.eat("-");
        let is_value = match self.token().kind {
            Kind::Integer | Kind::Float => true,
            Kind::Identifier => !is_negative || negative_word(self.text()).is_some(),
            Kind::Text => !is_negative,
            Kind::Symbol | Kind::End => false,
        };
        if !is_value {
            return self.unexpected("a value");
        }
        let is_text = self.token().kind == Kind::Text;
        loop {
            if is_text && let Err(text) = lex::unescape(self.text(), &mut Vec::new()) {
                return self.fail(self.token(), text);
            }
            self.next += 1;
            if !is_text || self.token().kind != Kind::Text {
                return Ok(());
            }
        }
    }
}

impl Interpreter<'_, '_> {
    pub(super) fn required_fields(&mut self, message: &MessageDescriptor) -> usize {
        if let Some(&count) = self.required.get(message.full_name()) {
            return count;
        }
        let count = message.fields().filter(|field| field.is_required()).count();
        self.required.insert(message.full_name().to_owned(), count);
        count
    }
}

/// Returns the number that a word after a minus sign means, or `None` if the word is neither an infinity nor a NaN.
fn negative_word(word: &str) -> Option<f64> {
    match &*word.to_ascii_lowercase() {
        "inf" | "infinity" => Some(f64::NEG_INFINITY),
        "nan" => Some(-f64::NAN),
        _ => None,
    }
}

/// Returns the field that `name` names. For a group, this may also be the name of its type.
fn field_of(message: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    message.field_by_name(name).or_else(|| {
        let field = message.field_by_name(&name.to_ascii_lowercase())?;
        let is_it = field.is_group_like() && field.message_type().is_some_and(|group| group.name() == name);
        is_it.then_some(field)
    })
}

fn is_any(message: &MessageDescriptor) -> bool {
    message.full_name() == "google.protobuf.Any"
}

/// Encodes an item of a MessageSet: a group with the number of the extension and the message.
fn message_set_item(field: &FieldDescriptor, contents: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(contents.len() + 16);
    tag(&mut out, 1, WireType::StartGroup);
    tag(&mut out, 2, WireType::Varint);
    varint(&mut out, u64::from(field.number()));
    tag(&mut out, 3, WireType::Len);
    varint(&mut out, contents.len() as u64);
    out.extend_from_slice(contents);
    tag(&mut out, 1, WireType::EndGroup);
    out
}

impl Fields {
    /// Checks that a field may be set in addition to the fields that are set.
    fn check(&self, field: &FieldDescriptor) -> std::result::Result<(), String> {
        if field.is_list() || field.is_map() {
            return Ok(());
        }
        let name = shown(field.name());
        if self.singular.contains(&field.number()) {
            return Err(format!("field {name} is set already"));
        }
        match field.oneof().and_then(|oneof| self.oneofs.get(&oneof.index())) {
            Some(other) => {
                Err(format!("field {name} is in a oneof with {}, which is set already", shown(other.name())))
            }
            None => Ok(()),
        }
    }

    fn push(&mut self, field: &FieldDescriptor, bytes: Vec<u8>) {
        if !field.is_list() && !field.is_map() {
            self.singular.insert(field.number());
            if let Some(oneof) = field.oneof() {
                self.oneofs.insert(oneof.index(), field.clone());
            }
            self.required +=
                usize::from(field.cardinality() == Cardinality::Required && !field.is_extension());
        }
        let is_packed = field.is_packed();
        self.list.push(Entry { number: field.number(), is_packed, bytes });
    }

    /// Adds the key and the value that the source of a map entry omits, with their default values.
    fn complete_entry(&mut self) {
        for field in self.message.clone().fields() {
            if self.singular.contains(&field.number()) {
                continue;
            }
            let mut bytes = Vec::new();
            match (field.message_type(), field.enum_type()) {
                (Some(_), _) => bytes = scalar::message(&field, &[]),
                (None, enumeration) => {
                    let bits = enumeration.map_or(0, |it| i64::from(it.default_value().number()) as u64);
                    tag(&mut bytes, field.number(), field.ty().wire_type());
                    // For a string, this zero is the length of the empty string.
                    scalar::put_bits(&mut bytes, field.ty(), bits);
                }
            }
            self.push(&field, bytes);
        }
    }

    /// Encodes the fields in the order of their numbers.
    fn encode(mut self) -> Vec<u8> {
        self.list.sort_by_key(|entry| entry.number);
        let mut out = Vec::with_capacity(self.list.iter().map(|entry| entry.bytes.len() + 2).sum());
        let mut rest = &self.list[..];
        while let Some(first) = rest.first() {
            let count = rest
                .iter()
                .take_while(|entry| first.is_packed && entry.number == first.number)
                .count()
                .max(1);
            let (same, behind) = rest.split_at(count);
            rest = behind;
            if first.is_packed {
                tag(&mut out, first.number, WireType::Len);
                varint(&mut out, same.iter().map(|entry| entry.bytes.len() as u64).sum());
            }
            same.iter().for_each(|entry| out.extend_from_slice(&entry.bytes));
        }
        out
    }
}
