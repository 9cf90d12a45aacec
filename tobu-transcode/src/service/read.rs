//! Receives the body of a request that is one message.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

use super::builder::Settings;
use super::compress::{Encoding, decompress, encoding_of, too_large};
use super::{Body, BoxError};
use crate::error::{Category, Error, Result};
use crate::options::TranscodeOptions;
use crate::route::{self, Route};

/// Receives a body, and decompresses it.
///
/// # Errors
/// The body is too long, or is not received in time or completely, or its compression is malformed or not supported.
pub(super) async fn read(body: Body, headers: &HeaderMap, settings: &Settings) -> Result<Bytes> {
    read_encoded(body, headers, encoding_of(headers)?, settings).await
}

/// Receives a body, and decompresses it with a given compression.
///
/// # Errors
/// Fails if [`read`] would fail.
pub(super) async fn read_encoded(
    body: Body,
    headers: &HeaderMap,
    encoding: Encoding,
    settings: &Settings,
) -> Result<Bytes> {
    let whole = collect(body, headers, settings.max_body, settings.read_timeout).await?;
    decompress(whole, encoding, settings.max_body)
}

/// Receives a body of up to `limit` bytes.
///
/// # Errors
/// The body is longer than `limit`, or is not received in time or completely.
pub(super) async fn collect(
    mut body: Body,
    headers: &HeaderMap,
    limit: usize,
    timeout: Duration,
) -> Result<Bytes> {
    let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|declared| declared > limit as u64) {
        return Err(too_large(limit));
    }
    let deadline = Instant::now() + timeout;
    let (mut first, mut rest) = (Bytes::new(), BytesMut::new());
    while !body.is_end_stream() {
        let frame = timeout_at(deadline, body.frame())
            .await
            .map_err(|_| Error::new(Category::Timeout, "the body did not come in time"))?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(cut)?;
        let Ok(data) = frame.into_data() else { continue };
        if first.len().max(rest.len()) + data.len() > limit {
            return Err(too_large(limit));
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
            continue;
        }
        if rest.is_empty() {
            rest.extend_from_slice(&std::mem::take(&mut first));
        }
        rest.extend_from_slice(&data);
    }
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}

/// Returns the error for the body of a request that ended with an error of the connection.
pub(super) fn cut(error: BoxError) -> Error {
    Error::argument("the body did not come to its end").caused_by(error)
}

/// Returns the content type of a request. If the body must be JSON, checks that the content type says so.
///
/// # Errors
/// The content type is malformed, or it must be JSON and is not.
pub(super) fn content_type<'h>(
    route: &Route,
    options: &TranscodeOptions,
    headers: &'h HeaderMap,
) -> Result<&'h str> {
    let Some(value) = headers.get(CONTENT_TYPE) else { return Ok("") };
    let text =
        value.to_str().map_err(|_| Error::new(Category::MediaType, "the content type is malformed"))?;
    if options.any_media_type
        || !matches!(route.body(), route::RequestBody::All | route::RequestBody::Field(_))
    {
        return Ok(text);
    }
    let name = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_lines = matches!(&*name, "application/x-ndjson" | "application/ndjson" | "application/jsonl");
    match name == "application/json"
        || name.ends_with("+json")
        || (is_lines && route.method().is_client_streaming())
    {
        true => Ok(text),
        false => Err(Error::new(Category::MediaType, format!("the body must be JSON, not {name:?}"))),
    }
}
