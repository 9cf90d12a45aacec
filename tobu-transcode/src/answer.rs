//! Makes the body of an HTTP response from the bytes of a response message.
//!
//! This file is in layer 3 (see DESIGN.md). It uses only the modules `route`, `options` and `error` of this crate.

use serde_json::value::RawValue;
use tobu::convert::WireToJson;
use tobu::wire::Reader;
use tobu::{FieldDescriptor, MessageDescriptor, Projection, convert, json};

use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::route::{ResponseBody, Route};

/// The content type of the body that [`Route::respond`] wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// JSON.
    Json,
    /// The field `data` of a `google.api.HttpBody`, unchanged. The string is its content type, empty if the service set none.
    Raw(String),
}

impl Route {
    /// Appends the body of a response to `out`. If this fails, `out` stays unchanged.
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
    /// The message is malformed, exceeds a limit, or has a value that JSON cannot represent.
    pub fn respond(&self, options: &TranscodeOptions, message: &[u8], out: &mut Vec<u8>) -> Result<Content> {
        self.respond_fields(options, None, message, out)
    }

    /// Does what [`respond`](Self::respond) does, but writes only the fields of the response that `fields` selects (see
    /// [`response_fields`](Self::response_fields)).
    ///
    /// # Errors
    /// Fails if [`respond`](Self::respond) would fail. Errors in fields that are not selected are not found.
    pub fn respond_fields(
        &self,
        options: &TranscodeOptions,
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

    /// Returns a converter for a response that is received in chunks. The converter writes the same body as
    /// [`respond_fields`](Self::respond_fields). Returns `None` if the body has no list that can be written element by element:
    /// it is raw bytes, a message without lists, or a field that is not a list.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// # let router = tobu_transcode::Router::builder().service(&service).build()?;
    /// let found = router.find(&http::Method::GET, "/v1/shelves/1/books")?;
    /// let mut converter = found.route().respond_in_chunks(router.options(), None)?.unwrap();
    /// let mut json = Vec::new();
    /// for piece in [b"\x0a\x06\x12", b"\x04Du", b"ne\x0a", b"\x00\x12\x00"] as [&[u8]; 4] {
    ///     converter.push(piece, &mut json)?;
    /// }
    /// converter.finish(&mut json)?;
    /// assert_eq!(json, br#"{"books":[{"title":"Dune"},{}]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The schema is larger than a codec can take.
    pub fn respond_in_chunks(
        &self,
        options: &TranscodeOptions,
        fields: Option<Projection>,
    ) -> Result<Option<WireToJson>> {
        let list = match &self.response_body {
            _ if !self.has_list() => return Ok(None),
            ResponseBody::Field(field) => Some(field),
            _ => None,
        };
        // Only the list is written, so other required fields of its message may be missing.
        let options = options.response.clone();
        let options = if list.is_some() { options.partial(true) } else { options };
        let converter = match fields {
            Some(fields) => WireToJson::projected(fields, options),
            None => WireToJson::new(&self.output, options),
        };
        let converter = match list {
            Some(list) => converter.and_then(|converter| converter.list(list)),
            None => converter,
        };
        converter.map(Some).map_err(wrong)
    }

    /// True if the body of a response is a list, or a message with lists. Such a body may be long.
    pub(crate) fn has_list(&self) -> bool {
        match &self.response_body {
            ResponseBody::All => self.output.fields().any(|field| field.is_list()),
            ResponseBody::Field(field) => field.is_list(),
            ResponseBody::Raw | ResponseBody::RawField(_) => false,
        }
    }

    fn respond_or(
        &self,
        options: &TranscodeOptions,
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

/// Prints a message as JSON, or only the fields in `fields`.
fn to_json(
    descriptor: &MessageDescriptor,
    fields: Option<&Projection>,
    message: &[u8],
    out: &mut Vec<u8>,
    options: &json::Options,
) -> Result<()> {
    match fields {
        None => convert::wire_to_json_with(descriptor, message, out, options),
        Some(fields) => convert::wire_to_json_projected(fields, message, out, options),
    }
    .map_err(wrong)
}

fn one_message(
    inner: &MessageDescriptor,
    field: &FieldDescriptor,
    (options, fields): (&TranscodeOptions, Option<&Projection>),
    message: &[u8],
    out: &mut Vec<u8>,
) -> Result<()> {
    match content(field, message).map_err(wrong)? {
        Some(content) => to_json(inner, fields, &content, out, &options.response),
        // A well-known type that is not set has no JSON form. With `zero_body`, its zero value is written.
        None if inner.full_name().starts_with("google.protobuf.") => {
            let start = out.len();
            // A `google.protobuf.Value` has no zero value.
            if !options.zero_body || to_json(inner, fields, b"", out, &options.response).is_err() {
                out.truncate(start);
                out.extend_from_slice(b"null");
            }
            Ok(())
        }
        // The result is `{}`, unless the options write fields that are not set.
        None => to_json(inner, fields, b"", out, &options.response.clone().partial(true)),
    }
}

/// Prints a field that is a list, a map or a scalar. The function prints a message that has only this field, and keeps the
/// value of the only member. If the field is absent, this is its default value.
fn other_field(
    output: &MessageDescriptor,
    field: &FieldDescriptor,
    (options, fields): (&TranscodeOptions, Option<&Projection>),
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

/// Returns the payload of a singular message field, or `None` if the field is absent. If the field occurs several times, its
/// payloads are concatenated.
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

/// Decodes a `google.api.HttpBody`. Appends the field `data` to `out`, and returns the content type.
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

pub(crate) fn wrong(error: tobu::Error) -> Error {
    Error::response(format!("the response: {error}")).caused_by(error)
}
