//! Calls by Connect in place of gRPC, over any version of HTTP.
//!
//! Layer 2: names the client and the details of errors.
//!
//! Specification: <https://connectrpc.com/docs/protocol>.

mod error;
mod response;

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, TE};
use http::{HeaderMap, Request, Response, Version};
use tonic::Status;
use tonic::body::Body;
use tower_service::Service;

use self::response::{Whole, collect};
use crate::client::{Kind, StdError};

const PROTO: &str = "application/proto";
const STREAM: &str = "application/connect+proto";
const GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const GRPC_ACCEPT: HeaderName = HeaderName::from_static("grpc-accept-encoding");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const STREAM_ENCODING: HeaderName = HeaderName::from_static("connect-content-encoding");
const STREAM_ACCEPT: HeaderName = HeaderName::from_static("connect-accept-encoding");

/// Lets generated clients, and [`DynamicClient`](crate::DynamicClient), speak Connect through an HTTP client.
///
/// Connect needs no trailers, so HTTP/1.1 is enough for unary calls and for streams of answers; a stream of requests that is
/// answered while it goes on needs HTTP/2. Metadata, errors with details, timeouts and compression are as with gRPC.
///
/// ```no_run
/// # use tobu_tonic_service::reading::v1::{self as reading, reading_room_client::ReadingRoomClient};
/// # async fn call<C>(http_client: C) -> Result<(), Box<dyn std::error::Error>>
/// # where
/// #     C: tower_service::Service<http::Request<tonic::body::Body>, Response = http::Response<tonic::body::Body>>
/// #         + Clone + Send + 'static,
/// #     C::Future: Send, C::Error: Into<tobu_tonic::codegen::StdError>,
/// # {
/// use tobu_tonic::Connect;
///
/// // Such as `hyper_util::client::legacy::Client`.
/// let transport = Connect::new(http_client);
/// let mut client = ReadingRoomClient::with_origin(transport, "http://127.0.0.1:8080".parse()?);
/// let request = reading::BorrowRequest { title: "Dune".into(), ..reading::BorrowRequest::default() };
/// println!("{}", client.borrow(request).await?.into_inner().pages);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Connect<T> {
    inner: T,
    limit: usize,
}

impl<T> Connect<T> {
    /// Speaks Connect through an HTTP client.
    pub fn new(inner: T) -> Self {
        Connect { inner, limit: 4 << 20 }
    }

    /// Sets how many bytes the answer of a unary call may have as it comes; 4 MiB by default. What it may have decompressed, and a
    /// message of a stream, the client limits by `max_decoding_message_size`.
    #[must_use]
    pub fn max_answer_size(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }
}

impl<T, R> Service<Request<Body>> for Connect<T>
where
    T: Service<Request<Body>, Response = Response<R>> + Clone + Send + 'static,
    T::Future: Send,
    T::Error: Into<StdError>,
    R: http_body::Body<Data = Bytes> + Send + 'static,
    R::Error: Into<StdError>,
{
    type Response = Response<Body>;
    type Error = StdError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, StdError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The instance that reported readiness must be the one that is called.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let limit = self.limit;
        Box::pin(async move {
            let Some(kind) = request.extensions().get::<Kind>().copied() else {
                let text = "only clients of tobu-tonic say what kind a call is, which Connect depends on";
                return Ok(Status::internal(text).into_http());
            };
            match kind {
                Kind::Unary => {
                    let request = unary(request).await?;
                    let response = inner.call(request).await.map_err(Into::into)?;
                    Ok(response::unary(response, limit).await)
                }
                Kind::Stream => {
                    let response = inner.call(stream(request)).await.map_err(Into::into)?;
                    Ok(response::stream(response).await)
                }
            }
        })
    }
}

/// The request of a unary call: its message without a frame.
async fn unary(request: Request<Body>) -> Result<Request<Body>, StdError> {
    let (mut head, body) = request.into_parts();
    // What the client sends is its own.
    let mut frame = BytesMut::from(&collect(body, usize::MAX).await?[..]);
    if frame.len() < 5 {
        return Err("the call has no message".into());
    }
    let is_compressed = frame[0] == 1;
    let message = frame.split_off(5).freeze();
    let encoding = head.headers.remove(&GRPC_ENCODING).filter(|_| is_compressed);
    begin(&mut head.headers, PROTO, ACCEPT_ENCODING);
    if let Some(encoding) = encoding {
        head.headers.insert(CONTENT_ENCODING, encoding);
    }
    head.version = Version::HTTP_11;
    Ok(Request::from_parts(head, Body::new(Whole::new(message))))
}

/// The request of a stream: frames of gRPC are envelopes of Connect.
fn stream(request: Request<Body>) -> Request<Body> {
    let (mut head, body) = request.into_parts();
    let encoding = head.headers.remove(&GRPC_ENCODING);
    begin(&mut head.headers, STREAM, STREAM_ACCEPT);
    if let Some(encoding) = encoding {
        head.headers.insert(STREAM_ENCODING, encoding);
    }
    head.version = Version::HTTP_11;
    Request::from_parts(head, body)
}

/// Turns the headers that gRPC has into those of Connect.
fn begin(headers: &mut HeaderMap, kind: &'static str, accept: HeaderName) {
    headers.remove(TE);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert("connect-protocol-version", HeaderValue::from_static("1"));
    let accepted = headers.remove(&GRPC_ACCEPT);
    headers.insert(accept, accepted.unwrap_or(HeaderValue::from_static("identity")));
    let timeout = headers.remove(&GRPC_TIMEOUT).and_then(|timeout| millis(timeout.as_bytes()));
    if let Some(millis) = timeout {
        // A longer one has more digits than Connect allows, and is as good as none.
        headers.insert("connect-timeout-ms", HeaderValue::from(millis.min(9_999_999_999)));
    }
}

/// A timeout of gRPC in milliseconds, rounded up.
fn millis(timeout: &[u8]) -> Option<u64> {
    let (unit, digits) = timeout.split_last()?;
    let amount: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(match unit {
        b'H' => amount.saturating_mul(3_600_000),
        b'M' => amount.saturating_mul(60_000),
        b'S' => amount.saturating_mul(1000),
        b'm' => amount,
        b'u' => amount.div_ceil(1000),
        b'n' => amount.div_ceil(1_000_000),
        _ => return None,
    })
}
