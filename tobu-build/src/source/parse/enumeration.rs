//! Enums and their values.

use super::super::ast::{Enum, Options, Value};
use super::*;

impl Parser<'_> {
    /// An enum, with the keyword for its visibility before it: that is at the token `start`.
    pub(super) fn enumeration(&mut self, path: Vec<i32>, start: usize, visibility: i32) -> Result<Enum> {
        let location = self.open_at(path.clone(), start);
        self.advance();
        let mut enumeration = Enum {
            name: self.declare("the name of an enum")?,
            visibility,
            values: Vec::new(),
            reserved_ranges: Vec::new(),
            reserved_names: Vec::new(),
            options: Options::default(),
        };
        // Values are siblings of their enum, as in C++.
        let behind = self.block("", |parser| match parser.text() {
            "option" if parser.tokens[parser.next + 1].kind != Kind::Symbol || parser.is_option_name() => {
                parser.option_statement(&mut enumeration.options)
            }
            "reserved" if !parser.is_assigned() => {
                let (ranges, names) = (&mut enumeration.reserved_ranges, &mut enumeration.reserved_names);
                parser.reserved(ranges, names, true)
            }
            _ => {
                let path = step(&path, 2, enumeration.values.len());
                enumeration.values.push(parser.value(path)?);
                Ok(())
            }
        })?;
        self.close(location, behind);
        Ok(enumeration)
    }

    /// True where the current word is the name of a value.
    fn is_assigned(&self) -> bool {
        self.text_of(&self.tokens[self.next + 1]) == "="
    }

    /// True where a custom option's name follows.
    fn is_option_name(&self) -> bool {
        self.text_of(&self.tokens[self.next + 1]) == "("
    }

    fn value(&mut self, path: Vec<i32>) -> Result<Value> {
        let location = self.open(path);
        let name = self.declare("the name of an enum value")?;
        self.expect("=")?;
        let mut value = Value { name, number: self.signed("a number")?, options: Options::default() };
        if self.is("[") {
            self.bracket_options(&mut value.options, |_, _| Ok(false))?;
        }
        let behind = self.semicolon()?;
        self.close(location, behind);
        Ok(value)
    }
}
