//! Converts headers of HTTP to metadata of gRPC, and metadata to headers.
//!
//! This file is in layer 1 (see DESIGN.md). It uses only the module `error` of this crate. Specification:
//! <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use http::header::{AUTHORIZATION, CONNECTION, DATE, HOST, HeaderName};
use http::{HeaderMap, HeaderValue};
use smallvec::SmallVec;

use crate::error::{Error, Result};

/// The prefix of request headers that are converted to metadata, and of headers that response metadata is converted to.
pub const METADATA_PREFIX: &str = "grpc-metadata-";

/// The base64 of binary metadata: written without padding, and read with or without padding.
const BYTES: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_encode_padding(false),
);

/// Converts the headers of a request to metadata: `Authorization`, the headers whose names are in `listed`, and headers
/// whose names begin with `Grpc-Metadata-`. This prefix is removed.
///
/// Headers of the connection, and headers whose names gRPC reserves, are never converted. If a name ends in `-bin`, the
/// value must be base64. A header that cannot be metadata is left out, as in clients of gRPC: the value must be visible
/// ASCII and spaces, and the name must have only letters, digits, `_`, `-` and `.`. The tower layer logs a warning for
/// each header that is left out.
///
/// ```
/// use http::{HeaderMap, HeaderName, HeaderValue};
///
/// let mut headers = HeaderMap::new();
/// headers.insert("authorization", HeaderValue::from_static("Bearer x"));
/// headers.insert("grpc-metadata-tenant", HeaderValue::from_static("7"));
/// headers.insert("grpc-metadata-city", HeaderValue::from_bytes("Z\u{fc}rich".as_bytes()).unwrap());
/// headers.insert("cookie", HeaderValue::from_static("secret"));
/// let metadata = tobu_transcode::request_metadata(&headers, &[])?;
/// assert_eq!(metadata.len(), 2);
/// assert_eq!(metadata["tenant"], "7");
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
///
/// # Errors
/// A value must be base64 and is not, or the value of `Authorization` cannot be metadata. `Authorization` is not left out,
/// because the call could then have another meaning.
pub fn request_metadata(headers: &HeaderMap, listed: &[HeaderName]) -> Result<HeaderMap> {
    let matchers = Matchers { listed: listed.to_vec(), ..Matchers::default() };
    request_metadata_with(headers, &matchers, |_, _| {})
}

/// The settings for converting request headers to metadata, and response metadata to headers.
#[derive(Clone, Default)]
pub(crate) struct Matchers {
    /// Request headers that are converted to metadata of the same name.
    pub(crate) listed: Vec<HeaderName>,
    /// Headers that the tower layer sets. They are always converted to metadata of the same name, whatever the other settings
    /// are and whatever headers a client sends.
    pub(crate) own: Vec<HeaderName>,
    /// True if permanent headers are converted to metadata, too.
    pub(crate) permanent: bool,
    pub(crate) request: Option<Matcher>,
    /// Response metadata that is converted to headers of the same name.
    pub(crate) response_listed: Vec<HeaderName>,
    pub(crate) response: Option<Matcher>,
}

/// Converts the name of a header to a name of metadata, or the reverse. Returns `None` if the header or the metadata is not
/// forwarded.
pub(crate) type Matcher = Arc<dyn Fn(&HeaderName) -> Option<HeaderName> + Send + Sync>;

/// The prefix of metadata that permanent headers are converted to.
const PERMANENT_PREFIX: &str = "grpcgateway-";

/// The headers that grpc-gateway treats as permanent, from the list of
/// <https://www.iana.org/assignments/http-fields/http-fields.xhtml>.
const PERMANENT: &[&str] = &[
    "accept",
    "accept-charset",
    "accept-language",
    "accept-ranges",
    "authorization",
    "cache-control",
    "content-type",
    "cookie",
    "date",
    "expect",
    "from",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-schedule-tag-match",
    "if-unmodified-since",
    "max-forwards",
    "origin",
    "pragma",
    "referer",
    "user-agent",
    "via",
    "warning",
];

impl Matchers {
    /// Returns the names of the metadata to which a header is converted.
    fn targets(&self, name: &HeaderName) -> SmallVec<[String; 2]> {
        let mut targets = SmallVec::new();
        if self.own.contains(name) {
            targets.push(name.as_str().to_owned());
            return targets;
        }
        if *name == AUTHORIZATION || self.request.is_none() && self.listed.contains(name) {
            targets.push(name.as_str().to_owned());
        }
        match &self.request {
            Some(matcher) => targets.extend(matcher(name).map(|name| name.as_str().to_owned())),
            None => targets.extend(name.as_str().strip_prefix(METADATA_PREFIX).map(str::to_owned)),
        }
        if self.permanent && self.request.is_none() && PERMANENT.contains(&name.as_str()) {
            targets.push(format!("{PERMANENT_PREFIX}{name}"));
        }
        targets.dedup();
        targets
    }
}

const NOT_ASCII: &str = "has characters that metadata cannot have";

/// Does the same as [`request_metadata`]. Also calls `left_out` with each header that cannot be metadata, and the reason.
pub(crate) fn request_metadata_with(
    headers: &HeaderMap,
    matchers: &Matchers,
    mut left_out: impl FnMut(&HeaderName, &str),
) -> Result<HeaderMap> {
    let mut metadata = HeaderMap::new();
    let named = named_by_connection(headers);
    let targets = headers.iter().flat_map(|(name, value)| {
        matchers.targets(name).into_iter().map(move |target| (name, value, target))
    });
    for (name, value, target) in targets {
        let Some(target) = metadata_name(&target) else {
            left_out(name, "names no metadata");
            continue;
        };
        let is_named = named.contains(name) || named.contains(&target);
        if is_kept_back(&target) || is_named && !matchers.own.contains(name) {
            continue;
        }
        match is_visible(value) {
            true => metadata.append(target, checked(name, value)?),
            false if target == AUTHORIZATION && matchers.request.is_none() => {
                return Err(Error::argument(format!("the header {name} {NOT_ASCII}")));
            }
            false => {
                left_out(name, NOT_ASCII);
                continue;
            }
        };
    }
    let host = headers.get(FORWARDED_HOST).or_else(|| headers.get(HOST));
    if let Some(host) = host.filter(|host| matchers.permanent && is_visible(host)) {
        metadata.insert(FORWARDED_HOST, host.clone());
    }
    Ok(metadata)
}

pub(crate) const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Converts the headers of a gRPC-Web or Connect request to metadata, except for headers of the connection and of the
/// protocol. The layer has set the headers in `own`.
///
/// # Errors
/// Fails if [`request_metadata`] would fail.
#[cfg(feature = "tower")]
pub(crate) fn all_request_metadata(
    headers: &HeaderMap,
    own: &[HeaderName],
    left_out: impl FnMut(&HeaderName, &str),
) -> Result<HeaderMap> {
    if headers.get_all(AUTHORIZATION).iter().any(|value| !is_visible(value)) {
        return Err(Error::argument(format!("the header {AUTHORIZATION} {NOT_ASCII}")));
    }
    let all = |name: &HeaderName| (!name.as_str().starts_with(CONNECT_PREFIX)).then(|| name.clone());
    let matchers = Matchers { own: own.to_vec(), request: Some(Arc::new(all)), ..Matchers::default() };
    request_metadata_with(headers, &matchers, left_out)
}

/// The prefix of the headers of the protocol Connect.
#[cfg(feature = "tower")]
const CONNECT_PREFIX: &str = "connect-";

/// Converts the metadata of a response to headers, and adds them to `headers`. Each name gets the prefix `grpc-metadata-`.
/// Metadata with names that belong to one connection, describe a body, or are reserved by gRPC, and `date`, are left out.
///
/// ```
/// use http::{HeaderMap, HeaderValue};
///
/// let mut metadata = HeaderMap::new();
/// metadata.insert("served-by", HeaderValue::from_static("a"));
/// metadata.insert("grpc-status", HeaderValue::from_static("0"));
/// let mut headers = HeaderMap::new();
/// tobu_transcode::response_metadata(&metadata, &mut headers);
/// assert_eq!(headers.len(), 1);
/// assert_eq!(headers["grpc-metadata-served-by"], "a");
/// ```
pub fn response_metadata(metadata: &HeaderMap, headers: &mut HeaderMap) {
    response_metadata_with(metadata, &Matchers::default(), headers);
}

/// Does the same as [`response_metadata`], but applies the settings in `matchers`. Listed metadata is converted to headers
/// of the same name, which replace existing headers.
pub(crate) fn response_metadata_with(metadata: &HeaderMap, matchers: &Matchers, headers: &mut HeaderMap) {
    let listed = &matchers.response_listed;
    let named = named_by_connection(metadata);
    listed.iter().filter(|name| metadata.contains_key(*name) && !is_kept_back(name)).for_each(|name| {
        headers.remove(name);
    });
    for (name, value) in metadata {
        // The server that answers the client sets the date.
        if is_kept_back(name) || *name == DATE || named.contains(name) {
            continue;
        }
        if listed.contains(name) {
            headers.append(name.clone(), value.clone());
        } else if let Some(matcher) = &matchers.response {
            let target = matcher(name).filter(|target| !is_kept_back(target));
            target.map(|target| headers.append(target, value.clone()));
        } else if let Ok(target) = HeaderName::try_from(format!("{METADATA_PREFIX}{name}")) {
            headers.append(target, value.clone());
        }
    }
}

/// Converts the trailing metadata of a response to HTTP trailers. Each name gets the prefix `grpc-trailer-`.
#[cfg(feature = "tower")]
pub(crate) fn response_trailers(metadata: &HeaderMap) -> HeaderMap {
    let named = named_by_connection(metadata);
    let kept =
        metadata.iter().filter(|(name, _)| !is_kept_back(name) && **name != DATE && !named.contains(*name));
    kept.filter_map(|(name, value)| {
        Some((HeaderName::try_from(format!("grpc-trailer-{name}")).ok()?, value.clone()))
    })
    .collect()
}

/// Converts the metadata of a response to headers, and adds them to `headers`. Each name gets the prefix `prefix`. Metadata of
/// the connection and of the protocol is left out.
#[cfg(feature = "tower")]
pub(crate) fn add_all_metadata(metadata: &HeaderMap, prefix: &str, headers: &mut HeaderMap) {
    let named = named_by_connection(metadata);
    for (name, value) in metadata {
        let is_own = name.as_str().starts_with(CONNECT_PREFIX);
        if is_own || is_kept_back(name) || *name == DATE || named.contains(name) {
            continue;
        }
        if let Ok(target) = HeaderName::try_from(format!("{prefix}{name}")) {
            headers.append(target, value.clone());
        }
    }
}

/// Returns the timeout that the header `Grpc-Timeout` sets, or `None` without this header.
///
/// ```
/// use http::{HeaderMap, HeaderValue};
/// use std::time::Duration;
///
/// let mut headers = HeaderMap::new();
/// headers.insert("grpc-timeout", HeaderValue::from_static("150m"));
/// assert_eq!(tobu_transcode::request_timeout(&headers)?, Some(Duration::from_millis(150)));
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
///
/// # Errors
/// The header is given twice, or its value is not one to eight digits and one of `H`, `M`, `S`, `m`, `u`, `n`.
pub fn request_timeout(headers: &HeaderMap) -> Result<Option<Duration>> {
    let mut values = headers.get_all("grpc-timeout").iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Error::argument("the header grpc-timeout is given twice"));
    }
    let wrong = || Error::argument(format!("the header grpc-timeout: {value:?} is not a timeout"));
    let (&unit, digits) = value.as_bytes().split_last().ok_or_else(wrong)?;
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(wrong());
    }
    let amount = digits.iter().fold(0u64, |amount, digit| amount * 10 + u64::from(digit - b'0'));
    Ok(Some(match unit {
        b'H' => Duration::from_secs(amount * 3600),
        b'M' => Duration::from_secs(amount * 60),
        b'S' => Duration::from_secs(amount),
        b'm' => Duration::from_millis(amount),
        b'u' => Duration::from_micros(amount),
        b'n' => Duration::from_nanos(amount),
        _ => return Err(wrong()),
    }))
}

/// True for headers that are never converted: they belong to one connection, describe the body of the original message, or
/// are reserved by gRPC.
fn is_kept_back(name: &HeaderName) -> bool {
    const NAMES: &[&str] = &["host", "content-type", "content-length", "content-encoding", "accept-encoding"];
    is_of_connection(name) || name.as_str().starts_with("grpc-") || NAMES.contains(&name.as_str())
}

/// True for headers that belong to one connection.
pub(crate) fn is_of_connection(name: &HeaderName) -> bool {
    const NAMES: &[&str] = &[
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    NAMES.contains(&name.as_str())
}

/// Returns the names of the headers that the header `Connection` lists. These headers belong to one connection, too.
fn named_by_connection(headers: &HeaderMap) -> HashSet<HeaderName> {
    let values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let names = values.flat_map(|value| value.split(','));
    names.filter_map(|name| HeaderName::from_bytes(name.trim().as_bytes()).ok()).collect()
}

/// Returns the name of metadata, or `None` if the name has characters that are allowed in headers but not in metadata.
fn metadata_name(name: &str) -> Option<HeaderName> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.bytes().all(plain).then(|| HeaderName::from_bytes(name.as_bytes()).ok()).flatten()
}

fn is_visible(value: &HeaderValue) -> bool {
    value.as_bytes().iter().all(|byte| (0x20..0x7f).contains(byte))
}

/// Returns the value of metadata. If the name ends in `-bin`, the base64 is written again without padding.
///
/// # Errors
/// The value must be base64 and is not.
fn checked(name: &HeaderName, value: &HeaderValue) -> Result<HeaderValue> {
    if !name.as_str().ends_with("-bin") {
        return Ok(value.clone());
    }
    let wrong = || Error::argument(format!("the header {name} is not base64"));
    let bytes = BYTES.decode(value.as_bytes()).map_err(|_| wrong())?;
    HeaderValue::try_from(BYTES.encode(bytes)).map_err(|_| wrong())
}
