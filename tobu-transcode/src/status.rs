//! Reads a `google.rpc.Status` from the trailers of gRPC, and writes it as JSON.
//!
//! This file is in layer 1 (see DESIGN.md). It uses only the modules `code`, `error` and `percent` of this crate.
//!
//! Specification: <https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto>.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use http::HeaderMap;
#[cfg(feature = "tower")]
use tobu::Pool;
use tobu::descriptor::GeneratedFile;
use tobu::json;
use tobu::rpc::{self, Detail};
use tobu::types::Any;

use crate::code::Code;
use crate::error::Error;
use crate::percent;

/// The base64 of binary metadata, read with or without padding.
const IN_HEADERS: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The outcome of a call.
///
/// ```
/// use tobu_transcode::{Code, Status};
///
/// let status = Status::new(Code::NotFound, "no such book");
/// assert_eq!(status.code().http_status(), 404);
/// assert_eq!(status.to_json(&tobu::json::Options::new()), r#"{"code":5,"message":"no such book","details":[]}"#);
/// ```
///
/// A `Status` is a `google.rpc.Status` whose code is a [`Code`]. `From` converts it to and from a `tobu::rpc::Status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    code: Code,
    message: String,
    details: Vec<Any>,
}

impl Status {
    /// Creates a status without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Status { code, message: message.into(), details: Vec::new() }
    }

    /// Adds a detail.
    ///
    /// ```
    /// use tobu_transcode::rpc::BadRequest;
    /// use tobu_transcode::{Code, Status};
    ///
    /// let status = Status::new(Code::InvalidArgument, "no title").detail(BadRequest::new([("title", "it is empty")]));
    /// let json = status.to_json(&tobu::json::Options::new());
    /// let detail = r#"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"title","description":"it is empty"}]}"#;
    /// assert_eq!(json, format!(r#"{{"code":3,"message":"no title","details":[{detail}]}}"#));
    /// ```
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Detail>) -> Self {
        self.details.push(detail.into().into());
        self
    }

    /// Returns the status in the trailers of a gRPC response, or in the headers of a response without messages. Returns `None`
    /// if there is no `grpc-status`. Malformed details are left out.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue};
    /// use tobu_transcode::{Code, Status};
    ///
    /// let mut trailers = HeaderMap::new();
    /// trailers.insert("grpc-status", HeaderValue::from_static("5"));
    /// trailers.insert("grpc-message", HeaderValue::from_static("no%20such%20book"));
    /// assert_eq!(Status::from_headers(&trailers), Some(Status::new(Code::NotFound, "no such book")));
    /// ```
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let number = headers.get("grpc-status")?;
        // A sign is not allowed, so `+0` does not mean success.
        let number = number.to_str().ok().filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|number| number.parse().ok()).unwrap_or(2);
        let text = headers.get("grpc-message").map_or(&[][..], |text| text.as_bytes());
        let text = String::from_utf8_lossy(text);
        let message =
            percent::decode_query(&text, false).map_or_else(|_| text.to_string(), |text| text.to_string());
        let details = headers.get("grpc-status-details-bin");
        let details = details.and_then(|details| IN_HEADERS.decode(details.as_bytes()).ok());
        let details = details.and_then(|details| tobu::from_slice::<rpc::Status>(&details).ok());
        let details = details.map(|status| status.details).unwrap_or_default();
        Some(Status { code: Code::from_number(number), message, details })
    }

    /// Returns the code. It is `Code::Ok` if the call succeeded.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the text that says what went wrong, for developers.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the details, still encoded. To decode details of the types in `tobu::rpc`, convert the status to a
    /// `tobu::rpc::Status`, and call `error_details`.
    pub fn details(&self) -> &[Any] {
        &self.details
    }

    /// Returns the status as JSON. A detail is written as `@type` and its bytes in base64 if its bytes are malformed, or if
    /// neither the pool of the options nor `google/rpc/error_details.proto` has its type.
    pub fn to_json(&self, options: &json::Options) -> String {
        let details: Vec<String> = self.details.iter().map(|detail| detail_json(detail, options)).collect();
        let (code, message, details) = (self.code.number(), quoted(&self.message), details.join(","));
        format!(r#"{{"code":{code},"message":{message},"details":[{details}]}}"#)
    }
}

/// Converts an error to a status with the [public text](Error::public) of the error.
impl From<&Error> for Status {
    fn from(error: &Error) -> Self {
        Status::new(error.code(), error.public())
    }
}

/// Converts a code that `google.rpc.Code` does not declare to [`Code::Unknown`].
impl From<rpc::Status> for Status {
    fn from(status: rpc::Status) -> Self {
        Status { code: status.code().into(), message: status.message, details: status.details }
    }
}

impl From<Status> for rpc::Status {
    fn from(status: Status) -> Self {
        rpc::Status { details: status.details, ..rpc::Status::new(status.code.into(), status.message) }
    }
}

/// Returns a detail as JSON, also if its type is not known.
fn detail_json(detail: &Any, options: &json::Options) -> String {
    options.to_string(detail).unwrap_or_else(|_| match is_usual(detail) {
        true => options.clone().pool(&USUAL.pool()).to_string(detail).unwrap_or_else(|_| opaque(detail)),
        false => opaque(detail),
    })
}

/// Returns the JSON of the message in a detail, or `None` if its type is not known or its bytes are malformed.
#[cfg(feature = "tower")]
pub(crate) fn debug_json(detail: &Any, pool: Option<&Pool>, options: &json::Options) -> Option<String> {
    let name = detail.type_name()?;
    let known = pool.cloned().unwrap_or_else(Pool::global).message(name);
    let descriptor = known.or_else(|| is_usual(detail).then(|| USUAL.pool().message(name)).flatten())?;
    let mut text = Vec::new();
    tobu::convert::wire_to_json_with(&descriptor, &detail.value, &mut text, options).ok()?;
    String::from_utf8(text).ok()
}

/// The file with the types of details that need no pool.
static USUAL: &GeneratedFile = &rpc::files::ERROR_DETAILS;

fn is_usual(detail: &Any) -> bool {
    detail.type_name().is_some_and(|name| USUAL.message(name).is_some())
}

/// Returns a detail as JSON without decoding it.
fn opaque(detail: &Any) -> String {
    let (url, value) = (quoted(&detail.type_url), STANDARD.encode(&detail.value));
    format!(r#"{{"@type":{url},"value":"{value}"}}"#)
}

/// Returns a text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
