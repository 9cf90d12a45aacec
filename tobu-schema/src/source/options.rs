//! Converts the statements that set options to encoded options messages.
//!
//! The order of the fields is the same as protoc's. Options that `descriptor.proto` declares come in the order of their
//! numbers. Each statement with a custom option is a separate field, in the order of the source. So a message may be
//! written in parts, which readers merge.

mod message;
mod scalar;

use std::collections::{HashMap, HashSet};

use crate::descriptor::raw::options::{RawField, fields};
use crate::descriptor::{FieldDescriptor, Found, MessageDescriptor, Pool, Scope};
use crate::source::ast::{Options, Part, Statement, Target, Value, VisitOptions};
use crate::source::diagnostic::{Faults, shown};
use crate::source::lex::{Position, Token};
use crate::wire::{Tag, WireType, put_varint};

/// Says which options are interpreted. The options of `descriptor.proto` are interpreted before linking, because linking
/// needs the features among them. Custom options are interpreted after linking, because the file itself may declare them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Builtin,
    Custom,
}

pub(super) struct Interpreter<'p, 'f> {
    pub(super) phase: Phase,
    /// The pool of all linked files. In the phase `Custom`, it also has the file itself, if the file could be linked.
    pub(super) pool: &'p Pool,
    /// A pool with `descriptor.proto`, for files that do not import `descriptor.proto`.
    pub(super) base: &'p Pool,
    /// The names that the file may use.
    pub(super) scope: Scope<'p>,
    pub(super) source: &'f str,
    pub(super) tokens: &'f [Token],
    /// True if the extensions that the file declares are not known, because the file has other errors.
    pub(super) is_without_own: bool,
    pub(super) faults: &'f mut Faults,
    /// Pairs of the index of a location and the field numbers to which the name of an option resolved.
    pub(super) paths: Vec<(u32, Vec<i32>)>,
    /// How many required fields each message has, by the names of the messages.
    pub(super) required: HashMap<String, usize>,
}

struct Mistake {
    position: Position,
    text: String,
}

/// The options of an element that were interpreted so far.
#[derive(Default)]
struct Seen {
    /// The paths of the options that were set, and the paths of the messages that contain them.
    paths: HashSet<Vec<i32>>,
    /// The encoded fields of messages that one statement set as a whole, by the paths of the messages.
    messages: HashMap<Vec<i32>, Vec<u8>>,
    /// How many elements of each list were set, by the paths of the lists.
    counts: HashMap<Vec<i32>, i32>,
    /// Messages with required fields that statements set field by field.
    unfinished: Vec<(Vec<i32>, MessageDescriptor, Position)>,
}

impl VisitOptions for Interpreter<'_, '_> {
    fn visit(&mut self, target: Target, element: &str, options: &mut Options) {
        let is_custom = self.phase == Phase::Custom;
        if !options.statements.iter().any(|statement| statement.path[0].is_extension == is_custom) {
            return;
        }
        let name = target.message();
        let Some(message) = self.pool.message(name).or_else(|| self.base.message(name)) else {
            let position = options.statements[0].position;
            return self.faults.error(position, format!("{name} is not declared"));
        };
        let (mut seen, mut encoded) = (Seen::default(), Vec::new());
        for statement in &options.statements {
            if statement.path[0].is_extension == is_custom
                && !self.faults.is_full()
                && let Err(mistake) = self.statement(element, &message, statement, &mut seen, &mut encoded)
                && !mistake.text.is_empty()
            {
                self.faults.error(mistake.position, mistake.text);
            }
        }
        for (mut path, message, position) in std::mem::take(&mut seen.unfinished) {
            for field in message.fields().filter(FieldDescriptor::is_required) {
                path.push(field.number() as i32);
                if !seen.paths.contains(&path) {
                    let text =
                        format!("required field {} of {} is missing", field.name(), message.full_name());
                    self.faults.error(position, text);
                }
                path.pop();
            }
        }
        match self.phase {
            Phase::Builtin => options.encoded = canonical_bytes(&encoded, &message, self.pool),
            Phase::Custom => options.encoded.append(&mut encoded),
        }
    }
}

impl Interpreter<'_, '_> {
    /// Encodes the field that a statement sets, and appends the field to `encoded`.
    fn statement(
        &mut self,
        element: &str,
        message: &MessageDescriptor,
        statement: &Statement,
        seen: &mut Seen,
        encoded: &mut Vec<u8>,
    ) -> Result<(), Mistake> {
        let fail = |text: String| Err(Mistake { position: statement.position, text });
        let mut message = message.clone();
        let mut fields: Vec<FieldDescriptor> = Vec::with_capacity(statement.path.len());
        let mut path = Vec::with_capacity(statement.path.len() + 1);
        for part in &statement.path {
            if let Some(outer) = fields.last() {
                let name = shown(outer.name());
                match outer.message_type() {
                    Some(inner) if !outer.is_list() && !outer.is_map() => message = inner,
                    Some(_) => {
                        return fail(format!("option {name} is repeated: set it to `{{ }}` as a whole"));
                    }
                    None => {
                        return fail(format!(
                            "option {name} is not a message, and has no field {}",
                            shown(&part.name)
                        ));
                    }
                }
            }
            let field = match self.field(element, &message, part) {
                Ok(field) => field,
                Err(text) => return fail(text),
            };
            let is_begun =
                fields.is_empty() || seen.paths.contains(&path) || seen.messages.contains_key(&path);
            if !is_begun && self.required_fields(&message) > 0 {
                seen.unfinished.push((path.clone(), message.clone(), statement.position));
            }
            path.push(field.number() as i32);
            fields.push(field);
        }
        let Some((field, outer)) = fields.split_last() else { return Ok(()) };
        let is_repeated = field.is_list() || field.is_map();
        if !seen.add(&path, is_repeated) {
            return fail(format!("option {} is set already", shown(&name_of(&statement.path))));
        }
        let mut record = Vec::new();
        self.value(field, statement, &mut record)?;
        if let Value::Message(..) = statement.value
            && !is_repeated
        {
            seen.messages.insert(path.clone(), record.clone());
        }
        for outer in outer.iter().rev() {
            record = scalar::message(outer, &record);
        }
        encoded.append(&mut record);
        if is_repeated {
            let count = seen.counts.entry(path.clone()).or_default();
            path.push(*count);
            *count += 1;
        }
        if let Some(location) = statement.location {
            self.paths.push((location, path));
        }
        Ok(())
    }

    /// Writes the value of a statement to `out`, as a field.
    fn value(
        &mut self,
        field: &FieldDescriptor,
        statement: &Statement,
        out: &mut Vec<u8>,
    ) -> Result<(), Mistake> {
        let position = statement.value_position;
        let result = match (&statement.value, field.message_type()) {
            (Value::Message(start, end), Some(message)) => {
                let body = self.aggregate(&message, *start as usize, *end as usize)?;
                *out = scalar::message(field, &body);
                Ok(())
            }
            (Value::Message(..), None) => Err(scalar::wanted(field)),
            (_, Some(_)) => Err("a message in `{ }`".to_owned()),
            (value, None) => scalar::put(out, field, value, false),
        };
        result.map_err(|wanted| {
            let rest = &self.source[position.offset as usize..];
            let end = rest.find([';', ',', ']', '\n', '\r']).unwrap_or(rest.len());
            Mistake {
                position,
                text: format!("expected {wanted}, but found `{}`", shown(rest[..end].trim_end())),
            }
        })
    }

    /// Returns the option, or the field of an option, to which a part of a name refers.
    fn field(
        &mut self,
        element: &str,
        message: &MessageDescriptor,
        part: &Part,
    ) -> Result<FieldDescriptor, String> {
        let name = &*part.name;
        if !part.is_extension {
            let is_known =
                name != "uninterpreted_option" || !message.full_name().starts_with("google.protobuf.");
            let field = message.field_by_name(name).filter(|_| is_known);
            return field.ok_or_else(|| format!("{} has no option {}", message.full_name(), shown(name)));
        }
        self.extension(element, message, name, false)
    }

    /// Returns the extension of `message` that `name` means in the scope of `element`. In the text format, an item of a
    /// MessageSet may have the name of the message type that declares the extension.
    fn extension(
        &mut self,
        element: &str,
        message: &MessageDescriptor,
        name: &str,
        is_text: bool,
    ) -> Result<FieldDescriptor, String> {
        let extension = match self.scope.lookup(element, name)? {
            Found::Extension(extension) => extension,
            Found::Message(item) if is_text && message.is_message_set() => {
                let of_set = item.extensions().find(|extension| {
                    extension.extendee().full_name() == message.full_name()
                        && extension.field().message_type().as_ref() == Some(&item)
                });
                of_set.ok_or_else(|| format!("{} declares no extension of its type", shown(name)))?
            }
            Found::Hidden(file) => {
                let (name, file) = (shown(name), shown(file.name()));
                return Err(format!("extension {name} is declared in {file}, which is not imported"));
            }
            // The file may declare the extension, but could not be linked. That was reported, so this error has no text.
            _ if self.is_without_own => return Err(String::new()),
            _ => return Err(format!("extension {} is not declared", shown(name))),
        };
        if extension.extendee().full_name() != message.full_name() {
            return Err(format!("extension {} is not one of {}", shown(name), message.full_name()));
        }
        Ok(extension.field().clone())
    }
}

impl Seen {
    /// Records that an option is set. Returns false if the option was set before and is not repeated.
    fn add(&mut self, path: &[i32], is_repeated: bool) -> bool {
        for end in 1..path.len() {
            if let Some(message) = self.messages.remove(&path[..end]) {
                let mut inner = path[..end].to_vec();
                self.paths_in(&message, &mut inner, true);
            }
            self.paths.insert(path[..end].to_vec());
        }
        self.paths.insert(path.to_vec()) || is_repeated
    }

    /// Records the fields in a message that one statement set as a whole. At first, `record` is the encoded field with
    /// the message, whose path is `path`; in the recursive calls it is the payload of a message.
    fn paths_in(&mut self, record: &[u8], path: &mut Vec<i32>, is_outermost: bool) {
        for field in crate::descriptor::raw::options::fields(record) {
            if !is_outermost {
                path.push(field.tag.number() as i32);
                self.paths.insert(path.clone());
            }
            let contents = match field.tag.wire_type() {
                WireType::Len => field.len_prefixed().unwrap_or_default(),
                WireType::StartGroup => field.value().rest(),
                _ => &[],
            };
            if path.len() < 100 {
                self.paths_in(contents, path, false);
            }
            if !is_outermost {
                path.pop();
            }
        }
    }
}

/// Returns the name of an option as a source writes it.
fn name_of(path: &[Part]) -> String {
    let mut name = String::new();
    for part in path {
        if !name.is_empty() {
            name.push('.');
        }
        match part.is_extension {
            true => name.extend(["(", &part.name, ")"]),
            false => name.push_str(&part.name),
        }
    }
    name
}

fn tag(out: &mut Vec<u8>, number: u32, wire_type: WireType) {
    varint(out, u64::from(Tag::new(number, wire_type).value()));
}

fn varint(out: &mut Vec<u8>, value: u64) {
    let mut bytes = [0; 10];
    let length = put_varint(&mut bytes, value);
    out.extend_from_slice(&bytes[..length]);
}

/// Sorts the fields of an encoded message by their numbers, and merges the parts of nested messages.
fn canonical_bytes(encoded: &[u8], message: &MessageDescriptor, pool: &Pool) -> Vec<u8> {
    let mut list: Vec<RawField<'_>> = fields(encoded).collect();
    list.sort_by_key(|field| field.tag.number());
    let mut out = Vec::with_capacity(encoded.len());
    let mut rest = &list[..];
    while let Some(first) = rest.first() {
        let number = first.tag.number();
        let count = rest.iter().take_while(|field| field.tag.number() == number).count();
        let (same, behind) = rest.split_at(count);
        rest = behind;
        match nested(message, number, pool) {
            Some(field) => {
                let contents: Vec<u8> =
                    same.iter().flat_map(|field| field.len_prefixed()).flatten().copied().collect();
                let inner = field.message_type().map(|inner| canonical_bytes(&contents, &inner, pool));
                out.extend(scalar::message(&field, &inner.unwrap_or(contents)));
            }
            None => same.iter().for_each(|field| out.extend_from_slice(field.bytes)),
        }
    }
    out
}

/// Returns the field or extension `number` of a message, if it is a singular message field with a length prefix.
fn nested(message: &MessageDescriptor, number: u32, pool: &Pool) -> Option<FieldDescriptor> {
    let field = match message.field_by_number(number) {
        Some(field) => field,
        None => pool.extension_of(message, number)?.field().clone(),
    };
    let is_message = field.message_type().is_some() && !field.is_list() && !field.is_map();
    if is_message && !field.is_delimited() { Some(field) } else { None }
}
