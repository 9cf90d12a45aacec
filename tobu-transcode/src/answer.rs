//! From the bytes of a response message to the body of an HTTP response.
//!
//! Layer 3: names `route`, `options` and `error`.

use serde_json::value::RawValue;
use tobu::wire::Reader;
use tobu::{FieldDescriptor, MessageDescriptor, Projection, json, transcode};

use crate::error::{Error, Result};
use crate::options::Options;
use crate::route::{ResponseBody, Route};

/// What was written: the content type of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// JSON.
    Json,
    /// Bytes of this type, from a `google.api.HttpBody`; the type is empty where the service told none.
    Raw(String),
}

impl Route {
    /// Appends the body of a response to `out`; on an error `out` is as it was.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// # let router = tobu_transcode::Router::builder().service(&service).build()?;
    /// let found = router.find(&http::Method::GET, "/v1/shelves/1/books/2")?;
    /// let mut json = Vec::new();
    /// found.route().respond(router.options(), b"\x12\x04Dune", &mut json)?;
    /// assert_eq!(json, br#"{"title":"Dune"}"#);
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message is malformed, goes past a limit, or has a value without a form in JSON.
    pub fn respond(&self, options: &Options, message: &[u8], out: &mut Vec<u8>) -> Result<Content> {
        self.respond_fields(options, None, message, out)
    }

    /// [`respond`](Self::respond) with the part of the response that [`response_fields`](Self::response_fields) gives.
    ///
    /// # Errors
    /// As [`respond`](Self::respond), but for what is passed over.
    pub fn respond_fields(
        &self,
        options: &Options,
        fields: Option<&Projection>,
        message: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Content> {
        let start = out.len();
        let done = self.respond_or(options, fields, message, out);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    fn respond_or(
        &self,
        options: &Options,
        fields: Option<&Projection>,
        message: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Content> {
        match &self.response_body {
            ResponseBody::All => {
                to_json(&self.output, fields, message, out, &options.response)?;
            }
            ResponseBody::Raw => return http_body(message, out).map_err(wrong),
            ResponseBody::RawField(field) => {
                let content = content(field, message).map_err(wrong)?.unwrap_or_default();
                return http_body(&content, out).map_err(wrong);
            }
            ResponseBody::Field(field) => match field.message_type() {
                Some(inner) if !field.is_list() && !field.is_map() => {
                    one_message(&inner, field, (options, fields), message, out)?;
                }
                _ => other_field(&self.output, field, (options, fields), message, out)?,
            },
        }
        Ok(Content::Json)
    }
}

/// Prints a message, or a part of it.
fn to_json(
    descriptor: &MessageDescriptor,
    fields: Option<&Projection>,
    message: &[u8],
    out: &mut Vec<u8>,
    options: &json::Options,
) -> Result<()> {
    match fields {
        None => transcode::wire_to_json_with(descriptor, message, out, options),
        Some(fields) => transcode::wire_to_json_projected(fields, message, out, options),
    }
    .map_err(wrong)
}

fn one_message(
    inner: &MessageDescriptor,
    field: &FieldDescriptor,
    (options, fields): (&Options, Option<&Projection>),
    message: &[u8],
    out: &mut Vec<u8>,
) -> Result<()> {
    match content(field, message).map_err(wrong)? {
        Some(content) => to_json(inner, fields, &content, out, &options.response),
        None => {
            // A type with a text of its own has none for what is not there.
            let own_form = inner.full_name().starts_with("google.protobuf.");
            out.extend_from_slice(if own_form { b"null" } else { b"{}" });
            Ok(())
        }
    }
}

/// A list, a map or a plain value: a member of the object that the message with nothing else in it is.
fn other_field(
    output: &MessageDescriptor,
    field: &FieldDescriptor,
    (options, fields): (&Options, Option<&Projection>),
    message: &[u8],
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut alone = Vec::new();
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let record = reader.rest();
        let tag = reader.tag().map_err(wrong)?;
        reader.skip(tag, 100).map_err(wrong)?;
        if tag.number() == field.number() {
            alone.extend_from_slice(&record[..record.len() - reader.rest().len()]);
        }
    }
    let partial = options.response.clone().partial(true);
    let mut object = Vec::new();
    for options in [partial.clone(), partial.emit_defaults(true)] {
        object.clear();
        to_json(output, fields, &alone, &mut object, &options)?;
        let members: std::collections::HashMap<String, &RawValue> = serde_json::from_slice(&object)
            .map_err(|error| Error::response(format!("the response: {error}")))?;
        if let Some(value) = members.get(field.json_name()).or_else(|| members.get(field.name())) {
            out.extend_from_slice(value.get().as_bytes());
            return Ok(());
        }
    }
    out.extend_from_slice(b"null");
    Ok(())
}

/// The bytes of a single message field, the pieces of it joined; none where it is not there.
fn content(field: &FieldDescriptor, message: &[u8]) -> tobu::Result<Option<Vec<u8>>> {
    let mut content: Option<Vec<u8>> = None;
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        let wanted = tag.number() == field.number();
        let piece = match tag.wire_type() {
            tobu::wire::WireType::Len if wanted && !field.is_delimited() => reader.len_prefixed()?,
            tobu::wire::WireType::StartGroup if wanted && field.is_delimited() => {
                reader.group(tag.number(), 100)?
            }
            _ => {
                reader.skip(tag, 100)?;
                continue;
            }
        };
        content.get_or_insert_default().extend_from_slice(piece);
    }
    Ok(content)
}

/// Takes a `google.api.HttpBody` apart.
fn http_body(message: &[u8], out: &mut Vec<u8>) -> tobu::Result<Content> {
    let (mut content_type, mut data) = ("", &[][..]);
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        match (tag.number(), tag.wire_type()) {
            (1, tobu::wire::WireType::Len) => content_type = reader.string()?,
            (2, tobu::wire::WireType::Len) => data = reader.len_prefixed()?,
            _ => reader.skip(tag, 100)?,
        }
    }
    out.extend_from_slice(data);
    Ok(Content::Raw(content_type.to_owned()))
}

fn wrong(error: tobu::Error) -> Error {
    Error::response(format!("the response: {error}")).caused_by(error)
}
