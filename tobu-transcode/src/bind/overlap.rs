//! Handles a field that occurs in the body although the path of the URL binds it.

use std::ops::Range;

use tobu::FieldDescriptor;
use tobu::wire::Reader;

use crate::error::{Error, Result};
use crate::route::{FieldPath, RequestBody, Route};
use crate::template::Variable;
use crate::value;

/// Removes the field at `path` from the encoded body `out[body]`, and returns how many bytes it removed. Otherwise a message in
/// the body would be merged with the message that the URL sets.
pub(super) fn remove(path: &FieldPath, out: &mut Vec<u8>, body: Range<usize>) -> usize {
    let mut kept = Vec::with_capacity(body.len());
    without(&out[body.clone()], &path.fields().collect::<Vec<_>>(), &mut kept);
    let removed = body.len() - kept.len();
    out.splice(body, kept);
    removed
}

/// Appends a message to `out` without the field at a path. An encoder wrote `message`, so it is well-formed.
fn without(message: &[u8], path: &[&FieldDescriptor], out: &mut Vec<u8>) {
    let Some((field, inner)) = path.split_first() else { return };
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let record = reader.rest();
        let Ok(tag) = reader.tag() else { return };
        let text = reader.rest();
        if reader.skip(tag, 100).is_err() {
            return;
        }
        if tag.number() != field.number() {
            out.extend_from_slice(&record[..record.len() - reader.rest().len()]);
            continue;
        }
        if inner.is_empty() {
            continue;
        }
        let start = out.len();
        let mut content = Reader::new(text);
        let content = match field.is_delimited() {
            true => content.group(tag.number(), 100),
            false => content.len_prefixed(),
        };
        without(content.unwrap_or_default(), inner, out);
        value::wrap(field, start, out);
    }
}

/// Checks that the body in `out[body]` agrees with the field that the path binds. The encoded field is in `out[bound..]`.
///
/// # Errors
/// The body has the field with another value, or has another field of the same oneof.
pub(super) fn check(
    route: &Route,
    variable: &Variable,
    path: &FieldPath,
    out: &[u8],
    body: Range<usize>,
    bound: usize,
) -> Result<()> {
    let inside = match &route.body {
        RequestBody::All => true,
        RequestBody::Field(field) => {
            let first = path.fields().next();
            first == Some(field) || first.is_some_and(|first| share_oneof(first, field))
        }
        _ => false,
    };
    let mut fields = path.fields();
    match inside && differs(&out[body], &mut fields, &out[bound..]) {
        true => Err(Error::argument(format!(
            "the field {} is bound by the path, and the body has another value",
            variable.field_path()
        ))),
        false => Ok(()),
    }
}

fn share_oneof(one: &FieldDescriptor, other: &FieldDescriptor) -> bool {
    one != other && one.oneof().is_some_and(|oneof| other.oneof() == Some(oneof))
}

/// True if a message has a value other than `wanted` at a path of fields, or has another field of a oneof on this path. An
/// encoder wrote `message`, so it is well-formed.
fn differs(mut message: &[u8], fields: &mut dyn Iterator<Item = &FieldDescriptor>, wanted: &[u8]) -> bool {
    let mut next = fields.next();
    while let Some(field) = next {
        next = fields.next();
        let rivals: Vec<u32> = match field.oneof() {
            Some(oneof) => oneof.fields().map(|other| other.number()).collect(),
            None => Vec::new(),
        };
        let mut inner = None;
        let mut reader = Reader::new(message);
        while !reader.is_empty() {
            let record = reader.rest();
            let Ok(tag) = reader.tag() else { return true };
            let value = reader.rest();
            if reader.skip(tag, 100).is_err() {
                return true;
            }
            if tag.number() != field.number() {
                if rivals.contains(&tag.number()) {
                    return true;
                }
                continue;
            }
            if next.is_none() {
                return record[..record.len() - reader.rest().len()] != *wanted;
            }
            let mut content = Reader::new(value);
            inner = match field.is_delimited() {
                true => content.group(tag.number(), 100).ok(),
                false => content.len_prefixed().ok(),
            };
        }
        match inner {
            Some(found) => message = found,
            None => return false,
        }
    }
    false
}
