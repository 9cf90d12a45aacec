//! The body type of requests and responses.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body::{Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};

use super::BoxError;
use super::linger::Linger;

/// A source of the bytes of a body. It is polled when HTTP needs more bytes.
pub(super) trait Pieces: Send {
    /// Returns the next bytes, or `None` at the end.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>>;
}

/// The body of a request or a response, from any source.
pub struct Body(Kind);

enum Kind {
    /// Complete bytes. Their number is known in advance.
    Full(Full<Bytes>),
    /// Complete bytes of a call. HTTP does not send their number.
    Call(Full<Bytes>),
    Pieces(Box<dyn Pieces>),
    Other(UnsyncBoxBody<Bytes, BoxError>),
    Incoming(Linger),
}

impl Body {
    /// Creates a body that wraps another body.
    pub fn new<B>(body: B) -> Self
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<BoxError>,
    {
        Body(Kind::Other(boxed(body)))
    }

    /// Creates the body of a request that the client may still be sending when the response is sent.
    pub(super) fn lingering<B>(body: B) -> Self
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<BoxError>,
    {
        Body(Kind::Incoming(Linger::new(boxed(body))))
    }

    /// Creates the body of a call from complete bytes, and hides their number. If the number were known, HTTP would send a
    /// `Content-Length`. No client of gRPC sends this header, and servers would treat it as metadata.
    pub(super) fn call(bytes: impl Into<Bytes>) -> Self {
        Body(Kind::Call(Full::new(bytes.into())))
    }

    pub(super) fn of_pieces(pieces: impl Pieces + 'static) -> Self {
        Body(Kind::Pieces(Box::new(pieces)))
    }

    /// Creates a body without bytes.
    pub fn empty() -> Self {
        Self::full(Bytes::new())
    }

    /// Creates a body from complete bytes.
    pub fn full(bytes: impl Into<Bytes>) -> Self {
        Body(Kind::Full(Full::new(bytes.into())))
    }
}

fn boxed<B>(body: B) -> UnsyncBoxBody<Bytes, BoxError>
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    let bytes = |mut data: B::Data| data.copy_to_bytes(data.remaining());
    UnsyncBoxBody::new(body.map_frame(move |frame| frame.map_data(bytes)).map_err(Into::into))
}

impl Default for Body {
    fn default() -> Self {
        Self::empty()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut self.0 {
            Kind::Full(body) | Kind::Call(body) => {
                Pin::new(body).poll_frame(cx).map_err(|never| match never {})
            }
            Kind::Pieces(pieces) => pieces.poll_piece(cx).map_ok(Frame::data),
            Kind::Other(body) => Pin::new(body).poll_frame(cx),
            Kind::Incoming(body) => body.poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Full(body) | Kind::Call(body) => body.is_end_stream(),
            Kind::Pieces(_) => false,
            Kind::Other(body) => body.is_end_stream(),
            Kind::Incoming(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Full(body) => body.size_hint(),
            Kind::Call(_) | Kind::Pieces(_) => SizeHint::default(),
            Kind::Other(body) => body.size_hint(),
            Kind::Incoming(body) => body.size_hint(),
        }
    }
}
