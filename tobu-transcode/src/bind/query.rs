//! Binds the query, whose parameters are named by field paths.

use std::borrow::Cow;
use std::ops::Range;

use smallvec::SmallVec;
use tobu::{FieldDescriptor, MessageDescriptor};

use super::Request;
use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::percent;
use crate::route::{FieldPath, RequestBody, Route};
use crate::router::Match;
use crate::value::{self, Form};

/// The fields that the query has set so far.
#[derive(Default)]
pub(super) struct Given<'q> {
    /// The concatenated field numbers of the paths of all parameters.
    numbers: SmallVec<[u32; 16]>,
    parameters: SmallVec<[Parameter<'q>; 4]>,
    /// The fields in oneofs that parameters set, each with the numbers of the fields on the way to it.
    members: Vec<Member>,
}

/// The key of an entry of a map, as wire bytes. So the keys `0` and `-0` are equal.
type Key = Box<[u8]>;

struct Parameter<'q> {
    name: Cow<'q, str>,
    path: Range<usize>,
    key: Option<Key>,
    repeats: bool,
}

struct Member {
    above: Box<[u32]>,
    oneof: usize,
    number: u32,
}

impl Given<'_> {
    /// True if a parameter has set the field `number` of the request message, or a field inside this field.
    pub(super) fn has(&self, number: u32) -> bool {
        self.parameters.iter().any(|parameter| self.numbers[parameter.path.start] == number)
    }
}

/// Writes the fields of the query.
///
/// # Errors
/// The query has too many parameters, or sets two fields of a oneof. A parameter is malformed, names no field, is given twice,
/// or sets a field that the path or the body binds. The options may allow unknown names, and names that the path or the body
/// binds.
pub(super) fn write<'q>(
    found: &Match<'_, '_>,
    request: &Request<'q>,
    out: &mut Vec<u8>,
) -> Result<Given<'q>> {
    let mut given = Given::default();
    let options = found.options();
    let pairs = request.query.split('&').filter(|pair| !pair.is_empty());
    for (count, pair) in pairs.enumerate() {
        if count == options.max_parameters {
            let max = options.max_parameters;
            return Err(Error::argument(format!("the query has more than {max} parameters")));
        }
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let decode = |text: &'q str, what: &str| {
            percent::decode_query(text, options.plus_is_space)
                .map_err(|error| Error::argument(format!("the query: the {what} {text:?}: {error}")))
        };
        let name = decode(name, "name")?;
        let is_ignored = options.ignored_query.iter().any(|ignored| **ignored == *name);
        if is_ignored || found.route().is_fields_parameter(options, &name) {
            continue;
        }
        let text = decode(text, "value")?;
        match given.parameter(found.route(), options, name.clone(), &text, out) {
            Ok(()) => {}
            Err(Wrong::Bound(_)) if options.path_over_query => {}
            Err(Wrong::Unknown(_)) if options.ignore_unknown_query => {}
            Err(Wrong::Unknown(what) | Wrong::Bound(what) | Wrong::Unfit(what)) => {
                return Err(Error::argument(format!("the query parameter {name:?}: {what}")));
            }
        }
    }
    if !given.parameters.is_empty() {
        given.check(found.route(), request)?;
    }
    Ok(given)
}

/// The reason why a parameter cannot be bound, with an error text.
enum Wrong {
    /// The request message has no such field.
    Unknown(String),
    /// The path or the body binds the field.
    Bound(String),
    Unfit(String),
}

impl<'q> Given<'q> {
    fn parameter(
        &mut self,
        route: &Route,
        options: &TranscodeOptions,
        name: Cow<'q, str>,
        text: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), Wrong> {
        if matches!(route.body, RequestBody::All | RequestBody::Raw) {
            return Err(Wrong::Unknown("all fields that the path does not bind come from the body".into()));
        }
        let (start, members) = (self.numbers.len(), self.members.len());
        let done = self.field(route, options, &name, text, out);
        match done {
            Ok((key, repeats)) => {
                let path = start..self.numbers.len();
                self.parameters.push(Parameter { name, path, key, repeats });
                Ok(())
            }
            Err(wrong) => {
                self.numbers.truncate(start);
                self.members.truncate(members);
                Err(wrong)
            }
        }
    }

    /// Finds the field that `name` names, and writes its value. Returns the key of a map entry, and true if the field is a
    /// list, which further parameters may extend.
    fn field(
        &mut self,
        route: &Route,
        options: &TranscodeOptions,
        name: &str,
        text: &str,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Key>, bool), Wrong> {
        let start = self.numbers.len();
        let mut above: Vec<FieldDescriptor> = Vec::new();
        let mut message: Cow<'_, MessageDescriptor> = Cow::Borrowed(&route.input);
        let mut rest = name;
        let (leaf, key) = loop {
            let (field, next) = step(&message, rest)?;
            if let (true, RequestBody::Field(body) | RequestBody::RawField(body)) =
                (above.is_empty(), &route.body)
                && *body == field
            {
                return Err(Wrong::Bound(format!("the field {} is bound by the body", body.name())));
            }
            if let Some(oneof) = field.oneof() {
                let above = self.numbers[start..].into();
                self.members.push(Member { above, oneof: oneof.index(), number: field.number() });
            }
            self.numbers.push(field.number());
            rest = match next {
                Next::End(key) => break (field, key),
                Next::Inside(rest) => rest,
            };
            let inner = match field.message_type() {
                Some(inner) if !field.is_list() && !field.is_map() => inner,
                _ => {
                    let what = if field.is_map() { "a map" } else { "repeated" };
                    let what = if field.is_list() || field.is_map() { what } else { "not a message" };
                    return Err(Wrong::Unfit(format!("the field {} is {what}", field.full_name())));
                }
            };
            if above.len() >= 100 {
                return Err(Wrong::Unfit("the name is nested deeper than 100 levels".into()));
            }
            above.push(field);
            message = Cow::Owned(inner);
        };
        // The parameter is also bound if one path is a prefix of the other. For example, the URL may bind a message that is
        // written as one string, and the parameter may name a field inside this message.
        let numbers = &self.numbers[start..];
        let same = |bound: &FieldPath| bound.numbers().zip(numbers).all(|(one, other)| one == *other);
        if route.variables.iter().any(same) {
            let names: Vec<&str> = above.iter().chain([&leaf]).map(FieldDescriptor::name).collect();
            return Err(Wrong::Bound(format!("the field {} is bound by the path", names.join("."))));
        }
        let at = out.len();
        let key = entry_or_value(&leaf, key, text, options.query_form(), out).map_err(|what| {
            out.truncate(at);
            Wrong::Unfit(what)
        })?;
        if out.len() > at {
            above.iter().rev().for_each(|field| value::wrap(field, at, out));
        }
        Ok((key, leaf.is_list()))
    }

    /// Checks that no field is set twice, and that at most one field of each oneof is set.
    fn check(&mut self, route: &Route, request: &Request<'_>) -> Result<()> {
        let numbers = &self.numbers;
        let path = |parameter: &Parameter<'_>| &numbers[parameter.path.clone()];
        self.parameters.sort_by(|one, other| (path(one), &one.key).cmp(&(path(other), &other.key)));
        for pair in self.parameters.windows(2) {
            let [one, other] = pair else { continue };
            let same_key = one.key == other.key;
            // If one parameter sets a message as a whole, and another sets a field of the message, the message is set
            // twice.
            if path(other).starts_with(path(one)) && same_key && !one.repeats {
                let name = &other.name;
                return Err(Error::argument(format!("the query parameter {name:?} is given twice")));
            }
        }
        if self.members.is_empty() {
            return Ok(());
        }
        for (_, path) in route.bindings() {
            members(path.fields(), &mut self.members);
        }
        if let (RequestBody::Field(field) | RequestBody::RawField(field), false) =
            (&route.body, request.body.is_empty())
        {
            members([field].into_iter(), &mut self.members);
        }
        self.members.sort_by(|one, other| {
            (&one.above, one.oneof, one.number).cmp(&(&other.above, other.oneof, other.number))
        });
        for pair in self.members.windows(2) {
            let [one, other] = pair else { continue };
            if one.above == other.above && one.oneof == other.oneof && one.number != other.number {
                return Err(two_members(&route.input, one, other));
            }
        }
        Ok(())
    }
}

fn members<'a>(fields: impl Iterator<Item = &'a FieldDescriptor>, out: &mut Vec<Member>) {
    let mut above = Vec::new();
    for field in fields {
        if let Some(oneof) = field.oneof() {
            out.push(Member { above: above[..].into(), oneof: oneof.index(), number: field.number() });
        }
        above.push(field.number());
    }
}

#[cold]
fn two_members(input: &MessageDescriptor, one: &Member, other: &Member) -> Error {
    let message = one.above.iter().try_fold(input.clone(), |message, &number| {
        message.field_by_number(number).and_then(|field| field.message_type())
    });
    let name = |number: u32| {
        let field = message.as_ref().and_then(|message| message.field_by_number(number));
        field.map_or_else(|| number.to_string(), |field| field.name().to_owned())
    };
    let oneof = message.as_ref().and_then(|message| message.oneofs().nth(one.oneof));
    let oneof = oneof.map_or_else(String::new, |oneof| oneof.name().to_owned());
    let (one, other) = (name(one.number), name(other.number));
    Error::argument(format!("the fields {one} and {other} are both of the oneof {oneof}"))
}

/// Writes the value of a field, or an entry of a map. Returns the key of the entry.
///
/// # Errors
/// The text is not a value of the field, or the key is not valid. The error is a sentence that says why.
fn entry_or_value(
    field: &FieldDescriptor,
    key: Option<&str>,
    text: &str,
    form: Form,
    out: &mut Vec<u8>,
) -> Result<Option<Key>, String> {
    let full_name = field.full_name();
    match (field.map_key().zip(field.map_value()), key) {
        (Some((map_key, map_value)), Some(key)) => {
            let start = out.len();
            value::write(&map_key, key, form, true, out).map_err(|what| format!("the key: {what}"))?;
            let key = out[start..].into();
            value::write(&map_value, text, form, true, out)?;
            value::wrap(field, start, out);
            Ok(Some(key))
        }
        (Some(_), None) => Err(format!("the field {full_name} is a map: its name needs a key in brackets")),
        (None, Some(_)) => Err(format!("the field {full_name} is not a map, and takes no key")),
        (None, None) => value::write(field, text, form, false, out).map(|()| None),
    }
}

/// The part of a parameter's name that follows the name of a field.
enum Next<'n> {
    /// The name ends. If it ends with brackets, they contain the key of a map entry.
    End(Option<&'n str>),
    /// The path of a field inside the message.
    Inside(&'n str),
}

/// Returns the field whose name is at the start of `name`, and the rest of `name`.
///
/// # Errors
/// The message has no such field, or a bracket is not closed.
fn step<'n>(message: &MessageDescriptor, name: &'n str) -> Result<(FieldDescriptor, Next<'n>), Wrong> {
    let find = |name: &str| message.field_by_name(name).or_else(|| message.field_by_json_name(name));
    // A `json_name` may have dots and brackets, so the whole name may be one field.
    if let Some(field) = find(name) {
        return Ok((field, Next::End(None)));
    }
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let found = find(&name[..end]).map(|field| (field, end)).or_else(|| odd_name(message, name));
    let Some((field, end)) = found else {
        return Err(Wrong::Unknown(format!("{} has no field {:?}", message.full_name(), &name[..end])));
    };
    match name[end..].strip_prefix('[') {
        None => Ok((field, Next::Inside(&name[end + 1..]))),
        Some(key) => match key.strip_suffix(']') {
            Some(key) => Ok((field, Next::End(Some(key)))),
            None => Err(Wrong::Unknown("a bracket is not closed at the end of the name".into())),
        },
    }
}

/// Finds a field whose `json_name` has dots or brackets and is at the start of `name`. Returns the field with the longest such
/// `json_name`, and the length of the `json_name`.
fn odd_name(message: &MessageDescriptor, name: &str) -> Option<(FieldDescriptor, usize)> {
    let fields = message.fields().filter(|field| field.json_name().contains(['.', '[']));
    let begun = fields.filter_map(|field| {
        let len = field.json_name().len();
        let rest = name.strip_prefix(field.json_name())?;
        rest.starts_with(['.', '[']).then_some((field, len))
    });
    begun.max_by_key(|(_, len)| *len)
}
