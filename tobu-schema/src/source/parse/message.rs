//! Parses messages, and their members except for fields.

use std::collections::HashSet;

use super::super::ast::{ExtensionRange, Message, Oneof, Options, Statement, Value};
use super::*;

/// Stands for the end of a range to `max`, as long as the options of the message are not known. The largest number depends
/// on the options.
const MAX: i32 = -1;
const MAX_FIELD_NUMBER: i32 = (1 << 29) - 1;

/// How many locations of options an `extensions` statement may copy. Each of its ranges gets a copy of the options, so the
/// memory must be limited.
const MAX_COPIES: usize = 1 << 16;

impl Parser<'_, '_> {
    /// Parses a message. The keyword for its visibility was already consumed.
    pub(super) fn message(
        &mut self,
        location: LocationIndex,
        visibility: i32,
        messages: &mut Vec<Message>,
    ) -> Result<()> {
        self.advance();
        let name = self.name(location, "the name of a message")?;
        let mut message = Message { name, visibility, ..Message::default() };
        self.body(location, &mut message)?;
        if self.syntax == Syntax::Proto3 {
            add_synthetic_oneofs(&mut message);
        }
        self.close(location);
        messages.push(message);
        Ok(())
    }

    /// Parses the block of a message or a group.
    pub(super) fn body(&mut self, location: LocationIndex, message: &mut Message) -> Result<()> {
        self.enter_block(location)?;
        let outer = self.enter_scope(&message.name);
        while !self.leave_block() {
            let member = self.member(location, message);
            self.recover(member);
        }
        self.scope.truncate(outer);
        let mut statements = message.options.statements.iter();
        let is_message_set = statements
            .any(|statement| is_builtin(statement, "message_set_wire_format") && is_true(&statement.value));
        let end = if is_message_set { i32::MAX } else { MAX_FIELD_NUMBER + 1 };
        for range in &mut message.extension_ranges {
            range.end = if range.end == MAX { end } else { range.end };
        }
        for range in &mut message.reserved_ranges {
            range.1 = if range.1 == MAX { end } else { range.1 };
        }
        Ok(())
    }

    fn member(&mut self, parent: LocationIndex, message: &mut Message) -> Result<()> {
        let visibility = self.visibility()?;
        // A keyword may also be the name of a field's type. The next tokens show which it is.
        match self.text() {
            "message" if visibility > 0 || self.is_next_identifier() => {
                let location = self.open(parent, &[3, message.messages.len() as i32]);
                self.message(location, visibility, &mut message.messages)
            }
            "enum" if visibility > 0 || self.is_next_identifier() => {
                let location = self.open(parent, &[4, message.enums.len() as i32]);
                self.enumeration(location, visibility, &mut message.enums)
            }
            "extensions" => self.extension_ranges(parent, message),
            "reserved" => {
                let (ranges, names) = (&mut message.reserved_ranges, &mut message.reserved_names);
                self.reserved(parent, [9, 10], ranges, names, false)
            }
            "extend" => self.extend(parent, 6, 3, &mut message.extensions, &mut message.messages),
            "option" => {
                self.option_statement(parent, 7, &mut message.options)?;
                let last = message.options.statements.last();
                if let Some(statement) = last.filter(|one| is_builtin(one, "map_entry")) {
                    let text = "`map_entry` is not set by hand: use `map<Key, Value>`";
                    self.faults.error(statement.position, text);
                }
                Ok(())
            }
            "oneof" => self.oneof(parent, message),
            _ => {
                let location = self.open(parent, &[2, message.fields.len() as i32]);
                let nested = Nested { parent, number: 3, messages: &mut message.messages };
                let field = self.field(location, nested, None, None)?;
                message.fields.push(field);
                Ok(())
            }
        }
    }

    fn oneof(&mut self, parent: LocationIndex, message: &mut Message) -> Result<()> {
        let index = message.oneofs.len();
        let location = self.open(parent, &[8, index as i32]);
        self.advance();
        let name = self.name(location, "the name of a oneof")?;
        message.oneofs.push(Oneof { name, options: Options::default() });
        self.enter_block(location)?;
        while !self.leave_full_block() {
            let member = self.oneof_member(parent, location, message, index);
            self.recover(member);
        }
        self.close(location);
        Ok(())
    }

    fn oneof_member(
        &mut self,
        parent: LocationIndex,
        oneof: LocationIndex,
        message: &mut Message,
        index: usize,
    ) -> Result<()> {
        if self.is("option") {
            return self.option_statement(oneof, 2, &mut message.oneofs[index].options);
        }
        let location = self.open(parent, &[2, message.fields.len() as i32]);
        let nested = Nested { parent, number: 3, messages: &mut message.messages };
        let field = self.field(location, nested, None, Some(index))?;
        message.fields.push(field);
        Ok(())
    }

    fn extension_ranges(&mut self, parent: LocationIndex, message: &mut Message) -> Result<()> {
        let location = self.open(parent, &[5]);
        self.advance();
        let first = message.extension_ranges.len();
        let mut ranges = Vec::new();
        self.ranges(location, first, &mut ranges, false)?;
        let mut options = Options::default();
        let start = self.locations.len();
        if self.is("[") {
            let range = self.open(location, &[first as i32]);
            self.bracket_options(range, 3, &mut options, None)?;
            // `ranges` already added the location of the range.
            self.locations.remove(range.0);
            options.statements.iter_mut().for_each(|one| one.location = one.location.map(|at| at - 1));
        }
        let count = self.locations.len() - start;
        if count * ranges.len() > MAX_COPIES {
            return self.fault(self.position(), "there are too many options of too many ranges");
        }
        for (i, (from, to)) in ranges.into_iter().enumerate() {
            let mut options = options.clone();
            if i > 0 {
                self.copy_locations(start, count, location, (first + i) as i32);
                let moved = (i * count) as u32;
                options
                    .statements
                    .iter_mut()
                    .for_each(|one| one.location = one.location.map(|at| at + moved));
            }
            message.extension_ranges.push(ExtensionRange { start: from, end: to, options });
        }
        self.expect_end(";", location)?;
        self.close(location);
        Ok(())
    }

    /// Copies the locations of options for another range.
    fn copy_locations(&mut self, start: usize, count: usize, parent: LocationIndex, range: i32) {
        let index = self.locations[parent.0].path.1;
        for i in start..start + count {
            let original = &self.locations[i];
            let (from, length) = original.path;
            let path = (self.paths.len() as u32, length);
            let (first, last) = (original.start, original.end);
            self.paths.extend_from_within(from as usize..(from + length) as usize);
            self.paths[(path.0 + index) as usize] = range;
            self.locations.push(Location {
                path,
                start: first,
                end: last,
                comments: None,
                option: Vec::new(),
            });
        }
    }

    /// Parses reserved names or ranges of numbers, of a message or an enum. `numbers` are the numbers of the fields in which
    /// the descriptor stores ranges and names. Only the ranges of an enum include their ends.
    pub(super) fn reserved(
        &mut self,
        parent: LocationIndex,
        numbers: [i32; 2],
        ranges: &mut Vec<(i32, i32)>,
        names: &mut Vec<String>,
        is_enum: bool,
    ) -> Result<()> {
        let first = self.token();
        self.advance();
        let (is_text, has_features) = (self.kind() == Kind::Text, self.syntax.has_features());
        if is_text && has_features {
            return self.fault(self.position(), "reserved names are written without quotes in editions");
        }
        if self.kind() == Kind::Identifier && !has_features {
            return self.fault(self.position(), "reserved names are written in quotes before editions");
        }
        let is_name = is_text || self.kind() == Kind::Identifier;
        let location = self.open(parent, &[numbers[usize::from(is_name)]]);
        self.start_at(location, first);
        if !is_name {
            let earlier = ranges.len();
            self.ranges(location, earlier, ranges, is_enum)?;
        } else {
            self.names(location, names, is_text)?;
        }
        self.expect_end(";", location)?;
        self.close(location);
        Ok(())
    }

    /// Parses reserved names, in quotes if `is_text` is true.
    fn names(&mut self, location: LocationIndex, names: &mut Vec<String>, is_text: bool) -> Result<()> {
        loop {
            let at = self.open(location, &[names.len() as i32]);
            names.push(if is_text { self.string("a name")? } else { self.identifier("a name")?.to_owned() });
            self.close(at);
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// Parses ranges of numbers, and appends them to `ranges`. `earlier` is the number of ranges in earlier statements of the
    /// element. It is the index of the first new range in the paths of locations.
    fn ranges(
        &mut self,
        parent: LocationIndex,
        earlier: usize,
        ranges: &mut Vec<(i32, i32)>,
        is_enum: bool,
    ) -> Result<()> {
        let listed = ranges.len();
        loop {
            let location = self.open(parent, &[(earlier + ranges.len() - listed) as i32]);
            let first = self.token();
            let start_location = self.open(location, &[1]);
            let start = if is_enum { self.signed("a number")? } else { self.int32("a number")? };
            self.close(start_location);
            let mut end = start;
            let position = self.position();
            if self.eat("to") {
                let end_location = self.open(location, &[2]);
                end = match (self.eat("max"), is_enum) {
                    (true, true) => i32::MAX,
                    (true, false) => MAX - 1,
                    (false, true) => self.signed("a number")?,
                    (false, false) => self.int32("a number")?,
                };
                self.close(end_location);
            } else {
                self.locate(location, &[2], first, first);
            }
            let behind = if is_enum { Some(end) } else { end.checked_add(1) };
            match behind {
                Some(end) => ranges.push((start, end)),
                None => return self.fault(position, &format!("{end} is too large")),
            }
            self.close(location);
            if !self.eat(",") {
                return Ok(());
            }
        }
    }
}

/// True if a statement sets the option `name` of `descriptor.proto`.
pub(super) fn is_builtin(statement: &Statement, name: &str) -> bool {
    matches!(&*statement.path, [part] if part.name == name && !part.is_extension)
}

pub(super) fn is_true(value: &Value) -> bool {
    matches!(value, Value::Identifier(value) if value == "true")
}

/// The place to which a group or a map adds its message: the location of the surrounding scope, the number of the field
/// in which the descriptor of this scope lists messages, and the list of these messages.
pub(super) struct Nested<'m> {
    pub(super) parent: LocationIndex,
    pub(super) number: i32,
    pub(super) messages: &'m mut Vec<Message>,
}

/// Adds a synthetic oneof for each `optional` field of proto3, after all other oneofs. The name of a synthetic oneof
/// must differ from the names of all fields and oneofs.
fn add_synthetic_oneofs(message: &mut Message) {
    if !message.fields.iter().any(|field| field.is_proto3_optional) {
        return;
    }
    let fields = message.fields.iter().map(|field| field.name.clone());
    let mut names: HashSet<String> =
        fields.chain(message.oneofs.iter().map(|oneof| oneof.name.clone())).collect();
    for field in message.fields.iter_mut().filter(|field| field.is_proto3_optional) {
        // A name that begins with an underscore gets no second underscore, because C++ reserves names with two.
        let mut name =
            if field.name.starts_with('_') { field.name.clone() } else { format!("_{}", field.name) };
        while names.contains(&name) {
            name.insert(0, 'X');
        }
        field.oneof = Some(message.oneofs.len());
        names.insert(name.clone());
        message.oneofs.push(Oneof { name, options: Options::default() });
    }
}
