//! Compresses and decompresses bodies.

#[cfg_attr(
    not(all(feature = "gzip", feature = "zstd")),
    allow(dead_code, unused_variables, reason = "it has all that any encoding needs")
)]
mod decode;
#[cfg(feature = "zstd")]
mod zstd;

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, HeaderName};

pub(super) use self::decode::Decoder;
use crate::error::{Category, Error, Result};

/// Bodies with fewer bytes than this are not compressed.
#[cfg(feature = "gzip")]
const WORTH_IT: usize = 1024;

/// The compression of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Identity,
    #[cfg(feature = "gzip")]
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Encoding {
    /// True for gzip.
    pub(super) fn is_gzip(self) -> bool {
        #[cfg(feature = "gzip")]
        return self == Encoding::Gzip;
        #[cfg(not(feature = "gzip"))]
        false
    }
}

/// The names of all supported compressions, for error texts.
pub(super) const KNOWN: &[&str] = &[
    "identity",
    #[cfg(feature = "gzip")]
    "gzip",
    #[cfg(feature = "zstd")]
    "zstd",
];

/// Returns the compression of a body from the headers of its request or response.
///
/// # Errors
/// The compression is not supported, or the body is compressed more than once.
pub(super) fn encoding_of(headers: &HeaderMap) -> Result<Encoding> {
    let mut values = headers.get_all(CONTENT_ENCODING).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(Encoding::Identity),
        (Some(value), None) => by_name(value.as_bytes()),
        (Some(_), Some(_)) => Err(Error::new(Category::MediaType, "the body is compressed more than once")),
    }
}

/// Returns the compression that `name` names.
///
/// # Errors
/// The compression is not supported.
pub(super) fn by_name(name: &[u8]) -> Result<Encoding> {
    match name.to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Ok(Encoding::Identity),
        #[cfg(feature = "gzip")]
        b"gzip" | b"x-gzip" => Ok(Encoding::Gzip),
        #[cfg(feature = "zstd")]
        b"zstd" => Ok(Encoding::Zstd),
        name => Err(Error::new(
            Category::MediaType,
            format!("{:?} is not a known compression", String::from_utf8_lossy(name)),
        )),
    }
}

/// Decompresses a whole body.
///
/// # Errors
/// The decompressed bytes exceed the limit, or the bytes are malformed.
pub(super) fn decompress(bytes: Bytes, encoding: Encoding, limit: usize) -> Result<Bytes> {
    if encoding == Encoding::Identity {
        return if bytes.len() > limit { Err(too_large(limit)) } else { Ok(bytes) };
    }
    let mut decoder = Decoder::new(encoding, limit);
    decoder.push(bytes);
    decoder.end();
    let mut out = Vec::new();
    while let Some(piece) = decoder.next()? {
        if out.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        out.extend_from_slice(&piece);
    }
    Ok(out.into())
}

pub(super) fn too_large(limit: usize) -> Error {
    Error::new(Category::TooLarge, format!("the body is longer than the limit of {limit} bytes"))
}

/// Compresses the body of a response if the client accepts gzip and the body is long enough. Returns the body and the name
/// of the compression.
#[cfg(feature = "gzip")]
pub(super) fn compress(body: Vec<u8>, request: &HeaderMap) -> (Vec<u8>, Option<&'static str>) {
    if !accepts(request, &http::header::ACCEPT_ENCODING, "gzip") {
        return (body, None);
    }
    match gzip(&body) {
        Some(compressed) => (compressed, Some("gzip")),
        None => (body, None),
    }
}

/// Compresses bytes with gzip. Returns `None` if there are too few bytes to be worth it.
#[cfg(feature = "gzip")]
pub(super) fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    use std::io::Write;
    if bytes.len() < WORTH_IT {
        return None;
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to a vector does not fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()
}

#[cfg(not(feature = "gzip"))]
pub(super) fn gzip(_: &[u8]) -> Option<Vec<u8>> {
    None
}

#[cfg(not(feature = "gzip"))]
pub(super) fn compress(body: Vec<u8>, _: &HeaderMap) -> (Vec<u8>, Option<&'static str>) {
    (body, None)
}

/// True if a header of a request, such as `Accept-Encoding`, lists a compression with a weight above zero.
pub(super) fn accepts(request: &HeaderMap, header: &HeaderName, name: &str) -> bool {
    let values = request.get_all(header).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|known| known.eq_ignore_ascii_case(name));
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        is_named && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}
