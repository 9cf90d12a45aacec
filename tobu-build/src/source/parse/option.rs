//! Options: their names, and their values as the text format writes them.

use super::super::ast::{Options, Part, Statement};
use super::*;

impl Parser<'_> {
    /// `option name = value;`
    pub(super) fn option_statement(&mut self, options: &mut Options) -> Result<()> {
        self.advance();
        let statement = self.assignment()?;
        options.statements.push(statement);
        self.semicolon()?;
        Ok(())
    }

    /// `[name = value, ...]`; `special` takes what looks like an option and is none.
    pub(super) fn bracket_options(
        &mut self,
        options: &mut Options,
        mut special: impl FnMut(&mut Self, &str) -> Result<bool>,
    ) -> Result<()> {
        self.expect("[")?;
        loop {
            let name = self.text();
            if !special(self, name)? {
                let statement = self.assignment()?;
                options.statements.push(statement);
            }
            if !self.eat(",") {
                return self.expect("]");
            }
        }
    }

    fn assignment(&mut self) -> Result<Statement> {
        let position = self.position();
        let mut path = vec![self.part()?];
        while self.eat(".") {
            path.push(self.part()?);
        }
        self.expect("=")?;
        let value = self.option_value()?;
        Ok(Statement { path, value, position })
    }

    fn part(&mut self) -> Result<Part> {
        if !self.eat("(") {
            return Ok(Part { name: self.identifier("the name of an option")?, is_extension: false });
        }
        let name = self.path("the name of an extension", true)?;
        self.expect(")")?;
        Ok(Part { name, is_extension: true })
    }

    fn option_value(&mut self) -> Result<String> {
        if self.is("{") {
            return self.aggregate();
        }
        let mut value = if self.eat("-") { "-".to_owned() } else { String::new() };
        match self.kind() {
            Kind::Text => {
                while self.kind() == Kind::Text {
                    value.push(' ');
                    value.push_str(self.text());
                    self.advance();
                }
            }
            Kind::Identifier | Kind::Integer | Kind::Float => {
                value.push_str(self.text());
                self.advance();
            }
            _ => return self.unexpected("the value of an option"),
        }
        Ok(value)
    }

    /// A message in braces, without its comments: those of the text format are others.
    fn aggregate(&mut self) -> Result<String> {
        let position = self.position();
        let (mut value, mut depth) = (String::new(), 0_usize);
        loop {
            let end = self.token().range.end;
            match self.text() {
                _ if self.kind() == Kind::End => {
                    return self.fault(position, "the value has no end: `}` is missing");
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            value.push_str(self.text());
            self.advance();
            if depth == 0 {
                return Ok(value);
            }
            if self.token().range.start > end {
                value.push(' ');
            }
        }
    }
}
