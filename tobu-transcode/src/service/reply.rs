//! Creates responses from messages and from errors.

use std::error::Error as _;

use http::header::{
    ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, TE, TRAILER, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, Response, StatusCode, Uri};
use http_body::Body as _;
use http_body_util::BodyExt as _;

use tobu::Projection;

use super::compress::compress;
use super::{Body, Shared};
use crate::answer::Content;
use crate::error::{Error, Result};
use crate::metadata::response_trailers;
use crate::route::Route;
use crate::status::Status;
use crate::stream::{Framing, StreamEncoder};

/// The header value that says that browsers must not guess a content type other than the one in the header.
pub(super) const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// The failure of a call.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) http: StatusCode,
    pub(super) status: Status,
    allow: Option<Box<str>>,
    /// The metadata received before the status.
    head: Box<HeaderMap>,
    /// The metadata received with the status.
    trailers: Box<HeaderMap>,
    /// True if the body must be the last element of a stream.
    is_wrapped: bool,
    /// The cause that is hidden from the client.
    detail: Option<Box<str>>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let names: Vec<&str> = error.allow().iter().map(http::Method::as_str).collect();
        let allow = (!names.is_empty()).then(|| names.join(", ").into());
        let failure = Failure { http: error.status(), allow, ..Failure::from(Status::from(&error)) };
        match error.source().is_some() || error.public() != error.to_string() {
            true => failure.caused_by(&error),
            false => failure,
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let http = status.code().http_status();
        Failure {
            http,
            status,
            allow: None,
            head: Box::default(),
            trailers: Box::default(),
            is_wrapped: false,
            detail: None,
        }
    }
}

impl Failure {
    pub(super) fn with_metadata(mut self, metadata: HeaderMap) -> Self {
        self.trailers = Box::new(metadata);
        self
    }

    /// Adds the metadata that the service sent in the head of the response, before the call failed.
    pub(super) fn after(mut self, head: HeaderMap) -> Self {
        self.head = Box::new(head);
        self
    }

    /// Sets whether the body is the last element of a stream, `{"error": ...}`.
    pub(super) fn wrapped(mut self, yes: bool) -> Self {
        self.is_wrapped = yes;
        self
    }

    /// Adds the cause, which is hidden from the client.
    pub(super) fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        self.detail = Some(chain(error).into());
        self
    }

    /// Returns the metadata received before the status, and the metadata received with the status.
    pub(super) fn metadata(&self) -> [&HeaderMap; 2] {
        [&self.head, &self.trailers]
    }

    pub(super) fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    pub(super) fn into_detail(self) -> Option<Box<str>> {
        self.detail
    }

    /// Returns the response: a `google.rpc.Status` as JSON, or the body that `error_body` returns.
    pub(super) fn reply(&self, shared: &Shared, request: &HeaderMap) -> Response<Body> {
        let json = self.status.to_json(&shared.router.options().response);
        let body = match self.is_wrapped {
            true => {
                let mut body = Vec::new();
                StreamEncoder::new(Framing::Lines).error(&json, &mut body);
                body
            }
            false => json.into_bytes(),
        };
        let replaced = shared.settings.error_body.as_ref();
        let replaced =
            replaced.and_then(|replace| replace(self.http, &self.status)).filter(|_| !self.is_wrapped);
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.http;
        let headers = response.headers_mut();
        json_headers(headers);
        let body = match replaced {
            Some((kind, body)) => {
                headers.insert(CONTENT_TYPE, kind);
                body
            }
            None => body.into(),
        };
        *response.body_mut() = Body::full(body);
        let headers = response.headers_mut();
        if let Some(Ok(allow)) = self.allow.as_deref().map(HeaderValue::from_str) {
            headers.insert(ALLOW, allow);
        }
        shared.settings.response_metadata(&self.head, headers);
        add_trailers(shared, &self.trailers, request, &mut response);
        response
    }
}

/// Returns the texts of an error and of its causes, without repetitions.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text
}

/// Returns the response for one message.
///
/// # Errors
/// The message is not valid, or its content type is not a valid header value.
pub(super) fn message(
    shared: &Shared,
    (route, fields): (&Route, Option<&Projection>),
    message: &[u8],
    uri: &Uri,
    request: &HeaderMap,
    metadata: [&HeaderMap; 2],
) -> Result<Response<Body>> {
    let mut body = Vec::with_capacity(message.len() * 2);
    let content = route.respond_fields(shared.router.options(), fields, message, &mut body)?;
    let mut headers = HeaderMap::new();
    content_headers(shared, route, &content, uri, &mut headers)?;
    // Images and similar content are already compressed.
    let is_text = match &content {
        Content::Json => true,
        Content::Raw(kind) => kind.starts_with("text/") || kind.contains("json"),
    };
    Ok(whole(shared, body, is_text, headers, request, metadata))
}

/// Returns a response with a complete body. Compresses the body if `is_text` is true.
pub(super) fn whole(
    shared: &Shared,
    body: Vec<u8>,
    is_text: bool,
    mut headers: HeaderMap,
    request: &HeaderMap,
    [head, trailers]: [&HeaderMap; 2],
) -> Response<Body> {
    let settings = &shared.settings;
    settings.response_metadata(head, &mut headers);
    let body = match settings.compress && is_text {
        true => compressed(body, request, &mut headers),
        false => body,
    };
    let mut response = Response::new(Body::full(body));
    *response.headers_mut() = headers;
    add_trailers(shared, trailers, request, &mut response);
    response
}

/// Adds the trailing metadata of a call to the headers of a response. If the option `trailers` is on, adds it as HTTP trailers
/// instead, and only if the client accepts trailers.
fn add_trailers(shared: &Shared, metadata: &HeaderMap, request: &HeaderMap, response: &mut Response<Body>) {
    if !shared.router.options().trailers {
        return shared.settings.response_metadata(metadata, response.headers_mut());
    }
    let takes =
        |value: &HeaderValue| value.to_str().is_ok_and(|te| te.to_ascii_lowercase().contains("trailers"));
    let trailers = response_trailers(metadata);
    if trailers.is_empty() || !request.get_all(TE).iter().any(takes) {
        return;
    }
    for name in trailers.keys() {
        response.headers_mut().append(TRAILER, name.clone().into());
    }
    let body = std::mem::take(response.body_mut());
    *response.body_mut() = Body::new(body.with_trailers(std::future::ready(Some(Ok(trailers)))));
}

/// Converts the response to a `GET` to the response to a `HEAD`: removes the body, but keeps its length as
/// `Content-Length`.
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

/// Adds the headers of a JSON body.
pub(super) fn json_headers(headers: &mut HeaderMap) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
}

/// Adds the headers with the content type of a body, and the headers that say what browsers may do with the body.
///
/// # Errors
/// The content type that the service sent is not a valid header value.
pub(super) fn content_headers(
    shared: &Shared,
    route: &Route,
    content: &Content,
    uri: &Uri,
    headers: &mut HeaderMap,
) -> Result<()> {
    let kind = match content {
        Content::Json => HeaderValue::from_static("application/json"),
        Content::Raw(kind) => {
            let content = shared.settings.raw_content(route.method());
            content.put_headers(uri.path(), kind, headers);
            match kind.is_empty() {
                true => HeaderValue::from_static("application/octet-stream"),
                false => HeaderValue::try_from(kind)
                    .map_err(|_| Error::response(format!("the response has the content type {kind:?}")))?,
            }
        }
    };
    headers.insert(CONTENT_TYPE, kind);
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    Ok(())
}
