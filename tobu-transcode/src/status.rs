//! `google.rpc.Status`: from the bytes that gRPC sends along, and to JSON.
//!
//! Layer 1: names `code` and `error`.
//!
//! Specification: <https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto>.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use http::HeaderMap;
use tobu::wire::{Reader, WireType};
use tobu::{Message as _, json, transcode};

use crate::code::Code;
use crate::error::Error;
use crate::percent;

/// Bytes in headers may go without padding.
const IN_HEADERS: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What became of a call.
///
/// ```
/// use tobu_transcode::{Code, Status};
///
/// let status = Status::new(Code::NotFound, "no such book");
/// assert_eq!(status.code().http_status(), 404);
/// assert_eq!(status.to_json(&tobu::json::Options::new()), r#"{"code":5,"message":"no such book","details":[]}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    code: Code,
    message: String,
    /// Encoded `google.protobuf.Any`.
    details: Vec<Vec<u8>>,
}

impl Status {
    /// A status without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Status { code, message: message.into(), details: Vec::new() }
    }

    /// The status with one more detail: an encoded `google.protobuf.Any`.
    #[must_use]
    pub fn detail(mut self, any: impl Into<Vec<u8>>) -> Self {
        self.details.push(any.into());
        self
    }

    /// The status in the trailers of a gRPC response, or in the headers of one that has nothing else; none where there is
    /// no `grpc-status`.
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
        // A sign is none of the digits: `+0` is no success.
        let number = number.to_str().ok().filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|number| number.parse().ok()).unwrap_or(2);
        let text = headers.get("grpc-message").map_or(&[][..], |text| text.as_bytes());
        let text = String::from_utf8_lossy(text);
        let message =
            percent::decode_query(&text, false).map_or_else(|_| text.to_string(), |text| text.to_string());
        let mut status = Status::new(Code::from_number(number), message);
        let details = headers.get("grpc-status-details-bin");
        if let Some(details) = details.and_then(|details| IN_HEADERS.decode(details.as_bytes()).ok()) {
            status.details = details_of(&details).unwrap_or_default();
        }
        Some(status)
    }

    /// What became of the call.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What went wrong, for developers.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The details, each an encoded `google.protobuf.Any`.
    pub fn details(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.details.iter().map(Vec::as_slice)
    }

    /// The status as JSON; a detail whose type is not in the pool of the options, or that is no message of it, stays as `@type`
    /// and its bytes in base64.
    pub fn to_json(&self, options: &json::Options) -> String {
        let any = tobu::types::Any::descriptor();
        let mut out =
            format!(r#"{{"code":{},"message":{},"details":["#, self.code.number(), quoted(&self.message));
        for (i, detail) in self.details.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            let mut json = Vec::new();
            match transcode::wire_to_json_with(&any, detail, &mut json, options)
                .map(|()| String::from_utf8(json))
            {
                Ok(Ok(json)) => out.push_str(&json),
                _ => opaque(detail, &mut out),
            }
        }
        out.push_str("]}");
        out
    }
}

/// Of a request that never became a call, with what a client [may know](Error::public).
impl From<&Error> for Status {
    fn from(error: &Error) -> Self {
        Status::new(error.code(), error.public())
    }
}

/// The details in an encoded `google.rpc.Status`.
fn details_of(status: &[u8]) -> tobu::Result<Vec<Vec<u8>>> {
    let mut details = Vec::new();
    let mut reader = Reader::new(status);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        match (tag.number(), tag.wire_type()) {
            (3, WireType::Len) => details.push(reader.len_prefixed()?.to_vec()),
            _ => reader.skip(tag, 100)?,
        }
    }
    Ok(details)
}

/// A detail that nothing is known of.
fn opaque(any: &[u8], out: &mut String) {
    let (mut url, mut value) = ("", &[][..]);
    let mut reader = Reader::new(any);
    while let Ok(tag) = reader.tag() {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => url = reader.string().unwrap_or_default(),
            (2, WireType::Len) => value = reader.len_prefixed().unwrap_or_default(),
            _ => {
                if reader.skip(tag, 100).is_err() {
                    break;
                }
            }
        }
    }
    out.push_str(&format!(r#"{{"@type":{},"value":"{}"}}"#, quoted(url), STANDARD.encode(value)));
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
