//! Which names are valid, and how JSON names are derived.

use std::borrow::Cow;
use std::fmt;

use super::raw::options;

/// A full name longer than this is an error: every declaration stores its own.
pub(super) const MAX_FULL_NAME: usize = 1024;

/// A package with more components than this is an error: each of them is a symbol.
pub(super) const MAX_PACKAGE_PARTS: usize = 64;

/// True for `letter (letter | digit | '_')*`, where `_` counts as a letter.
///
/// Specification: <https://protobuf.dev/reference/protobuf/edition-2023-spec/#identifiers>.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// True for identifiers with dots between them.
pub(super) fn is_package(name: &str) -> bool {
    name.len() <= MAX_FULL_NAME
        && name.split('.').all(is_identifier)
        && name.split('.').count() <= MAX_PACKAGE_PARTS
}

/// True for a relative path with `/` between its components, none of which is empty, `.` or `..`.
pub(super) fn is_file_name(name: &str) -> bool {
    !name.contains(|c: char| c.is_control() || c == '\\')
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The JSON name that a field has unless it declares one: `foo_bar` becomes `fooBar`.
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

/// `book_count` -> `BookCountEntry`, as compilers name the message of a map's entries.
pub(super) fn entry_name(field: &str) -> String {
    let mut name = json_name(&format!("_{field}"));
    name.push_str("Entry");
    name
}

/// What `format!` makes, whose code is in each place that uses it.
#[inline(never)]
pub(super) fn written(text: fmt::Arguments<'_>) -> String {
    text.to_string()
}

/// A name for an error message: control characters are escaped, long names truncated.
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

/// The option `(pb.enumvalue.json).string` among the options of an enum value.
///
/// Specification:
/// <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/json_enumvalue_options.proto>.
pub(super) fn custom_json_name(options: &[u8]) -> Option<&[u8]> {
    // Most values have no options.
    if options.is_empty() {
        return None;
    }
    let mut last = None;
    for json in options::messages(options, 998) {
        last = options::last_message(json, 1).or(last);
    }
    last
}
