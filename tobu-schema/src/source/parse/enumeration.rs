//! Enums and their values.

use std::collections::HashSet;

use super::super::ast::{Enum, EnumValue, Options};
use super::message::{is_builtin, is_true};
use super::*;

impl Parser<'_, '_> {
    /// An enum, behind the keyword for its visibility.
    pub(super) fn enumeration(&mut self, location: At, visibility: i32, enums: &mut Vec<Enum>) -> Result<()> {
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

    /// `allow_alias` is only set where there are aliases.
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

    fn enum_member(&mut self, parent: At, enumeration: &mut Enum) -> Result<()> {
        // What is followed by `=` is the name of a value.
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

    fn value(&mut self, location: At) -> Result<EnumValue> {
        // Values are siblings of their enum, as in C++.
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
