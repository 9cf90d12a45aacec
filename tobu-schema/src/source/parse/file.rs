//! Parses the declarations at the top level of a file, and enums, options and services.

use std::collections::HashSet;

use crate::source::ast::{
    Enum, EnumValue, Field, File, Import, ImportKind, Method, Options, Part, Service, Statement, Value,
};
use crate::source::parse::message::{is_builtin, is_true};
use crate::source::parse::*;

impl Parser<'_, '_> {
    pub(super) fn file(&mut self, name: &str) -> File {
        let mut file = File {
            name: name.to_owned(),
            source: String::new(),
            tokens: Vec::new(),
            syntax: Syntax::Proto2,
            package: String::new(),
            imports: Vec::new(),
            messages: Vec::new(),
            enums: Vec::new(),
            services: Vec::new(),
            extensions: Vec::new(),
            options: Options::default(),
            locations: Vec::new(),
            paths: Vec::new(),
            positions: HashMap::new(),
        };
        let first = self.token();
        let start = (first.position.line, first.position.column);
        self.locations.push(Location { path: (0, 0), start, end: start, comments: None, option: Vec::new() });
        let root = LocationIndex(0);
        let before = if self.source.starts_with('\u{feff}') { 3 } else { 0 };
        self.comments = gap(&self.source[before..first.position.offset as usize], true, self.text());
        let is_known = !(self.is("syntax") || self.is("edition")) || self.syntax(root).is_ok();
        file.syntax = self.syntax;
        // If the syntax of a file is not known, most further errors would be misleading.
        while is_known && self.kind() != Kind::End {
            let statement = self.top_level(&mut file, root);
            self.recover(statement);
            if self.is("}") {
                self.faults.error(self.position(), "there is no `{` before this `}`");
                self.end("}", None);
            }
        }
        match self.next {
            0 => self.locations[0].end = (0, 0),
            _ => self.close(root),
        }
        file.locations = std::mem::take(&mut self.locations);
        file.paths = std::mem::take(&mut self.paths);
        file.positions = std::mem::take(&mut self.positions);
        if self.has_messages_in_options {
            file.tokens = std::mem::take(&mut self.tokens);
        }
        file
    }

    fn syntax(&mut self, root: LocationIndex) -> Result<()> {
        let is_edition = self.is("edition");
        // protoc uses the number of the field `syntax` in the location of an edition, too.
        let location = self.open(root, &[12]);
        self.advance();
        self.expect("=")?;
        let position = self.position();
        let value = self.string("a string")?;
        self.expect_end(";", location)?;
        self.close(location);
        self.syntax = match (is_edition, value.as_str()) {
            (false, "proto2") => Syntax::Proto2,
            (false, "proto3") => Syntax::Proto3,
            (true, "2023") => Syntax::Edition(1000),
            (true, "2024") => Syntax::Edition(EDITION_2024),
            (true, "2026") => Syntax::Edition(1002),
            (false, _) => {
                return self.fault(position, &format!("there is no syntax \"{}\"", shown(&value)));
            }
            (true, _) => {
                return self.fault(position, &format!("edition \"{}\" is not supported", shown(&value)));
            }
        };
        Ok(())
    }

    fn top_level(&mut self, file: &mut File, root: LocationIndex) -> Result<()> {
        if self.end(";", None) {
            return Ok(());
        }
        let visibility = self.visibility()?;
        match self.text() {
            "message" => {
                let location = self.open(root, &[4, file.messages.len() as i32]);
                self.message(location, visibility, &mut file.messages)
            }
            "enum" => {
                let location = self.open(root, &[5, file.enums.len() as i32]);
                self.enumeration(location, visibility, &mut file.enums)
            }
            "service" => {
                let location = self.open(root, &[6, file.services.len() as i32]);
                self.service(location, &mut file.services)
            }
            "extend" => self.extend(root, 7, 4, &mut file.extensions, &mut file.messages),
            "import" => self.import(file, root),
            "package" => self.package(file, root),
            "option" => self.option_statement(root, 8, &mut file.options),
            "}" => self.fault(self.position(), "there is no `{` before this `}`"),
            _ => self.unexpected("a declaration such as `message`"),
        }
    }

    fn package(&mut self, file: &mut File, root: LocationIndex) -> Result<()> {
        let position = self.position();
        if !file.package.is_empty() {
            return self.fault(position, "the file has a package already");
        }
        let location = self.open(root, &[2]);
        self.advance();
        file.package = self.path("a name", false)?;
        // The packages around this package have no positions of their own.
        self.positions.insert(file.package.clone(), position);
        self.scope.clone_from(&file.package);
        self.expect_end(";", location)?;
        self.close(location);
        Ok(())
    }

    fn import(&mut self, file: &mut File, root: LocationIndex) -> Result<()> {
        let (first, position) = (self.token(), self.position());
        let options = self.imports.option;
        self.advance();
        let kind = match self.text() {
            "public" => ImportKind::Public,
            "weak" => ImportKind::Weak,
            "option" => ImportKind::Option,
            _ => ImportKind::Plain,
        };
        let edition = self.syntax.edition();
        match kind {
            ImportKind::Option if edition < EDITION_2024 => {
                self.faults.error(position, "`import option` needs edition 2024 or later");
            }
            ImportKind::Weak if edition >= EDITION_2024 => {
                let text = "there is no `import weak` from edition 2024 on: use `import option`";
                self.faults.error(position, text);
            }
            ImportKind::Plain | ImportKind::Public | ImportKind::Weak if options > 0 => {
                self.faults.error(position, "imports for options only come after all other imports");
            }
            _ => {}
        }
        let location = match kind {
            ImportKind::Option => self.open(root, &[15, options]),
            _ => self.open(root, &[3, file.imports.len() as i32 - options]),
        };
        self.start_at(location, first);
        let keyword = match kind {
            ImportKind::Public => Some([10, self.imports.public]),
            ImportKind::Weak => Some([11, self.imports.weak]),
            ImportKind::Option | ImportKind::Plain => None,
        };
        if let Some(path) = keyword {
            let keyword = self.open(root, &path);
            self.advance();
            self.close(keyword);
        } else if kind == ImportKind::Option {
            self.advance();
        }
        let name = self.string("the name of a file")?;
        self.expect_end(";", location)?;
        self.close(location);
        match kind {
            ImportKind::Public => self.imports.public += 1,
            ImportKind::Weak => self.imports.weak += 1,
            ImportKind::Option => self.imports.option += 1,
            ImportKind::Plain => {}
        }
        file.imports.push(Import { name, kind, position });
        Ok(())
    }
}

impl Parser<'_, '_> {
    /// Parses an enum. The keyword for its visibility was already consumed.
    pub(super) fn enumeration(
        &mut self,
        location: LocationIndex,
        visibility: i32,
        enums: &mut Vec<Enum>,
    ) -> Result<()> {
        self.advance();
        let mut enumeration = Enum {
            name: self.name(location, "the name of an enum")?,
            visibility,
            values: Vec::new(),
            reserved_ranges: Vec::new(),
            reserved_names: Vec::new(),
            options: Options::default(),
        };
        self.enter_block(location)?;
        while !self.leave_block() {
            let member = self.enum_member(location, &mut enumeration);
            self.recover(member);
        }
        self.close(location);
        self.check_aliases(&enumeration);
        enums.push(enumeration);
        Ok(())
    }

    /// Reports `allow_alias` if it is not true, or if no two values have the same number.
    fn check_aliases(&mut self, enumeration: &Enum) {
        let mut statements = enumeration.options.statements.iter();
        let Some(statement) = statements.find(|statement| is_builtin(statement, "allow_alias")) else {
            return;
        };
        let mut numbers = HashSet::new();
        if !is_true(&statement.value) {
            self.faults.error(statement.position, "`allow_alias` says nothing unless it is true");
        } else if enumeration.values.iter().all(|value| numbers.insert(value.number)) {
            let text = "`allow_alias` is set, and no two values have the same number";
            self.faults.error(statement.position, text);
        }
    }

    fn enum_member(&mut self, parent: LocationIndex, enumeration: &mut Enum) -> Result<()> {
        // If `=` follows, the word is the name of a value.
        let is_value = self.is_followed_by("=");
        match self.text() {
            "option" if !is_value => self.option_statement(parent, 3, &mut enumeration.options),
            "reserved" if !is_value => {
                let (ranges, names) = (&mut enumeration.reserved_ranges, &mut enumeration.reserved_names);
                self.reserved(parent, [4, 5], ranges, names, true)
            }
            _ => {
                let location = self.open(parent, &[2, enumeration.values.len() as i32]);
                let value = self.value(location)?;
                enumeration.values.push(value);
                Ok(())
            }
        }
    }

    fn value(&mut self, location: LocationIndex) -> Result<EnumValue> {
        // The full names of values are in the scope around the enum, as in C++.
        let name = self.name(location, "the name of an enum value")?;
        self.expect("=")?;
        let number_location = self.open(location, &[2]);
        let number = self.signed("a number")?;
        self.close(number_location);
        let mut value = EnumValue { name, number, options: Options::default() };
        if self.is("[") {
            self.bracket_options(location, 3, &mut value.options, None)?;
        }
        self.expect_end(";", location)?;
        self.close(location);
        Ok(value)
    }
}

impl Parser<'_, '_> {
    /// Parses `option name = value;`. `number` is the number of the field `options` in the descriptor of the element.
    pub(super) fn option_statement(
        &mut self,
        parent: LocationIndex,
        number: i32,
        options: &mut Options,
    ) -> Result<()> {
        let outer = self.open(parent, &[number]);
        let location = self.open(outer, &[]);
        self.advance();
        self.assignment(location, options)?;
        self.expect_end(";", location)?;
        self.close(location);
        self.close(outer);
        Ok(())
    }

    /// Parses `[name = value, ...]`. In the brackets of a field, `default` and `json_name` may be among the names.
    pub(super) fn bracket_options(
        &mut self,
        parent: LocationIndex,
        number: i32,
        options: &mut Options,
        mut field: Option<&mut Field>,
    ) -> Result<()> {
        let outer = self.open(parent, &[number]);
        self.expect("[")?;
        loop {
            let is_special = match &mut field {
                Some(field) => self.special_option(parent, field)?,
                None => false,
            };
            if !is_special {
                let location = self.open(outer, &[]);
                self.assignment(location, options)?;
                self.close(location);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        self.close(outer);
        Ok(())
    }

    fn assignment(&mut self, location: LocationIndex, options: &mut Options) -> Result<()> {
        let position = self.position();
        let mut path = vec![self.part()?];
        while self.eat(".") {
            path.push(self.part()?);
        }
        self.expect("=")?;
        let value_position = self.position();
        let value = self.option_value()?;
        let location = Some(location.0 as u32);
        options.statements.push(Statement { path, value, position, value_position, location });
        Ok(())
    }

    fn part(&mut self) -> Result<Part> {
        if !self.eat("(") {
            let name = self.identifier("the name of an option")?.to_owned();
            return Ok(Part { name, is_extension: false });
        }
        let name = self.path("the name of an extension", true)?;
        self.expect(")")?;
        Ok(Part { name, is_extension: true })
    }

    fn option_value(&mut self) -> Result<Value> {
        let position = self.position();
        let is_negative = self.eat("-");
        if self.is("{") {
            // protoc accepts a sign before the brace. The sign has no effect.
            return self.aggregate();
        }
        let text = self.text();
        let value = match self.kind() {
            Kind::Text if !is_negative => return Ok(Value::Text(self.bytes("a string")?)),
            Kind::Identifier => match (is_negative, text) {
                (true, "inf") => Value::Float(f64::NEG_INFINITY),
                (true, "nan") => Value::Float(f64::NAN),
                (true, _) => return self.unexpected("a number"),
                (false, _) => Value::Identifier(text.to_owned()),
            },
            Kind::Integer | Kind::Float => {
                let integer = lex::integer(text).filter(|_| self.kind() == Kind::Integer);
                match (integer, is_negative) {
                    (Some(value), false) => Value::Unsigned(value),
                    (Some(value), true) if value <= 1 << 63 => Value::Negative((value as i64).wrapping_neg()),
                    _ => match lex::float(text) {
                        Some(value) => Value::Float(if is_negative { -value } else { value }),
                        // The error of text that is not a number was already reported, so any value will do.
                        None if self.kind() == Kind::Float => Value::Float(0.0),
                        None => return self.fault(position, &format!("{} is too large", shown(text))),
                    },
                }
            }
            _ => return self.unexpected("the value of an option"),
        };
        self.advance();
        Ok(value)
    }

    /// Skips a message in braces, and returns the range of its tokens. The message is parsed later, when its type is known.
    fn aggregate(&mut self) -> Result<Value> {
        let (position, start) = (self.position(), self.next);
        self.has_messages_in_options = true;
        let mut depth = 0_usize;
        loop {
            match self.text() {
                _ if self.kind() == Kind::End => {
                    return self.fault(position, "the value has no end: `}` is missing");
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(Value::Message(start as u32, self.next as u32));
            }
        }
    }
}

impl Parser<'_, '_> {
    pub(super) fn service(&mut self, location: LocationIndex, services: &mut Vec<Service>) -> Result<()> {
        self.advance();
        let name = self.name(location, "the name of a service")?;
        let mut service = Service { name, methods: Vec::new(), options: Options::default() };
        self.enter_block(location)?;
        let outer = self.enter_scope(&service.name);
        while !self.leave_block() {
            let member = self.service_member(location, &mut service);
            self.recover(member);
        }
        self.scope.truncate(outer);
        self.close(location);
        services.push(service);
        Ok(())
    }

    fn service_member(&mut self, parent: LocationIndex, service: &mut Service) -> Result<()> {
        match self.text() {
            "option" => self.option_statement(parent, 3, &mut service.options),
            "rpc" => {
                let location = self.open(parent, &[2, service.methods.len() as i32]);
                let method = self.method(location)?;
                service.methods.push(method);
                Ok(())
            }
            _ => self.unexpected("`rpc` or `option`"),
        }
    }

    fn method(&mut self, location: LocationIndex) -> Result<Method> {
        self.advance();
        let name = self.name(location, "the name of a method")?;
        let (client_streaming, input) = self.side(location, [5, 2])?;
        self.expect("returns")?;
        let (server_streaming, output) = self.side(location, [6, 3])?;
        let mut options = Options { is_present: self.is("{"), ..Options::default() };
        if self.is("{") {
            self.enter_block(location)?;
            while !self.leave_block() {
                let statement = match self.is("option") {
                    true => self.option_statement(location, 4, &mut options),
                    false => self.unexpected("`option`"),
                };
                self.recover(statement);
            }
        } else {
            self.expect_end(";", location)?;
        }
        self.close(location);
        Ok(Method { name, input, output, client_streaming, server_streaming, options })
    }

    /// Parses `(Message)` or `(stream Message)`. `stream` and `message` are the numbers of two fields of the method's
    /// descriptor: whether this side is a stream, and the name of the message. Returns the values of both fields.
    fn side(&mut self, parent: LocationIndex, [stream, message]: [i32; 2]) -> Result<(bool, String)> {
        self.expect("(")?;
        // `stream` is always the keyword here. As in protoc, a message of this name must be written `.stream`.
        let is_stream = self.is("stream");
        if is_stream {
            let location = self.open(parent, &[stream]);
            self.advance();
            self.close(location);
        }
        let location = self.open(parent, &[message]);
        let name = self.message_name()?;
        self.close(location);
        self.expect(")")?;
        Ok((is_stream, name))
    }
}
