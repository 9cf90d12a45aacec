//! Converts responses of Connect to responses of gRPC, which tonic's client reads.

use std::future::poll_fn;
use std::io::Read as _;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::error::{of_end, of_response, trailers};
use super::{GRPC_ENCODING, PROTO, STREAM, STREAM_ENCODING};
use crate::client::StdError;

/// How many bytes an error, or the last envelope of a stream, may have.
const MAX_ERROR: usize = 1 << 20;
/// The prefix of the names of headers that are trailers of a unary call.
const TRAILER: &str = "trailer-";
/// The flag of an envelope whose message is compressed. `END` is the flag of the last envelope of a stream.
const COMPRESSED: u8 = 1;
const END: u8 = 2;

pub(super) async fn unary<R>(response: Response<R>, limit: usize) -> Response<Body>
where
    R: http_body::Body<Data = Bytes>,
    R::Error: Into<StdError>,
{
    let (head, body) = response.into_parts();
    let mut last = HeaderMap::new();
    for (name, value) in &head.headers {
        if let Some(Ok(name)) = name.as_str().strip_prefix(TRAILER).map(HeaderName::try_from) {
            last.append(name, value.clone());
        }
    }
    let encoding = head.headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes).unwrap_or_default().to_vec();
    let kind = media_type(&head.headers);
    let mut headers = leading(head.headers);
    let failed = |status: Status, headers: HeaderMap, last: HeaderMap| {
        let mut response = status.into_http();
        response.headers_mut().extend(headers.into_iter().chain(last));
        response.headers_mut().insert(CONTENT_TYPE, GRPC);
        response
    };
    if head.status != StatusCode::OK {
        let body = collect(body, MAX_ERROR).await.unwrap_or_default();
        let body = match (kind == "application/json", is_gzip(&encoding)) {
            (false, _) => Vec::new(),
            (true, true) => gunzip(&body).unwrap_or_default(),
            (true, false) => body.into(),
        };
        return failed(of_response(head.status, &body), headers, last);
    }
    if kind != PROTO {
        return failed(unexpected(&kind, "application/"), headers, last);
    }
    let message = match collect(body, limit).await {
        Ok(message) => message,
        Err(error) => return failed(broken(error), headers, last),
    };
    let is_identity = encoding.is_empty() || encoding == b"identity" || message.is_empty();
    if !is_identity {
        match HeaderValue::from_bytes(&encoding).ok().filter(|_| is_known(&encoding)) {
            Some(encoding) => headers.insert(GRPC_ENCODING, encoding),
            None => return failed(not_known(&encoding), headers, last),
        };
    }
    // A message of 4 GiB or more exceeds the limit of the client anyway.
    let len = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.extend_from_slice(&[u8::from(!is_identity)]);
    frame.extend_from_slice(&len.to_be_bytes());
    frame.extend_from_slice(&message);
    last.extend(trailers(&Status::new(tonic::Code::Ok, "")));
    let mut response = Response::new(Body::new(Whole { data: Some(frame.freeze()), trailers: Some(last) }));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, GRPC);
    response
}

pub(super) async fn stream<R>(response: Response<R>) -> Response<Body>
where
    R: http_body::Body<Data = Bytes> + Send + 'static,
    R::Error: Into<StdError>,
{
    let (head, body) = response.into_parts();
    let kind = media_type(&head.headers);
    let encoding = head.headers.get(STREAM_ENCODING).map(HeaderValue::as_bytes).unwrap_or_default().to_vec();
    let mut headers = leading(head.headers);
    headers.remove(&STREAM_ENCODING);
    let failed = |status: Status, headers: HeaderMap| {
        let mut response = status.into_http();
        response.headers_mut().extend(headers);
        response.headers_mut().insert(CONTENT_TYPE, GRPC);
        response
    };
    if head.status != StatusCode::OK {
        return failed(of_response(head.status, b""), headers);
    }
    if kind != STREAM {
        return failed(unexpected(&kind, "application/connect+"), headers);
    }
    if !encoding.is_empty() && encoding != b"identity" {
        match HeaderValue::from_bytes(&encoding).ok().filter(|_| is_known(&encoding)) {
            Some(encoding) => headers.insert(GRPC_ENCODING, encoding),
            None => return failed(not_known(&encoding), headers),
        };
    }
    let is_gzip = is_gzip(&encoding);
    let body = Envelopes { body: Box::pin(body), held: BytesMut::new(), left: 0, is_gzip, is_over: false };
    let mut response = Response::new(Body::new(body));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, GRPC);
    response
}

const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");

/// Returns the headers that are the initial metadata of a call.
fn leading(mut headers: HeaderMap) -> HeaderMap {
    let is_trailer = |name: &&HeaderName| name.as_str().starts_with(TRAILER);
    let gone: Vec<HeaderName> = headers.keys().filter(is_trailer).cloned().collect();
    for name in gone.iter().chain(&[CONTENT_LENGTH, CONTENT_ENCODING, CONTENT_TYPE]) {
        headers.remove(name);
    }
    headers
}

fn media_type(headers: &HeaderMap) -> String {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_gzip(encoding: &[u8]) -> bool {
    encoding == b"gzip"
}

/// True for the compressions that tonic may support.
fn is_known(encoding: &[u8]) -> bool {
    matches!(encoding, b"gzip" | b"deflate" | b"zstd")
}

/// Returns the status for a response with an unexpected content type. If the content type begins with `of_connect`, the
/// server speaks Connect, and the code is `Internal`. Otherwise it is `Unknown`.
fn unexpected(kind: &str, of_connect: &str) -> Status {
    let text = format!("the answer has the content type {kind:?}");
    if kind.starts_with(of_connect) { Status::internal(text) } else { Status::unknown(text) }
}

fn not_known(encoding: &[u8]) -> Status {
    Status::internal(format!("the answer has the compression {:?}", String::from_utf8_lossy(encoding)))
}

fn broken(error: StdError) -> Status {
    match error.downcast::<Status>() {
        Ok(status) => *status,
        Err(error) => Status::unavailable(format!("the answer broke off: {error}")),
    }
}

/// Receives a whole body.
///
/// # Errors
/// The body is longer than the limit, or it ends with an error.
pub(super) async fn collect<B>(body: B, limit: usize) -> Result<Bytes, StdError>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<StdError>,
{
    let mut body = pin!(body);
    let (mut first, mut rest) = (Bytes::new(), BytesMut::new());
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let Ok(data) = frame.map_err(Into::into)?.into_data() else { continue };
        if first.len().max(rest.len()).saturating_add(data.len()) > limit {
            let text = format!("the answer is longer than the limit of {limit} bytes");
            return Err(Status::resource_exhausted(text).into());
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
            continue;
        }
        if rest.is_empty() {
            rest.extend_from_slice(&first);
        }
        rest.extend_from_slice(&data);
    }
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}

/// Decompresses gzip. Returns `None` if the bytes are malformed, or have more than `MAX_ERROR` bytes after decompression.
fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes).take(MAX_ERROR as u64 + 1).read_to_end(&mut out).ok()?;
    (out.len() <= MAX_ERROR).then_some(out)
}

/// A body of one piece of data, with optional trailers.
pub(super) struct Whole {
    data: Option<Bytes>,
    trailers: Option<HeaderMap>,
}

impl Whole {
    pub(super) fn new(data: Bytes) -> Self {
        Whole { data: (!data.is_empty()).then_some(data), trailers: None }
    }
}

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = StdError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StdError>>> {
        let data = self.data.take().map(Frame::data);
        Poll::Ready(data.or_else(|| self.trailers.take().map(Frame::trailers)).map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none() && self.trailers.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, Bytes::len) as u64)
    }
}

/// A body that converts envelopes of Connect to frames of gRPC. An envelope is already a frame, except for the last envelope,
/// which is converted to trailers.
struct Envelopes<B> {
    body: Pin<Box<B>>,
    held: BytesMut,
    /// How many bytes of the current envelope are still to be forwarded.
    left: usize,
    is_gzip: bool,
    is_over: bool,
}

impl<B> Envelopes<B> {
    /// Returns the next frame of the body, or `None` if more bytes must be received first.
    fn next(&mut self) -> Result<Option<Frame<Bytes>>, Status> {
        if self.left == 0 {
            let [flags, a, b, c, d, ..] = self.held[..] else { return Ok(None) };
            let len = u32::from_be_bytes([a, b, c, d]) as usize;
            match flags {
                0 | COMPRESSED => self.left = len.saturating_add(5),
                END | 3 if len > MAX_ERROR => {
                    return Err(Status::resource_exhausted(format!("the end of the stream has {len} bytes")));
                }
                END | 3 if self.held.len() - 5 < len => return Ok(None),
                END | 3 => {
                    self.held.advance(5);
                    let end = self.held.split_to(len);
                    let end = match flags & COMPRESSED {
                        0 => Some(end.to_vec()),
                        _ => gunzip(&end).filter(|_| self.is_gzip),
                    };
                    let end =
                        end.ok_or_else(|| Status::internal("the end of the stream is malformed gzip"))?;
                    self.is_over = true;
                    return Ok(Some(Frame::trailers(of_end(&end))));
                }
                flags => {
                    return Err(Status::internal(format!("an envelope of the answer has the flags {flags}")));
                }
            }
        }
        let len = self.left.min(self.held.len());
        self.left -= len;
        Ok((len > 0).then(|| Frame::data(self.held.split_to(len).freeze())))
    }
}

impl<B> http_body::Body for Envelopes<B>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<StdError>,
{
    type Data = Bytes;
    type Error = StdError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StdError>>> {
        loop {
            if self.is_over {
                return Poll::Ready(None);
            }
            let failed = match self.next() {
                Ok(Some(frame)) => return Poll::Ready(Some(Ok(frame))),
                Ok(None) => match ready!(self.body.as_mut().poll_frame(cx)) {
                    Some(Ok(frame)) => {
                        if let Ok(data) = frame.into_data() {
                            self.held.extend_from_slice(&data);
                        }
                        continue;
                    }
                    Some(Err(error)) => broken(error.into()),
                    None => Status::internal("the answer has no end of its stream"),
                },
                Err(status) => status,
            };
            self.is_over = true;
            return Poll::Ready(Some(Ok(Frame::trailers(trailers(&failed)))));
        }
    }
}
