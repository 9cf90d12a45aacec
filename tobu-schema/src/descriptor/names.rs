//! Checks names, and derives JSON names.

use std::borrow::Cow;
use std::fmt;

use crate::descriptor::raw::options;
use crate::wire::{Reader, Tag, WireType};

/// The maximum length of a full name. Every declaration stores its full name, so a limit is necessary.
pub(super) const MAX_FULL_NAME: usize = 1024;

/// The maximum number of components of a package. Each component adds a symbol, so a limit is necessary.
pub(super) const MAX_PACKAGE_PARTS: usize = 64;

/// True for `letter (letter | digit | '_')*`, where `_` counts as a letter.
///
/// Specification: <https://protobuf.dev/reference/protobuf/edition-2023-spec/#identifiers>.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// True for identifiers with dots between them, up to `MAX_PACKAGE_PARTS` identifiers and `MAX_FULL_NAME` bytes.
pub(super) fn is_package(name: &str) -> bool {
    name.len() <= MAX_FULL_NAME
        && name.split('.').all(is_identifier)
        && name.split('.').count() <= MAX_PACKAGE_PARTS
}

/// True for a relative path with `/` between its components. No component may be empty, `.` or `..`, and no character may be a
/// backslash or a control character.
pub(super) fn is_file_name(name: &str) -> bool {
    !name.contains(|c: char| c.is_control() || c == '\\')
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Returns the default JSON name of a field: `foo_bar` becomes `fooBar`.
///
/// Specification: <https://protobuf.dev/programming-guides/json/#field-names-as-json-keys>.
#[must_use]
pub fn json_name(name: &str) -> String {
    if !name.contains('_') {
        return name.to_owned();
    }
    let mut json = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        if c == '_' {
            upper = true;
        } else {
            json.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    json
}

/// Returns the name that compilers give to the entry message of a map: `BookCountEntry` for `book_count`.
pub(super) fn entry_name(field: &str) -> String {
    let mut name = json_name(&format!("_{field}"));
    name.push_str("Entry");
    name
}

/// Formats a text. This is a separate function, because `format!` would add more code at each call.
#[inline(never)]
pub(super) fn written(text: fmt::Arguments<'_>) -> String {
    text.to_string()
}

/// Returns a name for an error message, with escaped control characters. A long name is cut off.
pub(crate) fn printable(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    let end = name.char_indices().nth(LONGEST).map(|(at, _)| at);
    let text = &name[..end.unwrap_or(name.len())];
    match end {
        None if !text.contains(char::is_control) => Cow::Borrowed(text),
        None => Cow::Owned(text.escape_debug().to_string()),
        Some(_) => Cow::Owned(format!("{}...", text.escape_debug())),
    }
}

/// Returns the option `(pb.enumvalue.json).string` among the options of an enum value.
///
/// Specification:
/// <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/json_enumvalue_options.proto>.
pub(super) fn custom_json_name(options: &[u8]) -> Option<&[u8]> {
    // Most values have no options, so this check saves time.
    if options.is_empty() {
        return None;
    }
    let mut last = None;
    for json in options::messages(options, 998) {
        last = options::last_message(json, 1).or(last);
    }
    last
}

/// Returns the numbers and names of the values of an enum, in the order of declaration; `None` if the file has no
/// enum with this full name.
pub(super) fn value_names<'f>(file: &'f [u8], full_name: &str) -> Option<Vec<(i32, &'f str)>> {
    let package = parts(file, 2).next().map_or("", text);
    let path = match package {
        "" => full_name,
        package => full_name.strip_prefix(package)?.strip_prefix('.')?,
    };
    let (mut scope, mut path) = (Scope { bytes: file, messages: 4, enums: 5 }, path);
    while let Some((message, inner)) = path.split_once('.') {
        let bytes = named(scope.bytes, scope.messages, message)?;
        (scope, path) = (Scope { bytes, messages: 3, enums: 4 }, inner);
    }
    let values = parts(named(scope.bytes, scope.enums, path)?, 2);
    Some(values.map(|value| (number(value), parts(value, 1).next().map_or("", text))).collect())
}

/// A file or a message, and the field numbers of the messages and enums in it.
struct Scope<'f> {
    bytes: &'f [u8],
    messages: u32,
    enums: u32,
}

/// Returns the element named `name` in the list with the field number `list`. The name is field 1 of each element.
fn named<'f>(bytes: &'f [u8], list: u32, name: &str) -> Option<&'f [u8]> {
    parts(bytes, list).find(|part| parts(part, 1).next().is_some_and(|bytes| bytes == name.as_bytes()))
}

/// Returns the payloads of a field that has strings or messages.
fn parts(bytes: &[u8], number: u32) -> impl Iterator<Item = &[u8]> {
    fields(bytes).filter_map(move |(tag, field)| match tag.wire_type() {
        WireType::Len if tag.number() == number => Reader::new(field).len_prefixed().ok(),
        _ => None,
    })
}

/// Returns the number of an enum value, which is field 2.
fn number(value: &[u8]) -> i32 {
    let number = fields(value).find(|(tag, _)| tag.number() == 2);
    number.and_then(|(_, field)| Reader::new(field).varint().ok()).unwrap_or_default() as i32
}

/// Returns the fields of a message, each with its tag and the bytes after the tag. The iteration ends if the bytes
/// are malformed.
fn fields(bytes: &[u8]) -> impl Iterator<Item = (Tag, &[u8])> {
    let mut reader = Reader::new(bytes);
    std::iter::from_fn(move || {
        let tag = reader.tag().ok()?;
        let field = reader.rest();
        reader.skip(tag, 1).ok()?;
        Some((tag, field))
    })
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: u8, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        [&[number << 3 | 2, content.len() as u8][..], &content].concat()
    }

    fn value(name: &str, number: &[u8]) -> Vec<u8> {
        part(2, &[&part(1, &[name.as_bytes()]), number])
    }

    #[test]
    fn enums_of_files_and_of_messages() {
        let values = [
            value("ZERO", &[]),
            value("MINUS", &[0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            value("NONE", &[0x10, 0]),
        ];
        let body = [part(1, &[b"E"]), values.concat()].concat();
        let inner = part(3, &[&part(1, &[b"Inner"]), &part(4, &[&body])]);
        let outer = part(4, &[&part(1, &[b"Outer"]), &inner]);
        let top = part(5, &[&part(1, &[b"E"]), &value("TOP", &[0x10, 7])]);
        let file = [part(1, &[b"f.proto"]), outer, top].concat();
        let names = |file: &'static [u8], name: &str| value_names(file, name);
        let file: &'static [u8] = Box::leak(file.into());
        let nested = Some(vec![(0, "ZERO"), (-1, "MINUS"), (0, "NONE")]);
        assert_eq!(names(file, "Outer.Inner.E"), nested);
        assert_eq!(names(file, "E"), Some(vec![(7, "TOP")]));
        assert_eq!(names(file, "Outer.E"), None);
        assert_eq!(names(file, "Inner.E"), None);

        let file: &'static [u8] = Box::leak([file, &part(2, &[b"a.b"])].concat().into());
        assert_eq!(names(file, "a.b.Outer.Inner.E"), nested);
        assert_eq!(names(file, "a.b.E"), Some(vec![(7, "TOP")]));
        assert_eq!(names(file, "a.bE"), None);
        assert_eq!(names(file, "E"), None);
    }
}
