//! Binds the body of a request.

use std::borrow::Cow;

use tobu::{FieldDescriptor, Position, convert, json};

use super::{Request, json_options};
use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::route::{RequestBody, Route};
use crate::value;

/// Writes the fields of the body.
///
/// # Errors
/// The body is malformed or does not fit the message, or the rule has no body and the options do not ignore the request's.
pub(super) fn write(
    route: &Route,
    options: &TranscodeOptions,
    request: &Request<'_>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let body = request.body;
    let start = out.len();
    match &route.body {
        RequestBody::None if is_blank(body) || options.ignore_unbound_body => Ok(()),
        RequestBody::None => Err(Error::argument("the request has a body, but the rule has none")),
        RequestBody::Raw => {
            http_body(request, out);
            Ok(())
        }
        RequestBody::RawField(field) => {
            http_body(request, out);
            if out.len() > start {
                value::wrap(field, start, out);
            }
            Ok(())
        }
        // An empty body sets no fields.
        _ if is_blank(body) => Ok(()),
        RequestBody::All => {
            let options = json_options(options, route.partial_body);
            convert::json_to_wire_with(&route.input, body, out, &options).map_err(wrong)
        }
        RequestBody::Field(field) => {
            let options = json_options(options, route.partial_body);
            match field.message_type().filter(|_| !field.is_list() && !field.is_map()) {
                Some(message) => value::around(field, body.len(), out, |out| {
                    convert::json_to_wire_with(&message, body, out, &options).map_err(wrong)
                }),
                None => other_field(route, field, body, out, &options),
            }
        }
    }
}

/// Binds a body to a field that is a list, a map or a scalar. The function parses an object whose only member has the body as
/// its value.
fn other_field(
    route: &Route,
    field: &FieldDescriptor,
    body: &[u8],
    out: &mut Vec<u8>,
    options: &json::Options,
) -> Result<()> {
    // If the body were not a single JSON value, it could add further members to the object.
    serde_json::from_slice::<serde::de::IgnoredAny>(body)
        .map_err(|error| Error::argument(format!("the body: {error}")))?;
    let name = serde_json::to_string(field.json_name())
        .map_err(|error| Error::argument(format!("the body: {error}")))?;
    let mut object = Vec::with_capacity(body.len() + name.len() + 4);
    object.extend_from_slice(b"{");
    object.extend_from_slice(name.as_bytes());
    // The body starts on a line of its own, so that the columns in errors are correct.
    object.extend_from_slice(b":\n");
    object.extend_from_slice(body);
    object.push(b'}');
    let options = options.clone().partial(true);
    convert::json_to_wire_with(&route.input, &object, out, &options).map_err(|error| match error.position() {
        Some(Position::Line { line, column }) => {
            let text = error.to_string();
            let place = format!(" (at line {line} column {column})");
            let text = text.strip_suffix(&place).unwrap_or(&text);
            let line = line.saturating_sub(1);
            Error::argument(format!("the body: {text} (at line {line} column {column})")).caused_by(error)
        }
        _ => wrong(error),
    })
}

/// Writes a `google.api.HttpBody` with the content type and the bytes of the body.
fn http_body(request: &Request<'_>, out: &mut Vec<u8>) {
    value::len_prefixed(1, request.content_type.as_bytes(), false, out);
    value::len_prefixed(2, request.body, false, out);
}

fn is_blank(body: &[u8]) -> bool {
    body.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn wrong(error: tobu::Error) -> Error {
    let text: Cow<'_, str> = error.to_string().into();
    Error::argument(format!("the body: {text}")).caused_by(error)
}
