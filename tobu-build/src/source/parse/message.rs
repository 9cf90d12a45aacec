//! Messages, and what stands in them beside fields.

use super::super::ast::{ExtensionRange, Message, Oneof, Options};
use super::*;

/// Stands for `max` until it is known what the largest number is.
const MAX: i32 = -1;
const MAX_FIELD_NUMBER: i32 = (1 << 29) - 1;

impl Parser<'_> {
    /// A message, with the keyword for its visibility before it: that is at the token `start`.
    pub(super) fn message(&mut self, path: Vec<i32>, start: usize, visibility: i32) -> Result<Message> {
        let location = self.open_at(path.clone(), start);
        self.advance();
        let name = self.declare("the name of a message")?;
        let mut message = Message { name, visibility, ..Message::default() };
        let behind = self.body(&path, &mut message)?;
        self.close(location, behind);
        Ok(message)
    }

    /// As `open`, with the comments before a token that has been passed.
    pub(super) fn open_at(&mut self, path: Vec<i32>, start: usize) -> usize {
        let location = self.open(path);
        self.locations[location].lead(&self.tokens[start].gap);
        location
    }

    /// The braces of a message or a group, and what is in them.
    pub(super) fn body(&mut self, path: &[i32], message: &mut Message) -> Result<usize> {
        let name = message.name.clone();
        let behind = self.block(&name, |parser| parser.member(path, message))?;
        self.add_synthetic_oneofs(message);
        let is_message_set = message.options.statements.iter().any(|statement| {
            matches!(&*statement.path, [part] if part.name == "message_set_wire_format" && !part.is_extension)
                && statement.value == "true"
        });
        let end = if is_message_set { i32::MAX } else { MAX_FIELD_NUMBER + 1 };
        for range in message.extension_ranges.iter_mut().filter(|range| range.end == MAX) {
            range.end = end;
        }
        for range in message.reserved_ranges.iter_mut().filter(|range| range.1 == MAX) {
            range.1 = end;
        }
        Ok(behind)
    }

    fn member(&mut self, path: &[i32], message: &mut Message) -> Result<()> {
        let start = self.next;
        let visibility = self.visibility()?;
        // A field's type may have the name of a keyword: that it is one shows what follows.
        match self.text() {
            "message" if visibility > 0 || self.is_next_identifier() => {
                let path = step(path, 3, message.messages.len());
                message.messages.push(self.message(path, start, visibility)?);
            }
            "enum" if visibility > 0 || self.is_next_identifier() => {
                let path = step(path, 4, message.enums.len());
                message.enums.push(self.enumeration(path, start, visibility)?);
            }
            "extensions" => self.extension_ranges(path, message)?,
            "reserved" => {
                let (ranges, names) = (&mut message.reserved_ranges, &mut message.reserved_names);
                self.reserved(ranges, names, false)?;
            }
            "extend" => self.extend(path, 6, 3, &mut message.extensions, &mut message.messages)?,
            "option" => self.option_statement(&mut message.options)?,
            "oneof" => self.oneof(path, message)?,
            _ => {
                let field_path = step(path, 2, message.fields.len());
                let nested = (step(path, 3, message.messages.len()), &mut message.messages);
                let field = self.field(field_path, nested, None, None)?;
                message.fields.push(field);
            }
        }
        Ok(())
    }

    fn oneof(&mut self, path: &[i32], message: &mut Message) -> Result<()> {
        let index = message.oneofs.len();
        let location = self.open(step(path, 8, index));
        self.advance();
        let name = self.declare("the name of a oneof")?;
        message.oneofs.push(Oneof { name, options: Options::default() });
        let behind = self.block("", |parser| {
            if parser.is("option") {
                return parser.option_statement(&mut message.oneofs[index].options);
            }
            let field_path = step(path, 2, message.fields.len());
            let nested = (step(path, 3, message.messages.len()), &mut message.messages);
            let field = parser.field(field_path, nested, None, Some(index))?;
            message.fields.push(field);
            Ok(())
        })?;
        self.close(location, behind);
        Ok(())
    }

    /// Fields that are `optional` in proto3 are each in a oneof of their own, after all others.
    fn add_synthetic_oneofs(&mut self, message: &mut Message) {
        for i in 0..message.fields.len() {
            if !message.fields[i].is_proto3_optional {
                continue;
            }
            let mut name = format!("_{}", message.fields[i].name);
            while message.fields.iter().any(|field| field.name == name)
                || message.oneofs.iter().any(|oneof| oneof.name == name)
            {
                name.insert(0, 'X');
            }
            message.fields[i].oneof = Some(message.oneofs.len());
            message.oneofs.push(Oneof { name, options: Options::default() });
        }
    }

    fn extension_ranges(&mut self, path: &[i32], message: &mut Message) -> Result<()> {
        let mut start = path.to_vec();
        start.push(5);
        let location = self.open(start);
        self.advance();
        let mut ranges = Vec::new();
        self.ranges(&mut ranges, false)?;
        let mut options = Options::default();
        if self.is("[") {
            self.bracket_options(&mut options, |_, _| Ok(false))?;
        }
        let behind = self.semicolon()?;
        self.close(location, behind);
        message.extension_ranges.extend(ranges.into_iter().map(|(start, end)| ExtensionRange {
            start,
            end,
            options: options.clone(),
        }));
        Ok(())
    }

    /// Reserved names or numbers of a message, or of an enum, whose ranges include their ends.
    pub(super) fn reserved(
        &mut self,
        ranges: &mut Vec<(i32, i32)>,
        names: &mut Vec<String>,
        is_enum: bool,
    ) -> Result<()> {
        self.advance();
        match (self.kind(), self.syntax.has_features()) {
            (Kind::Text, true) => {
                return self.fault(self.position(), "reserved names are written without quotes in editions");
            }
            (Kind::Identifier, false) => {
                return self.fault(self.position(), "reserved names are written in quotes before editions");
            }
            (Kind::Text, false) => loop {
                names.push(self.string("a name")?);
                if !self.eat(",") {
                    break;
                }
            },
            (Kind::Identifier, true) => loop {
                names.push(self.identifier("a name")?);
                if !self.eat(",") {
                    break;
                }
            },
            _ => self.ranges(ranges, is_enum)?,
        }
        self.semicolon()?;
        Ok(())
    }

    fn ranges(&mut self, ranges: &mut Vec<(i32, i32)>, is_enum: bool) -> Result<()> {
        loop {
            let start = if is_enum { self.signed("a number")? } else { self.int32("a number")? };
            let position = self.position();
            let end = match (self.eat("to"), is_enum) {
                (false, _) => start,
                (true, true) if self.eat("max") => i32::MAX,
                (true, true) => self.signed("a number")?,
                (true, false) if self.eat("max") => {
                    ranges.push((start, MAX));
                    if !self.eat(",") {
                        return Ok(());
                    }
                    continue;
                }
                (true, false) => self.int32("a number")?,
            };
            match end.checked_add(i32::from(!is_enum)) {
                Some(end) => ranges.push((start, end)),
                None => return self.fault(position, format!("{end} is too large")),
            }
            if !self.eat(",") {
                return Ok(());
            }
        }
    }
}
