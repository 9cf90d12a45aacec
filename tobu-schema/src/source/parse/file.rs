//! What is at the top level of a file.

use super::super::ast::{File, Import, ImportKind, Options};
use super::*;

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
        let root = At(0);
        let before = if self.source.starts_with('\u{feff}') { 3 } else { 0 };
        self.comments = gap(&self.source[before..first.position.offset as usize], true, self.text());
        let is_known = !(self.is("syntax") || self.is("edition")) || self.syntax(root).is_ok();
        file.syntax = self.syntax;
        // Without its syntax, a file would only have errors that are none.
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

    fn syntax(&mut self, root: At) -> Result<()> {
        let is_edition = self.is("edition");
        // The number of `syntax`, as protoc has it for an edition, too.
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

    fn top_level(&mut self, file: &mut File, root: At) -> Result<()> {
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

    fn package(&mut self, file: &mut File, root: At) -> Result<()> {
        let position = self.position();
        if !file.package.is_empty() {
            return self.fault(position, "the file has a package already");
        }
        let location = self.open(root, &[2]);
        self.advance();
        file.package = self.path("a name", false)?;
        // Of the package and those around it, the last has the position of them all.
        self.positions.insert(file.package.clone(), position);
        self.scope.clone_from(&file.package);
        self.expect_end(";", location)?;
        self.close(location);
        Ok(())
    }

    fn import(&mut self, file: &mut File, root: At) -> Result<()> {
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
