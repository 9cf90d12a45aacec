//! Cross-origin resource sharing (CORS): the setting that says which pages of other origins may call the service from a
//! browser.
//!
//! Specification: <https://fetch.spec.whatwg.org/#http-cors-protocol>.

use std::time::Duration;

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use crate::error::{Error, Result};

/// The headers that clients of Connect, gRPC-Web and REST send, in addition to the headers that a page may always send.
const REQUEST: [&str; 13] = [
    "accept",
    "authorization",
    "content-type",
    "content-encoding",
    "connect-accept-encoding",
    "connect-content-encoding",
    "connect-protocol-version",
    "connect-timeout-ms",
    "grpc-timeout",
    "grpc-accept-encoding",
    "x-grpc-web",
    "x-user-agent",
    "if-match",
];
/// The response headers that these clients read, in addition to the headers that a page may always read.
const RESPONSE: [&str; 7] = [
    "connect-content-encoding",
    "content-encoding",
    "etag",
    "grpc-encoding",
    "grpc-message",
    "grpc-status",
    "grpc-status-details-bin",
];

/// Says which pages of other origins may call the service. By default, a browser refuses their calls.
///
/// A page may use the headers of REST, Connect and gRPC-Web, and the headers that
/// [`header`](super::TranscoderBuilder::header) and [`response_header`](super::TranscoderBuilder::response_header) of the
/// transcoder list. Further headers must be allowed here.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use std::time::Duration;
/// use tobu_transcode::{Cors, Transcoder};
///
/// let cors = Cors::origins(["https://shop.example.com"]).credentials(true).max_age(Duration::from_secs(3600));
/// let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").cors(cors).build()?;
/// # drop(transcoder);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cors {
    /// The origins that may call the service, or `None` for any origin.
    origins: Option<Vec<String>>,
    credentials: bool,
    max_age: Option<Duration>,
    request: Vec<HeaderName>,
    response: Vec<HeaderName>,
}

impl Cors {
    /// Lets pages of every origin call the service, without cookies.
    pub fn any() -> Self {
        Cors { origins: None, credentials: false, max_age: None, request: Vec::new(), response: Vec::new() }
    }

    /// Lets pages of these origins call the service. An origin must have the form that a browser sends, without a path:
    /// `https://example.com:8443`.
    pub fn origins<O: Into<String>>(origins: impl IntoIterator<Item = O>) -> Self {
        Cors { origins: Some(origins.into_iter().map(Into::into).collect()), ..Cors::any() }
    }

    /// Lets calls have cookies and client certificates. This option is off by default, and needs a list of origins.
    #[must_use]
    pub fn credentials(mut self, yes: bool) -> Self {
        self.credentials = yes;
        self
    }

    /// Sets how long a browser remembers what is allowed, so that it need not ask before each call. By default, browsers
    /// remember it for 5 seconds.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Lets a page send a header.
    #[must_use]
    pub fn allow_header(mut self, name: HeaderName) -> Self {
        self.request.push(name);
        self
    }

    /// Lets a page read a header of a response.
    #[must_use]
    pub fn expose_header(mut self, name: HeaderName) -> Self {
        self.response.push(name);
        self
    }

    /// Prepares the values of the headers. `request` and `response` are the headers that the transcoder lists.
    ///
    /// # Errors
    /// An origin is malformed, or credentials are allowed for any origin.
    pub(super) fn compile(&self, request: &[HeaderName], response: &[HeaderName]) -> Result<Compiled> {
        if self.credentials && self.origins.is_none() {
            return Err(Error::rule("CORS: credentials are for listed origins only"));
        }
        for origin in self.origins.iter().flatten() {
            let host = origin.split_once("://").map(|(_, host)| host);
            let is_origin =
                host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', ' ', '*']));
            if !is_origin || origin.parse::<HeaderValue>().is_err() {
                return Err(Error::rule(format!(
                    "CORS: {origin:?} is not an origin such as `https://example.com`"
                )));
            }
        }
        let list = |known: &[&str], own: &[HeaderName], more: &[HeaderName]| {
            let own = own.iter().chain(more).map(HeaderName::as_str);
            let mut names: Vec<&str> = known.iter().copied().chain(own).collect();
            names.sort_unstable();
            names.dedup();
            // A list of header names is always a valid header value.
            names.join(", ").parse().unwrap_or_else(|_| HeaderValue::from_static(""))
        };
        Ok(Compiled {
            origins: self.origins.clone(),
            credentials: self.credentials,
            max_age: self.max_age.map(|age| HeaderValue::from(age.as_secs())),
            request: list(&REQUEST, &self.request, request),
            response: list(&RESPONSE, &self.response, response),
        })
    }
}

/// The setting, with prepared header values.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    origins: Option<Vec<String>>,
    credentials: bool,
    max_age: Option<HeaderValue>,
    request: HeaderValue,
    response: HeaderValue,
}

impl Compiled {
    /// Returns the headers to add to the response. If the request only asks what is allowed (a preflight), also returns the
    /// status of the response.
    pub(super) fn headers(&self, method: &Method, headers: &HeaderMap) -> (HeaderMap, Option<StatusCode>) {
        let mut out = HeaderMap::new();
        if self.origins.is_some() {
            // A cache must not use the response for one origin for a request of another origin.
            out.insert(VARY, HeaderValue::from_static("origin"));
        }
        let Some(origin) = headers.get(ORIGIN) else { return (out, None) };
        let asks = method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        let status = asks.then_some(StatusCode::NO_CONTENT);
        let allowed = match &self.origins {
            None => HeaderValue::from_static("*"),
            Some(origins) if origins.iter().any(|known| known.as_bytes() == origin.as_bytes()) => {
                origin.clone()
            }
            // The header is missing, so the browser does not show the response to the page.
            Some(_) => return (out, status),
        };
        out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        if self.credentials {
            out.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
        if asks {
            let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
            out.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
            out.insert(ACCESS_CONTROL_ALLOW_HEADERS, self.request.clone());
            if let Some(age) = &self.max_age {
                out.insert(ACCESS_CONTROL_MAX_AGE, age.clone());
            }
        } else {
            out.insert(ACCESS_CONTROL_EXPOSE_HEADERS, self.response.clone());
        }
        (out, status)
    }
}
