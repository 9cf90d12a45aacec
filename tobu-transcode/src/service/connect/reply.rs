//! Creates responses of Connect: messages, the heads and ends of streams, and errors.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::Bytes;
use http::header::{
    ALLOW, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, Method, Response};

use super::super::compress::gzip as compressed;
use super::super::reply::{Failure, NOSNIFF};
use super::super::{Body, Shared};
use super::head::Codec;
use crate::code::Code;
use crate::error::{Category, Error};
use crate::metadata::add_all_metadata;
use crate::status::{Status, debug_json, quoted};

/// The header that lists the accepted content types, for a client that sent another content type.
const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");
/// The prefix of the names of headers that have the trailing metadata of a unary call.
const TRAILER: &str = "trailer-";
/// The flag of an envelope whose message is compressed.
pub(super) const COMPRESSED: u8 = 1;
/// The flag of the last envelope of a response.
pub(super) const END: u8 = 2;

/// Returns the response of a unary call.
pub(super) fn message(
    codec: Codec,
    body: Bytes,
    gzip: bool,
    head: &HeaderMap,
    trailers: &HeaderMap,
) -> Response<Body> {
    let mut headers = HeaderMap::new();
    add_all_metadata(head, "", &mut headers);
    add_all_metadata(trailers, TRAILER, &mut headers);
    let kind = match codec {
        Codec::Proto => "application/proto",
        Codec::Json => "application/json",
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    let body = match gzip.then(|| compressed(&body)).flatten() {
        Some(bytes) => {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            headers.append(VARY, HeaderValue::from_static("accept-encoding"));
            Body::full(bytes)
        }
        None => Body::full(body),
    };
    let mut response = Response::new(body);
    *response.headers_mut() = headers;
    response
}

/// Returns the response to a streaming call, still without a body.
pub(super) fn stream(codec: Codec, gzip: bool) -> Response<Body> {
    let kind = match codec {
        Codec::Proto => "application/connect+proto",
        Codec::Json => "application/connect+json",
    };
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if gzip {
        headers.insert("connect-content-encoding", HeaderValue::from_static("gzip"));
    }
    response
}

/// Returns the response of a call that failed: an HTTP status, and the error as JSON. For a stream, the body is the last
/// envelope of the stream.
pub(super) fn error(shared: &Shared, failure: &Failure, stream: Option<Codec>) -> Response<Body> {
    let [head, trailers] = failure.metadata();
    if let Some(codec) = stream {
        let mut response = self::stream(codec, false);
        add_all_metadata(head, "", response.headers_mut());
        *response.body_mut() = Body::full(end(shared, Some(&failure.status), trailers));
        return response;
    }
    let mut headers = HeaderMap::new();
    add_all_metadata(head, "", &mut headers);
    add_all_metadata(trailers, TRAILER, &mut headers);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    let mut response = Response::new(Body::full(error_json(shared, &failure.status)));
    *response.status_mut() = failure.status.code().http_status();
    *response.headers_mut() = headers;
    response
}

/// Returns the response to a request with an HTTP method or a content type that is not allowed. Clients infer a code from the
/// HTTP status. The body is for people.
pub(super) fn refused(error: &Error) -> Response<Body> {
    let mut response = Response::new(Body::full(error.public().to_owned()));
    *response.status_mut() = error.status();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    let names: Vec<&str> = error.allow().iter().map(Method::as_str).collect();
    if let (false, Ok(allow)) = (names.is_empty(), HeaderValue::try_from(names.join(", "))) {
        headers.insert(ALLOW, allow);
    }
    if error.category() == Category::MediaType {
        let kinds =
            "application/json, application/proto, application/connect+json, application/connect+proto";
        headers.insert(ACCEPT_POST, HeaderValue::from_static(kinds));
    }
    response
}

/// Returns the last envelope of a stream. It has the error, if the call failed, and the trailing metadata.
pub(super) fn end(shared: &Shared, status: Option<&Status>, trailers: &HeaderMap) -> Vec<u8> {
    let mut kept = HeaderMap::new();
    add_all_metadata(trailers, "", &mut kept);
    let metadata = kept.keys().map(|name| {
        let values = kept.get_all(name).iter();
        let texts: Vec<_> = values.map(|value| quoted(&String::from_utf8_lossy(value.as_bytes()))).collect();
        format!("{}:[{}]", quoted(name.as_str()), texts.join(","))
    });
    let metadata: Vec<String> = metadata.collect();
    let error = status.map(|status| format!(r#""error":{}"#, error_json(shared, status)));
    let metadata = (!metadata.is_empty()).then(|| format!(r#""metadata":{{{}}}"#, metadata.join(",")));
    let members: Vec<String> = error.into_iter().chain(metadata).collect();
    let mut out = vec![0; 5];
    out.extend_from_slice(format!("{{{}}}", members.join(",")).as_bytes());
    close_envelope(END, &mut out);
    out
}

/// Returns an error as the JSON of Connect.
fn error_json(shared: &Shared, status: &Status) -> String {
    let mut json = format!(r#"{{"code":"{}""#, code_name(status.code()));
    if !status.message().is_empty() {
        json.push_str(&format!(r#","message":{}"#, quoted(status.message())));
    }
    let options = shared.router.options();
    let details = status.details().iter().map(|detail| {
        let name = quoted(detail.type_name().unwrap_or(&detail.type_url));
        let value = STANDARD_NO_PAD.encode(&detail.value);
        let debug = debug_json(detail, options.pool.as_ref(), &options.response);
        let debug = debug.map(|debug| format!(r#","debug":{debug}"#)).unwrap_or_default();
        format!(r#"{{"type":{name},"value":"{value}"{debug}}}"#)
    });
    let details: Vec<String> = details.collect();
    if !details.is_empty() {
        json.push_str(&format!(r#","details":[{}]"#, details.join(",")));
    }
    json.push('}');
    json
}

/// Writes the header of an envelope into its first five bytes.
pub(super) fn close_envelope(flags: u8, envelope: &mut [u8]) {
    // Messages are limited to less than 4 GiB, so the length fits.
    let len = u32::try_from(envelope.len() - 5).unwrap_or(u32::MAX);
    envelope[0] = flags;
    envelope[1..5].copy_from_slice(&len.to_be_bytes());
}

fn code_name(code: Code) -> &'static str {
    match code {
        // Connect has no code for success, and this function is called only for errors.
        Code::Ok | Code::Unknown => "unknown",
        Code::Cancelled => "canceled",
        Code::InvalidArgument => "invalid_argument",
        Code::DeadlineExceeded => "deadline_exceeded",
        Code::NotFound => "not_found",
        Code::AlreadyExists => "already_exists",
        Code::PermissionDenied => "permission_denied",
        Code::ResourceExhausted => "resource_exhausted",
        Code::FailedPrecondition => "failed_precondition",
        Code::Aborted => "aborted",
        Code::OutOfRange => "out_of_range",
        Code::Unimplemented => "unimplemented",
        Code::Internal => "internal",
        Code::Unavailable => "unavailable",
        Code::DataLoss => "data_loss",
        Code::Unauthenticated => "unauthenticated",
    }
}
