//! What stands at the top level of a file.

use super::super::ast::{File, Import, ImportKind, Options};
use super::*;

impl Parser<'_> {
    pub(super) fn file(&mut self, name: &str) -> Result<File> {
        let mut file = File {
            name: name.to_owned(),
            syntax: Syntax::Proto2,
            package: String::new(),
            imports: Vec::new(),
            messages: Vec::new(),
            enums: Vec::new(),
            services: Vec::new(),
            extensions: Vec::new(),
            options: Options::default(),
            locations: Vec::new(),
            positions: HashMap::new(),
        };
        while self.eat(";") {}
        if self.is("syntax") || self.is("edition") {
            file.syntax = self.syntax()?;
            self.syntax = file.syntax;
        }
        while self.kind() != Kind::End {
            if !self.eat(";") {
                self.top_level(&mut file)?;
            }
        }
        file.locations = std::mem::take(&mut self.locations);
        file.positions = std::mem::take(&mut self.positions);
        Ok(file)
    }

    fn syntax(&mut self) -> Result<Syntax> {
        let is_edition = self.is("edition");
        // The number of `syntax`, as protoc has it for an edition, too.
        let location = self.open(vec![12]);
        self.advance();
        self.expect("=")?;
        let position = self.position();
        let value = self.string("a string")?;
        let behind = self.semicolon()?;
        self.close(location, behind);
        match (is_edition, value.as_str()) {
            (false, "proto2") => Ok(Syntax::Proto2),
            (false, "proto3") => Ok(Syntax::Proto3),
            (false, _) => self.fault(position, format!("there is no syntax {value:?}")),
            (true, "2023") => Ok(Syntax::Edition(1000)),
            (true, "2024") => Ok(Syntax::Edition(EDITION_2024)),
            (true, "2026") => Ok(Syntax::Edition(1002)),
            (true, _) => self.fault(position, format!("edition {value:?} is not supported")),
        }
    }

    fn top_level(&mut self, file: &mut File) -> Result<()> {
        let start = self.next;
        let visibility = self.visibility()?;
        match self.text() {
            "message" => {
                let path = vec![4, file.messages.len() as i32];
                file.messages.push(self.message(path, start, visibility)?);
            }
            "enum" => {
                let path = vec![5, file.enums.len() as i32];
                file.enums.push(self.enumeration(path, start, visibility)?);
            }
            "service" => {
                let path = vec![6, file.services.len() as i32];
                file.services.push(self.service(path)?);
            }
            "extend" => self.extend(&[], 7, 4, &mut file.extensions, &mut file.messages)?,
            "import" => self.import(file)?,
            "package" => self.package(file)?,
            "option" => self.option_statement(&mut file.options)?,
            _ => return self.unexpected("a declaration such as `message`"),
        }
        Ok(())
    }

    fn package(&mut self, file: &mut File) -> Result<()> {
        let position = self.position();
        if !file.package.is_empty() {
            return self.fault(position, "the file has a package already");
        }
        let location = self.open(vec![2]);
        self.advance();
        file.package = self.path("a name", false)?;
        self.positions.insert(file.package.clone(), position);
        self.scope.clone_from(&file.package);
        let behind = self.semicolon()?;
        self.close(location, behind);
        Ok(())
    }

    fn import(&mut self, file: &mut File) -> Result<()> {
        let position = self.position();
        let options = file.imports.iter().filter(|import| import.kind == ImportKind::Option).count();
        let kind = match self.tokens.get(self.next + 1).map(|token| self.text_of(token)) {
            Some("public") => ImportKind::Public,
            Some("weak") => ImportKind::Weak,
            Some("option") => ImportKind::Option,
            _ => ImportKind::Plain,
        };
        let edition = self.syntax.edition();
        match kind {
            ImportKind::Option if edition < EDITION_2024 => {
                return self.fault(position, "`import option` needs edition 2024 or later");
            }
            ImportKind::Weak if edition >= EDITION_2024 => {
                return self
                    .fault(position, "there is no `import weak` from edition 2024 on: use `import option`");
            }
            ImportKind::Plain | ImportKind::Public if options > 0 => {
                return self.fault(position, "imports for options only come after all other imports");
            }
            _ => {}
        }
        let location = self.open(match kind {
            ImportKind::Option => vec![15, options as i32],
            _ => vec![3, file.imports.len() as i32],
        });
        self.advance();
        if kind != ImportKind::Plain {
            self.advance();
        }
        let name = self.string("the name of a file")?;
        let behind = self.semicolon()?;
        self.close(location, behind);
        file.imports.push(Import { name, kind, position });
        Ok(())
    }
}
