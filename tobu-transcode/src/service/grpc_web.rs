//! Serves gRPC-Web, a form of gRPC for browsers. The trailers of a response are its last frame, and frames may be base64.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md>.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, TE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Version};
use http_body::Body as _;

use super::body::Pieces;
use super::{Body, BoxError};
use crate::code::Code;
use crate::metadata::is_of_connection;
use crate::status::Status;

const WEB: &str = "application/grpc-web";
const TEXT: &str = "-text";

/// The forms in which a client of gRPC-Web sends and accepts messages.
pub(super) struct Web {
    /// The end of the content type, such as `+proto`.
    suffix: String,
    sends_text: bool,
    takes_text: bool,
}

impl Web {
    /// Reads the forms from the headers of a request. Returns `None` if the request is not of gRPC-Web.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let (sends_text, suffix) = kind(headers.get(CONTENT_TYPE)?)?;
        // If a client accepts no form of gRPC-Web explicitly, it accepts the form that it sends.
        let mut takes = headers.get_all(ACCEPT).iter().filter_map(kind);
        let takes_text = takes.next().map_or(sends_text, |(text, _)| text);
        Some(Web { suffix, sends_text, takes_text })
    }

    /// Converts a request to a gRPC request.
    pub(super) fn request(&self, request: Request<Body>) -> Request<Body> {
        let (mut head, body) = request.into_parts();
        head.version = Version::HTTP_2;
        let gone: Vec<_> = head.headers.keys().filter(|name| is_of_connection(name)).cloned().collect();
        gone.into_iter().chain([CONTENT_LENGTH]).for_each(|name| {
            head.headers.remove(name);
        });
        head.headers.insert(CONTENT_TYPE, self.content_type("application/grpc"));
        head.headers.insert(TE, HeaderValue::from_static("trailers"));
        let body = match self.sends_text {
            true => Body::of_pieces(Decoded { body, held: BytesMut::new(), is_over: false }),
            // The length of this body is not known, so HTTP sends no `Content-Length`.
            false => Body::of_pieces(Plain(body)),
        };
        Request::from_parts(head, body)
    }

    /// Converts a gRPC response to gRPC-Web, with its trailers in the body.
    pub(super) fn response(&self, response: Response<Body>) -> Response<Body> {
        let (mut head, body) = response.into_parts();
        let has_status = Status::from_headers(&head.headers).is_some();
        head.headers.remove(CONTENT_LENGTH);
        let kind = if self.takes_text { format!("{WEB}{TEXT}") } else { WEB.to_owned() };
        head.headers.insert(CONTENT_TYPE, self.content_type(&kind));
        let body = match has_status {
            true => Body::empty(),
            false => Body::of_pieces(Framed { body, is_text: self.takes_text, is_over: false }),
        };
        Response::from_parts(head, body)
    }

    fn content_type(&self, kind: &str) -> HeaderValue {
        HeaderValue::try_from(format!("{kind}{}", self.suffix)).unwrap_or(HeaderValue::from_static(WEB))
    }
}

/// Returns the response to a request whose HTTP method is not `POST`.
pub(super) fn not_post() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    response
}

/// Reads a content type of gRPC-Web. Returns true if messages are base64, and the suffix. Returns `None` for other content
/// types.
fn kind(value: &HeaderValue) -> Option<(bool, String)> {
    let value = value.to_str().ok()?.split([';', ',']).next()?.trim().to_ascii_lowercase();
    let rest = value.strip_prefix(WEB)?;
    let (is_text, suffix) = match rest.strip_prefix(TEXT) {
        Some(suffix) => (true, suffix),
        None => (false, rest),
    };
    (suffix.is_empty() || suffix.starts_with('+')).then(|| (is_text, suffix.to_owned()))
}

/// A body whose length is hidden.
struct Plain(Body);

impl Pieces for Plain {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        poll_data(&mut self.0, cx)
    }
}

/// The decoded bytes of a body of base64. The body may consist of several segments, each with its own padding.
struct Decoded {
    body: Body,
    /// The received characters of an incomplete group of four.
    held: BytesMut,
    is_over: bool,
}

impl Pieces for Decoded {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        while !self.is_over {
            match ready!(poll_data(&mut self.body, cx)) {
                Some(Ok(data)) => self.held.extend_from_slice(&data),
                Some(Err(error)) => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.is_over = true,
            }
            let whole = self.held.len() - self.held.len() % 4;
            let groups = self.held.split_to(whole);
            let decoded = decode(&groups).filter(|_| !self.is_over || self.held.is_empty());
            match decoded {
                Some(bytes) if bytes.is_empty() => {}
                Some(bytes) => return Poll::Ready(Some(Ok(bytes.into()))),
                None => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err("the body is not base64".into())));
                }
            }
        }
        Poll::Ready(None)
    }
}

/// Decodes complete groups of four characters. A group with padding ends a segment. Returns `None` if they are not base64.
fn decode(groups: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(groups.len() / 4 * 3);
    let ends_segment = |group: &[u8]| group.ends_with(b"=");
    let mut rest = groups;
    while !rest.is_empty() {
        let end = rest.chunks(4).position(ends_segment).map_or(rest.len(), |at| at * 4 + 4);
        STANDARD.decode_vec(&rest[..end], &mut out).ok()?;
        rest = &rest[end..];
    }
    Some(out)
}

fn poll_data(body: &mut Body, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
    loop {
        match ready!(Pin::new(&mut *body).poll_frame(cx)) {
            // Trailers of a request have no meaning.
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) if data.is_empty() => {}
                Ok(data) => return Poll::Ready(Some(Ok(data))),
                Err(_) => {}
            },
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => return Poll::Ready(None),
        }
    }
}

/// The frames of a response, and a last frame with the trailers.
struct Framed {
    body: Body,
    is_text: bool,
    is_over: bool,
}

impl Framed {
    fn coded(&self, bytes: Bytes) -> Bytes {
        if self.is_text { STANDARD.encode(bytes).into() } else { bytes }
    }
}

impl Pieces for Framed {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let trailers = loop {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if data.is_empty() => {}
                    Ok(data) => return Poll::Ready(Some(Ok(self.coded(data)))),
                    Err(frame) => break frame.into_trailers().unwrap_or_default(),
                },
                Some(Err(error)) => {
                    tracing::warn!(error = error.to_string(), "the response of the service broke off");
                    break failed(Code::Unavailable, "the response of the service broke off");
                }
                None => break failed(Code::Unknown, "the response of the service ends without a status"),
            }
        };
        self.is_over = true;
        Poll::Ready(Some(Ok(self.coded(trailer_frame(&trailers)))))
    }
}

fn failed(code: Code, message: &'static str) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", code.number().into());
    trailers.insert("grpc-message", HeaderValue::from_static(message));
    trailers
}

/// Writes trailers as lines, in a frame with the flag for trailers.
fn trailer_frame(trailers: &HeaderMap) -> Bytes {
    let mut frame = vec![0x80, 0, 0, 0, 0];
    for (name, value) in trailers {
        frame.extend_from_slice(name.as_str().as_bytes());
        frame.extend_from_slice(b": ");
        frame.extend_from_slice(value.as_bytes());
        frame.extend_from_slice(b"\r\n");
    }
    // HTTP libraries limit trailers to much less than 4 GiB.
    let len = u32::try_from(frame.len() - 5).unwrap_or(u32::MAX);
    frame[1..5].copy_from_slice(&len.to_be_bytes());
    frame.into()
}
