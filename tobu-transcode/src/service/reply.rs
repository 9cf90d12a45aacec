//! Responses: of a message, and of what went wrong.

use http::header::{ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, VARY};
use http::{HeaderMap, Response, StatusCode};

use http_body::Body as _;

use super::compress::compress;
use super::{Body, Shared};
use crate::answer::Content;
use crate::error::{Error, Result};
use crate::metadata::response_metadata;
use crate::route::Route;
use crate::status::Status;

/// Why there is no message.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) http: StatusCode,
    pub(super) status: Status,
    pub(super) allow: Option<HeaderValue>,
    /// The metadata that came with the status.
    pub(super) metadata: Box<HeaderMap>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let names: Vec<&str> = error.allow().iter().map(http::Method::as_str).collect();
        let allow = (!names.is_empty()).then(|| HeaderValue::try_from(names.join(", ")).ok()).flatten();
        Failure { http: error.status(), status: Status::from(&error), allow, metadata: Box::default() }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Failure { http: status.code().http_status(), status, allow: None, metadata: Box::default() }
    }
}

impl Failure {
    pub(super) fn with_metadata(mut self, metadata: HeaderMap) -> Self {
        *self.metadata = metadata;
        self
    }

    /// The response: a `google.rpc.Status` as JSON.
    pub(super) fn reply(&self, shared: &Shared) -> Response<Body> {
        let json = self.status.to_json(&shared.router.options().response);
        let mut response = Response::new(Body::full(json));
        *response.status_mut() = self.http;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(allow) = &self.allow {
            headers.insert(ALLOW, allow.clone());
        }
        response_metadata(&self.metadata, headers);
        response
    }
}

/// The response of one message.
///
/// # Errors
/// The message is not valid, or its content type is none.
pub(super) fn message(
    shared: &Shared,
    route: &Route,
    message: &[u8],
    request: &HeaderMap,
    metadata: [&HeaderMap; 2],
) -> Result<Response<Body>> {
    let Shared { router, settings, .. } = shared;
    let mut body = Vec::with_capacity(message.len() * 2);
    let content = route.respond(router.options(), message, &mut body)?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, content_type(&content)?);
    metadata.into_iter().for_each(|metadata| response_metadata(metadata, &mut headers));
    // Pictures and the like are compressed already.
    let is_text = match &content {
        Content::Json => true,
        Content::Raw(kind) => kind.starts_with("text/") || kind.contains("json"),
    };
    let body = match settings.compress && is_text {
        true => compressed(body, request, &mut headers),
        false => body,
    };
    let mut response = Response::new(Body::full(body));
    *response.headers_mut() = headers;
    Ok(response)
}

/// The response to a `HEAD`: as it would be to a `GET`, and tells how long its body would be.
pub(super) fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(len) = body.size_hint().exact() {
        parts.headers.entry(CONTENT_LENGTH).or_insert(len.into());
    }
    Response::from_parts(parts, Body::empty())
}

fn compressed(body: Vec<u8>, request: &HeaderMap, headers: &mut HeaderMap) -> Vec<u8> {
    let (body, encoding) = compress(body, request);
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    body
}

/// # Errors
/// The service told a type that no header can have.
pub(super) fn content_type(content: &Content) -> Result<HeaderValue> {
    match content {
        Content::Json => Ok(HeaderValue::from_static("application/json")),
        Content::Raw(kind) if kind.is_empty() => Ok(HeaderValue::from_static("application/octet-stream")),
        Content::Raw(kind) => HeaderValue::try_from(kind)
            .map_err(|_| Error::response(format!("the response has the content type {kind:?}"))),
    }
}
