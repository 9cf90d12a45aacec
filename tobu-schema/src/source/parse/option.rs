//! Options: their names, and their values as they are written.

use super::super::ast::{Field, Options, Part, Statement, Value};
use super::*;

impl Parser<'_, '_> {
    /// `option name = value;`, with the number of the options of the element.
    pub(super) fn option_statement(&mut self, parent: At, number: i32, options: &mut Options) -> Result<()> {
        let outer = self.open(parent, &[number]);
        let location = self.open(outer, &[]);
        self.advance();
        self.assignment(location, options)?;
        self.expect_end(";", location)?;
        self.close(location);
        self.close(outer);
        Ok(())
    }

    /// `[name = value, ...]`; of a field, `default` and `json_name` are among them.
    pub(super) fn bracket_options(
        &mut self,
        parent: At,
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

    fn assignment(&mut self, location: At, options: &mut Options) -> Result<()> {
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
            // protoc takes a sign before it, which means nothing.
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
                let integer = literal::integer(text).filter(|_| self.kind() == Kind::Integer);
                match (integer, is_negative) {
                    (Some(value), false) => Value::Unsigned(value),
                    (Some(value), true) if value <= 1 << 63 => Value::Negative((value as i64).wrapping_neg()),
                    _ => match literal::float(text) {
                        Some(value) => Value::Float(if is_negative { -value } else { value }),
                        // Either the number has too many digits, or it was reported.
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

    /// A message in braces, which is read when its type is known.
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
