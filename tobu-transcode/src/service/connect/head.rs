//! Reads the head of a Connect request: the codec, the compression, the timeout, and the message of a `GET`.

use std::borrow::Cow;
use std::time::Duration;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, Method, Request, Uri};

use super::super::compress::{Encoding, KNOWN, accepts, by_name};
use super::super::reply::Failure;
use crate::code::Code;
use crate::error::{Category, Error, Result};
use crate::percent;
use crate::route::Route;
use crate::status::Status;

const VERSION: &str = "connect-protocol-version";
const TIMEOUT: &str = "connect-timeout-ms";
const STREAM_ENCODING: HeaderName = HeaderName::from_static("connect-content-encoding");
const STREAM_ACCEPT: HeaderName = HeaderName::from_static("connect-accept-encoding");
const STREAM: &str = "application/connect+";
const UNARY: &str = "application/";

/// The base64 of binary messages in a query, with or without padding.
const IN_QUERY: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The encoding of messages: binary or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Proto,
    Json,
}

impl Codec {
    fn by_name(name: &str) -> Option<Self> {
        match name {
            "proto" => Some(Codec::Proto),
            "json" => Some(Codec::Json),
            _ => None,
        }
    }
}

/// The form of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) codec: Codec,
    /// True if the messages are in envelopes.
    pub(super) is_stream: bool,
    /// True if the message is in the query.
    is_get: bool,
}

/// The settings of a call that its head contains.
pub(super) struct Given {
    /// The compression of the messages of the request.
    pub(super) encoding: Encoding,
    /// True if the messages of the response may be compressed with gzip.
    pub(super) takes_gzip: bool,
    pub(super) timeout: Option<Duration>,
    /// The message of a `GET`.
    pub(super) message: Option<Bytes>,
}

/// True if the request can only be a call of Connect.
pub(super) fn says_so(uri: &Uri, headers: &HeaderMap) -> bool {
    let is_stream = media_type(headers).is_some_and(|kind| kind.starts_with(STREAM));
    let in_query =
        || uri.query().is_some_and(|query| query.split('&').any(|pair| pair.starts_with("connect=")));
    is_stream || headers.contains_key(VERSION) || in_query()
}

impl Call {
    /// Returns the form in which a request calls a method.
    ///
    /// # Errors
    /// The HTTP method or the content type of the request cannot call the method.
    pub(super) fn new<B>(route: &Route, request: &Request<B>) -> Result<Self> {
        let method = route.method();
        let is_stream = method.is_client_streaming() || method.is_server_streaming();
        let is_safe = !is_stream && method.has_no_side_effects();
        let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
        if *request.method() != Method::POST && !(is_get && is_safe) {
            let allow = match is_safe {
                true => vec![Method::GET, Method::HEAD, Method::POST],
                false => vec![Method::POST],
            };
            let names: Vec<&str> = allow.iter().map(Method::as_str).collect();
            let text = format!(
                "the method {} is called with {}, not {}",
                method.full_name(),
                names.join(", "),
                request.method()
            );
            return Err(Error::method(text, allow));
        }
        let query;
        let (kind, codec) = if is_get {
            query = parameter(request.uri(), "encoding")?;
            let kind = query.as_deref().unwrap_or_default();
            (Cow::Borrowed(kind), Codec::by_name(kind))
        } else {
            let kind = media_type(request.headers()).unwrap_or_default();
            let prefix = if is_stream { STREAM } else { UNARY };
            let codec = kind.strip_prefix(prefix).and_then(Codec::by_name);
            (Cow::Owned(kind), codec)
        };
        let codec = codec.ok_or_else(|| {
            let wanted = match (is_get, is_stream) {
                (true, _) => "the encoding json or proto",
                (false, true) => "the type application/connect+json or application/connect+proto",
                (false, false) => "the type application/json or application/proto",
            };
            let text = format!("the messages of {} have {wanted}, not {kind:?}", method.full_name());
            Error::new(Category::MediaType, text)
        })?;
        Ok(Call { codec, is_stream, is_get })
    }

    /// Reads the rest of the head. A message in the query may have at most `max` bytes.
    ///
    /// # Errors
    /// A header or a parameter is malformed, or the compression is not known.
    pub(super) fn given(&self, uri: &Uri, headers: &HeaderMap, max: usize) -> Result<Given, Failure> {
        if let Some(version) = headers.get(VERSION).filter(|version| version.as_bytes() != b"1") {
            return Err(
                Error::argument(format!("the header {VERSION} must be \"1\", not {version:?}")).into()
            );
        }
        let (content, accept) = match self.is_stream {
            true => (STREAM_ENCODING, STREAM_ACCEPT),
            false => (CONTENT_ENCODING, ACCEPT_ENCODING),
        };
        let (encoding, message) = match self.is_get {
            true => message(uri, max)?,
            false => (encoding(headers.get(&content).map(|value| value.as_bytes()))?, None),
        };
        // If a client does not say which compressions it accepts, it accepts the compression of its request.
        let takes_gzip = match headers.contains_key(&accept) {
            true => accepts(headers, &accept, "gzip"),
            false => encoding.is_gzip(),
        };
        Ok(Given { encoding, takes_gzip, timeout: timeout(headers)?, message })
    }
}

/// Returns the content type of a body, without its parameters.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// Returns the compression that `name` names.
///
/// # Errors
/// The compression is not supported. The error lists the supported compressions.
fn encoding(name: Option<&[u8]>) -> Result<Encoding, Failure> {
    by_name(name.unwrap_or_default()).map_err(|error| {
        let text = format!("{}; known are {}", error.public(), KNOWN.join(", "));
        Status::new(Code::Unimplemented, text).into()
    })
}

/// Reads the header with the timeout.
///
/// # Errors
/// The header does not have one to ten digits, or is given twice.
fn timeout(headers: &HeaderMap) -> Result<Option<Duration>> {
    let mut values = headers.get_all(TIMEOUT).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Error::argument(format!("the header {TIMEOUT} is given twice")));
    }
    let digits =
        value.to_str().ok().filter(|text| text.len() <= 10 && text.bytes().all(|b| b.is_ascii_digit()));
    let millis = digits.and_then(|digits| digits.parse().ok());
    let wrong =
        || Error::argument(format!("the header {TIMEOUT}: {value:?} is not a number of milliseconds"));
    millis.map(Duration::from_millis).map(Some).ok_or_else(wrong)
}

/// Returns the message in a query, and its compression.
///
/// # Errors
/// The message is missing, malformed or too long.
fn message(uri: &Uri, max: usize) -> Result<(Encoding, Option<Bytes>), Failure> {
    if let Some(version) = parameter(uri, "connect")?.filter(|version| version != "v1") {
        return Err(Error::argument(format!("the query: connect must be \"v1\", not {version:?}")).into());
    }
    let compression = parameter(uri, "compression")?;
    let encoding = encoding(compression.as_deref().map(str::as_bytes))?;
    let Some(text) = parameter(uri, "message")? else {
        return Err(Error::argument("the query has no message").into());
    };
    let message = match parameter(uri, "base64")?.as_deref() {
        Some("1") => IN_QUERY
            .decode(text.as_bytes())
            .map_err(|_| Error::argument("the query: the message is not base64 for URLs"))?,
        _ => text.into_owned().into_bytes(),
    };
    match message.len() > max {
        true => Err(super::super::compress::too_large(max).into()),
        false => Ok((encoding, Some(message.into()))),
    }
}

/// Returns the decoded value of a parameter of a query.
///
/// # Errors
/// The value is malformed, or the parameter is given twice.
fn parameter<'u>(uri: &'u Uri, name: &str) -> Result<Option<Cow<'u, str>>> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let mut found = pairs.filter_map(|pair| pair.split_once('=').filter(|(known, _)| *known == name));
    let Some((_, text)) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(Error::argument(format!("the query: {name} is given twice")));
    }
    let decoded = percent::decode_query(text, true);
    decoded.map(Some).map_err(|error| Error::argument(format!("the query: {name}: {error}")))
}
